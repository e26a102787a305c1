"""The compiled inner loops of the sweep: what is done to a tile of scores while it is in cache.

A tile is a block of the float32 product Q of centred unit rows. Both readings come from
it: the centred score is Q_ij itself; the raw one is Q_ij |ca_i| |cb_j| plus a part of the
row, a part of the column and a constant, of which the first drops out of every comparison
along the row and the second out of every comparison along the column.

No close call is decided here. An entry that its error bound cannot place on one side of a
threshold goes on a list; `core.sweep.pair_kernel` looks again with float64 sums, and what
is open even then is left to `core.sweep.fast_tiles`, which goes back to the stored rows.
"""

# mypy: allow-untyped-defs, disable-error-code=assignment

from __future__ import annotations

import numpy as np

from core.sweep.compiled import compiled, sums_compiled

__all__ = [
    "BIN_COPIES",
    "BIN_ROOM",
    "COLUMN_FIELDS",
    "ROW_FIELDS",
    "SEGMENT",
    "collect",
    "set_thresholds",
    "tally_tile",
]

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

# Where the lanes of a segment, and the parts of a scratch array, begin.
_PART, _LOW_RAW, _HIGH_RAW, _LOW_CENTRED, _HIGH_CENTRED = (
    np.uint64(SEGMENT * field) for field in (PART, LOW_RAW, HIGH_RAW, LOW_CENTRED, HIGH_CENTRED)
)
_COUNT_RAW, _COUNT_CENTRED = np.uint64(SEGMENT * COUNTS), np.uint64(SEGMENT * (COUNTS + 1))
_SQUARES_RAW, _SQUARES_CENTRED = np.uint64(SEGMENT * SQUARES), np.uint64(SEGMENT * (SQUARES + 1))
_SECOND, _THIRD = np.uint64(SEGMENT), np.uint64(2 * SEGMENT)


@compiled
def _below(value):
    """Float32 at most `value`."""
    return np.float32(value) if np.isinf(value) else np.float32(value - abs(value) * 2.0**-23)


@compiled
def _above(value):
    """Float32 at least `value`."""
    return np.float32(value) if np.isinf(value) else np.float32(value + abs(value) * 2.0**-23)


@compiled
def set_thresholds(row_facts, column_facts, rest, frame, lower, wanted, rows, lanes, reach):
    """Write down, in float32, what a tile's entries are to be compared with.

    Parameters
    ----------
    row_facts, column_facts : (m, 4), (w, 4) float64
        |c|, part of the raw score, own raw cosine, own centred cosine.
    rest : (m,) float64
        What makes a raw score along the row a deviation from f.
    frame : (6,) float64
        Constant of the raw scores, tie bound, bound of a centred score, and `RawBound`:
        its factors of the lengths and of the other side's part, and its least value.
    lower : (m, 2) float64
        What each row's best candidate so far reaches at least.
    wanted : (2,) bool
        Whether the best candidate of a row is sought; raw and centred.
    rows, lanes, reach
        As in `tally_tile`; written to.

    Returns
    -------
    (float, float, float)
        The largest bound of a raw score, the largest |c| of a column and the largest part of one.
    """
    constant, tie, centred_bound, by_lengths, by_part, least = frame
    longest, largest = 0.0, 0.0
    for j in range(column_facts.shape[0]):
        longest, largest = max(longest, column_facts[j, 0]), max(largest, abs(column_facts[j, 1]))
    row_longest, row_largest, farthest = 0.0, 0.0, 0.0
    for i in range(row_facts.shape[0]):
        length, part, own_raw, own_centred = row_facts[i]
        row_longest, row_largest = max(row_longest, length), max(row_largest, abs(part))
        raw_bound = length * longest * by_lengths + largest * by_part + least
        farthest = max(farthest, raw_bound)
        rows[i, LENGTH], rows[i, PART], rows[i, REST] = length, part, rest[i]
        threshold = own_raw - part - constant
        rows[i, LOW_RAW], rows[i, HIGH_RAW] = _below(threshold - tie - raw_bound), _above(threshold + tie + raw_bound)
        rows[i, LOW_CENTRED] = _below(own_centred - tie - centred_bound)
        rows[i, HIGH_CENTRED] = _above(own_centred + tie + centred_bound)
        reach[i, RAW], reach[i, CENTRED] = raw_bound, centred_bound
        for reading in range(2):
            rows[i, RIVAL_RAW + reading] = lower[i, reading] - reach[i, reading] - tie if wanted[reading] else np.inf
    lanes[:] = _NONE
    for j in range(column_facts.shape[0]):
        segment, lane = j // SEGMENT, j % SEGMENT
        length, part, own_raw, own_centred = column_facts[j]
        raw_bound = length * row_longest * by_lengths + row_largest * by_part + least
        threshold = own_raw - part - constant
        lanes[segment, LENGTH * SEGMENT + lane], lanes[segment, PART * SEGMENT + lane] = length, part
        lanes[segment, LOW_RAW * SEGMENT + lane] = _below(threshold - tie - raw_bound)
        lanes[segment, HIGH_RAW * SEGMENT + lane] = _above(threshold + tie + raw_bound)
        lanes[segment, LOW_CENTRED * SEGMENT + lane] = _below(own_centred - tie - centred_bound)
        lanes[segment, HIGH_CENTRED * SEGMENT + lane] = _above(own_centred + tie + centred_bound)
    return farthest, longest, largest


