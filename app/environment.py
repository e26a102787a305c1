"""What whoever starts the dashboard sets for it, by environment variables; read here and nowhere else.

Each is off, or at its default, unless set. What cannot be used is said on the page in one
sentence instead of being guessed at.
"""

from __future__ import annotations

import math
import os

from core.errors import SettingsError
from core.limits import MAX_WORKERS, OFFER_SECONDS
from core.sweep.workers import usable_cores

__all__ = ["data_folder", "jobs_at_once", "offer_seconds", "refuse_unusable", "workers"]

DATA_DIR = "COSINE_FLOOR_DATA_DIR"
WORKERS = "COSINE_FLOOR_WORKERS"
JOBS = "COSINE_FLOOR_JOBS"
OFFER = "COSINE_FLOOR_OFFER_SECONDS"

#: Most jobs that may run side by side: each holds its own files in memory.
MAX_JOBS = 16


def data_folder() -> str:
    """The folder whose files are offered; empty for none."""
    return os.environ.get(DATA_DIR, "")


def workers() -> int:
    """Threads of one job: as set, or the cores divided among the jobs.

    Raises
    ------
    SettingsError
        What is set is no such number.
    """
    return _whole(WORKERS, MAX_WORKERS) or max(1, usable_cores() // jobs_at_once())


def jobs_at_once() -> int:
    """Jobs that run side by side in the whole server; 1 unless set.

    Raises
    ------
    SettingsError
        What is set is no such number.
    """
    return _whole(JOBS, MAX_JOBS) or 1


def offer_seconds() -> float:
    """Expected seconds above which the page offers a pool of candidates.

    Raises
    ------
    SettingsError
        What is set is no number of seconds.
    """
    text = os.environ.get(OFFER, "").strip()
    if not text:
        return OFFER_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (seconds >= 0 and math.isfinite(seconds)):
        raise SettingsError(
            f"{OFFER} is {text[:40]!r}; it must be a number of seconds, 0 or more",
            remedy=f"Leave it unset for {OFFER_SECONDS:g}.",
        )
    return seconds


def refuse_unusable() -> None:
    """Check all of them at once.

    Raises
    ------
    SettingsError
        For the first that cannot be used.
    """
    workers(), jobs_at_once(), offer_seconds()


def _whole(name: str, most: int) -> int | None:
    """A whole number from 1; `None` where it is not set."""
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise SettingsError(
            f"{name} is {text[:40]!r}; it must be a whole number from 1 to {most}",
            remedy="Leave it unset for the default.",
        )
    return int(text)
