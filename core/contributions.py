"""What each pair of rows contributes to the sums of a reading: the layout that all measures share.

`core.pair_sums` takes these sums and says how; this module only lays them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from core.groups import Groups
from core.prepared import FloatArray

__all__ = ["OwnSums", "PairSums", "SweptSums", "all_kinds", "dots", "own_sums"]

Float64Array = NDArray[np.float64]


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
    score_rounding, link_rounding
        How far S_ij - k, and alpha_i . beta_j, may be off, about, by rows in float32; 0 in float64.
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
    score_rounding: float = 0.0
    link_rounding: float = 0.0
    pull_a: Float64Array | None = None
    pull_b: Float64Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SweptSums:
    """Sums of squares as a sweep takes them: (S_ij - about)^2 over i != j, about any value.

    Attributes
    ----------
    about
        Usually the exact floor.
    row_squares, column_squares : (n,)
        For each row of A, and of B.
    """

    about: float
    row_squares: Float64Array
    column_squares: Float64Array


class OwnSums(TypedDict):
    own_about: float
    own: Float64Array
    own_squares: Float64Array


def own_sums(about: float, own: Float64Array, groups: Groups) -> OwnSums:
    """Sums of own cosines about their own mean, from their distances to `about`."""
    middle = float(own.mean())
    return {
        "own_about": about + middle,
        "own": groups.total(own - middle),
        "own_squares": groups.total((own - middle) ** 2),
    }


def all_kinds(of_a: FloatArray, of_b: FloatArray) -> tuple[tuple[FloatArray, FloatArray], ...]:
    return (of_a, of_a), (of_b, of_b), (of_a, of_b)


def dots(x: FloatArray, y: FloatArray) -> FloatArray:
    """(m,) row-wise dot products."""
    return np.asarray(np.einsum("ij,ij->i", x, y))
