"""Named arrays beside the matrix that call its rows: ``ids``, ``index``, whole numbers or text.

An archive of arrays keeps what a table keeps in a column of ids. It is gathered as that is
(`core.formats.row_ids`), so that two files can be asked whether row i is the same item in
both; where that cannot be, a word says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import FormatError, LimitError
from core.formats.ids import is_text_type
from core.formats.listing import shortened
from core.formats.loaded import RowIds, Word
from core.formats.members import Member
from core.formats.row_ids import IdColumn, callers, calls_rows, is_id_name, is_index_name, order_words
from core.formats.shapes import matrix_shape

__all__ = ["ids_beside", "without_columns_of_ids"]

#: Characters taken apart at a time.
_BLOCK_CHARS = limits.TEXT_BLOCK_CHARS

_SAVE = (
    "Whole numbers are compared, and in an .npz text: np.savez('new.npz', x=x, ids=np.array([str(i) for i in ids]))."
)


def without_columns_of_ids(members: Sequence[Member]) -> list[Member]:
    """The members, without those of shape (n, 1) under a name that ids have beside a wider matrix of n rows."""
    rows = {_rows(member) for member in members if member.is_matrix and not _is_list(member)}
    return [member for member in members if not (member.is_matrix and _calls_rows(member) and _rows(member) in rows)]


def ids_beside(
    members: Sequence[Member], member: Member, values_of: Callable[[Member], NDArray[Any]]
) -> tuple[tuple[RowIds, ...], tuple[Word, ...]]:
    """What the other members call the rows of `member`, and what is worth a word about them.

    Parameters
    ----------
    members, member
        All, and the one whose rows are read.
    values_of
        Numbers or text of a member; its refusal leaves that member out, with a word.
    """
    rows = _rows(member)
    lists = [other for other in members if other is not member and _is_list(other) and other.shape != ()]
    called = callers((other.key, _may_be_text(other, rows)) for other in lists)
    row_ids, words = [], []
    for other in (lists[at] for at in called):
        found = _ids(other, rows, values_of)
        if isinstance(found, Word):
            if calls_rows(other.key, is_text=True):
                words.append(found)
        elif found is not None:
            row_ids.append(found)
    index = next((ids for ids in row_ids if ids.is_index), None)
    about = "" if index is None else f"the member {shortened(index.name)}"
    return tuple(row_ids), (*words, *order_words(index, about))


def _ids(other: Member, rows: int | None, values_of: Callable[[Member], NDArray[Any]]) -> RowIds | Word | None:
    if other.shape is not None and other.shape[0] != rows:
        return _left_out(other, f"it has {other.shape[0]:,} entries, which is not one for each row")
    try:
        values = values_of(other)
    except (FormatError, LimitError) as error:  # a member that nobody asked for spoils nothing
        return _left_out(other, str(error))
    return _gathered(values.reshape(-1), other.key)


def _may_be_text(member: Member, rows: int | None) -> bool:
    """True for text, one a row, and for what cannot be read and may be text under a name for it."""
    if is_text_type(member.dtype):
        return member.shape is not None and member.shape[0] == rows
    return not member.readable and calls_rows(member.key, is_text=True)


def _calls_rows(member: Member) -> bool:
    """True for a list under what people call an array of ids."""
    key = member.key
    return _is_list(member) and (is_id_name(key) or is_index_name(key))


def _is_list(member: Member) -> bool:
    """True for one entry a row, and where the shape cannot be read."""
    shape = member.shape
    return shape is None or len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)


def _rows(member: Member) -> int | None:
    found = None if member.shape is None else matrix_shape(member.shape)
    return None if found is None else found[0]


def _gathered(values: NDArray[Any], key: str) -> RowIds | None:
    ids = IdColumn(key, is_index=is_index_name(key))
    if values.dtype.kind not in "US":
        with np.errstate(invalid="ignore"):  # a NaN that signals when it is cast
            ids.add_numbers(values.astype(np.float64) if values.dtype.kind == "f" else values)
        return ids.ids()
    block = max(1, _BLOCK_CHARS // max(1, values.dtype.itemsize))
    for start in range(0, len(values), block):
        ids.extend(_texts(values[start : start + block]))
    return ids.ids()


def _texts(values: NDArray[Any]) -> list[str]:
    """Text as any other format would hold it; bytes are UTF-8 where they can be."""
    if values.dtype.kind == "S":
        return [value.decode("utf-8", errors="backslashreplace") for value in values.tolist()]
    return [str(value) for value in values.tolist()]


def _left_out(other: Member, why: str) -> Word:
    text = f"The member {shortened(other.key)} was left out: {why}. The rows were not compared by it. {_SAVE}"
    return Word(code="ids_left_out", text=text)
