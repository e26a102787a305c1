"""Row numbers as the files count them, also where rows were left out.

Everything measured counts the rows that were compared. Whatever names a row to a reader goes
through here first: from 0, as in the files.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["kept_rows"]


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
