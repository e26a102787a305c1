"""Row numbers as the files count them, also where rows were left out.

Everything measured counts the rows that were compared. Whatever names a row to a reader goes
through here first: from 0, as in the files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FileRows", "kept_rows"]


def kept_rows(n: int, dropped: NDArray[np.intp]) -> NDArray[np.intp]:
    """(n,) the row of the files that each compared row is.

    Parameters
    ----------
    n : int
        Rows compared.
    dropped : (k,) intp
        Rows of the files that were left out; each row is named once.
    """
    return np.delete(np.arange(n + len(dropped), dtype=np.intp), dropped)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileRows:
    """Compared rows by their places in the files: a shift is one of the files, bad rows counted.

    Attributes
    ----------
    places
        (n,) the row of the files that each compared row is, ascending.
    total
        Rows of each file.
    """

    places: NDArray[np.intp]
    total: int

    def offsets(self, partners: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) by how many rows of the files, cyclic, the partner of each compared row is further on."""
        found: NDArray[np.int64] = (self.places[partners] - self.places) % self.total
        return found

    def shifted(self, shift: int) -> NDArray[np.int64]:
        """(n,) the compared row that stands `shift` rows of the files further on, cyclic; -1 where that is left out."""
        compared = np.full(self.total, -1, dtype=np.int64)
        compared[self.places] = np.arange(len(self.places))
        found: NDArray[np.int64] = compared[(self.places + shift) % self.total]
        return found
