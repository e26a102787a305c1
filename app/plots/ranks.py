"""Partner ranked first, as bars against chance: raw and centred, both directions."""

from __future__ import annotations

import plotly.graph_objects as go

from app.plots.palette import LINE, ROLES, calm
from core.audit import Audit
from core.report import audit_figures

__all__ = ["rank_bars", "ranks_alt"]


def rank_bars(audit: Audit) -> go.Figure:
    """Horizontal bars of the expected share of rows whose partner ranks first."""
    drawn = audit_figures.rank_bars(audit)
    figure = go.Figure()
    for place, (role, name) in enumerate(drawn.legend):
        bars = [(group.label, group.bars[place]) for group in drawn.groups if group.bars[place].value is not None]
        if bars:
            figure.add_bar(
                y=[label for label, _ in bars],
                x=[bar.value for _, bar in bars],
                name=name,
                orientation="h",
                marker_color=ROLES[role],
                text=[bar.text for _, bar in bars],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}, " + name + ": %{x:.4f}<extra></extra>",
            )
    if drawn.mark:
        figure.add_vline(x=drawn.mark.value, line={"color": LINE, "dash": "dot", "width": 2})
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
    return audit_figures.rank_bars(audit).description
