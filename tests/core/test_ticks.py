"""Every step of the core says how far it is between its blocks, and can be stopped there."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core import Cancelled
from core.groups import Groups
from core.pair_sums import pair_sums
from core.rows import UnitRows
from core.ticks import each, no_tick, step_of
from tests.arrays import audited, related_pair

#: Where a bound on the size of blocks was copied to by import.
BLOCKS = {
    "READY_BLOCK_ELEMENTS": ("rows", "closed_form", "scatter", "checks", "mean_shift", "near_rows"),
    "FULL_MATRIX_PAIRS": ("measured", "evidence", "inference", "isotropy"),
}

STEPS = (
    "Fitting the means",
    "Comparing the axes",
    "Centring rows",
    "Scoring derangements",
    "Ranking partners",
    "Taking intervals",
    "Checking the figures",
)


@pytest.fixture
def many_blocks(monkeypatch):
    """Blocks of few rows, and the closed form, at sizes that take no time."""
    for name, size in (("READY_BLOCK_ELEMENTS", 160), ("FULL_MATRIX_PAIRS", 20)):
        for module in BLOCKS[name]:
            monkeypatch.setattr(f"core.{module}.{name}", size)
    monkeypatch.setattr("core.scatter.SCATTER_ROWS", 1)
    monkeypatch.setattr("core.closed_form.SCORED_ROWS", 1)
    monkeypatch.setitem(Groups.batches.__kwdefaults__, "elements", 160)
    monkeypatch.setitem(pair_sums.__kwdefaults__, "full_matrix_pairs", 20)


def pair(n=120, dim=8, seed=3):
    return related_pair(np.random.default_rng(seed), n, dim)


def said_by(sides, **options):
    said = []
    audited(*sides, progress=lambda done, total, message: said.append((message, done, total)), **options)
    return said


def calls(said, message, done=None):
    return sum(which == message and done in (None, at) for which, at, _ in said)


@pytest.mark.parametrize("step", STEPS)
def test_an_audit_stops_in_every_step_at_the_first_and_at_a_later_call(step, many_blocks):
    sides = pair()
    in_all = calls(said_by(sides), step)
    assert in_all > 0
    for last in {1, (in_all + 1) // 2, in_all}:
        heard = Counter()

        def stop(done, total, message, *, heard=heard, last=last):
            heard[message] += 1
            if heard[step] == last:
                raise Cancelled

        with pytest.raises(Cancelled):
            audited(*sides, progress=stop)
        assert heard[step] == last, "nothing goes on after the cancellation"


@pytest.mark.parametrize("step", ["Fitting the means", "Taking intervals"])
def test_steps_over_rows_are_told_of_between_blocks_and_not_only_at_their_ends(step, many_blocks):
    """Of twice as many rows there are about twice as many blocks."""
    short, long = (calls(said_by(pair(n)), step) for n in (400, 800))
    assert short > 20
    assert 1.5 < long / short < 2.5


@pytest.mark.parametrize("done", [0, 1, 2])
def test_each_part_of_the_intervals_is_told_of_between_its_blocks(done, many_blocks):
    short, long = (calls(said_by(pair(n)), "Taking intervals", done) for n in (400, 800))
    assert long - short >= 400 // 20, (short, long)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shared_mean": True},
        {"candidates": 12},
        {"groups": np.arange(120) // 3},
    ],
    ids=["plain", "one mean", "pool", "groups"],
)
def test_no_step_goes_back(options, many_blocks):
    said = said_by(pair(), **options)
    for message in {which for which, _, _ in said}:
        steps = [done for which, done, _ in said if which == message]
        assert steps == sorted(steps)
    assert said[-1] == ("Checking the figures", 1, 1)


def test_draws_of_permutations_are_told_of_between_batches(monkeypatch):
    monkeypatch.setattr("core.permutation._SHUFFLED_AT_ONCE", 120 * 1_000)
    few = calls(said_by(pair()), "Taking intervals")
    monkeypatch.setattr("core.permutation._SHUFFLED_AT_ONCE", 120 * 100)
    many = calls(said_by(pair()), "Taking intervals")
    assert many - few == 2 * (100 - 10), "9,999 draws of both readings, 100 at a time in place of 1,000"


def test_listening_changes_no_figure(many_blocks):
    sides = pair()
    silent, heard = audited(*sides), audited(*sides, progress=lambda *_: None)
    for reading, other in ((silent.raw, heard.raw), (silent.centred, heard.centred)):
        assert (reading.exact, reading.permuted, reading.evidence) == (other.exact, other.permuted, other.evidence)
    assert (silent.side_a, silent.side_b, silent.alarm) == (heard.side_a, heard.side_b, heard.alarm)


def test_a_mean_calls_between_all_blocks(many_blocks):
    told = []
    UnitRows(pair(100, 8)[0]).mean_row(lambda: told.append(1))
    assert len(told) == 100 * 8 // 160


def test_a_tick_repeats_what_it_was_made_for():
    said = []
    tick = step_of(lambda *what: said.append(what), 2, 5, "Counting")
    assert list(each("ab", tick)) == ["a", "b"]
    assert said == [(2, 5, "Counting")] * 2
    assert step_of(None, 0, 1, "") is no_tick


def test_what_a_tick_raises_leaves_the_next_block_untouched():
    touched = []

    def stop():
        if touched:
            raise Cancelled

    def work():
        for block in each("ab", stop):
            touched.append(block)

    with pytest.raises(Cancelled):
        work()
    assert touched == ["a"]
