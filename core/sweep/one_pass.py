"""The one blocked pass over all n^2 scores, raw and centred together.

How many candidates beat or tie with a row's own partner, in both directions; the best of
the others; how often each row of B comes out on top; how the unrelated cosines are
distributed; and their sums about the exact floor. Scores exist only one tile at a time.

Small inputs are swept in float64. Larger ones are multiplied in float32 and decided again
in float64 wherever float32 cannot tell (`core.sweep.fast_tiles`), so that every count is the
one float64 gives; memory is then one float32 copy of both sides and a few MB per worker.

Symbols: S_ij = a_i . b_j for unit rows of one reading, s_i = S_ii, tie bound `TIE`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.limits import HISTOGRAM_BINS, SWEEP_TILE_COLUMNS, SWEEP_TILE_ROWS
from core.ranks import TIE
from core.sweep.blocks import Totals, go_over
from core.sweep.bounds import binning_bound, centring_bound, exact_bound
from core.sweep.rivals import NO_PLACE
from core.sweep.sides import CENTRED, RAW, ReadySides
from core.sweep.tiles import Plan
from core.sweep.workers import Progress, usable_cores

__all__ = ["Progress", "ReadingSweep", "Sweep", "sweep"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSweep:
    """What the pass over all scores leaves of one reading.

    Attributes
    ----------
    own
        (n,) float64 own cosines s_i, not clipped.
    better_a_to_b, tied_a_to_b
        (n,) for row i of A: other candidates in B with a cosine above, or within `TIE` of, s_i.
    better_b_to_a, tied_b_to_a
        (n,) the same for row j of B among the rows of A.
    rival_a_to_b, rival_margin_a_to_b
        (n,) the best other candidate of row i, the lowest number among equals, and s_i
        minus the best other cosine.
    top_counts
        (n,) rows of A whose top candidate is row j of B, partners included. Candidates
        within `TIE` of the best are equal, and the lowest number among them counts. Sums to n.
    unrelated_counts
        (HISTOGRAM_BINS,) counts of the unrelated cosines over [-1, 1]. A cosine within
        `edge_error` of an edge may be on either side of it.
    n_unrelated
        How many unrelated cosines were scored: n(n-1), or fewer with a pool of candidates.
    sum_about, squares_about
        Sums of S_ij - f and (S_ij - f)^2 over them.
    row_squares, column_squares
        (n,) the second for each row of A and of B. With a pool of m candidates over the pairs
        scored: (n,) each row of A with the pool, and (m,) each row of the pool with all of A.
    score_error
        Rigorous bound of the error of a single score in the sums; the counts of better and
        tied candidates have none.
    edge_error
        The same in the histogram, where the place among the bins is rounded too.
    """

    own: Float64Array
    better_a_to_b: Int64Array
    tied_a_to_b: Int64Array
    better_b_to_a: Int64Array
    tied_b_to_a: Int64Array
    rival_a_to_b: Int64Array
    rival_margin_a_to_b: Float64Array
    top_counts: Int64Array
    unrelated_counts: Int64Array
    n_unrelated: int
    sum_about: float
    squares_about: float
    row_squares: Float64Array
    column_squares: Float64Array
    score_error: float
    edge_error: float

    @property
    def sd(self) -> float:
        """Standard deviation (ddof 0) of the unrelated cosines; not yet rounded down to no spread."""
        mean = self.sum_about / self.n_unrelated
        return math.sqrt(max(self.squares_about / self.n_unrelated - mean**2, 0.0))

    @property
    def sum_error(self) -> float:
        """Rigorous bound of the error of `sum_about`."""
        return self.n_unrelated * self.score_error

    @property
    def squares_error(self) -> float:
        """Rigorous bound of the error of `squares_about` (Cauchy and Schwarz)."""
        return 2 * self.score_error * math.sqrt(self.n_unrelated * self.squares_about) + (
            self.n_unrelated * self.score_error**2
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Both readings of one pass.

    Attributes
    ----------
    raw
        Always there.
    centred
        `None` where centring leaves some row without a direction.
    n_others
        (n,) other candidates each row was ranked among, the same in both directions.
    """

    raw: ReadingSweep
    centred: ReadingSweep | None
    n_others: Int64Array


