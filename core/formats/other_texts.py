"""Texts that are no table of numbers, told apart: what they most likely are, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import limits
from core.errors import FormatError
from core.formats.headings import kind
from core.formats.listing import listed, shortened

_SPARSE_CELL = re.compile(r"\d{1,9}:[-+.\deE]{1,30}")
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_FRACTION = re.compile(r"\d{1,18}(?:[eE][+-]?\d{1,3})?")

#: 1.5D-03, as Fortran writes double precision; 12.3%.
_FORTRAN = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)[dD][+-]?\d{1,3}")
_PER_CENT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)\s?%")
#: How numbers may be written that is not read, what that is called, and what helps.
_OTHER_NUMBERS = (
    (
        _FORTRAN,
        "the exponents of Fortran",
        r"Write E for D: sed -E 's/(\.[0-9]*)[Dd]([-+]?[0-9])/\1E\2/g' old > new.",
    ),
    (_PER_CENT, "per cent signs", "Save them without the sign, all on one scale, or the array with np.save."),
)

#: What may stand between the numbers of a line that is one quoted cell.
_BETWEEN = re.compile(r"[,;\t]")

Rows = Sequence[Sequence[str]]


def refuse_other_texts(rows: Rows, name: str) -> None:
    """Raise the refusal of texts whose numbers would be taken apart wrongly.

    Raises
    ------
    FormatError
        ``index:value`` pairs (LIBSVM); decimal commas between commas.
    """
    if any(len(row) > 1 and all(map(_SPARSE_CELL.fullmatch, row[1:])) for row in rows):
        raise FormatError(
            f"{name} is in LIBSVM format (a label, then index:value pairs), which is not read",
            remedy="Save it dense: np.save('new.npy', sklearn.datasets.load_svmlight_file('old')[0].toarray()).",
        )
    if _are_halves(rows):
        raise FormatError(
            f"{name} most likely writes its numbers with decimal commas and commas between them too "
            f"(its first row begins {shortened(','.join(rows[0][:4]))}), so where one ends cannot be told",
            remedy="Save it with decimal points, or with semicolons between the numbers.",
        )


def refuse_other_numbers(rows: Rows, name: str) -> None:
    """Refuse a table most of whose numbers are written in a way that is not read; the rest would be taken for vectors.

    Raises
    ------
    FormatError
        Fortran's exponents or per cent signs, in at least as many columns as hold plain numbers, and no vectors.
    """
    body = [row for row in rows[-limits.TABLE_SAMPLE_ROWS :] if len(row) == len(rows[-1])]
    columns = [[cell.strip() for cell in column] for column in zip(*body, strict=True)]
    kinds = [kind(column[-1]) for column in columns]
    if "vector" in kinds:
        return
    for pattern, what, remedy in (
        (
            _FORTRAN,
            "the exponents of Fortran",
            r"Write E for D: sed -E 's/(\.[0-9]*)[Dd]([-+]?[0-9])/\1E\2/g' old > new.",
        ),
        (_PER_CENT, "per cent signs", "Save them without the sign, all on one scale, or the array with np.save."),
    ):
        found = [[cell for cell in column if pattern.fullmatch(cell)] for column in columns]
        shown = [cells[0] for cells in found if cells and 2 * len(cells) >= len(body) - 1]
        if shown and len(shown) >= kinds.count("number"):
            raise FormatError(
                f"{name} writes its numbers with {what} ({shortened(shown[0])}), which are not read", remedy=remedy
            )


def no_numbers(rows: Rows, delimiter: str, name: str) -> FormatError:
    """The refusal of a text without a column of numbers or vectors, with what it most likely is."""
    begins = repr(shortened(" ".join(rows[0])))
    if len(rows) == 1 and len(rows[0]) > 1 and delimiter != " ":
        return FormatError(
            f"{name} has one line of column names and no column of numbers below: {listed(rows[0])}",
            remedy="Write it again with its rows.",
        )
    if all(len(row) == 1 for row in rows) and _is_line(rows[-1][0]):
        return FormatError(
            f"{name} has quotes around each whole line, so that every line is one text: {begins}",
            remedy="Take the quotes around the lines out, or write it again without quoting.",
        )
    if max(map(len, rows)) == 1 or len(rows) <= 3:
        return FormatError(
            f"{name} is text with no column of numbers or vectors; it begins {begins}: a note or an error message",
            remedy="Download it again and look at what arrives.",
        )
    return FormatError(
        f"{name} is a table of text with no column of numbers or vectors; its first row is: {listed(rows[0])}",
        remedy="Save the embeddings alone, as numbers with decimal points, or with np.save.",
    )


def _is_line(cell: str) -> bool:
    """True for a cell that is several numbers with commas, semicolons or tabs between, perhaps beside a word."""
    parts = _BETWEEN.split(cell)
    return len(parts) > 1 and 2 * sum(kind(part) == "number" for part in parts) >= len(parts)


def _are_halves(rows: Rows) -> bool:
    """True for ``1,05,-0,52``: pairs of whole numbers written as no whole number is.

    The second of each pair has no sign, and zeros in front; a zero in the first may have a minus.
    """
    body = [row for row in rows if all(kind(cell) == "number" for cell in row)][:20]
    if not body or len(body) + 1 < len(rows) or len(body[0]) % 2 or any(len(row) != len(body[0]) for row in body):
        return False
    fronts = [cell.strip() for row in body for cell in row[0::2]]
    backs = [cell.strip() for row in body for cell in row[1::2]]
    if not (all(map(_WHOLE.fullmatch, fronts)) and all(map(_FRACTION.fullmatch, backs))):
        return False
    return any(len(cell) > 1 and cell[0] == "0" for cell in backs) or "-0" in fronts
