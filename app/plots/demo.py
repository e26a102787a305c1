"""The demo's figures: two bars on the axis of their cosines, and shares of partners found."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.plots.palette import CENTRED, FLOOR, LINE, MATCHED, RAW, calm
from core.demo import PairedUp, Standing
from core.report.numbers import fixed, percent

__all__ = ["cosines_alt", "cosines_over_their_bins", "found_alt", "partners_found"]

#: Figures read from the back of a room.
_TEXT = 16

_HEIGHT = 240

_FILLS = {MATCHED: "rgba(59, 130, 246, 0.45)", FLOOR: "rgba(224, 123, 57, 0.45)"}


def cosines_over_their_bins(reading: PairedUp, *, lowest: float, paired: str, others: str) -> go.Figure:
    """Bars of both means over the histograms they summarise, on one axis from `lowest` to 1."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.34, 0.66], vertical_spacing=0.06)
    figure.add_bar(
        y=[paired, others],
        x=[reading.matched_mean, reading.floor_mean],
        orientation="h",
        marker_color=[MATCHED, FLOOR],
        hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        row=1,
        col=1,
    )
    for name, shares, colour in ((others, reading.unrelated, FLOOR), (paired, reading.matched, MATCHED)):
        used = np.flatnonzero(shares)
        cut = slice(used[0], used[-1] + 1)
        figure.add_scatter(
            x=reading.centres[cut].round(6).tolist(),
            y=shares[cut].round(6).tolist(),
            name=name,
            mode="lines",
            line={"color": colour, "width": 2, "shape": "hvh"},
            fill="tozeroy",
            fillcolor=_FILLS[colour],
            hovertemplate=f"{name}<br>cosine about %{{x:.3f}}: %{{y:.1%}}<extra></extra>",
            row=2,
            col=1,
        )
    figure.update_xaxes(range=[lowest, 1.01], tickfont_size=_TEXT, zeroline=True, zerolinecolor=LINE)
    figure.update_yaxes(autorange="reversed", tickfont_size=_TEXT, ticks="", row=1, col=1)
    figure.update_yaxes(showticklabels=False, showgrid=False, rangemode="tozero", row=2, col=1)
    return calm(figure, height=_HEIGHT, bargap=0.22, showlegend=False, margin={"l": 8, "r": 16, "t": 8, "b": 8})


def cosines_alt(name: str, reading: PairedUp, *, paired: str, others: str) -> str:
    """The figure in words, for screen readers."""
    return (
        f"{name} cosines: bars and histograms; {paired} around {fixed(reading.matched_mean)}, "
        f"{others} around {fixed(reading.floor_mean)}."
    )


def partners_found(now: Standing) -> go.Figure:
    """Two bars from 0 to 100%, and a line at chance."""
    figure = go.Figure(
        go.Bar(
            y=["raw", "centred"],
            x=[now.raw.partner_first, now.centred.partner_first],
            orientation="h",
            marker_color=[RAW, CENTRED],
            hovertemplate="%{y}: %{x:.2%}<extra></extra>",
        )
    )
    figure.add_vline(x=now.chance, line={"color": FLOOR, "width": 3, "dash": "dot"})
    figure.add_annotation(
        x=now.chance,
        xanchor="left",
        yref="paper",
        y=1,
        yanchor="bottom",
        text=f"chance {percent(now.chance)}",
        showarrow=False,
        font_size=_TEXT,
    )
    figure.update_xaxes(range=[0, 1.01], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%", tickfont_size=_TEXT)
    figure.update_yaxes(autorange="reversed", tickfont_size=_TEXT, ticks="")
    return calm(figure, height=_HEIGHT, bargap=0.3, margin={"l": 8, "r": 32, "t": 30, "b": 8})


def found_alt(now: Standing) -> str:
    """The bars in words, for screen readers."""
    return (
        f"Bars: partner ranked first for {percent(now.raw.partner_first)} of rows raw and "
        f"{percent(now.centred.partner_first)} centred; by chance {percent(now.chance)}."
    )
