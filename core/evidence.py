"""What one reading's numbers can bear, taken from what the sweep left.

Puts the measures of inference to one reading of an audit: intervals, permutation test and
verdict (`core.inference`), intervals on the ranks (`core.intervals`, `core.mean_rank`), and
with groups the floor and the ranks over rows of other groups.

Symbols as in `core.pair_sums`; g_i, b_k as in `core.mean_rank`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD, ExactFloor
from core.groups import Groups, WithinGroups, within_groups
from core.inference import Inference, Verdict, infer
from core.intervals import Interval, ReadingIntervals, share_interval
from core.limits import FULL_MATRIX_PAIRS
from core.mean_rank import mean_rank_index
from core.means import Means
from core.pair_sums import CentredScores, PairSums, SweptSums, centred_scores
from core.permutation import PermutationTest
from core.prepared import PreparedRows, Rows
from core.ranks import TIE, PartnerRanks
from core.rows import UnitRows
from core.sweep import CENTRED, ReadingSweep, ReadySide, ReadySides
from core.ticks import Tick, no_tick

__all__ = ["Evidence", "evidence", "group_floor", "infer_reading", "prepared_rows", "without_own_group"]

Float64Array = NDArray[np.float64]

#: An input's numbers are known to half a unit in the last place each; a cosine to a few.
_PRECISION_UNITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one reading can bear.

    Attributes
    ----------
    intervals, test, verdict
        On matched, floor, gap and effect sizes; `None` where they would take too much memory
        (`Audit.evidence_missing` says so).
    first_a_to_b, first_b_to_a
        Partner ranked first, with ties from the pessimistic to the optimistic share.
    mean_rank_a_to_b, mean_rank_b_to_a
        The adjusted mean rank index: 1 always first, 0 by chance at any n.
    decided_by_rounding
        Rows of A whose first place hangs on less than the precision of the stored numbers;
        `None` with groups or a pool, where the rival is not among those ranked.
    """

    intervals: ReadingIntervals | None
    test: PermutationTest | None
    verdict: Verdict | None
    first_a_to_b: Interval
    first_b_to_a: Interval
    mean_rank_a_to_b: Interval
    mean_rank_b_to_a: Interval
    decided_by_rounding: int | None


def prepared_rows(side: ReadySide, reading: int) -> Rows:
    """Unit rows of one side of one reading: the sweep's own where it kept them."""
    centred = reading == CENTRED
    if side.centred_rows is None:
        return UnitRows(side.stored, side.mean if centred else None)
    return PreparedRows(centred_rows=side.centred_rows, lengths=side.lengths, mean=side.mean, centred=centred)


def infer_reading(
    sides: ReadySides,
    reading: int,
    counted: ReadingSweep,
    *,
    means: Means,
    groups: Groups | None,
    margin: float | None,
    rng: np.random.Generator,
    has_pool: bool,
    scatters: tuple[Float64Array | None, Float64Array | None] = (None, None),
    tick: Tick = no_tick,
) -> tuple[Inference | None, CentredScores | None]:
    """Intervals, test and verdict of one reading, and its score matrix where it is small.

    Notes
    -----
    As `core.inference.infer`; a sweep over a pool has no sums of squares to give.
    """
    n, _ = sides.shape
    a, b = prepared_rows(sides.a, reading), prepared_rows(sides.b, reading)
    centred = reading == CENTRED
    mean_a = sides.a.centred_mean if centred else sides.a.unit_mean
    mean_b = sides.b.centred_mean if centred else sides.b.unit_mean
    scores = centred_scores(a, b, mean_a, mean_b, tick) if n <= FULL_MATRIX_PAIRS else None
    swept = None
    if not has_pool:
        swept = SweptSums(
            about=sides.floors[reading], row_squares=counted.row_squares, column_squares=counted.column_squares
        )
    found = infer(
        a,
        b,
        mean_a,
        mean_b,
        means=means if centred else None,
        groups=groups,
        margin=margin,
        rng=rng,
        scatter_a=scatters[0],
        scatter_b=scatters[1],
        swept=swept,
        own_cosines=sides.own[reading],
        scores=scores,
        tick=tick,
    )
    return found, scores


