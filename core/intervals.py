"""Intervals: how far each figure of a reading can be trusted, at 95 %.

One method for each quantity. Mean cosines, gaps and effect sizes: the jackknife over
pairs (or groups) with Student's t at G - 1 degrees of freedom; where groups are of unequal
sizes, at those of their effective count, because the largest decide the spread. Shares of n rows: the
Clopper-Pearson interval. A bootstrap over pairs would put matched scores into the floor,
and textbook intervals for Cohen's d assume independent scores; neither is used.

What centring does to an estimate is undone where it is known (`core.mean_shares`): a mean
fitted on the compared rows inflates gap, gap/sd and d, by n/(n-1) with own means, and one
shared by both sides lowers the matched mean. A mean fitted on other rows: nothing is to
undo, the interval is conditional on that mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.jackknife import Figures, figures, figures_without_each, jackknife_error
from core.mean_shares import Kin
from core.means import Means
from core.pair_sums import PairSums

__all__ = [
    "NOTHING_CHANGES",
    "Correction",
    "Interval",
    "ReadingIntervals",
    "centring_correction",
    "clopper_pearson",
    "jackknife_interval",
    "reading_intervals",
    "share_interval",
]

Float64Array = NDArray[np.float64]

CONFIDENCE = 0.95

#: Fewer groups than this leave too little to estimate a spread from.
MIN_GROUPS = 5

#: A jackknife error up to this is rounding: leaving out any pair gives the same value.
NO_ERROR = 1e-13

#: Why there is no interval then.
NOTHING_CHANGES = (
    "leaving out any pair gives the same value to rounding: a symmetry, or a spread too small to resolve, not certainty"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate and the range that covers the truth at the confidence level.

    Attributes
    ----------
    estimate
        What the interval is about, after any correction named beside it; `None` if undefined.
    error
        Standard error; `None` where it has no meaning.
    low, high
        Ends; `None` together with `reason`.
    reason
        Why there is no interval; empty where there is one.
    """

    estimate: float | None
    error: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What undoes the effect of a mean fitted on the compared rows.

    Attributes
    ----------
    factor
        For gap, gap/sd, Cohen's d and their errors; 1 where nothing is to undo.
    matched
        To add to the matched mean.
    """

    factor: float = 1.0
    matched: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingIntervals:
    """Intervals on the figures of one reading.

    Attributes
    ----------
    matched, floor, gap, gap_over_floor_sd, cohens_d
        Corrected for centring; Cohen's d of the raw reading for its bias in heavy tails.
    correction
        What was applied.
    n_groups
        Pairs or groups left out one at a time.
    effective_groups
        n^2 / sum n_g^2, of which degrees of freedom are one less; `n_groups` if left out.
    confidence_level
        Of every interval.
    """

    matched: Interval
    floor: Interval
    gap: Interval
    gap_over_floor_sd: Interval
    cohens_d: Interval
    correction: Correction
    n_groups: int
    effective_groups: float | None = None
    confidence_level: float = CONFIDENCE

    @property
    def independent(self) -> float:
        """How many equal groups, or pairs, would vary as much."""
        return float(self.n_groups) if self.effective_groups is None else self.effective_groups

    @property
    def df(self) -> float:
        return max(self.independent - 1, 1.0)


def jackknife_interval(
    estimate: float,
    without_each: Float64Array,
    *,
    df: float | None = None,
    factor: float = 1.0,
    rounding: float = 0.0,
    confidence_level: float = CONFIDENCE,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Interval from the values without each of G groups.

    Parameters
    ----------
    estimate : float
        Centre of the interval.
    without_each : (G,) float64
        The uncorrected figure without each group.
    df : float, optional
        Degrees of freedom, where groups are of unequal sizes (`Groups.df`); G - 1 by default.
    factor : float
        Correction that the error must follow.
    rounding : float
        An error up to this is that of the arithmetic, where it is more than float64's.
    bounds : (float, float)
        Range the quantity cannot leave.
    """
    from scipy.special import stdtrit  # imported here: `import core` stays light

    count = len(without_each)
    if count < MIN_GROUPS:
        return _undefined(f"fewer than {MIN_GROUPS} independent pairs or groups", estimate)
    error = abs(factor) * jackknife_error(without_each)
    if error <= max(NO_ERROR * max(1.0, abs(estimate)), rounding):
        return Interval(estimate=estimate, error=0.0, low=None, high=None, reason=NOTHING_CHANGES)
    reach = float(stdtrit(df or count - 1, (1 + confidence_level) / 2)) * error
    low, high = max(estimate - reach, bounds[0]), min(estimate + reach, bounds[1])
    return Interval(estimate=estimate, error=error, low=low, high=high)


