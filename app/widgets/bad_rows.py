"""The box that leaves out rows without a cosine: how many, of which of the files in use."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import state
from app.places import SideName
from app.state import Work
from core.prose import counted

__all__ = ["bad_rows", "left_out_pairs"]

_KEYS: dict[Work, str] = {"audit": "drop_bad_rows", "two_models": "two_models_drop_bad_rows"}


def bad_rows(work: Work) -> None:
    """Offer to leave out rows without a cosine; drawn only where there are any.

    Ticking it speaks of the files in use: with another bad file the box is empty again.
    """
    if not state.bad_files(work):
        return
    key = _KEYS[work]
    state.set_answer(key, state.leaves_out(work))
    st.checkbox(
        _two_models_label() if work == "two_models" else _audit_label(), key=key, on_change=_keep, args=(work,)
    )


def _keep(work: Work) -> None:
    state.set_leaves_out(bool(state.answer(_KEYS[work])), state.bad_files(work), work)


def _audit_label() -> str:
    pairs = _bad("a", "b")
    fit = [(side[-1].upper(), _bad(side)) for side in ("fit_a", "fit_b") if _bad(side)]
    if not pairs:
        rows = " and ".join(f"{counted(count, 'fit row')} of {name}" for name, count in fit)
        return f"Leave out the {rows} with NaN, infinity or only zeros"
    such = f", and such fit rows: {', '.join(f'{count:,} of {name}' for name, count in fit)}" if fit else ""
    return f"{left_out_pairs(pairs)}{such}"


def left_out_pairs(count: int) -> str:
    """What the box offers where pairs are bad."""
    return f"Leave out the {counted(count, 'pair')} with NaN, infinite or zero rows, on both sides"


def _two_models_label() -> str:
    kinds = ((_bad("a", "b"), "pair"), (_bad("train_a", "train_b"), "train pair"))
    parts = " and ".join(counted(count, what) for count, what in kinds if count)
    return f"Leave out the {parts} with NaN, infinite or zero rows, on both sides"


def _bad(*sides: SideName) -> int:
    """How many rows, or pairs of rows, of these places have no cosine."""
    found = (state.slot(side).found for side in sides)
    rows = [one.unusable for one in found if one is not None]
    return len(np.unique(np.concatenate(rows))) if rows else 0
