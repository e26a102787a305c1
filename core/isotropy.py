"""How one side's rows are spread: what a mean cosine does, and does not, see.

Anisotropy is the mean cosine between different rows. It sees one shared direction, and
nothing else: rows spread *both ways* along one axis have anisotropy near 0 and still
give cosines near 1 and -1. So beside it stand

- its parts by dimension, which sum to it exactly (a few huge dimensions are common);
- the participation ratio, how many directions carry the variance, and IsoScore, the same
  on a scale from one line (0) to all directions alike (1);
- the share of the variance along the top principal axis;
- the root mean square cosine, which does not let +1 and -1 cancel.

All on unit rows: a few long rows dominate the variance of rows that are not.

Symbols: u unit rows, m their mean, alpha = u - m, S their covariance (ddof 1).
Sources: Ethayarajh 2019 (anisotropy); Timkey and van Schijndel 2021 (by dimension);
Rudman et al. 2022 (IsoScore; equal to (PR - 1)/(d - 1)); Himeno and Yamada 2014
(unbiased traces).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.anisotropy import anisotropy
from core.groups import Groups
from core.intervals import MIN_GROUPS, Interval, jackknife_interval
from core.limits import FULL_MATRIX_PAIRS, SCATTER_COLUMNS
from core.prepared import Rows, distances_from
from core.rows import MeanRow
from core.scatter import Scatter, scatter
from core.ticks import Tick, each, no_tick

__all__ = [
    "DimensionShare",
    "SideMoments",
    "SideShape",
    "anisotropy_between",
    "anisotropy_interval",
    "participation_ratio",
    "side_moments",
    "side_shape",
    "squared_offset",
    "unbiased_traces",
]

Float64Array = NDArray[np.float64]

#: Dimensions named.
TOP_DIMENSIONS = 3

#: Below this anisotropy nothing else warns that cosines can be high; the convention of the reference.
LOW_ANISOTROPY = 0.3

#: How far from "all directions alike" (0) to "one line" (1) counts as spread along one axis.
ONE_AXIS = 0.5


#: Fewer rows: the top axis carries much of the variance by chance.
ENOUGH_ROWS = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SideMoments:
    """Sums over one side's unit rows about their mean.

    Attributes
    ----------
    mean
        Of the unit rows.
    groups
        Of the rows.
    along : (G,)
        sum alpha_i . m by group.
    group_squares : (G,)
        |sum of alpha_i|^2 by group.
    along_squares
        sum (alpha_i . m)^2.
    dimension_squares : (d,)
        sum alpha_ik^2.
    trace, fourth
        sum |alpha_i|^2 and sum |alpha_i|^4.
    squared
        Squared Frobenius norm of the scatter matrix; `None` where that is too large to make.
    top
        Its largest eigenvalue; `None` likewise.
    """

    mean: MeanRow
    groups: Groups
    along: Float64Array
    group_squares: Float64Array
    along_squares: float
    dimension_squares: Float64Array
    trace: float
    fourth: float
    squared: float | None
    top: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionShare:
    """One dimension's part of the anisotropy.

    Attributes
    ----------
    dimension
        Column, counting from 0.
    cosine
        Its part of the mean cosine of different rows; without groups that is the anisotropy.
    share
        Of that mean.
    """

    dimension: int
    cosine: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SideShape:
    """How one side's unit rows are spread.

    Attributes
    ----------
    anisotropy
        With its interval.
    top_dimensions
        Largest parts of it; empty unless the anisotropy is above twice its error.
    participation_ratio
        Number of directions that carry the variance, free of the bias of few rows, so it
        can fall outside [1, d]; `None` for fewer than 4 rows or no variance.
    isoscore
        (participation ratio - 1) / (d - 1), in [0, 1] up to the same noise.
    top_share
        Share of the variance about the mean along the first principal axis.
    rms_cosine
        Root mean square cosine between different rows.
    both_ways
        True where rows lie both ways along one axis, so that anisotropy is low though
        cosines are large.
    """

    anisotropy: Interval
    top_dimensions: tuple[DimensionShare, ...]
    participation_ratio: float | None
    isoscore: float | None
    top_share: float | None
    rms_cosine: float | None
    both_ways: bool


def side_moments(
    rows: Rows,
    mean: MeanRow,
    *,
    groups: Groups | None = None,
    about_mean: Scatter | None = None,
    tick: Tick = no_tick,
) -> SideMoments:
    """Gather one side's sums.

    Parameters
    ----------
    rows : Rows
        (n, d) side.
    mean : MeanRow
        Of exactly these rows.
    groups : Groups, optional
        Each row alone by default.
    about_mean : Scatter, optional
        The `scatter` of these rows, if at hand already.
    tick : callable
        Called between blocks.

    Notes
    -----
    Accumulated in float64. Time O(n d min(n, d)): by way of the n-by-n matrix of products
    where that is smaller.
    """
    n, dim = rows.shape
    groups = groups or Groups.alone(n)
    along, lengths = np.empty(n), np.empty(n)
    group_squares, dimension_squares = np.zeros(groups.count), np.zeros(dim)
    for batch in each(groups.batches(dim), tick):
        index = batch.members.ravel()
        if batch.rows[0, 0] != batch.members[0, 0]:
            continue  # a large group comes in parts, whole each time; take it once
        deviations = distances_from(rows, index, mean.mean)
        along[index] = deviations @ mean.mean.astype(deviations.dtype)
        lengths[index] = np.einsum("ij,ij->i", deviations, deviations)
        dimension_squares += np.einsum("ij,ij->j", deviations, deviations)
        sums = deviations.reshape(*batch.members.shape, dim).sum(axis=1)
        group_squares[groups.labels[batch.members[:, 0]]] = np.einsum("ij,ij->i", sums, sums)
    squared, top = _spectrum(rows, mean, about_mean, tick)
    return SideMoments(
        mean=mean,
        groups=groups,
        along=groups.total(along),
        group_squares=group_squares,
        along_squares=float(along @ along),
        dimension_squares=dimension_squares,
        trace=float(lengths.sum()),
        fourth=float(lengths @ lengths),
        squared=squared,
        top=top,
    )


def _spectrum(rows: Rows, mean: MeanRow, about_mean: Scatter | None, tick: Tick) -> tuple[float | None, float | None]:
    """Squared norm and top eigenvalue of the scatter matrix, from it or from products of rows."""
    n, dim = rows.shape
    if about_mean is None:
        if n < dim and n <= FULL_MATRIX_PAIRS:
            products = _products(rows, mean, tick)
            return float(np.vdot(products, products)), _top_eigenvalue(products, tick)
        if dim <= SCATTER_COLUMNS:
            about_mean = scatter(rows, mean, tick)
        else:
            return None, None
    return about_mean.dot(about_mean, tick), _top_eigenvalue(about_mean, tick)


def _products(rows: Rows, mean: MeanRow, tick: Tick) -> Float64Array:
    """(n, n) alpha_i . alpha_j, which has the scatter matrix's norm and eigenvalues."""
    n = rows.shape[0]
    products = np.empty((n, n))
    for block in rows.blocks():
        left = rows[block] - mean.mean
        products[block, block] = left @ left.T
        for columns in each(rows.blocks(), tick):
            if columns.start < block.start:
                products[block, columns] = left @ (rows[columns] - mean.mean).T
                products[columns, block] = products[block, columns].T
    return products


