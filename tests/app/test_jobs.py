import gc
import threading
import time
import weakref

import numpy as np
import pytest

from app.jobs import Job, Phase, Runner, Tab
from core.errors import LimitError
from core.sweep.workers import usable_cores

SOON = 5.0


class Steps:
    """Work that takes one step whenever the test lets it."""

    def __init__(self):
        self.started = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, progress):
        self.started.set()
        for done in range(1, 1_000):
            progress(done, 1_000, "counting")
            if self.go_on.wait(0.01):
                return "counted"
        return "gave up"


@pytest.fixture
def steps():
    work = Steps()
    yield work
    work.go_on.set()


def test_a_job_ends_with_what_its_work_returns():
    job = Runner().submit(lambda progress: 42, Tab())
    assert job.wait(SOON)
    assert (job.phase, job.outcome, job.error) == (Phase.DONE, 42, None)


def test_progress_is_seen_while_the_job_runs(steps):
    job = Runner().submit(steps, Tab())
    assert steps.started.wait(SOON)
    time.sleep(0.1)
    assert job.live
    assert job.message == "counting"
    assert 0 < job.fraction < 1


def test_a_failure_stays_with_its_job_and_the_next_one_runs():
    def fail(progress):
        raise ZeroDivisionError("planted")

    runner = Runner()
    failed, fine = runner.submit(fail, Tab()), runner.submit(lambda progress: "fine", Tab())
    assert fine.wait(SOON)
    assert failed.phase is Phase.FAILED
    assert isinstance(failed.error, ZeroDivisionError)
    assert fine.outcome == "fine"


def test_a_running_job_stops_within_a_second_of_being_cancelled(steps):
    job = Runner().submit(steps, Tab())
    assert steps.started.wait(SOON)
    job.cancel()
    assert job.wait(1.0)
    assert job.phase is Phase.CANCELLED


def test_one_job_runs_at_a_time_and_the_others_know_their_place(steps):
    runner = Runner()
    running = runner.submit(steps, Tab())
    assert steps.started.wait(SOON)
    second, third = (runner.submit(lambda progress: None, Tab()) for _ in range(2))
    assert [runner.ahead_of(job) for job in (running, second, third)] == [0, 1, 2]
    second.cancel()
    assert second.phase is Phase.CANCELLED
    assert runner.ahead_of(third) == 1
    assert third.phase is Phase.WAITING
    steps.go_on.set()
    assert third.wait(SOON)


def test_as_many_jobs_run_side_by_side_as_are_allowed_and_the_others_know_their_place():
    runner, works = Runner(at_once=2), [Steps() for _ in range(2)]
    running = [runner.submit(work, Tab()) for work in works]
    assert all(work.started.wait(SOON) for work in works)
    third, fourth = (runner.submit(lambda progress: None, Tab()) for _ in range(2))
    assert [runner.ahead_of(job) for job in (*running, third, fourth)] == [0, 0, 1, 2]
    works[1].go_on.set()
    assert third.wait(SOON)
    assert fourth.wait(SOON)
    assert running[0].phase is Phase.RUNNING
    works[0].go_on.set()
    assert running[0].wait(SOON)


def test_what_comes_first_is_done_before_any_of_several_jobs():
    order = []

    def first():
        time.sleep(0.1)
        order.append("first")

    runner = Runner(at_once=3, first=first)
    jobs = [runner.submit(lambda progress: order.append("job"), Tab()) for _ in range(3)]
    assert all(job.wait(SOON) for job in jobs)
    assert order == ["first", "job", "job", "job"]


def test_a_job_works_with_the_number_of_workers_of_its_runner():
    job = Runner(workers=5).submit(lambda progress: usable_cores(), Tab())
    assert job.wait(SOON)
    assert job.outcome == 5


def test_a_full_queue_is_refused_in_words(steps):
    runner = Runner(max_waiting=1)
    runner.submit(steps, Tab())
    assert steps.started.wait(SOON)
    runner.submit(lambda progress: None, Tab())
    with pytest.raises(LimitError, match=r"1 audits? .*waiting"):
        runner.submit(lambda progress: None, Tab())


def test_a_cancelled_job_makes_room_in_the_queue(steps):
    runner = Runner(max_waiting=1)
    runner.submit(steps, Tab())
    assert steps.started.wait(SOON)
    runner.submit(lambda progress: None, Tab()).cancel()
    assert runner.submit(lambda progress: None, Tab()).phase is Phase.WAITING


def test_a_job_whose_tab_is_gone_cancels_itself_after_the_grace(steps):
    tab = Tab()
    job = Runner(grace=0.2).submit(steps, tab)
    assert steps.started.wait(SOON)
    tab.close()
    assert not job.wait(0.05)
    assert job.wait(SOON)
    assert job.phase is Phase.CANCELLED


def test_a_tab_that_comes_back_keeps_its_job(steps):
    tab = Tab()
    job = Runner(grace=0.2).submit(steps, tab)
    assert steps.started.wait(SOON)
    tab.close()
    job.tab = Tab()
    assert not job.wait(0.5)
    steps.go_on.set()
    assert job.wait(SOON)
    assert job.phase is Phase.DONE


@pytest.mark.parametrize("ending", ["done", "failed", "cancelled"])
def test_whatever_ends_a_job_its_arrays_are_released(ending):
    array = np.zeros(1_000)
    gone = weakref.ref(array)

    def work(progress, array=array):
        local = array  # a frame kept by the traceback would keep this alive
        if ending == "failed":
            raise ValueError(f"planted {local[0]}")
        return float(local[0])

    job = Job(work, Tab())
    if ending == "cancelled":
        job.cancel()
    job.run()
    del array, work
    gc.collect()
    assert job.phase.value == ending
    assert gone() is None


def test_time_left_comes_from_the_speed_of_the_present_step(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("app.jobs.time.monotonic", lambda: now[0])
    seen = []

    def work(progress):
        progress(0, 10, "first")
        now[0] = 100.0
        progress(0, 10, "second")
        now[0] = 104.0
        progress(4, 10, "second")
        seen.append(job.seconds_left)

    job = Job(work, Tab())
    assert job.seconds_left is None
    job.run()
    assert seen == [pytest.approx(6.0)]


def test_what_comes_first_is_done_before_any_job():
    order = []
    job = Runner(first=lambda: order.append("first")).submit(lambda progress: order.append("job"), Tab())
    assert job.wait(5)
    assert order == ["first", "job"]
