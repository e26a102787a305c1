"""The demo's figures as plain data: bars, the histograms below them, and a line at chance.

`app.widgets.bar_figure` draws them. A general chart takes about 100 ms to redraw three
figures, a third of what a room waits for a control; these are a few bars and two outlines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.plots.palette import CENTRED, FLOOR, MATCHED, RAW
from core.demo import PairedUp, Standing
from core.report.numbers import fixed, percent

__all__ = ["LOWEST", "cosines_over_their_bins", "partners_found"]

#: The axis of cosines is one for all encoders, so that lengths of bars compare. Only the tail of one,
#: 4 in 1,000 of the unrelated pairs of centred GloVe, reaches further down.
LOWEST = -0.6


def cosines_over_their_bins(name: str, reading: PairedUp, *, paired: str, others: str) -> dict[str, Any]:
    """Bars of both means over the histograms they summarise, on one axis from `LOWEST` to 1."""
    return {
        "low": LOWEST,
        "high": 1.01,
        "ticks": [[-0.5, "−0.5"], [0, "0"], [0.5, "0.5"], [1, "1"]],
        "bars": [_bar(paired, reading.matched_mean, MATCHED), _bar(others, reading.floor_mean, FLOOR)],
        "curves": [
            _outline(reading, shares, called, colour)
            for shares, called, colour in (
                (reading.unrelated, others, FLOOR),
                (reading.matched, paired, MATCHED),
            )
        ],
        "mark": None,
        "alt": (
            f"{name} cosines: bars and histograms; {paired} around {fixed(reading.matched_mean)}, "
            f"{others} around {fixed(reading.floor_mean)}."
        ),
    }


def partners_found(now: Standing, *, who: str) -> dict[str, Any]:
    """Two bars from 0 to 100%, and a line at chance."""
    raw, centred = now.raw.partner_first, now.centred.partner_first
    return {
        "low": 0,
        "high": 1.01,
        "ticks": [[share / 4, f"{25 * share}%"] for share in range(5)],
        "bars": [
            {**_bar("raw", raw, RAW), "says": percent(raw)},
            {**_bar("centred", centred, CENTRED), "says": percent(centred)},
        ],
        "curves": [],
        "mark": {"value": now.chance, "label": f"chance {percent(now.chance)}", "colour": FLOOR},
        "alt": (
            f"Bars: {who} ranked first for {percent(raw)} of rows raw and {percent(centred)} centred; "
            f"by chance {percent(now.chance)}."
        ),
    }


def _bar(name: str, value: float, colour: str) -> dict[str, Any]:
    return {"name": name, "value": value, "says": fixed(value), "colour": colour}


def _outline(reading: PairedUp, shares: NDArray[np.float64], name: str, colour: str) -> dict[str, Any]:
    """The bins that hold anything, from the left edge of the first; all are equally wide."""
    used = np.flatnonzero(shares)
    cut = slice(used[0], used[-1] + 1)
    return {
        "name": name,
        "colour": colour,
        "left": float(reading.edges[used[0]]),
        "width": float(reading.edges[1] - reading.edges[0]),
        "shares": shares[cut].round(6).tolist(),
    }
