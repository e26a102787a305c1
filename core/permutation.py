"""The permutation test: would rows paired at random score as high together?

The null: both sides stay as they are, and who belongs with whom is a uniformly random
permutation. *All* permutations, not only derangements: derangements are no group, and a
test on them calls 11 to 14 % of nulls significant at 5 % for n = 5. The statistic is
D - T/n = sum alpha_i . beta_i, the matched sum about its permutation mean; the gap is a
multiple of it. Two-sided.

With groups, whole groups are permuted among groups of the same size, rows in file order.
What is permuted are groups then, and the central limit theorem counts them, not rows.

- enumerated up to `ENUMERATED` permutations, at any number of rows;
- drawn, (b + 1) / (m + 1), up to `FULL_MATRIX_PAIRS` pairs, or groups that can change places;
- above, the normal tail of z, by the combinatorial central limit theorem, or drawn again where
  `core.coinciding` finds that the theorem does not hold.

Sources: Hoeffding 1951 (variance over all permutations); Phipson and Smyth 2010 (the
added one); Southworth, Kim and Owen 2009 (why not derangements).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.group_links import stratum
from core.groups import Groups
from core.limits import DRAWN_PERMUTATIONS
from core.prepared import Rows
from core.rows import MeanRow
from core.ticks import Tick, each, no_tick

__all__ = [
    "PermutationTest",
    "group_normal_test",
    "movable_groups",
    "normal_test",
    "permutation_test",
    "reached_pairs",
]

Float64Array = NDArray[np.float64]

#: 7!: the most permutations that are all tried.
ENUMERATED = 5_040

#: Numbers shuffled at a time (0.8 MB of row numbers): in the cache it is more than twice as fast.
_SHUFFLED_AT_ONCE = 100_000

#: Two statistics closer than this are equal: sums of cosines round to about 1e-15. For sums
#: of more rows than the second number, the same share of them.
_EQUAL, _EQUAL_ROWS = 1e-12, 2_000

#: A standard deviation over permutations up to this is rounding: no pairing can stand out.
_NO_SPREAD = 1e-14

#: The same for each of the scores that a statistic sums: the rounding of unit rows.
_SCORE_ROUNDING = 16 * float(np.finfo(np.float64).eps)

#: No p-value is 0, not even where it underflows (beyond z = 37).
_SMALLEST_FLOAT = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """Matched pairs against randomly permuted ones.

    Attributes
    ----------
    pvalue
        Two-sided, in (0, 1]; never below one over the number of permutations.
    method
        ``"enumerated"``, ``"drawn"``, ``"normal"``, or ``"gathered"``: drawn where the normal tail
        does not hold (`core.coinciding`).
    n_permutations
        Tried or drawn; 0 for the normal tail.
    z
        (D - mean) / sd over all permutations, in closed form; `None` if all give the same.
    gap_error
        Standard deviation of the gap over all permutations.
    log10_smallest_pvalue
        Of one over the number of different permutations, which no float holds beyond 170 pairs.
    reach
        How much of a gap shared by all pairs the statistic takes in: 1, but less where some
        groups have a size that no other group has, and 0 where all have.
    """

    pvalue: float
    method: Literal["enumerated", "drawn", "normal", "gathered"]
    n_permutations: int
    z: float | None
    gap_error: float
    log10_smallest_pvalue: float
    reach: float = 1.0

    @property
    def smallest_pvalue(self) -> float | None:
        """One over the number of different permutations; `None` where that is below any float."""
        smallest = 10**self.log10_smallest_pvalue
        return smallest if smallest >= _SMALLEST_FLOAT else None

    @property
    def has_permutations(self) -> bool:
        """False where the one pairing there is leaves nothing to test."""
        return self.log10_smallest_pvalue < 0

    def can_reach(self, level: float) -> bool:
        """True if some pairing could come out significant at a level."""
        return self.log10_smallest_pvalue <= math.log10(level) + 1e-12


def permutation_test(
    links: list[Float64Array],
    *,
    gap_pairs: float,
    rng: np.random.Generator,
    n_permutations: int = DRAWN_PERMUTATIONS,
    reached: float | None = None,
    n_rows: int | None = None,
    link_rounding: float = 0.0,
    tick: Tick = no_tick,
) -> PermutationTest:
    """Test by enumeration or by draws.

    Parameters
    ----------
    links : list of (G, G) float64
        For each size of group, the scores of every group's rows of A with every group's
        rows of B, summed in file order, about row and column means (`core.group_links`).
        Without groups the one (n, n) matrix alpha_i . beta_j.
    gap_pairs : float
        What turns the statistic into a gap: gap = statistic / gap_pairs; n - 1 without groups.
    rng : numpy.random.Generator
        For the draws.
    n_permutations : int
        Draws, at least 1.
    reached : float, optional
        From `reached_pairs`, with groups.
    n_rows : int, optional
        Rows that the links sum over; as many as there are groups by default.
    link_rounding : float
        From `core.pair_sums`.
    tick : callable
        Called between batches of draws.

    Notes
    -----
    Time O(n_permutations G); memory a few blocks beside `links`.
    """
    observed = sum(float(np.trace(link)) for link in links)
    log_count = sum(math.lgamma(len(link) + 1) for link in links)
    n_rows = n_rows or sum(len(link) for link in links)
    z, sd = _z(observed, links, max(link_rounding, _SCORE_ROUNDING) * math.sqrt(n_rows))
    extreme_from = abs(observed) - _EQUAL * max(1.0, n_rows / _EQUAL_ROWS)
    if log_count <= math.log(ENUMERATED) + 1e-9:
        statistics = np.array([_statistic(links, orders) for orders in _all_orders(links)])
        extreme = int(np.count_nonzero(np.abs(statistics) >= extreme_from))
        method: Literal["enumerated", "drawn"] = "enumerated"
        tried, pvalue = len(statistics), extreme / len(statistics)
    else:
        drawn = _drawn(links, n_permutations, rng, tick)
        extreme = sum(int(np.count_nonzero(np.abs(some) >= extreme_from)) for some in drawn)
        method = "drawn"
        tried, pvalue = n_permutations, (extreme + 1) / (n_permutations + 1)
    return PermutationTest(
        pvalue=1.0 if z is None else pvalue,
        method=method,
        n_permutations=tried,
        z=z,
        gap_error=sd / gap_pairs,
        log10_smallest_pvalue=-log_count / math.log(10),
        reach=1.0 if reached is None else reached / gap_pairs,
    )


def normal_test(linked: float, interaction: float, n: int, *, link_rounding: float = 0.0) -> PermutationTest:
    """Test by the normal tail of z, for many pairs without groups.

    Parameters
    ----------
    linked, interaction : float
        sum alpha_i . beta_i and the sum of all (alpha_i . beta_j)^2 (`core.pair_sums`).
    n : int
        Pairs.
    link_rounding : float
        From `core.pair_sums`.
    """
    sd = math.sqrt(max(interaction, 0.0) / (n - 1))
    rounding = max(link_rounding, _SCORE_ROUNDING) * math.sqrt(n)
    return _normal(linked, sd, gap_pairs=n - 1, log_count=math.lgamma(n + 1), rounding=rounding)


def _normal(
    observed: float, sd: float, *, gap_pairs: float, log_count: float, rounding: float, reached: float | None = None
) -> PermutationTest:
    from scipy.special import ndtr  # imported here: `import core` stays light

    z = observed / sd if sd > max(_NO_SPREAD, rounding) else None
    return PermutationTest(
        pvalue=1.0 if z is None else max(2 * float(ndtr(-abs(z))), math.exp(-log_count), _SMALLEST_FLOAT),
        method="normal",
        n_permutations=0,
        z=z,
        gap_error=sd / gap_pairs,
        log10_smallest_pvalue=-log_count / math.log(10),
        reach=1.0 if reached is None else reached / gap_pairs,
    )


def reached_pairs(groups: Groups) -> float:
    """Gap pairs that the statistic takes in: sum over sizes k of k (groups of that size - 1).

    A gap g of every pair makes the statistic g times this; with all groups alike that is
    `gap_pairs` itself, and a group whose size no other group has adds nothing.
    """
    sizes, counts = np.unique(groups.sizes, return_counts=True)
    return float(sizes @ (counts - 1))


def group_normal_test(
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    groups: Groups,
    *,
    gap_pairs: float,
    link_rounding: float = 0.0,
    tick: Tick = no_tick,
) -> PermutationTest:
    """Test by the normal tail of z, for many pairs in groups.

    Parameters
    ----------
    a, b, mean_a, mean_b : Rows, MeanRow
        Sides of one reading and the means of their unit rows.
    groups : Groups
        Of the pairs.
    gap_pairs : float
        As for `permutation_test`.
    link_rounding : float
        From `core.pair_sums`.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O(n^2 d / n_g) in float64; memory two blocks of rows and one of scores.
    """
    observed, variance, log_count = 0.0, 0.0, 0.0
    for size in np.unique(groups.sizes):
        statistic, spread, count = stratum(a, b, mean_a, mean_b, groups, int(size), tick)
        observed, variance = observed + statistic, variance + spread
        log_count += math.lgamma(count + 1)
    return _normal(
        observed,
        math.sqrt(variance),
        gap_pairs=gap_pairs,
        log_count=log_count,
        rounding=max(link_rounding, _SCORE_ROUNDING) * math.sqrt(groups.n),
        reached=reached_pairs(groups),
    )


def movable_groups(groups: Groups) -> int:
    """Groups that can change places: those of a size that another group has too."""
    counts = np.unique(groups.sizes, return_counts=True)[1]
    return int(counts[counts > 1].sum())


def _z(observed: float, links: list[Float64Array], rounding: float) -> tuple[float | None, float]:
    """z and the permutation standard deviation of the statistic, in closed form."""
    variance = sum(float(np.vdot(link, link)) / (len(link) - 1) for link in links if len(link) > 1)
    sd = math.sqrt(variance)
    return (observed / sd if sd > max(_NO_SPREAD, rounding) else None), sd


def _statistic(links: list[Float64Array], orders: tuple[tuple[int, ...], ...]) -> float:
    return sum(float(link[range(len(link)), order].sum()) for link, order in zip(links, orders, strict=True))


def _all_orders(links: list[Float64Array]) -> Iterator[tuple[tuple[int, ...], ...]]:
    return itertools.product(*(itertools.permutations(range(len(link))) for link in links))


def _drawn(links: list[Float64Array], count: int, rng: np.random.Generator, tick: Tick) -> Iterator[Float64Array]:
    """Statistics of `count` random permutations, some at a time."""
    at_once = max(1, _SHUFFLED_AT_ONCE // max(len(link) for link in links))
    for start in each(range(0, count, at_once), tick):
        drawn = min(at_once, count - start)
        statistics = np.zeros(drawn)
        for link in links:
            size = len(link)
            orders = np.tile(np.arange(size), (drawn, 1))
            rng.permuted(orders, axis=1, out=orders)
            orders += size * np.arange(size)
            statistics += link.take(orders).sum(axis=1)
        yield statistics
