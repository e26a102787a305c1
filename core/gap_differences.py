"""The signed difference of two gaps on the same items, with its error.

- **paired**: one run of each condition on the same n items. The error comes from the
  differences of their delete-one values, so what both share drops out.
- **crossed**: S seeds of each condition on the same n items. Seeds and items are both
  random; averaging over seeds and testing over items alone covers .3 to .5 instead of .95.
  The error is that of the crossed random-effects model, with Satterthwaite's degrees of
  freedom.

The mean of the seeds' *absolute* differences is a by-product: it stays near .8 standard
deviations of a seed however many seeds there are and whatever the truth is.

Symbols: D_s the difference of seed s, y_si its pseudo-value for item i; MS_S, MS_I, MS_R
mean squares of seeds, items and rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD
from core.gap_values import GapValues
from core.inference import LEVEL, Outcome, detectable_factor
from core.jackknife import jackknife_error

__all__ = [
    "CrossedVariance",
    "Design",
    "GapDifference",
    "crossed_difference",
    "crossed_variance",
    "paired_difference",
    "seeds_difference",
]

Float64Array = NDArray[np.float64]

Design = Literal["paired", "crossed", "seeds"]

#: The jackknife has no error to speak of on fewer items.
MIN_ITEMS = 5

#: Two seeds have one degree of freedom: described, never tested.
MIN_SEEDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GapDifference:
    """Gap of `first` minus gap of `second`, on the same items.

    Attributes
    ----------
    first, second
        Labels.
    design
        ``"paired"``, ``"crossed"``, or ``"seeds"`` (seeds' summaries only: for these items).
    by_seed
        (S,) signed differences, one a seed; one number for the paired design.
    error, df
        Standard error of the mean of `by_seed` and its degrees of freedom; `None` as said
        in `no_interval`.
    no_interval
        Why there is no error; empty where there is one.
    n_items
        Items; 0 where only summaries were given.
    pvalue
        Two-sided, from t.
    holm_pvalue
        Adjusted for the family of comparisons shown together; `None` before that.
    """

    first: str
    second: str
    design: Design
    by_seed: tuple[float, ...]
    error: float | None
    df: int | None
    no_interval: str
    n_items: int
    pvalue: float | None
    holm_pvalue: float | None = None

    @property
    def mean(self) -> float:
        """The headline: signed mean difference."""
        return math.fsum(self.by_seed) / len(self.by_seed)

    @property
    def absolute(self) -> float:
        """Size of the signed mean."""
        return abs(self.mean)

    @property
    def mean_absolute(self) -> float:
        """Mean of the seeds' absolute differences: biased upwards, shown to explain why not."""
        return math.fsum(abs(value) for value in self.by_seed) / len(self.by_seed)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % confidence interval of `mean`."""
        if self.error is None or self.df is None:
            return None
        half = _t_quantile(1 - LEVEL / 2, self.df) * self.error
        return self.mean - half, self.mean + half

    @property
    def detectable(self) -> float | None:
        """Smallest difference found with 80 % power at this error."""
        if self.error is None or self.df is None:
            return None
        return detectable_factor(self.df) * self.error

    @property
    def excluded_above(self) -> float | None:
        """Smallest margin the data exclude: two one-sided tests at 5 % reject anything larger."""
        if self.error is None or self.df is None:
            return None
        return self.absolute + _t_quantile(1 - LEVEL, self.df) * self.error

    @property
    def separates(self) -> bool | None:
        """True if zero is ruled out, after Holm's adjustment where there is a family."""
        pvalue = self.pvalue if self.holm_pvalue is None else self.holm_pvalue
        return None if pvalue is None else pvalue <= LEVEL

    def outcome(self, margin: float | None) -> Outcome | None:
        """Which of the four things can be said; `None` where there is no error.

        The sign says which gap is larger, so no difference separates "the wrong way".

        Parameters
        ----------
        margin : float or None
            Largest difference that would not matter, declared before looking. Without it
            "no larger" cannot be said.
        """
        excluded = self.excluded_above
        if self.separates is None or excluded is None:
            return None
        small = margin is not None and excluded < margin
        if self.separates:
            return Outcome.REAL_BUT_SMALL if small else Outcome.SEPARATES
        return Outcome.NO_LARGER_GAP if small else Outcome.UNDERPOWERED


def paired_difference(first: str, second: str, values_first: GapValues, values_second: GapValues) -> GapDifference:
    """Difference of two gaps on the same n items, from the differences of delete-one values.

    Cost O(n); t with n - 1 degrees of freedom.
    """
    n = values_first.n
    error = jackknife_error(values_first.delete_one - values_second.delete_one)
    why = ""
    if n < MIN_ITEMS:
        why = f"{n} items are too few for an error; {MIN_ITEMS} are needed"
    elif error <= NO_SPREAD:
        why = "every item gives the same difference, so there is no spread to take an error from"
    return _tested(
        first=first,
        second=second,
        design="paired",
        by_seed=(values_first.gap - values_second.gap,),
        error=error,
        df=n - 1,
        why=why,
        n_items=n,
    )


def crossed_difference(
    first: str, second: str, values_first: Sequence[GapValues], values_second: Sequence[GapValues]
) -> GapDifference:
    """Mean difference of two gaps over S seeds on the same n items; both are random.

    Parameters
    ----------
    values_first, values_second : sequences of S GapValues
        Seed by seed, S >= 2. With S = 2 the result is descriptive: no error.
    """
    by_seed = tuple(x.gap - y.gap for x, y in zip(values_first, values_second, strict=True))
    pseudo = np.array([x.pseudo_values - y.pseudo_values for x, y in zip(values_first, values_second, strict=True)])
    seeds, n = pseudo.shape
    why, error, df = "", 0.0, 1
    if seeds < MIN_SEEDS:
        why = f"{seeds} seeds only describe; an interval needs {MIN_SEEDS} or more"
    elif n < MIN_ITEMS:
        why = f"{n} items are too few for an error; {MIN_ITEMS} are needed"
    else:
        found = crossed_variance(pseudo)
        error, df = math.sqrt(found.variance), found.df
        if error <= NO_SPREAD:
            why = "every seed and item gives the same difference, so there is no spread to take an error from"
    return _tested(
        first=first, second=second, design="crossed", by_seed=by_seed, error=error, df=df, why=why, n_items=n
    )


def seeds_difference(first: str, second: str, by_seed: Sequence[float]) -> GapDifference:
    """Mean difference over S seeds of which only the summaries are known: for these items only."""
    values = np.asarray(by_seed, dtype=np.float64)
    seeds = len(values)
    why, error = "", 0.0
    if seeds < MIN_SEEDS:
        why = f"{seeds} seeds only describe; an interval needs {MIN_SEEDS} or more"
    else:
        error = float(values.std(ddof=1)) / math.sqrt(seeds)
        if error <= NO_SPREAD:
            why = "every seed gives the same difference, so there is no spread to take an error from"
    return _tested(
        first=first,
        second=second,
        design="seeds",
        by_seed=tuple(float(value) for value in values),
        error=error,
        df=seeds - 1,
        why=why,
        n_items=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedVariance:
    """Variance of the grand mean of a seeds-by-items table.

    Attributes
    ----------
    seeds, items, rest
        Mean squares MS_S, MS_I, MS_R.
    variance
        max(MS_S + MS_I - MS_R, MS_S, MS_I) / (S n).
    df
        Satterthwaite's, rounded down; S - 1 or n - 1 where one mean square alone decides.
    """

    seeds: float
    items: float
    rest: float
    variance: float
    df: int


def crossed_variance(table: Float64Array) -> CrossedVariance:
    """Variance of the mean of an (S, n) table whose rows and columns are both samples.

    Parameters
    ----------
    table : (S, n) float64
        Cells y_si; S, n >= 2.

    References
    ----------
    Satterthwaite 1946, "An approximate distribution of estimates of variance components".
    """
    seeds, n = table.shape
    by_seed, by_item, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    rest = table - by_seed[:, None] - by_item[None, :] + mean
    ms_s = n * float(((by_seed - mean) ** 2).sum()) / (seeds - 1)
    ms_i = seeds * float(((by_item - mean) ** 2).sum()) / (n - 1)
    ms_r = float((rest**2).sum()) / ((seeds - 1) * (n - 1))
    both = ms_s + ms_i - ms_r
    largest = max(both, ms_s, ms_i)
    if largest == 0:
        df = 1.0
    elif largest == both:
        df = both**2 / (ms_s**2 / (seeds - 1) + ms_i**2 / (n - 1) + ms_r**2 / ((seeds - 1) * (n - 1)))
    else:
        df = seeds - 1 if largest == ms_s else n - 1
    return CrossedVariance(seeds=ms_s, items=ms_i, rest=ms_r, variance=largest / (seeds * n), df=max(math.floor(df), 1))


def _tested(
    *,
    first: str,
    second: str,
    design: Design,
    by_seed: tuple[float, ...],
    error: float,
    df: int,
    why: str,
    n_items: int,
) -> GapDifference:
    """A difference with its p-value, or with the reason why it has none."""
    pvalue = None
    if not why:
        from scipy.special import stdtr  # imported here: `import core` stays light

        statistic = abs(math.fsum(by_seed) / len(by_seed)) / error
        pvalue = float(min(2 * stdtr(df, -statistic), 1.0))
    return GapDifference(
        first=first,
        second=second,
        design=design,
        by_seed=by_seed,
        error=None if why else error,
        df=None if why else df,
        no_interval=why,
        n_items=n_items,
        pvalue=pvalue,
    )


def _t_quantile(probability: float, df: float) -> float:
    from scipy.special import stdtrit  # imported here: `import core` stays light

    return float(stdtrit(df, probability))
