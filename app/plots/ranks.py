"""Partner ranked first, as bars against chance: raw and centred, both directions."""

from __future__ import annotations

import plotly.graph_objects as go

from app.plots.palette import CENTRED, LINE, RAW, calm
from core.audit import Audit
from core.reading import Reading

__all__ = ["rank_bars", "ranks_alt"]

_DIRECTIONS = ("A finds B", "B finds A")


def rank_bars(audit: Audit) -> go.Figure:
    """Horizontal bars of the expected share of rows whose partner ranks first."""
    figure = go.Figure()
    for name, reading, colour in (("raw", audit.raw, RAW), ("centred", audit.centred, CENTRED)):
        if reading is not None:
            shares = _shares(reading)
            figure.add_bar(
                y=_DIRECTIONS,
                x=shares,
                name=name,
                orientation="h",
                marker_color=colour,
                text=[f"{share:.4f}" for share in shares],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}, " + name + ": %{x:.4f}<extra></extra>",
            )
    chance = audit.raw.a_to_b.chance
    figure.add_vline(x=chance, line={"color": LINE, "dash": "dot", "width": 2})
    figure.update_xaxes(range=[0, 1.18], tickvals=[0, 0.25, 0.5, 0.75, 1], showgrid=False)
    figure.update_yaxes(autorange="reversed", ticks="")
    return calm(
        figure,
        height=228,
        bargap=0.3,
        bargroupgap=0.08,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
    )


def ranks_alt(audit: Audit) -> str:
    """The bars in words, for screen readers."""
    parts = [
        f"{name}: {_DIRECTIONS[0]} {_shares(reading)[0]:.4f}, {_DIRECTIONS[1]} {_shares(reading)[1]:.4f}"
        for name, reading in (("raw", audit.raw), ("centred", audit.centred))
        if reading is not None
    ]
    return f"Bars: partner ranked first. {'; '.join(parts)}; by chance {audit.raw.a_to_b.chance:.4f}."


def _shares(reading: Reading) -> tuple[float, float]:
    return reading.a_to_b.expected, reading.b_to_a.expected
