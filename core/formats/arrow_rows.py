"""From the chosen columns of an Arrow or Parquet table to numbers.

A batch of rows at a time, into an array whose size was checked against the limits from the
file's own counts. Imported where pyarrow is: in the child process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from core import limits
from core.errors import FormatError, LimitError
from core.formats.arrow_types import chosen_type, is_nested, plain, plain_type, unviewed
from core.formats.listing import shortened
from core.formats.loaded import RealArray
from core.formats.missing import Missing
from core.prose import counted

_Lengths = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowSource:
    """A table that has been opened but not read: its schema, its length, its rows."""

    schema: Any
    rows: int
    batches: Any  # (column names, most rows) -> iterator of record batches


def filled_from_lists(source: ArrowSource, names: list[str], name: str, missing: Missing) -> RealArray:
    """(n, d) from one column of lists, all of one length; NaN where there is none.

    Raises
    ------
    FormatError
        Lists of unequal length, or of lists that are not one each; a null among integers.
    """
    out: RealArray | None = None
    at = 0
    for batch in source.batches(names):
        lists = plain(_unnested(batch.column(0), (name, at), source.schema.field(names[0])))
        lengths = _lengths(lists)
        held = lengths >= 0
        if out is None and held.any():
            out = _room(source.rows, int(lengths[held][0]), lists.type.value_type.to_pandas_dtype(), name)
            out[:at] = np.nan if at else 0
        if not held.all():
            row = at + int(np.argmin(held))
            _refuse_unless_float(lists.type.value_type, name, row)
            missing.add(row, "null in place of a vector", int((~held).sum()))
        if out is not None:
            _fill(out[at : at + len(lengths)], lists, lengths, (name, at, missing))
        at += len(lengths)
    return np.empty((at, 0)) if out is None else out[:at]


def _unnested(lists: Any, where: tuple[str, int], field: Any) -> Any:
    """The one list inside each list; others as they are.

    Raises
    ------
    FormatError
        A row has none or several.
    """
    if not is_nested(field.type):
        return lists
    lists = unviewed(lists)
    lengths = _lengths(lists)
    held = lengths >= 0
    if np.any(lengths[held] != 1):
        name, at = where
        row = int(np.flatnonzero(held & (lengths != 1))[0])
        raise FormatError(
            f"{name}: row {at + row:,} (counting from 0) has {counted(int(lengths[row]), 'list')} of numbers in the "
            f"column {shortened(field.name)}, where the first rows have one",
            remedy=chosen_type(field, name).remedy,
        )
    inner = lists.flatten()
    return inner if held.all() else inner.take(pa.array(np.cumsum(held) - 1, mask=~held))


def _fill(out: RealArray, lists: Any, lengths: _Lengths, where: tuple[str, int, Missing]) -> None:
    """Put the vectors of a batch into its rows of the array."""
    name, at, missing = where
    held = lengths >= 0
    unequal = np.flatnonzero(held & (lengths != out.shape[1]))
    if len(unequal) and not out.shape[1]:
        row = at + int(unequal[0])
        raise FormatError(
            f"{name}: the first vector has no numbers, where row {row:,} (counting from 0) has {lengths[unequal[0]]:,}",
            remedy="Mend or remove that row, on the other side too.",
        )
    if len(unequal):
        numbers = counted(int(lengths[unequal[0]]), "number")
        raise FormatError(
            f"{name}: row {at + int(unequal[0]):,} (counting from 0) has {numbers}, "
            f"where the rows before have {out.shape[1]:,}",
            remedy="Mend or remove that row, on the other side too.",
        )
    flat = lists.filter(pa.array(held)).flatten() if not held.all() else lists.flatten()
    if flat.null_count:
        place = int(np.flatnonzero(flat.is_null().to_numpy(zero_copy_only=False))[0]) // max(out.shape[1], 1)
        row = at + int(np.flatnonzero(held)[place])
        _refuse_unless_float(flat.type, name, row)
        missing.add(row, "null among its numbers", flat.null_count)
    out[~held] = np.nan if not held.all() else 0
    out[held] = flat.to_numpy(zero_copy_only=False).reshape(int(held.sum()), -1)


def _lengths(lists: Any) -> _Lengths:
    """Length of each list, -1 where there is none."""
    lengths: _Lengths = pc.fill_null(pc.list_value_length(lists), -1).to_numpy(zero_copy_only=False)
    return lengths


def filled_from_columns(source: ArrowSource, names: list[str], name: str, missing: Missing) -> RealArray:
    """(n, d) from d numeric columns; their common type is the array's.

    Raises
    ------
    FormatError
        A null among integers.
    """
    kinds = [plain_type(source.schema.field(column).type) for column in names]
    dtype = np.result_type(*(kind.to_pandas_dtype() for kind in kinds))
    out = _room(source.rows, len(names), dtype, name)
    at = 0
    for batch in source.batches(names):
        for position, column in enumerate(names):
            values = plain(batch.column(column))
            if values.null_count:
                row = at + int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
                _refuse_unless_float(values.type, name, row, column)
                missing.add(row, f"column {shortened(column)} holds null", values.null_count)
            out[at : at + len(values), position] = values.to_numpy(zero_copy_only=False)
        at += batch.num_rows
    return out[:at]


def _room(rows: int, dims: int, dtype: Any, name: str) -> RealArray:
    """An array for the numbers the file declares, if that is not more than the limits allow."""
    size = rows * dims * np.dtype(dtype).itemsize
    if size > limits.MAX_UNPACKED_BYTES:
        raise LimitError(
            f"{name} declares {rows:,} rows of {dims:,} numbers, {size:,} bytes; "
            f"{limits.MAX_UNPACKED_BYTES:,} are read at most",
            remedy="Save fewer rows, or the array with np.save.",
        )
    return np.empty((rows, dims), dtype=dtype)


def _refuse_unless_float(kind: Any, name: str, row: int, column: str = "") -> None:
    """Refuse a missing value among integers, which have no NaN to stand for it."""
    if pt.is_floating(kind):
        return
    where = f" in column {shortened(column)}" if column else ""
    raise FormatError(
        f"{name}: row {row:,} (counting from 0) is empty (null){where}, and {kind} has no NaN to stand for it",
        remedy="Mend or remove that row, on the other side too.",
    )
