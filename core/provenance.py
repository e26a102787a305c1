"""What makes a report repeatable: fingerprints of the inputs and versions of the tools."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np

from core.inspection import Inspection
from core.sweep.workers import usable_cores

__all__ = ["VERSION", "InputRecord", "record", "versions"]

#: Of this project; `python -m core --version` prints it.
VERSION = "0.1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRecord:
    """One input as it was read: enough to recognise the file again.

    Attributes
    ----------
    name
        Base name, exactly as given: hostile text, escape before showing.
    shape, dtype
        Of the array in the file.
    file_bytes, sha256
        Size and SHA-256 (hexadecimal) of the whole file.
    choices
        How it was read where that had to be said: ``{"layer": 1}``; usually empty.
    """

    name: str
    shape: tuple[int, int]
    dtype: str
    file_bytes: int
    sha256: str
    choices: dict[str, str | int]


def record(found: Inspection) -> InputRecord:
    """The fingerprint of an inspected input."""
    loaded = found.loaded
    return InputRecord(
        name=loaded.name,
        shape=loaded.shape,
        dtype=loaded.dtype,
        file_bytes=loaded.file_bytes,
        sha256=loaded.sha256,
        choices={name: value for name, value in asdict(loaded.choices).items() if value is not None},
    )


def versions() -> dict[str, str]:
    """Versions of what computed the numbers, by name, and how many threads did."""
    return {
        "cosine_floor": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        **{name: _installed(name) for name in ("scipy", "numba", "threadpoolctl")},
        "blas": _blas(),
        "threads": str(usable_cores()),
    }


@cache
def _installed(name: str) -> str:
    """Version of an installed package, read without importing it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def _blas() -> str:
    """The library that multiplies matrices; its kind of processor decides the speed and the last digit."""
    from threadpoolctl import threadpool_info

    loaded = [found for found in threadpool_info() if found["user_api"] == "blas"]
    if not loaded:
        return "unknown"
    # scipy brings one of its own, which may be loaded by then; numpy's multiplies.
    numpy_first = sorted(loaded, key=lambda found: "numpy" not in Path(found.get("filepath", "")).parent.name)
    words = (numpy_first[0].get(key) for key in ("internal_api", "version", "architecture"))
    return " ".join(str(word) for word in words if word)
