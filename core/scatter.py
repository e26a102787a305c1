"""Scatter matrices: sums of outer products of rows about their mean, of which half is kept.

The matrix is symmetric, so only panels on and above the diagonal are made and held, float64:
half of the memory of the square, which for wide rows is most of what an audit takes. Panels
are what workers divide the work by; each is added up over the rows in order.

Symbols: alpha_i rows about their mean, (d, d) S = sum alpha_i alpha_i'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.limits import READY_BLOCK_ELEMENTS
from core.prepared import FloatArray, Rows, distances_from
from core.rows import MeanRow, row_blocks
from core.sweep.workers import Steps, in_order, usable_cores
from core.ticks import Tick, each, no_tick

__all__ = ["Scatter", "scatter"]

Float64Array = NDArray[np.float64]

#: Rows and columns of a panel: large enough for a product at full speed.
PANEL_COLUMNS = 384

#: Least rows whose outer products are taken at once: adding up d^2 numbers costs as much as
#: a product of few rows.
SCATTER_ROWS = 1_024


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """A symmetric (d, d) matrix by its panels.

    Attributes
    ----------
    dim
        d.
    panels : tuple of arrays
        Those of `places`, in that order.
    """

    dim: int
    panels: tuple[FloatArray, ...]

    @classmethod
    def empty(cls, dim: int, kind: type[np.floating[Any]] = np.float64) -> Scatter:
        """All zeros, in one piece of memory: it goes back to the system as one."""
        shapes = [(rows.stop - rows.start, columns.stop - columns.start) for rows, columns in places(dim)]
        ends = np.cumsum([height * width for height, width in shapes])
        parts = np.split(np.zeros(ends[-1], dtype=kind), ends[:-1])
        return cls(dim, tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))

    def as_type(self, kind: type[np.floating[Any]], tick: Tick = no_tick) -> Scatter:
        """The same numbers in another type; itself, if they have it."""
        if self.panels[0].dtype == kind:
            return self
        found = Scatter.empty(self.dim, kind)
        for panel, own in each(zip(found.panels, self.panels, strict=True), tick):
            panel[...] = own
        return found

    def dot(self, other: Scatter, tick: Tick = no_tick) -> float:
        """Sum of products of equal places of two matrices, both float64."""
        total = 0.0
        panels = zip(places(self.dim), self.panels, other.panels, strict=True)
        for (rows, columns), one, two in each(panels, tick):
            total += float(np.vdot(one, two)) * (1 if rows == columns else 2)
        return total

    def times(self, rows: FloatArray) -> FloatArray:
        """(m, d) ``rows @ S`` for (m, d) rows of the panels' type."""
        found = np.zeros_like(rows)
        for (first, second), panel in zip(places(self.dim), self.panels, strict=True):
            found[:, second] += rows[:, first] @ panel
            if first != second:
                found[:, first] += rows[:, second] @ panel.T
        return found

    def whole(self) -> FloatArray:
        """(d, d) the square, for few columns."""
        found = np.empty((self.dim, self.dim), dtype=self.panels[0].dtype)
        for (rows, columns), panel in zip(places(self.dim), self.panels, strict=True):
            found[rows, columns] = panel
            found[columns, rows] = panel.T
        return found


def scatter(rows: Rows, mean: MeanRow, tick: Tick = no_tick) -> Scatter:
    """Sum of outer products of unit rows about their mean, in float64.

    Cost O(n d^2). Products of a block of rows are in the rows' own type, float32 for rows
    from a sweep; blocks are added up in float64.
    """
    n, dim = rows.shape
    total = Scatter.empty(dim)
    tasks = list(zip(places(dim), total.panels, strict=True))
    for block in each(row_blocks(n, dim, elements=max(4 * READY_BLOCK_ELEMENTS, SCATTER_ROWS * dim)), tick):
        _add(tasks, distances_from(rows, block, mean.mean), n, tick)
    return total


def _add(tasks: list[tuple[tuple[slice, slice], FloatArray]], deviations: FloatArray, n: int, tick: Tick) -> None:
    """Add one block of rows to every panel."""
    steps = Steps(len(tasks), lambda *_: tick())

    def add(task: tuple[tuple[slice, slice], FloatArray]) -> None:
        steps.step()
        (first, second), panel = task
        panel += deviations[:, first].T @ deviations[:, second]

    dim = deviations.shape[1]
    for _ in in_order(tasks, add, operations=n * dim * dim, n_workers=usable_cores(), steps=steps):
        pass


def places(dim: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the panels on and above the diagonal."""
    parts = list(row_blocks(dim, 1, elements=PANEL_COLUMNS))
    for number, first in enumerate(parts):
        for second in parts[number:]:
            yield first, second