def _top_eigenvalue(matrix: Float64Array | Scatter, tick: Tick = no_tick) -> float:
    """Largest eigenvalue of a symmetric matrix without negative ones."""
    from scipy.sparse.linalg import LinearOperator, eigsh  # imported here: `import core` stays light

    size = matrix.dim if isinstance(matrix, Scatter) else len(matrix)
    if size <= 64:
        return float(np.linalg.eigvalsh(matrix.whole() if isinstance(matrix, Scatter) else matrix)[-1])
    # A fixed start, or ARPACK would draw one: the same input must give the same digits.
    start = np.random.default_rng(0).standard_normal(size)
    if not any(np.any(panel) for panel in (matrix.panels if isinstance(matrix, Scatter) else (matrix,))):
        return 0.0

    held = [matrix]

    def product(vector: Float64Array) -> Float64Array:
        tick()
        (whole,), row = held, vector.reshape(1, size)
        return np.asarray((whole.times(row) if isinstance(whole, Scatter) else row @ whole)[0])

    ticking = LinearOperator((size, size), matvec=product, dtype=np.float64)
    try:
        return float(eigsh(ticking, k=1, which="LA", v0=start, tol=1e-9, return_eigenvectors=False)[0])
    finally:
        held.clear()  # scipy's objects refer to each other and would keep the matrix until they are collected


