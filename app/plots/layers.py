"""Anisotropy, matched, floor and gap from layer to layer: raw above centred."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.plots.palette import FLOOR, GAP, MATCHED, RAW, calm
from core.audit import Audit
from core.comparison import Comparison
from core.report.numbers import fixed

__all__ = ["layer_sweep", "layers_alt"]

Line = list[float | None]

_THIN = 2


def layer_sweep(comparison: Comparison) -> go.Figure:
    """Two panels of lines over the layers."""
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.14,
        subplot_titles=["<b>Raw</b>", "<b>Centred</b>"],
    )
    layers = list(range(len(comparison.runs)))
    for row, reading in enumerate(("raw", "centred"), start=1):
        for name, values, colour, dash, symbol, width in _lines(comparison, reading):
            figure.add_scatter(
                x=layers,
                y=values,
                name=name,
                legendgroup=name,
                showlegend=row == 1,
                mode="lines+markers",
                line={"color": colour, "dash": dash, "width": width},
                marker={"symbol": symbol, "size": 6 + width},
                opacity=0.55 if width > _THIN else 1.0,
                hovertemplate=f"layer %{{x}}, {reading}, {name}: %{{y:.4f}}<extra></extra>",
                row=row,
                col=1,
            )
    figure.update_annotations(font_size=14, x=0, xanchor="left")
    figure.update_xaxes(dtick=max(1, len(layers) // 12), showticklabels=True, zeroline=False)
    figure.update_xaxes(title="layer", row=2, col=1)
    figure.update_yaxes(rangemode="tozero", nticks=6)
    return calm(
        figure,
        height=600,
        legend={"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0},
        margin={"l": 8, "r": 8, "t": 84, "b": 8},
    )


def layers_alt(comparison: Comparison) -> str:
    """The figure in words, for screen readers: first and last layer, and the largest value of each line."""
    parts = []
    for reading in ("raw", "centred"):
        lines = [
            f"{name} {fixed(values[0])} to {fixed(values[-1])}, most {fixed(max(known))}"
            for name, values, *_ in _lines(comparison, reading)
            if (known := [value for value in values if value is not None])
        ]
        parts.append(f"{reading}: {'; '.join(lines)}")
    return f"Lines over {len(comparison.runs)} layers, first to last. {'. '.join(parts)}."


def _lines(comparison: Comparison, reading: str) -> list[tuple[str, Line, str, str, str, int]]:
    """Name, values, colour, dash, symbol and width of each line of a panel."""

    def over(value: Callable[[Audit], float | None]) -> Line:
        return [value(run.audit) for run in comparison.runs]

    raw = reading == "raw"
    gaps = [getattr(run.gaps, reading) for run in comparison.runs]
    # Wide and pale below, thin above: in the centred panel gap and matched lie on each other,
    # in the raw one floor and anisotropy.
    return [
        ("anisotropy of A", over(lambda x: x.anisotropy_a if raw else x.centred_anisotropy_a), RAW, "dash", "x", 4),
        ("anisotropy of B", over(lambda x: x.anisotropy_b if raw else x.centred_anisotropy_b), RAW, "dot", "cross", 4),
        ("gap", [gap.gap if gap else None for gap in gaps], GAP, "solid", "diamond", 6),
        ("floor", over(lambda audit: _floor(audit, reading)), FLOOR, "solid", "square", _THIN),
        ("matched", over(lambda audit: _mean(audit, reading)), MATCHED, "solid", "circle", _THIN),
    ]


def _mean(audit: Audit, reading: str) -> float | None:
    found = getattr(audit, reading)
    return None if found is None else found.matched_mean


def _floor(audit: Audit, reading: str) -> float | None:
    found = getattr(audit, reading)
    return None if found is None else found.exact.floor_mean
