"""Tiles of the sweep at the speed of the float32 product, with float64's answers.

A float32 score lies within a rigorous bound of its exact value. Where the bound settles on
which side of a threshold it lies, the compiled loops count it; the others are asked again,
first with float64 sums over the float32 rows (2^9 times as sharp), then from the stored
rows. A tile in which too many are open, as in a collapsed space, is handed back to be
done in float64 as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.limits import HISTOGRAM_BINS
from core.ranks import TIE
from core.rows import row_blocks
from core.sweep import pair_kernel, tile_kernel
from core.sweep.bounds import (
    FLOAT32_ROUNDOFF,
    centred_bound,
    exact_bound,
    product_depth,
    raw_bound_terms,
    settled_bound,
)
from core.sweep.copies import copies_of
from core.sweep.sides import CENTRED, RAW, ReadySides
from core.sweep.tiles import Plan, RowBlock

__all__ = ["FastRows", "exact_cosines"]

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

#: Open questions per tile, as a share of its entries, beyond which float64 for the whole
#: tile is no slower: a question costs about as much as eight entries of a float64 product.
QUESTIONS_SHARE = 8

#: The same for questions that must go back to the stored rows, which is far slower.
LEFT_SHARE = 256

#: Possible rivals noted per row and tile: a dozen on the way to the best, and then ties.
RIVALS_PER_ROW = 256

#: What adding a row's own part to a raw score, or taking it off again, can round: both stay below 4.
_MOVED = 2.0**-50

#: Numbers of each side fetched at a time to score pairs of rows: little enough to stay in cache.
PAIR_ELEMENTS = 25_000

#: A pair scored by itself takes as long as so many entries of a float64 product.
PAIR_ENTRIES = 64

#: Columns of a float64 product of a block's rows.
COLUMNS_AT_ONCE = 1_024


class FastPlan:
    """What all row blocks of a fast sweep share.

    Attributes
    ----------
    rows_a, rows_b
        Float32 centred unit rows of the plan's rows and columns.
    copies_a, copies_b
        Which of them are equal.
    own_a
        (w,) the first row equal to each column's own partner, -1 for none.
    facts_a, facts_b
        (m, 4) float64: |c|, part of the raw score, own raw and own centred cosine; an own
        cosine is infinite where nothing is to be ranked against it.
    """

    def __init__(self, plan: Plan) -> None:
        sides = plan.sides
        if sides.a.centred_rows is None or sides.b.centred_rows is None:
            raise ValueError("the sides were made ready without float32 rows")
        self.plan = plan
        self.dim = sides.shape[1]
        self.depth = product_depth(self.dim)
        self.rows_a = _take(sides.a.centred_rows, plan.rows)
        self.rows_b = _take(sides.b.centred_rows, plan.columns)
        self.copies_a = copies_of(self.rows_a, sides.a.stored, plan.rows)
        self.copies_b = copies_of(self.rows_b, sides.b.stored, plan.columns)
        self.own_a = self.copies_a.own(plan.row_places())
        own = sides.own.copy()
        if CENTRED not in plan.readings:
            own[CENTRED] = np.inf
        never = np.full_like(own, np.inf)
        self.facts_a = _facts(sides.a.lengths, sides.a.parts, own if plan.count_rows else never, plan.rows)
        self.facts_b = _facts(sides.b.lengths, sides.b.parts, own if plan.count_columns else never, plan.columns)
        raw, centred = plan.about
        per_unit = HISTOGRAM_BINS / 2
        bins = [(about + 1.0) * per_unit + 1.0 for about in plan.about]  # one spare bin below -1
        self.frame = np.array([centred, *bins, per_unit], dtype=np.float32)
        self.rest = self.facts_a[:, 1] + (sides.constant - raw)
        self.wanted = np.array([plan.count_rows and reading in plan.readings for reading in (RAW, CENTRED)])
        self.bounds = np.array([sides.constant, TIE, centred_bound(self.dim), *raw_bound_terms(self.dim)])
        self.settle_bounds = np.array([sides.constant, settled_bound(self.dim), exact_bound(self.dim), TIE])

    def block(self, rows: slice, *, tile_columns: int) -> FastRows:
        return FastRows(self, rows, tile_columns)


def _take(array: NDArray[Any], numbers: Int64Array) -> NDArray[Any]:
    """``array[numbers]``, without a copy when that is all of it."""
    return array if len(numbers) == len(array) else array[numbers]


def _facts(lengths: Float64Array, parts: Float64Array, own: Float64Array, numbers: Int64Array) -> Float64Array:
    return np.ascontiguousarray(np.stack((lengths, parts, own[RAW], own[CENTRED]), axis=1)[numbers])


class FastRows:
    """One block of rows on its way across the columns, and the memory it works in."""

    def __init__(self, fast: FastPlan, rows: slice, tile_columns: int) -> None:
        self._fast = fast
        self._rows = rows
        self._facts = fast.facts_a[rows]
        self._rest = fast.rest[rows]
        # The loops leave what is the same all along a row out of its raw scores; a block keeps whole scores.
        self._same = np.stack((self._facts[:, 1] + fast.plan.sides.constant, np.zeros(len(self._facts))))
        self._farthest, self._longest = 2 * np.abs(self._rest).max(), self._facts[:, 0].max()
        self._own_places = fast.plan.own_places(rows)
        self._row_copies = np.stack((fast.copies_a.first[rows], fast.copies_b.own(self._own_places)), axis=1)
        n_rows = len(self._facts)
        tile = n_rows * tile_columns
        self._scores = np.empty(tile, np.float32)
        self._fields = np.empty((n_rows, tile_kernel.ROW_FIELDS), np.float32)
        self._reach = np.empty((n_rows, 2))
        self._questions = np.empty((tile // QUESTIONS_SHARE + 1, 2), np.int32)
        self._kinds = np.empty(len(self._questions), np.uint8)
        self._rivals = np.empty((2, RIVALS_PER_ROW * n_rows, 2), np.int32)
        self._uppers = np.empty((2, RIVALS_PER_ROW * n_rows))
        self._left = np.empty((tile // LEFT_SHARE + 64, 3), np.int64)
        self._still_open: list[Int64Array] = []

    def tally(self, block: RowBlock, columns: slice) -> bool:
        """Add one tile to the block; False, and nothing added, if it must be done in float64."""
        fast, rows_a, rows_b = self._fast, self._fast.rows_a[self._rows], self._fast.rows_b[columns]
        column_facts = fast.facts_b[columns]
        m, w = len(rows_a), len(rows_b)
        scores = self._scores[: m * w].reshape(m, w)
        _multiply(rows_a, rows_b, scores, fast.depth)
        before = block.lower - self._same - _MOVED
        lower = before.T.copy()
        lanes = np.empty((-(-w // tile_kernel.SEGMENT), tile_kernel.COLUMN_FIELDS * tile_kernel.SEGMENT), np.float32)
        farthest, longest, largest = tile_kernel.set_thresholds(
            self._facts, column_facts, self._rest, fast.bounds, lower, fast.wanted, self._fields, lanes, self._reach
        )
        totals = np.zeros((m, 3, 2))
        histogram = np.zeros(2 * tile_kernel.BIN_COPIES * tile_kernel.BIN_ROOM, np.uint32)
        found = np.zeros(3, np.int64)
        tied_rows, tied_columns = np.zeros((2, m), np.int64), np.zeros((2, w), np.int64)
        done = tile_kernel.tally_tile(
            scores, self._own_places - columns.start, self._fields, lanes, fast.frame, totals, histogram,
            self._reach, lower, TIE, *self._copies(columns), tied_rows, tied_columns,
            self._questions, self._kinds, self._rivals, self._uppers, found,
        )  # fmt: skip
        if not done:
            return False
        better_rows, better_columns = np.zeros((2, m), np.int64), np.zeros((2, w), np.int64)
        n_left = pair_kernel.settle(
            self._questions, self._kinds, found, rows_a, rows_b, self._facts, column_facts, fast.settle_bounds,
            better_rows, better_columns, self._left,
        )  # fmt: skip
        if n_left < 0:
            return False
        block.better_rows += better_rows
        block.better_columns[:, columns] += better_columns
        block.tied_rows += tied_rows
        block.tied_columns[:, columns] += tied_columns
        np.copyto(block.lower, lower.T + self._same - _MOVED, where=before < lower.T)
        tile_kernel.collect(
            totals, lanes, histogram, columns.start, block.better_rows, block.better_columns, block.sums,
            block.row_squares, block.column_squares, block.histogram,
        )  # fmt: skip
        block.exact = False
        reach = np.array([farthest, fast.bounds[2]]) + self._deviation_bounds(longest, largest)
        block.reach = np.maximum(block.reach, reach)
        self._still_open.append(self._left[:n_left] + np.array([0, columns.start, 0]))
        for reading in fast.plan.readings:
            places = self._rivals[reading, : found[1 + reading]].astype(np.int64)
            uppers = self._uppers[reading, : len(places)] + self._same[reading, places[:, 0]] + _MOVED
            block.rivals[reading].append((places[:, 0], places[:, 1] + columns.start, uppers))
        return True

    def _deviation_bounds(self, longest: float, largest: float) -> Float64Array:
        """(2,) what making a deviation from f of a float32 score adds to its error, given the largest |c| and part."""
        raw = self._farthest + self._longest * longest + largest
        return FLOAT32_ROUNDOFF * np.array([raw, abs(self._fast.plan.about[CENTRED]) + 2.0])

    def _copies(self, columns: slice) -> tuple[Int64Array, Int64Array]:
        """Equal rows and columns of a tile, columns as places in it."""
        fast = self._fast
        of_b = (fast.copies_b.first[columns] - columns.start, fast.copies_b.second[columns] - columns.start)
        return self._row_copies - np.array([0, columns.start]), np.stack((*of_b, fast.own_a[columns]), axis=1)

    def finish(self, block: RowBlock) -> None:
        """Answer from the stored rows what is still open."""
        plan = self._fast.plan
        open_ = np.concatenate([np.empty((0, 3), np.int64), *self._still_open])
        if not len(open_):
            return
        at_rows, at_columns, kinds = open_.T
        numbers_a, numbers_b = plan.rows[self._rows][at_rows], plan.columns[at_columns]
        cosines = exact_scores(plan, self._rows, at_rows, at_columns)
        for reading in plan.readings:
            own = plan.sides.own[reading]
            for side, numbers, places, better, tied in (
                (0, numbers_a, at_rows, block.better_rows, block.tied_rows),
                (1, numbers_b, at_columns, block.better_columns, block.tied_columns),
            ):
                asked = (kinds >> (reading + 2 * side)) & 1 == 1
                ahead = cosines[asked, reading] - own[numbers[asked]]
                np.add.at(better[reading], places[asked][ahead > TIE], 1)
                np.add.at(tied[reading], places[asked][np.abs(ahead) <= TIE], 1)


def _multiply(rows_a: Float32Array, rows_b: Float32Array, out: Float32Array, depth: int) -> None:
    """``rows_a @ rows_b.T``, the columns taken `depth` at a time."""
    np.matmul(rows_a[:, :depth], rows_b[:, :depth].T, out=out)
    for start in range(depth, rows_a.shape[1], depth):
        part = slice(start, start + depth)
        out += rows_a[:, part] @ rows_b[:, part].T


def exact_cosines(sides: ReadySides, numbers_a: Int64Array, numbers_b: Int64Array) -> Float64Array:
    """(p, 2) raw and centred cosines of given pairs of rows, in float64 from the stored rows."""
    cosines = np.empty((len(numbers_a), 2))
    lengths = sides.a.lengths[numbers_a] * sides.b.lengths[numbers_b]
    for at in row_blocks(len(cosines), sides.shape[1], elements=PAIR_ELEMENTS):
        one, other = numbers_a[at], numbers_b[at]
        cosines[at] = pair_kernel.exact_pairs(
            sides.a.scaled(one), sides.b.scaled(other), sides.a.scales[one], sides.b.scales[other],
            sides.a.mean, sides.b.mean, np.where(lengths[at] > 0, lengths[at], 1.0),
        )  # fmt: skip
    return cosines


def exact_scores(plan: Plan, rows: slice, at_rows: Int64Array, at_columns: Int64Array) -> Float64Array:
    """(p, 2) float64 raw and centred scores of entries of a block of rows.

    One by one, or where they are many from products of all their columns.
    """
    columns, place = np.unique(at_columns, return_inverse=True)
    numbers = plan.rows[rows]
    if len(at_rows) * PAIR_ENTRIES < len(numbers) * len(columns):
        return exact_cosines(plan.sides, numbers[at_rows], plan.columns[at_columns])
    side_a, side_b = plan.sides.a, plan.sides.b
    units_a = side_a.units(numbers)
    centred_a = side_a.centred(units_a, numbers)
    scores = np.empty((len(at_rows), 2))
    for start in range(0, len(columns), COLUMNS_AT_ONCE):
        numbers_b = plan.columns[columns[start : start + COLUMNS_AT_ONCE]]
        here = np.flatnonzero((place >= start) & (place < start + len(numbers_b)))
        units_b = side_b.units(numbers_b)
        entries = at_rows[here], place[here] - start
        scores[here, RAW] = (units_a @ units_b.T)[entries]
        scores[here, CENTRED] = (centred_a @ side_b.centred(units_b, numbers_b).T)[entries]
    return scores


def paired_scores(sides: ReadySides, numbers_a: Int64Array, numbers_b: Int64Array) -> tuple[Float64Array, Float64Array]:
    """(2, p) raw and centred scores of given pairs of rows, and their error bounds.

    Float64 sums over the float32 rows: the error is at most 1.2e-7 and typically 1e-9, at a
    tenth of the cost of `exact_cosines`.
    """
    pairs = np.stack((numbers_a, numbers_b), axis=1)
    centred = pair_kernel.paired_dots(sides.a.centred_rows, sides.b.centred_rows, pairs)
    error = settled_bound(sides.shape[1])
    scale = sides.a.lengths[numbers_a] * sides.b.lengths[numbers_b]
    raw = centred * scale + (sides.a.parts[numbers_a] + sides.b.parts[numbers_b] + sides.constant)
    return np.stack((raw, centred)), np.stack((scale * error + exact_bound(sides.shape[1]), np.full(len(raw), error)))
