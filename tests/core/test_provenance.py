"""What makes a report repeatable: the fingerprint of each file and the versions of the tools."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import numpy as np
import scipy
import threadpoolctl

import core
from core.provenance import VERSION, record, versions
from tests.arrays import inspected, npy_bytes


def test_the_fingerprint_is_that_of_the_file_not_of_the_numbers(rng):
    array = np.asfortranarray(rng.standard_normal((7, 3)).astype(">f4"))
    found = record(inspected(array, "some name.npy"))
    assert found.name == "some name.npy"
    assert found.shape == (7, 3)
    assert found.dtype == "float32"
    assert found.file_bytes == len(npy_bytes(array))
    assert found.sha256 == hashlib.sha256(npy_bytes(array)).hexdigest()


def test_bytes_and_path_give_the_same_record(rng, tmp_path):
    path = tmp_path / "x.npy"
    path.write_bytes(npy_bytes(rng.standard_normal((7, 3))))
    assert record(core.load(path)) == record(core.load(path.read_bytes(), "x.npy"))


def test_versions_name_what_computed_the_numbers():
    found = versions()
    assert found["cosine_floor"] == VERSION
    assert found["numpy"] == np.__version__
    assert found["python"] == platform.python_version()


def test_versions_name_the_libraries_the_blas_and_the_threads():
    found = versions()
    assert [found[name] for name in ("scipy", "numba")] == [scipy.__version__, numba.__version__]
    assert found["threadpoolctl"] == threadpoolctl.__version__
    assert any(one["internal_api"] in found["blas"] for one in threadpoolctl.threadpool_info())
    assert int(found["threads"]) >= 1


def test_a_library_that_is_missing_is_said_to_be():
    from core.provenance import _installed

    assert _installed("cosine-floor-no-such-package") == "not installed"


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION


def test_the_blas_named_is_the_one_that_multiplies_whatever_was_loaded_first():
    """scipy brings its own, and which of the two comes first depends on who was imported when."""
    words = "from core.provenance import versions; print(versions()['blas'])"
    said = [
        subprocess.run(
            [sys.executable, "-c", f"{first}{words}"],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for first in ("", "import scipy.linalg, scipy.special; ", "import numpy; import scipy.special; ")
    ]
    assert said[0] == said[1] == said[2]
