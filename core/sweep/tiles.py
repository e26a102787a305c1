"""A block of rows against all columns, tile by tile in float64: the definition of the sweep's counts.

`RowBlock` collects what one block of rows learns about itself and about every column.
`tally_exactly` adds one tile to it with plain numpy in float64. That is how small inputs
are swept, and how `core.sweep.fast_tiles` does a tile whose float32 scores lie too close
together; what the compiled loops count must equal what is counted here.

Symbols: S_ij scores of a reading, s_i own cosines, f the value about which sums are
taken, TIE the distance within which two cosines are tied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.histogram import cosine_counts
from core.limits import EXACT_STRIP_ELEMENTS, HISTOGRAM_BINS
from core.ranks import TIE
from core.rows import row_blocks
from core.sweep.sides import RAW, ReadySides

__all__ = ["Plan", "RowBlock", "tally_exactly"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
UnitsOf = Callable[[], Float64Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a sweep goes over and what it counts.

    Attributes
    ----------
    sides
        The rows.
    about
        f of both readings.
    readings
        `RAW`, or both; centred scores mean nothing where a row is lost.
    rows, columns
        Row numbers of A and of B that meet, ascending.
    count_rows, count_columns
        Whether rows are ranked against columns, and columns against rows.
    count_scores
        Whether the scores go into the histogram.
    """

    sides: ReadySides
    about: tuple[float, float]
    readings: tuple[int, ...]
    rows: Int64Array
    columns: Int64Array
    count_rows: bool = True
    count_columns: bool = True
    count_scores: bool = True

    @property
    def all_scores(self) -> Float64Array | None:
        """The scores that the sides keep, where this plan goes over all of them."""
        everything = len(self.rows) == len(self.columns) == self.sides.shape[0]
        return self.sides.scores if everything else None

    def own_places(self, rows: slice) -> Int64Array:
        """(m,) place among `columns` of each row's own partner, -1 where it is not there."""
        return _places(self.columns, self.rows[rows])

    def row_places(self) -> Int64Array:
        """(w,) place among `rows` of each column's own partner, -1 where it is not there."""
        return _places(self.rows, self.columns)


def _places(ascending: Int64Array, wanted: Int64Array) -> Int64Array:
    places = np.searchsorted(ascending, wanted)
    found = ascending[np.minimum(places, len(ascending) - 1)] == wanted
    return np.where(found, places, -1)


@dataclass(slots=True)
class RowBlock:
    """Counts and sums of one block of rows; the first axis is the reading.

    Attributes
    ----------
    better_rows, tied_rows
        (2, m) columns other than the partner that beat, or tie with, the row's own cosine.
    better_columns, tied_columns
        (2, w) rows of this block that beat or tie with the column's own cosine.
    histogram
        (2, HISTOGRAM_BINS) unrelated scores.
    sums, row_squares, column_squares
        (2,), (2, m) and (2, w) sums of S - f and of (S - f)^2 over unrelated pairs.
    lower
        (2, m) what the row's best other candidate reaches at least.
    rivals
        For each reading: arrays of rows, columns and upper bounds of the score of entries
        that may be a row's best other candidate.
    exact
        Whether all of it was done in float64; upper bounds are then the scores.
    reach
        (2,) largest error bound of a single score.
    """

    better_rows: Int64Array
    tied_rows: Int64Array
    better_columns: Int64Array
    tied_columns: Int64Array
    histogram: Int64Array
    sums: Float64Array
    row_squares: Float64Array
    column_squares: Float64Array
    lower: Float64Array
    rivals: tuple[list[tuple[Int64Array, Int64Array, Float64Array]], ...] = field(default_factory=lambda: ([], []))
    exact: bool = True
    reach: Float64Array = field(default_factory=lambda: np.zeros(2))

    @classmethod
    def empty(cls, n_rows: int, n_columns: int) -> RowBlock:
        return cls(
            better_rows=np.zeros((2, n_rows), np.int64),
            tied_rows=np.zeros((2, n_rows), np.int64),
            better_columns=np.zeros((2, n_columns), np.int64),
            tied_columns=np.zeros((2, n_columns), np.int64),
            histogram=np.zeros((2, HISTOGRAM_BINS), np.int64),
            sums=np.zeros(2),
            row_squares=np.zeros((2, n_rows)),
            column_squares=np.zeros((2, n_columns)),
            lower=np.full((2, n_rows), -np.inf),
        )