@sums_compiled
def _span(scores, i, start, count, rows, lanes, segment, offset, scratch, bins, frame, totals):
    """Count, sum and bin one row of a segment; return how many entries need a second look.

    The raw scores that were compared are left in `scratch`, along the row and along the
    column: a second computation may be fused another way and then differ in the last bit.
    Third in it is a flag, 1 for the entries to look at.

    Positions are unsigned: a signed index may count from the end, which vector code cannot.
    """
    length, part, rest = rows[i, LENGTH], rows[i, PART], rows[i, REST]
    low_raw, high_raw, rival_raw = rows[i, LOW_RAW], rows[i, HIGH_RAW], rows[i, RIVAL_RAW]
    low_centred, high_centred, rival_centred = rows[i, LOW_CENTRED], rows[i, HIGH_CENTRED], rows[i, RIVAL_CENTRED]
    about, base_raw, base_centred, per_unit = frame[0], frame[1], frame[2], frame[3]
    better_raw, better_centred, unsure = _NONE, _NONE, _NONE
    sum_raw, sum_centred, squares_raw, squares_centred = _NONE, _NONE, _NONE, _NONE
    for j in range(count):
        lane = offset + j
        score = scores[i, start + j]
        product = score * length * lanes[segment, lane]
        along_row = product + lanes[segment, _PART + lane]
        along_column = product + part
        column_raw = along_column > lanes[segment, _HIGH_RAW + lane]
        column_centred = score > lanes[segment, _HIGH_CENTRED + lane]
        better_raw += _ONE if along_row > high_raw else _NONE
        better_centred += _ONE if score > high_centred else _NONE
        lanes[segment, _COUNT_RAW + lane] += _ONE if column_raw else _NONE
        lanes[segment, _COUNT_CENTRED + lane] += _ONE if column_centred else _NONE
        look_again = (
            ((along_row > low_raw) != (along_row > high_raw))
            | ((score > low_centred) != (score > high_centred))
            | ((along_column > lanes[segment, _LOW_RAW + lane]) != column_raw)
            | ((score > lanes[segment, _LOW_CENTRED + lane]) != column_centred)
            | (along_row > rival_raw)
            | (score > rival_centred)
        )
        flag = _ONE if look_again else _NONE
        unsure += flag
        scratch[j] = along_row
        scratch[_SECOND + j] = along_column
        scratch[_THIRD + j] = flag
        raw = along_row + rest
        centred = score - about
        sum_raw += raw
        sum_centred += centred
        square_raw, square_centred = raw * raw, centred * centred
        squares_raw += square_raw
        squares_centred += square_centred
        lanes[segment, _SQUARES_RAW + lane] += square_raw
        lanes[segment, _SQUARES_CENTRED + lane] += square_centred
        # One spare bin at each end for rounding beyond -1 and 1.
        bins[j] = np.int32(np.int32(raw * per_unit + base_raw) & np.int32(BIN_ROOM - 1))
        bins[_SECOND + j] = np.int32(np.int32(centred * per_unit + base_centred) & np.int32(BIN_ROOM - 1))
    totals[i, 0, RAW] += better_raw
    totals[i, 0, CENTRED] += better_centred
    totals[i, 1, RAW] += sum_raw
    totals[i, 1, CENTRED] += sum_centred
    totals[i, 2, RAW] += squares_raw
    totals[i, 2, CENTRED] += squares_centred
    return unsure


