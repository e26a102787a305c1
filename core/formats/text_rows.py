"""From the rows of a table of text to numbers: fast where every cell is one, else cell by cell.

Memory is the numbers, 8 bytes each, and one block of lines. An empty cell, or a word that
stands for a missing value, becomes NaN and is counted: the audit then names those rows.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import FormatError
from core.formats import written
from core.formats.column_kinds import Column
from core.formats.columns import Selection
from core.formats.delimited import Dialect, Row, cells_of
from core.formats.encoding import line_blocks
from core.formats.listing import shortened
from core.formats.loaded import RowIds, Word
from core.formats.missing import Missing
from core.formats.plain_rows import plain_rows, quoted_vectors
from core.formats.row_ids import IdColumn, is_index_name, order_words
from core.prose import counted

_MISSING_INSIDE = re.compile(r"\b(?:None|null|NA|<NA>)\b")

_REMEDY = "Mend or remove that row, on the other side too."

#: From here on a float may have been another whole number.
_FLOAT_WHOLE = 2.0**53


@dataclass(slots=True, kw_only=True)
class TextRows:
    """Makes numbers of the chosen cells of every row; knows where it is when it cannot.

    `heading` is the names of the chosen columns where they are numbers: a row of them is no vector.
    """

    name: str
    dialect: Dialect
    columns: list[Column]
    selection: Selection
    called: list[int]
    heading: list[float] | None = None
    _ids: dict[int, IdColumn] = field(init=False)
    _first: IdColumn | None = field(default=None, init=False)  # a first column left out: it may name a summary
    _values: array[float] = field(default_factory=lambda: array("d"), init=False)
    _rows: int = field(default=0, init=False)
    _dims: int | None = field(default=None, init=False)
    _blank_lines: int = field(default=0, init=False)
    _missing: Missing = field(default_factory=Missing, init=False)

    def __post_init__(self) -> None:
        self._ids = {position: _id_column(self.columns[position]) for position in self.called}
        if 0 not in self.called and 0 not in self.selection.positions:
            self._first = _id_column(self.columns[0])

    def parsed(self, buffer: memoryview, start: int) -> NDArray[np.float64]:
        """(n, d) float64 from all rows after the first `start` lines; shares the memory they were gathered in.

        Raises
        ------
        FormatError
            Rows of unequal length, a cell that is no number, shortened vectors.
        """
        blocks = _after(line_blocks(buffer, self.dialect.codec, self.name), start)
        plain = not self.selection.is_vector and all(column.kind in ("number", "index") for column in self.columns)
        alone = self.selection.is_vector and len(self.columns) == 1
        line = start
        for block in blocks:
            if not (plain and self._take_plain(block)) and not (alone and self._take_vectors(block)):
                rest = chain(block, chain.from_iterable(blocks))
                self._take_slowly(cells_of(rest, self.dialect, self.name, before=line))
                break
            line += len(block)
        self._refuse_half_an_index()
        if not self._values:
            return np.empty((self._rows, self._dims or 0))
        return np.frombuffer(self._values, dtype=np.float64).reshape(self._rows, -1)

    @property
    def words(self) -> tuple[Word, ...]:
        """What is worth saying, once all rows have been parsed."""
        words = self._missing.words
        if self._blank_lines:
            lines = counted(self._blank_lines, "blank line")
            text = f"{lines} between rows {'was' if self._blank_lines == 1 else 'were'} skipped; no row was made of it."
            words += (Word(code="blank_lines", text=text),)
        index = next((ids for position, ids in self._ids.items() if self.columns[position].kind == "index"), None)
        if index is not None and index.repeats():
            text = "The index column holds a number several times, as tables put together do; "
            return (*words, Word(code="index_repeats", text=f"{text}the rows were read in the order they stand in."))
        return words + order_words(index.ids() if index else None, "the index column")

    @property
    def row_ids(self) -> tuple[RowIds, ...]:
        """What the table calls its rows, once all have been parsed."""
        found = (ids.ids() for ids in self._ids.values())
        return tuple(ids for ids in found if ids is not None)

    def _refuse_half_an_index(self) -> None:
        """Refuse a first column that counts the rows at the top and holds fractions, or a few words, further down."""
        if self._first is not None:
            self._first.refuse_summaries(self.name)
        for position, ids in self._ids.items():
            ids.refuse_summaries(self.name)
            if self.columns[position].kind == "index" and ids.odd and not written.is_missing(str(ids.odd[1])):
                row, value = ids.odd
                raise FormatError(
                    f"{self.name}: the first column counts the rows at the top, and row {row:,} (counting from 0) of "
                    f"it holds {shortened(str(value))}, which is no row number: whether it is a coordinate "
                    "cannot be told",
                    remedy="Take that column out, or mend its cell.",
                )

    def _take_plain(self, block: list[str]) -> bool:
        """Take a whole block of lines by the fast way; False, and nothing is taken, if it does not go."""
        lines = [line for line in block if line.strip(" \n")]
        if not lines:
            self._blank_lines += len(block)
            return True
        rows = plain_rows(lines, self.dialect, len(self.columns))
        if rows is None:
            return False
        chosen = np.ascontiguousarray(rows[:, self.selection.positions])
        if self.heading is not None and np.any(np.all(chosen == self.heading, axis=1)):
            return False  # the closer look says where
        if self.called and np.any(np.abs(rows[:, self.called]) >= _FLOAT_WHOLE):
            return False  # ids of more digits than a float holds
        self._values.frombytes(chosen.view(np.uint8).data.cast("B"))
        for position, ids in self._ids.items():
            ids.add_numbers(rows[:, position])
        if self._first is not None:
            self._first.add_numbers(rows[:, 0])
        self._rows += len(chosen)
        self._dims = chosen.shape[1]
        self._blank_lines += len(block) - len(lines)
        return True

    def _take_vectors(self, block: list[str]) -> bool:
        """Take a block of lines that hold a vector and nothing else by the fast way; False if it does not go."""
        rows = quoted_vectors(block, self.dialect)
        if rows is None or self._dims not in (None, rows.shape[1]):
            return False
        self._values.frombytes(rows.view(np.uint8).data.cast("B"))
        self._rows += len(rows)
        self._dims = rows.shape[1]
        return True

    def _take_slowly(self, rows: Iterable[Row]) -> None:
        for line, cells in self._without_blanks(rows):
            numbers = self._numbers(line, cells)
            for position, ids in self._ids.items():
                ids.add(cells[position])
            if self._first is not None:
                self._first.add(cells[0])
            if numbers is None:
                self._missing_vector(line)
                continue
            if numbers == self.heading:
                raise FormatError(
                    f"{self.name}: {self._where(line)} repeats the column names "
                    f"({shortened(cells[self.selection.positions[0]])} … "
                    f"{shortened(cells[self.selection.positions[-1]])}), as tables put together do",
                    remedy="Take that line out; the rows of a second table begin there.",
                )
            if self._dims not in (None, len(numbers)):
                before = f"{counted(len(numbers), 'number')} in its vector; those before have {self._dims:,}"
                raise self._ragged(line, before)
            if self._dims is None:
                self._dims = len(numbers)
                self._values.extend([math.nan] * (self._dims * self._rows))  # rows without a vector so far
            self._values.extend(numbers)
            self._rows += 1

    def _missing_vector(self, line: int) -> None:
        self._missing.add(self._rows, "the vector is missing")
        self._values.extend([math.nan] * (self._dims or 0))
        self._rows += 1

    def _without_blanks(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Rows that hold cells; blank lines before the last of them are counted."""
        blank = 0
        for line, cells in rows:
            if not cells or (len(cells) == 1 < len(self.columns) and not cells[0].strip()):
                blank += 1
                continue
            self._blank_lines += blank
            blank = 0
            yield line, cells

    def _numbers(self, line: int, cells: list[str]) -> list[float] | None:
        if len(cells) != len(self.columns):
            held = f"{counted(len(cells), 'cell')}; {counted(len(self.columns), 'column')}"
            raise self._ragged(line, f"{held} {'is' if len(self.columns) == 1 else 'are'} expected")
        chosen = [cells[position] for position in self.selection.positions]
        try:
            if self.selection.is_vector:
                return None if written.is_missing(chosen[0]) else written.vector(chosen[0])
            if "_" in "".join(chosen):
                raise ValueError("1_000 is a number to Python, and to no one else")
            return [float(cell) for cell in chosen]
        except written.ShortenedError as error:
            raise FormatError(
                f"{self.name}: the vector in {self._where(line)} was shortened to '...' when it was printed; "
                "the numbers in between are not in the file",
                remedy="Save the array itself, not its printed form: np.save('new.npy', x).",
            ) from error
        except written.CommaError as error:
            raise FormatError(
                f"{self.name}: the vector in {self._where(line)} has commas inside its numbers "
                f"({shortened(chosen[0])}), decimal commas most likely, so that each would be read as two",
                remedy="Save the numbers with decimal points, or the array with np.save.",
            ) from error
        except ValueError as error:
            if self.selection.is_vector:
                return self._vector_with_missing(line, chosen, error)
            return self._with_missing(line, chosen)

    def _vector_with_missing(self, line: int, chosen: list[str], error: ValueError) -> list[float]:
        """A vector in which some places say None or null."""
        mended, count = _MISSING_INSIDE.subn("nan", chosen[0])
        try:
            numbers = written.vector(mended)
        except ValueError:  # decimal commas too
            raise self._no_number(line, chosen) from error
        self._missing.add(self._rows, "a vector with an empty place among its numbers", count)
        return numbers

    def _with_missing(self, line: int, chosen: list[str]) -> list[float]:
        """The numbers of a row in which some cells are no number; only missing ones are let through."""
        numbers = []
        for place, cell in enumerate(chosen):
            if written.is_number(cell):
                numbers.append(float(cell))
            elif written.is_missing(cell):
                column = shortened(self.columns[self.selection.positions[place]].name)
                held = repr(cell.strip()) if cell.strip() else "nothing"
                self._missing.add(self._rows, f"column {column!r} holds {held}")
                numbers.append(math.nan)
            else:
                raise self._no_number(line, chosen)
        return numbers

    def _ragged(self, line: int, found: str) -> FormatError:
        return FormatError(f"{self.name}: {self._where(line)} has {found}", remedy=_REMEDY)

    def _no_number(self, line: int, chosen: list[str]) -> FormatError:
        test: Any = written.is_vector if self.selection.is_vector else _is_fine
        bad = next((place for place, cell in enumerate(chosen) if not test(cell)), 0)
        column = shortened(self.columns[self.selection.positions[bad]].name)
        needed = "a vector of numbers in brackets" if self.selection.is_vector else "a number"
        return FormatError(
            f"{self.name}: column {column!r} of {self._where(line)} holds {shortened(chosen[bad])!r}, not {needed}",
            remedy=_REMEDY,
        )

    def _where(self, line: int) -> str:
        return f"row {self._rows:,} (counting from 0; line {line:,} of the file)"


def _id_column(column: Column) -> IdColumn:
    """What gathers the cells of a column that calls the rows; words without a heading are no row numbers."""
    if not column.named:
        return IdColumn("", is_index=column.kind == "index")
    return IdColumn(column.name, is_index=is_index_name(column.name))


def _is_fine(cell: str) -> bool:
    return written.is_number(cell) or written.is_missing(cell)


def _after(blocks: Iterator[list[str]], start: int) -> Iterator[list[str]]:
    """The blocks without their first `start` lines."""
    for block in blocks:
        if start < len(block):
            yield block[start:]
        start = max(0, start - len(block))
