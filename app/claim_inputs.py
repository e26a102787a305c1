"""What the card that reviews a claim holds: what was typed, and the newest counts."""

from __future__ import annotations

from dataclasses import dataclass

from core.claim_review import ReadingName, Says
from core.claims import Cutoffs

__all__ = ["ClaimInputs"]

#: Counts kept: a person goes back and forth between a few numbers.
_KEPT = 24


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimInputs:
    """Everything the card holds.

    Attributes
    ----------
    claimed, says, reading
        The number, or `None`; what it is said to show; which cosine it is.
    cutoff
        A threshold to read beside it, or `None`.
    counts
        Exact counts by what they depend on, oldest first.
    """

    claimed: float | None = None
    says: Says = "high"
    reading: ReadingName = "raw"
    cutoff: float | None = None
    counts: tuple[tuple[object, Cutoffs], ...] = ()

    @property
    def thresholds(self) -> tuple[float, ...]:
        """What is to be counted, the claimed number first; empty where nothing is typed."""
        return tuple(one for one in (self.claimed, self.cutoff) if one is not None)

    def count_of(self, key: object) -> Cutoffs | None:
        """The count for this key, if there is one."""
        return next((counted for known, counted in self.counts if known == key), None)

    def counts_with(self, key: object, counted: Cutoffs) -> tuple[tuple[object, Cutoffs], ...]:
        """The counts and one more; the oldest go."""
        return (*self.counts, (key, counted))[-_KEPT:]
