"""Read vectors from ``.parquet`` and ``.arrow`` (Feather, Hugging Face datasets).

One column of lists, or numeric columns, chosen by the rules of `core.formats.columns`.
Only the chosen columns are decoded; see `core.formats.arrow_rows`.

Runs in a child process (`core.formats.apart`), so pyarrow is imported at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as pt

from core import limits
from core.errors import AuditError, FormatError, LimitError
from core.formats import written
from core.formats.appended import refuse_appended_files, refuse_open_end
from core.formats.arrow_rows import ArrowSource, filled_from_columns, filled_from_lists
from core.formats.arrow_types import (
    can_call,
    chosen_type,
    has_single_axes,
    is_nested,
    may_be_packed,
    other_types,
    plain,
    plain_type,
    texts,
    times,
    written_vectors,
)
from core.formats.column_kinds import Column, id_columns, is_vector_name, with_row_numbers
from core.formats.columns import coordinate_names, no_numbers, refuse_one_name, select, too_many_columns
from core.formats.label_columns import ask_about_labels
from core.formats.loaded import Decoded, ReadChoices, RowIds, Word
from core.formats.missing import Missing
from core.formats.row_ids import IdColumn, calls_rows, is_index_name, joined, order_words
from core.formats.transfer import refuse_moved_chunks

#: Levels of a pandas index that are looked at.
_MOST_LEVELS = 4

_ARROW_FILE = b"ARROW1\x00\x00"


def read_parquet(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of a Parquet file; see `read_arrow`."""
    with _arrow_errors(name, "Parquet"):
        refuse_appended_files(buffer, name, "Parquet")
        return _read(_open_parquet(buffer, name), name, choices)


