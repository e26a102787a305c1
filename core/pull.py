"""How the sums of a centred reading move when the mean they were centred on moves.

A mean fitted on the compared rows is itself an estimate: leave a pair out, and the mean
moves, and with it every centred row. Leaving this out makes intervals too narrow at
every n. Refitting n times costs O(n^2 d); to first order the move is a dot product with
the gradient of each sum, taken here once.

Symbols: u unit row, mu its mean, rho = |u - mu|, A = (u - mu) / rho the centred row, B
its partner, e = S_ii - k. For a sum of dot products A_i . V_i, with V_i held fixed, the
gradient by mu is -sum_i (V_i - (A_i . V_i) A_i) / rho_i.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.rows import UnitRows, unit_rows

__all__ = ["OFF", "OFF_SQUARES", "OWN", "OWN_SQUARES", "Pull", "directions"]

Float64Array = NDArray[np.float64]

#: Rows of a pull: the sums of e_i, of e_i^2, of unrelated S_ij - k and of their squares.
OWN, OWN_SQUARES, OFF, OFF_SQUARES = range(4)


def directions(rows: UnitRows, index: slice | NDArray[np.intp]) -> tuple[Float64Array, Float64Array | None]:
    """Unit rows, and for a centred side the length each had before it was made unit again."""
    units = unit_rows(rows.stored[index])
    if rows.mean is None:
        return units, None
    units -= rows.mean
    lengths = np.sqrt(np.einsum("ij,ij->i", units, units))
    units /= lengths[:, None]
    return units, lengths


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
        units: Float64Array,
        lengths: Float64Array | None,
        *,
        partner: Float64Array,
        own: Float64Array,
        others: Float64Array,
        scored: Float64Array,
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
        others : (m, d)
            Sum of the unrelated rows of the other side.
        scored : (m, d)
            Sum of the unrelated rows of the other side, each weighted with S_ij - k.

        Raises
        ------
        ValueError
            The rows are not centred: a raw reading has no mean to move.
        """
        if lengths is None:
            raise ValueError("a raw reading has no mean to move")
        self.sums[OWN] += _gradient(units, partner, 1 / lengths)
        self.sums[OWN_SQUARES] += _gradient(units, partner, 2 * own / lengths)
        self.sums[OFF] += _gradient(units, others, 1 / lengths)
        self.sums[OFF_SQUARES] += _gradient(units, scored, 2 / lengths)


def _gradient(units: Float64Array, vectors: Float64Array, weights: Float64Array) -> Float64Array:
    """-sum_i w_i (V_i - (A_i . V_i) A_i)."""
    along = weights * np.einsum("ij,ij->i", units, vectors)
    return np.asarray(along @ units - weights @ vectors)
