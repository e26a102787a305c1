"""How far a computed score can be from the exact one: rigorous, for any order of summation.

With unit roundoff u, an inner product of d terms is off by at most d u / (1 - d u) times
the sum of the absolute products (Higham, Accuracy and Stability of Numerical Algorithms,
section 3.1), and that sum is at most 1 for unit rows. Typical errors are a thousand times
smaller, but it is the bound that makes counts exact.
"""

from __future__ import annotations

__all__ = [
    "FLOAT32_ROUNDOFF",
    "binning_bound",
    "centred_bound",
    "centring_bound",
    "exact_bound",
    "product_depth",
    "raw_bound_terms",
    "settled_bound",
]

FLOAT32_ROUNDOFF = 2.0**-24
FLOAT64_ROUNDOFF = 2.0**-53

#: Most columns that enter one float32 product.
MAX_DEPTH = 1024


def product_depth(dim: int) -> int:
    """Columns that enter one float32 product; longer rows are multiplied in equal parts and added.

    The bound grows with the terms of one sum, and wide rows would leave too many scores open.
    """
    parts = -(-dim // MAX_DEPTH)
    return -(-dim // parts)


def centred_bound(dim: int) -> float:
    """Of a centred score: float32 inner products of two unit rows rounded to float32.

    A sum of parts is off by the error of a part and one roundoff per part. Rounding the
    rows adds two, and a threshold in float32 one more.
    """
    depth = product_depth(dim)
    terms = (depth + -(-dim // depth) + 4) * FLOAT32_ROUNDOFF
    return 1.01 * terms / (1 - terms) + 4 * FLOAT32_ROUNDOFF


def raw_bound_terms(dim: int) -> tuple[float, float, float]:
    """Of a raw score less the part of its own row: |ca_i| |cb_j| Q_ij plus a part of the column.

    Returns
    -------
    by_lengths, by_part, least
        The bound is ``|ca_i| |cb_j| by_lengths + |part_j| by_part + least``. It follows the
        spread of the rows about their mean: a collapsed space has small errors too.
    """
    by_lengths = 1.01 * (centred_bound(dim) + 10 * FLOAT32_ROUNDOFF)
    return by_lengths, 1.01 * 5 * FLOAT32_ROUNDOFF, exact_bound(dim)


def exact_bound(dim: int) -> float:
    """Of what is computed in float64: own cosines, parts, inner products."""
    return 2 * (dim + 32) * FLOAT64_ROUNDOFF


def centring_bound(dim: int, shortest_a: float, shortest_b: float) -> float:
    """Of a centred score, beside `exact_bound`: what rounding of the unit rows and means becomes of short rows.

    A unit row is off by at most about `dim` units in the last place of 1, and the shorter it is once centred, the
    more of its direction that is.

    Parameters
    ----------
    shortest_a, shortest_b : float
        Least |c| of each side, in (0, 2].
    """
    return exact_bound(dim) * (1 / shortest_a + 1 / shortest_b)


def settled_bound(dim: int) -> float:
    """Of a float64 inner product of unit rows that were rounded to float32."""
    return 2.02 * FLOAT32_ROUNDOFF + exact_bound(dim)


def binning_bound(n_bins: int) -> float:
    """Of the place of a float32 score among bins over [-1, 1], in cosine.

    A place is a deviation times bins per unit, plus the place of f: two roundings of at
    most `n_bins` and two of at most `n_bins` + 2.
    """
    return 1.01 * FLOAT32_ROUNDOFF * (4 * n_bins + 4) / (n_bins / 2)
