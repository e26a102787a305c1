"""How far a computed score can be from the exact one: rigorous, for any order of summation.

With unit roundoff u, an inner product of d terms is off by at most d u / (1 - d u) times
the sum of the absolute products (Higham, Accuracy and Stability of Numerical Algorithms,
section 3.1), and that sum is at most 1 for unit rows. Typical errors are a thousand times
smaller, but it is the bound that makes counts exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FLOAT32_ROUNDOFF", "centred_bound", "exact_bound", "raw_bounds"]

Float64Array = NDArray[np.float64]

FLOAT32_ROUNDOFF = 2.0**-24
FLOAT64_ROUNDOFF = 2.0**-53


def centred_bound(dim: int) -> float:
    """Of a centred score: a float32 inner product of two unit rows rounded to float32.

    Rounding the rows adds 2 u, and a threshold in float32 one more.
    """
    terms = (dim + 4) * FLOAT32_ROUNDOFF
    if terms >= 0.5:  # eight million columns: no bound, everything is done in float64
        return np.inf
    return 1.01 * terms / (1 - terms) + 4 * FLOAT32_ROUNDOFF


def raw_bounds(lengths: Float64Array, other_length: float, other_part: float, dim: int) -> Float64Array:
    """(m,) of raw scores less the part of their own row: length times length times Q, plus a part.

    Parameters
    ----------
    lengths : (m,) float64
        |c| of the rows.
    other_length, other_part : float
        Largest |c| and largest absolute part on the other side.
    """
    product = lengths * other_length * (centred_bound(dim) + 10 * FLOAT32_ROUNDOFF)
    bounds: Float64Array = 1.01 * (product + 5 * FLOAT32_ROUNDOFF * other_part) + exact_bound(dim)
    return bounds


def exact_bound(dim: int) -> float:
    """Of what is computed in float64: own cosines, parts, inner products."""
    return 2 * (dim + 32) * FLOAT64_ROUNDOFF
