"""What an audit checks about itself: the pass over all scores against figures got another way.

The pass multiplies in float32 and counts in compiled loops. The mean of all unrelated
scores, and their spread, also follow from sums over the rows alone; the two ways share no
loop, so a fault in either shows. Each comparison is held to the rigorous bound of a single
float32 score, not to what is typical, which is a thousand times less.

Symbols: S_ij unrelated scores, N how many, f the mean that sums over the rows give,
e the bound of a single score.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.floor import ClosedFloor, closed_floor
from core.limits import CHECKED_ROWS, CLOSED_FORM_AT_ONCE, CLOSED_FORM_SHARE, READY_BLOCK_ELEMENTS
from core.rows import row_blocks
from core.sweep import CENTRED, RAW, Progress, ReadingSweep, ReadySide, ReadySides, Sweep
from core.ticks import Tick, each, no_tick

__all__ = ["Check", "checks", "closed_floor_of"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

#: Makes rows when called.
_Made = Callable[[], Float64Array]

#: Rounding of the float64 side of a comparison, in units of what is summed.
ROUNDING = 64 * float(np.finfo(np.float64).eps)

#: The pass adds up to 512 float32 terms before it goes on in float64.
FLOAT32_SUM = 512 * 2.0**-24

NAMES = {RAW: "raw", CENTRED: "centred"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing an audit verified about its own figures.

    Attributes
    ----------
    name
        Stable, for scripts: ``"raw mean"``.
    passed
        False means a fault of ours or of the machine: the figures should not be used.
    text
        What was compared, with the numbers and the bound.
    """

    name: str
    passed: bool
    text: str


def checks(
    sides: ReadySides,
    swept: Sweep,
    pool: Int64Array | None,
    *,
    progress: Progress | None = None,
    tick: Tick = no_tick,
) -> tuple[Check, ...]:
    """Check both readings of a sweep.

    Parameters
    ----------
    sides : ReadySides
        What was swept.
    swept : Sweep
        From `core.sweep.sweep`, with sums about ``sides.floors``.
    pool : (m,) int64 or None
        The pool of candidates it was swept with.
    progress, tick : callable, optional
        Called between blocks, of the closed form and of all else.
    """
    n, dim = sides.shape
    readings = [
        (reading, counted) for reading, counted in ((RAW, swept.raw), (CENTRED, swept.centred)) if counted is not None
    ]
    cheap = dim * CLOSED_FORM_SHARE <= n or n * dim * dim <= CLOSED_FORM_AT_ONCE
    rows = np.unique(np.linspace(0, n - 1, CHECKED_ROWS).astype(np.int64))
    squares = _row_squares(sides, rows, tick) if pool is None and not cheap else None
    found: list[Check] = []
    for reading, counted in readings:
        found.append(_mean_check(sides, reading, counted, pool, tick))
        if squares is not None:
            found.append(_rows_check(sides, reading, counted, rows, squares[reading]))
        elif pool is None:
            found.append(_spread_check(sides, reading, counted, progress))
        found.append(_count_check(reading, counted))
    return tuple(found)


def closed_floor_of(sides: ReadySides, reading: int, *, progress: Progress | None = None) -> ClosedFloor:
    """The exact floor of one reading over all rows, without any score of an unrelated pair."""
    return closed_floor(
        lambda rows: _rows(sides, reading, rows),
        *_means(sides, reading),
        sides.shape[0],
        progress=progress,
        message=f"Measuring the spread, {NAMES[reading]}",
    )


def _rows(sides: ReadySides, reading: int, rows: slice | Int64Array) -> tuple[Float64Array, Float64Array]:
    """Float64 unit rows of A and of B, of one reading."""
    return _side_rows(sides.a, rows)[reading](), _side_rows(sides.b, rows)[reading]()


def _side_rows(side: ReadySide, rows: slice | Int64Array) -> tuple[_Made, _Made]:
    """Float64 unit rows of one side, raw and centred, the second made from the first when asked for."""
    units = side.units(rows)
    return lambda: units, lambda: side.centred(units, rows)


def _summing(sides: ReadySides) -> float:
    """Relative error of the pass's sums, beyond that of the scores."""
    return ROUNDING if sides.a.centred_rows is None else FLOAT32_SUM


def _means(sides: ReadySides, reading: int) -> tuple[Float64Array, Float64Array]:
    if reading == RAW:
        return sides.a.unit_mean.mean, sides.b.unit_mean.mean
    return sides.a.centred_mean.mean, sides.b.centred_mean.mean


