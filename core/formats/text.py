"""Read tables of numbers in text: ``.csv``, ``.tsv``, and files of plain numbers.

Either each cell is a coordinate, or one column holds vectors in brackets. A first line of
column names and a column of row numbers are recognised, left out and said. Everything is
text until a number is made of it: nothing in a cell can do anything.

The file is read as a stream, first rows first, then all; memory is the numbers, 8 bytes
each, and one row.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from core import limits
from core.errors import FormatError, LimitError
from core.formats import written
from core.formats.column_kinds import Column, id_columns, with_row_numbers, without_doubtful_index
from core.formats.columns import coordinate_names, select, too_many_columns
from core.formats.delimited import dialect_of, rows_of
from core.formats.encoding import encoding_of
from core.formats.headings import counts_up, is_heading, kind, numeric_names
from core.formats.label_columns import ask_about_labels
from core.formats.layout import refuse_grouped, refuse_mixed_commas, refuse_pieces
from core.formats.listing import shortened
from core.formats.loaded import Decoded, ReadChoices, Word
from core.formats.numbers import whole_number_words
from core.formats.other_texts import no_numbers, refuse_other_numbers, refuse_other_texts
from core.formats.row_ids import is_index_name
from core.formats.text_rows import TextRows

_WHOLE = re.compile(r"\s*[+-]?\d{1,18}\s*")

#: Fewest numbers that count up from 0 or 1 in a second line and are names, not a vector.
_LEAST_NAMES = 3

#: Rows looked at before any is read: the header and a sample.
_HEAD_ROWS = limits.TABLE_SAMPLE_ROWS + 1


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
        Rows of unequal length, a cell that is no number, shortened vectors, no numbers, or a
        text of another kind.
    LimitError
        More than `limits.MAX_TEXT_BYTES`.
    """
    check_text_size(buffer, name)
    dialect = dialect_of(buffer, name)
    head = list(islice(((line, cells) for line, cells in rows_of(buffer, dialect, name) if cells), _HEAD_ROWS))
    if not head:
        raise FormatError(f"{name} is text without a row of data", remedy="Save the embeddings again.")
    rows = [cells for _, cells in head][: max(limits.TABLE_SAMPLE_CELLS // len(head[0][1]), 3)]
    refuse_other_texts(rows, name)
    refuse_grouped(rows, name)
    names, header_words = _header(rows)
    if names:
        _refuse_second_heading(rows[1:], name)
    if choices.columns is None:
        refuse_other_numbers(rows, name)
        refuse_pieces(rows[1 if names else 0 :], name, named=names is not None)
        refuse_mixed_commas(rows[1 if names else 0 :], name)
    columns = _columns(names, rows[1 if names else 0 :], name)
    if choices.columns is None and not any(column.kind in ("vector", "number") for column in columns):
        raise no_numbers(rows, dialect.delimiter, name)
    selection = select(columns, name, choices.columns)
    called = id_columns(columns, selection.positions)
    heading = numeric_names([names[at] for at in selection.positions]) if names else None
    taken = TextRows(name=name, dialect=dialect, columns=columns, selection=selection, called=called, heading=heading)
    values = taken.parsed(buffer, head[0][0] if names else dialect.skipped_lines)
    ask_about_labels(columns, selection, name, lambda place, most: values[:most, place])
    words = dialect.words + header_words + selection.words + taken.words + whole_number_words(values)
    return Decoded(
        array=values, dtype="float64", words=words, row_ids=taken.row_ids, columns=coordinate_names(columns, selection)
    )


def check_text_size(buffer: memoryview, name: str) -> None:
    """Refuse text larger than what can be read in a sane amount of memory."""
    if len(buffer) > limits.MAX_TEXT_BYTES:
        raise LimitError(
            f"{name} has {len(buffer):,} bytes of text; {limits.MAX_TEXT_BYTES:,} are read at most",
            remedy="Save the numbers as binary: np.save('new.npy', x).",
        )


def _header(head: list[list[str]]) -> tuple[list[str] | None, tuple[Word, ...]]:
    """Column names, when the first row is a header, and the word that says so.

    word2vec's counts are one; for everything else see `core.formats.headings`.
    """
    first, second = head[0], head[1] if len(head) > 1 else []
    if len(first) == 2 and all(map(_WHOLE.fullmatch, first)) and len(second) == int(first[1]) + 1 > 2:
        text = f"The first line ({first[0]} {first[1]}) was taken as word2vec's counts, not as a row."
        names = ["word", *map(str, range(1, len(second)))]
        return names, (Word(code="header_row", text=text),)
    heading = _counts_over_row_names(first, head[1:]) or is_heading(first, head[1:])
    shown = shortened(first[0]) or "unnamed"
    if len(first) > 1:
        shown += f" … {shortened(first[-1]) or 'unnamed'}"
    if heading is None:
        text = f"The first line ({shown}) may be column names; it was read as a row. Take it out if it is no vector."
        return None, (Word(code="maybe_header", text=text),)
    if not heading:
        return None, ()
    if _has_row_names(first, head[1:]):
        first = ["", *first]
    text = f"The first line was taken as column names, not as a row: {shown}."
    return first, (Word(code="header_row", text=text),)


def _refuse_second_heading(body: list[list[str]], name: str) -> None:
    """Refuse numbered names in a second line, as pandas writes column names of two levels."""
    counts = [float(cell) for cell in body[0] if kind(cell) == "number"] if body else []
    if len(counts) < _LEAST_NAMES or not counts_up(counts):
        return
    below = [_is_fraction(cell) for row in body[1:] for cell in row]
    if 2 * sum(below) > len(below):
        ends = f"{counts[0]:.0f} … {counts[-1]:.0f}"
        raise FormatError(
            f"{name} has a second line of column names under the first ({ends}), which would be read as a vector",
            remedy="Take one of the two lines out; with pandas: frame.columns = range(frame.shape[1]).",
        )


def _has_row_names(first: list[str], below: list[list[str]]) -> bool:
    """True where R wrote the table: a name for each column of numbers, and none for the names of the rows."""
    wider = all(len(row) == len(first) + 1 and row[-1].strip() for row in below)
    return wider and not any(kind(row[0]) == "number" and not _WHOLE.fullmatch(row[0]) for row in below)


def _counts_over_row_names(first: list[str], below: list[list[str]]) -> bool:
    """True for 0, 1, 2 … over rows of one cell more: what pandas prints of a frame whose columns have no names."""
    is_counted = len(first) > 1 and all(map(_WHOLE.fullmatch, first)) and counts_up(list(map(float, first)))
    return is_counted and bool(below) and _has_row_names(first, below)


def _columns(names: list[str] | None, body: list[list[str]], name: str) -> list[Column]:
    """Name and kind of each column, from the first rows."""
    if not body:
        raise FormatError(f"{name} has no rows: one line of column names is all", remedy="Save it again.")
    width = len(names) if names else len(body[0])
    if width > limits.MAX_TABLE_COLUMNS:
        raise too_many_columns(width, name)
    columns = []
    for position in range(width):
        cells = [row[position] for row in body if position < len(row)]
        title = names[position] if names else str(position)
        column = _column(title, cells, first=position == 0 and width > 1, named=names is not None)
        columns.append(replace(column, named=names is not None))
    columns = without_doubtful_index(columns)
    first = [row[0] for row in body]
    if not all(kind(cell) == "number" for cell in first):
        return columns
    others = [position for position in range(1, width) if columns[position].kind == "number"]
    fractions = any(_is_fraction(row[position]) for row in body for position in others if position < len(row))
    return with_row_numbers(columns, list(map(float, first)), beside_fractions=fractions)


def _column(title: str, cells: list[str], *, first: bool, named: bool) -> Column:
    """A column by what most of its first cells are: one odd cell must not hide a coordinate."""
    kinds = [kind(cell) for cell in cells]
    held = [what for what in kinds if what != "missing"]
    numbers, vectors = held.count("number"), held.count("vector")
    if vectors and 2 * vectors >= len(held):
        return Column(name=title, kind="vector")
    if not numbers or 2 * numbers < len(held):
        place = next((at for at, what in enumerate(kinds) if what == "other"), 0)
        shown = repr(shortened(cells[place])) if cells and cells[place].strip() else "nothing"
        packed = any(written.may_be_packed(cell) for cell in cells[place : place + 1])
        return Column(name=title, kind="other", odd=f"row {place} (counting from 0) holds {shown}", packed=packed)
    whole = all(_WHOLE.fullmatch(cell) for cell, what in zip(cells, kinds, strict=True) if what != "missing")
    if first and whole and "missing" not in kinds and _is_index(title if named else None, cells):
        return Column(name=title if named else "", kind="index")
    return Column(name=title, kind="number", whole=whole)


def _is_fraction(cell: str) -> bool:
    return kind(cell) == "number" and not float(cell).is_integer()


def _is_index(title: str | None, cells: list[str]) -> bool:
    """True for row numbers from 0 or 1, and for what pandas calls an index."""
    if title is not None and is_index_name(title):
        return True
    numbers = [int(cell) for cell in cells]
    start = numbers[0]
    return len(numbers) > 2 and start in (0, 1) and numbers == list(range(start, start + len(numbers)))
