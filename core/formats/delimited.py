"""Taking a text apart into rows of cells: encoding, delimiter, comments, blank lines.

The text is read as a stream: memory is one row. Nothing is known here of numbers, except
that a semicolon between cells may go with a comma inside them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from core import limits
from core.errors import FormatError
from core.formats.encoding import encoding_of, lines_of
from core.formats.loaded import Word

#: A row: number of its last line in the file, counting from 1, and its cells; no cells
#: for a blank line.
Row = tuple[int, list[str]]

_QUOTED = re.compile(r'"[^"]*"?')
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a text is written.

    Attributes
    ----------
    codec
        Its encoding, as Python names it.
    delimiter
        What stands between cells; a blank for any run of blanks.
    skipped_lines
        Blank and comment lines before the first row.
    decimal_comma
        True for tables as European spreadsheets write them: 0,5 between semicolons.
    """

    codec: str
    delimiter: str
    skipped_lines: int
    decimal_comma: bool = False

    @property
    def words(self) -> tuple[Word, ...]:
        """What is worth saying about it."""
        words = []
        if self.codec.startswith(("utf-16", "utf-32")):
            text = f"The text is in the encoding {self.codec.upper()}, as Excel writes it, and was read as that."
            words.append(Word(code="text_encoding", text=text))
        if self.decimal_comma:
            text = "The numbers are written with decimal commas: 0,5 was read as 0.5."
            words.append(Word(code="decimal_commas", text=text))
        if self.skipped_lines:
            text = f"{self.skipped_lines} blank or comment lines before the first row were skipped."
            words.append(Word(code="lines_skipped", text=text))
        return tuple(words)


def dialect_of(buffer: memoryview, name: str) -> Dialect:
    """Encoding, delimiter and leading comment lines, from the first lines.

    Raises
    ------
    FormatError
        Not text.
    """
    codec = encoding_of(buffer)
    if codec is None:
        raise FormatError(
            f"{name} is not text, so it is not a table of numbers (.csv)", remedy="Check which file this is."
        )
    skipped, first = 0, ""
    for line in islice(lines_of(buffer, codec, name), limits.TABLE_SAMPLE_ROWS):
        first = line
        if line.strip() and not line.startswith("#"):
            break
        skipped += 1
    bare = _QUOTED.sub("", first).strip(" \r\n")
    delimiter = next((mark for mark in "\t;, " if mark in bare), ",")
    plain = Dialect(codec=codec, delimiter=delimiter, skipped_lines=skipped)
    if delimiter not in ";\t" or not _has_decimal_commas(buffer, plain, name):
        return plain
    return Dialect(codec=codec, delimiter=delimiter, skipped_lines=skipped, decimal_comma=True)


def rows_of(buffer: memoryview, dialect: Dialect, name: str) -> Iterator[Row]:
    """The rows of the text from the first one, blank lines among them.

    Raises
    ------
    FormatError
        A cell longer than any vector: an open quote swallows the lines after it.
    """
    lines = islice(lines_of(buffer, dialect.codec, name), dialect.skipped_lines, None)
    if dialect.delimiter == " ":
        for number, line in enumerate(lines, start=dialect.skipped_lines + 1):
            yield number, line.split()
        return
    csv.field_size_limit(limits.MAX_CELL_CHARS)
    reader = csv.reader(lines, delimiter=dialect.delimiter, skipinitialspace=True)
    try:
        for cells in reader:
            if dialect.decimal_comma:
                cells = [cell.replace(",", ".") for cell in cells]
            yield dialect.skipped_lines + reader.line_num, cells
    except csv.Error as error:
        raise FormatError(
            f"{name} has a cell of more than {limits.MAX_CELL_CHARS:,} characters near line "
            f"{dialect.skipped_lines + reader.line_num:,}: a quote may have been left open before it",
            remedy="Write it again with a CSV writer.",
        ) from error


def _has_decimal_commas(buffer: memoryview, dialect: Dialect, name: str) -> bool:
    head = islice(rows_of(buffer, dialect, name), limits.TABLE_SAMPLE_ROWS)
    cells = [cell.strip() for _, row in head for cell in row]
    return any(map(_COMMA_NUMBER.fullmatch, cells)) and not any(map(_POINT_NUMBER.fullmatch, cells))
