"""Which rows of a sweep are equal: what is known of one need not be asked of the others.

Files with repeated rows (empty texts, boilerplate) are common. Two equal rows score the same
against every row, so a row whose partner is one of them ties with the others, and of their
scores only the first can be a best rival. Without this each such pair would be a close call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.digests import value_digests
from core.formats.loaded import RealArray
from core.rows import row_blocks

__all__ = ["Copies", "copies_of"]

Int64Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Places of equal rows.

    Attributes
    ----------
    first
        (m,) place of the first row equal to this one, which may be the row itself.
    second
        (m,) place of the second of them, -1 where there is none.
    """

    first: Int64Array
    second: Int64Array

    def own(self, places: Int64Array) -> Int64Array:
        """`first` of some places, -1 for a place of -1."""
        return np.where(places < 0, -1, self.first[places])


def copies_of(rows: NDArray[np.float32], stored: RealArray, numbers: Int64Array) -> Copies:
    """Find equal rows.

    Parameters
    ----------
    rows : (m, d) float32
        Centred unit rows: only rows that begin alike there are looked at.
    stored : (n, d) real array
        The rows as read.
    numbers : (m,) int64
        Which of them `rows` were made from.

    Notes
    -----
    Time O(m log m), and O(d) more for each row that begins like another. By value, see
    `core.digests`.
    """
    first, second = np.arange(len(rows)), np.full(len(rows), -1)
    beginnings = np.zeros((len(rows), 2), dtype=np.float32)
    beginnings[:, : rows.shape[1]] = rows[:, :2]
    beginnings += np.float32(0)  # makes -0.0 a plain zero
    _, kind, count = np.unique(beginnings.view(np.uint64).ravel(), return_inverse=True, return_counts=True)
    suspects = np.flatnonzero(count[kind] > 1)
    if not len(suspects):
        return Copies(first, second)
    digests = [value_digests(stored[numbers[suspects[part]]]) for part in row_blocks(len(suspects), rows.shape[1])]
    _, earliest, kind = np.unique(np.concatenate(digests), return_index=True, return_inverse=True)
    first[suspects] = suspects[earliest[kind]]
    later = np.flatnonzero(first != np.arange(len(rows)))[::-1]
    second[first[later]] = later  # the last written, the lowest, stays
    return Copies(first, second[first])
