"""The estimate of an audit's memory lies above what it takes, and what will not fit is refused."""

import re
import tracemalloc

import numpy as np
import pytest

from core import memory
from core.errors import LimitError
from core.memory import available_bytes, leave_room, needed_bytes, workers_with_room
from core.sweep.workers import usable_cores, workers
from tests.arrays import audited, inspected, random_rotation, related_pair

MB = 1e6


@pytest.mark.parametrize(
    ("n", "dim", "draws"), [(300, 16, 20), (1_200, 400, 20), (6_000, 16, 4_000), (4_000, 300, 20), (2_100, 1_500, 20)]
)
def test_the_estimate_lies_above_the_peak_but_not_far(n, dim, draws, rng):
    """Oracle: what numpy allocates while the audit runs."""
    a, b = related_pair(rng, n=n, dim=dim)
    audited(a[:2_100], b[:2_100], n_derangements=1)  # what is imported and compiled once is not counted
    one, other = inspected(a, "a.npy"), inspected(b, "b.npy")
    del a, b
    from core import AuditSettings, audit

    tracemalloc.start()
    audit(one, other, settings=AuditSettings(n_derangements=draws))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= needed_bytes(n, dim)
    assert needed_bytes(n, dim) <= 4 * peak + 100 * MB


@pytest.mark.parametrize(("n", "dim"), [(300, 16), (1_200, 400), (4_000, 300)])
@pytest.mark.parametrize("how", ["permuted", "turned"])
def test_the_estimate_holds_where_other_axes_or_another_order_are_looked_for(n, dim, how, rng):
    a, b = related_pair(rng, n=n, dim=dim)
    b = b[rng.permutation(n)] if how == "permuted" else b @ random_rotation(rng, dim)
    audited(a[:300], b[:300], n_derangements=1)
    one, other = inspected(a, "a.npy"), inspected(b, "b.npy")
    del a, b
    from core import audit

    tracemalloc.start()
    found = audit(one, other)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.alarm.strength == "strong") is (how == "turned")
    assert (found.pairing is not None and found.pairing.kind == "permuted") is (how == "permuted")
    assert peak <= needed_bytes(n, dim)


LABELS = {
    "one pair that shares an id": np.r_[0, 0, 2:6_000],
    "one group of a fourth": np.r_[np.zeros(1_500, int), 1_500:6_000],
    "twos": np.arange(6_000) // 2,
    "four large ones": np.arange(6_000) // 1_500,
}


