"""What is shown of a running job: how far it is, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import cache
from app.jobs import Job, Phase
from app.widgets.plain import escaped
from core.prose import counted
from core.report.numbers import duration

__all__ = ["POLL_SECONDS", "progress"]

#: Seconds between two looks at a running job.
POLL_SECONDS = 0.4


def progress(job: Job[Any], cancel: Callable[[], None], *, key: str = "cancel") -> None:
    """Draw the bar of a live job, and a button that calls `cancel`."""
    with st.container(border=True):
        st.progress(job.fraction, text=_words(job))
        if st.button("Cancel", key=key, icon=":material/close:"):
            cancel()
            st.rerun()


def _words(job: Job[Any]) -> str:
    if job.phase is Phase.WAITING:
        ahead = cache.runner().ahead_of(job)
        others = counted(ahead, "audit")
        return f"Waiting for {others} of this machine to end" if ahead else "Starting"
    left = job.seconds_left
    time = "" if left is None else f", {duration(left)} left in this step"
    return f"{escaped(job.message) or 'Fitting the means'}: {job.fraction:.0%}{time}"