def anisotropy_between(moments: SideMoments) -> float:
    """Mean cosine between rows of different groups; without groups between different rows, `core.anisotropy`.

    With S_g the sum of a group's unit rows, (|sum S_g|^2 - sum |S_g|^2) / (n^2 - sum n_g^2): rows of one
    group are alike for what they are, not for a direction that all rows share.
    """
    groups = moments.groups
    if groups.are_pairs:
        return anisotropy(moments.mean)
    k = float(moments.mean.mean @ moments.mean.mean)
    return k - float(_beyond_mean(moments).sum()) / groups.unrelated


def _beyond_mean(moments: SideMoments) -> Float64Array:
    """(G,) what each group scores within, itself included, beyond n_g^2 k: |S_g|^2 - n_g^2 k with k = |m|^2."""
    return np.asarray(moments.group_squares + 2 * moments.groups.sizes * moments.along)


def anisotropy_interval(moments: SideMoments) -> Interval:
    """Anisotropy of one side with its jackknife interval, over rows of different groups.

    Leaving group g out of sum_{h != l} S_h . S_l, about k = |m|^2 each, takes away twice n alpha_g . m and what
    the group scores with the others, of which |S_g|^2 had been left out before.
    """
    groups, n = moments.groups, moments.groups.n
    value = anisotropy_between(moments)
    if groups.count < MIN_GROUPS:
        reason = f"fewer than {MIN_GROUPS} independent rows or groups"
        return Interval(estimate=value, error=None, low=None, high=None, reason=reason)
    k = float(moments.mean.mean @ moments.mean.mean)
    left, within = n - groups.sizes, _beyond_mean(moments)
    if groups.are_pairs:
        sums = within - 2 * n * moments.along - left * (1 - k)
        return jackknife_interval(value, k + sums / (left * (left - 1)), df=groups.df, bounds=(-1 / (n - 1), 1.0))
    sums = 2 * within - float(within.sum()) - 2 * n * moments.along
    pairs = left**2 - (n**2 - groups.unrelated - groups.sizes**2)
    return jackknife_interval(value, k + sums / pairs, df=groups.df, bounds=(-1.0, 1.0))


def unbiased_traces(moments: SideMoments) -> tuple[float, float] | None:
    """Unbiased tr(Sigma^2) and tr(Sigma)^2 of the covariance of the unit rows.

    With S the covariance (ddof 1), q = sum |alpha_i|^4 / (n-1), h = (n-1)/(n(n-2)(n-3)):
    tr Sigma^2 = h [(n-1)(n-2) tr S^2 + (tr S)^2 - n q] and
    (tr Sigma)^2 = h [2 tr S^2 + (n^2 - 3n + 1)(tr S)^2 - n q].
    `None` for fewer than 4 rows, where the scatter matrix was not made, or with groups, whose rows are no
    independent draws.
    """
    n = moments.mean.n_rows
    if n < 4 or moments.squared is None or not moments.groups.are_pairs:
        return None
    trace, squared = moments.trace / (n - 1), moments.squared / (n - 1) ** 2
    q = moments.fourth / (n - 1)
    h = (n - 1) / (n * (n - 2) * (n - 3))
    return (
        h * ((n - 1) * (n - 2) * squared + trace**2 - n * q),
        h * (2 * squared + (n**2 - 3 * n + 1) * trace**2 - n * q),
    )


