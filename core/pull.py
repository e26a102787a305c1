"""How the sums of a centred reading move when the mean they were centred on moves.

A mean fitted on the compared rows is itself an estimate: leave a pair out, and the mean
moves, and with it every centred row. Leaving this out makes intervals too narrow at
every n. Refitting n times costs O(n^2 d); to first order the move is a dot product with
the gradient of each sum, taken here once.

Symbols: u unit row, mu its mean, rho = |u - mu|, A = (u - mu) / rho the centred row, B
its partner, e = S_ii - c for the value c that all scores are taken about. For a sum of
dot products A_i . V_i, with V_i held fixed, the gradient by mu is
-sum_i (V_i - (A_i . V_i) A_i) / rho_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["OFF", "OFF_SQUARES", "OWN", "OWN_SQUARES", "Pull"]

Float64Array = NDArray[np.float64]
FloatArray = NDArray[np.floating[Any]]

#: Rows of a pull: the sums of own e_i, of e_i^2, of unrelated S_ij - c and of their squares.
OWN, OWN_SQUARES, OFF, OFF_SQUARES = range(4)


class Pull:
    """Gradients of four sums by one side's mean, gathered block by block.

    Attributes
    ----------
    sums : (4, d) float64
        In the order `OWN`, `OWN_SQUARES`, `OFF`, `OFF_SQUARES`.
    """

    def __init__(self, dim: int) -> None:
        self.sums = np.zeros((4, dim))

    def add(
        self,
        units: FloatArray,
        lengths: Float64Array | None,
        *,
        partner: FloatArray,
        own: Float64Array,
        total: FloatArray,
        scored: FloatArray,
        along: Float64Array | None = None,
        mean: FloatArray | None = None,
        kin: FloatArray | None = None,
        kin_scored: FloatArray | None = None,
    ) -> None:
        """Add a block of m rows.

        Parameters
        ----------
        units, lengths : (m, d), (m,)
            Centred rows A_i and rho_i.
        partner : (m, d)
            B_i.
        own : (m,)
            e_i.
        total : (d,)
            Sum of all rows of the other side.
        scored : (m, d)
            Sum of all rows of the other side, each weighted with S_ij - c, but for
            `along` times `mean`.
        along, mean : (m,), (d,), optional
            The rest of `scored`.
        kin, kin_scored : (m, d), optional
            The parts of `total` and `scored` that the row's own group makes up, partner
            included; the partner alone by default.

        Raises
        ------
        ValueError
            The rows are not centred: a raw reading has no mean to move.
        """
        if lengths is None:
            raise ValueError("a raw reading has no mean to move")
        weights = np.stack([1 / lengths, 2 * own / lengths])
        of_partner = _gradients(units, partner, weights)
        self.sums[[OWN, OWN_SQUARES]] += of_partner
        self.sums[OFF] += _gradient(units, total, weights[0])
        self.sums[OFF] -= of_partner[0] if kin is None else _gradient(units, kin, weights[0])
        self.sums[OFF_SQUARES] += _gradient(units, scored, 2 * weights[0])
        if along is not None and mean is not None:
            self.sums[OFF_SQUARES] += _gradient(units, mean, 2 * along * weights[0])
        if kin is None:
            self.sums[OFF_SQUARES] -= of_partner[1]
        elif kin_scored is not None:
            self.sums[OFF_SQUARES] -= _gradient(units, kin_scored, 2 * weights[0])

    def about_own_mean(self, middle: float) -> Float64Array:
        """(4, d) the same sums, own cosines taken about their mean, which is `middle` above c."""
        sums = self.sums.copy()
        sums[OWN_SQUARES] -= 2 * middle * sums[OWN]
        return sums


def _gradients(units: FloatArray, vectors: FloatArray, weights: Float64Array) -> Float64Array:
    """(k, d) -sum_i w_i (V_i - (A_i . V_i) A_i) for each of k lines of weights; V may be one (d,) vector."""
    weights, vectors = weights.astype(units.dtype), vectors.astype(units.dtype, copy=False)
    if vectors.ndim == 1:
        return np.asarray((weights * (units @ vectors)) @ units - weights.sum(axis=1)[:, None] * vectors)
    along = weights * np.einsum("ij,ij->i", units, vectors)
    return np.asarray(along @ units - weights @ vectors)


def _gradient(units: FloatArray, vectors: FloatArray, weights: Float64Array) -> Float64Array:
    """(d,) the same for one line of weights."""
    return np.asarray(_gradients(units, vectors, weights[None, :])[0])
