"""One reading, raw or centred: matched cosines against their floor, and the partners' ranks.

Both readings are taken the same way; only the unit rows they start from differ.
Undefined quotients are `None`: a floor without spread has no scale to divide by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence import Evidence
from core.floor import NO_SPREAD, ExactFloor, PermutedFloor
from core.histogram import Histogram, cosine_counts
from core.ranks import Hubs, PartnerRanks, hubs
from core.sweep import ReadingSweep

__all__ = ["FloorComparison", "Reading", "clipped", "take_reading"]

#: Rounding can carry a cosine this far above 1; more would be a bug of ours.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorComparison:
    """Matched cosines against one floor.

    Attributes
    ----------
    floor_mean, floor_sd
        In [-1, 1] and >= 0.
    gap
        Matched mean minus floor mean.
    gap_over_floor_sd
        An effect size; `None` when the floor has no spread.
    cohens_d
        gap / sqrt((var matched + var floor) / 2), ddof 0; `None` when neither varies.
    """

    floor_mean: float
    floor_sd: float
    gap: float
    gap_over_floor_sd: float | None
    cohens_d: float | None

    @property
    def at_floor(self) -> bool:
        """True if the gap is no larger than rounding, so that its sign means nothing."""
        return abs(self.gap) <= NO_SPREAD


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything one reading, raw or centred, says.

    Attributes
    ----------
    matched_mean, matched_min, matched_max, matched_sd
        Of the n matched cosines; sd with ddof 0.
    exact
        Against all unrelated pairs, n(n-1) or with groups those of different groups: the headline.
    permuted
        Against the seeded derangements of the reference format.
    monte_carlo_error
        Standard error of the permuted floor's mean; `None` for one derangement.
    a_to_b, b_to_a
        Partner ranked first, in both directions.
    hubs
        How unevenly the rows of B come out on top.
    histogram
        Counts of matched and unrelated cosines; with a pool, of the unrelated pairs with its rows.
    evidence
        What these numbers can bear: intervals, test, verdict.
    """

    matched_mean: float
    matched_min: float
    matched_max: float
    matched_sd: float
    exact: FloorComparison
    permuted: FloorComparison
    monte_carlo_error: float | None
    a_to_b: PartnerRanks
    b_to_a: PartnerRanks
    hubs: Hubs
    histogram: Histogram
    evidence: Evidence


def take_reading(
    counted: ReadingSweep,
    exact: ExactFloor,
    derangements: PermutedFloor,
    ranks: tuple[PartnerRanks, PartnerRanks],
    evidence: Evidence,
    *,
    pool: NDArray[np.int64] | None = None,
    numbers: NDArray[np.intp] | None = None,
) -> Reading:
    """Put together what the passes over one reading found.

    Parameters
    ----------
    counted : ReadingSweep
        From `core.sweep.sweep`.
    exact, derangements : ExactFloor, PermutedFloor
        Both floors.
    ranks : (PartnerRanks, PartnerRanks)
        A to B and B to A.
    evidence : Evidence
        From `core.evidence.evidence`.
    pool : (m,) int64, optional
        The pool of candidates, where there is one.
    numbers : (n,) intp, optional
        The row of the files that each row is (`core.kept_rows`).
    """
    own = counted.own
    matched_sd = float(own.std())
    return Reading(
        matched_mean=clipped(float(own.mean())),
        matched_min=clipped(float(own.min())),
        matched_max=clipped(float(own.max())),
        matched_sd=matched_sd,
        exact=_compare(own, matched_sd, exact, has_spread=exact.sd > 0),
        permuted=_compare(own, matched_sd, derangements, has_spread=exact.sd > 0 and derangements.sd > NO_SPREAD),
        monte_carlo_error=derangements.monte_carlo_error,
        a_to_b=ranks[0],
        b_to_a=ranks[1],
        hubs=hubs(counted.top_counts, pool, numbers=numbers),
        histogram=Histogram(matched=cosine_counts(own), unrelated=counted.unrelated_counts),
        evidence=evidence,
    )


def clipped(cosine: float) -> float:
    """A cosine fit to leave the core: rounding beyond [-1, 1] taken off.

    Raises
    ------
    ArithmeticError
        More than `ROUNDING` outside: a bug of ours, not rounding.
    """
    if abs(cosine) > 1 + ROUNDING:
        raise ArithmeticError(f"a cosine came out as {cosine!r}")
    return min(max(cosine, -1.0), 1.0)


def _compare(
    own: NDArray[np.float64], matched_sd: float, floor: ExactFloor | PermutedFloor, *, has_spread: bool
) -> FloorComparison:
    gap = float(own.mean()) - floor.mean
    pooled_sd = math.sqrt((matched_sd**2 + floor.sd**2) / 2)
    return FloorComparison(
        floor_mean=clipped(floor.mean),
        floor_sd=floor.sd,
        gap=gap,
        gap_over_floor_sd=gap / floor.sd if has_spread else None,
        cohens_d=gap / pooled_sd if pooled_sd > NO_SPREAD else None,
    )
