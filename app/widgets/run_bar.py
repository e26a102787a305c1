"""The one primary button, and what happens after it is pressed."""

from __future__ import annotations

import streamlit as st

from app import cache, run, state
from app.jobs import Job, Phase
from app.widgets.plain import escaped
from core import Audit

__all__ = ["run_bar"]

#: Seconds between two looks at a running audit.
_POLL_SECONDS = 0.4


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
    with st.container(key="progress"):
        if state.failure():
            st.error(escaped(state.failure()), icon=":material/error:")
        if pending is not None:
            st.fragment(_watch, run_every=_POLL_SECONDS)()


def _hint(current: bool, missing: bool, running: bool) -> str:
    if running:
        return ""
    if missing:
        return "Drop a file on A and one on B first."
    return "The result below is for these files and settings." if current else ""


def _watch() -> None:
    """Show a running audit; one full run of the page when it ends."""
    pending = state.pending()
    if pending is None or not pending.job.live:
        st.rerun()
    with st.container(border=True):
        st.progress(pending.job.fraction, text=_progress_words(pending.job))
        if st.button("Cancel", key="cancel", icon=":material/close:"):
            run.cancel()
            st.rerun()


def _progress_words(job: Job[Audit]) -> str:
    if job.phase is Phase.WAITING:
        ahead = cache.runner().ahead_of(job)
        others = "1 audit" if ahead == 1 else f"{ahead} audits"
        return f"Waiting for {others} of this machine to end" if ahead else "Starting"
    left = job.seconds_left
    time = "" if left is None else f", {_duration(left)} left in this step"
    return f"{job.message or 'Fitting the means'}: {job.fraction:.0%}{time}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min"
