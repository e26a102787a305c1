"""Read tables of numbers in text: ``.csv``, ``.tsv``, and files of plain numbers.

Either each cell is a coordinate, or one column holds vectors in brackets. A first line of
column names and a column of row numbers are recognised, left out and said. Everything is
text until a number is made of it: nothing in a cell can do anything.

The file is read twice as a stream (first rows, then all); memory is the numbers, 8 bytes
each, and one row.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from core import limits
from core.errors import FormatError, LimitError
from core.formats import written
from core.formats.columns import Column, Selection, select
from core.formats.encoding import encoding_of, lines_of
from core.formats.loaded import Decoded, ReadChoices, Word

#: A row: number of its last line in the file, counting from 1, and its cells.
Row = tuple[int, list[str]]

_QUOTED = re.compile(r'"[^"]*"?')

#: Names pandas gives an index column it writes or reads back.
_INDEX_NAMES = ("", "Unnamed: 0", "index")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """How to take a text apart; nothing of its rows."""

    name: str
    codec: str
    delimiter: str
    skipped_lines: int = 0
    decimal_comma: bool = False


def recognises(buffer: memoryview) -> bool:
    """True when the first bytes are text."""
    return encoding_of(buffer) is not None


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the coordinates of a table of text as float64.

    Raises
    ------
    ChoiceNeeded
        More than one set of columns could be meant.
    FormatError
        Rows of unequal length, a cell that is no number, shortened vectors, no numbers.
    LimitError
        More than `limits.MAX_TEXT_BYTES`.
    """
    check_text_size(buffer, name)
    table = _dialect(buffer, name)
    head = list(islice(_rows(buffer, table), limits.TABLE_SAMPLE_ROWS + 1))
    if not head:
        raise FormatError(f"{name} is text without a line of data", remedy="Save the embeddings again.")
    table = replace(table, decimal_comma=_has_decimal_commas(table, head))
    head = [(line, _with_points(table, cells)) for line, cells in head]
    names, header_words = _header([cells for _, cells in head])
    body = [cells for _, cells in head[1 if names else 0 :]]
    columns = _columns(names, body, name)
    selection = select(columns, name, choices.columns)
    data_rows = islice(_rows(buffer, table), 1 if names else 0, None)
    values = _parsed(data_rows, table, len(columns), selection, columns)
    return Decoded(array=values, dtype="float64", words=_table_words(table) + header_words + selection.words)


def check_text_size(buffer: memoryview, name: str) -> None:
    """Refuse text larger than what can be read in a sane amount of memory."""
    if len(buffer) > limits.MAX_TEXT_BYTES:
        raise LimitError(
            f"{name} has {len(buffer):,} bytes of text; {limits.MAX_TEXT_BYTES:,} are read at most",
            remedy="Save the numbers as binary: np.save('new.npy', x).",
        )


def _dialect(buffer: memoryview, name: str) -> _Table:
    """Encoding, delimiter and leading comment lines, from the first lines."""
    codec = encoding_of(buffer)
    if codec is None:
        raise FormatError(
            f"{name} is not text, so it is not a table of numbers (.csv)", remedy="Check which file this is."
        )
    skipped, first = 0, ""
    for line in lines_of(buffer, codec):
        first = line
        if line.strip() and not line.startswith("#"):
            break
        skipped += 1
        if skipped > limits.TABLE_SAMPLE_ROWS:
            break
    bare = _QUOTED.sub("", first)
    delimiter = next((mark for mark in "\t;," if mark in bare), " " if " " in bare.strip() else ",")
    return _Table(name=name, codec=codec, delimiter=delimiter, skipped_lines=skipped)


def _rows(buffer: memoryview, table: _Table) -> Iterator[Row]:
    """The rows that hold anything, with the number of the line each ends on."""
    lines = islice(lines_of(buffer, table.codec), table.skipped_lines, None)
    if table.delimiter == " ":
        for number, line in enumerate(lines, start=table.skipped_lines + 1):
            if cells := line.split():
                yield number, cells
        return
    csv.field_size_limit(limits.MAX_CELL_CHARS)
    reader = csv.reader(lines, delimiter=table.delimiter, skipinitialspace=True)
    try:
        for cells in reader:
            if any(cells):
                yield table.skipped_lines + reader.line_num, cells
    except csv.Error as error:
        raise FormatError(
            f"{table.name} has a cell of more than {limits.MAX_CELL_CHARS:,} characters that ends on line "
            f"{table.skipped_lines + reader.line_num:,} or later: a quote may have been left open",
            remedy="Write it again with a CSV writer.",
        ) from error


def _header(head: list[list[str]]) -> tuple[list[str] | None, tuple[Word, ...]]:
    """Column names, when the first row is a header, and the word that says so.

    It is one when a column holds numbers below something else, or when the first row
    counts 0, 1, 2, … (pandas' default names) and the next does not.
    """
    first, second = head[0], head[1] if len(head) > 1 else []
    named = any(
        _kind(top) == "other" and _kind(below) != "other" for top, below in zip(first, second, strict=False)
    )
    if not (named or (_counts(first) and not _counts(second))):
        return None, ()
    return first, (
        Word(
            code="header_row",
            text="The first line was taken as column names, not as a row: "
            f"{first[0] or 'unnamed'} … {first[-1]}.",
        ),
    )


def _counts(cells: list[str]) -> bool:
    cells = cells[1:] if cells and cells[0] == "" else cells
    return len(cells) > 1 and cells == [str(index) for index in range(len(cells))]


def _kind(cell: str) -> str:
    if written.is_vector(cell):
        return "vector"
    return "number" if written.is_number(cell) else "other"