def clopper_pearson(hits: float, trials: float, *, confidence_level: float = CONFIDENCE) -> tuple[float, float]:
    """Exact binomial interval for a share of `hits` in `trials`.

    Parameters
    ----------
    hits, trials : float
        0 <= hits <= trials, trials > 0. Whole numbers for a count; fractions where groups
        make an effective count.

    Raises
    ------
    ValueError
        Outside that range.

    References
    ----------
    Clopper and Pearson 1934, "The use of confidence or fiducial limits".
    """
    from scipy.special import betaincinv  # imported here: `import core` stays light

    if not (trials > 0 and 0 <= hits <= trials):
        raise ValueError(f"{hits} hits of {trials} trials is no share")
    tail = (1 - confidence_level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, tail))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - tail))
    return low, high


def share_interval(
    pessimistic: float,
    expected: float,
    optimistic: float,
    trials: float,
    *,
    confidence_level: float = CONFIDENCE,
) -> Interval:
    """Interval on a share of rows whose partner ranks first, ties and all.

    Parameters
    ----------
    pessimistic, expected, optimistic : float
        The share with ties lost, in expectation, and won; equal without ties.
    trials : float
        Rows; with groups their effective number n^2 / sum n_g^2, as if a group's rows
        hit or missed together, which is the worst case.

    Notes
    -----
    From the lower end of the pessimistic to the upper end of the optimistic share. The
    hits share their candidates, yet their count varies as a binomial one does.
    """
    low, _ = clopper_pearson(min(_whole(pessimistic * trials), trials), trials, confidence_level=confidence_level)
    _, high = clopper_pearson(min(_whole(optimistic * trials), trials), trials, confidence_level=confidence_level)
    return Interval(estimate=expected, error=None, low=low, high=high)


def _whole(count: float) -> float:
    """A count that is whole to rounding, made whole."""
    return float(round(count)) if abs(count - round(count)) < 1e-9 else count


def centring_correction(sums: PairSums, matched: float, means: Means | None) -> Correction:
    """What undoes the effect of a mean fitted on the compared rows.

    Parameters
    ----------
    sums : PairSums
        Of the centred reading.
    matched : float
        Its matched mean.
    means : Means or None
        What it is centred on; `None` for a raw reading.
    """
    if means is None or not means.shares.any:
        return Correction()
    n, kin = sums.groups.n, Kin(a=sums.kin_a, b=sums.kin_b, ab=sums.kin_ab)
    shortened = means.shares.shortened(kin)
    return Correction(
        factor=float(1 - shortened / n), matched=float(means.shares.forced(kin) - matched * shortened) / n
    )