def group_floor(sums: PairSums) -> ExactFloor:
    """Mean and spread of the cosines of rows of different groups."""
    shift = float(sums.rows.sum()) / sums.groups.unrelated
    variance = float(sums.row_squares.sum()) / sums.groups.unrelated - shift**2
    sd = math.sqrt(variance) if variance > sums.rounding else 0.0
    return ExactFloor(mean=sums.about + shift, sd=sd if sd > NO_SPREAD else 0.0)


def without_own_group(
    sides: ReadySides, reading: int, counted: ReadingSweep, groups: Groups, tick: Tick = no_tick
) -> tuple[ReadingSweep, WithinGroups]:
    """The sweep's counts with a row's own group taken off its candidates, and what was taken off."""
    stored = (sides.a.stored, sides.b.stored)
    means = (sides.a.mean, sides.b.mean) if reading == CENTRED else (None, None)
    a, b = (UnitRows(rows, mean) for rows, mean in zip(stored, means, strict=True))
    within = within_groups(a, b, counted.own, groups, tick)
    fewer = {
        name: np.maximum(getattr(counted, name) - getattr(within, name), 0)
        for name in ("better_a_to_b", "tied_a_to_b", "better_b_to_a", "tied_b_to_a")
    }
    return replace(counted, **fewer), within


def evidence(
    counted: ReadingSweep,
    inference: Inference | None,
    scores: CentredScores | None,
    ranks: tuple[PartnerRanks, PartnerRanks],
    *,
    groups: Groups | None = None,
    within: WithinGroups | None = None,
    pool: bool = False,
    precision: float = 0.0,
    tick: Tick = no_tick,
) -> Evidence:
    """Put together what one reading can bear.

    Parameters
    ----------
    counted : ReadingSweep
        Counts of the reading, own groups taken off where there are groups.
    inference : Inference or None
        From `infer_reading`.
    scores : CentredScores or None
        Likewise.
    ranks : (PartnerRanks, PartnerRanks)
        A to B and B to A.
    groups, within : Groups, WithinGroups, optional
        Where pairs belong together.
    pool : bool
        Rows were ranked among a pool of candidates.
    precision : float
        Spacing at 1 of the coarser of the two stored types.
    tick : callable
        Called between blocks.
    """
    n = len(counted.own)
    trials = float(n) if groups is None else groups.effective_count
    beats = None if scores is None or pool else beats_by_candidate(scores, within, tick)
    first = [share_interval(each.pessimistic, each.expected, each.optimistic, trials) for each in ranks]
    counts = ((counted.better_a_to_b, counted.tied_a_to_b), (counted.better_b_to_a, counted.tied_b_to_a))
    index = [
        mean_rank_index(
            better,
            tied,
            None if beats is None else beats[side],
            groups,
            n_unrelated=counted.n_unrelated if pool else None,
        )
        for side, (better, tied) in enumerate(counts)
    ]
    decided = None
    if groups is None and not pool:
        decided = int(np.count_nonzero(np.abs(counted.rival_margin_a_to_b) <= _PRECISION_UNITS * precision))
    return Evidence(
        intervals=inference.intervals if inference else None,
        test=inference.test if inference else None,
        verdict=inference.verdict if inference else None,
        first_a_to_b=first[0],
        first_b_to_a=first[1],
        mean_rank_a_to_b=index[0],
        mean_rank_b_to_a=index[1],
        decided_by_rounding=decided,
    )


def beats_by_candidate(scores: CentredScores, within: WithinGroups | None = None, tick: Tick = no_tick) -> Float64Array:
    """(2, n) b_k, A to B and B to A: rows whose partner candidate k beats, a tie counted half.

    Some n-by-n arrays; only for few pairs.
    """
    whole = scores.link + scores.p[:, None]
    whole += scores.q[None, :]
    own = np.diagonal(whole).copy()
    found = np.empty((2, len(own)))
    for side, (matrix, off) in enumerate(((whole, "beats_a_to_b"), (whole.T, "beats_b_to_a"))):
        tick()
        above = matrix - own[:, None]
        np.fill_diagonal(above, -3.0)  # the partner itself neither beats nor ties
        found[side] = np.count_nonzero(above > TIE, axis=0) + np.count_nonzero(np.abs(above) <= TIE, axis=0) / 2
        if within is not None:
            found[side] -= getattr(within, off)
    return found