def _columns(names: list[str] | None, body: list[list[str]], name: str) -> list[Column]:
    """Name and kind of each column, from the first rows."""
    if not body:
        raise FormatError(f"{name} has no rows: one line of column names is all", remedy="Save it again.")
    width = len(names) if names else len(body[0])
    if width > limits.MAX_TABLE_COLUMNS:
        raise LimitError(f"{name} has {width:,} columns; {limits.MAX_TABLE_COLUMNS:,} are read at most")
    columns = []
    for position in range(width):
        cells = [row[position] for row in body if position < len(row)]
        title = names[position] if names else str(position)
        columns.append(_column(title, cells, first=position == 0 and width > 1, named=names is not None))
    return columns


def _column(title: str, cells: list[str], *, first: bool, named: bool) -> Column:
    kinds = {_kind(cell) for cell in cells if cell.strip()}
    if kinds != {"number"}:
        return Column(name=title, kind="vector" if kinds == {"vector"} else "other")
    whole = all(re.fullmatch(r"\s*[+-]?\d+\s*", cell) for cell in cells)
    if first and whole and _is_index(title if named else None, cells):
        return Column(name=title if named else "", kind="index")
    return Column(name=title, kind="number", whole=whole)


def _is_index(title: str | None, cells: list[str]) -> bool:
    """True for row numbers from 0 or 1, and for what pandas calls an index."""
    if title in _INDEX_NAMES:
        return True
    numbers = [int(cell) for cell in cells]
    start = numbers[0]
    return len(numbers) > 2 and start in (0, 1) and numbers == list(range(start, start + len(numbers)))


def _parsed(
    rows: Iterator[Row], table: _Table, width: int, selection: Selection, columns: list[Column]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The chosen cells of all rows as (n, d) float64."""
    values = array("d")
    dims: int | None = None
    for index, (line, cells) in enumerate(rows):
        if len(cells) != width:
            raise _ragged(table.name, index, line, len(cells), width, "cells", "columns")
        chosen = [cells[position] for position in selection.positions]
        try:
            numbers = _numbers(_with_points(table, chosen), selection.is_vector)
        except written.ShortenedError as error:
            raise _shortened(table.name, index, line) from error
        except ValueError as error:
            raise _no_number(table, index, line, chosen, selection, columns) from error
        if dims is not None and len(numbers) != dims:
            raise _ragged(table.name, index, line, len(numbers), dims, "numbers in its vector", "before it")
        dims = len(numbers)
        values.extend(numbers)
    return (
        np.frombuffer(values, dtype=np.float64).reshape(-1, dims or 1) if values else np.empty((0, dims or 0))
    )


def _numbers(cells: list[str], is_vector: bool) -> list[float]:
    if is_vector:
        return written.vector(cells[0])
    if "_" in "".join(cells):
        raise ValueError("an underscore is no part of a number")
    return [float(cell) for cell in cells]


def _has_decimal_commas(table: _Table, head: list[Row]) -> bool:
    """True for tables as European spreadsheets write them: 0,5 between semicolons."""
    if table.delimiter not in ";\t":
        return False
    cells = [cell for _, row in head for cell in row]
    commas = [cell for cell in cells if re.fullmatch(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*", cell)]
    points = [cell for cell in cells if "." in cell and written.is_number(cell)]
    return bool(commas) and not points


def _with_points(table: _Table, cells: list[str]) -> list[str]:
    return [cell.replace(",", ".") for cell in cells] if table.decimal_comma else cells


def _table_words(table: _Table) -> tuple[Word, ...]:
    words = []
    if table.codec.startswith(("utf-16", "utf-32")):
        text = f"The text is in the encoding {table.codec.upper()}, as Excel writes it, and was read as that."
        words.append(Word(code="text_encoding", text=text))
    if table.decimal_comma:
        words.append(
            Word(code="decimal_commas", text="Numbers are written with decimal commas (0,5 read as 0.5).")
        )
    if table.skipped_lines:
        text = f"{table.skipped_lines} blank or comment lines before the first row were skipped."
        words.append(Word(code="lines_skipped", text=text))
    return tuple(words)


def _where(index: int, line: int) -> str:
    return f"row {index:,} (counting from 0; line {line:,} of the file)"


def _ragged(
    name: str, index: int, line: int, found: int, expected: int, what: str, where: str
) -> FormatError:
    return FormatError(
        f"{name}: {_where(index, line)} has {found:,} {what}, where {expected:,} are expected, as {where}",
        remedy="Mend or remove that row, on the other side too.",
    )


def _shortened(name: str, index: int, line: int) -> FormatError:
    return FormatError(
        f"{name}: the vector in {_where(index, line)} was shortened to '...' when it was printed; "
        "the numbers in between are not in the file",
        remedy="Save the array itself, not its printed form: np.save('new.npy', x).",
    )


def _no_number(
    table: _Table, index: int, line: int, chosen: list[str], selection: Selection, columns: list[Column]
) -> FormatError:
    test = written.is_vector if selection.is_vector else written.is_number
    bad = next((k for k, cell in enumerate(_with_points(table, chosen)) if not test(cell)), 0)
    what = f"{chosen[bad][:30]!r}" if chosen[bad].strip() else "nothing"
    needed = "a vector of numbers in brackets" if selection.is_vector else "a number"
    return FormatError(
        f"{table.name}: column {columns[selection.positions[bad]].name!r} of {_where(index, line)} "
        f"holds {what}, not {needed}",
        remedy="Mend or remove that row, on the other side too.",
    )
