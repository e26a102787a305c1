"""Matched cosines over the floor: raw above centred, on one axis of cosines."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.plots.palette import ROLES, calm
from core.audit import Audit
from core.report import audit_figures
from core.report.figures import Histogram, Panel

__all__ = ["bar_of", "histograms", "histograms_alt", "matched_bars", "matched_over_floor"]


def matched_over_floor(audit: Audit) -> go.Figure:
    """Two rows of overlaid histograms with the mean of each marked."""
    return histograms(audit_figures.matched_over_floor(audit))


def histograms(drawn: Histogram) -> go.Figure:
    """Overlaid histograms, a row for each panel, with the means marked."""
    figure = make_subplots(
        rows=len(drawn.panels),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.26,
        subplot_titles=[_title(panel) for panel in drawn.panels],
    )
    for row, panel in enumerate(drawn.panels, start=1):
        _add_panel(figure, row, panel)
    figure.update_annotations(font_size=14, x=0, xanchor="left", align="left")
    figure.update_xaxes(range=[drawn.low, drawn.high], showticklabels=True)
    figure.update_xaxes(title=drawn.axis, row=len(drawn.panels), col=1)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=5)
    return calm(
        figure,
        height=280 * len(drawn.panels),
        barmode="overlay",
        bargap=0,
        legend={"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0, "xanchor": "left"},
        margin={"l": 8, "r": 8, "t": 84, "b": 8},
    )


def histograms_alt(audit: Audit) -> str:
    """The figure in words, for screen readers."""
    return audit_figures.matched_over_floor(audit).description


def bar_of(drawn: Histogram, trace: int, place: int) -> tuple[int, float, float, bool]:
    """Which panel a bar stands in, between which cosines, and if of matched pairs; traces and bars count from 0."""
    traces = [(number, bins) for number, panel in enumerate(drawn.panels) for bins in panel.bins]
    number, bins = traces[trace]
    low = bins.start + place * bins.width
    return number, round(low, 5), round(low + bins.width, 5), bins.role == "matched"


def matched_bars(drawn: Histogram, panel: int) -> list[tuple[float, float]]:
    """The bars of matched pairs that are not empty, between which cosines."""
    return [
        (round(bins.start + place * bins.width, 5), round(bins.start + (place + 1) * bins.width, 5))
        for bins in drawn.panels[panel].bins
        if bins.role == "matched"
        for place, share in enumerate(bins.shares)
        if share > 0
    ]


def _add_panel(figure: go.Figure, row: int, panel: Panel) -> None:
    """Bars, and dotted lines at both means; the title names their values, where nothing can be cut off."""
    for bins in panel.bins:
        figure.add_bar(
            x=[round(bins.start + (place + 0.5) * bins.width, 5) for place in range(len(bins.shares))],
            y=list(bins.shares),
            width=bins.width,
            name=bins.label,
            legendgroup=bins.label,
            showlegend=row == 1,
            marker={"color": ROLES[bins.role], "line_width": 0},
            opacity=0.6,
            hovertemplate=f"{panel.name}, {bins.label}<br>cosine about %{{x:.3f}}: %{{y:.2%}}<extra></extra>",
            row=row,
            col=1,
        )
    for mark in panel.marks:
        figure.add_vline(x=mark.value, line={"color": ROLES[mark.role], "width": 2, "dash": "dot"}, row=row, col=1)


def _title(panel: Panel) -> str:
    marks = "   ".join(f"<span style='color:{ROLES[mark.role]}'>{mark.text}</span>" for mark in reversed(panel.marks))
    return f"<b>{panel.title}</b><br>{marks}"
