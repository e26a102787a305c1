"""What a reading's numbers can bear: its test, its detectable effect, its verdict.

A gap is told from zero by the permutation test, and from a margin X that the user
declared *before* looking by the upper end U of what the data leave possible:

| p <= .05 | U < X | verdict |
| --- | --- | --- |
| yes | no | separates (or the wrong way, if the gap is below zero) |
| no | yes | no gap larger than X |
| yes | yes | real but smaller than X |
| no | no | underpowered |

U = |gap| + t_.95 SE is the smallest margin that two one-sided tests at 5 % exclude.
Without a declared margin "no gap" is never said. The smallest gap that the audit could
have detected comes from standard errors alone, never from the gap it found.

Sources: Schuirmann 1987 (two one-sided tests); Hoenig and Heisey 2001 (why observed
power says nothing); Card et al. 2020 (reporting the detectable effect).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.coinciding import counted_if_few
from core.floor import NO_SPREAD
from core.group_links import group_links, group_links_by_blocks
from core.groups import Groups
from core.intervals import Interval, ReadingIntervals, reading_intervals
from core.limits import DRAWN_PERMUTATIONS, FULL_MATRIX_PAIRS, SCATTER_COLUMNS
from core.mean_shift import mean_shifts
from core.means import Means
from core.pair_sums import CentredScores, PairSums, SweptSums, centred_scores, pair_sums
from core.permutation import (
    PermutationTest,
    group_normal_test,
    movable_groups,
    normal_test,
    permutation_test,
    reached_pairs,
)
from core.prepared import Rows
from core.rows import MeanRow
from core.scatter import Scatter
from core.ticks import Tick, no_tick

__all__ = [
    "Inference",
    "Outcome",
    "Verdict",
    "at_ceiling",
    "detectable_factor",
    "detectable_gap",
    "infer",
    "judge",
]

Float64Array = NDArray[np.float64]

#: Level of the test and of the two one-sided tests.
LEVEL = 0.05

#: Power at which an effect counts as detectable.
POWER = 0.8

#: Fewer independent pairs or groups make a result exploratory.
EXPLORATORY = 20

#: Matched mean from which a reading cannot go much higher.
CEILING = 0.999

LARGEST_GAP = 2.0  # matched 1 over a floor of -1

#: Noncentrality for 80 % power of a two-sided t test at 5 %, for 1 to 9 degrees of
#: freedom, where t_.975 + t_.80 is too small. By integration; see the test.
_EXACT_FACTORS = (16.334, 5.6535, 4.2559, 3.7611, 3.5139, 3.3669, 3.2698, 3.2009, 3.1496)


class Outcome(StrEnum):
    """What the data say about the gap."""

    SEPARATES = "separates"
    WRONG_WAY = "separates_the_wrong_way"
    NO_LARGER_GAP = "no_gap_larger_than_margin"
    REAL_BUT_SMALL = "real_but_smaller_than_margin"
    UNDERPOWERED = "underpowered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on one reading.

    Attributes
    ----------
    outcome
        One of the four, or separation the wrong way; `None` where the test cannot say.
    undefined
        Why there is no outcome; empty where there is one.
    gap, pvalue
        What it rests on: the corrected gap and the permutation test.
    wrong_way
        The gap is below zero and told from zero, whatever its size.
    largest_gap_left
        U: the data rule out gaps above it; `None` without a standard error, or above 2.
    margin
        X as declared beforehand; `None` if none was.
    detectable
        Smallest gap found with 80 % power; `None` where no gap could be.
    exploratory
        Fewer than 20 independent pairs or groups (of unequal sizes: their effective count).
    test_disagrees
        The gap and the test point in opposite directions, so that the test decides nothing
        about this gap: with groups of unequal sizes it permutes only those of equal size.
    """

    outcome: Outcome | None
    undefined: str
    gap: float
    pvalue: float
    wrong_way: bool
    largest_gap_left: float | None
    margin: float | None
    detectable: float | None
    exploratory: bool
    test_disagrees: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """What one reading's numbers can bear.

    Attributes
    ----------
    intervals
        On matched, floor, gap, gap/sd and Cohen's d.
    test
        The permutation test.
    verdict
        On the corrected gap.
    sums
        Kept for figures derived from them (`core.closeness`, pairs of readings).
    """

    intervals: ReadingIntervals
    test: PermutationTest
    verdict: Verdict
    sums: PairSums


