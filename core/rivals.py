"""The best rivals: for each row, the row of the other side that scores highest beside its partner.

The audit's pass finds them from A to B (`core.sweep`). What is asked here goes further: do
a row and its best name *each other*? For a sample of rows that costs little; for all rows,
in both directions, it is a float64 pass of its own, made only when an order is asked for.

Symbols: S_ij = a_i . b_j for unit rows of one reading, s_i = S_ii. Memory: one block of scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.limits import READY_BLOCK_ELEMENTS, SCORE_BLOCK_ELEMENTS
from core.prepared import FloatArray, Rows
from core.ranks import TIE
from core.rows import UnitRows, own_cosines, row_blocks
from core.sweep import Progress, ReadingSweep
from core.ticks import Tick, each, no_tick

__all__ = [
    "BestRivals",
    "Rivals",
    "best_in_b",
    "best_rivals",
    "best_scores",
    "candidates_below",
    "named_back",
    "take_best",
]

Float64Array = NDArray[np.float64]
Index = NDArray[np.int64]


#: Numbers of rows or scores at a time while rows are asked: unit rows are made in the cache.
NAMED_BLOCK_ELEMENTS = 2 * READY_BLOCK_ELEMENTS


#: Cosines of float32 rows closer than this count as equal.
FLOAT32_TIE = 2e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rivals:
    """Best candidates of every row, in one direction.

    Attributes
    ----------
    row
        (n,) the highest-scoring candidate that is not the partner; the lowest number
        among equals.
    cosine
        (n,) float64, what it scores.
    """

    row: Index
    cosine: Float64Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestRivals:
    """Who scores highest for each row, in both directions.

    Attributes
    ----------
    own
        (n,) float64 cosines of the rows with their own partners.
    a_to_b, b_to_a
        For rows of A among those of B, and for rows of B among those of A.
    """

    own: Float64Array
    a_to_b: Rivals
    b_to_a: Rivals

    @property
    def best_b(self) -> Index:
        """(n,) for row i of A the row of B that scores highest, the partner if none beats it."""
        return self._best(self.a_to_b)

    @property
    def best_a(self) -> Index:
        """(n,) for row j of B the row of A that scores highest, the partner if none beats it."""
        return self._best(self.b_to_a)

    @property
    def mutual(self) -> NDArray[np.bool_]:
        """(n,) True where row i of A and its best row of B name each other."""
        named: NDArray[np.bool_] = self.best_a[self.best_b] == np.arange(len(self.own))
        return named

    def _best(self, rivals: Rivals) -> Index:
        return np.where(rivals.cosine > self.own, rivals.row, np.arange(len(self.own)))


def best_in_b(swept: ReadingSweep) -> Index:
    """(n,) for row i of A the row of B that scores highest, the partner if none beats it by `TIE`."""
    return np.where(swept.rival_margin_a_to_b < -TIE, swept.rival_a_to_b, np.arange(len(swept.own)))


def best_scores(swept: ReadingSweep) -> Float64Array:
    """(n,) float64, what the rows of `best_in_b` score."""
    return swept.own - np.minimum(swept.rival_margin_a_to_b, 0.0)


def named_back(
    a: Rows,
    b: Rows,
    best_b: Index,
    asked: Index,
    *,
    alike: Index | None = None,
    block_elements: int = NAMED_BLOCK_ELEMENTS,
    tick: Tick = no_tick,
) -> NDArray[np.bool_]:
    """Whether the best row of B of some rows of A names them as its own best.

    Parameters
    ----------
    a, b : UnitRows or PreparedRows
        (n, d) sides of one reading; the sweep's float32 rows are several times faster.
    best_b : (n,) int64
        From `best_in_b`.
    asked : (m,) int64
        Rows of A to ask for.
    alike : (n,) int64, optional
        The same number for equal rows of A: to name one is to name them all.
    block_elements : int
        Scores held at a time; the result does not depend on it, rounding ties aside.
    tick : callable
        Called between blocks.

    Returns
    -------
    (m,) bool

    Notes
    -----
    Time O(m n d) in the precision of the rows. A row of B names its partner unless another row beats it, and
    of equal ones the lowest number, so that duplicates are not all named.
    """
    n, dim = a.shape
    wanted = best_b[asked]
    units = b[wanted]
    own = np.einsum("ij,ij->i", a[wanted], units).astype(np.float64)
    places, highest = wanted.copy(), own.copy()
    for rows in each(row_blocks(n, max(len(wanted), dim), elements=block_elements), tick):
        take_best(units @ a[rows].T, places, highest, rows.start)
    tied = highest <= own + (TIE if units.dtype == np.float64 else FLOAT32_TIE)
    places[tied] = wanted[tied]
    named: NDArray[np.bool_] = places == asked if alike is None else alike[places] == alike[asked]
    return named


def candidates_below(
    a: Rows,
    b: Rows,
    rows: Index,
    partners: Index,
    *,
    block_elements: int = NAMED_BLOCK_ELEMENTS,
    tick: Tick = no_tick,
) -> Float64Array:
    """Share of the rows of B that score lower than a given one, for some rows of A.

    Parameters
    ----------
    a, b : UnitRows or PreparedRows
        (n, d) sides of one reading.
    rows, partners : (m,) int64
        Rows of A, and for each a row of B.
    block_elements : int
        Scores held at a time.
    tick : callable
        Called between blocks.

    Returns
    -------
    (m,) float64
        In [0, 1]; uniform in expectation where the given rows of B are strangers.

    Notes
    -----
    Time O(m n d) in the precision of the rows.
    """
    n, dim = b.shape
    units = a[rows]
    own = np.einsum("ij,ij->i", units, b[partners])
    own -= TIE if units.dtype == np.float64 else FLOAT32_TIE  # a row is not below itself by rounding
    lower = np.zeros(len(rows), dtype=np.int64)
    for block in each(row_blocks(n, max(len(rows), dim), elements=block_elements), tick):
        lower += np.count_nonzero(units @ b[block].T < own[:, None], axis=1)
    return lower / max(n - 1, 1)


def best_rivals(
    a: UnitRows,
    b: UnitRows,
    *,
    progress: Progress | None = None,
    message: str = "Looking for the best rivals",
    block_elements: int = SCORE_BLOCK_ELEMENTS,
) -> BestRivals:
    """Best rival of each row, in both directions.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides of one reading, n >= 2.
    progress : callable, optional
        Called after each block of rows; the place to cancel.
    block_elements : int
        Scores held at a time; the result does not depend on it, rounding ties aside.

    Notes
    -----
    Time O(n^2 d) in float64.
    """
    n, _ = a.shape
    side = max(1, int(block_elements**0.5))
    places = np.zeros((2, n), dtype=np.int64)
    highest = np.full((2, n), -np.inf)
    steps = list(row_blocks(n, side, elements=block_elements))
    for done, rows in enumerate(steps, start=1):
        units = a[rows]
        for columns in row_blocks(n, side, elements=block_elements):
            scores = units @ b[columns].T
            partners = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
            scores[partners - rows.start, partners - columns.start] = -np.inf
            take_best(scores, places[0, rows], highest[0, rows], columns.start)
            take_best(scores.T, places[1, columns], highest[1, columns], rows.start)
        if progress is not None:
            progress(done, len(steps), message)
    return BestRivals(
        own=own_cosines(a, b),
        a_to_b=Rivals(row=places[0], cosine=highest[0]),
        b_to_a=Rivals(row=places[1], cosine=highest[1]),
    )


def take_best(scores: FloatArray, places: Index, highest: Float64Array, start: int) -> None:
    """Note, in place, the best candidate of a block where it beats what earlier blocks held."""
    found = scores.argmax(axis=1)
    values = scores[np.arange(len(scores)), found]
    better = values > highest
    places[better] = found[better] + start
    highest[better] = values[better]
