"""Blocks of work over a few threads: results in order, progress, and a way to stop.

numpy and the compiled loops let go of the interpreter lock, so threads are enough. Each
of them needs BLAS for itself; BLAS is held to one thread while they work, because two
teams of threads on the same cores slow each other down by half. It is so held for the whole
of an audit (`steady`): how it divides a product among its threads decides the last digit.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import SettingsError
from core.limits import MAX_WORKERS
from core.ticks import Progress

if TYPE_CHECKING:
    from concurrent.futures import Future

Task = TypeVar("Task")
Result = TypeVar("Result")

__all__ = [
    "Progress",
    "Steps",
    "Stopped",
    "at_most",
    "blas_on_one_thread",
    "cores",
    "in_order",
    "refuse_other_workers",
    "steady",
    "usable_cores",
    "workers",
]

#: How many workers were asked for in this context; `None` for one on each core.
_chosen: ContextVar[int | None] = ContextVar("workers", default=None)

#: How many this context has room for; `None` outside of `workers`.
_ceiling: ContextVar[int | None] = ContextVar("ceiling", default=None)

#: Seconds between two calls of a progress function while nothing finishes.
PROGRESS_SECONDS = 0.1

#: Elementary operations that take less than 0.1 s, for which threads are not worth setting up.
OPERATIONS_DONE_AT_ONCE = 1_000_000_000


class Stopped(Exception):  # noqa: N818 - a signal between our own threads
    """Raised inside a worker whose result nobody waits for any more."""


class Steps:
    """Counts finished steps across threads, reports them, and passes on the wish to stop.

    Parameters
    ----------
    total
        Steps there will be.
    progress, message
        What to call, and what to say; `None` to stay silent.
    """

    def __init__(self, total: int, progress: Progress | None = None, message: str = "") -> None:
        self.total = total
        self.done = 0
        self._progress = progress
        self._message = message
        self._stopped = threading.Event()
        self._lock = threading.Lock()

    def step(self) -> None:
        """Say that one step is over; the place where a stopped worker leaves."""
        if self._stopped.is_set():
            raise Stopped
        with self._lock:
            self.done += 1

    def stop(self) -> None:
        self._stopped.set()

    def report(self) -> None:
        if self._progress is not None:
            self._progress(self.done, self.total, self._message)


def usable_cores() -> int:
    """Workers asked for, or the cores this process may use, and no more than there is room for (`at_most`).

    A container often allows fewer cores than the machine has.
    """
    return min(_chosen.get() or cores(), _ceiling.get() or MAX_WORKERS)


def cores() -> int:
    """Cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _BlasHold:
    """Holds BLAS to one thread while anyone needs it so.

    The setting belongs to the process. Were each sweep to save and restore it, two that
    overlap could restore each other's "one thread" for good; so the first one in saves and
    the last one out restores.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._limits: AbstractContextManager[Any] | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._holders == 0:
                from threadpoolctl import ThreadpoolController

                self._limits = ThreadpoolController().limit(limits=1, user_api="blas")
                self._limits.__enter__()
            self._holders += 1

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0 and self._limits is not None:
                self._limits.__exit__(None, None, None)
                self._limits = None


#: Context manager: BLAS on one thread inside. May be nested and entered from any thread.
blas_on_one_thread = _BlasHold()


def refuse_other_workers(count: int | None, name: str = "the number of workers (--workers)") -> None:
    """Check a number of workers.

    Raises
    ------
    SettingsError
        It is not a whole number from 1 to `MAX_WORKERS`; `None` is one on each core.
    """
    if count is None or (isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= MAX_WORKERS):
        return
    raise SettingsError(
        f"{name} is {count}; it must be a whole number from 1 to {MAX_WORKERS}",
        remedy="Leave it out to use every core.",
    )


@contextmanager
def workers(count: int | None) -> Iterator[None]:
    """Inside, `usable_cores` is this number, or what `at_most` leaves of it; `None` leaves what surrounds it.

    Raises
    ------
    SettingsError
        Not a number of workers.
    """
    refuse_other_workers(count)
    before = _chosen.set(_chosen.get() if count is None else count)
    ceiling = _ceiling.set(_ceiling.get() or MAX_WORKERS)
    try:
        yield
    finally:
        _ceiling.reset(ceiling)
        _chosen.reset(before)


def at_most(count: int) -> None:
    """Leave no more than so many workers to the rest of the surrounding `workers`; without one, nothing happens."""
    ceiling = _ceiling.get()
    if ceiling is not None:
        _ceiling.set(max(1, min(ceiling, count)))


@contextmanager
def steady(n_workers: int | None = None) -> Iterator[None]:
    """Inside, the same input gives the same digits on any number of threads.

    Parameters
    ----------
    n_workers : int, optional
        Threads of everything inside; by default what surrounds this asked for, or the cores.

    Raises
    ------
    SettingsError
        Not a number of workers.

    Notes
    -----
    scipy brings a BLAS of its own, which can be held only once it is loaded.
    """
    with workers(n_workers):
        import scipy.special  # noqa: F401 - imported here: `import core` stays light

        with blas_on_one_thread:
            yield


def in_order(
    tasks: Iterable[Task],
    work: Callable[[Task], Result],
    *,
    operations: int,
    n_workers: int,
    steps: Steps,
) -> Iterator[Result]:
    """Do `work` on every task over a few threads; yield the results in the order of the tasks.

    Parameters
    ----------
    tasks, work
        What to do; `work` calls ``steps.step()`` as it goes.
    operations : int
        Elementary operations in all. Little work is done in the calling thread.
    n_workers : int
        Threads. Results come in order, so that sums over them do not depend on it.
    steps : Steps
        Reported from the calling thread every 0.1 s; what its progress function raises
        stops the workers and propagates.
    """
    if operations <= OPERATIONS_DONE_AT_ONCE:
        with blas_on_one_thread:  # its threads would wait for each other longer than the work takes
            for task in tasks:
                yield work(task)
                steps.report()
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    pending: deque[Future[Result]] = deque()
    waiting = iter(tasks)
    with blas_on_one_thread, ThreadPoolExecutor(n_workers, thread_name_prefix="sweep") as pool:
        try:
            while True:
                # One more than can run, so that no worker idles; not all, as results take memory.
                for task in islice(waiting, n_workers + 1 - len(pending)):
                    pending.append(pool.submit(work, task))
                if not pending:
                    return
                while wait((pending[0],), timeout=PROGRESS_SECONDS).not_done:
                    steps.report()
                yield pending.popleft().result()
                steps.report()
        finally:
            steps.stop()
            for future in pending:
                future.cancel()
