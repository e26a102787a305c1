"""The button of the audit: what it runs, how long that takes, and the way out where it is long."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import environment, run, state
from app.places import SIDES
from app.widgets.slot import missing_files
from app.widgets.work_bar import WorkBar, work_bar
from core.estimate import expected_seconds
from core.limits import OFFERED_CANDIDATES
from core.paired_columns import refuse_other_columns
from core.paired_ids import refuse_other_rows
from core.pairs import refuse_other_shapes
from core.report.numbers import duration

__all__ = ["run_bar"]


def run_bar() -> None:
    """Draw the button of the audit and what stands beside it."""
    run.collect()
    key, result = state.run_key(), state.result()
    current = result is not None and result.key == key
    work_bar(
        WorkBar(
            name="run",
            button="run",
            first="Run the audit",
            again="Run again",
            start=run.start,
            cancel=run.cancel,
            pending=state.pending,
            current=current,
            earlier=result is not None and not current,
            missing=missing_files("audit"),
            failure=state.failure(),
            seconds=lambda: _seconds(state.settings().candidates),
            refuse=_refuse,
            choices=_wait_or_pool,
        )
    )


def _refuse() -> None:
    """Refuse files in use whose shapes, or names of rows or columns, say that they cannot be compared."""
    a, b, fit_a, fit_b = (state.slot(side).found for side in SIDES)
    if a is not None and b is not None:
        refuse_other_shapes(a, b, fit_a, fit_b)
        refuse_other_rows(a.loaded, b.loaded)
        for one, other in ((a, b), (a, fit_a), (b, fit_b)):
            if other is not None:
                refuse_other_columns(one.loaded, other.loaded)


def _seconds(candidates: int | None) -> float:
    """How long an audit of the files in use is expected to take."""
    (n, dim), found = _shape(), state.slot("a").found
    return expected_seconds(
        n,
        dim,
        n_candidates=candidates,
        n_derangements=state.settings().n_derangements,
        repeated=0.0 if found is None else found.repeats.count / max(n, 1),
    )


def _shape() -> tuple[int, int]:
    found = state.slot("a").found
    return found.loaded.shape if found is not None else (0, 0)


def _wait_or_pool() -> None:
    """Where all rows would take long: wait, or rank against a pool of candidates."""
    n, _ = _shape()
    whole, chosen = _seconds(None), state.settings().candidates
    if whole <= environment.offer_seconds() or n <= OFFERED_CANDIDATES:
        return
    pool = chosen or OFFERED_CANDIDATES
    words = {
        None: f"Rank among all {n:,} rows: {duration(whole)}",
        pool: f"Rank among {pool:,} candidates, one seeded pool: {duration(_seconds(pool))}",
    }
    state.set_answer("wait_or_pool", chosen)
    st.radio(
        "Ranking costs time with the square of the rows. Floors, gap and anisotropy are over all rows either way.",
        list(words),
        format_func=words.__getitem__,
        key="wait_or_pool",
        on_change=_choose_pool,
    )


def _choose_pool() -> None:
    chosen = state.answer("wait_or_pool")
    state.set_settings(replace(state.settings(), candidates=chosen))
    state.set_answer("candidates", chosen)
