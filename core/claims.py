"""A claimed number against the rows it speaks of.

"0.91, so they agree": where does .91 lie among the *unrelated* pairs of this very
comparison, and what share of them reach it? What would a cut-off keep? Which pairs are
the worst? Shares are counted pair by pair in a pass of its own, not read off a histogram.

Symbols: s_i = S_ii own cosines, S_ij = a_i . b_j of one reading; N = n(n-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.groups import Groups
from core.histogram import bin_places, nearest_edge
from core.limits import SCORE_BLOCK_ELEMENTS
from core.ranks import TIE
from core.row_scores import RowScores
from core.rows import UnitRows, own_cosines, row_blocks
from core.sweep import Progress, ReadingSweep
from core.ticks import step_of
from core.typed_cosine import refuse_no_cosine

__all__ = [
    "ClaimPlace",
    "Cutoffs",
    "Reach",
    "WorstOrder",
    "WorstPair",
    "count_reach",
    "pairs_between",
    "place_claim",
    "worst_pairs",
]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

WorstOrder = Literal["own_cosine", "margin", "rank", "row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How many pairs score at or above one number.

    Attributes
    ----------
    threshold
        The number, as typed.
    matched, unrelated
        Pairs at or above it, to `TIE`: 1 is reached by a row and itself whatever the rounding.
    n, n_unrelated
        Pairs of each kind in all.
    """

    threshold: float
    matched: int
    unrelated: int
    n: int
    n_unrelated: int

    @property
    def matched_share(self) -> float:
        return self.matched / self.n

    @property
    def unrelated_share(self) -> float:
        return self.unrelated / self.n_unrelated


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoffs:
    """Typed thresholds against all pairs of one reading, for these files only.

    Attributes
    ----------
    reached
        One entry a threshold, in the order given.
    lowest_matched, highest_unrelated
        Extremes of the two kinds of pairs.
    unrelated_reaching_lowest_matched
        Unrelated pairs at or above the lowest matched one.
    n, n_unrelated
        Pairs of each kind in all.
    """

    reached: tuple[Reach, ...]
    lowest_matched: float
    highest_unrelated: float
    unrelated_reaching_lowest_matched: int
    n: int
    n_unrelated: int

    @property
    def separable(self) -> bool:
        """True if some cut-off keeps every matched pair and no unrelated one."""
        return self.lowest_matched > self.highest_unrelated + TIE

    @property
    def separating(self) -> tuple[float, float] | None:
        """Cut-offs above the first and up to the second separate these files; `None` if none does."""
        return (self.highest_unrelated, self.lowest_matched) if self.separable else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPlace:
    """Where a claimed cosine lies.

    Attributes
    ----------
    claimed
        The number.
    reached
        How many matched and unrelated pairs score as high or higher.
    above_floor
        claimed - floor mean.
    above_floor_in_sd
        The same in standard deviations of single unrelated pairs; `None` without spread.
    off_matched
        claimed - matched mean: a claim about these files should be near 0.
    """

    claimed: float
    reached: Reach
    above_floor: float
    above_floor_in_sd: float | None
    off_matched: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPair:
    """One row of the table of worst pairs.

    Attributes
    ----------
    row
        Number of the pair, from 0 in the compared rows.
    own_cosine
        What it scores, in [-1, 1].
    rank
        Rank of the partner of row i of A among all rows of B, from 1; the best of its tied places.
    tied
        Other candidates that tie with the partner.
    winner
        Row of B that scores highest beside the partner, whether or not above it.
    winner_cosine
        What that row scores.
    """

    row: int
    own_cosine: float
    rank: int
    tied: int
    winner: int
    winner_cosine: float

    @property
    def margin(self) -> float:
        """Own cosine less the winner's: negative where the partner lost."""
        return self.own_cosine - self.winner_cosine


