"""The delete-one jackknife: how far a figure moves when each pair is left out.

Pairs are the unit, not scores: the n(n-1) floor scores share n rows, and an error that
treats them as independent covers the truth in 8 to 67 % of cases instead of 95 %. With
groups, a whole group is left out at a time.

theta_(-g) is the figure without group g; Var = (G-1)/G sum (theta_(-g) - mean)^2.
Source: Arvesen 1969, "Jackknifing U-statistics".

Symbols as in `core.pair_sums`; M_g = unrelated pairs left without group g.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD
from core.pair_sums import PairSums
from core.pull import OFF, OFF_SQUARES, OWN, OWN_SQUARES

__all__ = ["Figures", "figures", "figures_without_each", "jackknife_error"]

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figures:
    """The figures of one reading; numbers, or (G,) arrays of the figures without each group.

    Attributes
    ----------
    matched, floor, gap
        Mean cosines and their difference; the floor over pairs of different groups.
    gap_over_floor_sd, cohens_d
        Population spreads (ddof 0); `None` where a spread is no more than rounding.
    """

    matched: Float64Array
    floor: Float64Array
    gap: Float64Array
    gap_over_floor_sd: Float64Array | None
    cohens_d: Float64Array | None


def figures(sums: PairSums) -> Figures:
    """The figures of all pairs, as arrays of no dimension."""
    whole = (sums.own.sum(), sums.own_squares.sum(), sums.rows.sum(), sums.row_squares.sum())
    return _from_sums(whole, sums, np.asarray(sums.groups.n), np.asarray(sums.groups.unrelated))


def figures_without_each(sums: PairSums, shifts: Float64Array | None = None) -> Figures:
    """The figures without each group, one after the other.

    Parameters
    ----------
    sums : PairSums
        With at least 3 groups.
    shifts : (4, G) float64, optional
        From `core.mean_shift`, for a mean fitted on the compared rows.
    """
    groups = sums.groups
    without = [
        sums.own.sum() - sums.own,
        sums.own_squares.sum() - sums.own_squares,
        sums.rows.sum() - sums.rows - sums.columns,
        sums.row_squares.sum() - sums.row_squares - sums.column_squares,
    ]
    if shifts is not None:
        without = [part + shift for part, shift in zip(without, shifts, strict=True)]
    left = groups.n - groups.sizes
    unrelated = groups.unrelated - 2 * groups.sizes * left
    return _from_sums(tuple(without), sums, left, unrelated)


def jackknife_error(values: Float64Array) -> float:
    """Standard error from the values without each of G groups."""
    count = len(values)
    spread = values - values.mean()
    return math.sqrt((count - 1) / count * float(spread @ spread))


def _from_sums(
    sums: tuple[Float64Array, ...], source: PairSums, pairs: NDArray[np.int64], unrelated: NDArray[np.int64]
) -> Figures:
    own, floor = sums[OWN] / pairs, sums[OFF] / unrelated
    variance_own = np.maximum(sums[OWN_SQUARES] / pairs - own**2, 0.0)
    variance_floor = np.maximum(sums[OFF_SQUARES] / unrelated - floor**2, 0.0)
    gap = (source.own_about - source.about) + own - floor
    has_spread = bool(np.all(variance_floor > source.rounding))
    pooled = (variance_own + np.where(variance_floor > source.rounding, variance_floor, 0.0)) / 2
    return Figures(
        matched=source.own_about + own,
        floor=source.about + floor,
        gap=gap,
        gap_over_floor_sd=gap / np.sqrt(variance_floor) if has_spread else None,
        cohens_d=gap / np.sqrt(pooled) if bool(np.all(pooled > NO_SPREAD**2)) else None,
    )
