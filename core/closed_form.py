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
from core.prepared import FloatArray, PreparedRows, Rows, directions, distances_from, row_type
from core.pull import Pull
from core.rows import MeanRow
from core.scatter import Scatter
from core.sweep.workers import Steps, in_order, usable_cores
from core.ticks import Tick, no_tick

__all__ = ["closed_form_sums"]

Float64Array = NDArray[np.float64]

#: Least rows that go through a scatter matrix at once: it is read from memory for each batch.
SCORED_ROWS = 128

_EPS = float(np.finfo(np.float64).eps)

#: Rows in float32 are off by so much of their length about the mean.
_FLOAT32 = 2.0**-24


@dataclass(slots=True, kw_only=True, eq=False)
class _Taken:
    """One side's rows of a batch, (m, d), and whole groups, (k, s, d), where larger than one row.

    Deviations are from the side's mean; lengths are those before centred rows were made unit.
    """

    units: FloatArray
    lengths: Float64Array | None
    deviations: FloatArray
    members: FloatArray | None
    member_deviations: FloatArray | None


def _taken(x: Rows, mean: MeanRow, batch: GroupBatch) -> _Taken:
    rows = batch.rows.ravel()
    units, lengths = directions(x, rows)
    deviations: FloatArray = x.about(rows, mean.mean) if isinstance(x, PreparedRows) else units - mean.mean
    members = member_deviations = None
    if batch.members.shape[1] > 1:
        everyone, shape = batch.members.ravel(), (*batch.members.shape, -1)
        members = x[everyone].reshape(shape)
        member_deviations = distances_from(x, everyone, mean.mean).reshape(shape)
    return _Taken(
        units=units, lengths=lengths, deviations=deviations, members=members, member_deviations=member_deviations
    )


def _kin_of(batch: GroupBatch, a: _Taken, b: _Taken) -> Float64Array:
    """(3,) sums of |A_g|^2, |B_g|^2 and A_g . B_g over a batch's groups."""
    if a.members is None or b.members is None:
        return np.array([len(a.units), len(b.units), float(dots(a.units, b.units).sum())])
    if batch.rows[0, 0] != batch.members[0, 0]:
        return np.zeros(3)  # a large group comes in parts; it was counted with the first
    return np.array([dots(x, y).sum() for x, y in all_kinds(a.members.sum(axis=1), b.members.sum(axis=1))])


@dataclass(slots=True, eq=False)
class _Side:
    """What the closed form gathers for one side, x, scored against the other, y."""

    own_mean: Float64Array
    mean: FloatArray
    mean_y: FloatArray
    scatter_y: Scatter | None
    total_y: Float64Array
    rows: Float64Array
    squares: Float64Array
    over_all: Float64Array
    pull: Pull | None


def closed_form_sums(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    scatters: tuple[Scatter, Scatter] | None,
    groups: Groups,
    *,
    interaction: float,
    own_cosines: Float64Array | None,
    pull: bool,
    swept: SweptSums | None,
    tick: Tick = no_tick,
) -> PairSums:
    """Sums from the scatter matrices, minus what rows score within their own group.

    Parameters
    ----------
    scatters : (Scatter, Scatter) or None
        Of A and B in the type of the rows; needed with `pull`, or without `swept`.
    interaction : float
        Sum of their products.

    The rest is as for `core.pair_sums.pair_sums`.
    """
    n, dim = a.shape
    k = float(mean_a.mean @ mean_b.mean)
    scatter_a, scatter_b = scatters or (None, None)
    sides = (
        _new_side(a, mean_a, mean_b, scatter_b, pull=pull),
        _new_side(b, mean_b, mean_a, scatter_a, pull=pull),
    )
    own, kin, linked, all_squares = np.empty(n), np.zeros(3), 0.0, 0.0
    steps = Steps(1, lambda *_: tick())

    def add(batch: GroupBatch) -> _Batch:
        steps.step()
        return _batch_sums(batch, a, b, sides, own, None if own_cosines is None else own_cosines - k, swept is not None)

    operations = 4 * n * dim**2 if scatters else 40 * n * dim
    batches = groups.batches(dim, elements=max(READY_BLOCK_ELEMENTS, SCORED_ROWS * dim))
    gathered = in_order(batches, add, operations=operations, n_workers=usable_cores(), steps=steps)
    for found in gathered:
        linked, all_squares, kin = linked + found.linked, all_squares + found.squares, kin + found.kin
        for side, pulled in zip(sides, found.pulls, strict=True):
            if side.pull is not None and pulled is not None:
                side.pull.sums += pulled.sums
    reach = [_float32_length(side) for side in (a, b)]
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
        interaction=interaction,
        kin_a=float(kin[0]) / n,
        kin_b=float(kin[1]) / n,
        kin_ab=float(kin[2]) / n,
        rounding=_closed_rounding(all_squares, own, groups),
        score_rounding=_FLOAT32 * max(reach),
        link_rounding=_FLOAT32 * reach[0] * reach[1],
        pull_a=None if sides[0].pull is None else sides[0].pull.about_own_mean(float(own.mean())),
        pull_b=None if sides[1].pull is None else sides[1].pull.about_own_mean(float(own.mean())),
        **own_sums(k, own, groups),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Batch:
    """What a batch adds to sums over all rows; its own rows' sums are in their places by then."""

    linked: float
    squares: float
    kin: Float64Array
    pulls: tuple[Pull | None, Pull | None]


