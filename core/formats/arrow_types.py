"""Arrow's ways to store numbers and lists, brought to plain ones; and what to do about the rest.

Dictionary-encoded numbers are decoded, decimals become float64, list views lists and tensors
of one axis the lists they are stored as. Imported where pyarrow is: in the child process.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as pt

from core.errors import FormatError
from core.formats import written
from core.formats.listing import shortened

#: Kind of a column -> what it holds, and the line that makes a list of numbers of one of its cells, x.
_RECIPES = (
    ("binary", "bytes (binary)", "np.frombuffer(x, 'float32')"),
    ("struct", "a structure (struct) with its numbers inside", "x['values']"),
    ("texts", "lists of text", "np.array(x, 'float32')"),
    ("lists", "lists of lists", "np.mean(list(x), axis=0)"),
    ("tensor", "tensors of several axes", "np.ravel(x)"),
)

#: Fewest numbers in brackets that are a vector rather than a remark.
_FEWEST_WRITTEN = 2


def plain_type(kind: Any) -> Any:
    """The type `plain` makes of arrays of this one: a number, a list of numbers, or itself."""
    if isinstance(kind, pa.FixedShapeTensorType) and len(kind.shape) == 1:
        return plain_type(kind.storage_type)
    if pt.is_dictionary(kind) and _is_number(kind.value_type):
        return plain_type(kind.value_type)
    if pt.is_decimal(kind):
        return pa.float64()
    if pt.is_fixed_size_list(kind):
        return pa.list_(plain_type(kind.value_type), kind.list_size)
    if pt.is_large_list(kind) or pt.is_large_list_view(kind):
        return pa.large_list(plain_type(kind.value_type))
    if pt.is_list(kind) or pt.is_list_view(kind):
        return pa.list_(plain_type(kind.value_type))
    return kind


def plain(array: Any) -> Any:
    """The array as `plain_type` of its type. Costs nothing where that is its type."""
    kind = array.type
    if isinstance(kind, pa.FixedShapeTensorType):
        return plain(array.storage)
    if pt.is_list_view(kind) or pt.is_large_list_view(kind):
        array = _unviewed(array)
    if _same(kind, plain_type(kind)):
        return array
    return array.cast(plain_type(kind))


def times(array: Any) -> list[str | None]:
    """Dates and times as texts that are equal where they are, whatever unit each file counts in."""
    zone = array.type.tz if pt.is_timestamp(array.type) else None
    counts = array.cast(pa.timestamp("us", tz=zone), safe=False).cast(pa.int64()).to_pylist()
    return [None if count is None else f"time {count}" for count in counts]


def _same(kind: Any, target: Any) -> bool:
    """True where only the names of the lists' fields differ."""
    if kind == target:
        return True
    is_list = pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind)
    return bool(is_list and type(kind) is type(target) and kind.value_type == target.value_type)


def _unviewed(array: Any) -> Any:
    """Lists of list views; pyarrow's own cast forgets the end of the last list."""
    held = array.is_valid().to_numpy(zero_copy_only=False)
    sizes = np.where(held, array.sizes.to_numpy(zero_copy_only=False), 0)
    large = pt.is_large_list_view(array.type)
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int64() if large else pa.int32())
    make = pa.LargeListArray if large else pa.ListArray
    return make.from_arrays(offsets, array.flatten(), mask=pa.array(~held) if len(held) else None)


def other_types(schema: Any, name: str) -> FormatError | None:
    """The refusal of columns that hold vectors in a way that is not read, with the line that unpacks them."""
    for kind, holds, line in _RECIPES:
        field = next((field for field in schema if _what(field.type) == kind), None)
        if field is not None:
            column = shortened(field.name)
            return FormatError(
                f"{name} has no column of numbers or vectors; the column {column} holds {holds}",
                remedy=f"If those are the vectors: np.save('new.npy', np.stack([{line} for x in table['{column}']])), "
                "with table = pd.read_parquet('old.parquet') or pd.read_feather('old.arrow').",
            )
    return None


def written_vectors(column: str, cells: Iterable[Any], name: str) -> FormatError | None:
    """The refusal of a column of text whose first cell is a vector written out, as CSV and JSON hold them."""
    first = next((cell for cell in cells if cell), None)
    try:
        if not isinstance(first, str) or not written.is_vector(first) or len(written.vector(first)) < _FEWEST_WRITTEN:
            return None
    except ValueError:
        return None
    line = "np.array(x.strip('[]() ').replace(',', ' ').split(), 'float32')"
    return FormatError(
        f"{name} holds vectors written as text in the column {shortened(column)}",
        remedy=f"Save their numbers: np.save('new.npy', np.stack([{line} for x in table['{shortened(column)}']])), "
        "with table = pd.read_parquet('old.parquet') or pd.read_feather('old.arrow').",
    )


def _what(kind: Any) -> str:
    """The row of `_RECIPES` a type goes with; empty for others."""
    if pt.is_binary(kind) or pt.is_large_binary(kind) or pt.is_fixed_size_binary(kind):
        return "binary"
    if pt.is_struct(kind):
        return "struct"
    if isinstance(kind, pa.FixedShapeTensorType):
        return "tensor"
    if pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind):
        inner = kind.value_type
        if pt.is_string(inner) or pt.is_large_string(inner):
            return "texts"
        return "lists" if pt.is_nested(inner) else ""
    return ""


def _is_number(kind: Any) -> bool:
    return bool(pt.is_floating(kind) or pt.is_integer(kind) or pt.is_decimal(kind))
