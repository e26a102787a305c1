"""The best candidate of each row other than its own partner: which, and how far behind or ahead.

The tiles keep every entry that may be it, with an upper bound of its score. Here the
candidates are narrowed down, each round with a sharper score for those that remain.
Scores within TIE of the best are equal; the lowest column among equals is the rival.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.ranks import TIE
from core.sweep.bounds import exact_bound
from core.sweep.tiles import Plan, RowBlock

__all__ = ["NO_PLACE", "best_others", "narrow"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

#: Places of rows in their block and of columns in the plan, and scores.
Candidates = tuple[Int64Array, Int64Array, Float64Array]

#: Where no column qualifies: above every place.
NO_PLACE = int(np.iinfo(np.int64).max)

#: Candidates noted for a block, per row, above which they are narrowed down at once: 6 MB.
NOTED_PER_ROW = 256


def best_others(plan: Plan, block: RowBlock, rows: slice) -> tuple[Float64Array, Int64Array, Int64Array]:
    """Score and place of each row's best other column, and the first other column that shares the top.

    Returns
    -------
    scores : (2, m) float64
    places : (2, m) int64
        Places among ``plan.columns``. Zero for a reading the plan leaves out.
    tops : (2, m) int64
        Place of the first other column within TIE of the best of all, the partner among them; `NO_PLACE` where
        the partner is above all of them by more.
    """
    n_rows = block.better_rows.shape[1]
    candidates = {reading: _kept(block, reading) for reading in plan.readings}
    if not block.exact:
        candidates = _scored_exactly(plan, rows, candidates)
    scores, places, tops = np.zeros((2, n_rows)), np.zeros((2, n_rows), np.int64), np.zeros((2, n_rows), np.int64)
    for reading, (at_rows, at_columns, values) in candidates.items():
        scores[reading] = best = _row_maxima(n_rows, at_rows, values)
        places[reading] = _first_near(best, at_rows, at_columns, values)
        top = np.maximum(best, plan.sides.own[reading][plan.rows[rows]])
        tops[reading] = _first_near(top, at_rows, at_columns, values)
    return scores, places, tops


def _first_near(top: Float64Array, at_rows: Int64Array, at_columns: Int64Array, values: Float64Array) -> Int64Array:
    """Of each row the lowest column within TIE of a score no lower than its best noted one."""
    near = values >= top[at_rows] - TIE
    first = np.full(len(top), NO_PLACE)
    np.minimum.at(first, at_rows[near], at_columns[near])
    return first


def narrow(plan: Plan, block: RowBlock, rows: slice) -> None:
    """Leave of very many noted candidates those that may still be a row's best, or the first that ties with it.

    Where rows are alike to seven digits every tile notes hundreds for each row.
    """
    n_rows = block.better_rows.shape[1]
    noted = sum(len(part[0]) for reading in plan.readings for part in block.rivals[reading])
    if block.exact or noted <= NOTED_PER_ROW * n_rows:
        return
    candidates = _scored_exactly(plan, rows, {reading: _kept(block, reading) for reading in plan.readings})
    error = exact_bound(plan.sides.shape[1])
    for reading, (at_rows, at_columns, values) in candidates.items():
        best = _row_maxima(n_rows, at_rows, values)
        at_rows, at_columns, values = _new_highs(at_rows, at_columns, values)
        near = values >= best[at_rows] - TIE - 2 * error
        block.rivals[reading][:] = [(at_rows[near], at_columns[near], values[near] + error)]
        np.maximum(block.lower[reading], best - error, out=block.lower[reading])


def _new_highs(at_rows: Int64Array, at_columns: Int64Array, values: Float64Array) -> Candidates:
    """Of each row the entries higher than all before: the first within TIE of the best is one of them."""
    order = np.lexsort((at_columns, at_rows))
    at_rows, at_columns, values = at_rows[order], at_columns[order], values[order]
    # Whole numbers in the order of the values, rows far apart: one running maximum serves all rows.
    ranks = np.unique(values, return_inverse=True)[1] + at_rows * len(values)
    new = np.diff(np.maximum.accumulate(ranks), prepend=-1) > 0
    return at_rows[new], at_columns[new], values[new]


def _kept(block: RowBlock, reading: int) -> Candidates:
    """Rows, columns and upper bounds of what was noted and not overtaken since."""
    at_rows, at_columns, uppers = (np.concatenate(part) for part in zip(*block.rivals[reading], strict=True))
    kept = uppers >= block.lower[reading][at_rows] - TIE
    return at_rows[kept], at_columns[kept], uppers[kept]


def _row_maxima(n_rows: int, at_rows: Int64Array, values: Float64Array) -> Float64Array:
    best = np.full(n_rows, -np.inf)
    np.maximum.at(best, at_rows, values)
    return best


def _scored_exactly(plan: Plan, rows: slice, candidates: dict[int, Candidates]) -> dict[int, Candidates]:
    """What remains after float64 sums over the float32 rows, with exact scores.

    A row's rival is mostly the same in both readings, so both are scored together.
    """
    from core.sweep.fast_tiles import exact_scores, paired_scores

    numbers = plan.rows[rows]
    remaining = {}
    for reading, (at_rows, at_columns, _) in candidates.items():
        scores, bounds = paired_scores(plan.sides, numbers[at_rows], plan.columns[at_columns])
        values, errors = scores[reading], bounds[reading]
        best = _row_maxima(len(numbers), at_rows, values - errors)
        remaining[reading] = np.flatnonzero(values + errors >= best[at_rows] - TIE)
    width = len(plan.columns)
    pairs = {
        reading: candidates[reading][0][at] * width + candidates[reading][1][at] for reading, at in remaining.items()
    }
    distinct = np.unique(np.concatenate(list(pairs.values())))
    exact = exact_scores(plan, rows, distinct // width, distinct % width)
    return {
        reading: (wanted // width, wanted % width, exact[np.searchsorted(distinct, wanted), reading])
        for reading, wanted in pairs.items()
    }
