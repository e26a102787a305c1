"""Sums over all unrelated pairs, kept apart by the pair they belong to.

An interval by leaving out needs the matched sum, the floor's sum and its sum of squares
*without* each pair (or each group). Each is the whole minus what that pair contributes,
so one pass that keeps contributions apart is enough:

    rows_i    = sum over unrelated j of (S_ij - c)      row_squares_i    of (S_ij - c)^2
    columns_i = sum over unrelated j of (S_ji - c)      column_squares_i of (S_ji - c)^2

Unrelated: of another group; without groups, j != i. Scores are taken about a value c near
the floor, and own cosines about their mean, so that nothing cancels in a narrow cone.

Two ways to the same sums. Up to `FULL_MATRIX_PAIRS` pairs from the matrix of scores
itself; above, in closed form from the scatter matrices A'A and B'B about the means,
O(n d^2), with the sums of squares of a sweep where there is one.

Symbols: alpha_i = a_i - mean_a, beta_i likewise; p_i = alpha_i . mean_b,
q_i = beta_i . mean_a; S_ij - k = alpha_i . beta_j + p_i + q_j; e_i = s_i - k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.closed_form import closed_form_sums
from core.contributions import PairSums, SweptSums
from core.groups import Groups
from core.limits import FULL_MATRIX_PAIRS
from core.prepared import Rows, row_type
from core.rows import MeanRow
from core.scatter import Scatter, scatter
from core.score_matrix import CentredScores, centred_scores, sums_from_scores
from core.ticks import Tick, no_tick

__all__ = ["CentredScores", "PairSums", "SweptSums", "centred_scores", "pair_sums", "scatter"]

Float64Array = NDArray[np.float64]


def pair_sums(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    *,
    groups: Groups | None = None,
    pull: bool = False,
    scores: CentredScores | None = None,
    scatter_a: Scatter | None = None,
    scatter_b: Scatter | None = None,
    swept: SweptSums | None = None,
    own_cosines: Float64Array | None = None,
    full_matrix_pairs: int = FULL_MATRIX_PAIRS,
    tick: Tick = no_tick,
) -> PairSums:
    """Take the sums of one reading.

    Parameters
    ----------
    a, b : Rows
        (n, d) sides, raw or centred, no row without direction.
    mean_a, mean_b : MeanRow
        Means of exactly these unit rows.
    groups : Groups, optional
        Each pair alone by default.
    pull : bool
        Also take how the sums move with the means the rows were centred on.
    scores : CentredScores, optional
        If at hand already; else made for up to `full_matrix_pairs` pairs.
    scatter_a, scatter_b : Scatter, optional
        `scatter` of each side, if at hand already; used above `full_matrix_pairs` only.
    swept : SweptSums, optional
        Sums of squares of a sweep, instead of their closed form.
    own_cosines : (n,) float64, optional
        Own cosines, if at hand already; needed where rows come from a sweep in float32 and
        the sides are nearly the same.
    tick : callable
        Called between blocks.

    Notes
    -----
    Accumulated in float64. Up to `full_matrix_pairs` pairs O(n^2 d) and a few n-by-n
    arrays; above O(n d^2), three halves of (d, d) matrices and a few blocks of rows.
    """
    n, _ = a.shape
    groups = groups or Groups.alone(n)
    if scores is None and n <= full_matrix_pairs:
        scores = centred_scores(a, b, mean_a, mean_b, tick)
    if scores is not None:
        return sums_from_scores(a, b, mean_a, mean_b, scores, groups, pull=pull, tick=tick)
    if scatter_a is None:
        scatter_a = scatter(a, mean_a, tick)
    if scatter_b is None:
        scatter_b = scatter(b, mean_b, tick)
    interaction = scatter_a.dot(scatter_b, tick)
    scatters = None
    if pull or swept is None:
        scatter_a = scatter_a.as_type(row_type(a), tick)  # one after the other, so that each float64 one can go
        scatter_b = scatter_b.as_type(row_type(b), tick)
        scatters = scatter_a, scatter_b
    return closed_form_sums(
        a,
        b,
        mean_a,
        mean_b,
        scatters,
        groups,
        interaction=interaction,
        own_cosines=own_cosines,
        pull=pull,
        swept=swept,
        tick=tick,
    )
