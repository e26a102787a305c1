"""Colours and manners that all figures share.

Streamlit leaves trace colours as drawn when the theme is switched, so these are the mid
tones of the reports' figures, which stand on white and on near-black.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from core.report.svg import COLOURS as ROLES

__all__ = ["CENTRED", "CONFIG", "FLOOR", "GAP", "LINE", "MATCHED", "RAW", "ROLES", "TRACK", "calm"]

MATCHED = ROLES["matched"]  # blue: rows that belong together
FLOOR = ROLES["floor"]  # orange: rows that do not
RAW = ROLES["raw"]  # grey: before centring
CENTRED = ROLES["centred"]
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
