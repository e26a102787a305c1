"""Signed differences of gaps with their intervals, raw and centred, against zero."""

from __future__ import annotations

import plotly.graph_objects as go

from app.plots.palette import CENTRED, LINE, RAW, TRACK, calm
from core.comparison import Comparison
from core.gap_differences import GapDifference
from core.report.conditions_figures import difference_intervals
from core.report.conditions_words import differences_in_words, title_of

__all__ = ["difference_plot", "differences_alt"]

#: Height of one comparison with its two readings, and of axis and legend.
_ROW, _REST = 56, 96

#: Longest name drawn beside the figure; the tables have the whole.
_NAME = 26


def difference_plot(comparison: Comparison) -> go.Figure:
    """A point with its interval for each comparison and reading; a declared margin is shaded."""
    figure = go.Figure()
    places = list(range(len(comparison.raw)))
    for name, found, colour, offset in (
        ("raw", comparison.raw, RAW, -0.13),
        ("centred", comparison.centred, CENTRED, 0.13),
    ):
        if found:
            figure.add_scatter(
                x=[one.mean for one in found],
                y=[_place(one, comparison) + offset for one in found],
                error_x={"type": "data", "array": [_reach(one) for one in found], "thickness": 2, "width": 5},
                mode="markers",
                name=name,
                marker={"color": colour, "size": 9, "symbol": "circle" if name == "centred" else "diamond"},
                customdata=[_hover(one) for one in found],
                hovertemplate="%{customdata}, " + name + "<extra></extra>",
            )
    figure.add_vline(x=0, line={"color": LINE, "dash": "dot", "width": 2})
    margin = comparison.settings.margin
    if margin is not None:
        figure.add_vrect(x0=-margin, x1=margin, fillcolor=TRACK, line_width=0, layer="below")
    figure.update_xaxes(title="difference of the gap", zeroline=False, nticks=5)
    figure.update_yaxes(
        tickvals=places,
        ticktext=[_short(title_of(one)) for one in comparison.raw],
        range=[len(places) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return calm(
        figure,
        height=_ROW * len(places) + _REST,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
    )


def differences_alt(comparison: Comparison) -> str:
    """The figure in words, for screen readers."""
    return difference_intervals(comparison).description


def _place(one: GapDifference, comparison: Comparison) -> int:
    """Row of the figure that a difference stands in: that of the same conditions raw."""
    pairs = [(raw.first, raw.second) for raw in comparison.raw]
    return pairs.index((one.first, one.second))


def _reach(one: GapDifference) -> float:
    """Half the width of the interval; 0, which draws nothing, where there is none."""
    return 0.0 if one.interval is None else one.interval[1] - one.mean


def _hover(one: GapDifference) -> str:
    return _plain(differences_in_words([one]))


def _short(name: str) -> str:
    """A name that leaves room for the figure; long ones break at the minus sign."""
    first, minus, second = name.partition(" − ")
    parts = [_plain(part if len(part) <= _NAME else f"{part[: _NAME - 1]}…") for part in (first, second)]
    return (
        f"{parts[0]}<br>{minus.strip()} {parts[1]}" if len(name) > _NAME else f"{parts[0]}{minus}{parts[1]}"
    )


def _plain(text: str) -> str:
    """Text that plotly, which reads a few HTML tags, shows as it is."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
