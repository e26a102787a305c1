"""The two controls of the demo: pair every row with a stranger, or add a shared direction.

Shuffling keeps every row and breaks every pair. The raw mean cosine hardly moves where
anisotropy is high; the gap, the centred mean and the ranks fall to chance.

Adding a direction puts one more coordinate of size c on every unit row, the same for all,
and makes the rows unit length again. Every cosine s becomes (s + c^2) / (1 + c^2): matched
and unrelated ones climb together towards 1, in the same order. All rows are stretched
alike and the new coordinate is the same everywhere, so subtracting the mean takes it out
whole: ranks and the centred reading stay exactly as they were.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError
from core.floor import derangements
from core.histogram import Histogram, cosine_counts
from core.rows import UnitRows, row_blocks

__all__ = [
    "CosineSample",
    "add_direction",
    "all_cosines",
    "raised",
    "size_for_floor",
    "strangers",
]

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CosineSample:
    """All cosines of a small comparison, kept so that a slider can answer at once.

    Attributes
    ----------
    matched
        (n,) float64.
    unrelated
        (n(n-1),) float64, in any order.
    """

    matched: Float64Array
    unrelated: Float64Array

    def with_direction(self, size: float) -> CosineSample:
        """What these cosines become when every row gets a shared direction. O(n^2)."""
        return CosineSample(matched=raised(self.matched, size), unrelated=raised(self.unrelated, size))

    @property
    def histogram(self) -> Histogram:
        """Counts in the bins of every other histogram."""
        return Histogram(matched=cosine_counts(self.matched), unrelated=cosine_counts(self.unrelated))

    @property
    def matched_mean(self) -> float:
        return float(self.matched.mean())

    @property
    def floor_mean(self) -> float:
        return float(self.unrelated.mean())


def strangers(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(n,) an order of B in which no row of A meets its partner; n >= 2."""
    return next(derangements(n, 1, rng))


def add_direction(units: Float64Array, size: float) -> Float64Array:
    """Unit rows with one more coordinate of equal size, unit length again.

    Parameters
    ----------
    units : (n, d) float64
        Unit rows.
    size : float
        c >= 0, against the rows' length of 1.

    Returns
    -------
    (n, d + 1) float64
        ``(u, c) / sqrt(1 + c^2)``: one factor for all rows, so no angle between rows less
        their mean changes.

    Raises
    ------
    SettingsError
        A negative or infinite size.
    """
    _size(size)
    widened = np.empty((len(units), units.shape[1] + 1))
    widened[:, :-1] = units
    widened[:, -1] = size
    widened /= math.sqrt(1 + size * size)
    return widened


def raised(cosines: Float64Array, size: float) -> Float64Array:
    """What cosines become when `add_direction` is applied to both sides: (s + c^2) / (1 + c^2).

    Written as 1 - (1 - s) / (1 + c^2), which keeps 1 at 1 and the order of the cosines.
    """
    _size(size)
    lifted: Float64Array = 1 - (1 - cosines) / (1 + size * size)
    return lifted


def size_for_floor(floor: float, target: float) -> float:
    """Size of the direction that lifts a raw floor to a target.

    Parameters
    ----------
    floor : float
        The floor as it is, below 1.
    target : float
        From `floor` up to, not including, 1.

    Raises
    ------
    SettingsError
        A target below the floor, or not below 1: a shared direction only lifts.
    """
    if not floor <= target < 1:
        raise SettingsError(
            f"a shared direction cannot bring a floor of {floor:.4f} to {target:.4f}; it only lifts, and never to 1",
            remedy="choose a target between the floor and 1",
        )
    return math.sqrt((target - floor) / (1 - target))


def all_cosines(a: UnitRows, b: UnitRows) -> CosineSample:
    """Every cosine of a small comparison.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides of one reading. The result holds n^2 float64: for the demo's few
        hundred rows, not for an upload.
    """
    n, _ = a.shape
    scores = np.empty((n, n))
    for block in row_blocks(n, n):
        scores[block] = a[block] @ b[:].T
    apart = ~np.eye(n, dtype=bool)
    return CosineSample(matched=scores.diagonal().copy(), unrelated=scores[apart])


def _size(size: float) -> None:
    if not (0 <= size < math.inf):
        raise SettingsError(f"the size of the added direction is {size}; it must be 0 or more", remedy="use 0 for none")
