"""Two files for the command line."""

from __future__ import annotations

import pytest

from tests.arrays import npy_bytes


@pytest.fixture
def files(tmp_path, pair):
    """A.npy and B.npy of an ordinary pair, in a folder of their own."""
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path, array in zip(paths, pair, strict=True):
        path.write_bytes(npy_bytes(array))
    return paths
