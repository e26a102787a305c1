"""Work over threads: in order, reported, stopped, and BLAS given back."""

import threading
import time

import pytest
from threadpoolctl import ThreadpoolController

from core.sweep.workers import Steps, blas_on_one_thread, in_order, usable_cores

MUCH = 10**12


def blas_threads():
    return [pool["num_threads"] for pool in ThreadpoolController().info() if pool["user_api"] == "blas"]


def test_results_come_in_the_order_of_the_tasks():
    def work(task):
        time.sleep(0.01 * (task % 3))
        return task

    assert list(in_order(range(12), work, operations=MUCH, n_workers=4, steps=Steps(12))) == list(range(12))


def test_little_work_is_done_in_the_calling_thread():
    seen = in_order([1, 2], lambda _: threading.current_thread(), operations=1, n_workers=4, steps=Steps(2))
    assert set(seen) == {threading.current_thread()}


def test_an_exception_in_a_worker_reaches_the_caller_and_ends_the_rest():
    begun = []

    def work(task):
        begun.append(task)
        if task == 1:
            raise KeyError("of ours")
        time.sleep(0.01)

    with pytest.raises(KeyError):
        list(in_order(range(100), work, operations=MUCH, n_workers=2, steps=Steps(100)))
    assert len(begun) < 10


def test_what_progress_raises_stops_workers_between_steps():
    left = []

    def progress(done, total, message):
        if done:
            raise TimeoutError

    steps = Steps(10_000, progress, "busy")

    def work(task):
        try:
            for _ in range(1000):
                steps.step()
                time.sleep(0.001)
        finally:
            left.append(task)

    started = time.perf_counter()
    with pytest.raises(TimeoutError):
        list(in_order(range(10), work, operations=MUCH, n_workers=2, steps=steps))
    assert time.perf_counter() - started < 0.5
    assert left == [0, 1] or left == [1, 0]


def test_progress_is_reported_while_one_long_task_runs():
    seen = []
    steps = Steps(1, lambda done, total, message: seen.append((done, total, message)), "busy")

    def work(task):
        time.sleep(0.45)
        steps.step()

    list(in_order([0], work, operations=MUCH, n_workers=1, steps=steps))
    assert seen[0] == (0, 1, "busy")
    assert seen[-1] == (1, 1, "busy")
    assert len(seen) >= 4


def test_blas_has_its_threads_back_after_overlapping_holds():
    """Saved and restored by each holder alone, it would be left on one thread for good."""
    before = blas_threads()
    blas_on_one_thread.__enter__()
    blas_on_one_thread.__enter__()
    assert set(blas_threads()) == {1}
    blas_on_one_thread.__exit__(None, None, None)
    assert set(blas_threads()) == {1}
    blas_on_one_thread.__exit__(None, None, None)
    assert blas_threads() == before


def test_at_least_one_core_is_usable():
    assert usable_cores() >= 1
