"""The command line run in this process, and files for it."""

from __future__ import annotations

import json
from functools import partial

import pytest

from core import command
from tests.arrays import npy_bytes


def _ran(capsys, *arguments):
    code = command.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def run(capsys):
    """Run the command line in this process: exit code, stdout, stderr."""
    return partial(_ran, capsys)


@pytest.fixture
def saved(tmp_path):
    """`saved("a", array)`: the path of a file that holds it; also bytes as they are."""

    def save(name, array):
        path = tmp_path / f"{name}.npy"
        path.write_bytes(array if isinstance(array, bytes) else npy_bytes(array))
        return path

    return save


@pytest.fixture
def said(capsys, saved):
    """The JSON of ``two-models`` for arrays a, b and, where given, their train rows."""

    def of(a, b, train_a=None, train_b=None, *options):
        files = [saved("a", a), saved("b", b)]
        if train_a is not None:
            files += ["--train-a", saved("train_a", train_a), "--train-b", saved("train_b", train_b)]
        code, out, err = _ran(capsys, "two-models", *files, *options)
        assert (code, err) == (0, "")
        return json.loads(out)

    return of
