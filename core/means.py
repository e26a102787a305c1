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
from core.rows import MeanRow, UnitRows

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
    """

    row: MeanRow
    from_fit_file: bool


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
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    fitted_a: FittedMean
    fitted_b: FittedMean
    shared: bool


def fit_means(
    compared_a: MeanRow,
    compared_b: MeanRow,
    fit_a: RealArray | None,
    fit_b: RealArray | None,
    *,
    shared: bool,
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
    """
    fitted_a, fitted_b = _fitted(compared_a, fit_a), _fitted(compared_b, fit_b)
    mean_a, mean_b = fitted_a.row.mean, fitted_b.row.mean
    if shared:
        rows = fitted_a.row.n_rows + fitted_b.row.n_rows
        mean_a = mean_b = mean_a + (mean_b - mean_a) * (fitted_b.row.n_rows / rows)
    return Means(a=mean_a, b=mean_b, fitted_a=fitted_a, fitted_b=fitted_b, shared=shared)


def _fitted(compared: MeanRow, fit: RealArray | None) -> FittedMean:
    if fit is None:
        return FittedMean(row=compared, from_fit_file=False)
    return FittedMean(row=UnitRows(fit).mean_row(), from_fit_file=True)
