"""What a figure is made of: bins, bars and marks, finished and in order.

A renderer decides how they look; it computes nothing. The page and the reports draw
from these, so that both show the same bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Bar",
    "BarChart",
    "BarGroup",
    "Bins",
    "Figure",
    "Histogram",
    "IntervalGroup",
    "Intervals",
    "Mark",
    "Panel",
    "Point",
    "Role",
]

#: What a mark or an area stands for; each renderer has one colour for it.
Role = Literal["matched", "floor", "raw", "centred", "line"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A value marked across a figure, in its units; `text` names it and gives its digits."""

    role: Role
    value: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """One distribution in equal bins.

    Attributes
    ----------
    role, label
        What is counted.
    start, width
        Left edge of the first bin, and the width of each.
    shares
        Of the whole in each bin; they sum to 1.
    """

    role: Role
    label: str
    start: float
    width: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Distributions that overlap on one pair of axes, each with its mean marked."""

    name: str
    title: str
    bins: tuple[Bins, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Panels one above the other on one horizontal axis.

    Attributes
    ----------
    name
        In lower case and underscores, for a file.
    title
        What it shows, in sentence case.
    description
        The figure in words, for those who do not see it.
    axis
        What the horizontal axis is.
    low, high
        Its ends: they hold every bin.
    panels
        From the top.
    """

    name: str
    title: str
    description: str
    axis: str
    low: float
    high: float
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar from zero; `None` is drawn as the word alone."""

    role: Role
    value: float | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarGroup:
    """The bars of one thing, one beneath the other."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """Horizontal bars from zero, with at most one value marked across them all.

    Attributes
    ----------
    name, title, description
        As for `Histogram`.
    low
        Left end of the axis, 0 or below; the right end is 1.
    legend
        What each role stands for, in the order of the bars.
    groups
        From the top.
    mark
        Drawn through all bars, or `None`.
    """

    name: str
    title: str
    description: str
    low: float
    legend: tuple[tuple[Role, str], ...]
    groups: tuple[BarGroup, ...]
    mark: Mark | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An estimate and the ends of its interval; `None` where there is none."""

    role: Role
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalGroup:
    """The points of one thing, one beneath the other; its name in one or two lines."""

    label: tuple[str, ...]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """Points with their intervals on one horizontal axis, against zero.

    Attributes
    ----------
    name, title, description, axis, low, high
        As for `Histogram`; the ends hold zero and every interval.
    legend
        What each role stands for.
    groups
        From the top.
    band
        A range to shade, or `None`.
    """

    name: str
    title: str
    description: str
    axis: str
    low: float
    high: float
    legend: tuple[tuple[Role, str], ...]
    groups: tuple[IntervalGroup, ...]
    band: tuple[float, float] | None


Figure = Histogram | BarChart | Intervals
