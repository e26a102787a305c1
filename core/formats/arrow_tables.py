"""Read vectors from ``.parquet`` and ``.arrow`` (Feather, Hugging Face datasets).

One column of lists, or numeric columns, chosen by the rules of `core.formats.columns`.
Only the chosen columns are decoded, a batch of rows at a time, into an array whose size
was checked against the limits from the file's own counts.

Runs in a child process (`core.formats.apart`), so pyarrow is imported at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as pt

from core import limits
from core.errors import AuditError, FormatError, LimitError
from core.formats.arrow_types import other_types, plain, plain_type, times, written_vectors
from core.formats.column_kinds import Column, id_columns, with_row_numbers
from core.formats.columns import coordinate_names, no_numbers, refuse_one_name, select, too_many_columns
from core.formats.listing import shortened
from core.formats.loaded import Decoded, ReadChoices, RealArray, RowIds, Word
from core.formats.missing import Missing
from core.formats.row_ids import IdColumn, is_index_name, order_words
from core.formats.transfer import refuse_moved_chunks
from core.prose import counted

_Lengths = np.ndarray[Any, np.dtype[np.int64]]

_ARROW_FILE = b"ARROW1\x00\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A table that has been opened but not read: its schema, its length, its rows."""

    schema: Any
    rows: int
    batches: Any  # (column names) -> iterator of record batches