def read_arrow(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of an Arrow file or stream, in the type they are stored in.

    Raises
    ------
    ChoiceNeeded
        More than one set of columns could be meant.
    FormatError
        Damaged, cut short, several put together, no column of numbers, empty cells among integers, vectors of
        unequal length.
    LimitError
        More numbers than the limits allow, counted before anything is decoded.
    """
    with _arrow_errors(name, "Arrow"):
        return _read(_open_arrow(buffer, name), name, choices)


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


def _open_parquet(buffer: memoryview, name: str) -> ArrowSource:

    footer = int.from_bytes(buffer[-8:-4], "little")
    if limits.MAX_PARQUET_FOOTER_BYTES < footer < len(buffer):
        raise LimitError(
            f"{name} has a Parquet footer of {footer:,} bytes; {limits.MAX_PARQUET_FOOTER_BYTES:,} are read at most",
            remedy="Save the vectors in one column of lists, or the array with np.save.",
        )
    file = pq.ParquetFile(pa.BufferReader(pa.py_buffer(buffer)), arrow_extensions_enabled=False)
    _check_declared(file.metadata, name)
    refuse_moved_chunks(buffer, file.metadata, name)

    def batches(names: list[str], rows: int = limits.TABLE_BATCH_ROWS) -> Iterator[Any]:
        return iter(file.iter_batches(rows, columns=names, use_threads=False))

    return ArrowSource(schema=file.schema_arrow, rows=file.metadata.num_rows, batches=batches)


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


def _open_arrow(buffer: memoryview, name: str) -> ArrowSource:

    source = pa.BufferReader(pa.py_buffer(buffer))
    if bytes(buffer[:8]) == _ARROW_FILE:
        refuse_appended_files(buffer, name, "Arrow")
        file = pa.ipc.open_file(source)
        tables = [file.get_batch(index) for index in range(file.num_record_batches)]
        schema = file.schema
    else:
        stream = pa.ipc.open_stream(source)
        tables, schema = list(stream), stream.schema
        refuse_open_end(buffer, source.tell(), sum(table.num_rows for table in tables), name)
    for table in tables:
        table.validate(full=True)  # lengths inside an untrusted file decide what is read where

    def batches(names: list[str], rows: int = limits.TABLE_BATCH_ROWS) -> Iterator[Any]:
        return (table.select(names) for table in tables)  # as they stand: nothing is decoded

    return ArrowSource(schema=schema, rows=sum(table.num_rows for table in tables), batches=batches)


def _read(source: ArrowSource, name: str, choices: ReadChoices) -> Decoded:
    if len(source.schema) > limits.MAX_TABLE_COLUMNS:
        raise too_many_columns(len(source.schema), name)
    indexes = _declared_indexes(source.schema)
    columns = [_described(field, indexes) for field in source.schema]
    refuse_one_name(columns, name)
    columns = _with_single_lists(source, columns)
    if choices.columns is None and not any(column.kind == "vector" for column in columns):
        _refuse_written_vectors(source, name)
    if not any(column.kind in ("vector", "number") for column in columns):
        raise other_types(source.schema, name) or no_numbers(columns, name)
    columns = _with_packed_texts(source, _with_row_numbers(source, columns))
    if any(column.packed and column.name == choices.columns for column in columns):
        raise _unreadable(source, str(choices.columns), name)
    selection = select(columns, name, choices.columns)
    names = [columns[position].name for position in selection.positions]
    fill = filled_from_lists if selection.is_vector else filled_from_columns
    missing = Missing()
    array = fill(source, names, name, missing)
    ask_about_labels(columns, selection, name, lambda place, most: array[:most, place])
    row_ids, order = _called(source, columns, selection.positions, name)
    words = selection.words + _axis_words(source, names) * selection.is_vector + missing.words + order
    called = coordinate_names(columns, selection)
    return Decoded(array=array, dtype=array.dtype.name, words=words, row_ids=row_ids, columns=called)


def _refuse_written_vectors(source: ArrowSource, name: str) -> None:
    """Refuse vectors written as text, beside which an id would be taken for the only coordinate."""
    texts = [field.name for field in source.schema if pt.is_string(field.type) or pt.is_large_string(field.type)]
    for column in texts[: limits.TABLE_SAMPLE_COLUMNS]:
        if refusal := written_vectors(column, _first_cells(source, column), name):
            raise refusal


def _with_single_lists(source: ArrowSource, columns: list[Column]) -> list[Column]:
    """The columns, those of lists of one list of numbers each taken for vectors, as far as the first rows show."""
    found = list(columns)
    for at, column in enumerate(columns):
        if column.kind == "other" and is_nested(source.schema.field(column.name).type):
            sizes = {len(cell) for cell in _first_rows(source, column.name) if cell.is_valid}
            found[at] = replace(column, kind="vector", packed=False) if sizes == {1} else column
    return found


def _axis_words(source: ArrowSource, names: list[str]) -> tuple[Word, ...]:
    """The word about an axis of length 1 in the column of vectors."""
    kind = source.schema.field(names[0]).type
    if not (is_nested(kind) or has_single_axes(kind)):
        return ()
    text = "The vectors stood in one more list each, an axis of length 1, which was dropped."
    return (Word(code="axis_dropped", text=text),)


def _first_rows(source: ArrowSource, column: str) -> Any:
    """The first cells of a column, as Arrow holds them."""
    batch = next(iter(source.batches([column], limits.TABLE_SAMPLE_ROWS)), None)
    return [] if batch is None else batch.column(0)[: limits.TABLE_SAMPLE_ROWS]


def _first_cells(source: ArrowSource, column: str) -> list[Any]:
    return [cell.as_py() for cell in _first_rows(source, column)]


def _with_packed_texts(source: ArrowSource, columns: list[Column]) -> list[Column]:
    """The columns, those of text marked that are called as vectors are and may hold them written out or as base64."""
    texts = {field.name for field in source.schema if pt.is_string(field.type) or pt.is_large_string(field.type)}
    found = list(columns)
    for at, column in enumerate(columns):
        if column.name in texts and is_vector_name(column.name):
            cell = next((cell for cell in _first_cells(source, column.name) if cell), "")
            found[at] = replace(column, packed=written.may_be_packed(cell))
    return found


def _unreadable(source: ArrowSource, column: str, name: str) -> FormatError:
    """Why a column that was chosen cannot be read."""
    field = source.schema.field(column)
    is_text = pt.is_string(field.type) or pt.is_large_string(field.type)
    refusal = written_vectors(column, _first_cells(source, column), name) if is_text else None
    return refusal or chosen_type(field, name)


def _with_row_numbers(source: ArrowSource, columns: list[Column]) -> list[Column]:
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
    source: ArrowSource, columns: list[Column], chosen: tuple[int, ...], name: str
) -> tuple[tuple[RowIds, ...], tuple[Word, ...]]:
    """What the table calls its rows, from its columns or from pandas' description; and words about the order."""
    found, words = [], tuple[Word, ...]()
    called = id_columns(columns, chosen)
    for position in [*called, *({0} - {*called, *chosen})]:  # a first column left out may name a summary of the rows
        column = columns[position].name
        kind = plain_type(source.schema.field(column).type)
        ids = IdColumn(column, is_index=is_index_name(column))
        try:
            _gather(ids, source, kind)
        except (pa.ArrowException, OSError, ValueError):
            if columns[position].kind == "other" and not calls_rows(column, is_text=True):
                continue  # a text that nobody asked for spoils nothing
            raise
        ids.refuse_summaries(name)
        if position not in called:
            continue
        found.append(_declared(ids.ids()) if column in _pandas_indexes(source.schema) else ids.ids())
        if columns[position].kind == "index":
            words += order_words(ids.ids(), "the index column")
    found.append(_joined_levels(source))
    ranged = _pandas_range(source)
    if ranged is not None:
        found.append(ranged)
        words += order_words(ranged, "the index")
    return tuple(ids for ids in found if ids is not None), words


def _joined_levels(source: ArrowSource) -> RowIds | None:
    """What several levels of a pandas index call the rows together, `None` where it has one."""
    names = [name for name in _pandas_indexes(source.schema) if isinstance(name, str)][:_MOST_LEVELS]
    if len(names) < 2 or any(source.schema.get_field_index(name) < 0 for name in names):
        return None
    levels = [IdColumn(name, is_index=False) for name in names]
    for level in levels:
        _gather(level, source, plain_type(source.schema.field(level.name).type))
    return _declared(joined(levels))


def _declared(ids: RowIds | None) -> RowIds | None:
    """The same, which the table says is its index."""
    return None if ids is None else replace(ids, is_declared=True)


def _gather(ids: IdColumn, source: ArrowSource, kind: Any) -> None:
    """Note the cells of a column, where they are of a type that may call rows."""
    for batch in source.batches([ids.name]) if can_call(kind) else ():
        cells = plain(batch.column(ids.name))
        if pt.is_temporal(kind):
            ids.extend(times(cells))
        elif pt.is_integer(kind) or pt.is_floating(kind):
            ids.add_numbers(cells.to_numpy(zero_copy_only=False))  # NaN for null
        else:
            ids.extend(texts(cells))


def _pandas_range(source: ArrowSource) -> RowIds | None:
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
        whole = pt.is_integer(kind.value_type)
        return Column(name=field.name, kind="vector" if numeric else "other", whole=whole, packed=not numeric)
    is_number = pt.is_floating(kind) or pt.is_integer(kind)
    is_time = pt.is_timestamp(kind) or pt.is_date(kind)
    if field.name.startswith("__index_level_") or ((is_number or is_time) and field.name in indexes):
        return Column(name=field.name, kind="index")
    if is_number:
        return Column(name=field.name, kind="number", whole=pt.is_integer(kind))
    return Column(name=field.name, kind="other", packed=may_be_packed(kind))
