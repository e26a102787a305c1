"""The command line run in this process, and two files for it."""

from __future__ import annotations

import pytest

from core import command
from tests.arrays import npy_bytes


@pytest.fixture
def run(capsys):
    """Run the command line in this process: exit code, stdout, stderr."""

    def ran(*arguments):
        code = command.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ran


@pytest.fixture
def files(tmp_path, pair):
    """A.npy and B.npy of an ordinary pair, in a folder of their own."""
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path, array in zip(paths, pair, strict=True):
        path.write_bytes(npy_bytes(array))
    return paths
