"""What the page of two models asks for: train rows, a seed, and the button."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from app import ingest, run, state
from app.places import TWO_MODELS_SIDES
from app.widgets.bad_rows import bad_rows
from app.widgets.groups import groups_box
from app.widgets.slot import missing_files, slot
from app.widgets.terms import tooltip
from app.widgets.welcome import file_rules
from app.widgets.work_bar import WorkBar, work_bar
from core.estimate import expected_two_models_seconds
from core.spaces import GOOD_TRAIN_RATIO
from core.two_models import refuse_unlike

__all__ = ["header", "keep_in_mind", "train_rows", "two_models_bar", "two_models_form"]

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
    """The seed, ids of groups, and whether bad rows are left out, where there are any."""
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
    groups_box()
    bad_rows("two_models")


def two_models_bar() -> None:
    """Draw the button of the comparison and what stands beside it."""
    run.collect("two_models")
    key, result = state.two_models_key(), state.two_models_result()
    current = result is not None and result.key == key
    work_bar(
        WorkBar(
            name="two_models",
            button="run_two_models",
            first="Compare the two models",
            again="Run again",
            start=run.start_two_models,
            cancel=partial(run.cancel, "two_models"),
            pending=partial(state.pending, "two_models"),
            current=current,
            earlier=result is not None and not current,
            missing=missing_files("two_models"),
            failure=state.failure("two_models"),
            seconds=_seconds,
            refuse=_refuse,
        )
    )


def _refuse() -> None:
    """Refuse files in use whose shapes say that they cannot be compared."""
    a, b, train_a, train_b = (state.slot(side).found for side in TWO_MODELS_SIDES)
    if a is not None and b is not None:
        refuse_unlike(a, b, train_a, train_b)


def _seconds() -> float:
    """How long a comparison of the files in use is expected to take."""
    found = [state.slot(side).found for side in TWO_MODELS_SIDES]
    a, b, train = (one.loaded.shape if one is not None else (0, 0) for one in found[:3])
    return expected_two_models_seconds(a[0], a[1], b[1], n_train=train[0])


def _kept(field: str) -> dict[str, Any]:
    """Key and callback of an input, so that a field of the settings outlives its widget."""
    return {"key": f"two_models_{field}", "on_change": _keep, "args": (field,)}


def _keep(field: str) -> None:
    value = state.answer(f"two_models_{field}")
    if value is not None:
        state.set_two_models_settings(replace(state.two_models_settings(), **{field: value}))
