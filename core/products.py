"""Large matrix products over the workers, the same to the last digit for any number of them.

BLAS divides a product among its own threads by how many it has, and each division rounds
in its own way. Here a product is divided by its shape alone, and BLAS has one thread.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.rows import row_blocks
from core.sweep.workers import Steps, in_order, usable_cores
from core.ticks import Tick, no_tick

__all__ = ["product"]

Number = TypeVar("Number", bound=np.floating[Any])

#: Columns of the result that are made at a time.
STRIP_COLUMNS = 1_024


def product(left: NDArray[Number], right: NDArray[Number], tick: Tick = no_tick) -> NDArray[Number]:
    """``left @ right``, strip by strip of the columns of the result.

    Parameters
    ----------
    left, right : (m, k), (k, w) of one type
        Views will do.
    tick : callable
        Called every 0.1 s.

    Notes
    -----
    Time O(m k w). Memory: the result.
    """
    (m, k), w = left.shape, right.shape[1]
    found = np.empty((m, w), dtype=left.dtype)
    strips = list(row_blocks(w, 1, elements=STRIP_COLUMNS))
    steps = Steps(len(strips), lambda *_: tick())

    def fill(strip: slice) -> None:
        steps.step()
        np.matmul(left, right[:, strip], out=found[:, strip])

    for _ in in_order(strips, fill, operations=2 * m * k * w, n_workers=usable_cores(), steps=steps):
        pass
    return found
