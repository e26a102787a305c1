"""The estimate of an audit's memory lies above what it takes, and what will not fit is refused."""

import re
import tracemalloc

import numpy as np
import pytest

from core import memory
from core.errors import LimitError
from core.memory import available_bytes, needed_bytes
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
