"""Sums by pair in closed form, from the scatter matrices of both sides: O(n d^2), no n-by-n matrix.

Symbols as in `core.pair_sums`. With B'B the scatter of B about its mean, and all j
counted, related or not,

    sum_j (S_ij - k)   = n p_i
    sum_j (S_ij - k)^2 = a_i' (B'B) a_i + n p_i^2

from which what row i scores within its own group is taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions import PairSums, SweptSums, all_kinds, dots, own_sums
from core.floor import NO_SPREAD
from core.groups import GroupBatch, Groups
from core.limits import READY_BLOCK_ELEMENTS
from core.pull import Pull, directions
from core.rows import MeanRow, UnitRows, row_blocks

__all__ = ["closed_form_sums", "scatter"]

Float64Array = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)


def scatter(rows: UnitRows, mean: MeanRow) -> Float64Array:
    """(d, d) float64 sum of outer products of unit rows about their mean. Cost O(n d^2)."""
    dim = rows.shape[1]
    total = np.zeros((dim, dim))
    for block in row_blocks(*rows.shape, elements=4 * READY_BLOCK_ELEMENTS):
        deviations = rows[block]
        deviations -= mean.mean
        total += deviations.T @ deviations
    return total


def _kin_of(
    batch: GroupBatch, a: Float64Array, b: Float64Array, all_a: Float64Array | None, all_b: Float64Array | None
) -> Float64Array:
    """(3,) sums of |A_g|^2, |B_g|^2 and A_g . B_g over a batch's groups."""
    if all_a is None or all_b is None:
        return np.array([len(a), len(b), float(dots(a, b).sum())])
    if batch.rows[0, 0] != batch.members[0, 0]:
        return np.zeros(3)  # a large group comes in parts; it was counted with the first
    return np.array([dots(x, y).sum() for x, y in all_kinds(all_a.sum(axis=1), all_b.sum(axis=1))])


@dataclass(slots=True, eq=False)
class _Side:
    """What the closed form gathers for one side, x, scored against the other, y."""

    mean: Float64Array
    mean_y: Float64Array
    scatter_y: Float64Array
    total_y: Float64Array
    rows: Float64Array
    squares: Float64Array
    over_all: Float64Array
    pull: Pull | None


def closed_form_sums(
    a: UnitRows,
    b: UnitRows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    scatter_a: Float64Array,
    scatter_b: Float64Array,
    groups: Groups,
    *,
    pull: bool,
    swept: SweptSums | None,
) -> PairSums:
    """Sums from the scatter matrices, minus what rows score within their own group."""
    n, dim = a.shape
    k = float(mean_a.mean @ mean_b.mean)
    sides = [
        _Side(
            m_x.mean, m_y.mean, scatter_y, m_y.total, np.empty(n), np.empty(n), np.empty(n), Pull(dim) if pull else None
        )
        for m_x, m_y, scatter_y in ((mean_a, mean_b, scatter_b), (mean_b, mean_a, scatter_a))
    ]
    own, kin, linked, all_squares = np.empty(n), np.zeros(3), 0.0, 0.0
    for batch in groups.batches(dim):
        (a_rows, a_lengths, a_all), (b_rows, b_lengths, b_all) = _taken(a, batch), _taken(b, batch)
        rows = batch.rows.ravel()
        alpha, beta = a_rows - mean_a.mean, b_rows - mean_b.mean
        link = dots(alpha, beta)
        linked += float(link.sum())
        own[rows] = link + alpha @ mean_b.mean + beta @ mean_a.mean
        all_squares += _gather(sides[0], n, rows, own, a_rows, a_lengths, b_rows, b_all, swept is not None)
        _gather(sides[1], n, rows, own, b_rows, b_lengths, a_rows, a_all, swept is not None)
        kin += _kin_of(batch, a_rows, b_rows, a_all, b_all)
    if swept is not None:
        all_squares = _add_swept(sides, swept, k, n, own)
    return PairSums(
        about=k,
        groups=groups,
        rows=groups.total(sides[0].rows),
        columns=groups.total(sides[1].rows),
        row_squares=groups.total(sides[0].squares),
        column_squares=groups.total(sides[1].squares),
        linked=linked,
        interaction=float(np.vdot(scatter_a, scatter_b)),
        kin_a=float(kin[0]) / n,
        kin_b=float(kin[1]) / n,
        kin_ab=float(kin[2]) / n,
        rounding=_closed_rounding(all_squares, own, groups),
        pull_a=None if sides[0].pull is None else sides[0].pull.about_own_mean(float(own.mean())),
        pull_b=None if sides[1].pull is None else sides[1].pull.about_own_mean(float(own.mean())),
        **own_sums(k, own, groups),
    )


