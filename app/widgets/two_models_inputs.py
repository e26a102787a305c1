"""What the page of two models asks for: train rows, a seed, and the button."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from app import ingest, run, state
from app.widgets.plain import escaped
from app.widgets.progress import POLL_SECONDS, progress
from app.widgets.slot import slot
from app.widgets.terms import tooltip
from app.widgets.welcome import file_rules
from core.estimate import expected_two_models_seconds
from core.report.numbers import duration
from core.spaces import GOOD_TRAIN_RATIO

__all__ = ["header", "keep_in_mind", "train_rows", "two_models_bar", "two_models_form"]

#: Expected seconds below which a time is not worth a word.
_WORTH_SAYING = 2.0

#: Largest seed the number box takes: the largest whole number a browser holds exactly.
_MAX_SEED = 2**53 - 1


def header() -> None:
    """Title, the question in a few sentences, and the example."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="header"):
        st.title("Two models", anchor=False, width="content")
        st.button(
            "Try it with two real encoders",
            key="two_models_example",
            icon=":material/science:",
            on_click=ingest.load_two_models_example,
        )
    st.markdown(
        "Rows of two models have coordinates of their own, so a cosine between them means nothing, high or low. "
        "What can be read is how well the rows match after a map fitted on *other* items, and whether both models "
        "find the same rows alike. The two files may differ in width."
    )


def keep_in_mind() -> None:
    """What the example is, or what to know before a file is dropped."""
    if state.shows_example("two_models"):
        st.markdown(
            "The example: the first halves of 400 sections of the Python documentation by all-MiniLM-L6-v2 (A) and "
            "by multilingual-e5-small (B), and 600 other sections by both to train the map."
        )
        return
    st.markdown(f"{file_rules()} A and B are the same two places as on the page Audit.")


def train_rows() -> None:
    """The two places for train rows, and what happens without them."""
    with st.container(border=True, key="train_card"):
        st.markdown("**Train rows**", help=tooltip("train rows"))
        st.markdown(
            "Other items, encoded by both models and in the same order, that the map is fitted on: at least "
            f"{GOOD_TRAIN_RATIO} for each column of the wider file is good, fewer than columns is too few. "
            "**Without train rows**, half of the pairs of A and B, drawn with the seed, train the map, and only the "
            "other half is compared."
        )
        for column, side in zip(st.columns(2), ("train_a", "train_b"), strict=True):
            with column:
                slot(side, f"Train rows of {side[-1].upper()} (optional)")


def two_models_form() -> None:
    """The seed, and whether bad rows are left out, where there are any."""
    kept = state.two_models_settings()
    st.number_input(
        "Seed",
        min_value=0,
        max_value=_MAX_SEED,
        value=kept.seed,
        step=1,
        help=tooltip("seed"),
        width=200,
        **_kept("seed"),
    )
    if state.has_bad_rows(state.TWO_MODELS_SIDES):
        st.checkbox(
            "Leave out the pairs with NaN, infinite or zero rows, on both sides",
            value=kept.drop_bad_rows,
            **_kept("drop_bad_rows"),
        )


def two_models_bar() -> None:
    """Draw the button and, in its own reserved place, progress or failure."""
    run.collect("two_models")
    key, result, pending = state.two_models_key(), state.two_models_result(), state.pending("two_models")
    current = result is not None and result.key == key
    earlier = result is not None and not current
    with st.container(horizontal=True, vertical_alignment="center", key="two_models_run_bar"):
        st.button(
            "Run again" if earlier and key is not None else "Compare the two models",
            type="primary",
            key="run_two_models",
            icon=":material/play_arrow:",
            on_click=run.start_two_models,
            disabled=key is None or current or pending is not None,
        )
        st.markdown(_hint(current, key is None, pending is not None))
    with st.container(key="progress"):
        if state.failure("two_models"):
            st.error(escaped(state.failure("two_models")), icon=":material/error:")
        if pending is not None:
            st.fragment(_watch, run_every=POLL_SECONDS)()


def _watch() -> None:
    """Show a running comparison; one full run of the page when it ends."""
    pending = state.pending("two_models")
    if pending is None or not pending.job.live:
        st.rerun()
    progress(pending.job, partial(run.cancel, "two_models"))


def _hint(current: bool, missing: bool, running: bool) -> str:
    if running:
        return ""
    if missing:
        return "Drop a file on A and one on B first."
    if current:
        return "The result below is for these files and settings."
    seconds = _seconds()
    words = duration(seconds)
    return f"{words[:1].upper()}{words[1:]} on this machine." if seconds >= _WORTH_SAYING else ""


def _seconds() -> float:
    """How long a comparison of the files in use is expected to take."""
    found = [state.slot(side).found for side in state.TWO_MODELS_SIDES]
    a, b, train = (one.loaded.shape if one is not None else (0, 0) for one in found[:3])
    return expected_two_models_seconds(a[0], a[1], b[1], n_train=train[0])


def _kept(field: str) -> dict[str, Any]:
    """Key and callback of an input, so that a field of the settings outlives its widget."""
    return {"key": f"two_models_{field}", "on_change": _keep, "args": (field,)}


def _keep(field: str) -> None:
    value = state.answer(f"two_models_{field}")
    if value is not None:
        state.set_two_models_settings(replace(state.two_models_settings(), **{field: value}))
