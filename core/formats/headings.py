"""Is the first row of a table of text its column names?

Names that are words show themselves. Names that are numbers (pandas writes 0, 1, 2, …) look
like one more vector, and would be audited as one: they are told from the rows below by
being whole where those are not, or by counting in even steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.formats import written

Cells = Sequence[str]

#: Fewest columns at which whole numbers above fractions, or even steps, are no accident.
_SURE_WHOLE, _SURE_STEPS, _SURE_ORDER = 3, 4, 5


def kind(cell: str) -> str:
    """``"vector"``, ``"number"``, ``"missing"`` or ``"other"``."""
    if written.is_number(cell):  # the commonest first: a table may have a million cells to look at
        return "number"
    if written.is_missing(cell):
        return "missing"
    return "vector" if written.is_vector(cell) else "other"


def is_heading(first: Cells, below: Sequence[Cells]) -> bool | None:
    """True for column names, False for a row of data, `None` where it cannot be told."""
    kinds_below = [_kind_below(below, position) for position in range(len(first))]
    over = [(cell, kind(cell), under) for cell, under in zip(first, kinds_below, strict=True)]
    above = [(cell, top) for cell, top, under in over if under == "vector"]
    if any(top == "other" or (top == "number" and cell.strip().isdigit()) for cell, top in above):
        return all(top != "vector" for _, top in above)  # pandas calls a column without a name 0
    texts = sum(top == "other" and under == "number" for _, top, under in over)
    places = [place for place, (_, top, under) in enumerate(over) if top == under == "number"]
    if texts and texts >= len(places):
        return True
    if len(places) + texts < 2 and len(first) > 1:
        return False
    rows = [[row[place] for place in places] for row in below if len(row) == len(first)]
    sure = _are_labels([float(first[place]) for place in places], _all_numbers(rows))
    # A word among fractions is a bad cell of a row; among labels it is one of them.
    return sure if not texts else bool(sure)


def numeric_names(names: Cells) -> list[float] | None:
    """The numbers that column names are, `None` where some are words or they are too few to know them again."""
    if len(names) < _SURE_WHOLE or not all(kind(name) == "number" for name in names):
        return None
    return [float(name) for name in names]


def counts_up(values: list[float]) -> bool:
    """True for 0, 1, 2, … and 1, 2, 3, …"""
    return any(_counts(values, start) for start in (0, 1))


def _kind_below(below: Sequence[Cells], position: int) -> str:
    """What most cells of a column are, missing ones aside."""
    found = [kind(row[position]) for row in below if position < len(row)]
    held = [what for what in found if what != "missing"]
    return max(("number", "vector", "other"), key=held.count) if held else "other"


def _all_numbers(rows: Sequence[Cells]) -> list[list[float]]:
    return [[float(cell) for cell in row] for row in rows if all(kind(cell) == "number" for cell in row)]


def _are_labels(top: list[float], rows: list[list[float]]) -> bool | None:
    """Whether numbers above other numbers are labels: all different and of another kind than those."""
    width = len(top)
    if not rows or not width or len(set(top)) < width or not all(value - value == 0 for value in top):
        return False
    if width > 1 and _counts(top, start=0) and not _counts(rows[0], start=0):
        return True
    whole = all(value.is_integer() for value in top)
    if whole and _share_whole(rows) < 0.5:
        return True if width >= _SURE_WHOLE else None
    if width >= 3 and _in_even_steps(top) and not any(map(_in_even_steps, rows)):
        return True if width >= _SURE_STEPS else None
    in_some_order = whole and any(_counts(sorted(top), start) for start in (0, 1))
    return in_some_order and width >= _SURE_ORDER and not any(sorted(row) == sorted(top) for row in rows)


def _counts(values: list[float], start: int) -> bool:
    return values == [float(index) for index in range(start, start + len(values))]


def _share_whole(rows: list[list[float]]) -> float:
    cells = [value.is_integer() for row in rows for value in row]
    return sum(cells) / len(cells)


def _in_even_steps(values: list[float]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    return steps[0] != 0 and all(abs(step - steps[0]) <= 1e-9 * abs(steps[0]) for step in steps)
