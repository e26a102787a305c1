"""How far two models agree, as bars against chance: after the map, and within each model."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from app.plots.palette import FLOOR, MATCHED, RAW, calm
from core.spaces import TwoModels

__all__ = ["agreement_alt", "agreement_bars"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    """One figure in [-1, 1], what luck gives, and whether it is from after the map."""

    name: str
    value: float
    chance: float
    mapped: bool


def agreement_bars(found: TwoModels) -> go.Figure:
    """Horizontal bars with a mark at chance on each."""
    bars = _bars(found)
    figure = go.Figure()
    figure.add_bar(
        y=[bar.name for bar in bars],
        x=[bar.value for bar in bars],
        orientation="h",
        marker_color=[MATCHED if bar.mapped else RAW for bar in bars],
        text=[f"{bar.value:.4f}" for bar in bars],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        y=[bar.name for bar in bars],
        x=[bar.chance for bar in bars],
        mode="markers",
        marker={"symbol": "line-ns", "size": 26, "line": {"color": FLOOR, "width": 3}},
        name="by chance",
        hovertemplate="%{y} by chance: %{x:.4f}<extra></extra>",
    )
    low = min(0.0, *(bar.value for bar in bars))
    figure.update_xaxes(range=[low - 0.02, 1.22], tickvals=[0, 0.25, 0.5, 0.75, 1], showgrid=False)
    figure.update_yaxes(autorange="reversed", ticks="")
    return calm(
        figure,
        height=256,
        bargap=0.35,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def agreement_alt(found: TwoModels) -> str:
    """The bars in words, for screen readers."""
    parts = [f"{bar.name.replace('<br>', ' ')} {bar.value:.4f}, by chance {bar.chance:.4f}" for bar in _bars(found)]
    return f"Bars against chance: {'; '.join(parts)}."


def _bars(found: TwoModels) -> list[_Bar]:
    ranks, near = found.mapped, found.neighbours
    bars = [
        _Bar(name="A finds B<br>after the map", value=ranks.a_to_b.expected, chance=ranks.a_to_b.chance, mapped=True),
        _Bar(name="B finds A<br>after the map", value=ranks.b_to_a.expected, chance=ranks.b_to_a.chance, mapped=True),
        _Bar(name=f"shared among<br>{near.k} nearest", value=near.overlap, chance=near.chance, mapped=False),
    ]
    if found.cka is not None:
        bars.append(_Bar(name="debiased CKA", value=found.cka, chance=0.0, mapped=False))
    return bars
