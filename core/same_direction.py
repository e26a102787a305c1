"""Which rows of one array have the same direction: equal rows, and equal up to scale.

A cosine sees directions only, so a row and twice that row are one row to every figure here,
whatever their bytes. Two unit rows are one if they lie within `SAME` of each other, or within
the rounding of the stored type where 3 times a row cannot be stored exactly (float32). No grid
is laid over them, so no pair is missed for standing on two sides of an edge.

Rows are first sorted by a projection of their first few columns, made unit length: equal
directions are neighbours there. Only those that have a neighbour are read whole.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.near_rows import FEW_COLUMNS, first_of_chain, squared_distances
from core.rows import UnitRows, row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["direction_kinds", "repeated"]

Float64Array = NDArray[np.float64]
IndexArray = NDArray[np.intp]

#: Distance of unit rows up to which they are one: twelve digits.
SAME = 1e-12

#: Columns looked at first: equal directions are equal there too.
_FIRST = 16

#: Projections of equal rows differ by rounding; so many times as far apart rows are still looked at.
_REACH = 4.0


def direction_kinds(rows: RealArray, tick: Tick = no_tick) -> IndexArray:
    """(n,) for each row the first row that has its direction, itself where there is none earlier.

    Parameters
    ----------
    rows : (n, d) real array
        As stored; finite, no row all zero. In one column, where a direction is a sign, equal rows.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O(n log n), and O(k d) for the k rows that look alike in their first columns; memory O(n).
    """
    n, dim = rows.shape
    if dim == 1:
        _, first, place = np.unique(rows[:, 0], return_index=True, return_inverse=True)
        return np.asarray(first[place], dtype=np.intp)
    most = _tolerance(rows)
    chosen = _looking_alike(rows, _REACH * most, tick)
    units = UnitRows(rows)
    axis = np.random.default_rng(0).standard_normal(dim)
    placed = np.empty(len(chosen))
    for block in each(row_blocks(len(chosen), dim), tick):
        placed[block] = units[chosen[block]] @ axis
    left, right = _neighbours(placed, _REACH * most * float(np.linalg.norm(axis)))
    left, right = chosen[left], chosen[right]
    same = squared_distances(units, left, units, right, tick) <= most**2
    return first_of_chain(n, left[same], right[same])


def repeated(kinds: IndexArray) -> int:
    """Rows that have the direction of an earlier row."""
    return int(np.count_nonzero(kinds != np.arange(len(kinds))))


def _tolerance(rows: RealArray) -> float:
    """The rounding of one stored row; in few columns other rows come as near as float32 rounds."""
    if rows.dtype == np.float32 and rows.shape[1] >= FEW_COLUMNS:
        return float(np.finfo(np.float32).eps)
    return SAME


def _looking_alike(rows: RealArray, reach: float, tick: Tick) -> IndexArray:
    """Rows, ascending, that have another's direction in their first columns, or nothing there."""
    columns = min(rows.shape[1], _FIRST)
    axis = np.random.default_rng(1).standard_normal(columns)
    axis /= np.linalg.norm(axis)
    placed = np.empty(len(rows))
    for block in each(row_blocks(len(rows), columns), tick):
        first = np.array(rows[block, :columns], dtype=np.float64, order="C")
        largest = np.abs(first).max(axis=1)
        first = np.ldexp(first, -np.frexp(largest)[1][:, None])
        lengths = np.sqrt(np.einsum("ij,ij->i", first, first))
        placed[block] = np.divide(first @ axis, lengths, out=np.zeros(len(first)), where=lengths > 0)
    left, right = _neighbours(placed, reach)
    alike = np.zeros(len(rows), dtype=bool)
    alike[left] = alike[right] = True
    return np.flatnonzero(alike)


def _neighbours(placed: Float64Array, reach: float) -> tuple[IndexArray, IndexArray]:
    """Places of numbers that follow each other, directly or with one between, within reach."""
    order = np.argsort(placed, kind="stable")
    ordered = placed[order]
    found = [(order[:-step], order[step:], ordered[step:] - ordered[:-step] <= reach) for step in (1, 2)]
    left = np.concatenate([one[near] for one, _, near in found])
    right = np.concatenate([other[near] for _, other, near in found])
    return left.astype(np.intp), right.astype(np.intp)