def _taken(x: UnitRows, batch: GroupBatch) -> tuple[Float64Array, Float64Array | None, Float64Array | None]:
    """Unit rows of a batch, their lengths if centred, and the members of larger groups, (k, s, d)."""
    units, lengths = directions(x, batch.rows.ravel())
    count, size = batch.members.shape
    if size == 1:
        return units, lengths, None
    members = units if batch.rows.shape == batch.members.shape else x[batch.members.ravel()]
    return units, lengths, members.reshape(count, size, -1)


def _gather(
    side: _Side,
    n: int,
    rows: NDArray[np.intp],
    own: Float64Array,
    units: Float64Array,
    lengths: Float64Array | None,
    partner: Float64Array,
    members: Float64Array | None,
    is_swept: bool,
) -> float:
    """Add one batch of rows to a side; the batch's sum of squares over all j.

    Over all j, related or not, sum_j (S_ij - k) = n p_i and
    sum_j (S_ij - k)^2 = a_i' (B'B) a_i + n p_i^2, with B'B about the mean: nothing cancels.
    """
    deviations = units - side.mean
    p = deviations @ side.mean_y
    if members is None:
        within = own[rows][:, None, None]
    else:
        within = _within(deviations, p, members, side)
    side.rows[rows] = n * p - within.sum(axis=2).ravel()
    side.squares[rows] = -(within**2).sum(axis=2).ravel()
    if is_swept:
        side.over_all[rows] = n * p
        if side.pull is None:
            return 0.0
    scored = units @ side.scatter_y
    squares = dots(scored, units) + n * p**2
    if not is_swept:
        side.squares[rows] += squares
    if side.pull is not None:
        kin = kin_scored = None
        if members is not None:
            kin = np.repeat(members.sum(axis=1), len(rows) // len(members), axis=0)
            kin_scored = np.matmul(within, members).reshape(units.shape)
        side.pull.add(
            units,
            lengths,
            partner=partner,
            own=own[rows],
            total=side.total_y,
            scored=scored,
            along=n * p,
            mean=side.mean_y,
            kin=kin,
            kin_scored=kin_scored,
        )
    return float(squares.sum())


def _within(deviations: Float64Array, p: Float64Array, members: Float64Array, side: _Side) -> Float64Array:
    """(k, r, s) S_ij - k of r rows of each of k groups with the group's s members."""
    count, _, dim = members.shape
    others = members - side.mean_y
    within = np.matmul(deviations.reshape(count, -1, dim), others.transpose(0, 2, 1))
    within += p.reshape(count, -1)[:, :, None]
    within += (others @ side.mean)[:, None, :]
    return np.asarray(within)


def _add_swept(sides: list[_Side], swept: SweptSums, k: float, n: int, own: Float64Array) -> float:
    """Add a sweep's sums of squares, moved from its own centre to k, to both sides."""
    move = swept.about - k
    for side, squares in zip(sides, (swept.row_squares, swept.column_squares), strict=True):
        # With x = S_ij - k over i != j: sum x^2 = sum (x - move)^2 + 2 move sum x - (n-1) move^2.
        # The sweep leaves the partner out, so what is taken off for the group must as well.
        side.squares += squares + 2 * move * (side.over_all - own) - (n - 1) * move**2 + own**2
    return float(sides[0].squares.sum())


def _closed_rounding(all_squares: float, own: Float64Array, groups: Groups) -> float:
    """Variance that the difference of whole and own squares can round to (STATISTICS: no spread)."""
    size = max(all_squares, float(own @ own)) + float(np.abs(own).sum())
    return max(64 * _EPS * size / groups.unrelated, NO_SPREAD**2)
