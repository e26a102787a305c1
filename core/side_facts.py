"""One side of an audit: how its rows are spread, how well its mean fits, what occurs twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.centring_check import CLEAR_Z, MeanCheck, check_mean, cross_trace
from core.formats.loaded import RealArray
from core.groups import Groups
from core.inspection import Inspection
from core.isotropy import SideShape, side_moments, side_shape
from core.mean_shares import ComparedAmong
from core.norms import norm_ratio
from core.prepared import Rows
from core.rows import MeanRow, UnitRows
from core.same_direction import repeated
from core.scatter import Scatter
from core.ticks import Tick, no_tick

__all__ = ["SideFacts", "side_facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFacts:
    """What is known of one side beyond its mean cosine.

    Attributes
    ----------
    shape
        Anisotropy with its interval, and what it does not see; of the raw unit rows.
    norm_ratio
        Largest over median norm of the stored rows; `None` where there is none.
    norm_ratio_undefined
        Why there is none, or an empty string.
    n_duplicates
        Rows of the file that are exact duplicates of an earlier one, bit for bit.
    n_same_direction
        Compared rows that have the direction of an earlier one: equal, or equal up to scale.
    mean_check
        The mean of the fit rows against that of the compared rows; `None` without a fit array,
        or with a single fit row.
    fit_overlap
        Compared rows of this side that stand among the fit rows too; `None` without a fit array.
    fit_among
        Compared rows of either side that do; `None` without a fit array.
    """

    shape: SideShape
    norm_ratio: float | None
    norm_ratio_undefined: str
    n_duplicates: int
    n_same_direction: int
    mean_check: MeanCheck | None
    fit_overlap: int | None
    fit_among: ComparedAmong | None

    @property
    def fit_rows_look_compared(self) -> bool:
        """True if no compared row was found among the fit rows, but their mean is nearer than other rows' would be."""
        if self.fit_among is None or any(self.fit_among.found) or self.mean_check is None:
            return False
        return self.mean_check.z is not None and self.mean_check.z < -CLEAR_Z


def side_facts(
    found: Inspection,
    rows: Rows,
    mean: MeanRow,
    fit: RealArray | None,
    among: ComparedAmong,
    fit_mean: MeanRow,
    *,
    side: int,
    groups: Groups | None,
    about_mean: Scatter | None,
    kinds: NDArray[np.intp],
    tick: Tick = no_tick,
) -> SideFacts:
    """Gather the facts of one side.

    Parameters
    ----------
    found : Inspection
        The file.
    rows : (n, d)
        Compared unit rows.
    mean : MeanRow
        Of these unit rows.
    fit, among, fit_mean : (m, d) or None, ComparedAmong, MeanRow
        Rows the mean is fitted on where not on the compared ones, compared rows among them, and their mean.
    side : int
        0 for A, 1 for B.
    groups : Groups or None
        Of the rows.
    about_mean : Scatter or None
        Their scatter matrix, if at hand already.
    kinds : (n,) intp
        For each compared row the first that has its direction (`core.same_direction`).
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O((n + m) d min(n, d)); memory a (d, d) matrix, or an (n, n) one where that is smaller.
    """
    moments = side_moments(rows, mean, groups=groups, about_mean=about_mean, tick=tick)
    check = None
    if fit is not None:
        fit_rows = UnitRows(fit)
        of_fit = side_moments(fit_rows, fit_mean, tick=tick)
        cross = cross_trace(rows, fit_rows, moments, of_fit, scatter_compared=about_mean, tick=tick)
        check = check_mean(moments, of_fit, cross)
    ratio, no_ratio = norm_ratio(found.norm_max, found.norm_median)
    return SideFacts(
        shape=side_shape(moments),
        norm_ratio=ratio,
        norm_ratio_undefined=no_ratio,
        n_duplicates=found.repeats.count,
        n_same_direction=repeated(kinds),
        mean_check=check,
        fit_overlap=None if fit is None else among.found[side],
        fit_among=None if fit is None else among,
    )
