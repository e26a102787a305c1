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

from core import kernel
from core.bounds import FLOAT32_ROUNDOFF, centred_bound, exact_bound, raw_bounds
from core.limits import HISTOGRAM_BINS
from core.ranks import TIE
from core.sides import CENTRED, RAW, ReadySides
from core.tiles import Plan, RowBlock

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
RIVALS_PER_ROW = 64

#: Pairs of rows fetched at a time to be scored from the stored rows.
PAIRS_AT_ONCE = 256


def _down(values: Float64Array) -> Float32Array:
    with np.errstate(over="ignore"):
        return np.nextafter(values.astype(np.float32), np.float32(-np.inf))


def _up(values: Float64Array) -> Float32Array:
    with np.errstate(over="ignore"):
        return np.nextafter(values.astype(np.float32), np.float32(np.inf))


class FastPlan:
    """What all row blocks of a fast sweep share.

    Attributes
    ----------
    rows_a, rows_b
        Float32 centred unit rows of the plan's rows and columns.
    facts_a, facts_b
        (m, 4) float64: |c|, part of the raw score, own raw and own centred cosine; an own
        cosine is infinite where nothing is to be ranked against it.
    """

    def __init__(self, plan: Plan, *, tile_columns: int) -> None:
        sides = plan.sides
        if sides.a.centred_rows is None or sides.b.centred_rows is None:
            raise ValueError("the sides were made ready without float32 rows")
        self.plan = plan
        self.tile_columns = tile_columns
        self.dim = sides.shape[1]
        self.rows_a = _take(sides.a.centred_rows, plan.rows)
        self.rows_b = _take(sides.b.centred_rows, plan.columns)
        own = sides.own.copy()
        if CENTRED not in plan.readings:
            own[CENTRED] = np.inf
        never = np.full_like(own, np.inf)
        self.facts_a = _facts(sides.a.lengths, sides.a.parts, own if plan.count_rows else never, plan.rows)
        self.facts_b = _facts(sides.b.lengths, sides.b.parts, own if plan.count_columns else never, plan.columns)
        per_unit = HISTOGRAM_BINS / 2
        raw, centred = plan.about
        bins = [(about + 1.0) * per_unit + 1.0 for about in plan.about]  # one spare bin below -1
        self.frame = np.array([centred, *bins, per_unit], dtype=np.float32)
        self.rest = self.facts_a[:, 1] + (sides.constant - raw)

    def block(self, rows: slice) -> FastRows:
        return FastRows(self, rows)


def _take(array: NDArray[Any], numbers: Int64Array) -> NDArray[Any]:
    """``array[numbers]``, without a copy when that is all of it."""
    return array if len(numbers) == len(array) else array[numbers]


def _facts(lengths: Float64Array, parts: Float64Array, own: Float64Array, numbers: Int64Array) -> Float64Array:
    return np.ascontiguousarray(np.stack((lengths, parts, own[RAW], own[CENTRED]), axis=1)[numbers])