def count_reach(
    a: UnitRows,
    b: UnitRows,
    thresholds: Sequence[float],
    *,
    groups: Groups | None = None,
    progress: Progress | None = None,
    block_elements: int = SCORE_BLOCK_ELEMENTS,
) -> Cutoffs:
    """Count the pairs at or above each threshold.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides of one reading, n >= 2.
    thresholds : sequence of float
        In [-1, 1].
    groups : Groups, optional
        Rows of one group are not unrelated. By default every pair is a group of its own.
    progress : callable, optional
        Called after each block of scores; the place to cancel.
    block_elements : int
        Scores held at a time; the result does not depend on it.

    Raises
    ------
    SettingsError
        A threshold that no cosine can have.

    Notes
    -----
    Time O(n^2 (d + len(thresholds))) in float64, one block of scores in memory.
    """
    for threshold in thresholds:
        refuse_no_cosine(threshold)
    n, _ = a.shape
    n_unrelated = groups.unrelated if groups else n * (n - 1)
    own = own_cosines(a, b, step_of(progress, 0, 1, "Counting pairs"))
    lowest = float(own.min())
    bounds = np.array([*thresholds, lowest]) - TIE
    counts = np.zeros(len(bounds), dtype=np.int64)
    highest = -np.inf
    side = max(1, int(block_elements**0.5))
    steps = list(row_blocks(n, side, elements=block_elements))
    for strip, rows in enumerate(steps):
        units = a[rows]
        for tile, columns in enumerate(steps, start=1):
            scores = units @ b[columns].T
            _leave_out_kin(scores, rows, columns, groups)
            highest = max(highest, float(scores.max()))
            counts += [np.count_nonzero(scores >= bound) for bound in bounds]
            if progress is not None:
                progress(strip * len(steps) + tile, len(steps) ** 2, "Counting pairs")
    return Cutoffs(
        reached=tuple(
            Reach(
                threshold=threshold,
                matched=int(np.count_nonzero(own >= bound)),
                unrelated=int(count),
                n=n,
                n_unrelated=n_unrelated,
            )
            for threshold, bound, count in zip(thresholds, bounds, counts, strict=False)
        ),
        lowest_matched=_clipped(lowest),
        highest_unrelated=_clipped(highest),
        unrelated_reaching_lowest_matched=int(counts[-1]),
        n=n,
        n_unrelated=n_unrelated,
    )


def _leave_out_kin(scores: Float64Array, rows: slice, columns: slice, groups: Groups | None) -> None:
    """Take the pairs that are not unrelated out of a block: own partners, or whole groups."""
    if groups is not None and not groups.are_pairs:
        scores[groups.labels[rows, None] == groups.labels[columns]] = -np.inf
        return
    partners = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
    scores[partners - rows.start, partners - columns.start] = -np.inf


def place_claim(reached: Reach, *, matched_mean: float, floor_mean: float, floor_sd: float) -> ClaimPlace:
    """Place a claimed cosine among the pairs of a reading.

    Parameters
    ----------
    reached : Reach
        Of the claimed number, from `count_reach`.
    matched_mean, floor_mean, floor_sd : float
        Of the same reading; the exact floor.
    """
    above = reached.threshold - floor_mean
    return ClaimPlace(
        claimed=reached.threshold,
        reached=reached,
        above_floor=above,
        above_floor_in_sd=above / floor_sd if floor_sd > 0 else None,
        off_matched=reached.threshold - matched_mean,
    )


def worst_pairs(
    swept: ReadingSweep | RowScores,
    *,
    count: int,
    order: WorstOrder = "margin",
    start: int = 0,
    rows: NDArray[np.intp] | None = None,
) -> tuple[WorstPair, ...]:
    """A page of the pairs, worst first.

    Parameters
    ----------
    swept : ReadingSweep or RowScores
        Own cosines, rivals, better and tied candidates of one reading.
    count, start : int
        How many pairs, and how many to pass over first.
    order : str
        ``"margin"`` (furthest behind the winner), ``"own_cosine"`` (lowest) or ``"rank"``
        (highest number), equal ones in file order; or ``"row"``, file order alone.
    rows : array of int, optional
        Only these pairs, from `pairs_between`.

    Notes
    -----
    Cost O(n log n).
    """
    own, margins = swept.own, swept.rival_margin_a_to_b
    badness = {
        "margin": margins,
        "own_cosine": own,
        "rank": -(swept.better_a_to_b + swept.tied_a_to_b / 2),
        "row": np.arange(len(own)),
    }[order]
    listed = np.arange(len(own)) if rows is None else rows
    worst = listed[np.argsort(badness[listed], kind="stable")][start : start + count]
    return tuple(
        WorstPair(
            row=int(row),
            own_cosine=_clipped(float(own[row])),
            rank=int(swept.better_a_to_b[row]) + 1,
            tied=int(swept.tied_a_to_b[row]),
            winner=int(swept.rival_a_to_b[row]),
            winner_cosine=_clipped(float(own[row] - margins[row])),
        )
        for row in worst
    )


def pairs_between(own: Float64Array, low: float, high: float) -> NDArray[np.intp]:
    """Numbers of the matched pairs of one bar of the histogram, between two edges of its bins.

    Placed as the histogram places them, so that a bar lists as many pairs as it shows; the
    last one holds what rounding puts above 1.
    """
    places = bin_places(own)
    return np.flatnonzero((places >= nearest_edge(low)) & (places < nearest_edge(high)))


def _clipped(cosine: float) -> float:
    return min(max(cosine, -1.0), 1.0)