def participation_ratio(moments: SideMoments) -> float | None:
    """Number of directions that carry the variance: (tr Sigma)^2 / tr Sigma^2, both unbiased.

    The plain ratio of few rows is far too small: 74 for 100 rows of a cloud spread over
    300 directions alike, where this gives 300. `None` where undefined.
    """
    traces = unbiased_traces(moments)
    # Rounding of a constant side leaves about 1e-32 where exact arithmetic leaves 0.
    if traces is None or traces[0] <= 1e-28:
        return None
    return traces[1] / traces[0]


def side_shape(moments: SideMoments) -> SideShape:
    """All that is said about how one side's rows are spread. Cost O(d) beside its parts."""
    interval = anisotropy_interval(moments)
    n, dim = moments.mean.n_rows, len(moments.dimension_squares)
    ratio = participation_ratio(moments)
    top = None if moments.top is None or moments.trace <= 0 else moments.top / moments.trace
    return SideShape(
        anisotropy=interval,
        top_dimensions=_top_dimensions(moments, interval),
        participation_ratio=ratio,
        isoscore=None if ratio is None or dim < 2 else (ratio - 1) / (dim - 1),
        top_share=top,
        rms_cosine=_rms_cosine(moments),
        both_ways=_both_ways(top, moments, interval.estimate or 0.0) if n >= ENOUGH_ROWS and dim >= 2 else False,
    )


def _top_dimensions(moments: SideMoments, interval: Interval) -> tuple[DimensionShare, ...]:
    value, error = interval.estimate, interval.error
    if value is None or error is None or value <= 2 * error:
        return ()
    n, mean = moments.mean.n_rows, moments.mean.mean
    squares = moments.dimension_squares + n * mean**2
    parts, whole = ((n * mean) ** 2 - squares) / (n * (n - 1)), anisotropy(moments.mean)
    largest = np.argsort(-parts, kind="stable")[:TOP_DIMENSIONS]
    return tuple(
        DimensionShare(dimension=int(place), cosine=float(parts[place]), share=float(parts[place]) / whole)
        for place in largest
    )


def _rms_cosine(moments: SideMoments) -> float | None:
    """From sum_ij (u_i . u_j)^2 = |scatter|^2 + 2n sum (alpha_i . m)^2 + n^2 |m|^4, less the n ones."""
    if moments.squared is None:
        return None
    n, k = moments.mean.n_rows, float(moments.mean.mean @ moments.mean.mean)
    total = moments.squared + 2 * n * moments.along_squares + n**2 * k**2
    return math.sqrt(max(total - n, 0.0) / (n * (n - 1)))


def _both_ways(top_share: float | None, moments: SideMoments, value: float) -> bool:
    if top_share is None or value >= LOW_ANISOTROPY:
        return False
    dim, n = len(moments.dimension_squares), moments.mean.n_rows
    of_all = top_share * moments.trace / n  # of all squared length, the mean's included
    return (of_all - 1 / dim) / (1 - 1 / dim) > ONE_AXIS


def squared_offset(anisotropy_a: float, anisotropy_b: float, floor: float) -> float:
    """Unbiased squared distance between the two sides' mean unit rows: A_a + A_b - 2 f.

    Near 0 where both sides sit in the same place, up to 4; can fall below 0 by noise.
    """
    return anisotropy_a + anisotropy_b - 2 * floor
