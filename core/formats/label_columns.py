"""Whole numbers written as floats among the coordinates of a table: labels, ids, counts?

Written 0, 1, 2 they are told by their spelling or type, in `core.formats.columns`; written 0.0,
1.0, 2.000e+00 by their values alone, and over all rows, since a file sorted by label begins
with one label. What is found is asked about in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core import limits
from core.formats.column_kinds import Column
from core.formats.columns import Selection, ask_without
from core.formats.loaded import RealArray

#: Fewest rows at which a column of whole numbers beside fractions is no accident.
_FEWEST_ROWS = 5

#: From this share of zeros on among the others the file is sparse: there 0 and 1 alone are what unit rows
#: with a single word give.
_SPARSE = 0.5


def ask_about_labels(
    columns: Sequence[Column], selection: Selection, name: str, column_of: Callable[[int, int | None], RealArray]
) -> None:
    """Ask where columns hold whole numbers and the others fractions, as for whole numbers written as such.

    A column of zeros is no label, and where no column holds fractions these are counts or codes.
    Time: a few rows of each column, and all of those that are whole there.

    Parameters
    ----------
    columns, selection
        Of the table, and what was chosen of it without asking.
    column_of
        ``column_of(k, m)``: the first m numbers of the k-th chosen column, or all for `None`; NaN where one is missing.

    Raises
    ------
    ChoiceNeeded
        There are such columns.
    """
    if selection.is_vector or not selection.may_hold_labels or len(selection.positions) < 2:
        return
    places = range(len(selection.positions))
    heads = [column_of(place, limits.TABLE_SAMPLE_ROWS) for place in places]
    if len(heads[0]) < _FEWEST_ROWS:
        return
    likely = [place for place in places if _may_be_whole(heads[place])]
    largest = {place: _largest_whole(column_of(place, None)) for place in likely}
    fractions = [place for place in places if largest.get(place) is None]
    if not fractions:
        return
    is_sparse = np.mean(np.concatenate([heads[place] for place in fractions]) == 0) >= _SPARSE
    labels = [place for place, most in largest.items() if most is not None and most > (1 if is_sparse else 0)]
    if labels:
        raise ask_without(columns, selection, [selection.positions[place] for place in labels], name)


def ask_about_numbered(fields: Sequence[str], array: RealArray, name: str) -> None:
    """`ask_about_labels` for records whose numbers stand under bare numbers, a field a coordinate; nothing for others.

    Raises
    ------
    ChoiceNeeded
        Some of the fields hold whole numbers and the others fractions.
    """
    if all(map(str.isdecimal, fields)):
        columns = [Column(name=field, kind="number") for field in fields]
        chosen = Selection(positions=tuple(range(len(fields))), is_vector=False, may_hold_labels=True)
        ask_about_labels(columns, chosen, name, lambda place, most: array[:most, place])


def _may_be_whole(values: RealArray) -> bool:
    """True for whole numbers stored as floats, some of them missing or not; others are told by their type."""
    with np.errstate(invalid="ignore"):  # a NaN that signals when it is cast
        return values.dtype.kind == "f" and bool(np.all((values == np.floor(values)) | np.isnan(values)))


def _largest_whole(values: RealArray) -> float | None:
    """The largest of whole numbers, without their signs; `None` where one is a fraction."""
    if not _may_be_whole(values):
        return None
    with np.errstate(invalid="ignore"):
        return float(np.fmax.reduce(np.abs(values), initial=0.0))
