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
O(n d^2), or from row sums that a sweep has taken anyway.

Symbols: alpha_i = a_i - mean_a, beta_i likewise; p_i = alpha_i . mean_b,
q_i = beta_i . mean_a; S_ij - k = alpha_i . beta_j + p_i + q_j; e_i = s_i - k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD
from core.groups import GroupBatch, Groups
from core.limits import CACHED_BLOCK_ELEMENTS, FULL_MATRIX_PAIRS
from core.pull import Pull, directions
from core.rows import MeanRow, UnitRows, row_blocks

__all__ = ["CentredScores", "PairSums", "SweptSums", "centred_scores", "pair_sums", "scatter"]

Float64Array = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSums:
    """Sums of one reading, by group of pairs (by pair, without groups).

    Attributes
    ----------
    about
        c above: the floor itself from the score matrix, k in closed form.
    own_about
        Matched mean: own cosines are taken about it.
    groups
        What "unrelated" means and what is left out at a time.
    own, own_squares : (G,)
        Sums of s_i - own_about and of their squares.
    rows, columns, row_squares, column_squares : (G,)
        Sums over the unrelated pairs in which the group's rows of A, or of B, take part.
    linked
        sum alpha_i . beta_i = D - T/n: the permutation statistic about its mean.
    interaction
        sum over all i, j of (alpha_i . beta_j)^2 = <A'A, B'B>.
    kin_a, kin_b, kin_ab
        sum_g |A_g|^2 / n, sum_g |B_g|^2 / n and sum_g A_g . B_g / n, with A_g the sum of
        the group's unit rows: 1, 1 and the matched mean without groups.
    rounding
        Variance of the floor up to which there is no spread.
    pull_a, pull_b
        How the sums move with each side's mean; `None` if not asked for.
    """

    about: float
    own_about: float
    groups: Groups
    own: Float64Array
    own_squares: Float64Array
    rows: Float64Array
    columns: Float64Array
    row_squares: Float64Array
    column_squares: Float64Array
    linked: float
    interaction: float
    kin_a: float
    kin_b: float
    kin_ab: float
    rounding: float
    pull_a: Float64Array | None = None
    pull_b: Float64Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SweptSums:
    """The same row and column sums as a sweep takes them: about any value, i != j, (n,) each."""

    about: float
    rows: Float64Array
    columns: Float64Array
    row_squares: Float64Array
    column_squares: Float64Array


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


def scatter(rows: UnitRows, mean: MeanRow) -> Float64Array:
    """(d, d) float64 sum of outer products of unit rows about their mean. Cost O(n d^2)."""
    dim = rows.shape[1]
    total = np.zeros((dim, dim))
    for block in row_blocks(*rows.shape, elements=4 * CACHED_BLOCK_ELEMENTS):
        deviations = rows[block]
        deviations -= mean.mean
        total += deviations.T @ deviations
    return total


def centred_scores(a: UnitRows, b: UnitRows, mean_a: MeanRow, mean_b: MeanRow) -> CentredScores:
    """Scores of every row of A with every row of B, about both means. O(n^2 d), two n-by-n arrays."""
    n, _ = a.shape
    link, p, q = np.empty((n, n)), np.empty(n), np.empty(n)
    for rows in a.blocks():
        alpha = a[rows] - mean_a.mean
        p[rows] = alpha @ mean_b.mean
        for columns in b.blocks():
            beta = b[columns] - mean_b.mean
            q[columns] = beta @ mean_a.mean
            np.matmul(alpha, beta.T, out=link[rows, columns])
    return CentredScores(link=link, p=p, q=q)


