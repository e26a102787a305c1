"""The shape of a file from its header alone, before anything of it is read.

A large file takes minutes to be hashed and inspected; that its rows do not fit the other
side's stands in its first bytes. What is made here is an `Inspection` of the right name and
shape that holds no numbers: the checks that look at shapes, and the estimates of time and
memory, take it as they take a real one, and so say the same sentences.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.formats import LoadedArray, ReadChoices, declared_shape
from core.inspection import Inspection, RowList

__all__ = ["by_header"]


def by_header(
    source: bytes | memoryview | Path,
    name: str,
    choices: ReadChoices = ReadChoices(),  # noqa: B008 - frozen
) -> Inspection | None:
    """Look at the header of a file that declares its shape.

    Parameters
    ----------
    source, name, choices
        As for `core.formats.read_array`.

    Returns
    -------
    Inspection or None
        With the file's name and shape, and nothing true beside them; `None` where the shape is
        not known before the file is read (text, tables).

    Raises
    ------
    AuditError
        As `read_array` does, for what the header shows.
    """
    shape = declared_shape(source, name, choices)
    if shape is None:
        return None
    none = RowList(rows=np.empty(0, dtype=np.intp))
    numbers = np.broadcast_to(np.float32(0), shape)  # one number, seen n d times
    return Inspection(
        loaded=LoadedArray(name=name, array=numbers, dtype="float32", file_bytes=0, sha256="", choices=choices),
        norm_min=None,
        norm_median=None,
        norm_max=None,
        nan=none,
        infinite=none,
        zero=none,
        repeats=none,
        imprecise=none,
        never_negative=False,
    )