def sweep(
    sides: ReadySides,
    *,
    about: tuple[float, float] | None = None,
    candidates: Int64Array | None = None,
    n_workers: int | None = None,
    progress: Progress | None = None,
    tile: tuple[int, int] = (SWEEP_TILE_ROWS, SWEEP_TILE_COLUMNS),
) -> Sweep:
    """Score every row of A against every row of B, or against a pool of them.

    Parameters
    ----------
    sides : ReadySides
        From `core.sweep.sides.make_ready`; with float32 rows the sweep takes the fast way.
    about : (float, float), optional
        Raw and centred value about which sums are taken; by default ``sides.floors``.
    candidates : (m,) int64, optional
        Ascending row numbers, shared by all rows: each row of A meets these rows of B and
        its own partner, each row of B these rows of A and its own. `None` for all n.
    n_workers : int, optional
        Threads; by default the cores this process may use. No figure depends on it.
    progress : callable, optional
        Called with (done, total, message) at most 0.3 s apart; what it raises, say
        `core.errors.Cancelled`, stops the sweep and propagates.
    tile : (int, int)
        Rows and columns of a tile. No count depends on it, but for histogram entries within
        `ReadingSweep.edge_error` of an edge; sums do in the last digits.

    Notes
    -----
    Time O(n^2 d) for one float32 product, or O(n m d) for two. Memory O(n d) float32.
    """
    n, _ = sides.shape
    everyone = np.arange(n)
    whole = candidates is None
    pool = everyone if candidates is None else np.asarray(candidates, dtype=np.int64)
    if len(pool) < 2:
        raise ValueError(f"candidates holds {len(pool)} row numbers; every row needs at least 2 to meet")
    undefined = len(sides.a.lost) or len(sides.b.lost)
    plan = Plan(
        sides=sides,
        about=about or sides.floors,
        readings=(RAW,) if undefined else (RAW, CENTRED),
        rows=everyone,
        columns=pool,
        count_columns=whole,
    )
    workers = n_workers or usable_cores()
    forth = go_over(plan, n_workers=workers, progress=progress, tile=tile, message="Ranking partners")
    back = forth
    if not whole:
        back_plan = replace(plan, rows=pool, columns=everyone, count_rows=False, count_columns=True, count_scores=False)
        back = go_over(back_plan, n_workers=workers, progress=progress, tile=tile, message="Ranking partners, B to A")
    n_others = len(pool) - np.isin(everyone, pool).astype(np.int64)
    readings = [_reading(plan, reading, forth, back, int(n_others.sum())) for reading in plan.readings]
    for reading, found in enumerate(readings):
        if found.sd <= found.score_error and not forth.exact:  # float32 cannot tell the spread
            exact_plan = replace(plan, readings=(reading,), count_rows=False, count_columns=False, count_scores=False)
            sums = go_over(
                exact_plan, n_workers=workers, progress=progress, tile=tile, message="Measuring the spread", fast=False
            )
            readings[reading] = replace(found, **_sums(sums, reading))
    return Sweep(raw=readings[0], centred=readings[1] if len(readings) > 1 else None, n_others=n_others)


def _sums(totals: Totals, reading: int) -> dict[str, Any]:
    return {
        "sum_about": float(totals.sums[reading]),
        "squares_about": float(totals.row_squares[reading].sum()),
        "row_squares": totals.row_squares[reading],
        "column_squares": totals.column_squares[reading],
    }


def _reading(plan: Plan, reading: int, forth: Totals, back: Totals, n_unrelated: int) -> ReadingSweep:
    own = plan.sides.own[reading]
    rivals = plan.columns[forth.best_places[reading]]
    margins = own - forth.best_scores[reading]
    error = float(forth.reach[reading]) + exact_bound(plan.sides.shape[1])
    return ReadingSweep(
        own=own,
        better_a_to_b=forth.better_rows[reading],
        tied_a_to_b=forth.tied_rows[reading],
        better_b_to_a=back.better_columns[reading],
        tied_b_to_a=back.tied_columns[reading],
        rival_a_to_b=rivals,
        rival_margin_a_to_b=margins,
        top_counts=_top_counts(plan.columns, forth.tops[reading], margins),
        unrelated_counts=forth.histogram[reading],
        n_unrelated=n_unrelated,
        score_error=error,
        edge_error=error + _rounding(plan, reading) + (0.0 if forth.exact else binning_bound(HISTOGRAM_BINS)),
        **_sums(forth, reading),
    )


def _rounding(plan: Plan, reading: int) -> float:
    """What centring leaves of the float64 rounding of the rows; nothing in a raw score."""
    sides = plan.sides
    if reading == RAW:
        return 0.0
    return centring_bound(sides.shape[1], float(sides.a.lengths.min()), float(sides.b.lengths.min()))


def _top_counts(columns: Int64Array, tops: Int64Array, margins: Float64Array) -> Int64Array:
    """How often each candidate is on top: the lowest number within TIE of the best of all, the partner among them."""
    others = np.where(tops == NO_PLACE, NO_PLACE, columns[np.minimum(tops, len(columns) - 1)])
    partners = np.where(margins >= -TIE, np.arange(len(tops)), NO_PLACE)
    return np.bincount(np.minimum(others, partners), minlength=len(tops))
