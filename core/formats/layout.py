"""How a text is laid out, from its first lines: title, marks between cells, commas in numbers.

Nothing here is certain, so what could be read in two ways and give two sets of numbers is refused.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from core.errors import FormatError
from core.formats import written
from core.formats.listing import shortened

_QUOTED = re.compile(r'"[^"]*"?')

#: A cell between blanks: quoted, so that it may hold blanks, or not.
_TOKEN = re.compile(r'"[^"]*"|\S+')

#: What may stand between cells, the likeliest first.
_DELIMITERS = "\t;,| "

_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")

#: A decimal comma with digits on both sides: between blanks, 1 ,2 is two numbers.
_FULL_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")

#: 12,345: twelve thousand or twelve point three. Nothing below one thousand is written so.
_THOUSANDS_OR_DECIMALS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")

#: 12,345 and 1,234,567.89; 1.234,5.
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+)")

_REMEDY = "Save the numbers plainly, with decimal points and nothing between thousands, or with np.save."

#: Brackets that a cell opens and closes itself.
_CLOSED = re.compile(r"[\[({<][^\[({<\])}>]*[\])}>]")

#: ``- [0.1``, ``w7: {0.1``, ``[np.float32(0.1)`` with its own brackets taken out; and ``0.2]``.
_OPENS = re.compile(r"[\[({<]\s*(?:np\.\w{1,20})?[-+]?\.?\d[^\[({<\])}>]*$")
_CLOSES = re.compile(r"^[^\[({<\])}>]*\d\.?\s*[\])}>][\])}>\s,;]*$")

#: ``|0.1``, ``0.2;`` and ``w7: 0.1``: one number with a point, and marks or a label beside it; ``00 2.300``.
_FRACTION = r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?"
_MARKED = re.compile(
    rf"[^\w.+-]*{_FRACTION}[^\w.]*|.*(?:[^\d\s]:\s*|:\s+){_FRACTION}|(?=.*\.)[-+]?[\d.]+(?:\s+[-+]?[\d.]+)+",
    re.DOTALL,
)

#: Longest cell that may be a piece of a vector.
_PIECE_CHARS = 200

#: Tokens of a line looked at.
_TOKENS = 1_000


def title_of(lines: Sequence[str]) -> str:
    """The title in the first line above a table with names or numbers; empty where there is none.

    One text alone in a line, above lines of three cells or more that end in numbers.
    """
    if len(lines) < 3 or any(line.count('"') % 2 for line in lines):
        return ""
    delimiter = delimiter_of(lines[1:])
    if delimiter == " ":  # a title is words with blanks between: nothing tells it from column names
        return ""
    first, *rest = ([cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter))
    held = [cell for cell in first if cell]
    if len(held) != 1 or not first[0] or written.is_number(held[0]) or written.is_vector(held[0]):
        return ""
    widths = set(map(len, rest))
    is_table = len(widths) == 1 and min(widths) >= 3 and any(map(written.is_number, rest[-1][1:]))
    return held[0] if is_table else ""


def delimiter_of(lines: Sequence[str]) -> str:
    """What stands between the cells of the lines; a blank for any run of blanks."""
    if not lines:
        return ","
    if _are_comma_numbers_between_blanks(lines[1:] or lines):
        return " "
    bare = _QUOTED.sub("q", lines[0]).strip(" \r\n")
    return next((mark for mark in _DELIMITERS if mark in bare), ",")


def has_decimal_commas(cells: Sequence[str], name: str) -> bool:
    """True where the numbers among the cells have commas for points.

    Raises
    ------
    FormatError
        Every comma is followed by three digits, as it is between thousands.
    """
    found = [cell for cell in cells if _COMMA_NUMBER.fullmatch(cell)]
    if not found or any(map(_POINT_NUMBER.fullmatch, cells)):
        return False
    if all(map(_THOUSANDS_OR_DECIMALS.fullmatch, found)):
        raise FormatError(
            f"{name} has a comma before the last three digits of its numbers ({shortened(found[0])}), "
            "which is a decimal comma or a mark between thousands: it cannot be told which",
            remedy=_REMEDY,
        )
    return True


def refuse_grouped(rows: Sequence[Sequence[str]], name: str) -> None:
    """Refuse a table most of whose numbers have marks between thousands; the rest would be taken for the vectors.

    Raises
    ------
    FormatError
        Columns with 12,345.6 are as many as those with plain numbers alone.
    """
    columns = [[cell.strip() for cell in column] for column in zip(*_of_one_width(rows), strict=True)]
    grouped = [next((cell for cell in column if _GROUPED.fullmatch(cell)), "") for column in columns]
    shown = [cell for cell in grouped if cell]
    plain = [
        column
        for column, cell in zip(columns, grouped, strict=True)
        if not cell and sum(map(written.is_number, column)) * 2 > len(column)
    ]
    if shown and len(shown) >= len(plain):
        raise FormatError(
            f"{name} writes its numbers with marks between thousands ({shortened(shown[0])}), which are not read",
            remedy=_REMEDY,
        )


def refuse_mixed_commas(rows: Sequence[Sequence[str]], name: str) -> None:
    """Refuse a table some of whose columns have decimal commas and others points; the first would be left out.

    Raises
    ------
    FormatError
        A column holds numbers with one comma alone, others than with three digits after it, beside one of fractions.
    """
    columns = [[cell.strip() for cell in column] for column in zip(*_of_one_width(rows), strict=True)]
    held = [[cell for cell in column if not written.is_missing(cell)] for column in columns]
    commas = [column for column in held if column and all(map(_COMMA_NUMBER.fullmatch, column))]
    shown = next((column[0] for column in commas if not all(map(_THOUSANDS_OR_DECIMALS.fullmatch, column))), None)
    point = next((column[0] for column in held if column and all(map(_POINT_NUMBER.fullmatch, column))), None)
    if shown is not None and point is not None:
        raise FormatError(
            f"{name} writes some columns with decimal commas ({shortened(shown)}) and others with points "
            f"({shortened(point)}), so that part of them would be left out",
            remedy="Save all numbers with decimal points, or name the columns that hold the vectors.",
        )


def refuse_pieces(rows: Sequence[Sequence[str]], name: str, *, named: bool) -> None:
    """Refuse lines whose vectors fall into pieces: left out, the ends of each would be lost.

    ``- [0.1, 0.2, 0.3]`` has the cells ``- [0.1``, ``0.2`` and ``0.3]``, of which one is a number.

    Raises
    ------
    FormatError
        Most cells of a column hold a number beside a bracket that another cell closes or opens,
        or, without column names, a fraction with marks or a label before it.
    """
    for column in zip(*_of_one_width(rows), strict=True) if rows else ():
        held = [cell for cell in map(str.strip, column) if not written.is_missing(cell)]
        pieces = [cell for cell in held if _is_piece(cell, named=named)]
        if pieces and 2 * len(pieces) >= len(held):
            raise FormatError(
                f"{name} has cells that hold a number and something else beside it ({shortened(pieces[0])}), "
                "most likely one end of a vector, whose coordinate would be lost",
                remedy="Save the numbers alone, a vector a line, or with np.save.",
            )


def _is_piece(cell: str, *, named: bool) -> bool:
    if len(cell) > _PIECE_CHARS or written.is_number(cell):
        return False
    bare, before = cell, ""
    while bare != before:
        bare, before = _CLOSED.sub("0", bare), bare
    if _OPENS.search(bare) or _CLOSES.search(bare):
        return True
    return not named and bare == cell and _MARKED.fullmatch(cell) is not None


def _of_one_width(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return [row for row in rows if len(row) == len(rows[-1])]


def _are_comma_numbers_between_blanks(lines: Sequence[str]) -> bool:
    """True for ``0,5 -1,25``, as R writes tables with ``dec=","``; a word may stand in front."""
    commas = 0
    for line in lines:
        tokens = _TOKEN.findall(line)[:_TOKENS]
        numbers = tokens[1:]
        if not numbers or (not _is_whole_or_comma(tokens[0]) and len(numbers) < 2):
            return False
        if not all(map(_is_whole_or_comma, numbers)):
            return False
        commas += sum(map(bool, map(_FULL_COMMA_NUMBER.fullmatch, tokens)))
    return commas > 0


def _is_whole_or_comma(token: str) -> bool:
    if _FULL_COMMA_NUMBER.fullmatch(token):
        return True
    return "," not in token and "." not in token and (written.is_number(token) or written.is_missing(token))