def read_parquet(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of a Parquet file; see `read_arrow`."""
    with _arrow_errors(name, "Parquet"):
        return _read(_open_parquet(buffer, name), name, choices)


def read_arrow(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of an Arrow file or stream, in the type they are stored in.

    Raises
    ------
    ChoiceNeeded
        More than one set of columns could be meant.
    FormatError
        Damaged, no column of numbers, empty cells among integers, vectors of unequal length.
    LimitError
        More numbers than the limits allow, counted before anything is decoded.
    """
    with _arrow_errors(name, "Arrow"):
        return _read(_open_arrow(buffer), name, choices)


@contextmanager
def _arrow_errors(name: str, title: str) -> Iterator[None]:
    """Turn what pyarrow raises on damaged bytes into one sentence."""

    try:
        yield
    except (AuditError, MemoryError):  # pyarrow's own memory error is both
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise FormatError(
            f"{name} is not a sound {title} file: cut short, damaged, or using what is not read",
            remedy="Save the vectors alone: np.save('new.npy', np.stack(list(table['embedding']))).",
        ) from error


def _open_parquet(buffer: memoryview, name: str) -> _Source:

    footer = int.from_bytes(buffer[-8:-4], "little")
    if limits.MAX_PARQUET_FOOTER_BYTES < footer < len(buffer):
        raise LimitError(
            f"{name} has a Parquet footer of {footer:,} bytes; {limits.MAX_PARQUET_FOOTER_BYTES:,} are read at most",
            remedy="Save the vectors in one column of lists, or the array with np.save.",
        )
    file = pq.ParquetFile(pa.BufferReader(pa.py_buffer(buffer)), arrow_extensions_enabled=False)
    _check_declared(file.metadata, name)
    refuse_moved_chunks(buffer, file.metadata, name)

    def batches(names: list[str]) -> Iterator[Any]:
        return iter(file.iter_batches(limits.TABLE_BATCH_ROWS, columns=names, use_threads=False))

    return _Source(schema=file.schema_arrow, rows=file.metadata.num_rows, batches=batches)


def _check_declared(metadata: Any, name: str) -> None:
    """Refuse a file with more columns, or more numbers in one, than the limits allow to unpack."""
    if metadata.num_columns > limits.MAX_TABLE_COLUMNS:  # each costs a description in every group of rows
        raise too_many_columns(metadata.num_columns, name)
    groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
    sizes: dict[str, int] = {}
    for group in groups:
        for index in range(group.num_columns):
            chunk = group.column(index)
            # Run-length coding may hold far more values than bytes.
            size = max(chunk.total_uncompressed_size, 8 * chunk.num_values)
            sizes[chunk.path_in_schema] = sizes.get(chunk.path_in_schema, 0) + size
    largest = max(sizes.values(), default=0)
    if largest > limits.MAX_UNPACKED_BYTES:
        raise LimitError(
            f"{name} has a column that unpacks to {largest:,} bytes; {limits.MAX_UNPACKED_BYTES:,} are read at most",
            remedy="Save fewer rows, or the array with np.save.",
        )


def _open_arrow(buffer: memoryview) -> _Source:

    source = pa.BufferReader(pa.py_buffer(buffer))
    if bytes(buffer[:8]) == _ARROW_FILE:
        file = pa.ipc.open_file(source)
        tables = [file.get_batch(index) for index in range(file.num_record_batches)]
        schema = file.schema
    else:
        stream = pa.ipc.open_stream(source)
        tables, schema = list(stream), stream.schema
    for table in tables:
        table.validate(full=True)  # lengths inside an untrusted file decide what is read where

    def batches(names: list[str]) -> Iterator[Any]:
        return (table.select(names) for table in tables)

    return _Source(schema=schema, rows=sum(table.num_rows for table in tables), batches=batches)


def _read(source: _Source, name: str, choices: ReadChoices) -> Decoded:
    if len(source.schema) > limits.MAX_TABLE_COLUMNS:
        raise too_many_columns(len(source.schema), name)
    indexes = _declared_indexes(source.schema)
    columns = [_described(field, indexes) for field in source.schema]
    refuse_one_name(columns, name)
    if choices.columns is None and not any(column.kind == "vector" for column in columns):
        _refuse_written_vectors(source, name)
    if not any(column.kind in ("vector", "number") for column in columns):
        raise other_types(source.schema, name) or no_numbers(columns, name)
    columns = _with_row_numbers(source, columns)
    selection = select(columns, name, choices.columns)
    names = [columns[position].name for position in selection.positions]
    fill = _filled_from_lists if selection.is_vector else _filled_from_columns
    missing = Missing()
    array = fill(source, names, name, missing)
    row_ids, order = _called(source, columns, selection.positions)
    words = selection.words + missing.words + order
    called = coordinate_names(columns, selection)
    return Decoded(array=array, dtype=array.dtype.name, words=words, row_ids=row_ids, columns=called)


def _refuse_written_vectors(source: _Source, name: str) -> None:
    """Refuse vectors written as text, beside which an id would be taken for the only coordinate."""
    texts = [field.name for field in source.schema if pt.is_string(field.type) or pt.is_large_string(field.type)]
    for column in texts[: limits.TABLE_SAMPLE_COLUMNS]:
        batch = next(iter(source.batches([column])), None)
        cells = [] if batch is None else batch.column(column)[: limits.TABLE_SAMPLE_ROWS].to_pylist()
        if refusal := written_vectors(column, cells, name):
            raise refusal


def _with_row_numbers(source: _Source, columns: list[Column]) -> list[Column]:
    """The columns, the first taken for what its first values say."""
    numbers = [column for column in columns if column.kind == "number"]
    if len(numbers) < 2 or columns[0].kind != "number":
        return columns
    names = [column.name for column in numbers[: limits.TABLE_SAMPLE_COLUMNS]]
    batch = next(iter(source.batches(names)), None)
    sample = [] if batch is None else [plain(batch.column(name)[: limits.TABLE_SAMPLE_ROWS]) for name in names]
    if not sample or sample[0].null_count:
        return columns
    fractions = any(not float(value).is_integer() for others in sample[1:] for value in others.drop_null().to_pylist())
    return with_row_numbers(columns, list(map(float, sample[0].to_pylist())), beside_fractions=fractions)


def _called(
    source: _Source, columns: list[Column], chosen: tuple[int, ...]
) -> tuple[tuple[RowIds, ...], tuple[Word, ...]]:
    """What the table calls its rows, from its columns or from pandas' description; and words about the order."""
    found, words = [], tuple[Word, ...]()
    for position in id_columns(columns, chosen):
        column = columns[position].name
        kind = plain_type(source.schema.field(column).type)
        ids = IdColumn(column, is_index=is_index_name(column))
        for batch in source.batches([column]) if _can_call(kind) else ():
            cells = plain(batch.column(column))
            if pt.is_temporal(kind):
                ids.extend(times(cells))
            elif pt.is_integer(kind) or pt.is_floating(kind):
                ids.add_numbers(cells.to_numpy(zero_copy_only=False))  # NaN for null
            else:
                ids.extend(cells.to_pylist())
        found.append(ids.ids())
        if columns[position].kind == "index":
            words += order_words(ids.ids(), "the index column")
    ranged = _pandas_range(source)
    if ranged is not None:
        found.append(ranged)
        words += order_words(ranged, "the index")
    return tuple(ids for ids in found if ids is not None), words


def _can_call(kind: Any) -> bool:
    text = kind.value_type if pt.is_dictionary(kind) else kind
    is_time = pt.is_timestamp(kind) or pt.is_date(kind)
    is_text = pt.is_string(text) or pt.is_large_string(text)
    return bool(is_time or is_text or pt.is_integer(kind) or pt.is_floating(kind))


def _pandas_range(source: _Source) -> RowIds | None:
    """The index of a frame that pandas describes by where it starts and ends."""
    declared = _pandas_indexes(source.schema)
    ranged = declared[0] if len(declared) == 1 and isinstance(declared[0], dict) else {}
    start, step = ranged.get("start"), ranged.get("step")
    if ranged.get("kind") != "range" or type(start) is not int or type(step) is not int or not step:
        return None
    if max(abs(start), abs(step)) > limits.LARGEST_WHOLE // max(source.rows, 1):
        return None
    return RowIds(name="", values=start + step * np.arange(source.rows), is_text=False, is_index=True)


def _declared_indexes(schema: Any) -> frozenset[str]:
    """Names of the columns that pandas says it wrote from an index; nothing where it says so wrongly."""
    return frozenset(name for name in _pandas_indexes(schema) if isinstance(name, str))


def _pandas_indexes(schema: Any) -> list[Any]:
    """What pandas says of the index it wrote."""
    try:
        declared = (schema.pandas_metadata or {}).get("index_columns", [])
    except (ValueError, AttributeError, RecursionError):
        return []
    return declared if isinstance(declared, list) else []


def _described(field: Any, indexes: frozenset[str]) -> Column:
    kind = plain_type(field.type)
    if pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind):
        numeric = pt.is_floating(kind.value_type) or pt.is_integer(kind.value_type)
        return Column(name=field.name, kind="vector" if numeric else "other")
    is_number = pt.is_floating(kind) or pt.is_integer(kind)
    is_time = pt.is_timestamp(kind) or pt.is_date(kind)
    if field.name.startswith("__index_level_") or ((is_number or is_time) and field.name in indexes):
        return Column(name=field.name, kind="index")
    if is_number:
        return Column(name=field.name, kind="number", whole=pt.is_integer(kind))
    return Column(name=field.name, kind="other")


def _filled_from_lists(source: _Source, names: list[str], name: str, missing: Missing) -> RealArray:
    """(n, d) from one column of lists, all of one length; NaN where there is none."""
    out: RealArray | None = None
    at = 0
    for batch in source.batches(names):
        lists = plain(batch.column(0))
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


def _filled_from_columns(source: _Source, names: list[str], name: str, missing: Missing) -> RealArray:
    """(n, d) from d numeric columns; their common type is the array's."""
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
