"""The gap with one pair left out at a time: what every error of a gap is made of.

A gap (matched mean minus floor mean) has one value per left-out pair, and the spread of
those n values is its standard error. The same n values serve every comparison of gaps on
the same items: *differences* of gaps have differences of values, so what the conditions
share drops out of their error.

Symbols: n pairs; s_k = A_k . B_k; D = sum of s_k; T = (sum A) . (sum B);
w_k = (A_k - mean A) . (B_k - mean B); gap = sum of w_k / (n - 1), exactly. For centred
rows mu is the subtracted mean and rho_k the length of a row before it was made unit again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.intervals import CONFIDENCE, MIN_GROUPS, NO_ERROR
from core.jackknife import jackknife_error
from core.mean_shares import Kin, compared_among
from core.means import Means, fit_means
from core.rows import UnitRows, own_cosines, unit_rows
from core.ticks import Tick, each, no_tick

__all__ = ["BothGaps", "GapValues", "both_gaps", "centred_gap_values", "gap_values"]

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GapValues:
    """A gap and its value with each pair left out.

    Attributes
    ----------
    gap
        Matched mean minus floor mean.
    delete_one
        (n,) float64: the gap without pair i.
    """

    gap: float
    delete_one: Float64Array

    @property
    def n(self) -> int:
        return len(self.delete_one)

    @property
    def error(self) -> float:
        """Jackknife standard error."""
        return jackknife_error(self.delete_one)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval, t with n - 1; `None` with too few pairs, or where all leave the same gap."""
        if self.n < MIN_GROUPS or self.error <= NO_ERROR:
            return None
        from scipy.special import stdtrit  # imported here: `import core` stays light

        half = float(stdtrit(self.n - 1, (1 + CONFIDENCE) / 2)) * self.error
        return self.gap - half, self.gap + half

    @property
    def pseudo_values(self) -> Float64Array:
        """(n,) n gap - (n - 1) gap_-i: their mean is the gap, their spread its error."""
        return self.n * self.gap - (self.n - 1) * self.delete_one


def gap_values(a: UnitRows, b: UnitRows, tick: Tick = no_tick) -> GapValues:
    """Gap of two sides of one reading, whose means are taken as given.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) rows, raw, or centred on means of *other* rows; n >= 3.

    Notes
    -----
    With W the sum of w_k, the gap without pair i is (W - w_i n / (n - 1)) / (n - 2).
    Nothing cancels, so differences of 1e-12 between two precisions come out right.
    Time O(n d), one block of rows in memory.
    """
    return _from_products(_centred_products(a, b, tick))


def centred_gap_values(a: UnitRows, b: UnitRows, means: Means, tick: Tick = no_tick) -> GapValues:
    """Gap of two centred sides, the means being estimates too.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) rows centred on `means`; n >= 3.
    means : Means
        Own or shared, of the compared rows or of fit rows.

    Returns
    -------
    GapValues
        Corrected as `core.intervals` corrects a gap: for means of the compared rows times
        (n - 1) / n, which takes out what centring on them forces.

    Notes
    -----
    Leaving a pair out moves a mean that its rows helped to fit, and that part does not
    shrink with n: each value gets the gradient of the gap times the move, for own means
    mu_-i - mu = -(u_i - mu)/(n-1). A mean of fit rows stays: the error is conditional on it.
    Time O(n d), a few blocks of rows in memory.
    """
    plain = gap_values(a, b, tick)
    delete_one = plain.delete_one + _moved_by_means(a, b, means, tick)
    factor = _correction(a, b, means, tick)
    return GapValues(gap=factor * plain.gap, delete_one=factor * delete_one)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BothGaps:
    """The gap of one comparison in both readings.

    Attributes
    ----------
    raw
        Always there.
    centred
        `None` where centring leaves a row without direction.
    """

    raw: GapValues
    centred: GapValues | None


