"""What a mean that is made of compared rows does to the readings centred on it.

A mean may be fitted on compared rows in many ways: each side's own rows; one mean for both
sides; one mean over the rows of one side and a fit file; a fit file that holds A, or B, or
both. All are told by four numbers, the *shares* of each subtracted mean that compared rows
of A and of B make up. With w_r a side's share of the rows r, z the other side's, and, per
unit of |a_i - mu|^2, P_A = P_B = 1, Q = m the centred matched mean (with groups
P_A = sum_g |A_g|^2 / n, P_B likewise, Q = sum_g A_g . B_g / n):

- the mean follows the rows, so their squared lengths about it come out too small by
  L_s / n, L_s = 2 (w_s P_s + w_r Q) - (w_A^2 P_A + w_B^2 P_B + 2 w_A w_B Q), and gap, gap/sd
  and d too large: times 1 - (L_a + L_b) / (2n);
- unrelated rows come to share its error: a floor of -F / (n - 1),
  F = z_A P_A + z_B Q + w_A Q + w_B P_B - (w_A z_A P_A + w_B z_B P_B + (w_A z_B + w_B z_A) Q);
- both move the matched mean: add (F - m (L_a + L_b) / 2) / n.

Own means: times (n-1)/n, floor -m/(n-1), nothing to add. One mean of both compared sides:
times 1 - (1+m)/(2n), floor -(1+m)/(2(n-1)), add (1-m^2)/(2n). No compared rows: nothing.
The part of a mean that comes from other rows is taken as given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.digests import value_digests
from core.formats.loaded import RealArray
from core.near_rows import NearRows, first_of_chain, projections
from core.rows import MeanRow
from core.ticks import Tick, no_tick

__all__ = ["ComparedAmong", "Kin", "MeanShares", "compared_among"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """P_A, P_B and Q of the module's formulas, of centred unit rows."""

    a: float
    b: float
    ab: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanShares:
    """How much of each subtracted mean is made of compared rows.

    Attributes
    ----------
    a, b : (float, float)
        Of the mean subtracted from A, and from B: the share of compared rows of A, and of B.
        Every compared row of a side counts alike; shares lie in [0, 1], as do their sums.
    """

    a: tuple[float, float]
    b: tuple[float, float]

    @property
    def any(self) -> bool:
        """True if some compared row moves some mean."""
        return any(self.a) or any(self.b)

    @property
    def all(self) -> bool:
        """True if both means are made of compared rows alone."""
        return min(sum(self.a), sum(self.b)) > 1 - 1e-12

    def shortened(self, kin: Kin) -> float:
        """(L_a + L_b) / 2: n times the relative loss of the product of two lengths."""
        return (self._of_a(kin) + self._of_b(kin)) / 2

    def forced(self, kin: Kin) -> float:
        """F: minus (n - 1) times what the floor is moved by."""
        (w_a, w_b), (z_a, z_b) = self.a, self.b
        followed = (z_a * kin.a + z_b * kin.ab) + (w_a * kin.ab + w_b * kin.b)
        return followed - (w_a * z_a * kin.a + w_b * z_b * kin.b + (w_a * z_b + w_b * z_a) * kin.ab)

    def anisotropy(self, kin: Kin) -> tuple[float, float]:
        """L_a and L_b: minus (n - 1) times what each side's centred anisotropy is moved by."""
        return self._of_a(kin), self._of_b(kin)

    def _of_a(self, kin: Kin) -> float:
        own, other = self.a
        return 2 * (own * kin.a + other * kin.ab) - _square(self.a, kin)

    def _of_b(self, kin: Kin) -> float:
        other, own = self.b
        return 2 * (own * kin.b + other * kin.ab) - _square(self.b, kin)


def _square(shares: tuple[float, float], kin: Kin) -> float:
    w_a, w_b = shares
    return w_a**2 * kin.a + w_b**2 * kin.b + 2 * w_a * w_b * kin.ab


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedAmong:
    """Compared rows that stand among the rows of one fit array.

    Attributes
    ----------
    copies : (int, int)
        How often the array holds *every* compared row of A, and of B.
    others : (int, int)
        Compared rows of A, and of B, that stand among what is left of it then.
    found : (int, int)
        Compared rows of A, and of B, that stand in it at all.
    """

    copies: tuple[int, int] = (0, 0)
    others: tuple[int, int] = (0, 0)
    found: tuple[int, int] = (0, 0)


