"""The one primary button of a page, and what happens after it is pressed: the same on every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import streamlit as st

from app.jobs import Job
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from app.widgets.progress import POLL_SECONDS, progress
from core import AuditError
from core.prose import capital
from core.report.numbers import duration

__all__ = ["WorkBar", "nothing", "work_bar"]

#: Expected seconds below which a time is not worth a word.
_WORTH_SAYING = 2.0


class Waiting(Protocol):
    """Work that waits or runs."""

    @property
    def job(self) -> Job: ...


def nothing() -> None:
    """Nothing to draw, nothing to refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkBar:
    """What a page's button does and what stands beside it.

    Attributes
    ----------
    name, button
        Of the containers and of the button, as Streamlit keys.
    first, again
        What the button says, and what it says where a result is from earlier inputs.
    start, cancel
        Callbacks.
    pending
        The work that waits or runs; asked again while it does.
    current, earlier
        A result is of the present inputs; a result is of others.
    missing
        What has to be given first, as a sentence; empty where nothing is missing.
    failure
        Why the newest run gave no result, as a sentence; empty if it did.
    seconds
        How long a run is expected to take.
    runs
        What takes so long, where it is not plain: ``"3 audits"``.
    refuse
        Raises `AuditError` for inputs in use that cannot be compared; said before the click.
    choices
        Draws what may be chosen before a run.
    """

    name: str
    button: str
    first: str
    again: str
    start: Callable[[], None]
    cancel: Callable[[], None]
    pending: Callable[[], Waiting | None]
    current: bool
    earlier: bool
    missing: str
    failure: str
    seconds: Callable[[], float]
    runs: str = ""
    refuse: Callable[[], None] = nothing
    choices: Callable[[], None] = nothing


def work_bar(bar: WorkBar) -> None:
    """Draw the button and, in its own reserved place, progress or failure."""
    running = bar.pending() is not None
    with st.container(horizontal=True, vertical_alignment="center", key=f"{bar.name}_bar"):
        st.button(
            bar.again if bar.earlier and not bar.missing else bar.first,
            type="primary",
            key=bar.button,
            icon=":material/play_arrow:",
            on_click=bar.start,
            disabled=bool(bar.missing) or bar.current or running,
        )
        st.markdown("" if running else _hint(bar))
    if not bar.missing and not bar.current and not running:
        if not bar.failure:
            with caught(_warn):
                bar.refuse()
        bar.choices()
    with st.container(key=f"{bar.name}_progress"):
        if bar.failure:
            st.error(escaped(bar.failure), icon=":material/error:")
        if running:
            st.fragment(_watch, run_every=POLL_SECONDS)(bar)


def _hint(bar: WorkBar) -> str:
    if bar.missing:
        return bar.missing
    if bar.current:
        return "The result below is for these files and settings."
    seconds = bar.seconds()
    if seconds < _WORTH_SAYING:
        return ""
    of_what = f" for {bar.runs}" if bar.runs else ""
    return f"{capital(duration(seconds))}{of_what} on this machine."


def _warn(error: AuditError) -> None:
    st.warning(escaped(sentence(error)), icon=":material/warning:")


def _watch(bar: WorkBar) -> None:
    """Show running work; one full run of the page when it ends."""
    pending = bar.pending()
    if pending is None or not pending.job.live:
        st.rerun()
    progress(pending.job, bar.cancel)