class FastRows:
    """One block of rows on its way across the columns."""

    def __init__(self, fast: FastPlan, rows: slice) -> None:
        self._fast = fast
        self._rows = rows
        self._facts = fast.facts_a[rows]
        self._own_places = fast.plan.own_places(rows)
        n_rows = len(self._facts)
        tile = n_rows * fast.tile_columns
        self._scores = np.empty(tile, np.float32)
        self._questions = np.empty((tile // QUESTIONS_SHARE + 1, 2), np.int32)
        self._kinds = np.empty(len(self._questions), np.uint8)
        self._rivals = np.empty((2, RIVALS_PER_ROW * n_rows, 2), np.int32)
        self._uppers = np.empty((2, RIVALS_PER_ROW * n_rows))
        self._left = np.empty((tile // LEFT_SHARE + 64, 3), np.int64)
        self._still_open: list[Int64Array] = []

    def tally(self, block: RowBlock, columns: slice) -> bool:
        """Add one tile to the block; False, and nothing added, if it must be done in float64."""
        fast, rows_a, rows_b = self._fast, self._fast.rows_a[self._rows], self._fast.rows_b[columns]
        m, w = len(rows_a), len(rows_b)
        scores = self._scores[: m * w].reshape(m, w)
        np.matmul(rows_a, rows_b.T, out=scores)
        column_facts = fast.facts_b[columns]
        reach = self._reach(column_facts)
        lower = block.lower.T.copy()
        row_fields = self._row_fields(reach, lower)
        lanes = self._lanes(column_facts)
        totals = np.zeros((m, 3, 2))
        histogram = np.zeros(2 * kernel.BIN_COPIES * kernel.BIN_ROOM, np.uint32)
        found = np.zeros(3, np.int64)
        lists = (self._questions, self._kinds, self._rivals, self._uppers, found)
        own_at = self._own_places - columns.start
        if not kernel.tally_tile(
            scores, own_at, row_fields, lanes, fast.frame, totals, histogram, reach, lower, TIE, lists
        ):
            return False
        better_rows = np.ascontiguousarray(totals[:, 0].T).astype(np.int64)
        better_columns = _from_lanes(lanes, kernel.COUNTS, w).astype(np.int64)
        bounds = np.array(
            [fast.plan.sides.constant, 2.02 * FLOAT32_ROUNDOFF + exact_bound(fast.dim), exact_bound(fast.dim), TIE]
        )
        n_left = kernel.settle(
            self._questions, self._kinds, found, rows_a, rows_b, self._facts, column_facts, bounds,
            better_rows, better_columns, self._left,
        )  # fmt: skip
        if n_left < 0:
            return False
        self._still_open.append(self._left[:n_left] + (0, columns.start, 0))
        block.better_rows += better_rows
        block.better_columns[:, columns] += better_columns
        block.lower[:] = lower.T
        block.sums += totals[:, 1].sum(axis=0)
        block.row_squares += totals[:, 2].T
        block.column_squares[:, columns] += _from_lanes(lanes, kernel.SQUARES, w)
        block.histogram += _from_copies(histogram)
        block.exact = False
        for reading in fast.plan.readings:
            places = self._rivals[reading, : found[1 + reading]].astype(np.int64)
            block.rivals[reading].append(
                (places[:, 0], places[:, 1] + columns.start, self._uppers[reading, : len(places)].copy())
            )
        block.reach = np.maximum(block.reach, reach.max(axis=0))
        return True

    def _reach(self, column_facts: Float64Array) -> Float64Array:
        """(m, 2) error bounds of the rows' scores in this tile, raw and centred."""
        raw = raw_bounds(
            self._facts[:, 0], column_facts[:, 0].max(), float(np.abs(column_facts[:, 1]).max()), self._fast.dim
        )
        return np.stack((raw, np.full(len(raw), centred_bound(self._fast.dim))), axis=1)

    def _row_fields(self, reach: Float64Array, lower: Float64Array) -> Float32Array:
        fields = np.empty((len(reach), kernel.ROW_FIELDS), np.float32)
        self._fill(fields.T, self._facts, reach.T)
        fields[:, kernel.REST] = self._fast.rest[self._rows]
        for reading in (RAW, CENTRED):
            wanted = self._fast.plan.count_rows and reading in self._fast.plan.readings
            fields[:, kernel.RIVAL_RAW + reading] = lower[:, reading] - reach[:, reading] - TIE if wanted else np.inf
        return fields

    def _lanes(self, column_facts: Float64Array) -> Float32Array:
        """Columns in segments, padded; what is counted starts at zero."""
        width = len(column_facts)
        segments = -(-width // kernel.SEGMENT)
        bounds = raw_bounds(
            column_facts[:, 0], self._facts[:, 0].max(), float(np.abs(self._facts[:, 1]).max()), self._fast.dim
        )
        fields = np.zeros((kernel.COLUMN_FIELDS, segments * kernel.SEGMENT), np.float32)
        centred = np.full(width, centred_bound(self._fast.dim))
        self._fill(fields[:, :width], column_facts, (bounds, centred))
        return np.ascontiguousarray(
            fields.reshape(kernel.COLUMN_FIELDS, segments, kernel.SEGMENT).swapaxes(0, 1)
        ).reshape(segments, -1)

    def _fill(self, fields, facts, reach) -> None:
        """Length, part and thresholds, the same for rows and columns."""
        fields[kernel.LENGTH], fields[kernel.PART] = facts[:, 0], facts[:, 1]
        thresholds = (facts[:, 2] - facts[:, 1] - self._fast.plan.sides.constant, facts[:, 3])
        for reading, (threshold, bound) in enumerate(zip(thresholds, reach, strict=True)):
            fields[kernel.LOW_RAW + 2 * reading] = _down(threshold - TIE - bound)
            fields[kernel.HIGH_RAW + 2 * reading] = _up(threshold + TIE + bound)

    def finish(self, block: RowBlock) -> None:
        """Answer from the stored rows what is still open."""
        plan = self._fast.plan
        open_ = np.concatenate([np.empty((0, 3), np.int64), *self._still_open])
        if not len(open_):
            return
        at_rows, at_columns, kinds = open_.T
        numbers_a, numbers_b = plan.rows[self._rows][at_rows], plan.columns[at_columns]
        cosines = exact_cosines(plan.sides, numbers_a, numbers_b)
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


def _from_lanes(lanes: Float32Array, field: int, width: int) -> Float32Array:
    """(2, w) what was counted per column, raw and centred."""
    fields = lanes.reshape(len(lanes), kernel.COLUMN_FIELDS, kernel.SEGMENT)[:, field : field + 2]
    return fields.swapaxes(0, 1).reshape(2, -1)[:, :width]


def _from_copies(histogram: NDArray[np.uint32]) -> Int64Array:
    """(2, HISTOGRAM_BINS) sum of the copies, with the spare bins at both ends folded in."""
    room = histogram.reshape(kernel.BIN_COPIES, 2, kernel.BIN_ROOM).sum(axis=0, dtype=np.int64)
    counts = room[:, 1 : HISTOGRAM_BINS + 1].copy()
    counts[:, 0] += room[:, 0]
    counts[:, -1] += room[:, HISTOGRAM_BINS + 1 :].sum(axis=1)
    return counts


def exact_cosines(sides: ReadySides, numbers_a: Int64Array, numbers_b: Int64Array) -> Float64Array:
    """(p, 2) raw and centred cosines of given pairs of rows, in float64 from the stored rows."""
    cosines = np.empty((len(numbers_a), 2))
    lengths = sides.a.lengths[numbers_a] * sides.b.lengths[numbers_b]
    for start in range(0, len(cosines), PAIRS_AT_ONCE):
        at = slice(start, start + PAIRS_AT_ONCE)
        one, other = numbers_a[at], numbers_b[at]
        cosines[at] = kernel.exact_pairs(
            sides.a.scaled(one), sides.b.scaled(other), sides.a.scales[one], sides.b.scales[other],
            sides.a.mean, sides.b.mean, np.where(lengths[at] > 0, lengths[at], 1.0),
        )  # fmt: skip
    return cosines


def paired_scores(
    sides: ReadySides, numbers_a: Int64Array, numbers_b: Int64Array, reading: int
) -> tuple[Float64Array, Float64Array]:
    """(p,) scores of given pairs of rows, and their error bounds: float64 sums over float32 rows.

    The error is at most 1.2e-7 and typically 1e-9, at a tenth of the cost of `exact_cosines`.
    """
    pairs = np.stack((numbers_a, numbers_b), axis=1)
    scores = kernel.paired_dots(sides.a.centred_rows, sides.b.centred_rows, pairs)
    error = 2.02 * FLOAT32_ROUNDOFF + exact_bound(sides.shape[1])
    if reading == CENTRED:
        return scores, np.full(len(scores), error)
    scale = sides.a.lengths[numbers_a] * sides.b.lengths[numbers_b]
    scores *= scale
    scores += sides.a.parts[numbers_a] + sides.b.parts[numbers_b] + sides.constant
    return scores, scale * error + exact_bound(sides.shape[1])
