"""The audit: what is measured, in which order, and the one result it leaves.

`audit` is the only function that knows the order of things. Every number of the result
is computed once, here or in the measure it calls; the page and the reports only show it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.anisotropy import anisotropy
from core.errors import Notice, SettingsError
from core.floor import (
    NO_SPREAD,
    ExactFloor,
    PermutedFloor,
    derangements,
    exact_floor,
    exact_floor_mean,
    permuted_floor,
)
from core.histogram import Histogram, cosine_counts
from core.inspection import Inspection
from core.limits import MAX_DERANGEMENTS
from core.means import Means, fit_means
from core.notices import result_notices
from core.pairs import Pairs, pair_up
from core.provenance import InputRecord, record, versions
from core.ranks import PartnerRanks, partner_ranks
from core.rows import UnitRows
from core.sweep import Progress, ReadingSweep, own_cosines, sweep

__all__ = ["Audit", "AuditSettings", "FloorComparison", "MeanSource", "Reading", "audit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """What the user may choose; the only place that holds an integer seed.

    Attributes
    ----------
    shared_mean
        One mean for both sides instead of one each.
    n_derangements
        Pairings drawn for the permuted floor of the reference format.
    seed
        Of ``numpy.random.default_rng``, for those derangements.
    drop_bad_rows
        Leave out pairs in which either row is NaN, infinite or zero.
    """

    shared_mean: bool = False
    n_derangements: int = 20
    seed: int = 0
    drop_bad_rows: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.n_derangements <= MAX_DERANGEMENTS:
            raise SettingsError(
                f"the number of derangements (--perms) is {self.n_derangements:,}; "
                f"it must be between 1 and {MAX_DERANGEMENTS:,}",
                remedy="20 is the reference's own number",
            )
        if self.seed < 0:
            raise SettingsError(
                f"the seed (--seed) is {self.seed}; it must be 0 or more", remedy="use 0, the default"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSource:
    """Where one side's mean comes from: how many rows, and whether of a fit file."""

    n_rows: int
    from_fit_file: bool


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything one reading, raw or centred, says.

    Attributes
    ----------
    matched_mean, matched_min, matched_max, matched_sd
        Of the n matched cosines; sd with ddof 0.
    exact
        Against all n(n-1) unrelated pairs: the headline.
    permuted
        Against the seeded derangements of the reference format.
    monte_carlo_error
        Standard error of the permuted floor's mean; `None` for one derangement.
    a_to_b, b_to_a
        Partner ranked first, in both directions.
    histogram
        Counts of matched and unrelated cosines.
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
    histogram: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The result of an audit; complete on its own, holds no input array.

    Attributes
    ----------
    n, dim
        Compared pairs and columns.
    a, b, fit_a, fit_b
        Fingerprints of the inputs; fit arrays may be `None`.
    mean_a, mean_b
        Where the means come from; `settings.shared_mean` says whether they are one.
    anisotropy_a, anisotropy_b
        Of the unit rows.
    centred_anisotropy_a, centred_anisotropy_b
        After centring; `None` where centring is undefined.
    raw
        Always there.
    centred
        `None` where centring leaves a row without direction.
    centred_undefined
        Why `centred` is `None`; empty otherwise.
    dropped_rows
        Pairs left out on request.
    notices
        What is worth a word.
    versions
        Of what computed the numbers.
    """

    settings: AuditSettings
    n: int
    dim: int
    a: InputRecord
    b: InputRecord
    fit_a: InputRecord | None
    fit_b: InputRecord | None
    mean_a: MeanSource
    mean_b: MeanSource
    anisotropy_a: float
    anisotropy_b: float
    centred_anisotropy_a: float | None
    centred_anisotropy_b: float | None
    raw: Reading
    centred: Reading | None
    centred_undefined: str
    dropped_rows: int
    notices: tuple[Notice, ...]
    versions: dict[str, str]
