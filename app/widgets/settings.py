"""Fit arrays and settings: everything that may stay as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from app import state
from app.widgets.groups import groups_box
from app.widgets.slot import slot
from app.widgets.terms import tooltip
from core.limits import LARGEST_WHOLE, MAX_DERANGEMENTS, MIN_CANDIDATES, SMALLEST_MARGIN
from core.prose import counted

__all__ = ["panel"]

#: Settings whose empty box means something: all rows, no margin.
_MAY_BE_EMPTY = ("candidates", "margin")


def panel() -> None:
    """Draw the optional inputs, folded away."""
    with st.expander(f"Options{_summary()}", icon=":material/tune:", key="options"):
        st.markdown(
            "Nothing here has to be set. Centring subtracts a mean from every row; it is made of the compared rows, "
            "or of other rows of the same models where you give some (fit arrays), a train split for instance."
        )
        for column, side in zip(st.columns(2), ("fit_a", "fit_b"), strict=True):
            with column:
                slot(side, f"Rows to fit the mean of {side[-1].upper()} on (optional)")
        groups, margin = st.columns(2)
        with groups:
            groups_box()
        with margin:
            _margin()
        _form()


def _margin() -> None:
    """The difference that would not matter, declared before the run."""
    with st.container(border=True, key="margin_card", height="stretch"):
        st.number_input(
            "Margin: the largest gap that would not matter (optional)",
            min_value=SMALLEST_MARGIN,
            max_value=2.0,
            value=None,
            step=0.01,
            format="%g",
            placeholder="none declared",
            help=tooltip("margin"),
            **_kept("margin"),
        )
        st.markdown("In cosine. Declare it before you look: only then can the verdict be that there is no larger gap. "
            "A margin changed after a first result is reported as such.")


def _form() -> None:
    mean, derangements, seed, candidates = st.columns(4, vertical_alignment="bottom")
    mean.checkbox(
        "One mean for both sides",
        help=tooltip("shared mean"),
        **_kept("shared_mean"),
    )
    derangements.number_input(
        "Derangements",
        min_value=1,
        max_value=MAX_DERANGEMENTS,
        step=1,
        help=tooltip("derangement"),
        **_kept("n_derangements"),
    )
    seed.number_input(
        "Seed",
        min_value=0,
        max_value=LARGEST_WHOLE,
        step=1,
        help=tooltip("seed"),
        **_kept("seed"),
    )
    candidates.number_input(
        "Candidates",
        min_value=MIN_CANDIDATES,
        max_value=LARGEST_WHOLE,
        value=None,
        step=1,
        placeholder="all rows",
        help=tooltip("candidates"),
        **_kept("candidates"),
    )


def _kept(field: str) -> dict[str, Any]:
    """Key and callback of an input, so that a field of the settings outlives its widget.

    Its value is given beforehand, not as `value`: the run bar and a link may change it too.
    """
    state.first_answer(field, getattr(state.settings(), field))
    return {"key": field, "on_change": _keep, "args": (field,)}


def _keep(field: str) -> None:
    value = state.answer(field)
    if value is not None or field in _MAY_BE_EMPTY:
        state.set_settings(replace(state.settings(), **{field: value}))


def _summary() -> str:
    """What differs from the defaults, so that it is not hidden in the fold."""
    kept = state.settings()
    given = [side for side in ("fit_a", "fit_b") if state.slot(side).found is not None]
    parts = [f"fit array of {side[-1].upper()}" for side in given]
    if kept.shared_mean:
        parts.append("one mean")
    if kept.n_derangements != 20:
        parts.append(counted(kept.n_derangements, "derangement"))
    if kept.seed != 0:
        parts.append(f"seed {kept.seed}")
    if kept.margin is not None:
        parts.append(f"margin {kept.margin:g}")
    if state.groups().found is not None:
        parts.append("groups")
    if kept.candidates is not None:
        parts.append(f"{kept.candidates:,} candidates")
    return f": {', '.join(parts)}" if parts else ""
