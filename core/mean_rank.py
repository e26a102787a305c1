"""The adjusted mean rank index, and hubs: what ranks say beyond the first place.

Partner ranked first gets harder the more candidates there are. The adjusted mean rank
index (AMRI) does not: 1 when the partner always ranks first, 0 by chance at any n, -1
when it always ranks last. Hubs are candidates that many rows find first.

Symbols: g_i = candidates unrelated to row i that beat its partner, a tie counted half;
b_k = rows whose partner candidate k beats, a tie counted half; both sum to the same.
Source: Berrendorf et al. 2020, "On the ambiguity of rank-based evaluation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.groups import Groups
from core.intervals import Interval, jackknife_interval

__all__ = ["Hubs", "hubs", "mean_rank_index"]

Float64Array = NDArray[np.float64]

#: Above this the errors are so few that intervals cover too seldom (76 to 86 %).
NEAR_PERFECT = 0.95

#: With fewer independent rows likewise.
ENOUGH_GROUPS = 50


def mean_rank_index(
    better: NDArray[np.int64],
    tied: NDArray[np.int64],
    beats: Float64Array | None = None,
    groups: Groups | None = None,
) -> Interval:
    """AMRI = 1 - 2 sum g_i / (unrelated pairs), with its jackknife interval.

    Parameters
    ----------
    better, tied : (n,) int64
        Unrelated candidates above, or within the tie bound of, the partner's cosine.
    beats : (n,) float64, optional
        b_k above; without it there is no interval.
    groups : Groups, optional
        Each pair alone by default.

    Notes
    -----
    Leaving a pair out removes its row and its candidate: sum g - g_i - b_i. Cost O(n).
    """
    groups = groups or Groups.alone(len(better))
    rows = groups.total(better + tied / 2)
    index = 1 - 2 * float(rows.sum()) / groups.unrelated
    reason = _no_interval(index, beats is not None, groups)
    if reason or beats is None:
        return Interval(estimate=index, error=None, low=None, high=None, reason=reason)
    left = groups.n - groups.sizes
    sums = rows.sum() - rows - groups.total(beats)
    without_each = 1 - 2 * sums / (groups.unrelated - 2 * groups.sizes * left)
    return jackknife_interval(index, without_each, bounds=(-1.0, 1.0))


def _no_interval(index: float, counted: bool, groups: Groups) -> str:
    if abs(index) > NEAR_PERFECT:
        return f"too few ranks are out of place for an interval beyond ±{NEAR_PERFECT}"
    if groups.count < ENOUGH_GROUPS:
        return f"fewer than {ENOUGH_GROUPS} independent pairs or groups"
    return "" if counted else "the ranks were not counted by candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hubs:
    """How unevenly candidates are found first, in one direction.

    Attributes
    ----------
    most_found
        Most rows that find one and the same candidate first; 1 if no candidate is found twice.
    never_found
        Share of candidates that no row finds first.
    null_sd
        Standard deviation of the number of partners ranked first when rows are paired at
        random; hubs make it smaller than a binomial's, which is about 1.
    """

    most_found: int
    never_found: float
    null_sd: float


def hubs(times_found: NDArray[np.int64]) -> Hubs:
    """Summarise how often each candidate is found first.

    Parameters
    ----------
    times_found : (n,) int64
        Rows that find candidate j first; sums to n, n >= 2.

    Notes
    -----
    With N_j these counts, a random pairing gives 1 hit on average, with variance
    (n - sum N_j^2 / n) / (n - 1), exactly.
    """
    n = len(times_found)
    counts = times_found.astype(np.float64)
    variance = (n - float(counts @ counts) / n) / (n - 1)
    return Hubs(
        most_found=int(times_found.max()),
        never_found=float(np.mean(times_found == 0)),
        null_sd=max(variance, 0.0) ** 0.5,
    )