def reading_intervals(
    sums: PairSums,
    shifts: Float64Array | None = None,
    means: Means | None = None,
    *,
    confidence_level: float = CONFIDENCE,
) -> ReadingIntervals:
    """Intervals on the figures of one reading.

    Parameters
    ----------
    sums : PairSums
        Of the reading.
    shifts : (4, G) float64 or None
        From `core.mean_shift.mean_shifts` for a centred reading.
    means : Means or None
        What it is centred on; `None` for a raw reading.

    Notes
    -----
    Cost O(G) once the sums are taken. The floor of a reading centred on its own compared
    rows gets no interval: its value is mostly forced (see `Audit.forced_centred_floor`).
    """
    whole = figures(sums)
    if sums.groups.count < MIN_GROUPS:
        return _too_few(sums, whole, means)
    without = figures_without_each(sums, shifts)
    correction = centring_correction(sums, float(whole.matched), means)

    def interval(
        estimate: Float64Array,
        values: Float64Array,
        factor: float = 1.0,
        *,
        rounding: float = 0.0,
        bounds: tuple[float, float] = (-2.0, 2.0),
    ) -> Interval:
        return jackknife_interval(
            float(estimate),
            values,
            df=sums.groups.df,
            factor=factor,
            rounding=rounding,
            bounds=bounds,
            confidence_level=confidence_level,
        )

    def effect_size(whole: Float64Array | None, without: Float64Array | None, *, unbias: bool = False) -> Interval:
        if gap_is_rounding and whole is not None:
            return _undefined(NOTHING_CHANGES, float(whole) * correction.factor)
        return _effect_size(
            whole, without, correction.factor, df=sums.groups.df, unbias=unbias, confidence_level=confidence_level
        )

    # Where all rows of a side are equal, so are matched and floor without any pair: their difference is rounding.
    rounding = sums.score_rounding / math.sqrt(sums.groups.count)
    gap = interval(whole.gap * correction.factor, without.gap, correction.factor, rounding=rounding)
    gap_is_rounding = rounding > 0 and gap.error == 0
    floor = interval(whole.floor, without.floor, bounds=(-1.0, 1.0))
    if means is not None and means.shares.any:
        floor = _undefined("centring on the compared rows forces most of this floor", float(whole.floor))
    return ReadingIntervals(
        matched=interval(whole.matched + correction.matched, without.matched, bounds=(-1.0, 1.0)),
        floor=floor,
        gap=gap,
        gap_over_floor_sd=effect_size(whole.gap_over_floor_sd, without.gap_over_floor_sd),
        cohens_d=effect_size(whole.cohens_d, without.cohens_d, unbias=means is None),
        correction=correction,
        n_groups=sums.groups.count,
        effective_groups=sums.groups.effective_count,
        confidence_level=confidence_level,
    )


def _effect_size(
    whole: Float64Array | None,
    without: Float64Array | None,
    factor: float,
    *,
    df: float,
    confidence_level: float,
    unbias: bool = False,
) -> Interval:
    """Interval on a quotient by a spread; `unbias` takes the jackknife's estimate of bias off."""
    if whole is None:
        return _undefined("the scores it is divided by do not vary")
    if without is None:
        return _undefined("without some pair the scores it is divided by do not vary", float(whole) * factor)
    estimate = float(whole) * factor
    if unbias:
        estimate = len(without) * estimate - (len(without) - 1) * float(without.mean())
    return jackknife_interval(estimate, without, df=df, factor=factor, confidence_level=confidence_level)


def _undefined(reason: str, estimate: float | None = None) -> Interval:
    return Interval(estimate=estimate, error=None, low=None, high=None, reason=reason)


def _too_few(sums: PairSums, whole: Figures, means: Means | None) -> ReadingIntervals:
    """Estimates alone, for fewer than `MIN_GROUPS` groups."""
    correction = centring_correction(sums, float(whole.matched), means)
    reason = f"fewer than {MIN_GROUPS} independent pairs or groups"

    def bare(estimate: Float64Array | None, factor: float = 1.0) -> Interval:
        return _undefined(reason, None if estimate is None else float(estimate) * factor)

    return ReadingIntervals(
        matched=bare(whole.matched + correction.matched),
        floor=bare(whole.floor),
        gap=bare(whole.gap, correction.factor),
        gap_over_floor_sd=bare(whole.gap_over_floor_sd, correction.factor),
        cohens_d=bare(whole.cohens_d, correction.factor),
        correction=correction,
        n_groups=sums.groups.count,
        effective_groups=sums.groups.effective_count,
    )
