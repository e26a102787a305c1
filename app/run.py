"""Start work on what a page holds, and take in what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from app import cache, state
from app.jobs import Phase
from app.places import SIDES, TWO_MODELS_SIDES
from app.state import CountKey, Work
from app.widgets.guard import caught, sentence
from core import Audit, AuditError, audit
from core.claim_review import count_claim
from core.claims import Cutoffs
from core.group_ids import GroupIds
from core.inspection import Inspection
from core.memory import leave_room
from core.settings import AuditSettings, refuse_groups_in_a_pool
from core.sweep import Progress
from core.two_models import TwoModelsAudit, audit_two_models

__all__ = ["cancel", "collect", "keep_alive", "refuse_groups_of_a_pool", "start", "start_count", "start_two_models"]

#: Seconds a click waits for the result before progress is shown: a small audit then
#: appears at once, without a bar that flickers by.
QUICK_SECONDS = 0.8


def start() -> None:
    """Submit an audit of the files in use; a running one of this page gives way."""
    key = state.run_key()
    if key is None:
        return
    a, b, fit_a, fit_b = (state.slot(side).found for side in SIDES)
    settings, groups = key[1], state.groups().found

    def work(progress: Progress) -> Audit:
        refuse_groups_of_a_pool(a, groups, settings)
        if a is not None:
            leave_room(*a.loaded.shape, pooled=settings.pooled(a.loaded.shape[0]))
        return audit(
            a, b, fit_a, fit_b, settings=settings, groups=groups, keep_rows=True, progress=progress
        )

    _submit("audit", key, work)


def refuse_groups_of_a_pool(
    a: Inspection | None, groups: GroupIds | None, settings: AuditSettings
) -> None:
    """Refuse groups with a pool of candidates, in the words of the page.

    Raises
    ------
    SettingsError
        Both are given, and there are more rows than candidates.
    """
    if a is not None and groups is not None:
        remedy = 'Under "Options", remove the groups, or empty the box "Candidates".'
        refuse_groups_in_a_pool(settings.candidates, a.loaded.shape[0], remedy=remedy)


def start_two_models() -> None:
    """Submit a comparison of the two models in use; a running one gives way."""
    key = state.two_models_key()
    if key is None:
        return
    a, b, train_a, train_b = (state.slot(side).found for side in TWO_MODELS_SIDES)
    settings, groups = key[1], state.groups().found

    def work(progress: Progress) -> TwoModelsAudit:
        return audit_two_models(a, b, train_a, train_b, settings=settings, groups=groups, progress=progress)

    _submit("two_models", key, work)


def start_count(key: CountKey) -> None:
    """Submit an exact count of the pairs at or above some thresholds; a running one gives way."""
    (_, settings, _), reading, thresholds = key
    groups = state.groups().found
    files = tuple(state.slot(side).found for side in SIDES)

    def work(progress: Progress) -> Cutoffs:
        return count_claim(
            files, thresholds, settings=settings, groups=groups, reading=reading, progress=progress
        )

    _submit("claim", key, work)


def cancel(work: Work = "audit") -> None:
    """Give up running work of this page, if there is any."""
    pending = state.pending(work)
    if pending is not None:
        pending.job.cancel()
        state.set_pending(None, work)


def keep_alive() -> None:
    """Tell running work that its page is open; called on every run of any page."""
    cache.runner()  # the first page opened makes it, so that it is warm when a file has been chosen
    for work in state.WORKS:
        pending = state.pending(work)
        if pending is not None:
            pending.job.tab = cache.tab()


def collect(work: Work = "audit") -> None:
    """Take in what ended work leaves: its result, or why there is none."""
    pending = state.pending(work)
    if pending is None or pending.job.live:
        return
    state.set_pending(None, work)
    job = pending.job
    if job.phase is Phase.DONE and job.outcome is not None:
        _KEEP[work](job.outcome, pending.key)
    elif job.error is not None:
        with caught(partial(_failed, work)):
            raise job.error


def _submit(work: Work, key: Any, task: Callable[[Progress], Any]) -> None:
    cancel(work)
    state.set_failure("", work)
    with caught(partial(_failed, work)):
        job = cache.runner().submit(task, cache.tab())
        state.set_pending(state.Pending(job=job, key=key), work)
        job.wait(QUICK_SECONDS)


def _failed(work: Work, error: AuditError) -> None:
    state.set_failure(sentence(error), work)


#: Where the outcome of each kind of work goes.
_KEEP: dict[Work, Callable[[Any, Any], None]] = {
    "audit": lambda outcome, key: state.set_result(state.Result(audit=outcome, key=key)),
    "two_models": lambda outcome, key: state.set_two_models_result(
        state.TwoModelsResult(audit=outcome, key=key)
    ),
    "claim": lambda outcome, key: state.set_claim(counts=state.claim().counts_with(key, outcome)),
}