def both_gaps(
    a: RealArray,
    b: RealArray,
    fit_a: RealArray | None = None,
    fit_b: RealArray | None = None,
    *,
    shared_mean: bool = False,
    tick: Tick = no_tick,
) -> BothGaps:
    """Gap and delete-one values of one comparison, raw and centred.

    Parameters
    ----------
    a, b : (n, d) real arrays
        Stored rows, finite and not zero, n >= 3; row i belongs with row i.
    fit_a, fit_b : (m, d) real arrays, optional
        Rows to fit the means on instead of the compared rows.
    shared_mean : bool
        One mean for both sides.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O((n + m) d).
    """
    raw_a, raw_b = UnitRows(a), UnitRows(b)
    own = (raw_a.mean_row(tick), raw_b.mean_row(tick))
    among = compared_among((a, b), fit_a, fit_b, means=own, tick=tick)
    means = fit_means(*own, fit_a, fit_b, shared=shared_mean, among=among, tick=tick)
    centred_a, centred_b = UnitRows(a, means.a), UnitRows(b, means.b)
    lost = len(centred_a.lost(tick)) or len(centred_b.lost(tick))
    return BothGaps(
        raw=gap_values(raw_a, raw_b, tick),
        centred=None if lost else centred_gap_values(centred_a, centred_b, means, tick),
    )


def _correction(a: UnitRows, b: UnitRows, means: Means, tick: Tick) -> float:
    """What undoes the inflation by means that the compared rows helped to fit."""
    if not means.shares.any:
        return 1.0
    return 1 - means.shares.shortened(Kin(a=1.0, b=1.0, ab=float(own_cosines(a, b, tick).mean()))) / a.shape[0]


def _centred_products(a: UnitRows, b: UnitRows, tick: Tick) -> Float64Array:
    """(n,) w_k."""
    mean_a, mean_b = a.mean_row(tick).mean, b.mean_row(tick).mean
    products = np.empty(a.shape[0])
    for block in each(a.blocks(), tick):
        products[block] = np.einsum("ij,ij->i", a[block] - mean_a, b[block] - mean_b)
    return products


def _from_products(products: Float64Array) -> GapValues:
    n = len(products)
    total = float(products.sum())
    return GapValues(gap=total / (n - 1), delete_one=(total - products * (n / (n - 1))) / (n - 2))


def _moved_by_means(a: UnitRows, b: UnitRows, means: Means, tick: Tick) -> Float64Array:
    """(n,) what leaving a pair out adds to its gap through the means it helped to fit."""
    n = a.shape[0]
    moved = np.zeros(n)
    if not means.shares.any:
        return moved
    pulls = [(means.a, means.shares.a, _gradient(a, b, tick)), (means.b, means.shares.b, _gradient(b, a, tick))]
    if means.shared:
        pulls = [(means.a, means.shares.a, pulls[0][2] + pulls[1][2])]
    for mean, shares, pull in pulls:
        for side, centre, share in ((a, means.a, shares[0]), (b, means.b, shares[1])):
            for block in each(side.blocks() if share else (), tick):
                along = _shifted(side, block) @ pull + (centre - mean) @ pull
                moved[block] -= share * along / (n - sum(shares))
    return moved


def _gradient(side: UnitRows, other: UnitRows, tick: Tick) -> Float64Array:
    """(d,) how the gap changes with the mean that `side` is centred on."""
    n, dim = side.shape
    total = other.mean_row(tick).total
    own, floor = np.zeros(dim), np.zeros(dim)
    for block in each(side.blocks(), tick):
        rows, partners = side[block], other[block]
        shifted = _shifted(side, block)
        inverse = 1 / np.sqrt(np.einsum("ij,ij->i", shifted, shifted))
        cosines = np.einsum("ij,ij->i", rows, partners)
        own -= ((partners - cosines[:, None] * rows) * inverse[:, None]).sum(axis=0)
        floor -= ((total - (rows @ total)[:, None] * rows) * inverse[:, None]).sum(axis=0)
    gradient: Float64Array = own / (n - 1) - (floor - own) / ((n - 1) * (n - 2))
    return gradient


def _shifted(side: UnitRows, block: slice) -> Float64Array:
    """(m, d) unit rows less the mean, before they are made unit again."""
    if side.mean is None:
        raise ValueError("the rows are not centred")
    shifted: Float64Array = unit_rows(side.stored[block]) - side.mean
    return shifted
