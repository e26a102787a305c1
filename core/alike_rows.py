"""Are rows beside each other in a file alike, and what is then a fair comparison?

Frames of a video, tokens of a text, overlapping windows: a row is nearly the one before it.
Then rows are not exchangeable. A row left out of a random half stands between two rows of the
other half that are nearly it, so a map knows it; and shuffled rows are no null, since they
lose the likeness of neighbours that both files have, linked or not.

What still holds is the time-honoured way with two series: one *part* of the file against
another with rows between them left out, and one side *moved along* the other, round the end,
for a null. Pairs of rows within one file that are near each other in it are left out of
comparisons, on both sides and round the end: they are alike in any two series.

Where rows a tenth of the file apart are still alike there are too few independent stretches
for either, and nothing can be said.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD
from core.formats.loaded import RealArray
from core.gap_values import GapValues
from core.intervals import Interval, jackknife_interval
from core.jackknife import jackknife_error
from core.permutation_null import PermutationNull, permutation_null
from core.rows import UnitRows
from core.ticks import Tick, no_tick

__all__ = [
    "ALIKE_ERRORS",
    "PARTS_APART",
    "FileOrder",
    "file_order",
    "moved_gaps",
    "neighbours_alike",
    "parts_of_file",
    "rows_apart",
    "series_interval",
]

#: "any": rows could stand in any order. "alike": neighbours are alike. "drifting": rows far apart still are.
FileOrder = Literal["any", "alike", "drifting"]

#: Neighbouring rows are alike where their mean cosine exceeds that of rows far apart by this many errors.
ALIKE_ERRORS = 2.0

#: The same where it decides how a file is read: a file in any order passes it once in 30,000 times.
SURELY_ALIKE_ERRORS = 4.0

#: Share of the file between its two parts, and between rows that are held against each other.
PARTS_APART = 0.1

#: Rows that far apart are still alike if they keep more than this share of the likeness of neighbours.
LIKENESS_KEPT = 0.2

#: Fewer rows cannot show that neighbours are alike.
MIN_SERIES_ROWS = 20

#: Stretches of the file that an interval leaves out one at a time.
N_STRETCHES = 10

#: Columns whose transforms are held in memory.
COLUMNS_AT_A_TIME = 64

#: Why no interval is given.
STILL_ALIKE = "rows a tenth of the file apart are still alike, so there are too few independent stretches"


def file_order(a: RealArray, b: RealArray, tick: Tick = no_tick) -> FileOrder:
    """Say whether the order of the rows can be disregarded.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        In file order, no item twice.

    Notes
    -----
    Likeness of one side alone does no harm: any order of the other is then a fair null. Time O(n d).
    """
    n = len(a)
    if n < MIN_SERIES_ROWS or not all(neighbours_alike(side, errors=SURELY_ALIKE_ERRORS, tick=tick) for side in (a, b)):
        return "any"
    far = rows_apart(n)
    kept = (float(_excess(side, far, tick).mean() / _excess(side, 1, tick).mean()) for side in (a, b))
    return "drifting" if min(kept) > LIKENESS_KEPT else "alike"


def rows_apart(n: int) -> int:
    """Rows of a file of n between its two parts, and between rows held against each other."""
    return max(1, int(n * PARTS_APART))


def parts_of_file(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first and the last of n rows in file order, with some between them left out."""
    each = n - int(n * PARTS_APART)
    return np.arange(each // 2), np.arange(n - (each - each // 2), n)


def neighbours_alike(
    rows: RealArray, lag: int = 1, *, errors: float = ALIKE_ERRORS, tick: Tick = no_tick
) -> bool:
    """True if a row is more like the next one than like one far away.

    Parameters
    ----------
    rows : (n, d) real array
        In file order, n >= 4.
    lag : int
        1 for the next row; less than n / 2.
    errors : float
        Standard errors above 0 from which they are alike.

    Notes
    -----
    Cosines of centred unit rows with the next row, less those with the row half the file away:
    the mean of n differences that are uncorrelated where rows are exchangeable, beside their
    spread. Time O(n d). float64.
    """
    excess = _excess(rows, lag, tick)
    error = float(excess.std(ddof=1)) / math.sqrt(len(excess))
    return error > NO_SPREAD and float(excess.mean()) > errors * error


def _excess(rows: RealArray, lag: int, tick: Tick) -> NDArray[np.float64]:
    """(n - lag,) cosine of each centred row with that `lag` rows on, less that with one half the file away."""
    units = UnitRows(rows)
    centred = UnitRows(rows, units.mean_row(tick).mean)[:]
    tick()
    n = len(centred)
    beside = np.einsum("ij,ij->i", centred[:-lag], centred[lag:])
    apart = np.einsum("ij,ij->i", centred[:-lag], np.roll(centred, -(n // 2), axis=0)[:-lag])
    return np.asarray(beside - apart, dtype=np.float64)


def moved_gaps(a: UnitRows, b: UnitRows, tick: Tick = no_tick) -> PermutationNull:
    """The gap of matched rows beside what it comes to when B is moved along A, by every amount.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) compared rows in one space, in file order.

    Notes
    -----
    The matched sums of all moves are one circular correlation: time O(n d log n), memory O(n d). The sum over all
    pairs stays, so each move has its own floor. ``sd`` is about 0, of moves by a tenth of the file or more, since
    linked rows are still alike after small ones.
    """
    n = a.shape[0]
    x, y = a[:], b[:]
    products = np.zeros(n // 2 + 1, dtype=np.complex128)
    for start in range(0, x.shape[1], COLUMNS_AT_A_TIME):
        tick()
        columns = slice(start, start + COLUMNS_AT_A_TIME)
        ahead, along = np.fft.rfft(x[:, columns], axis=0), np.fft.rfft(y[:, columns], axis=0)
        products += np.einsum("ij,ij->i", np.conj(ahead), along)
    matched = np.fft.irfft(products, n)
    gaps = matched / n - (matched.sum() - matched) / (n * (n - 1))
    null = permutation_null(float(gaps[0]), gaps[1:], n_rows=n)
    far = rows_apart(n)
    distant = gaps[far : n - far + 1]
    return PermutationNull(
        observed=null.observed,
        mean=null.mean,
        sd=float(np.sqrt(np.mean(distant**2))),
        pvalue=null.pvalue,
        n_permutations=null.n_permutations,
        n_rows=n,
    )


def series_interval(gap: GapValues, moved: PermutationNull) -> Interval:
    """Interval of a gap whose rows are like their neighbours.

    Parameters
    ----------
    gap : GapValues
        Of compared rows in file order.
    moved : PermutationNull
        From `moved_gaps`.

    Notes
    -----
    Stretches of the file are left out one at a time, ten of them. That error is somewhat small where stretches are
    short, so it is the larger of it and the spread of the moved gaps.
    """
    stretch = np.arange(gap.n) * N_STRETCHES // gap.n
    moved_by = np.bincount(stretch, weights=gap.delete_one - gap.gap)
    left_out = np.asarray(gap.gap + moved_by, dtype=np.float64)
    error = jackknife_error(left_out)
    factor = max(moved.sd / error, 1.0) if error > NO_SPREAD else 1.0
    return jackknife_interval(gap.gap, left_out, factor=factor, bounds=(-2.0, 2.0))
