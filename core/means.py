"""Which mean each side is centred on, and where it comes from.

A side's mean is fitted on its fit rows where given, else on the compared rows
themselves; with a *shared* mean, one mean over both sides' fit rows stacked, so that a
longer fit array weighs more. Always the mean of the *unit* rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.mean_shares import ComparedAmong, MeanShares
from core.rows import MeanRow, UnitRows
from core.ticks import Tick, no_tick

__all__ = ["FittedMean", "Means", "fit_means"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedMean:
    """The rows one side contributes to its mean.

    Attributes
    ----------
    row
        Mean of those unit rows.
    from_fit_file
        True for a fit array, False for the compared rows.
    shares
        Of its rows, the share that compared rows of A, and of B, make up: every one of a
        side as often as any other. A fit array may hold them too.
    """

    row: MeanRow
    from_fit_file: bool
    shares: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What both sides are centred on.

    Attributes
    ----------
    a, b
        (d,) float64: the vector subtracted from the unit rows of each side.
    fitted_a, fitted_b
        Where they come from.
    shared
        True when `a` and `b` are one mean over both sides' fit rows.
    shares
        How much of `a` and of `b` is made of compared rows.
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    fitted_a: FittedMean
    fitted_b: FittedMean
    shared: bool
    shares: MeanShares


def fit_means(
    compared_a: MeanRow,
    compared_b: MeanRow,
    fit_a: RealArray | None,
    fit_b: RealArray | None,
    *,
    shared: bool,
    among: tuple[ComparedAmong, ComparedAmong] = (ComparedAmong(), ComparedAmong()),
    tick: Tick = no_tick,
) -> Means:
    """Choose and compute the means from what is given.

    Parameters
    ----------
    compared_a, compared_b : MeanRow
        Means of the compared rows, already known from the anisotropy.
    fit_a, fit_b : (m, d) real arrays or None
        Rows to fit the means on instead.
    shared : bool
        One mean for both sides, every row weighing the same.
    among : (ComparedAmong, ComparedAmong)
        Compared rows among `fit_a` and `fit_b`, from `core.mean_shares.compared_among`.
    tick : callable
        Called between blocks.
    """
    n = compared_a.n_rows
    fitted_a = _fitted(compared_a, (1.0, 0.0), fit_a, among[0], n, tick)
    fitted_b = _fitted(compared_b, (0.0, 1.0), fit_b, among[1], n, tick)
    mean_a, mean_b = fitted_a.row.mean, fitted_b.row.mean
    shares = MeanShares(a=fitted_a.shares, b=fitted_b.shares)
    if shared:
        of_b = fitted_b.row.n_rows / (fitted_a.row.n_rows + fitted_b.row.n_rows)
        mean_a = mean_b = mean_a + (mean_b - mean_a) * of_b
        both = tuple((1 - of_b) * a + of_b * b for a, b in zip(shares.a, shares.b, strict=True))
        shares = MeanShares(a=(both[0], both[1]), b=(both[0], both[1]))
    return Means(a=mean_a, b=mean_b, fitted_a=fitted_a, fitted_b=fitted_b, shared=shared, shares=shares)


def _fitted(
    compared: MeanRow, own: tuple[float, float], fit: RealArray | None, among: ComparedAmong, n: int, tick: Tick
) -> FittedMean:
    if fit is None:
        return FittedMean(row=compared, from_fit_file=False, shares=own)
    row = UnitRows(fit).mean_row(tick)
    copies_a, copies_b = among.copies
    return FittedMean(row=row, from_fit_file=True, shares=(copies_a * n / row.n_rows, copies_b * n / row.n_rows))
