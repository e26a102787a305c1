"""Two sides that are nearly the same: what 0.9999 hides.

Copies of one embedding, in half precision or from another runtime, score 1.0000 however
they are rounded, and 1 - dot loses every digit that matters. Half the squared distance of
unit rows is the same number and keeps them: 1 - cos = |a - b|^2 / 2.

A gap says nothing here. The measure is the share of the unrelated distance that was lost,
(1 - matched) / (1 - floor): 0 for identical rows, 1 for rows no closer than unrelated ones.

Symbols: h_i = |a_i - b_i|^2 / 2 = 1 - s_i.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.intervals import MIN_GROUPS, NO_ERROR, NOTHING_CHANGES, Interval
from core.jackknife import figures, figures_without_each, jackknife_error
from core.pair_sums import PairSums
from core.rows import UnitRows
from core.ticks import Tick, each, no_tick

__all__ = ["NEARLY_SAME", "Closeness", "SameRows", "closeness", "half_squared_distances", "same_rows"]

Float64Array = NDArray[np.float64]

#: Matched mean from which 1 - cos is worth more than the cosine.
NEARLY_SAME = 0.999

#: Every pair is one direction up to the rounding of float64, or up to that of the stored type; empty otherwise.
SameRows = Literal["to rounding", "as stored", ""]

#: Coarser types are not "as stored": float16 copies score 0.99999998, which an audit of precision is about.
_COARSEST = float(np.finfo(np.float32).eps)

#: Rounding counts as none only where it is next to nothing of the distance of unrelated rows.
_OF_UNRELATED = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """How near the rows of A are to their partners.

    Attributes
    ----------
    mean_distance, median_distance, worst_distance
        1 - cosine, in [0, 2].
    worst_pair
        Row number of the farthest pair, counting from 0 in the files.
    mean_angle, worst_angle
        In radians.
    identical
        Pairs of exactly equal direction.
    distance_lost
        (1 - matched) / (1 - floor), with an interval taken on the log scale.
    """

    mean_distance: float
    median_distance: float
    worst_distance: float
    worst_pair: int
    mean_angle: float
    worst_angle: float
    identical: int
    distance_lost: Interval


def half_squared_distances(a: UnitRows, b: UnitRows, tick: Tick = no_tick) -> Float64Array:
    """(n,) float64 |a_i - b_i|^2 / 2 = 1 - cos, exact to about eps / angle. Cost O(n d)."""
    found = np.empty(a.shape[0])
    for block in each(a.blocks(), tick):
        apart = a[block] - b[block]
        found[block] = np.einsum("ij,ij->i", apart, apart) / 2
    return found


def same_rows(halves: Float64Array, floor: float, dim: int, precision: float) -> SameRows:
    """Whether every pair is one and the same row, from distances: 1 - dot is 0 for other rows too.

    Parameters
    ----------
    halves : (n,) float64
        From `half_squared_distances`.
    floor : float
        Mean cosine of unrelated rows.
    dim : int
        Columns; making rows of d columns unit length rounds the squared distance by about d eps^2 / 70.
    precision : float
        Spacing at 1 of the coarser stored type; casts to it leave up to eps^2 / 4.
    """
    worst = float(halves.max())
    if worst <= max(dim, 4) * float(np.finfo(np.float64).eps) ** 2:
        return "to rounding"
    as_stored = 2 * min(precision, _COARSEST) ** 2
    return "as stored" if worst <= min(as_stored, _OF_UNRELATED * (1 - floor)) else ""


def closeness(
    halves: Float64Array, sums: PairSums, numbers: NDArray[np.intp] | None = None, *, same: SameRows = ""
) -> Closeness:
    """Summarise the distances of partners.

    Parameters
    ----------
    halves : (n,) float64
        From `half_squared_distances`.
    sums : PairSums
        Of the same reading, for the floor.
    same : SameRows
        Whether the sides are equal, from `same_rows`: what they differ by is then rounding, and no share of anything.
    numbers : (n,) intp, optional
        The row of the files that each pair is (`core.kept_rows`); as they stand by default.
    """
    # 2 asin(|a - b| / 2); arccos of a cosine near 1 would lose half the digits.
    angles = 2 * np.arcsin(np.sqrt(np.minimum(halves / 2, 1.0)))
    worst = int(np.argmax(halves))
    return Closeness(
        mean_distance=float(halves.mean()),
        median_distance=float(np.median(halves)),
        worst_distance=float(halves[worst]),
        worst_pair=worst if numbers is None else int(numbers[worst]),
        mean_angle=float(angles.mean()),
        worst_angle=float(angles[worst]),
        identical=int(np.count_nonzero(halves == 0)),
        distance_lost=_undefined(BY_ROUNDING, None) if same == "to rounding" else _distance_lost(halves, sums),
    )


#: Why no share of the distance is given.
BY_ROUNDING = "partners differ by rounding alone"


def _distance_lost(halves: Float64Array, sums: PairSums) -> Interval:
    """The ratio and its interval: jackknife of log(1 - m) - log(1 - f)."""
    from scipy.special import stdtrit  # imported here: `import core` stays light

    groups = sums.groups
    room = 1 - float(figures(sums).floor)
    if room <= NO_ERROR:
        return _undefined("unrelated rows are no farther apart than rounding", None)
    lost = float(halves.mean()) / room
    if groups.count < MIN_GROUPS:
        return _undefined(f"fewer than {MIN_GROUPS} independent pairs or groups", lost)
    left = groups.n - groups.sizes
    without_own = (halves.sum() - groups.total(halves)) / left
    without_room = 1 - figures_without_each(sums).floor
    if np.any(without_own <= 0) or np.any(without_room <= 0):
        return _undefined("without some pair all rows equal their partners", lost)
    error = jackknife_error(np.log(without_own) - np.log(without_room))
    if error <= NO_ERROR:
        return _undefined(NOTHING_CHANGES, lost)
    reach = math.exp(float(stdtrit(groups.df, 0.975)) * error)
    return Interval(estimate=lost, error=lost * error, low=lost / reach, high=lost * reach)


def _undefined(reason: str, estimate: float | None) -> Interval:
    return Interval(estimate=estimate, error=None, low=None, high=None, reason=reason)
