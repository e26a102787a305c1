"""Arrow's ways to store numbers and lists, brought to plain ones; and what to do about the rest.

Dictionary-encoded numbers are decoded, decimals become float64, list views lists and tensors
of one axis longer than one the lists they are stored as. Imported where pyarrow is: in the child process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.types as pt

from core.errors import FormatError
from core.formats import written
from core.formats.column_kinds import is_vector_name
from core.formats.listing import listed, shortened

#: Kind of a column -> what it holds, and the line that makes a list of numbers of one of its cells, x.
#: That of a structure names a field of its own.
_RECIPES = (
    ("binary", "bytes (binary)", "np.frombuffer(x, 'float32')"),
    ("struct", "a structure (struct)", ""),
    ("flags", "lists of true and false", "np.where(x, 1, -1)"),
    ("texts", "lists of text", "np.array(x, 'float32')"),
    ("lists", "lists of lists", "np.mean(list(x), axis=0)"),
    ("tensor", "tensors of several axes", "np.ravel(x)"),
)

#: Bytes of a UUID.
_UUID_BYTES = 16

#: Levels of structures looked through for a list.
_LEVELS = 4

#: Fewest numbers in brackets that are a vector rather than a remark.
_FEWEST_WRITTEN = 2


def plain_type(kind: Any) -> Any:
    """The type `plain` makes of arrays of this one: a number, a list of numbers, or itself."""
    if isinstance(kind, pa.FixedShapeTensorType) and _is_flat(kind):
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
    array = unviewed(array)
    if _same(kind, plain_type(kind)):
        return array
    return array.cast(plain_type(kind))


def times(array: Any) -> list[str | None]:
    """Dates and times as texts that are equal where they are, whatever unit each file counts in."""
    zone = array.type.tz if pt.is_timestamp(array.type) else None
    counts = array.cast(pa.timestamp("us", tz=zone), safe=False).cast(pa.int64()).to_pylist()
    return [None if count is None else f"time {count}" for count in counts]


def texts(array: Any) -> Iterator[str | None]:
    """Texts as any other format would hold them: sixteen bytes of a UUID written out, other bytes as UTF-8."""
    is_uuid = pt.is_fixed_size_binary(array.type) and array.type.byte_width == _UUID_BYTES
    for value in array.to_pylist():
        if not isinstance(value, bytes):
            yield value if value is None else str(value)
        elif is_uuid:
            yield str(UUID(bytes=value))
        else:
            yield value.decode("utf-8", errors="backslashreplace")


def can_call(kind: Any) -> bool:
    """True for a type of cells that may call rows: numbers, texts, bytes, times and UUIDs."""
    inner = kind.value_type if pt.is_dictionary(kind) else kind
    is_text = pt.is_string(inner) or pt.is_large_string(inner) or pt.is_string_view(inner)
    is_time = pt.is_timestamp(kind) or pt.is_date(kind)
    is_bytes = _what(inner) == "binary" or pt.is_binary_view(inner) or isinstance(inner, pa.UuidType)
    return bool(is_text or is_time or is_bytes or pt.is_integer(kind) or pt.is_floating(kind))


def _same(kind: Any, target: Any) -> bool:
    """True where only the names of the lists' fields differ."""
    if kind == target:
        return True
    is_list = pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind)
    return bool(is_list and type(kind) is type(target) and kind.value_type == target.value_type)


def is_nested(kind: Any) -> bool:
    """True for lists of lists of numbers, of which each may hold one."""
    is_double = _is_any_list(kind) and _is_any_list(kind.value_type)
    return bool(is_double and _is_number(plain_type(kind.value_type.value_type)))


def has_single_axes(kind: Any) -> bool:
    """True for tensors of several axes of which one at most is longer than one."""
    return isinstance(kind, pa.FixedShapeTensorType) and len(kind.shape) > 1 and _is_flat(kind)


def unviewed(array: Any) -> Any:
    """Lists of list views, others as they are; pyarrow's own cast forgets the end of the last list."""
    if not (pt.is_list_view(array.type) or pt.is_large_list_view(array.type)):
        return array
    held = array.is_valid().to_numpy(zero_copy_only=False)
    sizes = np.where(held, array.sizes.to_numpy(zero_copy_only=False), 0)
    large = pt.is_large_list_view(array.type)
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int64() if large else pa.int32())
    make = pa.LargeListArray if large else pa.ListArray
    return make.from_arrays(offsets, array.flatten(), mask=pa.array(~held) if len(held) else None)


def may_be_packed(kind: Any) -> bool:
    """True for a type that may hold vectors in a way that is not read."""
    return _is_any_list(kind) or bool(_what(kind))


def other_types(schema: Any, name: str) -> FormatError | None:
    """The refusal of columns that hold vectors in a way that is not read, with the line that unpacks them."""
    for kind, holds, line in _RECIPES:
        field = next((field for field in schema if _what(field.type) == kind), None)
        if field is not None:
            return FormatError(
                f"{name} has no column of numbers or vectors; the column {shortened(field.name)} holds "
                f"{holds}{_fields(field.type)}",
                remedy=f"If those are the vectors: {_stacked(field, line)}",
            )
    return None


def chosen_type(field: Any, name: str) -> FormatError:
    """The refusal of the one column that was chosen, with the line that unpacks it."""
    what = _what(field.type)
    holds, line = next(((holds, line) for kind, holds, line in _RECIPES if kind == what), (str(field.type), "x"))
    holds += _fields(field.type)
    return FormatError(
        f"{name}: the column {shortened(field.name)} holds {holds}, where a list of numbers a row is needed",
        remedy=f"Save its numbers: {_stacked(field, line)}",
    )


def _fields(kind: Any) -> str:
    """The fields of a structure, in words; empty for other types."""
    return f" of the fields {listed(field.name for field in kind)}" if pt.is_struct(kind) and len(kind) else ""


def _stacked(field: Any, line: str) -> str:
    column, cell = shortened(field.name), line or _of_structure(field.type)
    return (
        f"np.save('new.npy', np.stack([{cell} for x in table['{column}']])), "
        "with table = pd.read_parquet('old.parquet') or pd.read_feather('old.arrow')."
    )


def _of_structure(kind: Any) -> str:
    """The line that takes the numbers out of a structure, x: its first list of numbers, or all its values."""
    path = _path_inside(kind, _LEVELS)
    inside = "".join(f"[{shortened(step)!r}]" for step in path)
    return f"x{inside}" if path else "list(x.values())"


def _path_inside(kind: Any, levels: int) -> list[str]:
    """Names of fields inwards to the first list; of several lists, one that is called as vectors are."""
    fields = sorted(kind, key=lambda field: not is_vector_name(field.name))
    for field in fields:
        if _is_any_list(field.type):
            return [field.name]
    for field in fields if levels else ():
        if pt.is_struct(field.type) and (inner := _path_inside(field.type, levels - 1)):
            return [field.name, *inner]
    return []


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
        if pt.is_boolean(inner):
            return "flags"
        return "lists" if pt.is_nested(inner) else ""
    return ""


def _is_flat(tensor: Any) -> bool:
    """True where one axis at most is longer than one, so that the order of the axes says nothing."""
    return bool(sum(size != 1 for size in tensor.shape) <= 1)


def _is_any_list(kind: Any) -> bool:
    is_view = pt.is_list_view(kind) or pt.is_large_list_view(kind)
    return bool(is_view or pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind))


def _is_number(kind: Any) -> bool:
    return bool(pt.is_floating(kind) or pt.is_integer(kind) or pt.is_decimal(kind))
