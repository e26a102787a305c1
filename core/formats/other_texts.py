"""Texts that are no table of numbers, told apart: what they most likely are, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import FormatError
from core.formats.headings import kind
from core.formats.listing import listed, shortened

_SPARSE_CELL = re.compile(r"\d{1,9}:[-+.\deE]{1,30}")
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_FRACTION = re.compile(r"\d{1,18}(?:[eE][+-]?\d{1,3})?")

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


def no_numbers(rows: Rows, delimiter: str, name: str) -> FormatError:
    """The refusal of a text without a column of numbers or vectors, with what it most likely is."""
    begins = repr(shortened(" ".join(rows[0])))
    if len(rows) == 1 and len(rows[0]) > 1 and delimiter != " ":
        return FormatError(
            f"{name} has one line of column names and no column of numbers below: {listed(rows[0])}",
            remedy="Write it again with its rows.",
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
