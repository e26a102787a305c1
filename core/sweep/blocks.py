"""One pass of a plan: blocks of rows over threads, merged in order.

Each block of rows goes across all columns, tile by tile, in the fast way where the sides
hold float32 rows, and comes back with what it counted. Blocks are merged in their own
order, so no sum depends on the number of threads.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.limits import HISTOGRAM_BINS, SWEEP_TILE_ELEMENTS
from core.rows import row_blocks
from core.sweep.rivals import best_others, narrow
from core.sweep.tiles import Plan, RowBlock, tally_exactly
from core.sweep.workers import Progress, Steps, in_order

if TYPE_CHECKING:
    from core.sweep.fast_tiles import FastPlan

__all__ = ["Totals", "go_over"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(slots=True)
class Totals:
    """What all blocks of rows found; the first axis is the reading.

    `best_scores` and `best_places` are those of each row's best other column, the place
    counted among the plan's columns, and `tops` those of the first other that shares the top; the
    rest as in `core.sweep.tiles.RowBlock`.
    """

    better_rows: Int64Array
    tied_rows: Int64Array
    better_columns: Int64Array
    tied_columns: Int64Array
    histogram: Int64Array
    sums: Float64Array
    row_squares: Float64Array
    column_squares: Float64Array
    best_scores: Float64Array
    best_places: Int64Array
    tops: Int64Array
    reach: Float64Array
    exact: bool = True

    @classmethod
    def empty(cls, n_rows: int, n_columns: int) -> Totals:
        return cls(
            better_rows=np.zeros((2, n_rows), np.int64),
            tied_rows=np.zeros((2, n_rows), np.int64),
            better_columns=np.zeros((2, n_columns), np.int64),
            tied_columns=np.zeros((2, n_columns), np.int64),
            histogram=np.zeros((2, HISTOGRAM_BINS), np.int64),
            sums=np.zeros(2),
            row_squares=np.zeros((2, n_rows)),
            column_squares=np.zeros((2, n_columns)),
            best_scores=np.zeros((2, n_rows)),
            best_places=np.zeros((2, n_rows), np.int64),
            tops=np.zeros((2, n_rows), np.int64),
            reach=np.zeros(2),
        )

    def add(self, rows: slice, block: RowBlock) -> None:
        self.better_rows[:, rows] = block.better_rows
        self.tied_rows[:, rows] = block.tied_rows
        self.row_squares[:, rows] = block.row_squares
        self.better_columns += block.better_columns
        self.tied_columns += block.tied_columns
        self.column_squares += block.column_squares
        self.histogram += block.histogram
        self.sums += block.sums
        self.reach = np.maximum(self.reach, block.reach)
        self.exact &= block.exact


def go_over(
    plan: Plan,
    *,
    n_workers: int,
    tile: tuple[int, int],
    message: str,
    progress: Progress | None = None,
    fast: bool = True,
) -> Totals:
    """Tally all tiles of a plan.

    Parameters
    ----------
    tile : (int, int)
        Rows and columns of a tile; fewer rows where they are very wide.
    fast : bool
        Whether to take the fast way where the sides allow it.

    Notes
    -----
    Time O(m w d) for m rows and w columns. Memory: a few tiles per worker.
    """
    n_rows, n_columns, dim = len(plan.rows), len(plan.columns), plan.sides.shape[1]
    height = max(1, min(tile[0], SWEEP_TILE_ELEMENTS // dim))
    row_slices = list(row_blocks(n_rows, 1, elements=height))
    column_slices = list(row_blocks(n_columns, 1, elements=tile[1]))
    total = len(row_slices) * len(column_slices)
    fast_plan = None
    if fast and plan.sides.a.centred_rows is not None:
        # In a worker, so that progress is reported while the compiled loops are loaded.
        loading = Steps(total, progress, message)
        (fast_plan,) = in_order([plan], _fast_plan, operations=sys.maxsize, n_workers=1, steps=loading)

    steps = Steps(total, progress, message)

    def tally(rows: slice) -> tuple[slice, RowBlock, tuple[Float64Array, Int64Array, Int64Array] | None]:
        block = RowBlock.empty(rows.stop - rows.start, n_columns)
        fast_rows = fast_plan.block(rows, tile_columns=tile[1]) if fast_plan else None
        units = cache(partial(plan.sides.a.units, plan.rows[rows]))
        for columns in column_slices:
            steps.step()
            if fast_rows is None or not fast_rows.tally(block, columns):
                tally_exactly(plan, block, rows, columns, units)
            narrow(plan, block, rows)
        if fast_rows is not None:
            fast_rows.finish(block)
        return rows, block, best_others(plan, block, rows) if plan.count_rows else None

    totals = Totals.empty(n_rows, n_columns)
    operations = 2 * n_rows * n_columns * dim
    for rows, block, best in in_order(row_slices, tally, operations=operations, n_workers=n_workers, steps=steps):
        totals.add(rows, block)
        if best is not None:
            totals.best_scores[:, rows], totals.best_places[:, rows], totals.tops[:, rows] = best
    return totals


def _fast_plan(plan: Plan) -> FastPlan:
    from core.sweep.fast_tiles import FastPlan

    return FastPlan(plan)
