"""Reading Parquet in the test's own process where the process is not what is tested."""

import importlib

import pytest


@pytest.fixture
def in_process(monkeypatch):
    """Call the reader directly instead of in a child: half a second less for each file."""

    def read_here(module, function, buffer, name, choices):
        return getattr(importlib.import_module(module), function)(buffer, name, choices)

    monkeypatch.setattr("core.formats.arrow.read_apart", read_here)
