"""What leaving a pair out does to the means of a centred reading, and to its sums.

A side centred on the mean of its own compared rows: leaving group g out moves the mean by
-sum_{i in g}(u_i - mu) / (n - n_g). A mean of which compared rows of A and of B make up the
shares w_A and w_B (`core.mean_shares`) moves by

    -sum_{i in g} (w_A (a_i - mu) + w_B (b_i - mu)) / (n - (w_A + w_B) n_g)

of which own means, w = (1, 0), and one mean for both sides, (1/2, 1/2), are cases. The part
of a mean that is fitted on other rows does not move; intervals are then conditional on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.limits import READY_BLOCK_ELEMENTS
from core.means import Means
from core.pair_sums import PairSums
from core.prepared import Rows, directions
from core.rows import row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["mean_shifts"]

Float64Array = NDArray[np.float64]


def mean_shifts(a: Rows, b: Rows, means: Means, sums: PairSums, tick: Tick = no_tick) -> Float64Array | None:
    """First-order change of the four sums when each group is left out of the means.

    Parameters
    ----------
    a, b : Rows
        (n, d) centred sides.
    means : Means
        What they are centred on.
    sums : PairSums
        Of this reading, with its pulls.
    tick : callable
        Called between blocks.

    Returns
    -------
    (4, G) float64 or None
        To add to the sums without each group, in the order of `core.pull`; `None` where
        no mean moves.

    Notes
    -----
    Cost O(n d), one block of rows.
    """
    if not means.shares.any or sums.pull_a is None or sums.pull_b is None:
        return None
    groups = sums.groups
    shifts = np.zeros((4, groups.count))
    moved = [(means.a, means.shares.a, sums.pull_a), (means.b, means.shares.b, sums.pull_b)]
    if means.shared:
        moved = [(means.a, means.shares.a, sums.pull_a + sums.pull_b)]
    for mean, shares, pull in moved:
        left = groups.n - sum(shares) * groups.sizes
        for side, centre, share in ((a, means.a, shares[0]), (b, means.b, shares[1])):
            if share:
                along = _projected(side, pull, tick) + (pull @ (centre - mean))[:, None]
                shifts -= share * np.stack([groups.total(line) for line in along]) / left
    return shifts


def _projected(side: Rows, pull: Float64Array, tick: Tick) -> Float64Array:
    """(4, n) dot products of (u_i - the side's own mean) with each line of a pull."""
    along = np.empty((len(pull), side.shape[0]))
    for block in each(row_blocks(*side.shape, elements=READY_BLOCK_ELEMENTS), tick):
        units, lengths = directions(side, block)
        if lengths is None:
            raise ValueError("a raw reading has no mean to move")
        along[:, block] = (pull.astype(units.dtype) @ units.T) * lengths
    return along
