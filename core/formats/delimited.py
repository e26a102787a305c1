"""Taking a text apart into rows of cells: encoding, delimiter, comments, blank lines.

The text is read as a stream: memory is one row. Nothing is known here of numbers, except
that a semicolon between cells may go with a comma inside them.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from core import limits
from core.errors import FormatError, LimitError
from core.formats import written
from core.formats.encoding import encoding_of, line_blocks, lines_of
from core.formats.layout import delimiter_of, has_decimal_commas, title_of
from core.formats.listing import shortened
from core.formats.loaded import Word
from core.prose import counted

#: A row: number of its last line in the file, counting from 1, and its cells; no cells
#: for a blank line.
Row = tuple[int, list[str]]

#: What Excel writes, and reads, as a first line of its own.
_SEPARATOR_LINE = re.compile(r'"?sep=(?P<mark>[\t;,| ])"?\s*', re.IGNORECASE)

#: The minus sign of typesetters, which no parser takes.
_MINUS = "\N{MINUS SIGN}"
#: A cell between blanks, quoted or not.
_TOKEN = re.compile(r'"([^"]*)"|(\S+)')

#: Last lines that begin with # and may be rows all the same.
_MOST_HASHED = 100

#: What texts of one byte a letter are nearly always in, where they are not UTF-8.
_ONE_BYTE = "cp1252"


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
        Blank and comment lines before the first row, and the title.
    title
        The text that stands alone in a line above the table.
    decimal_comma
        True for tables as European spreadsheets write them: 0,5 between semicolons or quotes.
    typeset_minus
        True where numbers carry the typesetters' minus sign, U+2212.
    """

    codec: str
    delimiter: str
    skipped_lines: int
    title: str = ""
    decimal_comma: bool = False
    typeset_minus: bool = False

    def plain(self, text: str) -> str:
        """Cells or lines in the spelling Python reads: points, and the minus of a keyboard.

        What has points as well, such as 1.257,00, is left as the file has it.
        """
        if self.decimal_comma and "." not in text:
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
        if self.codec == _ONE_BYTE:
            text = "The text is not UTF-8 and was read as Windows-1252, which may spell names with accents wrongly."
            words.append(Word(code="text_encoding", text=text))
        if self.title:
            text = f"The first line ({shortened(self.title)}) was taken as a title, not as a row."
            words.append(Word(code="lines_skipped", text=text))
        if others := self.skipped_lines - bool(self.title):
            lines = counted(others, "blank or comment line")
            text = f"{lines} before the first row {'was' if others == 1 else 'were'} skipped."
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
    if codec == "utf-8" and not _is_utf8(buffer):
        codec = _ONE_BYTE
    skipped, separator, first_lines = _after_comments(lines_of(buffer, codec, name), name)
    lines = [line for line in first_lines if line.strip()]
    title = "" if separator else title_of(lines)
    delimiter = separator or delimiter_of(lines[1:] if title else lines)
    plain = Dialect(codec=codec, delimiter=delimiter, skipped_lines=skipped + bool(title), title=title)
    head = islice(rows_of(buffer, plain, name), limits.TABLE_SAMPLE_ROWS)
    cells = [cell.strip() for _, row in head for cell in row]
    minus = any(cell.startswith(_MINUS) and written.is_number(cell[1:].replace(",", ".")) for cell in cells)
    # Between commas, only a quoted cell can hold one.
    comma = has_decimal_commas([cell.replace(_MINUS, "-") for cell in cells], name)
    return replace(plain, decimal_comma=comma, typeset_minus=minus)


def _after_comments(lines: Iterator[str], name: str) -> tuple[int, str | None, list[str]]:
    """How many blank and comment lines come first, the mark one of them declares, and the lines after them.

    Raises
    ------
    LimitError
        More than `limits.MAX_BLANK_LINES` of them.
    """
    skipped, separator, hashed = 0, None, deque[tuple[int, str]](maxlen=_MOST_HASHED)
    for line in lines:
        said = _SEPARATOR_LINE.fullmatch(line)
        if line.strip() and not line.startswith("#") and not said:
            rows = [(place, above) for place, above in hashed if _is_row_called_hash(above, line)]
            head = [*(above for _, above in rows), line]
            return rows[0][0] if rows else skipped, separator, [*head, *islice(lines, limits.TABLE_SAMPLE_ROWS - 1)]
        separator = said["mark"] if said else separator
        if line.startswith("#"):
            hashed.append((skipped, line))
        skipped += 1
        if skipped > limits.MAX_BLANK_LINES:
            raise LimitError(
                f"{name} begins with more than {limits.MAX_BLANK_LINES:,} blank or comment lines",
                remedy="Take them out, or save the array with np.save.",
            )
    return skipped, separator, []


def _is_row_called_hash(line: str, below: str) -> bool:
    """True for ``# 0.1 0.2`` above ``the 0.3 0.4``: the row of the word #, not a comment."""
    cells, others = ([cell for cell in re.split(r"[\s,;|]+", text) if cell] for text in (line, below))
    is_row = len(cells) == len(others) > 2 and all(map(written.is_number, cells[1:] + others[1:]))
    return is_row and not written.is_number(others[0])


def _is_utf8(buffer: memoryview) -> bool:
    """True when the first bytes are UTF-8, the last letter cut in two or not."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(bytes(buffer[: limits.TEXT_SAMPLE_BYTES]))
    except UnicodeDecodeError:
        return False
    return True


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
            yield number, [dialect.plain(cell) for cell in _between_blanks(line)]
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


def _between_blanks(line: str) -> list[str]:
    """The cells of a line with blanks between; one in quotes may hold blanks."""
    if '"' not in line:
        return line.split()
    return [quoted or bare for quoted, bare in _TOKEN.findall(line)]