def tally_exactly(plan: Plan, block: RowBlock, rows: slice, columns: slice, units_a: UnitsOf) -> None:
    """Add one tile to a block, in float64.

    Parameters
    ----------
    rows, columns : slice
        The tile, as places among ``plan.rows`` and ``plan.columns``.
    units_a : callable
        Gives the (m, d) float64 unit rows of the block; not called where the sides keep all scores.
    """
    numbers_a, numbers_b = plan.rows[rows], plan.columns[columns]
    own_at = plan.own_places(rows) - columns.start
    with_partner = np.flatnonzero((own_at >= 0) & (own_at < len(numbers_b)))
    partners = (with_partner, own_at[with_partner])
    for reading, scores in _scores(plan, rows, columns, units_a):
        if plan.count_scores:
            block.histogram[reading] += cosine_counts(scores) - cosine_counts(scores[partners])
        scores[partners] = -np.inf  # the partner neither beats nor ties with itself
        own = plan.sides.own[reading]
        for strip in row_blocks(*scores.shape, elements=EXACT_STRIP_ELEMENTS):
            _count(plan, block, reading, scores, strip, own[numbers_a[strip]], own[numbers_b], columns)
            if plan.count_rows:
                _note_rivals(block, reading, scores, strip, columns.start)
        scores -= plan.about[reading]
        scores[partners] = 0.0
        _sum(block, reading, scores, columns)


def _scores(plan: Plan, rows: slice, columns: slice, units_a: UnitsOf) -> Iterator[tuple[int, Float64Array]]:
    """Each reading, and the scores of a tile in it, to be written to."""
    kept = plan.all_scores
    if kept is not None:
        yield from ((reading, kept[reading, rows, columns].copy()) for reading in plan.readings)
        return
    side_a, side_b = plan.sides.a, plan.sides.b
    numbers_a, numbers_b = plan.rows[rows], plan.columns[columns]
    units_b = side_b.units(numbers_b)
    for reading in plan.readings:
        if reading == RAW:
            yield reading, units_a() @ units_b.T
        else:
            yield reading, side_a.centred(units_a(), numbers_a) @ side_b.centred(units_b, numbers_b).T


def _count(
    plan: Plan,
    block: RowBlock,
    reading: int,
    scores: Float64Array,
    strip: slice,
    own_rows: Float64Array,
    own_columns: Float64Array,
    columns: slice,
) -> None:
    """Count a strip of the tile's rows."""
    scores = scores[strip]
    if plan.count_rows:
        above = _true(scores > own_rows[:, None] + TIE, axis=1)
        block.better_rows[reading, strip] += above
        block.tied_rows[reading, strip] += _true(scores >= own_rows[:, None] - TIE, axis=1) - above
    if plan.count_columns:
        above = _true(scores > own_columns + TIE, axis=0)
        block.better_columns[reading, columns] += above
        block.tied_columns[reading, columns] += _true(scores >= own_columns - TIE, axis=0) - above


def _true(mask: NDArray[np.bool_], axis: int) -> Int64Array:
    """``np.count_nonzero(mask, axis=axis)``, three times as fast: sums of bytes in few bits are vector code."""
    counts: Int64Array = np.add.reduce(mask.view(np.uint8), axis=axis, dtype=np.uint32).astype(np.int64)
    return counts


def _note_rivals(block: RowBlock, reading: int, scores: Float64Array, strip: slice, first_column: int) -> None:
    """Keep the entries of a strip that may be a row's best other candidate, or the first that ties with it.

    The first entry within TIE of the final best is higher than all before it, so only new
    highs need to be kept.
    """
    scores = scores[strip]
    tops = scores.max(axis=1)
    lower = block.lower[reading, strip]
    enough = np.where(tops > lower, np.maximum(tops - TIE, np.nextafter(lower, np.inf)), np.inf)
    at_rows, at_columns = np.divmod(np.flatnonzero(scores >= enough[:, None]), scores.shape[1])
    if len(at_rows) > 2 * len(scores):  # many ties: leave out what an earlier column reaches already
        before = np.maximum.accumulate(scores, axis=1)
        is_high = (at_columns == 0) | (scores[at_rows, at_columns] > before[at_rows, at_columns - 1])
        at_rows, at_columns = at_rows[is_high], at_columns[is_high]
    values = scores[at_rows, at_columns]
    block.rivals[reading].append((at_rows + strip.start, at_columns + first_column, values))
    np.maximum(lower, tops, out=lower)


def _sum(block: RowBlock, reading: int, deviations: Float64Array, columns: slice) -> None:
    block.sums[reading] += deviations.sum()
    deviations *= deviations
    block.row_squares[reading] += deviations.sum(axis=1)
    block.column_squares[reading, columns] += deviations.sum(axis=0)
