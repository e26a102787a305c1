"""Anisotropy as a gauge: how much of a cosine all rows of one side share."""

from __future__ import annotations

import plotly.graph_objects as go

from app.plots.palette import FLOOR, MATCHED, TRACK, calm
from core.report.audit_document import CONVENTION
from core.report.numbers import fixed

__all__ = ["anisotropy_gauge", "gauge_alt"]

_LOWEST = -0.1


def anisotropy_gauge(value: float) -> go.Figure:
    """Gauge from min(-0.1, value) to 1 with a mark at the convention."""
    low = min(_LOWEST, value)
    figure = go.Figure(
        go.Indicator(
            mode="gauge+number",
            value=value,
            number={"valueformat": ".4f", "font": {"size": 34}},
            gauge={
                "axis": {
                    "range": [low, 1],
                    "tickvals": [low, 0, CONVENTION, 0.5, 0.75, 1],
                    "ticktext": [fixed(low, 1), "0", str(CONVENTION), "0.5", "0.75", "1"],
                    "tickfont": {"size": 12},
                },
                "bar": {"color": MATCHED, "thickness": 0.62},
                "bgcolor": TRACK,
                "borderwidth": 0,
                "threshold": {"value": CONVENTION, "thickness": 1, "line": {"color": FLOOR, "width": 3}},
            },
        )
    )
    return calm(figure, height=190, margin={"l": 28, "r": 28, "t": 26, "b": 8})


def gauge_alt(side: str, value: float) -> str:
    """The gauge in words, for screen readers."""
    return f"Gauge: the anisotropy of {side} is {fixed(value)}; 1 means that all rows point the same way."