def _mean_check(sides: ReadySides, reading: int, counted: ReadingSweep, pool: Int64Array | None, tick: Tick) -> Check:
    """Sum of S - f against what sums over the rows give: 0 over all rows, by the definition of f."""
    n_pairs, floor = counted.n_unrelated, sides.floors[reading]
    expected = 0.0 if pool is None else _pool_sum(sides, reading, pool, tick) - n_pairs * floor
    off = abs(counted.sum_about - expected) / n_pairs
    spread = math.sqrt(counted.squares_about / n_pairs)  # the mean of |S - f| is no larger
    bound = counted.sum_error / n_pairs + _summing(sides) * spread + ROUNDING
    by_pass, by_sums = floor + counted.sum_about / n_pairs, floor + expected / n_pairs
    return Check(
        name=f"{NAMES[reading]} mean",
        passed=off <= bound,
        text=f"The mean of {n_pairs:,} unrelated scores is {_signed(by_pass)} by the pass and {_signed(by_sums)} by "
        f"the closed form, {off:.1e} apart; the bound is {bound:.1e}.",
    )


def _signed(value: float) -> str:
    return f"{value:.9f}".replace("-", "−")


def _pool_sum(sides: ReadySides, reading: int, pool: Int64Array, tick: Tick) -> float:
    """Sum of the scores of every row of A with the pool's rows of B, without the pool's own pairs."""
    n, dim = sides.shape
    total = np.zeros(dim)
    for block in each(row_blocks(len(pool), dim), tick):
        total += _side_rows(sides.b, pool[block])[reading]().sum(axis=0)
    return n * float(_means(sides, reading)[0] @ total) - float(sides.own[reading][pool].sum())


def _spread_check(sides: ReadySides, reading: int, counted: ReadingSweep, progress: Progress | None) -> Check:
    """Sum of (S - f)^2 over all unrelated scores against the closed form."""
    closed = closed_floor_of(sides, reading, progress=progress)
    off = abs(counted.squares_about - closed.squares)
    bound = counted.squares_error + closed.rounding + _summing(sides) * counted.squares_about
    n_pairs = counted.n_unrelated
    return Check(
        name=f"{NAMES[reading]} spread",
        passed=off <= bound,
        text=f"The mean square about the floor, over all {n_pairs:,} unrelated scores, differs from the closed form by "
        f"{off / n_pairs:.1e}; the bound is {bound / n_pairs:.1e}.",
    )


def _rows_check(
    sides: ReadySides, reading: int, counted: ReadingSweep, rows: Int64Array, squares: Float64Array
) -> Check:
    """The same of a few rows scored again, where the closed form would cost much beside the pass."""
    others, error = sides.shape[0] - 1, counted.score_error
    offs = np.abs(counted.row_squares[rows] - squares)
    bounds = 2 * error * np.sqrt(others * squares) + others * error**2 + _summing(sides) * squares + ROUNDING
    worst = int(np.argmax(offs / bounds))
    return Check(
        name=f"{NAMES[reading]} spread",
        passed=bool(np.all(offs <= bounds)),
        text=f"The mean square about the floor, of {len(rows)} rows spread over the file and scored again in float64, "
        f"differs from the pass by {offs[worst] / others:.1e} at most; the bound is {bounds[worst] / others:.1e}.",
    )


def _row_squares(sides: ReadySides, rows: Int64Array, tick: Tick) -> Float64Array:
    """(2, m) sums of (S_ij - f)^2 over j != i for a few rows i, in float64, raw and centred."""
    ours, floors = [make() for make in _side_rows(sides.a, rows)], sides.floors
    total = np.zeros((2, len(rows)))
    for block in each(row_blocks(*sides.shape, elements=READY_BLOCK_ELEMENTS), tick):
        partners = np.flatnonzero((rows >= block.start) & (rows < block.stop))
        for reading, make in enumerate(_side_rows(sides.b, block)):
            deviations = ours[reading] @ make().T - floors[reading]
            deviations[partners, rows[partners] - block.start] = 0.0
            total[reading] += np.einsum("ij,ij->i", deviations, deviations)
    return total


def _count_check(reading: int, counted: ReadingSweep) -> Check:
    """Every unrelated score is in exactly one bin."""
    total = int(counted.unrelated_counts.sum())
    return Check(
        name=f"{NAMES[reading]} histogram",
        passed=total == counted.n_unrelated,
        text=f"The bins hold {total:,} of {counted.n_unrelated:,} unrelated scores. A score within "
        f"{counted.edge_error:.1e} of an edge may be on either side of it.",
    )
