"""Unit rows, their means, and centring.

Everything the audit measures starts from *unit rows*: each row divided by its Euclidean
norm. Only the direction of a row matters to a cosine, so this loses nothing.

Rows are made unit length block by block, in float64, whatever type the file holds; no
float64 copy of a whole input exists. Symbols: x a stored row, u its unit row, mu the
mean of the unit rows a side is centred on, c = (u - mu) / |u - mu| the centred row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.limits import READY_BLOCK_ELEMENTS, ROW_BLOCK_ELEMENTS
from core.ticks import Tick, each, no_tick

__all__ = ["FLOAT64_SPACING", "NO_LENGTH", "MeanRow", "UnitRows", "centre", "own_cosines", "row_blocks", "unit_rows"]

Float64Array = NDArray[np.float64]

#: From 1 to the next float64: unit rows carry an error of about so much, and so does their mean.
FLOAT64_SPACING = float(np.finfo(np.float64).eps)

#: A centred row shorter than this is rounding, not a direction.
NO_LENGTH = 64 * FLOAT64_SPACING


def row_blocks(n: int, dim: int, *, elements: int = ROW_BLOCK_ELEMENTS) -> Iterator[slice]:
    """Slices that cover ``range(n)`` in order, each about `elements` numbers of `dim` columns."""
    size = max(1, elements // max(dim, 1))
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def unit_rows(rows: RealArray) -> Float64Array:
    """Each row divided by its Euclidean norm.

    Parameters
    ----------
    rows : (m, d) real array
        Finite, no row all zero (`core.pairs` has checked).

    Returns
    -------
    (m, d) float64
        Rows of norm 1, to rounding.

    Notes
    -----
    Each row is first scaled by the power of two of its largest absolute entry, so that
    rows of norm 1e200 or 1e-200 neither overflow nor vanish. A power of two changes no
    bit of a normal number, so ordinary rows come out as plain ``x / |x|`` would.
    Time O(m d), two float64 copies of the block.
    """
    scaled = np.array(rows, dtype=np.float64, order="C")
    largest = np.maximum(scaled.max(axis=1, initial=0.0), -scaled.min(axis=1, initial=0.0))
    np.ldexp(scaled, -np.frexp(largest)[1][:, None], out=scaled)
    scaled /= np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRow:
    """Mean of a side's unit rows.

    Attributes
    ----------
    mean
        (d,) float64, the mean of the unit rows.
    n_rows
        Rows it was taken over.
    """

    mean: Float64Array
    n_rows: int

    @property
    def total(self) -> Float64Array:
        """(d,) sum of the unit rows."""
        return self.mean * self.n_rows


def centre(units: Float64Array, mean: Float64Array) -> tuple[Float64Array, NDArray[np.bool_]]:
    """Subtract a mean from unit rows and make them unit length again.

    Parameters
    ----------
    units : (m, d) float64
        Unit rows.
    mean : (d,) float64
        Mean of unit rows, of this side or of fit rows.

    Returns
    -------
    centred : (m, d) float64
        Rows of norm 1; zero where nothing was left.
    lost : (m,) bool
        True for rows that equal the mean to within `NO_LENGTH`: they have no direction
        after centring.
    """
    centred = units - mean
    lengths = np.sqrt(np.einsum("ij,ij->i", centred, centred))
    lost = lengths <= NO_LENGTH
    centred /= np.where(lost, 1.0, lengths)[:, None]
    centred[lost] = 0.0
    return centred, lost


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """The unit rows of a stored array, centred where a mean is given, made on demand.

    Attributes
    ----------
    stored
        (n, d) real array as read; never copied as a whole.
    mean
        (d,) float64 mean to centre on, or `None` for the raw reading.
    """

    stored: RealArray
    mean: Float64Array | None = None

    @property
    def shape(self) -> tuple[int, int]:
        n, dim = self.stored.shape
        return int(n), int(dim)

    def __getitem__(self, rows: slice | NDArray[np.intp]) -> Float64Array:
        """(m, d) float64 unit rows of a slice or of an array of row numbers."""
        units = unit_rows(self.stored[rows])
        return units if self.mean is None else centre(units, self.mean)[0]

    def blocks(self) -> Iterator[slice]:
        return row_blocks(*self.shape)

    def lost(self, tick: Tick = no_tick) -> NDArray[np.intp]:
        """Row numbers that centring leaves without a direction; empty for the raw reading."""
        if self.mean is None:
            return np.empty(0, dtype=np.intp)
        found = [
            np.flatnonzero(centre(unit_rows(self.stored[block]), self.mean)[1]) + block.start
            for block in each(self.blocks(), tick)
        ]
        return np.concatenate(found)

    def mean_row(self, tick: Tick = no_tick) -> MeanRow:
        """Mean of these unit rows, accumulated in float64 as differences from the first.

        For n equal rows the mean is then exactly that row, and centring can tell that
        nothing is left. Time O(n d), one block in memory.
        """
        n, dim = self.shape
        first = self[:1][0]
        total = np.zeros(dim)
        for block in each(row_blocks(n, dim, elements=READY_BLOCK_ELEMENTS), tick):
            total += (self[block] - first).sum(axis=0)
        return MeanRow(mean=first + total / n, n_rows=n)


def own_cosines(a: UnitRows, b: UnitRows, tick: Tick = no_tick) -> Float64Array:
    """(n,) float64 cosine of each row of A with its own partner in B, not clipped. Cost O(n d)."""
    own = np.empty(a.shape[0])
    for block in each(a.blocks(), tick):
        own[block] = np.einsum("ij,ij->i", a[block], b[block])
    return own
