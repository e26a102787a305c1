"""Read tables of numbers in text: ``.csv``, ``.tsv``, and files of plain numbers.

Either each cell is a coordinate, or one column holds vectors in brackets. A first line of
column names and a column of row numbers are recognised, left out and said. Everything is
text until a number is made of it: nothing in a cell can do anything.

The file is read as a stream, first rows first, then all; memory is the numbers, 8 bytes
each, and one row.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import FormatError, LimitError
from core.formats import written
from core.formats.columns import Column, Selection, select
from core.formats.delimited import Row, dialect_of, rows_of
from core.formats.encoding import encoding_of
from core.formats.listing import shortened
from core.formats.loaded import Decoded, ReadChoices, Word

#: Names pandas gives an index column it writes or reads back.
_INDEX_NAMES = ("", "Unnamed: 0", "index")

_WHOLE = re.compile(r"\s*[+-]?\d{1,18}\s*")


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
    dialect = dialect_of(buffer, name)
    rows = (cells for _, cells in rows_of(buffer, dialect, name) if cells)
    head = list(islice(rows, limits.TABLE_SAMPLE_ROWS + 1))
    if not head:
        raise FormatError(f"{name} is text without a row of data", remedy="Save the embeddings again.")
    names, header_words = _header(head)
    columns = _columns(names, head[1 if names else 0 :], name)
    parser = _Parser(name=name, columns=columns, selection=select(columns, name, choices.columns))
    values = parser.parsed(rows_of(buffer, dialect, name), skip=1 if names else 0)
    words = dialect.words + header_words + parser.selection.words + parser.words
    return Decoded(array=values, dtype="float64", words=words)


def check_text_size(buffer: memoryview, name: str) -> None:
    """Refuse text larger than what can be read in a sane amount of memory."""
    if len(buffer) > limits.MAX_TEXT_BYTES:
        raise LimitError(
            f"{name} has {len(buffer):,} bytes of text; {limits.MAX_TEXT_BYTES:,} are read at most",
            remedy="Save the numbers as binary: np.save('new.npy', x).",
        )


def _header(head: list[list[str]]) -> tuple[list[str] | None, tuple[Word, ...]]:
    """Column names, when the first row is a header, and the word that says so.

    It is one when a column holds numbers below something else, when it counts 0, 1, 2, …
    (pandas' default names) and the next does not, or when it gives the counts of word2vec.
    """
    first, second = head[0], head[1] if len(head) > 1 else []
    if len(first) == 2 and all(map(_WHOLE.fullmatch, first)) and len(second) == int(first[1]) + 1 > 2:
        text = f"The first line ({first[0]} {first[1]}) was taken as word2vec's counts, not as a row."
        names = ["word", *map(str, range(1, len(second)))]
        return names, (Word(code="header_row", text=text),)
    kinds = [(_kind(top), _kind(below)) for top, below in zip(first, second, strict=False)]
    named = any(top == "other" and below != "other" for top, below in kinds)
    if not (named or (_counts(first) and not _counts(second))):
        return None, ()
    text = f"{shortened(first[0]) or 'unnamed'} … {shortened(first[-1])}"
    text = f"The first line was taken as column names, not as a row: {text}."
    return first, (Word(code="header_row", text=text),)


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
    whole = all(map(_WHOLE.fullmatch, cells))
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


@dataclass(slots=True, kw_only=True)
class _Parser:
    """Makes numbers of the chosen cells of every row; knows where it is when it cannot."""

    name: str
    columns: list[Column]
    selection: Selection
    _blank_lines: int = field(default=0, init=False)

    def parsed(self, rows: Iterable[Row], *, skip: int) -> NDArray[np.float64]:
        """(n, d) float64 from all rows but the first `skip`; shares the memory they were gathered in."""
        values = array("d")
        dims: int | None = None
        index = -1
        for index, (line, cells) in enumerate(islice(self._without_blanks(rows), skip, None)):
            numbers = self._numbers(index, line, cells)
            if dims is not None and len(numbers) != dims:
                raise self._ragged(index, line, f"{len(numbers):,} numbers in its vector; those before have {dims:,}")
            dims = len(numbers)
            values.extend(numbers)
        if not values:
            return np.empty((index + 1, dims or 0))
        return np.frombuffer(values, dtype=np.float64).reshape(index + 1, -1)

    @property
    def words(self) -> tuple[Word, ...]:
        """What is worth saying, once all rows have been parsed."""
        if not self._blank_lines:
            return ()
        text = f"{self._blank_lines:,} blank lines between rows were skipped; no row was made of them."
        return (Word(code="blank_lines", text=text),)

    def _without_blanks(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Rows that hold cells; blank lines before the last of them are counted."""
        blank = 0
        for row in rows:
            if row[1]:
                self._blank_lines += blank
                blank = 0
                yield row
            else:
                blank += 1

    def _numbers(self, index: int, line: int, cells: list[str]) -> list[float]:
        if len(cells) != len(self.columns):
            raise self._ragged(index, line, f"{len(cells):,} cells; {len(self.columns):,} columns are expected")
        chosen = [cells[position] for position in self.selection.positions]
        try:
            if self.selection.is_vector:
                return written.vector(chosen[0])
            if "_" in "".join(chosen):
                raise ValueError("1_000 is a number to Python, and to no one else")
            return [float(cell) for cell in chosen]
        except written.ShortenedError as error:
            raise FormatError(
                f"{self.name}: the vector in {_where(index, line)} was shortened to '...' when it was printed; "
                "the numbers in between are not in the file",
                remedy="Save the array itself, not its printed form: np.save('new.npy', x).",
            ) from error
        except ValueError as error:
            raise self._no_number(index, line, chosen) from error

    def _ragged(self, index: int, line: int, found: str) -> FormatError:
        return FormatError(
            f"{self.name}: {_where(index, line)} has {found}",
            remedy="Mend or remove that row, on the other side too.",
        )

    def _no_number(self, index: int, line: int, chosen: list[str]) -> FormatError:
        test: Any = written.is_vector if self.selection.is_vector else written.is_number
        bad = next((place for place, cell in enumerate(chosen) if not test(cell)), 0)
        column = shortened(self.columns[self.selection.positions[bad]].name)
        holds = repr(shortened(chosen[bad])) if chosen[bad].strip() else "nothing"
        needed = "a vector of numbers in brackets" if self.selection.is_vector else "a number"
        return FormatError(
            f"{self.name}: column {column!r} of {_where(index, line)} holds {holds}, not {needed}",
            remedy="Mend or remove that row, on the other side too.",
        )


def _where(index: int, line: int) -> str:
    return f"row {index:,} (counting from 0; line {line:,} of the file)"