def infer(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    *,
    means: Means | None = None,
    groups: Groups | None = None,
    margin: float | None = None,
    rng: np.random.Generator,
    n_permutations: int = DRAWN_PERMUTATIONS,
    scatter_a: Scatter | None = None,
    scatter_b: Scatter | None = None,
    swept: SweptSums | None = None,
    own_cosines: Float64Array | None = None,
    scores: CentredScores | None = None,
    tick: Tick = no_tick,
) -> Inference | None:
    """Infer from one reading.

    Parameters
    ----------
    a, b : Rows
        (n, d) sides, raw or centred; no row without direction.
    mean_a, mean_b : MeanRow
        Means of exactly these unit rows.
    means : Means, optional
        What a centred reading is centred on; leave out for the raw one.
    groups : Groups, optional
        Each pair alone by default.
    margin : float, optional
        X, in gap cosine, declared before looking; > 0.
    rng : numpy.random.Generator
        For the permutations drawn.
    n_permutations : int
        Drawn where there are too many to try and at most `FULL_MATRIX_PAIRS` pairs, or groups
        that can change places.
    scatter_a, scatter_b : Scatter, optional
        `core.scatter.scatter` of these rows, if at hand already.
    swept : SweptSums, optional
        Sums of squares of a sweep, instead of their closed form.
    own_cosines : (n,) float64, optional
        If at hand already; give them with rows from a sweep.
    scores : CentredScores, optional
        `core.pair_sums.centred_scores` of these rows, if at hand already.
    tick : callable
        Called between blocks.

    Returns
    -------
    Inference or None
        `None` where the scatter matrix would be too large: more than `FULL_MATRIX_PAIRS`
        pairs of more than `SCATTER_COLUMNS` columns.

    Notes
    -----
    Up to `FULL_MATRIX_PAIRS` pairs O(n^2 d + n_permutations n) and some n-by-n arrays;
    above O(n d^2), three halves of (d, d) matrices and a few blocks of rows.
    """
    n, dim = a.shape
    if n > FULL_MATRIX_PAIRS and dim > SCATTER_COLUMNS:
        return None
    groups = groups or Groups.alone(n)
    if scores is None and n <= FULL_MATRIX_PAIRS:
        scores = centred_scores(a, b, mean_a, mean_b, tick)
    sums = pair_sums(
        a,
        b,
        mean_a,
        mean_b,
        groups=groups,
        pull=means is not None and means.shares.any,
        scores=scores,
        scatter_a=scatter_a,
        scatter_b=scatter_b,
        swept=swept,
        own_cosines=own_cosines,
        tick=tick,
    )
    shifts = mean_shifts(a, b, means, sums, tick) if means is not None else None
    intervals = reading_intervals(sums, shifts, means)
    test = _test(a, b, mean_a, mean_b, sums, scores, rng, n_permutations, tick)
    return Inference(intervals=intervals, test=test, verdict=judge(intervals, test, margin=margin), sums=sums)


def _test(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    sums: PairSums,
    scores: CentredScores | None,
    rng: np.random.Generator,
    n_permutations: int,
    tick: Tick,
) -> PermutationTest:
    groups = sums.groups
    gap_pairs = groups.unrelated / groups.n
    if scores is None and groups.are_pairs:
        test = normal_test(sums.linked, sums.interaction, groups.n, link_rounding=sums.link_rounding)
        return counted_if_few(test, a, b, mean_a, mean_b, groups, rng, link_rounding=sums.link_rounding, tick=tick)
    if scores is None and movable_groups(groups) > FULL_MATRIX_PAIRS:
        rounding = sums.link_rounding
        test = group_normal_test(a, b, mean_a, mean_b, groups, gap_pairs=gap_pairs, link_rounding=rounding, tick=tick)
        return counted_if_few(test, a, b, mean_a, mean_b, groups, rng, link_rounding=rounding, tick=tick)
    by_blocks = scores is None
    return permutation_test(
        group_links_by_blocks(a, b, mean_a, mean_b, groups, tick) if scores is None else group_links(scores, groups),
        gap_pairs=gap_pairs,
        rng=rng,
        n_permutations=n_permutations,
        reached=None if groups.are_pairs else reached_pairs(groups),
        n_rows=groups.n if by_blocks else None,
        link_rounding=sums.link_rounding if by_blocks else 0.0,
        tick=tick,
    )


