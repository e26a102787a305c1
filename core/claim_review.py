"""A claim about two files, placed among their own pairs.

"0.91, so the export is fine": the number is counted against every matched and every
unrelated pair (`core.claims`) and stands beside what the audit of the same files can bear.
The reading says which cosine the number is: raw, unless it was taken after centring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.claims import ClaimPlace, Cutoffs, Reach, count_reach, place_claim
from core.errors import SettingsError
from core.group_ids import GroupIds, declared_groups
from core.groups import Groups
from core.inspection import Inspection
from core.means import fit_means
from core.pairs import pair_up
from core.reading import Reading
from core.result import Audit
from core.rows import UnitRows
from core.settings import AuditSettings
from core.sweep import Progress
from core.typed_cosine import TypedCosine, refuse_no_cosine
from core.unchanged import watched

__all__ = [
    "SAYS",
    "Claim",
    "ReadingName",
    "ReviewedClaim",
    "Says",
    "compared_rows",
    "count_claim",
    "review",
    "typed_claim",
]

Says = Literal["high", "agree", "nothing"]
ReadingName = Literal["raw", "centred"]

SAYS: tuple[Says, ...] = ("high", "agree", "nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A number and what it is said to show.

    Attributes
    ----------
    claimed
        The cosine, in [-1, 1].
    says
        ``"high"``: it is high; ``"agree"``: the two sides agree; ``"nothing"``: the
        difference between them is nothing.
    reading
        Which cosine it is.
    cutoffs
        Thresholds to read beside it, of the same reading.
    typed
        The digits of each of them as typed, the claimed number first; empty for a program's numbers.
    """

    claimed: float
    says: Says = "high"
    reading: ReadingName = "raw"
    cutoffs: tuple[float, ...] = ()
    typed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for cosine in self.thresholds:
            refuse_no_cosine(cosine)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Everything to be counted, the claimed number first."""
        return (self.claimed, *self.cutoffs)

    @property
    def written(self) -> tuple[str, ...]:
        """The same as they are shown: as typed, or as Python writes them."""
        return self.typed or tuple(repr(one + 0.0) for one in self.thresholds)


def typed_claim(
    claimed: TypedCosine, *, says: Says, reading: ReadingName, cutoffs: tuple[TypedCosine, ...] = ()
) -> Claim:
    """A claim of numbers that somebody typed."""
    return Claim(
        claimed=claimed.value,
        says=says,
        reading=reading,
        cutoffs=tuple(one.value for one in cutoffs),
        typed=tuple(one.text for one in (claimed, *cutoffs)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedClaim:
    """A claim, the audit of its files, and where it lies among their pairs.

    Attributes
    ----------
    claim, audit
        Of the same files.
    place
        Of the claimed number.
    counted
        Exact counts of all thresholds, the claimed number first.
    """

    claim: Claim
    audit: Audit
    place: ClaimPlace
    counted: Cutoffs

    @property
    def cutoffs(self) -> tuple[Reach, ...]:
        """What the cut-offs keep, in the order given."""
        return self.counted.reached[1:]

    @property
    def reading(self) -> Reading:
        """The reading the claim is about."""
        return _reading_of(self.audit, self.claim.reading)


def compared_rows(
    a: Inspection,
    b: Inspection,
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    settings: AuditSettings,
    reading: ReadingName,
    groups: GroupIds | None = None,
) -> tuple[UnitRows, UnitRows, Groups | None]:
    """The rows an audit of these files compares, of one reading, made unit length on demand, and their groups.

    Raises
    ------
    PairingError
        The files cannot be compared row by row.

    Notes
    -----
    Cost O(n d) for the means of the centred reading, else nothing.
    """
    pairs = pair_up(a, b, fit_a, fit_b, drop_bad_rows=settings.drop_bad_rows)
    declared = None if groups is None else declared_groups(groups, a.loaded.shape[0], pairs.dropped.rows)
    raw_a, raw_b = UnitRows(pairs.a), UnitRows(pairs.b)
    if reading == "raw":
        return raw_a, raw_b, declared
    means = fit_means(raw_a.mean_row(), raw_b.mean_row(), pairs.fit_a, pairs.fit_b, shared=settings.shared_mean)
    return UnitRows(pairs.a, means.a), UnitRows(pairs.b, means.b), declared


def count_claim(
    files: tuple[Inspection | None, ...],
    thresholds: tuple[float, ...],
    *,
    settings: AuditSettings,
    reading: ReadingName,
    groups: GroupIds | None = None,
    progress: Progress | None = None,
) -> Cutoffs:
    """Count the pairs of the files at or above each threshold.

    Parameters
    ----------
    files : (a, b, fit_a, fit_b)
        As given to the audit; fit arrays may be `None`.
    groups : GroupIds, optional
        As given to the audit: pairs of one group are not counted.

    Notes
    -----
    Time O(n^2 d), memory one block of scores: `core.claims.count_reach`.
    """
    a, b, fit_a, fit_b = files
    if a is None or b is None:
        raise SettingsError("both sides are needed", remedy="Give A and B.")
    progress = watched(files, progress)
    rows_a, rows_b, declared = compared_rows(a, b, fit_a, fit_b, settings=settings, reading=reading, groups=groups)
    return count_reach(rows_a, rows_b, thresholds, groups=declared, progress=progress)


def review(claim: Claim, audit: Audit, counted: Cutoffs) -> ReviewedClaim:
    """Put a claim beside the evidence.

    Parameters
    ----------
    claim : Claim
        The number.
    audit : Audit
        Of the same files and settings.
    counted : Cutoffs
        Of ``claim.thresholds``, over the rows of the same reading and the same groups.

    Raises
    ------
    SettingsError
        The claim is about a reading that is undefined.
    """
    reading = _reading_of(audit, claim.reading)
    place = place_claim(
        counted.reached[0],
        matched_mean=reading.matched_mean,
        floor_mean=reading.exact.floor_mean,
        floor_sd=reading.exact.floor_sd,
    )
    return ReviewedClaim(claim=claim, audit=audit, place=place, counted=counted)


def _reading_of(audit: Audit, name: ReadingName) -> Reading:
    reading = audit.raw if name == "raw" else audit.centred
    if reading is None:
        raise SettingsError("the centred reading of these files is undefined", remedy="Claim a raw cosine instead.")
    return reading
