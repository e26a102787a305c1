"""Sums by pair from the matrix of all scores, for few pairs.

Symbols as in `core.pair_sums`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions import PairSums, all_kinds, dots, own_sums
from core.floor import NO_SPREAD
from core.groups import Groups
from core.prepared import Rows, directions
from core.pull import Pull
from core.rows import MeanRow
from core.ticks import Tick, each, no_tick

__all__ = ["CentredScores", "centred_scores", "sums_from_scores"]

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CentredScores:
    """All scores of one reading about both their means; only for few pairs.

    Attributes
    ----------
    link : (n, n)
        alpha_i . beta_j: rows and columns sum to zero.
    p, q : (n,)
        So that S_ij = k + link_ij + p_i + q_j.
    """

    link: Float64Array
    p: Float64Array
    q: Float64Array


def centred_scores(a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, tick: Tick = no_tick) -> CentredScores:
    """Scores of every row of A with every row of B, about both means. O(n^2 d), two n-by-n arrays."""
    n, _ = a.shape
    link, p, q = np.empty((n, n)), np.empty(n), np.empty(n)
    for rows in a.blocks():
        alpha = a[rows] - mean_a.mean
        p[rows] = alpha @ mean_b.mean
        for columns in each(b.blocks(), tick):
            beta = b[columns] - mean_b.mean
            q[columns] = beta @ mean_a.mean
            np.matmul(alpha, beta.T, out=link[rows, columns])
    return CentredScores(link=link, p=p, q=q)


def sums_from_scores(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    scores: CentredScores,
    groups: Groups,
    *,
    pull: bool,
    tick: Tick = no_tick,
) -> PairSums:
    """Sums over the score matrix itself."""
    tick()
    unrelated = scores.link + scores.p[:, None]
    unrelated += scores.q[None, :]
    floor = _floor_about(unrelated, groups)
    unrelated -= floor
    own = np.diagonal(unrelated).copy()
    tick()
    if groups.are_pairs:
        np.fill_diagonal(unrelated, 0.0)
    else:
        unrelated[groups.labels[:, None] == groups.labels[None, :]] = 0.0
    about = float(mean_a.mean @ mean_b.mean) + floor
    sums_a, sums_b = _group_sums(a, groups), _group_sums(b, groups)
    tick()
    kin = (1.0, 1.0, about + float(own.mean()))
    if sums_a is not None and sums_b is not None:
        kin_a, kin_b, kin_ab = (float(dots(x, y).sum()) / groups.n for x, y in all_kinds(sums_a, sums_b))
        kin = (kin_a, kin_b, kin_ab)
    return PairSums(
        about=about,
        groups=groups,
        rows=groups.total(unrelated.sum(axis=1)),
        columns=groups.total(unrelated.sum(axis=0)),
        row_squares=groups.total(np.einsum("ij,ij->i", unrelated, unrelated)),
        column_squares=groups.total(np.einsum("ij,ij->j", unrelated, unrelated)),
        linked=float(np.trace(scores.link)),
        interaction=float(np.vdot(scores.link, scores.link)),
        kin_a=kin[0],
        kin_b=kin[1],
        kin_ab=kin[2],
        rounding=NO_SPREAD**2,
        pull_a=_pullsums_from_scores(a, b, unrelated, own, mean_b.total, sums_b, groups, tick) if pull else None,
        pull_b=_pullsums_from_scores(b, a, unrelated.T, own, mean_a.total, sums_a, groups, tick) if pull else None,
        **own_sums(about, own, groups),
    )


def _floor_about(scores: Float64Array, groups: Groups) -> float:
    """Mean of the unrelated scores of a full matrix."""
    if groups.are_pairs:
        related = float(np.trace(scores))
    else:
        related = float(scores[groups.labels[:, None] == groups.labels[None, :]].sum())
    return (float(scores.sum()) - related) / groups.unrelated


def _group_sums(rows: Rows, groups: Groups) -> Float64Array | None:
    """(G, d) sums of unit rows, for few pairs; `None` where every pair is alone."""
    if groups.are_pairs:
        return None
    sums = np.zeros((groups.count, rows.shape[1]))
    for block in rows.blocks():
        np.add.at(sums, groups.labels[block], rows[block])
    return sums


def _pullsums_from_scores(
    x: Rows,
    y: Rows,
    unrelated: Float64Array,
    own: Float64Array,
    total_y: Float64Array,
    group_sums_y: Float64Array | None,
    groups: Groups,
    tick: Tick = no_tick,
) -> Float64Array:
    """(4, d) pull of x's mean; `unrelated` holds S_ij - c, x down and y across, zero within groups."""
    found = Pull(x.shape[1])
    for block in x.blocks():
        units, lengths = directions(x, block)
        scored = np.zeros_like(units)
        for columns in each(y.blocks(), tick):
            scored += unrelated[block, columns] @ y[columns]
        tick()
        partner, kin = y[block], None
        if group_sums_y is None:
            scored += own[block, None] * partner  # taken off again with the partner
        else:
            kin = group_sums_y[groups.labels[block]]
        found.add(units, lengths, partner=partner, own=own[block], total=total_y, scored=scored, kin=kin)
    return found.about_own_mean(float(own.mean()))
