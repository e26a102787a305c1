"""Long work beside the page: background threads, a short queue, progress, cancel.

The page submits a job and polls it; the thread never touches Streamlit. One job runs at
a time in the whole process, because an audit already uses every core; whoever starts the
server may allow more, which then share the cores. A job whose tab
has been closed for a while cancels itself, and whatever ends a job, its arrays go.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Generic, TypeVar

from core.errors import Cancelled, LimitError
from core.prose import agreed, counted
from core.sweep import Progress
from core.sweep.workers import steady

__all__ = ["Job", "Phase", "Runner", "Tab"]

Outcome = TypeVar("Outcome")

#: Jobs that may wait. More would wait longer than a person does.
MAX_WAITING = 8

#: Seconds a job outlives its closed tab: a lost connection usually returns within a few.
GRACE_SECONDS = 20.0


class Phase(Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Tab:
    """One open page; knows since when it has been closed."""

    def __init__(self) -> None:
        self._closed_at: float | None = None

    def close(self) -> None:
        """Note that nobody is looking any more."""
        self._closed_at = time.monotonic()

    def gone_for(self, seconds: float) -> bool:
        """True if the page was closed at least so long ago."""
        return self._closed_at is not None and time.monotonic() - self._closed_at >= seconds


class Job(Generic[Outcome]):
    """One piece of work: waits, runs, ends. Safe to read from any thread.

    Attributes
    ----------
    tab
        The page that wants the outcome; a page that comes back puts itself here.
    phase
        Where it stands.
    message, fraction
        What it is doing, and how much of that is done, in [0, 1].
    outcome, error
        What it left: one of them after `Phase.DONE` or `Phase.FAILED`.
    """

    def __init__(
        self, work: Callable[[Progress], Outcome], tab: Tab, *, grace: float = GRACE_SECONDS
    ) -> None:
        self.tab = tab
        self.phase = Phase.WAITING
        self.message = ""
        self.fraction = 0.0
        self.outcome: Outcome | None = None
        self.error: BaseException | None = None
        self._work: Callable[[Progress], Outcome] | None = work
        self._grace = grace
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._step_started = time.monotonic()

    @property
    def live(self) -> bool:
        """True while it waits or runs."""
        return not self._ended.is_set()

    @property
    def abandoned(self) -> bool:
        """True if its page has been closed for longer than the grace."""
        return self.tab.gone_for(self._grace)

    @property
    def seconds_left(self) -> float | None:
        """Estimate for the present step from its own speed; `None` too early to say."""
        spent = time.monotonic() - self._step_started
        if self.phase is not Phase.RUNNING or self.fraction < 0.05 or spent < 0.5:
            return None
        return spent * (1.0 - self.fraction) / self.fraction

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; True if it has ended."""
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        """End at once if it waits, at the next report of progress if it runs."""
        self._stop.set()
        with self._lock:
            if self.phase is Phase.WAITING:
                self._end(Phase.CANCELLED)

    def run(self) -> None:
        """Do the work in the calling thread, unless it was cancelled while waiting."""
        with self._lock:
            work = self._work
            if self.phase is not Phase.WAITING or work is None:
                return
            self.phase = Phase.RUNNING
        self._step_started = time.monotonic()
        try:
            self.outcome = work(self._progress)
        except Cancelled:
            self._end(Phase.CANCELLED)
        except BaseException as error:  # noqa: BLE001 - raised again in the page that owns the job
            self.error = error.with_traceback(None)  # its frames would keep the arrays
            self._end(Phase.FAILED)
        else:
            self._end(Phase.DONE)

    def _progress(self, done: int, total: int, message: str) -> None:
        if self._stop.is_set() or self.abandoned:
            raise Cancelled
        if message != self.message:
            self._step_started = time.monotonic()
        self.message, self.fraction = message, done / total

    def _end(self, phase: Phase) -> None:
        self._work = None  # the closure holds the input arrays
        self.phase = phase
        self._ended.set()


class Runner:
    """Runs jobs in the order they came, in threads of its own; one for the whole process.

    Parameters
    ----------
    at_once
        Jobs that run side by side.
    workers
        Threads of each; by default one on each core.
    max_waiting, grace
        Jobs that may wait, and seconds that each outlives its closed tab.
    first
        Called in a thread of the runner before any job.
    """

    def __init__(
        self,
        *,
        at_once: int = 1,
        workers: int | None = None,
        max_waiting: int = MAX_WAITING,
        grace: float = GRACE_SECONDS,
        first: Callable[[], None] | None = None,
    ) -> None:
        self._first = first
        self._at_once = at_once
        self._workers = workers
        self._max_waiting = max_waiting
        self._grace = grace
        self._queue: deque[Job] = deque()
        self._running: set[Job] = set()
        self._changed = threading.Condition()
        threading.Thread(target=self._begin, name="audits", daemon=True).start()

    def submit(self, work: Callable[[Progress], Outcome], tab: Tab) -> Job[Outcome]:
        """Queue a piece of work for a page.

        Raises
        ------
        LimitError
            Too many jobs wait already.
        """
        job = Job(work, tab, grace=self._grace)
        with self._changed:
            self._forget_abandoned()
            if len(self._queue) >= self._max_waiting:
                raise LimitError(
                    f"{counted(len(self._queue), 'audit')} {agreed(len(self._queue), 'is', 'are')} waiting on this "
                    f"machine already",
                    remedy="Try again in a minute",
                )
            self._queue.append(job)
            self._changed.notify()
        return job

    def ahead_of(self, job: Job) -> int:
        """Jobs that must end before this one begins."""
        with self._changed:
            self._forget_abandoned()
            if job not in self._queue:
                return 0
            return max(self._queue.index(job) + len(self._running) - self._at_once + 1, 0)

    def _forget_abandoned(self) -> None:
        for job in self._queue:
            if job.abandoned:
                job.cancel()
        self._queue = deque(job for job in self._queue if job.live)

    def _begin(self) -> None:
        if self._first is not None:
            self._first()
        for number in range(1, self._at_once):
            threading.Thread(target=self._serve, name=f"audits {number + 1}", daemon=True).start()
        self._serve()

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: len(self._queue) > 0)
                self._forget_abandoned()
                if not self._queue:
                    continue
                job = self._queue.popleft()
                self._running.add(job)
            with steady(self._workers):
                job.run()
            with self._changed:
                self._running.remove(job)
            del job  # it holds the outcome until its page has gone
