"""What the table of pairs shows: which reading and order, which page, which bar, which labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.claim_review import ReadingName
from core.claims import WorstOrder
from core.formats.labels import Labels

__all__ = ["PAGE_SIZES", "Bar", "LabelSide", "Listing"]

LabelSide = Literal["a", "b"]

#: Rows of a page of the table; the largest is `core.limits.MAX_SHOWN_ROWS`.
PAGE_SIZES = (10, 50, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of the histogram that was clicked.

    Attributes
    ----------
    result
        Key of the result it belongs to: of another one it means nothing.
    reading, low, high
        Matched pairs of this reading from `low` to below `high`.
    """

    result: object
    reading: ReadingName
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing:
    """Everything the card holds.

    Attributes
    ----------
    reading, order
        What is listed, worst first.
    page, size
        Page of the table, from 0, and rows of each.
    bar
        Only the pairs of this bar, or `None`.
    unrelated
        True if the bar clicked last holds unrelated pairs, which are not listed.
    charts
        Counter of charts to click in: a new one has no bar marked.
    labels_a, labels_b
        A text for each row of the files, or `None`.
    for_a, for_b
        SHA-256 of the file each of them was given for: beside rows of another file they mean nothing.
    problem
        Why the newest file of labels was refused, as a sentence; empty if it was not.
    """

    reading: ReadingName = "raw"
    order: WorstOrder = "margin"
    page: int = 0
    size: int = PAGE_SIZES[0]
    bar: Bar | None = None
    unrelated: bool = False
    charts: int = 0
    labels_a: Labels | None = None
    labels_b: Labels | None = None
    for_a: str = ""
    for_b: str = ""
    problem: str = ""

    def labels(self, side: LabelSide, sha256: str) -> Labels | None:
        """The labels of one side, if they were given for this file."""
        held, given_for = (self.labels_a, self.for_a) if side == "a" else (self.labels_b, self.for_b)
        return held if given_for == sha256 else None

    def outdated(self, side: LabelSide, sha256: str) -> bool:
        """True if this side has labels, but of another file."""
        held = self.labels_a if side == "a" else self.labels_b
        return held is not None and self.labels(side, sha256) is None
