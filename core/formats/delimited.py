"""Taking a text apart into rows of cells: encoding, delimiter, comments, blank lines.

The text is read as a stream: memory is one row. Nothing is known here of numbers, except
that a semicolon between cells may go with a comma inside them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from core import limits
from core.errors import FormatError
from core.formats import written
from core.formats.encoding import encoding_of, line_blocks, lines_of
from core.formats.loaded import Word
from core.prose import counted

#: A row: number of its last line in the file, counting from 1, and its cells; no cells
#: for a blank line.
Row = tuple[int, list[str]]

_QUOTED = re.compile(r'"[^"]*"?')

#: What Excel writes, and reads, as a first line of its own.
_SEPARATOR_LINE = re.compile(r'"?sep=(?P<mark>[\t;,| ])"?\s*', re.IGNORECASE)

#: What may stand between cells, the likeliest first.
_DELIMITERS = "\t;,| "

#: The minus sign of typesetters, which no parser takes.
_MINUS = "\N{MINUS SIGN}"
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
        True for tables as European spreadsheets write them: 0,5 between semicolons or quotes.
    typeset_minus
        True where numbers carry the typesetters' minus sign, U+2212.
    """

    codec: str
    delimiter: str
    skipped_lines: int
    decimal_comma: bool = False
    typeset_minus: bool = False

    def plain(self, text: str) -> str:
        """Cells or lines in the spelling Python reads: points, and the minus of a keyboard."""
        if self.decimal_comma:
            text = text.replace(",", ".")
        return text.replace(_MINUS, "-") if self.typeset_minus else text

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
        if self.typeset_minus:
            text = "The numbers carry the typesetters' minus sign (U+2212); it was read as a minus."
            words.append(Word(code="typeset_minus", text=text))
        if self.skipped_lines:
            lines = counted(self.skipped_lines, "blank or comment line")
            text = f"{lines} before the first row {'was' if self.skipped_lines == 1 else 'were'} skipped."
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
    skipped, first, separator = 0, "", None
    for line in islice(lines_of(buffer, codec, name), limits.TABLE_SAMPLE_ROWS):
        first = line
        said = _SEPARATOR_LINE.fullmatch(line)
        separator = said["mark"] if said else separator
        if line.strip() and not line.startswith("#") and not said:
            break
        skipped += 1
    bare = _QUOTED.sub("", first).strip(" \r\n")
    delimiter = separator or next((mark for mark in _DELIMITERS if mark in bare), ",")
    plain = Dialect(codec=codec, delimiter=delimiter, skipped_lines=skipped)
    head = islice(rows_of(buffer, plain, name), limits.TABLE_SAMPLE_ROWS)
    cells = [cell.strip() for _, row in head for cell in row]
    minus = any(cell.startswith(_MINUS) and written.is_number(cell[1:].replace(",", ".")) for cell in cells)
    # Between commas, only a quoted cell can hold one.
    comma = delimiter != " " and _has_decimal_commas([cell.replace(_MINUS, "-") for cell in cells])
    return replace(plain, decimal_comma=comma, typeset_minus=minus)


def rows_of(buffer: memoryview, dialect: Dialect, name: str) -> Iterator[Row]:
    """The rows of the text from the first one, blank lines among them.

    Raises
    ------
    FormatError
        A cell longer than any vector: an open quote swallows the lines after it.
    """
    lines = chain.from_iterable(line_blocks(buffer, dialect.codec, name))
    return cells_of(islice(lines, dialect.skipped_lines, None), dialect, name, before=dialect.skipped_lines)


def cells_of(lines: Iterable[str], dialect: Dialect, name: str, *, before: int) -> Iterator[Row]:
    """The rows in some lines, `before` lines into the text; raises as `rows_of` does."""
    if dialect.delimiter == " ":
        for number, line in enumerate(lines, start=before + 1):
            yield number, dialect.plain(line).split()
        return
    csv.field_size_limit(limits.MAX_CELL_CHARS)
    reader = csv.reader(lines, delimiter=dialect.delimiter, skipinitialspace=True)
    changed = dialect.decimal_comma or dialect.typeset_minus
    try:
        for cells in reader:
            yield before + reader.line_num, [dialect.plain(cell) for cell in cells] if changed else cells
    except csv.Error as error:
        raise FormatError(
            f"{name} has a cell of more than {limits.MAX_CELL_CHARS:,} characters near line "
            f"{before + reader.line_num:,}: a quote may have been left open before it",
            remedy="Write it again with a CSV writer.",
        ) from error


def _has_decimal_commas(cells: list[str]) -> bool:
    return any(map(_COMMA_NUMBER.fullmatch, cells)) and not any(map(_POINT_NUMBER.fullmatch, cells))
