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

from core.jackknife import jackknife_error
from core.rows import UnitRows, unit_rows

__all__ = ["GapValues", "centred_gap_values", "gap_values"]

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
    def pseudo_values(self) -> Float64Array:
        """(n,) n gap - (n - 1) gap_-i: their mean is the gap, their spread its error."""
        return self.n * self.gap - (self.n - 1) * self.delete_one


def gap_values(a: UnitRows, b: UnitRows) -> GapValues:
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
    return _from_products(_centred_products(a, b))


def centred_gap_values(a: UnitRows, b: UnitRows) -> GapValues:
    """Gap of two sides, each centred on the mean of its own compared rows.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) rows with `mean` set to the mean of their own unit rows; n >= 3.

    Returns
    -------
    GapValues
        Multiplied by (n - 1) / n, which takes out what centring on the compared rows
        forces (STATISTICS: the floor is otherwise -m / (n - 1) too low).

    Notes
    -----
    Leaving a pair out moves the means as well, and that part does not shrink with n:
    each value gets the gradient of the gap times the move, mu_-i - mu = -(u_i - mu)/(n-1).
    Time O(n d), a few blocks of rows in memory.
    """
    plain = gap_values(a, b)
    moved = _moved_by_mean(a, b) + _moved_by_mean(b, a)
    factor = (plain.n - 1) / plain.n
    return GapValues(gap=factor * plain.gap, delete_one=factor * (plain.delete_one + moved))


def _centred_products(a: UnitRows, b: UnitRows) -> Float64Array:
    """(n,) w_k."""
    mean_a, mean_b = a.mean_row().mean, b.mean_row().mean
    products = np.empty(a.shape[0])
    for block in a.blocks():
        products[block] = np.einsum("ij,ij->i", a[block] - mean_a, b[block] - mean_b)
    return products


def _from_products(products: Float64Array) -> GapValues:
    n = len(products)
    total = float(products.sum())
    return GapValues(gap=total / (n - 1), delete_one=(total - products * (n / (n - 1))) / (n - 2))


def _moved_by_mean(side: UnitRows, other: UnitRows) -> Float64Array:
    """(n,) what moving the mean of `side` adds to each delete-one gap."""
    n, dim = side.shape
    total = other.mean_row().total
    own, floor = np.zeros(dim), np.zeros(dim)
    for block in side.blocks():
        rows, partners = side[block], other[block]
        shifted = _shifted(side, block)
        inverse = 1 / np.sqrt(np.einsum("ij,ij->i", shifted, shifted))
        cosines = np.einsum("ij,ij->i", rows, partners)
        own -= ((partners - cosines[:, None] * rows) * inverse[:, None]).sum(axis=0)
        floor -= ((total - (rows @ total)[:, None] * rows) * inverse[:, None]).sum(axis=0)
    gradient = own / (n - 1) - (floor - own) / ((n - 1) * (n - 2))
    moved = np.empty(n)
    for block in side.blocks():
        moved[block] = -(_shifted(side, block) @ gradient) / (n - 1)
    return moved


def _shifted(side: UnitRows, block: slice) -> Float64Array:
    """(m, d) unit rows less the mean, before they are made unit again."""
    if side.mean is None:
        raise ValueError("the rows are not centred")
    shifted: Float64Array = unit_rows(side.stored[block]) - side.mean
    return shifted
