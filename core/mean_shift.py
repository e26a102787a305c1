"""What leaving a pair out does to the means of a centred reading, and to its sums.

A side centred on the mean of its own compared rows: leaving group g out moves the mean by
-sum_{i in g}(u_i - mu) / (n - n_g). One mean shared by both sides is one vector: it moves
by the sum of both sides' rows, and its pull is the sum of both pulls. A mean fitted on
rows of its own does not move; intervals are then conditional on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.limits import READY_BLOCK_ELEMENTS
from core.means import Means
from core.pair_sums import PairSums
from core.prepared import Rows, directions
from core.rows import row_blocks

__all__ = ["mean_shifts", "moving_sides"]

Float64Array = NDArray[np.float64]


def moving_sides(means: Means) -> tuple[bool, bool]:
    """Whether side A's, and B's, compared rows are among those its mean is fitted on."""
    return not means.fitted_a.from_fit_file, not means.fitted_b.from_fit_file


def mean_shifts(a: Rows, b: Rows, means: Means, sums: PairSums) -> Float64Array | None:
    """First-order change of the four sums when each group is left out of the means.

    Parameters
    ----------
    a, b : Rows
        (n, d) centred sides.
    means : Means
        What they are centred on.
    sums : PairSums
        Of this reading, with its pulls.

    Returns
    -------
    (4, G) float64 or None
        To add to the sums without each group, in the order of `core.pull`; `None` where
        no mean moves.

    Notes
    -----
    Cost O(n d), one block of rows.
    """
    moves_a, moves_b = moving_sides(means)
    if not (moves_a or moves_b) or sums.pull_a is None or sums.pull_b is None:
        return None
    groups = sums.groups
    shifts = np.zeros((4, groups.count))
    rows = means.fitted_a.row.n_rows + means.fitted_b.row.n_rows
    for side, pull, moves in ((a, sums.pull_a, moves_a), (b, sums.pull_b, moves_b)):
        if not moves:
            continue
        if means.shared:
            left = rows - (moves_a + moves_b) * groups.sizes
            pull = sums.pull_a + sums.pull_b
        else:
            left = groups.n - groups.sizes
        along = _projected(side, pull)
        shifts -= np.stack([groups.total(line) for line in along]) / left
    return shifts


def _projected(side: Rows, pull: Float64Array) -> Float64Array:
    """(4, n) dot products of (u_i - mu) with each line of a pull."""
    along = np.empty((len(pull), side.shape[0]))
    for block in row_blocks(*side.shape, elements=READY_BLOCK_ELEMENTS):
        units, lengths = directions(side, block)
        if lengths is None:
            raise ValueError("a raw reading has no mean to move")
        along[:, block] = (pull.astype(units.dtype) @ units.T) * lengths
    return along
