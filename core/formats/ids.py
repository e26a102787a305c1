"""Read ids of groups: one id a row, from ``.npy``, ``.csv`` or ``.txt``.

An id is a whole number or a piece of text; it only says which rows belong together, so
nothing is made of it but equality.
"""

from __future__ import annotations

import csv
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core import limits
from core.errors import FormatError, LimitError
from core.formats import npy
from core.formats.encoding import encoding_of, lines_of
from core.formats.loaded import ReadChoices
from core.formats.source import open_buffer, sha256_of

__all__ = ["GroupIds", "is_text_type", "read_ids", "text_array"]

_REMEDY = "Save one id a row, a whole number or text: np.save('ids.npy', ids), or one id a line."


#: Of an array of text.
_CHARACTER_BYTES = 4
#: First lines of a text file that are no ids: the heading that a spreadsheet or pandas writes.
_HEADINGS = frozenset(
    f"{word}{ending}"
    for word in ("id", "group", "item", "group_id", "item_id", "cluster", "cluster_id", "label", "doc_id", "image_id")
    for ending in ("", "s")
)

#: Text of a fixed width, as np.save writes it.
_TEXT_TYPE = re.compile(r"[<>|=]?([US])(\d{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupIds:
    """One id for each row of the files.

    Attributes
    ----------
    name, sha256
        Of the file; empty where the ids come from a program.
    values
        (n,) whole numbers or text.
    may_have_heading
        True for a text file, whose first line may be a heading.
    trimmed
        Ids of text that lost blanks at an end: "cat " and "cat" are one group.
    """

    name: str
    sha256: str
    values: NDArray[np.generic]
    may_have_heading: bool
    trimmed: int = 0

    @property
    def file_name(self) -> str:
        """Name of the file; empty where the ids come from a program."""
        return self.name if self.sha256 else ""

    @property
    def heading(self) -> str:
        """The first line of a text file where it is no id but a heading, as "group" is; else empty."""
        if not self.may_have_heading or len(self.values) < 2:
            return ""
        first = str(self.values[0])
        again = bool(np.any(self.values[1:] == self.values[0]))
        return first if first.casefold().replace(" ", "_") in _HEADINGS and not again else ""

    @classmethod
    def of(cls, ids: ArrayLike, name: str = "the ids of the groups") -> GroupIds:
        """Ids that a program holds.

        Raises
        ------
        FormatError
            Not one line of whole numbers or text.
        """
        values, trimmed = _trimmed(_checked(np.asarray(ids), name))
        return cls(name=name, sha256="", values=values, may_have_heading=False, trimmed=trimmed)


def read_ids(source: bytes | memoryview | Path, name: str) -> GroupIds:
    """Read a file of ids.

    Raises
    ------
    FormatError
        Not one whole number or piece of text a row.
    LimitError
        A text file of more than `limits.MAX_TEXT_BYTES`.
    """
    buffer = open_buffer(source, name)
    if npy.recognises(buffer):
        values, is_text = _stored(buffer, name), False
    else:
        values, is_text = _same_width(_lines(buffer, name), len(buffer), name), True
    values, trimmed = _trimmed(_checked(np.asarray(values), name))
    return GroupIds(name=name, sha256=sha256_of(buffer), values=values, may_have_heading=is_text, trimmed=trimmed)


def _trimmed(values: NDArray[np.generic]) -> tuple[NDArray[np.generic], int]:
    """Ids without blanks at their ends, and how many had some: no eye tells "cat " from "cat"."""
    if values.dtype.kind not in "US":
        return values, 0
    said = values.tolist()
    plain = [value.strip() for value in said]
    trimmed = sum(one != other for one, other in zip(plain, said, strict=True))
    return np.array(plain, dtype=values.dtype), trimmed


def is_text_type(descr: str) -> bool:
    """True for text of a fixed width, as the header of a ``.npy`` names it: ``"<U6"``, ``"|S12"``."""
    return _TEXT_TYPE.fullmatch(descr) is not None


def text_array(buffer: memoryview, name: str) -> NDArray[np.generic]:
    """The text of a ``.npy``, of a fixed width, as a view: no array of embeddings holds any.

    Raises
    ------
    FormatError
        No text, fewer bytes than declared, or bytes that are no characters.
    """
    header = npy.read_header(buffer, name)
    kind = _TEXT_TYPE.fullmatch(header.descr)
    if kind is None:
        raise FormatError(f"{name} holds no text", remedy=_REMEDY)
    size, width = math.prod(header.shape), int(kind[2]) * (4 if kind[1] == "U" else 1)
    if min(header.shape, default=1) < 0 or width < 1 or len(buffer) - header.offset < size * width:
        raise FormatError(f"{name} holds fewer ids than it declares: it was cut short", remedy=_REMEDY)
    if size == 0:
        return np.empty(header.shape, np.dtype(header.descr))
    if kind[1] == "U":
        _refuse_no_characters(np.frombuffer(buffer, _code_points(header.descr), size * width // 4, header.offset), name)
    return np.frombuffer(buffer, np.dtype(header.descr), size, header.offset).reshape(header.shape)


def _code_points(descr: str) -> str:
    return ">u4" if descr.startswith(">") else "<u4"


def _refuse_no_characters(points: NDArray[np.uint32], name: str) -> None:
    """Refuse numbers beyond Unicode, which Python cannot make text of."""
    if int(points.max()) > sys.maxunicode:
        raise FormatError(f"{name} holds ids whose bytes are no text: it is damaged", remedy=_REMEDY)


def _stored(buffer: memoryview, name: str) -> NDArray[np.generic]:
    """Ids of a .npy: numbers, or text of a fixed width."""
    if is_text_type(npy.read_header(buffer, name).descr):
        return text_array(buffer, name)
    return np.asarray(npy.read(buffer, name, ReadChoices()).array)


def _lines(buffer: memoryview, name: str) -> list[str]:
    codec = encoding_of(buffer)
    if codec is None:
        raise FormatError(f"{name} is neither a .npy file nor text", remedy=_REMEDY)
    if len(buffer) > limits.MAX_TEXT_BYTES:
        raise LimitError(
            f"{name} is a text file of {len(buffer):,} bytes; {limits.MAX_TEXT_BYTES:,} are read at most",
            remedy="Save the ids with np.save.",
        )
    found = []
    try:
        for number, cells in enumerate(csv.reader(lines_of(buffer, codec, name), skipinitialspace=True), start=1):
            if len(cells) > 1:
                raise FormatError(
                    f"{name} has {len(cells)} columns in line {number:,}; ids are one column", remedy=_REMEDY
                )
            found.append(cells[0] if cells and cells[0].strip() else "")
            if len(found[-1]) > limits.MAX_ID_CHARS:
                raise FormatError(f"{name} has a cell that is too long to be an id in line {number:,}", remedy=_REMEDY)
    except csv.Error as error:
        raise FormatError(f"{name} has a cell that is too long to be an id", remedy=_REMEDY) from error
    while found and not found[-1]:
        found.pop()
    if "" in found:
        raise FormatError(f"{name} has no id in line {found.index('') + 1:,}", remedy=_REMEDY)
    return found


def _same_width(ids: list[str], file_bytes: int, name: str) -> NDArray[np.str_]:
    """Ids as an array, each as wide as the longest; where that is far more than the file, it is refused."""
    longest = max(map(len, ids), default=1)
    needed = _CHARACTER_BYTES * len(ids) * longest
    if needed > max(limits.FREE_ID_BYTES, limits.ID_MEMORY_PER_BYTE * file_bytes):
        line = next(number for number, one in enumerate(ids, start=1) if len(one) == longest)
        raise LimitError(
            f"{name} has {len(ids):,} ids, and one of {longest:,} characters in line {line:,}: held as wide as that, "
            f"they need {needed:,} bytes",
            remedy="Save shorter ids, or whole numbers: np.save('ids.npy', ids).",
        )
    return np.array(ids, dtype=np.str_)


def _refuse_rounded(values: NDArray[np.generic], name: str) -> None:
    """Refuse floats so large that two different ids may have become one when they were saved."""
    whole = 2.0 ** (np.finfo(values.dtype.char).nmant + 1)
    largest = float(np.max(np.abs(values.astype(np.float64))))
    if largest >= whole:
        raise FormatError(
            f"{name} holds ids as {values.dtype} up to {largest:,.0f}; from {whole:,.0f} on that type rounds whole "
            "numbers, so that different ids may have become one",
            remedy="Save the ids as whole numbers: ids.astype(np.int64) before any conversion to float.",
        )


def _checked(values: NDArray[np.generic], name: str) -> NDArray[np.generic]:
    if values.ndim == 2 and 1 in values.shape:
        values = values.reshape(-1)
    if values.ndim != 1 or len(values) == 0:
        shape = " × ".join(f"{size:,}" for size in values.shape) or "a single value"
        raise FormatError(f"{name} holds ids of shape {shape}; one id a row is needed", remedy=_REMEDY)
    if values.dtype.kind == "f" and np.all(np.isfinite(values)) and np.all(values == np.floor(values)):
        _refuse_rounded(values, name)
        return values  # whole numbers that were saved as floats
    if values.dtype.kind not in "iuUSb":
        raise FormatError(f"{name} holds {values.dtype}, which is no kind of id", remedy=_REMEDY)
    return values
