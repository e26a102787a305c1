"""The compiled inner loops of the sweep: what is done to a tile of scores while it is in cache.

A tile is a block of the float32 product Q of centred unit rows. Both readings come from
it: the centred score is Q_ij itself; the raw one is Q_ij |ca_i| |cb_j| plus a part of the
row, a part of the column and a constant, of which the first drops out of every comparison
along the row and the second out of every comparison along the column.

No close call is decided here. An entry that its error bound cannot place on one side of a
threshold goes on a list; `settle` looks again with float64 sums, and what is open even
then is left to `core.fast_tiles`, which goes back to the stored rows.

Compiled by numba on first use and kept beside the source (`__pycache__`) for the next
process. Importing this module costs about half a second: import it inside a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

__all__ = [
    "BIN_COPIES",
    "BIN_ROOM",
    "COLUMN_FIELDS",
    "COUNTS",
    "HIGH_RAW",
    "LENGTH",
    "LOW_RAW",
    "PART",
    "REST",
    "RIVAL_RAW",
    "ROW_FIELDS",
    "SEGMENT",
    "SQUARES",
    "exact_pairs",
    "paired_dots",
    "settle",
    "tally_tile",
]

# Constants of the compiled code live here and not in `core.limits`: the compiled copy is
# renewed when *this* file changes, and would not notice a change elsewhere.

#: Columns worked through at a time, so that their lanes stay in the first-level cache.
SEGMENT = 512

#: Counters in one copy of a histogram: a power of two, so that a mask keeps any index inside.
BIN_ROOM = 512

#: Copies of the two histograms. Neighbouring entries often share a bin, and an increment
#: that waits for the one before costs several independent ones.
BIN_COPIES = 4

# Fields of a row or a column, float32: |c|, its part of the raw score, and the thresholds
# (twice: low < score <= high is the open band) for raw and centred. A row also has the score
# above which an entry may be its best candidate, and the rest of the raw score about f; a
# column has room for what is counted.
ROW_FIELDS = 9
COLUMN_FIELDS = 10
LENGTH, PART, LOW_RAW, HIGH_RAW, LOW_CENTRED, HIGH_CENTRED, RIVAL_RAW, RIVAL_CENTRED, REST = range(ROW_FIELDS)
COUNTS, SQUARES = 6, 8  # of the raw reading; the centred one follows

# Open questions about an entry, as bits: does it beat the row's own cosine, the column's?
ROW_RAW, ROW_CENTRED, COLUMN_RAW, COLUMN_CENTRED = 1, 2, 4, 8

RAW, CENTRED = 0, 1

_ONE, _NONE = np.float32(1), np.float32(0)

#: Sums may be reordered and fused, which vector code needs. Infinities stay infinities:
#: they are the thresholds that are never reached.
_SUMS = {"reassoc", "nsz", "nnan", "contract"}


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """`numba.njit` without the interpreter lock, cached on disk where a place can be found."""
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", **options}
    try:
        return numba.njit(cache=True, **settings)(function)
    except RuntimeError:  # no writable place: compile in every process instead
        return numba.njit(**settings)(function)


def _sums_compiled(function: Callable[..., Any]) -> Any:
    return _compiled(function, fastmath=_SUMS)


@_sums_compiled
def _span(scores, row, lanes, scratch, bins, frame, totals):
    """Count, sum and bin one row of a segment; return how many entries need a second look.

    The raw scores that were compared are left in `scratch`: a second computation may be
    fused another way and then differ in the last bit.
    """
    length, part = row[LENGTH], row[PART]
    low_raw, high_raw, low_centred, high_centred = row[LOW_RAW], row[HIGH_RAW], row[LOW_CENTRED], row[HIGH_CENTRED]
    rival_raw, rival_centred = row[RIVAL_RAW], row[RIVAL_CENTRED]
    rest = row[REST]
    about, base_raw, base_centred, per_unit = frame[0], frame[1], frame[2], frame[3]
    better_raw, better_centred, unsure = _NONE, _NONE, _NONE
    sum_raw, sum_centred, squares_raw, squares_centred = _NONE, _NONE, _NONE, _NONE
    for j in range(scores.shape[0]):
        score = scores[j]
        product = score * length * lanes[j]
        along_row = product + lanes[PART * SEGMENT + j]
        along_column = product + part
        scratch[j] = along_row
        scratch[SEGMENT + j] = along_column
        column_raw = along_column > lanes[HIGH_RAW * SEGMENT + j]
        column_centred = score > lanes[HIGH_CENTRED * SEGMENT + j]
        better_raw += _ONE if along_row > high_raw else _NONE
        better_centred += _ONE if score > high_centred else _NONE
        lanes[COUNTS * SEGMENT + j] += _ONE if column_raw else _NONE
        lanes[(COUNTS + 1) * SEGMENT + j] += _ONE if column_centred else _NONE
        look_again = (
            ((along_row > low_raw) != (along_row > high_raw))
            | ((score > low_centred) != (score > high_centred))
            | ((along_column > lanes[LOW_RAW * SEGMENT + j]) != column_raw)
            | ((score > lanes[LOW_CENTRED * SEGMENT + j]) != column_centred)
            | (along_row > rival_raw)
            | (score > rival_centred)
        )
        unsure += _ONE if look_again else _NONE
        raw = along_row + rest
        centred = score - about
        sum_raw += raw
        sum_centred += centred
        square_raw, square_centred = raw * raw, centred * centred
        squares_raw += square_raw
        squares_centred += square_centred
        lanes[SQUARES * SEGMENT + j] += square_raw
        lanes[(SQUARES + 1) * SEGMENT + j] += square_centred
        # One spare bin at each end for rounding beyond -1 and 1.
        bins[j] = np.int32(np.int32(raw * per_unit + base_raw) & np.int32(BIN_ROOM - 1))
        bins[SEGMENT + j] = np.int32(np.int32(centred * per_unit + base_centred) & np.int32(BIN_ROOM - 1))
    totals[0, RAW] += better_raw
    totals[0, CENTRED] += better_centred
    totals[1, RAW] += sum_raw
    totals[1, CENTRED] += sum_centred
    totals[2, RAW] += squares_raw
    totals[2, CENTRED] += squares_centred
    return unsure


@_compiled
def _fill_bins(bins, count, histogram):
    """Add one to the bin of each entry; `bins` as unsigned numbers, the copies taken in turn."""
    one = np.uint32(1)
    room = np.uint32(BIN_ROOM)
    quads = count // 4
    for quad in range(quads):
        j = 4 * quad
        histogram[bins[j]] += one
        histogram[bins[SEGMENT + j] + room] += one
        histogram[bins[j + 1] + np.uint32(2) * room] += one
        histogram[bins[SEGMENT + j + 1] + np.uint32(3) * room] += one
        histogram[bins[j + 2] + np.uint32(4) * room] += one
        histogram[bins[SEGMENT + j + 2] + np.uint32(5) * room] += one
        histogram[bins[j + 3] + np.uint32(6) * room] += one
        histogram[bins[SEGMENT + j + 3] + np.uint32(7) * room] += one
    for j in range(4 * quads, count):
        histogram[bins[j]] += one
        histogram[bins[SEGMENT + j] + room] += one


@_compiled
def _list_open(scores, row, lanes, scratch, place, reach, lower, tie, questions, kinds, rivals, uppers, found):
    """Second look at one row of a segment: write down open questions and possible rivals.

    `place` is the row and the first column within the tile; `reach` the error bounds of
    the row's raw and centred scores; `lower` what the row's best candidate reaches at
    least. `found` counts what is on the lists: questions, raw rivals, centred rivals.
    False once a list is full.
    """
    for j in range(scores.shape[0]):
        score, along_row, along_column = scores[j], scratch[j], scratch[SEGMENT + j]
        kind = 0
        if row[LOW_RAW] < along_row <= row[HIGH_RAW]:
            kind |= ROW_RAW
        if row[LOW_CENTRED] < score <= row[HIGH_CENTRED]:
            kind |= ROW_CENTRED
        if lanes[LOW_RAW * SEGMENT + j] < along_column <= lanes[HIGH_RAW * SEGMENT + j]:
            kind |= COLUMN_RAW
        if lanes[LOW_CENTRED * SEGMENT + j] < score <= lanes[HIGH_CENTRED * SEGMENT + j]:
            kind |= COLUMN_CENTRED
        if kind:
            at = found[0]
            if at >= questions.shape[0]:
                return False
            questions[at, 0], questions[at, 1], kinds[at] = place[0], place[1] + j, kind
            found[0] = at + 1
        for reading in range(2):
            value = along_row if reading == RAW else score
            if value > row[RIVAL_RAW + reading]:
                at = found[1 + reading]
                if at >= rivals.shape[1]:
                    return False
                rivals[reading, at, 0], rivals[reading, at, 1] = place[0], place[1] + j
                uppers[reading, at] = value + reach[reading]
                found[1 + reading] = at + 1
                if value - reach[reading] > lower[reading]:
                    lower[reading] = value - reach[reading]
                    row[RIVAL_RAW + reading] = lower[reading] - reach[reading] - tie
    return True


@_compiled
def _tally_span(scores, row, lanes, scratch, bins, frame, totals, histogram, place, reach, lower, tie, lists):
    unsure = _span(scores, row, lanes, scratch, bins, frame, totals)
    _fill_bins(bins.view(np.uint32), scores.shape[0], histogram)
    if unsure > _NONE:
        return _list_open(scores, row, lanes, scratch, place, reach, lower, tie, *lists)
    return True


@_compiled
def tally_tile(scores, own_at, rows, lanes, frame, totals, histogram, reach, lower, tie, lists):
    """Go over a tile of scores once.

    Parameters
    ----------
    scores : (m, w) float32
        The product of a block of rows with a block of columns.
    own_at : (m,) int64
        Column of the tile that holds the row's own partner; outside [0, w) where none does.
    rows : (m, ROW_FIELDS) float32
        Written to: the rival thresholds rise as better candidates turn up.
    lanes : (ceil(w / SEGMENT), COLUMN_FIELDS * SEGMENT) float32
        Written to: counts and squares per column.
    frame : (4,) float32
        The value about which centred sums are taken, the bins of that value in the raw and
        in the centred reading, bins per unit of cosine.
    totals : (m, 3, 2) float64
        Written to: better candidates, sum, sum of squares; raw and centred.
    histogram : (2 * BIN_COPIES * BIN_ROOM,) uint32
        Written to.
    reach, lower : (m, 2) float64
        Error bounds of a row's scores, and what its best candidate reaches at least
        (`lower` is written to); raw and centred.
    lists : tuple
        questions (q, 2) int32, kinds (q,) uint8, rivals (2, r, 2) int32, uppers (2, r)
        float64 and found (3,) int64, see `_list_open`.

    Returns
    -------
    bool
        False if a list ran full: the tile is not done, and must be done another way.
    """
    width = scores.shape[1]
    bins = np.empty(2 * SEGMENT, np.int32)
    scratch = np.empty(2 * SEGMENT, np.float32)
    place = np.empty(2, np.int64)
    for segment in range(lanes.shape[0]):
        start = segment * SEGMENT
        stop = min(start + SEGMENT, width)
        for i in range(scores.shape[0]):
            own = min(max(own_at[i], start), stop)
            place[0], place[1] = i, start
            if not _tally_span(
                scores[i, start:own], rows[i], lanes[segment], scratch, bins, frame, totals[i], histogram,
                place, reach[i], lower[i], tie, lists,
            ):  # fmt: skip
                return False
            own += 1 if start <= own_at[i] < stop else 0
            if own < stop:
                place[1] = own
                if not _tally_span(
                    scores[i, own:stop], rows[i], lanes[segment][own - start :], scratch, bins, frame, totals[i],
                    histogram, place, reach[i], lower[i], tie, lists,
                ):  # fmt: skip
                    return False
    return True


@_sums_compiled
def _dot(x, y):
    """Inner product of two float32 rows, summed in float64."""
    total = 0.0
    for k in range(x.shape[0]):
        total += np.float64(x[k]) * np.float64(y[k])
    return total


@_compiled
def paired_dots(rows_a, rows_b, pairs):
    """(p,) float64 inner products of float32 rows ``rows_a[pairs[:, 0]], rows_b[pairs[:, 1]]``."""
    products = np.empty(pairs.shape[0])
    for p in range(pairs.shape[0]):
        products[p] = _dot(rows_a[pairs[p, 0]], rows_b[pairs[p, 1]])
    return products


@_compiled
def settle(questions, kinds, found, rows_a, rows_b, row_facts, column_facts, bounds, better_row, better_column, left):
    """Answer the open questions of a tile with float64 sums over the float32 rows.

    Parameters
    ----------
    questions, kinds, found
        As `tally_tile` left them.
    rows_a, rows_b : (m, d), (w, d) float32
        Centred unit rows of the tile.
    row_facts, column_facts : (m, 4), (w, 4) float64
        |c|, part of the raw score, own raw cosine, own centred cosine.
    bounds : (4,) float64
        Constant of the raw score; error bound of a centred score, and of a raw one beyond
        the centred one times both lengths; the tie bound.
    better_row, better_column : (2, m), (2, w) int64
        Written to.
    left : (l, 3) int64
        Written to: row, column and kinds of what is still open.

    Returns
    -------
    int
        Questions in `left`, or -1 if it ran full.
    """
    constant, error_centred, error_raw, tie = bounds
    n_left = 0
    for at in range(found[0]):
        i, j, kind = questions[at, 0], questions[at, 1], kinds[at]
        product = _dot(rows_a[i], rows_b[j])
        scale = row_facts[i, 0] * column_facts[j, 0]
        raw = product * scale + row_facts[i, 1] + column_facts[j, 1] + constant
        still = 0
        for reading in range(2):
            score = raw if reading == RAW else product
            error = scale * error_centred + error_raw if reading == RAW else error_centred
            for side in range(2):
                bit = 1 << (reading + 2 * side)
                if kind & bit:
                    own = row_facts[i, 2 + reading] if side == 0 else column_facts[j, 2 + reading]
                    if score - own > tie + error:
                        if side == 0:
                            better_row[reading, i] += 1
                        else:
                            better_column[reading, j] += 1
                    elif score - own >= -(tie + error):
                        still |= bit
        if still:
            if n_left >= left.shape[0]:
                return -1
            left[n_left, 0], left[n_left, 1], left[n_left, 2] = i, j, still
            n_left += 1
    return n_left


@_sums_compiled
def _exact_pair(x, y, scale_x, scale_y, mean_x, mean_y):
    raw, centred = 0.0, 0.0
    for k in range(x.shape[0]):
        u, v = x[k] * scale_x, y[k] * scale_y
        raw += u * v
        centred += (u - mean_x[k]) * (v - mean_y[k])
    return raw, centred


@_compiled
def exact_pairs(x, y, scale_x, scale_y, mean_x, mean_y, lengths):
    """(p, 2) float64 raw and centred cosines of rows ``x[p]`` and ``y[p]``.

    Parameters
    ----------
    x, y : (p, d) float64
        Stored rows, scaled by a power of two so that nothing overflows.
    scale_x, scale_y : (p,) float64
        One over their norms.
    mean_x, mean_y : (d,) float64
        What the unit rows are centred on.
    lengths : (p,) float64
        Product of the lengths the two rows have after centring.
    """
    cosines = np.empty((x.shape[0], 2))
    for p in range(x.shape[0]):
        raw, centred = _exact_pair(x[p], y[p], scale_x[p], scale_y[p], mean_x, mean_y)
        cosines[p, RAW] = raw
        cosines[p, CENTRED] = centred / lengths[p]
    return cosines
