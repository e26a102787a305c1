"""How far two models agree, as bars with a mark at chance on each."""

from __future__ import annotations

import plotly.graph_objects as go

from app.plots.palette import ROLES, calm
from core.report import two_models_figures
from core.spaces import TwoModels

__all__ = ["agreement_alt", "agreement_bars"]


def agreement_bars(found: TwoModels) -> go.Figure:
    """Horizontal bars: after the map, and within each model."""
    drawn = two_models_figures.agreement_bars(found)
    (role, _), (chance_role, chance_name) = drawn.legend
    bars = [(group.label, *group.bars) for group in drawn.groups if group.bars[0].value is not None]
    labels = [label for label, _, _ in bars]
    figure = go.Figure()
    figure.add_bar(
        y=labels,
        x=[bar.value for _, bar, _ in bars],
        orientation="h",
        marker_color=ROLES[role],
        text=[bar.text for _, bar, _ in bars],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        y=labels,
        x=[chance.value for _, _, chance in bars],
        mode="markers",
        marker={"symbol": "line-ns", "size": 26, "line": {"color": ROLES[chance_role], "width": 3}},
        name=chance_name,
        hovertemplate="%{y} by chance: %{x:.4f}<extra></extra>",
    )
    figure.update_xaxes(range=[drawn.low - 0.02, 1.22], tickvals=[0, 0.25, 0.5, 0.75, 1], showgrid=False)
    figure.update_yaxes(autorange="reversed", ticks="")
    return calm(
        figure,
        height=256,
        bargap=0.35,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def agreement_alt(found: TwoModels) -> str:
    """The bars in words, for screen readers."""
    return two_models_figures.agreement_bars(found).description
