"""Colours and manners that all figures share.

Streamlit leaves trace colours as drawn when the theme is switched, so these are mid
tones that stand on white and on near-black, and differ for every kind of colour vision.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

MATCHED = "#3B82F6"  # blue: rows that belong together
FLOOR = "#E07B39"  # orange: rows that do not
RAW = "#8B93A1"  # grey: before centring
CENTRED = "#3B82F6"
GAP = "#1FA187"  # green: matched minus floor
TRACK = "rgba(139, 147, 161, 0.18)"  # the empty part of a gauge or bar
LINE = "rgba(139, 147, 161, 0.45)"

#: For `st.plotly_chart(config=...)`: no logo, and a sharp PNG from the camera button.
CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "png", "scale": 3, "filename": "cosine_floor"},
}


def calm(figure: go.Figure, *, height: int, **layout: Any) -> go.Figure:
    """The figure with the margins and manners of all others."""
    margin = layout.pop("margin", {"l": 8, "r": 8, "t": 8, "b": 8})
    figure.update_layout(height=height, margin=margin, dragmode=False, **layout)
    return figure