@pytest.mark.parametrize("how", LABELS)
def test_the_estimate_holds_with_groups(how, rng):
    """Scores of every group with every other would be 288 MB at the first of them."""
    a, b = related_pair(rng, n=6_000, dim=16)
    audited(a[:2_100], b[:2_100], n_derangements=1, groups=np.arange(2_100) // 2)
    one, other = inspected(a, "a.npy"), inspected(b, "b.npy")
    del a, b
    from core import audit

    tracemalloc.start()
    audit(one, other, groups=LABELS[how])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= needed_bytes(6_000, 16)


@pytest.mark.parametrize("candidates", [None, 300])
def test_the_estimate_grows_with_the_workers_and_lies_above_what_many_of_them_take(candidates, rng):
    """Oracle: what numpy allocates while 24 workers run, in float64 where all scores are close."""
    n, dim = 12_000, 160
    a = np.ones(dim) + 1e-6 * rng.standard_normal((n, dim))
    one, other = inspected(a, "a.npy"), inspected(a[::-1].copy(), "b.npy")
    del a
    from core import AuditSettings, audit

    with workers(24):
        needed = needed_bytes(n, dim, pooled=candidates is not None)
    with workers(2):
        assert needed > needed_bytes(n, dim, pooled=candidates is not None) + 50 * MB
    tracemalloc.start()
    audit(one, other, settings=AuditSettings(candidates=candidates, n_derangements=2), n_workers=24)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= needed


@pytest.mark.parametrize("workers_asked", [2, 16])
@pytest.mark.parametrize(("n", "dim"), [(5_000, 384), (10_000, 768), (25_000, 64), (40_000, 768), (20_000, 1_536)])
def test_the_workers_of_an_ordinary_machine_have_room(n, dim, workers_asked):
    with workers(workers_asked):
        leave_room(n, dim)
        assert usable_cores() == workers_asked


def test_fewer_workers_than_asked_for_run_where_their_memory_would_be_too_much(rng):
    with workers(256):
        leave_room(40_000, 768)
        whole = usable_cores()
        leave_room(40_000, 768, pooled=True)
        assert 2 <= usable_cores() < whole < 64
        assert needed_bytes(40_000, 768, pooled=True) < 2 * needed_bytes(40_000, 768) + 100 * MB
    with workers(64):
        assert usable_cores() == 64, "what one audit has room for does not bind the next"
    assert workers_with_room(9_000, 8_000, pooled=True) == 2, "two are always left"
    a, b = related_pair(rng, n=60, dim=8)
    assert audited(a, b, n_workers=256).versions["threads"] == str(min(256, workers_with_room(60, 8)))


def test_where_memory_is_short_few_workers_are_tried_before_the_files_are_refused(pair, monkeypatch):
    with workers(2):
        enough = needed_bytes(40, 8)
    monkeypatch.setattr(memory, "available_bytes", lambda: enough)
    assert audited(*pair, n_workers=200).versions["threads"] == "2"


def test_what_does_not_fit_is_refused_with_both_sizes(pair, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10_000)
    with pytest.raises(
        LimitError, match=r"a\.npy and b\.npy .* needs about .* MB of memory, and 0 MB are free"
    ) as caught:
        audited(*pair)
    assert re.fullmatch(r"[A-Z].*\.", caught.value.remedy)


def test_rows_left_out_count_their_copies(pair, monkeypatch):
    pair[0][3] = np.nan
    without = needed_bytes(40, 8)
    monkeypatch.setattr(memory, "available_bytes", lambda: without)
    with pytest.raises(LimitError):
        audited(*pair, drop_bad_rows=True)
    monkeypatch.setattr(memory, "available_bytes", lambda: without + 2 * pair[0].nbytes)
    assert audited(*pair, drop_bad_rows=True).n == 39


def test_nothing_is_refused_where_the_free_memory_is_unknown(pair, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: None)
    assert audited(*pair).n == 40


def test_this_machine_says_something_plausible():
    found = available_bytes()
    assert found is None or 10 * MB < found < 1e15


@pytest.mark.parametrize(
    ("line", "folder", "limit_name", "usage_name"),
    [
        ("0::/box", "box", "memory.max", "memory.current"),
        ("4:memory:/box", "memory/box", "memory.limit_in_bytes", "memory.usage_in_bytes"),
        ("0::/a/path/of/the/host", "", "memory.max", "memory.current"),
        ("4:memory:/a/path/of/the/host", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ],
)
def test_a_container_leaves_its_limit_less_its_use_and_cached_files_give_way(
    tmp_path, line, folder, limit_name, usage_name
):
    here = tmp_path / "fs" / folder
    here.mkdir(parents=True)
    (tmp_path / "groups").write_text(f"1:name=systemd:/\n{line}\n")
    (here / limit_name).write_text("1000000\n")
    (here / usage_name).write_text("700000\n")
    (here / "memory.stat").write_text("anon 5\ninactive_file 200000\n")
    left = memory._group_free(tmp_path / "groups", tmp_path / "fs")
    assert [free for free in left if free is not None] == [500_000]


def test_a_container_without_a_limit_sets_none(tmp_path):
    (tmp_path / "groups").write_text("0::/\n")
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert list(memory._group_free(tmp_path / "groups", tmp_path)) == [None]


def test_without_proc_there_is_the_systems_own_answer_or_none(monkeypatch):
    monkeypatch.setattr(memory, "_lines", lambda path: [])
    monkeypatch.setattr(memory.os, "sysconf", lambda name: 4096)
    assert available_bytes() == 4096 * 4096

    def unknown(name):
        raise ValueError

    monkeypatch.setattr(memory.os, "sysconf", unknown)
    assert available_bytes() is None
