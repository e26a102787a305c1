"""What the server does once, before the first audit: load what is slow to load."""

from __future__ import annotations

import gc
import io

import numpy as np
import pandas as pd

from app.plots.gauge import anisotropy_gauge
from app.plots.histograms import matched_over_floor
from app.plots.ranks import rank_bars
from core import audit, inspect, read_array
from core.limits import EXACT_SWEEP_ROWS

__all__ = ["warm_up"]

#: Just enough rows for the compiled loops to be used.
_ROWS, _DIMS = EXACT_SWEEP_ROWS + 1, 8


def warm_up() -> None:
    """Load the compiled loops with a small audit, draw it, and spare the garbage collector what stays.

    Loading loops and drawing libraries takes seconds in which no page would get an answer. Streamlit ends each run
    of a page with a full collection; over all the libraries that takes 0.1 to 0.2 s, over
    what comes after them next to nothing.
    """
    rng = np.random.default_rng(0)
    a, b = (inspect(read_array(_npy(rng), f"{side}.npy")) for side in "ab")
    result = audit(a, b)
    for draw in (matched_over_floor, rank_bars):
        draw(result)
    anisotropy_gauge(result.anisotropy_a)
    pd.DataFrame({"": [0.0]}).style.to_html()  # loads what the tables of a result are made with
    gc.collect()
    gc.freeze()


def _npy(rng: np.random.Generator) -> bytes:
    file = io.BytesIO()
    np.save(file, rng.standard_normal((_ROWS, _DIMS)).astype(np.float32))
    return file.getvalue()