def pair_sums(
    a: UnitRows,
    b: UnitRows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    *,
    groups: Groups | None = None,
    pull: bool = False,
    scores: CentredScores | None = None,
    scatter_a: Float64Array | None = None,
    scatter_b: Float64Array | None = None,
    swept: SweptSums | None = None,
    full_matrix_pairs: int = FULL_MATRIX_PAIRS,
) -> PairSums:
    """Take the sums of one reading.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides, raw or centred, no row without direction.
    mean_a, mean_b : MeanRow
        Means of exactly these unit rows.
    groups : Groups, optional
        Each pair alone by default.
    pull : bool
        Also take how the sums move with the means the rows were centred on.
    scores : CentredScores, optional
        If at hand already; else made for up to `full_matrix_pairs` pairs.
    scatter_a, scatter_b : (d, d) float64, optional
        `scatter` of each side, if at hand already; used above `full_matrix_pairs` only.
    swept : SweptSums, optional
        Row and column sums of a sweep, instead of the closed form.

    Notes
    -----
    Accumulated in float64. Up to `full_matrix_pairs` pairs O(n^2 d) and a few n-by-n
    arrays; above O(n d^2), two (d, d) matrices and a few blocks of rows.
    """
    n, _ = a.shape
    groups = groups or Groups.alone(n)
    if scores is None and n <= full_matrix_pairs:
        scores = centred_scores(a, b, mean_a, mean_b)
    if scores is not None:
        return _from_scores(a, b, mean_a, mean_b, scores, groups, pull=pull)
    if scatter_a is None:
        scatter_a = scatter(a, mean_a)
    if scatter_b is None:
        scatter_b = scatter(b, mean_b)
    return _in_closed_form(a, b, mean_a, mean_b, scatter_a, scatter_b, groups, pull=pull, swept=swept)


def _from_scores(
    a: UnitRows, b: UnitRows, mean_a: MeanRow, mean_b: MeanRow, scores: CentredScores, groups: Groups, *, pull: bool
) -> PairSums:
    """Sums over the score matrix itself."""
    unrelated = scores.link + scores.p[:, None]
    unrelated += scores.q[None, :]
    floor = _floor_about(unrelated, groups)
    unrelated -= floor
    own = np.diagonal(unrelated).copy()
    if groups.are_pairs:
        np.fill_diagonal(unrelated, 0.0)
    else:
        unrelated[groups.labels[:, None] == groups.labels[None, :]] = 0.0
    about = float(mean_a.mean @ mean_b.mean) + floor
    sums_a, sums_b = _group_sums(a, groups), _group_sums(b, groups)
    kin = (1.0, 1.0, about + float(own.mean()))
    if sums_a is not None and sums_b is not None:
        kin_a, kin_b, kin_ab = (float(_dots(x, y).sum()) / groups.n for x, y in _all_kinds(sums_a, sums_b))
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
        pull_a=_pull_from_scores(a, b, unrelated, own, mean_b.total, sums_b, groups) if pull else None,
        pull_b=_pull_from_scores(b, a, unrelated.T, own, mean_a.total, sums_a, groups) if pull else None,
        **_own_sums(about, own, groups),
    )


class _OwnSums(TypedDict):
    own_about: float
    own: Float64Array
    own_squares: Float64Array


def _own_sums(about: float, own: Float64Array, groups: Groups) -> _OwnSums:
    """Sums of own cosines about their own mean, from their distances to `about`."""
    middle = float(own.mean())
    return {
        "own_about": about + middle,
        "own": groups.total(own - middle),
        "own_squares": groups.total((own - middle) ** 2),
    }


def _floor_about(scores: Float64Array, groups: Groups) -> float:
    """Mean of the unrelated scores of a full matrix."""
    if groups.are_pairs:
        related = float(np.trace(scores))
    else:
        related = float(scores[groups.labels[:, None] == groups.labels[None, :]].sum())
    return (float(scores.sum()) - related) / groups.unrelated


def _group_sums(rows: UnitRows, groups: Groups) -> Float64Array | None:
    """(G, d) sums of unit rows, for few pairs; `None` where every pair is alone."""
    if groups.are_pairs:
        return None
    sums = np.zeros((groups.count, rows.shape[1]))
    for block in rows.blocks():
        np.add.at(sums, groups.labels[block], rows[block])
    return sums


def _all_kinds(of_a: Float64Array, of_b: Float64Array) -> tuple[tuple[Float64Array, Float64Array], ...]:
    return (of_a, of_a), (of_b, of_b), (of_a, of_b)


