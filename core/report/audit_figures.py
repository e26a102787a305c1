"""The figures of an audit, from the counts and shares it holds. Worded here, for all renderers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.audit import Audit
from core.histogram import Histogram as Counts
from core.reading import Reading
from core.report.figures import Bar, BarChart, BarGroup, Bins, Figure, Histogram, Mark, Panel, Role
from core.report.inference_words import pool_scope
from core.report.numbers import fixed

__all__ = [
    "CONVENTION",
    "DIRECTIONS",
    "anisotropy_bars",
    "figures",
    "matched_over_floor",
    "rank_bars",
    "readings_over_floor",
]

#: Anisotropy above which the reference format warns. A convention without a derivation.
CONVENTION = 0.3

DIRECTIONS = ("A finds B", "B finds A")

#: Bins drawn over the occupied range, about; the counts come in finer ones.
_BINS_DRAWN = 90

#: How many fine bins may make one drawn bin; each divides their number.
_FACTORS = (8, 5, 4, 2, 1)

_LEGEND: tuple[tuple[Role, str], ...] = (("raw", "raw"), ("centred", "centred"))


def figures(audit: Audit) -> tuple[Figure, ...]:
    """All of them, in the order to look at them."""
    return matched_over_floor(audit), anisotropy_bars(audit), rank_bars(audit)


def matched_over_floor(audit: Audit) -> Histogram:
    """Matched cosines over the unrelated ones: raw above centred, on one axis of cosines."""
    readings = [
        (name, reading) for name, reading in (("Raw", audit.raw), ("Centred", audit.centred)) if reading is not None
    ]
    return readings_over_floor(readings, name="matched_over_floor", title="Matched pairs over their floor")


def readings_over_floor(readings: list[tuple[str, Reading]], *, name: str, title: str) -> Histogram:
    """A panel for each named reading, on one axis of cosines."""
    low, high = _range([reading.histogram for _, reading in readings])
    factor = _bin_factor((high - low) / readings[0][1].histogram.bin_width)
    said = "; ".join(
        f"{label}: matched pairs around {fixed(reading.matched_mean)}, "
        f"unrelated pairs around {fixed(reading.exact.floor_mean)}"
        for label, reading in readings
    )
    return Histogram(
        name=name,
        title=title,
        description=f"Histograms of cosines. {said}.",
        axis="cosine",
        low=low,
        high=high,
        panels=tuple(_panel(label, reading, factor) for label, reading in readings),
    )


def _panel(name: str, reading: Reading, factor: int) -> Panel:
    counts = reading.histogram.merged(factor)
    floor, matched = reading.exact.floor_mean, reading.matched_mean
    return Panel(
        name=name,
        title=f"{name}: gap {fixed(reading.exact.gap)}",
        bins=(
            _bins("floor", "unrelated pairs (floor)", counts.unrelated, counts),
            _bins("matched", "matched pairs", counts.matched, counts),
        ),
        marks=(
            Mark(role="floor", value=floor, text=f"floor {fixed(floor)}"),
            Mark(role="matched", value=matched, text=f"matched {fixed(matched)}"),
        ),
    )


def _bins(role: Role, label: str, count: NDArray[np.int64], counts: Counts) -> Bins:
    """The bins from the first that holds a cosine to the last."""
    used = np.flatnonzero(count)
    shares = count[used[0] : used[-1] + 1] / count.sum()
    return Bins(
        role=role,
        label=label,
        start=float(counts.edges[used[0]]),
        width=counts.bin_width,
        shares=tuple(shares.tolist()),
    )


def _range(histograms: list[Counts]) -> tuple[float, float]:
    """What all histograms occupy, with a little air on both sides."""
    ends = [histogram.occupied for histogram in histograms]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    air = 0.03 * (high - low) + 0.01
    return max(-1.02, low - air), min(1.02, high + air)


def _bin_factor(fine: float) -> int:
    """How many fine bins make one drawn bin, so that about `_BINS_DRAWN` fill the range."""
    return next(factor for factor in _FACTORS if factor == 1 or fine / factor >= _BINS_DRAWN)


def anisotropy_bars(audit: Audit) -> BarChart:
    """Anisotropy of both sides, before and after centring, against the convention."""
    sides = (
        ("A", audit.anisotropy_a, audit.centred_anisotropy_a),
        ("B", audit.anisotropy_b, audit.centred_anisotropy_b),
    )
    said = "; ".join(f"{side} {fixed(raw)} raw and {fixed(centred)} centred" for side, raw, centred in sides)
    values = [value for _, *both in sides for value in both if value is not None]
    return BarChart(
        name="anisotropy",
        title="Anisotropy of each side",
        description=f"Bars: the mean cosine between different rows of one side. {said}; {CONVENTION} is a convention.",
        low=min(0.0, *values),
        legend=_LEGEND,
        groups=tuple(_group(side, raw, centred) for side, raw, centred in sides),
        mark=Mark(role="line", value=CONVENTION, text=f"{CONVENTION}, a convention"),
    )


def rank_bars(audit: Audit) -> BarChart:
    """Partner ranked first in both directions, raw and centred, against chance."""
    chance = audit.raw.a_to_b.chance
    scope = f", {pool_scope(audit)}" if audit.has_pool else ""
    raw, centred = _shares(audit.raw), _shares(audit.centred)
    said = "; ".join(
        f"{name}: {DIRECTIONS[0]} {fixed(shares[0])}, {DIRECTIONS[1]} {fixed(shares[1])}"
        for name, shares in (("raw", raw), ("centred", centred))
        if shares[0] is not None
    )
    return BarChart(
        name="partner_ranked_first",
        title=f"Partner ranked first{scope}",
        description=f"Bars: partner ranked first{scope}. {said}; by chance {fixed(chance)}.",
        low=0.0,
        legend=_LEGEND,
        groups=tuple(_group(*line) for line in zip(DIRECTIONS, raw, centred, strict=True)),
        mark=Mark(role="line", value=chance, text=f"chance {fixed(chance)}"),
    )


def _shares(reading: Reading | None) -> tuple[float, float] | tuple[None, None]:
    return (None, None) if reading is None else (reading.a_to_b.expected, reading.b_to_a.expected)


def _group(label: str, raw: float | None, centred: float | None) -> BarGroup:
    return BarGroup(
        label=label,
        bars=(Bar(role="raw", value=raw, text=fixed(raw)), Bar(role="centred", value=centred, text=fixed(centred))),
    )
