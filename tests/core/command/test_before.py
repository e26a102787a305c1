"""What a person at a terminal is told before an audit starts, and what groups with a pool are told before that."""

from __future__ import annotations

import numpy as np
import pytest

import core.command.before
import core.command.files
from core.sweep.workers import usable_cores, workers
from tests.arrays import inspected, npy_bytes


@pytest.fixture
def expecting(monkeypatch):
    """`expecting(all_rows, pool, counting)`: seconds of an audit and of a count; somebody watches."""

    def expect(all_rows, pool=1.0, counting=0.0):
        def seconds(a, b, settings, **_):
            return all_rows if settings.candidates is None else pool

        monkeypatch.setattr(core.command.before, "expected_audit_seconds", seconds)
        monkeypatch.setattr(core.command.before, "expected_count_seconds", lambda *_: counting)
        monkeypatch.setattr(core.command.before, "OFFERED_CANDIDATES", 20)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    return expect


@pytest.fixture
def ids(tmp_path):
    path = tmp_path / "ids.npy"
    path.write_bytes(npy_bytes(np.arange(40) // 2))
    return path


@pytest.mark.parametrize("command", [(), ("rows",), ("claim", "--claim", "0.5")])
def test_every_command_that_audits_a_pair_says_how_long_it_takes_and_says_it_once(run, files, expecting, command):
    expecting(25)
    code, _, errors = run(*command[:1], *files, *command[1:])
    assert code == 0
    assert errors.count("40 rows: about 25 s on this machine") == 1


def test_verify_says_how_long_it_takes_and_has_no_way_out(run, files, expecting, tmp_path):
    assert run(*files, "--output", tmp_path / "report.json")[0] == 0
    expecting(300)
    code, _, errors = run("verify", tmp_path / "report.json", *files)
    assert code == 0
    assert errors.count("40 rows: about 5 min on this machine\n") == 1


def test_a_claim_counts_the_pass_over_all_pairs_that_a_pool_does_not_spare(run, files, expecting):
    expecting(5, 5, counting=20)
    errors = run("claim", *files, "--claim", "0.5", "--candidates", "20")[2]
    assert "40 rows: about 25 s on this machine, about 20 s of it to count all pairs\n" in errors
    expecting(100, 5, counting=100)
    assert "instead" not in run("claim", *files, "--claim", "0.5")[2], "105 s are no half of 200 s"


@pytest.mark.parametrize(("pool", "named"), [(150, True), (151, False), (400, False)])
def test_a_pool_is_named_only_where_it_takes_at_most_half_as_long(run, files, expecting, pool, named):
    expecting(300, pool)
    assert ("--candidates 20" in run(*files)[2]) is named


def test_a_pool_is_not_named_where_groups_are_given(run, files, expecting, ids):
    expecting(300, 1)
    errors = run(*files, "--groups", ids)[2]
    assert "about 5 min on this machine\n" in errors


def test_the_time_is_said_again_where_the_rows_once_read_make_it_much_longer(run, files, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(
        core.command.before, "expected_audit_seconds", lambda *_, close=None, **__: 20 if close is False else 200
    )
    errors = run(*files)[2]
    assert errors.index("about 20 s on this machine") < errors.index("about 3 min on this machine")


@pytest.mark.parametrize("command", [(), ("rows",), ("claim", "--claim", "0.5")])
def test_groups_with_a_pool_are_refused_before_any_file_is_read(run, files, ids, monkeypatch, command):
    for place in (core.command.files, core.command.audit, core.command.paired_files):
        for reader in ("read_array", "read_ids"):
            monkeypatch.setattr(place, reader, lambda *_: pytest.fail("a file was read"), raising=False)
    code, out, errors = run(*command[:1], *files, *command[1:], "--groups", ids, "--candidates", "20")
    assert (code, out) == (2, "")
    assert "--groups and --candidates" in errors


def test_as_many_candidates_as_rows_are_no_pool_and_go_with_groups(run, files, ids):
    assert run(*files, "--groups", ids, "--candidates", "40")[0] == 0


def test_an_audit_with_a_pool_leaves_room_for_its_closed_form(monkeypatch, rng):
    monkeypatch.setattr(core.command.before, "leave_room", lambda n, dim, *, pooled: asked.append((n, dim, pooled)))
    asked = []
    side = inspected(rng.standard_normal((40, 8)))
    with workers(64):
        for candidates in (None, 20):
            settings = core.AuditSettings(candidates=candidates)
            core.command.before.before_audit(side, side, settings, groups=None)
        assert usable_cores() == 64
    assert asked == [(40, 8, False), (40, 8, True)]
