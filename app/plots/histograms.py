"""Matched cosines over the floor: raw above centred, on one axis of cosines."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.plots.palette import FLOOR, MATCHED, calm
from core.audit import Audit
from core.histogram import Histogram
from core.reading import Reading
from core.report.numbers import fixed

__all__ = ["histograms_alt", "matched_over_floor", "readings_alt", "readings_over_floor"]

#: Bins drawn over the occupied range, about; the counts come in finer ones.
_BINS_DRAWN = 90


def matched_over_floor(audit: Audit) -> go.Figure:
    """Two rows of overlaid histograms with the mean of each marked."""
    return readings_over_floor(_readings(audit))


def readings_over_floor(readings: list[tuple[str, Reading]]) -> go.Figure:
    """A row of overlaid histograms for each named reading."""
    figure = make_subplots(
        rows=len(readings),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.26,
        subplot_titles=[_title(name, reading) for name, reading in readings],
    )
    low, high = _range([reading.histogram for _, reading in readings])
    for row, (name, reading) in enumerate(readings, start=1):
        _add_reading(figure, row, name, reading, _bin_factor(high - low))
    figure.update_annotations(font_size=14, x=0, xanchor="left", align="left")
    figure.update_xaxes(range=[low, high], showticklabels=True)
    figure.update_xaxes(title="cosine", row=len(readings), col=1)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=5)
    return calm(
        figure,
        height=280 * len(readings),
        barmode="overlay",
        bargap=0,
        legend={"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0, "xanchor": "left"},
        margin={"l": 8, "r": 8, "t": 84, "b": 8},
    )


def histograms_alt(audit: Audit) -> str:
    """The figure in words, for screen readers."""
    return readings_alt(_readings(audit))


def readings_alt(readings: list[tuple[str, Reading]]) -> str:
    """The histograms of some readings in words."""
    parts = [
        f"{name}: matched pairs around {fixed(reading.matched_mean)}, "
        f"unrelated pairs around {fixed(reading.exact.floor_mean)}"
        for name, reading in readings
    ]
    return f"Histograms of cosines. {'; '.join(parts)}."


def _readings(audit: Audit) -> list[tuple[str, Reading]]:
    named = (("Raw", audit.raw), ("Centred", audit.centred))
    return [(name, reading) for name, reading in named if reading is not None]


def _range(histograms: list[Histogram]) -> tuple[float, float]:
    """What all histograms occupy, with a little air on both sides."""
    ends = [histogram.occupied for histogram in histograms]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    air = 0.03 * (high - low) + 0.01
    return max(-1.02, low - air), min(1.02, high + air)


def _bin_factor(width: float) -> int:
    """How many fine bins make one drawn bin, so that about `_BINS_DRAWN` fill the width."""
    fine = width / 0.005
    return next(factor for factor in (8, 5, 4, 2, 1) if factor == 1 or fine / factor >= _BINS_DRAWN)


def _add_reading(figure: go.Figure, row: int, name: str, reading: Reading, factor: int) -> None:
    counts = reading.histogram.merged(factor)
    sides = (
        ("unrelated pairs (floor)", counts.unrelated, FLOOR),
        ("matched pairs", counts.matched, MATCHED),
    )
    for label, bins, colour in sides:
        used = np.flatnonzero(bins)
        cut = slice(used[0], used[-1] + 1)
        centres = (counts.edges[:-1] + counts.edges[1:])[cut] / 2
        figure.add_bar(
            x=centres.round(5).tolist(),
            y=(bins[cut] / bins.sum()).tolist(),
            width=counts.edges[1] - counts.edges[0],
            name=label,
            legendgroup=label,
            showlegend=row == 1,
            marker={"color": colour, "line_width": 0},
            opacity=0.6,
            hovertemplate=f"{name}, {label}<br>cosine about %{{x:.3f}}: %{{y:.2%}}<extra></extra>",
            row=row,
            col=1,
        )
    _mark_means(figure, row, reading)


def _mark_means(figure: go.Figure, row: int, reading: Reading) -> None:
    """Dotted lines at both means; the title names their values, where nothing can be cut off."""
    for mean, colour in ((reading.exact.floor_mean, FLOOR), (reading.matched_mean, MATCHED)):
        figure.add_vline(x=mean, line={"color": colour, "width": 2, "dash": "dot"}, row=row, col=1)


def _title(name: str, reading: Reading) -> str:
    floor, matched = fixed(reading.exact.floor_mean), fixed(reading.matched_mean)
    return (
        f"<b>{name}: gap {fixed(reading.exact.gap)}</b><br><span style='color:{MATCHED}'>matched {matched}</span>"
        f"   <span style='color:{FLOOR}'>floor {floor}</span>"
    )