def compared_among(
    compared: tuple[RealArray, RealArray],
    fit_a: RealArray | None,
    fit_b: RealArray | None,
    *,
    means: tuple[MeanRow | None, MeanRow | None] = (None, None),
    tick: Tick = no_tick,
) -> tuple[ComparedAmong, ComparedAmong]:
    """Look for compared rows among the fit rows of A, and of B, by value and by direction.

    Parameters
    ----------
    compared : two (n, d) real arrays
        A and B.
    fit_a, fit_b : (m, d) real arrays or None
        Rows to fit the means on; nothing is among no rows.
    means : two MeanRow, optional
        Means of the unit rows of A and B, where they are known already.
    tick : callable
        Called between blocks.

    Notes
    -----
    A compared row in another precision or scale is the same row (`core.near_rows`).
    Time O((n + m) d); nothing without fit arrays.
    """
    if fit_a is None and fit_b is None:
        return ComparedAmong(), ComparedAmong()
    near = (NearRows(compared[0], means[0], tick), NearRows(compared[1], means[1], tick))
    known = np.concatenate([_first_numbers(rows) for rows in compared])
    among = [
        ComparedAmong() if fit is None else _among_fit(compared, near, fit, known, own_first=side, tick=tick)
        for side, fit in enumerate((fit_a, fit_b))
    ]
    return among[0], among[1]


def _among_fit(
    compared: tuple[RealArray, RealArray],
    near: tuple[NearRows, NearRows],
    fit: RealArray,
    known: NDArray[np.void],
    *,
    own_first: int,
    tick: Tick,
) -> ComparedAmong:
    """Rows equal by value first; of the others those of the side itself, then those of the other side."""
    n = len(compared[0])
    projected = projections(fit, tick)
    found = [side.places(fit, projected) for side in near]
    by_value = bool(np.isin(_first_numbers(fit), known).any())
    if not by_value and max(int(places.max()) for places in found) < 0:
        return ComparedAmong()
    labels = np.concatenate([near[0].kinds(), n + near[1].kinds()])
    of_fit = np.full(len(fit), -1, dtype=np.intp)
    for side in (1 - own_first, own_first):
        of_fit = np.where(found[side] >= 0, side * n + found[side], of_fit)
    if by_value:
        labels, of_fit = _merged_by_value(compared, fit, labels, of_fit, tick)
    of_fit = np.where(of_fit >= 0, labels[of_fit], -1)
    return _among(labels[:n], labels[n:], of_fit, own_first=own_first)


def _merged_by_value(
    compared: tuple[RealArray, RealArray],
    fit: RealArray,
    labels: NDArray[np.intp],
    of_fit: NDArray[np.intp],
    tick: Tick,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Labels of which rows that are equal by value have one, and fit rows equal by value to a compared row."""
    digests = np.concatenate([value_digests(rows, tick) for rows in (*compared, fit)])
    _, first, place = np.unique(digests, return_index=True, return_inverse=True)
    equal = first[place]  # the first row of all that is equal by value; compared rows stand before fit rows
    rows = len(labels)
    merged = first_of_chain(
        rows, np.concatenate([np.arange(rows), np.arange(rows)]), np.concatenate([labels, equal[:rows]])
    )
    exact = equal[rows:]
    return merged, np.where(exact < rows, exact, of_fit)


def _first_numbers(rows: RealArray) -> NDArray[np.void]:
    """(m,) the first two numbers of each row, as float64."""
    first = np.zeros((len(rows), 2))
    first[:, : rows.shape[1]] = rows[:, :2]
    first += 0.0  # makes -0.0 a plain zero
    return first.view("V16")[:, 0]


def _among(
    of_a: NDArray[np.intp], of_b: NDArray[np.intp], of_fit: NDArray[np.intp], *, own_first: int
) -> ComparedAmong:
    """Count labels of compared rows among those of fit rows, -1 for a fit row that is none."""
    places = (of_a, of_b)
    kinds = 2 * len(of_a)
    left = np.bincount(of_fit[of_fit >= 0], minlength=kinds)
    found = tuple(int(np.count_nonzero(left[rows])) for rows in places)
    copies = [0, 0]
    for side in (own_first, 1 - own_first):  # where A and B share rows, a fit array of a side is first its own
        needed = np.bincount(places[side], minlength=kinds)
        copies[side] = int((left[needed > 0] // needed[needed > 0]).min())
        left = left - copies[side] * needed
    others = tuple(int(np.count_nonzero(left[rows])) for rows in places)
    return ComparedAmong(copies=(copies[0], copies[1]), others=(others[0], others[1]), found=(found[0], found[1]))
