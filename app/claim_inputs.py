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
        The number as typed, or nothing; what it is said to show; which cosine it is.
    cutoff
        A threshold to read beside it as typed, or nothing.
    counts
        Exact counts by what they depend on, oldest first.
    """

    claimed: str = ""
    says: Says = "high"
    reading: ReadingName = "raw"
    cutoff: str = ""
    counts: tuple[tuple[object, Cutoffs], ...] = ()

    @property
    def is_empty(self) -> bool:
        """True while neither a number nor a cut-off is typed."""
        return not (self.claimed.strip() or self.cutoff.strip())

    def count_of(self, key: object) -> Cutoffs | None:
        """The count for this key, if there is one."""
        return next((counted for known, counted in self.counts if known == key), None)

    def counts_with(self, key: object, counted: Cutoffs) -> tuple[tuple[object, Cutoffs], ...]:
        """The counts and one more; the oldest go."""
        return (*self.counts, (key, counted))[-_KEPT:]
