"""The same files give the same digits on any number of threads: each audit in a process of its own."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from core.errors import SettingsError
from core.sweep.workers import refuse_other_workers, steady, usable_cores
from tests.arrays import audited, random_rotation, related_pair

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))

RUN = """
import os, sys
allowed = {int(core) for core in sys.argv[1].split(",")}
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, allowed)
from core.command import main
sys.exit(main(sys.argv[2:]))
"""


def report(cores, *words):
    threads = str(len(cores))
    done = subprocess.run(
        [sys.executable, "-c", RUN, ",".join(map(str, cores)), *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
    )
    found = json.loads(done.stdout)
    assert found["versions"].pop("threads") == threads
    return found


@pytest.mark.skipif(len(CORES) < 2, reason="there is one core")
@pytest.mark.parametrize(
    ("n", "dim", "more", "turned"),
    [(500, 300, (), False), (2_500, 500, (), False), (2_500, 500, ("--candidates", 100), False), (900, 200, (), True)],
    ids=["few rows", "many rows", "a pool", "other axes"],
)
def test_one_thread_and_two_give_the_same_report_to_the_last_digit(tmp_path, rng, n, dim, more, turned):
    a, b = related_pair(rng, n=n, dim=dim)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b @ random_rotation(rng, dim) if turned else b)
    one, two = (report(CORES[:count], tmp_path / "a.npy", tmp_path / "b.npy", *more) for count in (1, 2))
    assert one == two


def test_the_number_of_workers_is_a_setting_and_no_figure_depends_on_it(rng):
    a, b = related_pair(rng, n=2_100, dim=40)
    one, three = audited(a, b, n_workers=1), audited(a, b, n_workers=3)
    assert (one.versions["threads"], three.versions["threads"]) == ("1", "3")
    assert one.raw.evidence.test == three.raw.evidence.test
    assert one.centred.evidence.intervals == three.centred.evidence.intervals
    assert (one.side_a, one.side_b) == (three.side_a, three.side_b)


def test_a_number_of_workers_holds_inside_only_and_for_what_says_nothing_of_its_own():
    before = usable_cores()
    with steady(7), steady():
        assert usable_cores() == 7
    assert usable_cores() == before


@pytest.mark.parametrize("count", [0, -1, 257, True, 1.0])
def test_what_is_no_number_of_workers_is_refused_in_one_sentence(count):
    with pytest.raises(SettingsError, match=r"the number of workers \(--workers\) is .*; it must be a whole number"):
        refuse_other_workers(count)
