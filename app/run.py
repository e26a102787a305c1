"""Start an audit of what the page holds, and take in what it leaves."""

from __future__ import annotations

from app import cache, state
from app.jobs import Phase
from app.widgets.guard import caught, sentence
from core import Audit, AuditError, audit
from core.sweep import Progress

__all__ = ["cancel", "collect", "keep_alive", "start"]

#: Seconds a click waits for the result before progress is shown: a small audit then
#: appears at once, without a bar that flickers by.
QUICK_SECONDS = 0.8


def start() -> None:
    """Submit an audit of the files in use; a running one of this page gives way."""
    key = state.run_key()
    if key is None:
        return
    cancel()
    a, b, fit_a, fit_b = (state.slot(side).found for side in state.SIDES)
    settings = key[1]

    def work(progress: Progress) -> Audit:
        return audit(a, b, fit_a, fit_b, settings=settings, progress=progress)

    state.set_failure("")
    with caught(_failed):
        job = cache.runner().submit(work, cache.tab())
        state.set_pending(state.PendingAudit(job=job, key=key))
        job.wait(QUICK_SECONDS)


def cancel() -> None:
    """Give up the running audit of this page, if there is one."""
    pending = state.pending()
    if pending is not None:
        pending.job.cancel()
        state.set_pending(None)


def keep_alive() -> None:
    """Tell a running audit that its page is open; called on every run of any page."""
    cache.runner()  # the first page opened makes it, so that it is warm when a file has been chosen
    pending = state.pending()
    if pending is not None:
        pending.job.tab = cache.tab()


def collect() -> None:
    """Take in what an ended audit leaves: its result, or why there is none."""
    pending = state.pending()
    if pending is None or pending.job.live:
        return
    state.set_pending(None)
    job = pending.job
    if job.phase is Phase.DONE and job.outcome is not None:
        state.set_result(state.Result(audit=job.outcome, key=pending.key))
    elif job.error is not None:
        with caught(_failed):
            raise job.error


def _failed(error: AuditError) -> None:
    state.set_failure(sentence(error))
