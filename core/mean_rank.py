"""The adjusted mean rank index: what ranks say beyond the first place.

Partner ranked first gets harder the more candidates there are. The adjusted mean rank
index (AMRI) does not: 1 when the partner always ranks first, 0 by chance at any n, -1
when it always ranks last.

Symbols: g_i = candidates unrelated to row i that beat its partner, a tie counted half;
b_k = rows whose partner candidate k beats, a tie counted half; both sum to the same.
Source: Berrendorf et al. 2020, "On the ambiguity of rank-based evaluation".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.groups import Groups
from core.intervals import Interval, jackknife_interval
from core.limits import FULL_MATRIX_PAIRS

__all__ = ["mean_rank_index"]

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
    *,
    n_unrelated: int | None = None,
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
    n_unrelated : int, optional
        Where rows met a pool of candidates: how many they met in all. There is no interval then.

    Notes
    -----
    Leaving a pair out removes its row and its candidate: sum g - g_i - b_i. Cost O(n).
    """
    groups = groups or Groups.alone(len(better))
    rows = groups.total(better + tied / 2)
    index = 1 - 2 * float(rows.sum()) / (n_unrelated or groups.unrelated)
    reason = _no_interval(index, groups) or _not_counted(beats is not None, has_pool=n_unrelated is not None)
    if reason or beats is None:
        return Interval(estimate=index, error=None, low=None, high=None, reason=reason)
    left = groups.n - groups.sizes
    sums = rows.sum() - rows - groups.total(beats)
    without_each = 1 - 2 * sums / (groups.unrelated - 2 * groups.sizes * left)
    return jackknife_interval(index, without_each, df=groups.df, bounds=(-1.0, 1.0))


def _no_interval(index: float, groups: Groups) -> str:
    if abs(index) > NEAR_PERFECT:
        return f"beyond ±{NEAR_PERFECT} the few ranks that are far out of place decide it"
    if groups.effective_count < ENOUGH_GROUPS:
        return f"fewer than {ENOUGH_GROUPS} independent pairs or groups"
    return ""


def _not_counted(counted: bool, *, has_pool: bool) -> str:
    """Why the candidates' side of the ranks is not known."""
    if has_pool:
        return "rows were ranked among a pool of candidates, and the interval leaves out any row as a candidate too"
    if counted:
        return ""
    return (
        f"it needs for each candidate the rows whose partner it beats, which are counted up to {FULL_MATRIX_PAIRS:,} "
        "pairs; the pass above that counts by row and by column, each against its own cosine"
    )
