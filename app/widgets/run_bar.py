"""The one primary button, and what happens after it is pressed."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import run, state
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from app.widgets.progress import POLL_SECONDS, progress
from core import AuditError
from core.estimate import expected_seconds
from core.limits import OFFER_SECONDS, OFFERED_CANDIDATES
from core.pairs import refuse_other_shapes
from core.report.numbers import duration

__all__ = ["run_bar"]

#: Expected seconds below which a time is not worth a word.
_WORTH_SAYING = 2.0


def run_bar() -> None:
    """Draw the button and, in its own reserved place, progress or failure."""
    run.collect()
    key, result, pending = state.run_key(), state.result(), state.pending()
    current = result is not None and result.key == key
    earlier = result is not None and not current
    with st.container(horizontal=True, vertical_alignment="center", key="run_bar"):
        st.button(
            "Run again" if earlier and key is not None else "Run the audit",
            type="primary",
            key="run",
            icon=":material/play_arrow:",
            on_click=run.start,
            disabled=key is None or current or pending is not None,
        )
        st.markdown(_hint(current, key is None, pending is not None))
    if key is not None and not current and pending is None:
        if not state.failure():
            _say_unlike()
        _wait_or_pool()
    with st.container(key="progress"):
        if state.failure():
            st.error(escaped(state.failure()), icon=":material/error:")
        if pending is not None:
            st.fragment(_watch, run_every=POLL_SECONDS)()


def _say_unlike() -> None:
    """Say before the click that the files in use cannot be compared."""
    a, b, fit_a, fit_b = (state.slot(side).found for side in state.SIDES)
    if a is not None and b is not None:
        with caught(_warn):
            refuse_other_shapes(a, b, fit_a, fit_b)


def _warn(error: AuditError) -> None:
    st.warning(escaped(sentence(error)), icon=":material/warning:")


def _hint(current: bool, missing: bool, running: bool) -> str:
    if running:
        return ""
    if missing:
        return "Drop a file on A and one on B first."
    if current:
        return "The result below is for these files and settings."
    seconds = _seconds(state.settings().candidates)
    return f"{_capital(duration(seconds))} on this machine." if seconds >= _WORTH_SAYING else ""


def _seconds(candidates: int | None) -> float:
    """How long an audit of the files in use is expected to take."""
    n, dim = _shape()
    return expected_seconds(n, dim, n_candidates=candidates, n_derangements=state.settings().n_derangements)


def _shape() -> tuple[int, int]:
    found = state.slot("a").found
    return found.loaded.shape if found is not None else (0, 0)


def _wait_or_pool() -> None:
    """Where all rows would take long: wait, or rank against a pool of candidates."""
    n, _ = _shape()
    whole, chosen = _seconds(None), state.settings().candidates
    if whole <= OFFER_SECONDS or n <= OFFERED_CANDIDATES:
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


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _watch() -> None:
    """Show a running audit; one full run of the page when it ends."""
    pending = state.pending()
    if pending is None or not pending.job.live:
        st.rerun()
    progress(pending.job, run.cancel)