@compiled
def _fill_bins(bins, count, histogram):
    """Add one to the bin of each entry; `bins` as unsigned numbers, the copies taken in turn."""
    one = np.uint32(1)
    quads = count // np.uint64(4)
    for quad in range(quads):
        j = np.uint64(4) * quad
        for copy in range(np.uint64(BIN_COPIES)):
            histogram[np.uint64(bins[j + copy]) + np.uint64(2 * BIN_ROOM) * copy] += one
            histogram[np.uint64(bins[_SECOND + j + copy]) + np.uint64(2 * BIN_ROOM) * copy + np.uint64(BIN_ROOM)] += one
    for j in range(np.uint64(4) * quads, count):
        histogram[bins[j]] += one
        histogram[np.uint64(bins[_SECOND + j]) + np.uint64(BIN_ROOM)] += one


@compiled
def _list_open(
    scores, i, start, count, rows, lanes, segment, offset, scratch, reach, lower, tie, own, row_copies, column_copies,
    tied_rows, tied_columns, questions, kinds, rivals, uppers, found,
):  # fmt: skip
    """Second look at one row of a segment: write down open questions and possible rivals.

    `reach` are the error bounds of the row's raw and centred scores; `lower` is what the
    row's best candidate reaches at least. `own` is the column of the row's own partner. `found`
    counts what is on the lists: questions, raw rivals, centred rivals. False once a list is full.
    """
    for j in range(count):
        if scratch[_THIRD + j] == _NONE:
            continue
        lane, column = offset + j, start + j
        score, along_row, along_column = scores[i, column], scratch[j], scratch[_SECOND + j]
        kind = 0
        if rows[i, LOW_RAW] < along_row <= rows[i, HIGH_RAW]:
            kind |= ROW_RAW
        if rows[i, LOW_CENTRED] < score <= rows[i, HIGH_CENTRED]:
            kind |= ROW_CENTRED
        if lanes[segment, _LOW_RAW + lane] < along_column <= lanes[segment, _HIGH_RAW + lane]:
            kind |= COLUMN_RAW
        if lanes[segment, _LOW_CENTRED + lane] < score <= lanes[segment, _HIGH_CENTRED + lane]:
            kind |= COLUMN_CENTRED
        first = column_copies[column, 0]
        if kind and row_copies[i, 1] == first:  # equal to the row's own partner
            for reading in range(2):
                tied_rows[reading, i] += (kind >> reading) & 1
            kind &= COLUMN_RAW | COLUMN_CENTRED
        if kind and column_copies[column, 2] == row_copies[i, 0]:  # a row equal to the column's own partner
            for reading in range(2):
                tied_columns[reading, column] += (kind >> (2 + reading)) & 1
            kind &= ROW_RAW | ROW_CENTRED
        if kind:
            at = found[0]
            if at >= questions.shape[0]:
                return False
            questions[at, 0], questions[at, 1], kinds[at] = i, column, kind
            found[0] = at + 1
        if first != np.int64(column) and (first != own or column_copies[column, 1] != np.int64(column)):
            continue  # an equal column before this one is the rival, if they are
        for reading in range(2):
            value = along_row if reading == RAW else score
            if value > rows[i, RIVAL_RAW + reading]:
                at = found[1 + reading]
                if at >= rivals.shape[1]:
                    return False
                rivals[reading, at, 0], rivals[reading, at, 1] = i, column
                uppers[reading, at] = value + reach[i, reading]
                found[1 + reading] = at + 1
                if value - reach[i, reading] > lower[i, reading]:
                    lower[i, reading] = value - reach[i, reading]
                    rows[i, RIVAL_RAW + reading] = lower[i, reading] - reach[i, reading] - tie
    return True


