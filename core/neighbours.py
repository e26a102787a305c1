"""Mutual nearest-neighbour overlap: do two sides agree on which rows are close?

For each row, the k rows of the *same* side with the highest cosine; the overlap is the
share of those k that both sides name. Like CKA it needs no map and no common width; it
looks only at the nearest rows, where CKA looks at all. Chance is k / (n - 1), and the
overlap falls as n grows, so it means nothing without n and k beside it.

Source: Huh et al. 2024, "The platonic representation hypothesis" (mutual k-NN); n as a
confounder: Koepke et al. Memory: one block of scores and n k indices a side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.limits import SCORE_BLOCK_ELEMENTS
from core.permutation_null import PermutationNull, orders, permutation_null
from core.products import product
from core.ranks import TIE
from core.rows import UnitRows, row_blocks
from core.sweep import Progress
from core.ticks import step_of

__all__ = ["N_NEIGHBOURS", "NeighbourOverlap", "nearest_rows", "neighbour_overlap"]

Index = NDArray[np.int64]

#: The usual k.
N_NEIGHBOURS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourOverlap:
    """Share of nearest neighbours that both sides name.

    Attributes
    ----------
    overlap
        In [0, 1].
    k, n_rows
        Neighbours a row, and rows they were found among.
    decided_by_lot
        Rows, on either side, whose k-th neighbour ties with the next: which of them counts
        is drawn at random.
    null
        The overlap with the rows of one side shuffled; `None` where no order of them is a fair null.
    apart
        Rows nearer than this in the file, round the end, are no neighbours; 1 leaves out the row itself.
    """

    overlap: float
    k: int
    n_rows: int
    decided_by_lot: int
    null: PermutationNull | None
    apart: int = 1

    @property
    def chance(self) -> float:
        """Overlap expected when nothing links the sides."""
        return self.k / (self.n_rows - (2 * self.apart - 1))


def neighbour_overlap(
    a: RealArray,
    b: RealArray,
    *,
    n_permutations: int,
    rng: np.random.Generator,
    k: int = N_NEIGHBOURS,
    apart: int = 0,
    progress: Progress | None = None,
) -> NeighbourOverlap:
    """Mutual k-nearest-neighbour overlap of two sides and its permutation null.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        Stored rows, finite and not zero, n >= 3; row i belongs with row i. With n <= k,
        k is n - 2, the most that leaves a choice.
    n_permutations : int
        Shuffles drawn.
    apart : int
        Above 0, rows nearer than this in the file, round the end, are no neighbours, and the rows of one side are
        moved along together, by every amount or `n_permutations` of them, instead of shuffled; below n / 3.
    progress : callable, optional
        Called with (done, total, message) before each block of rows and each shuffle.

    Notes
    -----
    Time O(n^2 d) for the neighbours, O(n k log(n k)) for each shuffle, all rows used.
    """
    n = len(a)
    own = max(apart, 1)
    k = min(k, n - 2 * own)
    near_a, lots_a = nearest_rows(a, k, rng, apart=own, progress=progress)
    near_b, lots_b = nearest_rows(b, k, rng, apart=own, progress=progress)
    rows = np.repeat(np.arange(n), k)
    columns = near_a.ravel()
    links_b = np.sort((np.arange(n)[:, None] * n + near_b).ravel())
    observed = _shared(rows * n + columns, links_b)
    count, drawn = orders(n, n_permutations, rng, moved=apart > 0)
    shuffled = np.empty(count)
    for draw, order in enumerate(drawn):
        if progress is not None:
            progress(draw, count, "Shuffling neighbours")
        shuffled[draw] = _shared(order[rows] * n + order[columns], links_b)
    return NeighbourOverlap(
        overlap=observed,
        k=k,
        n_rows=n,
        decided_by_lot=int(np.count_nonzero(lots_a | lots_b)),
        null=permutation_null(observed, shuffled, n_rows=n),
        apart=own,
    )


def nearest_rows(
    stored: RealArray,
    k: int,
    rng: np.random.Generator,
    *,
    apart: int = 1,
    block_elements: int = SCORE_BLOCK_ELEMENTS,
    progress: Progress | None = None,
) -> tuple[Index, NDArray[np.bool_]]:
    """The k rows of the highest cosine for each row, itself left out.

    Parameters
    ----------
    stored : (n, d) real array
        Finite, no row zero.
    k : int
        1 <= k <= n - 2 apart.
    apart : int
        Rows nearer than this in the file, round the end, are left out; 1 for the row itself.
    block_elements : int
        Scores held at a time; the result does not depend on it, ties aside.
    progress : callable, optional
        Called with (done, total, message) before each block.

    Returns
    -------
    near : (n, k) int64
        Row numbers, in no order.
    by_lot : (n,) bool
        True where the k-th and the next are closer than `TIE`: those that tie there are
        drawn at random, so that file order gives no two sides the same choice.
    """
    rows = UnitRows(stored)
    n, _ = rows.shape
    near, by_lot = np.empty((n, k), dtype=np.int64), np.zeros(n, dtype=bool)
    step_of(progress, 0, n, "Finding neighbours")()
    units = rows[:]
    for block in row_blocks(n, n, elements=block_elements):
        if progress is not None:
            progress(block.start, n, "Finding neighbours")
        scores = product(units[block], units.T)
        for step in range(1 - apart, apart):
            scores[np.arange(len(scores)), (np.arange(block.start, block.stop) + step) % n] = -np.inf
        top = np.argpartition(scores, n - k - 1, axis=1)[:, n - k - 1 :]
        near[block] = top[:, 1:]
        values = np.take_along_axis(scores, top, axis=1)
        by_lot[block] = values[:, 1:].min(axis=1) - values[:, 0] <= TIE
        for row in np.flatnonzero(by_lot[block]):
            near[block.start + row] = _drawn(scores[row], k, values[row, 1:].min(), rng)
    return near, by_lot


def _drawn(scores: NDArray[np.float64], k: int, last: float, rng: np.random.Generator) -> Index:
    """(k,) neighbours: those clearly nearer than the k-th, the rest drawn from its ties."""
    nearer = np.flatnonzero(scores > last + TIE)
    tied = np.flatnonzero(np.abs(scores - last) <= TIE)
    return np.concatenate([nearer, rng.choice(tied, size=k - len(nearer), replace=False)])


def _shared(links_a: Index, links_b: Index) -> float:
    """Share of the links of A that are among the sorted links of B."""
    place = np.minimum(np.searchsorted(links_b, links_a), len(links_b) - 1)
    return float(np.mean(links_b[place] == links_a))
