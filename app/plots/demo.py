"""The demo's figures: two bars on the axis of their cosines, and shares of partners found."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from app.plots.palette import CENTRED, FLOOR, LINE, MATCHED, RAW
from core.demo import PairedUp, Standing
from core.report.numbers import fixed, percent

__all__ = ["LOWEST", "cosines_alt", "cosines_over_their_bins", "found_alt", "partners_found"]

#: Figures read from the back of a room.
_TEXT = 18

_HEIGHT = 220

#: The axis of cosines is one for all encoders, so that lengths of bars compare. Only the tail of one,
#: 4 in 1,000 of the unrelated pairs of centred GloVe, reaches further down.
LOWEST = -0.6

_FILLS = {MATCHED: "rgba(59, 130, 246, 0.45)", FLOOR: "rgba(224, 123, 57, 0.45)"}


def cosines_over_their_bins(reading: PairedUp, *, paired: str, others: str) -> go.Figure:
    """Bars of both means over the histograms they summarise, on one axis from `LOWEST` to 1."""
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [paired, others],
        "x": [reading.matched_mean, reading.floor_mean],
        "yaxis": "y2",
        "marker": {"color": [MATCHED, FLOOR]},
        "hovertemplate": "%{y}: %{x:.4f}<extra></extra>",
    }
    histograms = [
        _histogram(reading, shares, name, colour)
        for name, shares, colour in ((others, reading.unrelated, FLOOR), (paired, reading.matched, MATCHED))
    ]
    return _figure(
        [bars, *histograms],
        xaxis={
            "range": [LOWEST, 1.01],
            "tickvals": [-0.5, 0, 0.5, 1],
            "tickfont": {"size": _TEXT},
            "zeroline": True,
            "zerolinecolor": LINE,
        },
        yaxis={"domain": [0, 0.62], "showticklabels": False, "showgrid": False, "rangemode": "tozero"},
        yaxis2={"domain": [0.68, 1], "autorange": "reversed", "tickfont": {"size": _TEXT}, "ticks": ""},
        bargap=0.22,
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
    )


def _histogram(reading: PairedUp, shares: NDArray[np.float64], name: str, colour: str) -> dict[str, Any]:
    used = np.flatnonzero(shares)
    cut = slice(used[0], used[-1] + 1)
    return {
        "type": "scatter",
        "x": reading.centres[cut].round(6).tolist(),
        "y": shares[cut].round(6).tolist(),
        "name": name,
        "mode": "lines",
        "line": {"color": colour, "width": 2, "shape": "hvh"},
        "fill": "tozeroy",
        "fillcolor": _FILLS[colour],
        "hovertemplate": f"{name}<br>cosine about %{{x:.3f}}: %{{y:.1%}}<extra></extra>",
    }


def cosines_alt(name: str, reading: PairedUp, *, paired: str, others: str) -> str:
    """The figure in words, for screen readers."""
    return (
        f"{name} cosines: bars and histograms; {paired} around {fixed(reading.matched_mean)}, "
        f"{others} around {fixed(reading.floor_mean)}."
    )


def partners_found(now: Standing) -> go.Figure:
    """Two bars from 0 to 100%, and a line at chance."""
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": ["raw", "centred"],
        "x": [now.raw.partner_first, now.centred.partner_first],
        "marker": {"color": [RAW, CENTRED]},
        "hovertemplate": "%{y}: %{x:.2%}<extra></extra>",
    }
    chance = {"x0": now.chance, "x1": now.chance, "y0": 0, "y1": 1, "yref": "paper"}
    words = {"text": f"chance {percent(now.chance)}", "x": now.chance, "y": 1, "yref": "paper"}
    return _figure(
        [bars],
        xaxis={
            "range": [0, 1.01],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "tickformat": ".0%",
            "tickfont": {"size": _TEXT},
        },
        yaxis={"autorange": "reversed", "tickfont": {"size": _TEXT}, "ticks": ""},
        shapes=[{"type": "line", **chance, "line": {"color": FLOOR, "width": 3, "dash": "dot"}}],
        annotations=[
            {**words, "xanchor": "left", "yanchor": "bottom", "showarrow": False, "font": {"size": _TEXT}},
        ],
        bargap=0.3,
        margin={"l": 8, "r": 32, "t": 30, "b": 8},
    )


def found_alt(now: Standing, *, who: str) -> str:
    """The bars in words, for screen readers."""
    return (
        f"Bars: {who} ranked first for {percent(now.raw.partner_first)} of rows raw and "
        f"{percent(now.centred.partner_first)} centred; by chance {percent(now.chance)}."
    )


def _figure(data: list[dict[str, Any]], **layout: Any) -> go.Figure:
    """The figure in one piece: adding to one bit by bit takes 50 ms, which a click would wait for."""
    return go.Figure({"data": data, "layout": {"height": _HEIGHT, "dragmode": False, **layout}})
