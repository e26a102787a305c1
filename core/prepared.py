"""Unit rows that a sweep has made ready, in place of making them anew.

The sweep keeps a float32 copy of every *centred* row and its length in float64. Both
readings come back from it: the centred row itself, and the raw row mu + |c| c / |c|, whose
distance to the mean keeps its seven digits however narrow the cone. Good enough for the
standard errors of many pairs, and several times faster than reading the file again in
float64. Rows from the file stay float64 throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.rows import UnitRows, row_blocks, unit_rows

__all__ = ["FloatArray", "PreparedRows", "Rows", "directions", "distances_from", "row_type"]

Float64Array = NDArray[np.float64]

#: float64 for rows from the file, float32 for rows from a sweep.
FloatArray = NDArray[np.floating[Any]]

Index = slice | NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedRows:
    """One side of one reading, from the sweep's rows.

    Attributes
    ----------
    centred_rows
        (n, d) float32 centred unit rows.
    lengths
        (n,) float64 lengths they had before they were made unit again.
    mean
        (d,) float64 what was subtracted.
    centred
        True for the centred reading, False for the raw one.
    """

    centred_rows: NDArray[np.float32]
    lengths: Float64Array
    mean: Float64Array
    centred: bool

    @property
    def shape(self) -> tuple[int, int]:
        n, dim = self.centred_rows.shape
        return int(n), int(dim)

    def __getitem__(self, rows: Index) -> FloatArray:
        """(m, d) float32 unit rows."""
        return self.about(rows, np.zeros(self.shape[1]))

    def about(self, rows: Index, mean: Float64Array) -> NDArray[np.float32]:
        """(m, d) float32 unit rows minus a mean near them, seven digits of the difference."""
        kept = self.centred_rows[rows]
        if self.centred:
            return np.asarray(kept - mean.astype(np.float32))
        kept = kept * self.lengths[rows, None].astype(np.float32)
        kept += (self.mean - mean).astype(np.float32)
        return kept

    def blocks(self) -> Iterator[slice]:
        return row_blocks(*self.shape)


#: Unit rows of one side, from the file or from a sweep.
Rows = UnitRows | PreparedRows


def row_type(rows: Rows) -> type[np.floating[Any]]:
    """Type of the unit rows that a side gives."""
    return np.float32 if isinstance(rows, PreparedRows) else np.float64


def distances_from(rows: Rows, index: Index, mean: Float64Array) -> FloatArray:
    """(m, d) unit rows minus a mean near them."""
    if isinstance(rows, PreparedRows):
        return rows.about(index, mean)
    units = rows[index]
    units -= mean
    return units


def directions(rows: Rows, index: Index) -> tuple[FloatArray, Float64Array | None]:
    """Unit rows, and for a centred side the length each had before it was made unit again."""
    if isinstance(rows, PreparedRows):
        if rows.centred:
            return rows.centred_rows[index], rows.lengths[index]
        return rows[index], None
    units = unit_rows(rows.stored[index])
    if rows.mean is None:
        return units, None
    units -= rows.mean
    lengths = np.sqrt(np.einsum("ij,ij->i", units, units))
    units /= lengths[:, None]
    return units, lengths
