"""The contract between a file reader and the rest of the core.

A reader is a function ``read(buffer, name, choices) -> Decoded``: it gets the whole
file as a read-only buffer (uploaded bytes or a memory map, it cannot tell), the name
to use in messages, and the choices a person has made. It returns an array and what is
worth a word, or raises `AuditError`. It never learns about pairs or sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.formats.mapped import FileMap

#: Code of the word that says where a file had no number and NaN was read.
MISSING_VALUES = "missing_values"

#: Real numbers as stored: float16/32/64 or integers, any byte order, C or Fortran order.
RealArray = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChoices:
    """What only the file's owner can know. `None` means not said.

    Attributes
    ----------
    key
        Member of an archive, name of a tensor, or name of a list of vectors in a JSON object
        (names with points between lead inwards).
    columns
        Comma-separated names of the columns of a table that hold the vectors.
    layer
        Index into the first axis of an (L, n, d) stack, counting from 0.
    read_as
        How to read ambiguous bytes: ``"bfloat16"``, ``"packed-bits"``, ``"numbers"``.
    """

    key: str | None = None
    columns: str | None = None
    layer: int | None = None
    read_as: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A notice before anyone knows which side the file is on: ``code`` and ``text``."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowIds:
    """What one column or field calls the rows; every row otherwise.

    Attributes
    ----------
    name
        The column's name: hostile text, empty where it has none.
    values
        (n,) int64: the numbers, or 64 bits of a fingerprint of each text.
    is_text
        True where some are texts.
    is_index
        True for row numbers that no one chose: a pandas index, an API's ``index``. Two files
        that both have them mean the same by them; an ``id`` may be each file's own.
    is_declared
        True where the file says that it calls the rows, as pandas does of an index of any name.
    """

    name: str
    values: NDArray[np.int64]
    is_text: bool
    is_index: bool
    is_declared: bool = False

    def taken(self, order: NDArray[np.intp]) -> RowIds:
        """The ids of the rows in another order."""
        return replace(self, values=self.values[order])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What a reader makes of a buffer.

    Attributes
    ----------
    array
        Numbers as stored, 2-d unless the reader could not tell; a view of the buffer
        where the format allows one. Never object dtype.
    dtype
        The type in the file, in the reader's words: ``"float32"``, ``"bfloat16"``.
    words
        What is worth saying about how it was read.
    row_ids
        What the file calls its rows, one for each column or field that does.
    columns
        (d,) what the file calls its coordinates, where each has a column or field of its own
        with a name; else empty.
    """

    array: RealArray
    dtype: str
    words: tuple[Word, ...] = ()
    row_ids: tuple[RowIds, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedArray:
    """An (n, d) array of real numbers, read and named, not yet judged.

    Attributes
    ----------
    name
        Base name of the file, exactly as given: hostile text, escape before showing.
    array
        (n, d), float16/32/64 or integer, any byte order; read-only, possibly a view
        of the uploaded bytes or of a memory map. No value has been checked.
    dtype
        The type in the file: ``"float32"``, ``"bfloat16"``.
    file_bytes, sha256
        Size of the file in bytes and SHA-256 of its bytes, hexadecimal.
    words
        What is worth saying about how it was read.
    choices
        What its owner said about how to read it.
    row_ids
        What the file calls its rows: as many ids as `array` has rows.
    columns
        What the file calls its columns: hostile text, as many names as `array` has columns, or none.
    file
        The mapped file that `array` is a view of; `None` where the numbers are held.
    """

    name: str
    array: RealArray
    dtype: str
    file_bytes: int
    sha256: str
    words: tuple[Word, ...] = ()
    choices: ReadChoices = ReadChoices()
    row_ids: tuple[RowIds, ...] = ()
    columns: tuple[str, ...] = ()
    file: FileMap | None = None

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.array.shape
        return int(rows), int(columns)
