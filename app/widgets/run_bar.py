"""The button of the audit: what it runs, how long that takes, and the way out where it is long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import streamlit as st

from app import environment, run, state
from app.places import SIDES
from app.widgets.slot import missing_files
from app.widgets.work_bar import WorkBar, work_bar
from core.estimate import expected_audit_seconds, pool_pays, too_close
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
    close = cache(_close)  # asked up to three times while the bar is drawn
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
            seconds=lambda: _seconds(state.settings().candidates, close=close()),
            refuse=_refuse,
            choices=lambda: _wait_or_pool(close),
        )
    )


def _refuse() -> None:
    """Refuse files in use whose shapes, or names of rows or columns, say that they cannot be compared."""
    a, b, fit_a, fit_b = (state.slot(side).found for side in SIDES)
    run.refuse_groups_of_a_pool(a, state.groups().found, state.settings())
    if a is not None and b is not None:
        refuse_other_shapes(a, b, fit_a, fit_b)
        refuse_other_rows(a.loaded, b.loaded)
        for one, other in ((a, b), (a, fit_a), (b, fit_b)):
            if other is not None:
                refuse_other_columns(one.loaded, other.loaded)


def _close() -> bool:
    """Whether most scores of the files in use must be done in float64."""
    a, b = state.slot("a").found, state.slot("b").found
    return a is not None and b is not None and too_close(a, b)


def _seconds(candidates: int | None, *, close: bool) -> float:
    """How long an audit of the files in use is expected to take."""
    a, b = state.slot("a").found, state.slot("b").found
    if a is None or b is None:
        return 0.0
    settings = replace(state.settings(), candidates=candidates)
    return expected_audit_seconds(a, b, settings, close=close, groups=state.groups().found)


def _n_rows() -> int:
    found = state.slot("a").found
    return 0 if found is None else found.loaded.shape[0]


def _wait_or_pool(close: Callable[[], bool]) -> None:
    """Where all rows would take long and a pool of candidates clearly less: wait, or rank against one.

    As many candidates as rows are no pool, and groups cannot be combined with one.
    """
    n, chosen = _n_rows(), state.settings().candidates
    if chosen is not None and chosen >= n:
        chosen = None
    pool = chosen or OFFERED_CANDIDATES
    if n <= max(pool, OFFERED_CANDIDATES) or state.groups().found is not None:
        return
    whole = _seconds(None, close=close())
    if whole <= environment.offer_seconds():
        return
    pooled = _seconds(pool, close=close())
    if not pool_pays(whole, pooled):
        return
    words = {
        None: f"Rank among all {n:,} rows: {duration(whole)}",
        pool: f"Rank among {pool:,} candidates, one seeded pool: {duration(pooled)}",
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
