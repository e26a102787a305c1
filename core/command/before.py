"""Before a command audits its files: workers that have room, and what a person is told of the time."""

from __future__ import annotations

from dataclasses import replace

from core.command.terminal import say_how_long, watched
from core.estimate import expected_audit_seconds, expected_count_seconds, pool_pays
from core.formats.ids import GroupIds
from core.inspection import Inspection
from core.limits import OFFER_SECONDS, OFFERED_CANDIDATES, SAY_SECONDS
from core.memory import leave_room
from core.report.numbers import count, duration
from core.settings import AuditSettings

__all__ = ["before_audit", "before_reading"]

#: An expected time is said again where the rows, once read, make it so many times as long.
_SAID_AGAIN = 1.5


def before_reading(
    headers: tuple[Inspection, Inspection] | None,
    settings: AuditSettings,
    *,
    groups: GroupIds | None,
    counts: bool = False,
) -> float:
    """Say how long it will take as far as the headers of large files tell; the seconds said, 0 for none."""
    if headers is None:
        return 0.0
    return _say(*headers, settings, groups=groups, fixed=False, counts=counts, rows_read=False, said=0.0)


def before_audit(
    a: Inspection,
    b: Inspection,
    settings: AuditSettings,
    *,
    said: float = 0.0,
    groups: GroupIds | None,
    counts: bool = False,
    fixed: bool = False,
) -> None:
    """Leave room to the audit, and say how long it will take where that is not said or was too little.

    Parameters
    ----------
    said : float
        From `before_reading`.
    groups : GroupIds or None
        Which rows belong together: a pool of candidates is no way out then.
    counts : bool
        Whether all pairs are counted for a claim afterwards.
    fixed : bool
        Whether the settings are given, so that there is no way out.
    """
    leave_room(*a.loaded.shape, pooled=settings.pooled(a.loaded.shape[0]))
    _say(a, b, settings, groups=groups, fixed=fixed, counts=counts, rows_read=True, said=said)


def _say(
    a: Inspection,
    b: Inspection,
    settings: AuditSettings,
    *,
    groups: GroupIds | None,
    fixed: bool,
    counts: bool,
    rows_read: bool,
    said: float,
) -> float:
    if not watched():
        return 0.0
    n, dim = a.loaded.shape
    counting = expected_count_seconds(n, dim) if counts else 0.0
    close = None if rows_read else False
    seconds = counting + expected_audit_seconds(a, b, settings, close=close, groups=groups)
    if said >= SAY_SECONDS and seconds < _SAID_AGAIN * said:
        return said
    tail = f", {duration(counting)} of it to count all pairs" if counting >= SAY_SECONDS else ""
    if groups is None and not fixed:
        tail += _way_out(a, b, settings, seconds, counting, rows_read=rows_read)
    say_how_long(f"{count(n)} rows", seconds, tail)
    return seconds


def _way_out(
    a: Inspection, b: Inspection, settings: AuditSettings, seconds: float, counting: float, *, rows_read: bool
) -> str:
    """The pool of candidates, where the wait is long and it clearly shortens it."""
    if seconds <= OFFER_SECONDS or settings.candidates is not None or a.loaded.shape[0] <= OFFERED_CANDIDATES:
        return ""
    pooled = replace(settings, candidates=OFFERED_CANDIDATES)
    pool = counting + expected_audit_seconds(a, b, pooled, close=None if rows_read else False)
    if not pool_pays(seconds, pool):
        return ""
    return f"; --candidates {OFFERED_CANDIDATES} ranks against a seeded pool instead"