def _dots(x: Float64Array, y: Float64Array) -> Float64Array:
    """(m,) row-wise dot products."""
    return np.asarray(np.einsum("ij,ij->i", x, y))


def _pull_from_scores(
    x: UnitRows,
    y: UnitRows,
    unrelated: Float64Array,
    own: Float64Array,
    total_y: Float64Array,
    group_sums_y: Float64Array | None,
    groups: Groups,
) -> Float64Array:
    """(4, d) pull of x's mean; `unrelated` holds S_ij - c, x down and y across, zero within groups."""
    found = Pull(x.shape[1])
    for block in x.blocks():
        units, lengths = directions(x, block)
        scored = np.zeros_like(units)
        for columns in y.blocks():
            scored += unrelated[block, columns] @ y[columns]
        partner, kin = y[block], None
        if group_sums_y is None:
            scored += own[block, None] * partner  # taken off again with the partner
        else:
            kin = group_sums_y[groups.labels[block]]
        found.add(units, lengths, partner=partner, own=own[block], total=total_y, scored=scored, kin=kin)
    return found.about_own_mean(float(own.mean()))


def _kin_of(
    batch: GroupBatch, a: Float64Array, b: Float64Array, all_a: Float64Array | None, all_b: Float64Array | None
) -> Float64Array:
    """(3,) sums of |A_g|^2, |B_g|^2 and A_g . B_g over a batch's groups."""
    if all_a is None or all_b is None:
        return np.array([len(a), len(b), float(_dots(a, b).sum())])
    if batch.rows[0, 0] != batch.members[0, 0]:
        return np.zeros(3)  # a large group comes in parts; it was counted with the first
    return np.array([_dots(x, y).sum() for x, y in _all_kinds(all_a.sum(axis=1), all_b.sum(axis=1))])


@dataclass(slots=True, eq=False)
class _Side:
    """What the closed form gathers for one side, x, scored against the other, y."""

    mean: Float64Array
    mean_y: Float64Array
    scatter_y: Float64Array
    total_y: Float64Array
    rows: Float64Array
    squares: Float64Array
    pull: Pull | None


def _in_closed_form(
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
        _Side(m_x.mean, m_y.mean, scatter_y, m_y.total, np.empty(n), np.empty(n), Pull(dim) if pull else None)
        for m_x, m_y, scatter_y in ((mean_a, mean_b, scatter_b), (mean_b, mean_a, scatter_a))
    ]
    own, kin, linked, all_squares = np.empty(n), np.zeros(3), 0.0, 0.0
    for batch in groups.batches(dim):
        (a_rows, a_lengths, a_all), (b_rows, b_lengths, b_all) = _taken(a, batch), _taken(b, batch)
        rows = batch.rows.ravel()
        alpha, beta = a_rows - mean_a.mean, b_rows - mean_b.mean
        link = _dots(alpha, beta)
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
        **_own_sums(k, own, groups),
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
    side.rows[rows] = -within.sum(axis=2).ravel()
    side.squares[rows] = -(within**2).sum(axis=2).ravel()
    if is_swept and side.pull is None:
        return 0.0
    scored = units @ side.scatter_y
    squares = _dots(scored, units) + n * p**2
    if not is_swept:
        side.rows[rows] += n * p
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
    """Add a sweep's sums, moved from its own centre to k, to both sides."""
    move = swept.about - k
    for side, sums, squares in zip(
        sides, (swept.rows, swept.columns), (swept.row_squares, swept.column_squares), strict=True
    ):
        # The sweep leaves the partner out, and so must what is taken off for the group.
        side.rows += sums + (n - 1) * move + own
        side.squares += squares + 2 * move * sums + (n - 1) * move**2 + own**2
    return float(sides[0].squares.sum())


def _closed_rounding(all_squares: float, own: Float64Array, groups: Groups) -> float:
    """Variance that the difference of whole and own squares can round to (STATISTICS: no spread)."""
    size = max(all_squares, float(own @ own)) + float(np.abs(own).sum())
    return max(64 * _EPS * size / groups.unrelated, NO_SPREAD**2)
