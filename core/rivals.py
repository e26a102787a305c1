"""The best candidate of each row other than its own partner: which, and how far behind or ahead.

The tiles keep every entry that may be it, with an upper bound of its score. Here the
candidates are narrowed down, each round with a sharper score for those that remain.
Scores within TIE of the best are equal; the lowest column among equals is the rival.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.ranks import TIE
from core.tiles import Plan, RowBlock

__all__ = ["best_others"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def best_others(plan: Plan, block: RowBlock, rows: slice) -> tuple[Float64Array, Int64Array]:
    """Score and place of each row's best other column.

    Returns
    -------
    scores : (2, m) float64
    places : (2, m) int64
        Places among ``plan.columns``. Zero for a reading the plan leaves out.
    """
    n_rows = block.better_rows.shape[1]
    scores, places = np.zeros((2, n_rows)), np.zeros((2, n_rows), np.int64)
    for reading in plan.readings:
        parts = block.rivals[reading]
        at_rows, at_columns, uppers = (np.concatenate(column) for column in zip(*parts, strict=True))
        kept = uppers >= block.lower[reading][at_rows] - TIE
        at_rows, at_columns, values = at_rows[kept], at_columns[kept], uppers[kept]
        if not block.exact:
            at_rows, at_columns, values = _sharpened(plan, reading, rows, at_rows, at_columns)
        best = _row_maxima(n_rows, at_rows, values)
        scores[reading] = best
        equal = values >= best[at_rows] - TIE
        places[reading] = np.iinfo(np.int64).max
        np.minimum.at(places[reading], at_rows[equal], at_columns[equal])
    return scores, places


def _row_maxima(n_rows: int, at_rows: Int64Array, values: Float64Array) -> Float64Array:
    best = np.full(n_rows, -np.inf)
    np.maximum.at(best, at_rows, values)
    return best


def _sharpened(
    plan: Plan, reading: int, rows: slice, at_rows: Int64Array, at_columns: Int64Array
) -> tuple[Int64Array, Int64Array, Float64Array]:
    """Candidates that remain after float64 sums over the float32 rows, with their exact scores."""
    from core.fast_tiles import exact_cosines, paired_scores

    numbers_a, numbers_b = plan.rows[rows][at_rows], plan.columns[at_columns]
    values, errors = paired_scores(plan.sides, numbers_a, numbers_b, reading)
    best = _row_maxima(len(plan.rows[rows]), at_rows, values - errors)
    kept = values + errors >= best[at_rows] - TIE
    exact = exact_cosines(plan.sides, numbers_a[kept], numbers_b[kept])[:, reading]
    return at_rows[kept], at_columns[kept], exact
