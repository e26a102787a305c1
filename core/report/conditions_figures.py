"""The figure of a comparison of conditions: its signed differences. Worded here, for all renderers."""

from __future__ import annotations

from core.comparison import Comparison
from core.conditions import side_by_side
from core.gap_differences import GapDifference
from core.report.conditions_words import differences_in_words
from core.report.figures import IntervalGroup, Intervals, Point, Role
from core.report.names import shown_name

__all__ = ["difference_intervals"]

#: Longest name beside the figure; the tables have the whole.
_NAME = 24

_LEGEND: tuple[tuple[Role, str], ...] = (("raw", "raw"), ("centred", "centred"))


def difference_intervals(comparison: Comparison) -> Intervals:
    """A point with its interval for each comparison and reading; a declared margin is shaded."""
    readings: tuple[tuple[Role, tuple[GapDifference, ...]], ...] = (
        ("raw", comparison.raw),
        ("centred", comparison.centred),
    )
    shown = [(role, found) for role, found in readings if found]
    groups = tuple(
        IntervalGroup(
            label=_label(one),
            points=(_point("raw", one), *((_point("centred", other),) if other is not None else ())),
        )
        for one, other in side_by_side(comparison.raw, comparison.centred)
    )
    low, high = _range([point for group in groups for point in group.points])
    margin = comparison.settings.margin
    said = ". ".join(f"{role}: {differences_in_words(found)}" for role, found in shown)
    return Intervals(
        name="differences",
        title="Signed differences of the gap",
        description=f"Points with 95% intervals: signed differences of the gap. {said}.",
        axis="difference of the gap",
        low=low,
        high=high,
        legend=_LEGEND[: len(shown)],
        groups=groups,
        band=None if margin is None else (-margin, margin),
    )


def _point(role: Role, one: GapDifference) -> Point:
    low, high = one.interval or (None, None)
    return Point(role=role, value=one.mean, low=low, high=high)


def _range(points: list[Point]) -> tuple[float, float]:
    """What all intervals and zero occupy, with a little air on both sides."""
    ends = [0.0, *(end for point in points for end in (point.value, point.low, point.high) if end is not None)]
    low, high = min(ends), max(ends)
    air = 0.04 * (high - low) or 0.01
    return low - air, high + air


def _label(one: GapDifference) -> tuple[str, str]:
    return _cut(one.first), f"− {_cut(one.second)}"


def _cut(name: str) -> str:
    shown = shown_name(name)
    return shown if len(shown) <= _NAME else f"{shown[: _NAME - 1]}…"