@compiled
def tally_tile(
    scores, own_at, rows, lanes, frame, totals, histogram, reach, lower, tie, row_copies, column_copies,
    tied_rows, tied_columns, questions, kinds, rivals, uppers, found,
):  # fmt: skip
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
    row_copies : (m, 2) int64
        The first row equal to this one; the first column equal to its own partner, or none.
    column_copies : (w, 3) int64
        The first and the second column equal to this one; the first row equal to its own
        partner, or none. Columns are places in the tile, which may lie outside it.
    tied_rows, tied_columns : (2, m), (2, w) int64
        Written to: entries that tie because they are equal to the partner.
    questions (q, 2) int32, kinds (q,) uint8, rivals (2, r, 2) int32, uppers (2, r) float64, found (3,) int64
        Lists to write to, see `_list_open`.

    Returns
    -------
    bool
        False if a list ran full: the tile is not done, and must be done another way.
    """
    width = scores.shape[1]
    bins = np.empty(2 * SEGMENT, np.int32)
    unsigned_bins = bins.view(np.uint32)
    scratch = np.empty(3 * SEGMENT, np.float32)
    for segment in range(lanes.shape[0]):
        first = segment * SEGMENT
        last = min(first + SEGMENT, width)
        for i in range(scores.shape[0]):
            own = own_at[i]
            # The row's own partner is left out: what comes before it, then what comes after.
            start, stop = first, own if first <= own < last else last
            for _ in range(2):
                if start < stop:
                    row, column, count = np.uint64(i), np.uint64(start), np.uint64(stop - start)
                    at, offset = np.uint64(segment), np.uint64(start - first)
                    unsure = _span(scores, row, column, count, rows, lanes, at, offset, scratch, bins, frame, totals)
                    _fill_bins(unsigned_bins, count, histogram)
                    if unsure > _NONE and not _list_open(
                        scores, row, column, count, rows, lanes, at, offset, scratch, reach, lower, tie, own,
                        row_copies, column_copies, tied_rows, tied_columns, questions, kinds, rivals, uppers, found,
                    ):  # fmt: skip
                        return False
                if stop == last:
                    break
                start, stop = stop + 1, last
    return True


@compiled
def collect(
    totals, lanes, histogram, first_column, better_rows, better_columns, sums, row_squares, column_squares, counts
):
    """Add what was counted on a tile to its block of rows (see `core.sweep.tiles.RowBlock`)."""
    for i in range(totals.shape[0]):
        for reading in range(2):
            better_rows[reading, i] += np.int64(totals[i, 0, reading])
            sums[reading] += totals[i, 1, reading]
            row_squares[reading, i] += totals[i, 2, reading]
    for j in range(min(lanes.shape[0] * SEGMENT, better_columns.shape[1] - first_column)):
        segment, lane = j // SEGMENT, j % SEGMENT
        for reading in range(2):
            better_columns[reading, first_column + j] += np.int64(lanes[segment, (COUNTS + reading) * SEGMENT + lane])
            column_squares[reading, first_column + j] += lanes[segment, (SQUARES + reading) * SEGMENT + lane]
    last = counts.shape[1] - 1
    for at in range(histogram.shape[0]):
        # Fold the copies together, and the spare bins at both ends into their neighbours.
        reading, place = at // BIN_ROOM % 2, at % BIN_ROOM
        counts[reading, min(max(place - 1, 0), last)] += histogram[at]