def judge(intervals: ReadingIntervals, test: PermutationTest, *, margin: float | None = None) -> Verdict:
    """The verdict on one reading.

    Parameters
    ----------
    intervals : ReadingIntervals
        Of the reading.
    test : PermutationTest
        Of the same reading.
    margin : float, optional
        X, declared before looking.

    Raises
    ------
    ValueError
        The margin is not above zero.
    """
    if margin is not None and not margin > 0:
        raise ValueError(f"a margin must be above 0; got {margin}")
    gap = intervals.gap.estimate or 0.0
    disagrees = test.z is not None and gap * test.z < 0
    disagrees = disagrees and test.pvalue <= LEVEL
    told_from_zero = test.pvalue <= LEVEL and not disagrees
    left = _largest_gap_left(intervals.gap, intervals.df)
    within = margin is not None and left is not None and left < margin
    undefined = _undefined(test, disagrees=disagrees)
    return Verdict(
        outcome=None if undefined else _outcome(gap, told_from_zero, within and test.can_reach(LEVEL)),
        undefined=undefined,
        gap=gap,
        pvalue=test.pvalue,
        wrong_way=told_from_zero and gap < 0,
        largest_gap_left=left,
        margin=margin,
        detectable=_detectable(intervals, test),
        exploratory=intervals.independent < EXPLORATORY,
        test_disagrees=disagrees,
    )


def _outcome(gap: float, told_from_zero: bool, within: bool) -> Outcome:
    """The module's table; a test that no gap could pass says nothing of none."""
    if told_from_zero:
        return Outcome.REAL_BUT_SMALL if within else Outcome.WRONG_WAY if gap < 0 else Outcome.SEPARATES
    return Outcome.NO_LARGER_GAP if within else Outcome.UNDERPOWERED


def _undefined(test: PermutationTest, *, disagrees: bool) -> str:
    """Why the test cannot say anything of this gap, or nothing."""
    if not test.has_permutations:
        return "every group has a size that no other group has, so no groups can change places and nothing is tested"
    if test.z is None:
        return "every pairing of these rows gives the same gap to rounding, as where all rows of a side are equal"
    return "groups of equal size, which alone the test permutes, point the other way" if disagrees else ""


def _largest_gap_left(gap: Interval, df: float) -> float | None:
    """U = |gap| + t_.95 SE. No U above 2, or at an error of 0, which is a symmetry and not certainty."""
    from scipy.special import stdtrit  # imported here: `import core` stays light

    if gap.estimate is None or not gap.error:
        return None
    found = abs(gap.estimate) + float(stdtrit(df, 1 - LEVEL)) * gap.error
    return found if found < LARGEST_GAP else None


def _detectable(intervals: ReadingIntervals, test: PermutationTest) -> float | None:
    if test.z is None or not test.can_reach(LEVEL) or test.gap_error <= NO_SPREAD:
        return None  # no pairing could come out significant, or all give the same gap to rounding
    # The test sees a share of the gap, with about that share of the variance.
    null_error = test.gap_error * intervals.correction.factor / test.reach
    error = (intervals.gap.error or 0.0) / test.reach**0.5
    found = detectable_gap(null_error, error, intervals.df)
    return found if found <= LARGEST_GAP else None  # no two files can have it


def detectable_gap(null_error: float, error: float, df: float) -> float:
    """Smallest gap that a two-sided test at 5 % finds with 80 % power.

    Parameters
    ----------
    null_error : float
        SE0, of the gap when nothing links the rows: sets the critical value.
    error : float
        SE1, of the gap as it is: sets the power; the larger of the two is used for it.
    df : float
        Degrees of freedom, pairs or (effective) groups less one; the exact factors take whole ones.

    Notes
    -----
    t_.975 SE0 + t_.80 max(SE0, SE1); below 10 degrees of freedom the exact noncentral
    factor times the larger error.
    """
    from scipy.special import stdtrit  # imported here: `import core` stays light

    larger = max(null_error, error)
    if df <= len(_EXACT_FACTORS):
        return detectable_factor(df) * larger
    return float(stdtrit(df, 1 - LEVEL / 2)) * null_error + float(stdtrit(df, POWER)) * larger


def detectable_factor(df: float | None = None) -> float:
    """Detectable effect in standard errors: 80 % power, two-sided 5 %.

    Parameters
    ----------
    df : float or None
        Degrees of freedom, at least 1; `None` for the normal limit, 2.802.
    """
    from scipy.special import ndtri, stdtrit  # imported here: `import core` stays light

    if df is None:
        return float(ndtri(1 - LEVEL / 2) + ndtri(POWER))
    if df <= len(_EXACT_FACTORS):
        return _EXACT_FACTORS[int(df) - 1]
    return float(stdtrit(df, 1 - LEVEL / 2) + stdtrit(df, POWER))


def at_ceiling(matched: tuple[float, ...], ranked_first: tuple[float, ...]) -> bool:
    """True if no reading leaves room to show a difference.

    Parameters
    ----------
    matched : tuple of float
        Matched mean of each reading.
    ranked_first : tuple of float
        Partner ranked first, pessimistic, of each reading and direction.
    """
    return all(value >= CEILING for value in matched) and all(share >= 1.0 for share in ranked_first)
