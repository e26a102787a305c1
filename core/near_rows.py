"""Rows of one array that are rows of another in a different precision or scale.

By value, a row saved as float16 is another row than its float64 copy, and so is the row
times 3. By direction they are one to rounding: cosine distance up to `SAME_DIRECTION` of
that between unrelated rows, or up to what bfloat16 can leave (`BFLOAT16_LEAVES`) where either
array holds nothing finer. Candidates come from a few fixed projections of the unit rows,
which never lie farther apart than the rows; each is then measured in full.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.anisotropy import anisotropy
from core.formats.loaded import RealArray
from core.limits import READY_BLOCK_ELEMENTS
from core.rows import MeanRow, UnitRows, row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["NearRows", "chains", "first_of_chain", "fixed_axes", "projections", "squared_distances"]

Float64Array = NDArray[np.float64]
IndexArray = NDArray[np.intp]

#: Cosine distance up to which two rows are one, in those of unrelated rows: float16 leaves about 2e-8.
SAME_DIRECTION = 1e-6

#: Cosine distance that storing as bfloat16 leaves at most: each number is off by up to 2^-8 of itself, and
#: 1 - cos is half the square (1.5e-6 on average). Never more than such a share of the distance of unrelated rows.
BFLOAT16_LEAVES, BFLOAT16_SHARE = 2.0**-17, 1e-3

#: Rows looked at to tell that an array holds bfloat16 numbers, whatever type they are stored as.
_LOOKED_AT = 256

#: In few columns other rows come that near by chance; there only float32 and scale are told.
FEW_COLUMNS, SAME_IN_FEW_COLUMNS = 8, 1e-13

#: Projections; no more, or a tree of them is no faster than all distances.
PROJECTIONS = 8


class NearRows:
    """The rows of one array, to be found in others by direction.

    Parameters
    ----------
    rows : (n, d) real array
        Finite, no row all zero.
    mean : MeanRow, optional
        Mean of their unit rows, where it is known already.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O(n d), memory O(n) beside a block of rows.
    """

    def __init__(self, rows: RealArray, mean: MeanRow | None = None, tick: Tick = no_tick) -> None:
        from scipy.spatial import cKDTree  # imported here: `import core` stays light

        self._units = UnitRows(rows)
        self._tick = tick
        dim = self._units.shape[1]
        share = SAME_IN_FEW_COLUMNS if dim < FEW_COLUMNS else SAME_DIRECTION
        usual = max(1 - anisotropy(mean or self._units.mean_row(tick)), 0.0)
        self._own_tolerance = share * usual
        self._coarse_tolerance = self._own_tolerance
        if dim >= FEW_COLUMNS:
            self._coarse_tolerance = max(self._own_tolerance, min(BFLOAT16_LEAVES, BFLOAT16_SHARE * usual))
        self._is_coarse = holds_bfloat16(rows)
        self._projected = projections(rows, tick)
        self._tree = cKDTree(self._projected)

    def places(self, rows: RealArray, projected: Float64Array) -> IndexArray:
        """(m,) for each of other rows, and their `projections`, the row of this array that it is; -1 for none."""
        others = UnitRows(rows)
        coarse = self._is_coarse or holds_bfloat16(rows)
        tolerance = self._coarse_tolerance if coarse else self._own_tolerance
        if others.shape[1] < 2 or tolerance <= 0:  # in one column all rows are 1 or -1
            return np.full(len(rows), -1, dtype=np.intp)
        reach, nearest = _reach(tolerance), np.empty(len(rows), dtype=np.intp)
        for block in each(row_blocks(*projected.shape, elements=READY_BLOCK_ELEMENTS), self._tick):
            nearest[block] = self._tree.query(projected[block], distance_upper_bound=reach)[1]
        known = nearest < len(self._projected)
        found = np.where(known, nearest, -1).astype(np.intp)
        same = self._are_one(others, np.flatnonzero(known), found[known], tolerance)
        found[known] = np.where(same, found[known], -1)
        return found

    def kinds(self) -> IndexArray:
        """(n,) for each row the first row that it is one with, itself where there is none earlier."""
        n = len(self._projected)
        kinds = np.arange(n)
        if self._own_tolerance <= 0 or n < 2 or self._units.shape[1] < 2:
            return kinds
        pairs = self._near_neighbours()
        same = self._are_one(self._units, pairs[0], pairs[1], self._own_tolerance)
        return first_of_chain(n, pairs[0][same], pairs[1][same])

    def _near_neighbours(self) -> tuple[IndexArray, IndexArray]:
        """Each row with the next nearest one within reach."""
        reach, nearest = _reach(self._own_tolerance), np.empty((len(self._projected), 2), dtype=np.intp)
        for block in each(row_blocks(*self._projected.shape, elements=READY_BLOCK_ELEMENTS), self._tick):
            nearest[block] = self._tree.query(self._projected[block], k=2, distance_upper_bound=reach)[1]
        rows = np.repeat(np.arange(len(nearest)), 2)
        others = nearest.ravel()
        kept = (others < len(nearest)) & (others != rows)
        return rows[kept], others[kept].astype(np.intp)

    def _are_one(
        self, others: UnitRows, rows: IndexArray, places: IndexArray, tolerance: float
    ) -> NDArray[np.bool_]:
        """Whether 1 - cosine, from the squared difference so that it keeps its digits, is within the tolerance."""
        within: NDArray[np.bool_] = squared_distances(others, rows, self._units, places, self._tick) / 2 <= tolerance
        return within


def _reach(tolerance: float) -> float:
    """Distance of unit rows at the tolerance, and the rounding of a projection."""
    return math.sqrt(2 * tolerance) + 1e-14


def holds_bfloat16(rows: RealArray) -> bool:
    """True if an array of floats holds numbers that bfloat16 can hold, not whole numbers alone, whatever its type."""
    if rows.dtype.kind != "f" or rows.dtype == np.float16:
        return False
    looked = np.asarray(rows[:: max(1, len(rows) // _LOOKED_AT)], dtype=np.float64)
    mantissas = np.frexp(looked)[0] * 2.0**8  # eight bits, the leading one included
    return bool(np.all(mantissas == np.round(mantissas)) and np.any(looked != np.round(looked)))


def projections(rows: RealArray, tick: Tick = no_tick) -> Float64Array:
    """(n, at most 8) unit rows along fixed orthonormal axes. Time O(n d)."""
    units = UnitRows(rows)
    n, dim = units.shape
    axes = fixed_axes(dim, PROJECTIONS)
    found = np.empty((n, axes.shape[1]))
    for block in each(units.blocks(), tick):
        found[block] = units[block] @ axes
    return found


def fixed_axes(dim: int, most: int) -> Float64Array:
    """(d, min(d, most)) orthonormal axes, the same in every run: along them no distance grows."""
    axes: Float64Array = np.linalg.qr(np.random.default_rng(0).standard_normal((dim, min(dim, most))))[0]
    return axes


def squared_distances(
    ones: UnitRows, rows: IndexArray, others: UnitRows, places: IndexArray, tick: Tick = no_tick
) -> Float64Array:
    """(m,) squared distance of ``ones[rows[i]]`` and ``others[places[i]]``, from differences, which keep its digits."""
    found = np.empty(len(rows))
    for block in each(row_blocks(len(rows), ones.shape[1]), tick):
        apart = ones[rows[block]] - others[places[block]]
        found[block] = np.einsum("ij,ij->i", apart, apart)
    return found


def chains(n: int, left: IndexArray, right: IndexArray) -> IndexArray:
    """(n,) number of the connected component that each of n rows is in."""
    from scipy.sparse import coo_array  # imported here: `import core` stays light
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def first_of_chain(n: int, left: IndexArray, right: IndexArray) -> IndexArray:
    """(n,) the lowest number of each connected component."""
    _, first, inverse = np.unique(chains(n, left, right), return_index=True, return_inverse=True)
    return np.asarray(first[inverse], dtype=np.intp)
