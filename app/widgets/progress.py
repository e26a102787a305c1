"""Where running work stands, or why there is no result: the reserved place below a run button."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import cache, run, state
from app.jobs import Job, Phase
from app.state import Work
from app.widgets.plain import escaped
from core.report.numbers import duration

__all__ = ["WORTH_SAYING", "progress"]

#: Expected seconds below which a time is not worth a word.
WORTH_SAYING = 2.0

#: Seconds between two looks at running work.
_POLL_SECONDS = 0.4


def progress(work: Work) -> None:
    """Draw the progress or the failure of one kind of work."""
    with st.container(key="progress"):
        if state.failure(work):
            st.error(escaped(state.failure(work)), icon=":material/error:")
        if state.pending(work) is not None:
            st.fragment(_watch, run_every=_POLL_SECONDS)(work)


def _watch(work: Work) -> None:
    """Show running work; one full run of the page when it ends."""
    pending = state.pending(work)
    if pending is None or not pending.job.live:
        st.rerun()
    with st.container(border=True):
        st.progress(pending.job.fraction, text=_progress_words(pending.job))
        if st.button("Cancel", key="cancel", icon=":material/close:"):
            run.cancel(work)
            st.rerun()


def _progress_words(job: Job[Any]) -> str:
    if job.phase is Phase.WAITING:
        ahead = cache.runner().ahead_of(job)
        others = "1 audit" if ahead == 1 else f"{ahead} audits"
        return f"Waiting for {others} of this machine to end" if ahead else "Starting"
    left = job.seconds_left
    time = "" if left is None else f", {duration(left)} left in this step"
    return f"{job.message or 'Fitting the means'}: {job.fraction:.0%}{time}"