def _batch_sums(
    batch: GroupBatch,
    a: Rows,
    b: Rows,
    sides: tuple[_Side, _Side],
    own: Float64Array,
    known: Float64Array | None,
    is_swept: bool,
) -> _Batch:
    """Gather one batch of rows on both sides; `known` are own cosines less k, if at hand."""
    means = [MeanRow(mean=side.own_mean, n_rows=1) for side in sides]
    of_a, of_b = _taken(a, means[0], batch), _taken(b, means[1], batch)
    rows = batch.rows.ravel()
    link = dots(of_a.deviations, of_b.deviations).astype(np.float64)
    if known is None:
        own[rows] = link + of_a.deviations @ sides[0].mean_y + of_b.deviations @ sides[1].mean_y
    else:
        own[rows] = known[rows]
    squares, pull_a = _gather(sides[0], len(own), rows, own[rows], of_a, of_b, is_swept)
    _, pull_b = _gather(sides[1], len(own), rows, own[rows], of_b, of_a, is_swept)
    return _Batch(linked=float(link.sum()), squares=squares, kin=_kin_of(batch, of_a, of_b), pulls=(pull_a, pull_b))


def _float32_length(x: Rows) -> float:
    """Root mean square length of what is held in float32; 0 where nothing is."""
    if not isinstance(x, PreparedRows):
        return 0.0
    return 1.0 if x.centred else float(np.sqrt(np.mean(x.lengths**2)))


def _new_side(x: Rows, mean: MeanRow, mean_y: MeanRow, scatter_y: Scatter | None, *, pull: bool) -> _Side:
    n, dim = x.shape
    kind = row_type(x)
    return _Side(
        own_mean=mean.mean,
        mean=mean.mean.astype(kind),
        mean_y=mean_y.mean.astype(kind),
        scatter_y=scatter_y,
        total_y=mean_y.total,
        rows=np.empty(n),
        squares=np.empty(n),
        over_all=np.empty(n),
        pull=Pull(dim) if pull else None,
    )


def _gather(
    side: _Side, n: int, rows: NDArray[np.intp], own: Float64Array, x: _Taken, y: _Taken, is_swept: bool
) -> tuple[float, Pull | None]:
    """Add one batch of rows to a side; the batch's sum of squares over all j and its pull, if they were taken."""
    p = (x.deviations @ side.mean_y).astype(np.float64)
    within = own[:, None, None] if y.member_deviations is None else _within(side, p, x, y.member_deviations)
    side.over_all[rows] = n * p
    side.rows[rows] = n * p - within.sum(axis=2).ravel()
    side.squares[rows] = -(within**2).sum(axis=2).ravel()
    if side.scatter_y is None:
        return 0.0, None
    scored = side.scatter_y.times(x.units)
    squares = dots(scored, x.units) + n * p**2
    if not is_swept:
        side.squares[rows] += squares
    pull = None
    if side.pull is not None:
        pull = Pull(x.units.shape[1])
        kin = kin_scored = None
        if y.members is not None:
            kin = np.repeat(y.members.sum(axis=1), len(rows) // len(y.members), axis=0)
            kin_scored = np.matmul(within, y.members).reshape(x.units.shape)
        pull.add(
            x.units,
            x.lengths,
            partner=y.units,
            own=own,
            total=side.total_y,
            scored=scored,
            along=n * p,
            mean=side.mean_y,
            kin=kin,
            kin_scored=kin_scored,
        )
    return float(squares.sum()), pull


def _within(side: _Side, p: Float64Array, x: _Taken, others: FloatArray) -> Float64Array:
    """(k, r, s) S_ij - k of r rows of each of k groups with the group's s members."""
    count, _, dim = others.shape
    within = np.matmul(x.deviations.reshape(count, -1, dim), others.transpose(0, 2, 1)).astype(np.float64)
    within += p.reshape(count, -1)[:, :, None]
    within += (others @ side.mean)[:, None, :]
    return np.asarray(within)


def _add_swept(sides: tuple[_Side, _Side], swept: SweptSums, k: float, n: int, own: Float64Array) -> float:
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
