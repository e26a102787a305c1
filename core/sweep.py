"""The one blocked pass over all n^2 scores.

How many candidates beat or tie a row's own partner, in both directions; how the
unrelated cosines are distributed; and their sums about the exact floor. Scores exist
only one block at a time: memory is two blocks of rows and one of scores.

Symbols: S_ij = a_i . b_j for unit rows of one reading, s_i = S_ii, tie bound `TIE`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.histogram import cosine_counts
from core.limits import HISTOGRAM_BINS, SCORE_BLOCK_ELEMENTS
from core.ranks import TIE
from core.rows import UnitRows, row_blocks

__all__ = ["Progress", "ReadingSweep", "own_cosines", "sweep"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

#: Called with (done, total, message); may raise `core.errors.Cancelled`.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSweep:
    """What one pass over all scores of one reading leaves.

    Attributes
    ----------
    better_a_to_b, tied_a_to_b
        (n,) for row i of A: other rows of B with a cosine above, or within `TIE` of, s_i.
    better_b_to_a, tied_b_to_a
        (n,) the same for row j of B among the rows of A.
    unrelated_counts
        (HISTOGRAM_BINS,) counts of the unrelated cosines over [-1, 1]; sum n(n-1).
    sum_about, squares_about
        Sums of S_ij - f and (S_ij - f)^2 over i != j, float64.
    """

    better_a_to_b: Int64Array
    tied_a_to_b: Int64Array
    better_b_to_a: Int64Array
    tied_b_to_a: Int64Array
    unrelated_counts: Int64Array
    sum_about: float
    squares_about: float


def own_cosines(a: UnitRows, b: UnitRows) -> Float64Array:
    """(n,) float64 cosine of each row with its own partner, not clipped. Cost O(n d)."""
    own = np.empty(a.shape[0])
    for block in a.blocks():
        own[block] = np.einsum("ij,ij->i", a[block], b[block])
    return own


def sweep(
    a: UnitRows,
    b: UnitRows,
    own: Float64Array,
    *,
    about: float,
    progress: Progress | None = None,
    message: str = "",
    block_elements: int = SCORE_BLOCK_ELEMENTS,
) -> ReadingSweep:
    """Score every row of A against every row of B, block by block.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides of one reading.
    own : (n,) float64
        Own cosines, from `own_cosines`.
    about : float
        f, the exact floor's mean.
    progress : callable, optional
        Called after each block; the place to cancel.
    block_elements : int
        Scores held at a time; the result does not depend on it.

    Notes
    -----
    Time O(n^2 d) in float64.
    """
    n, _ = a.shape
    side = max(1, int(block_elements**0.5))
    better = np.zeros((2, n), dtype=np.int64)
    tied = np.zeros((2, n), dtype=np.int64)
    counts = np.zeros(HISTOGRAM_BINS, dtype=np.int64)
    sums = np.zeros(2)
    row_steps = list(row_blocks(n, side, elements=block_elements))
    for done, rows in enumerate(row_steps, start=1):
        row_units = a[rows]
        for columns in row_blocks(n, side, elements=block_elements):
            scores = row_units @ b[columns].T
            related = _mark_own(scores, own, rows, columns)
            for axis, threshold in ((1, own[rows][:, None]), (0, own[columns][None, :])):
                place = rows if axis == 1 else columns
                above = np.count_nonzero(scores > threshold + TIE, axis=axis)
                near = np.count_nonzero(scores >= threshold - TIE, axis=axis) - above
                better[1 - axis, place] += above
                tied[1 - axis, place] += near
            counts += _unrelated_counts(scores, related)
            scores -= about
            scores[related] = 0.0
            sums += scores.sum(), np.vdot(scores, scores)
        if progress is not None:
            progress(done, len(row_steps), message)
    return ReadingSweep(
        better_a_to_b=better[0],
        tied_a_to_b=tied[0] - 1,  # the partner ties with itself
        better_b_to_a=better[1],
        tied_b_to_a=tied[1] - 1,
        unrelated_counts=counts,
        sum_about=float(sums[0]),
        squares_about=float(sums[1]),
    )


def _mark_own(
    scores: Float64Array, own: Float64Array, rows: slice, columns: slice
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Index of the own pairs in a block, their scores set to the exact own cosines.

    A product of blocks may round s_i another way than the row-wise dot does; the partner
    must neither beat nor miss itself.
    """
    shared = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
    place = (shared - rows.start, shared - columns.start)
    scores[place] = own[shared]
    return place


def _unrelated_counts(scores: Float64Array, related: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Int64Array:
    return cosine_counts(scores) - cosine_counts(scores[related])
