"""The demo's controls change what they say and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.demo import add_direction, all_cosines, raised, size_for_floor, strangers
from core.errors import SettingsError
from core.rows import UnitRows
from tests.arrays import audited
from tests.oracle import exact, unit

SIZES = [0.0, 0.3, 1.0, 5.0]


@pytest.mark.parametrize("size", SIZES)
def test_the_added_direction_leaves_ranks_and_the_centred_reading_as_they_were(pair, size):
    before = audited(*pair)
    after = audited(*(add_direction(unit(side), size) for side in pair))

    for direction in ("a_to_b", "b_to_a"):
        assert getattr(after.raw, direction) == getattr(before.raw, direction)
        assert getattr(after.centred, direction) == getattr(before.centred, direction)
    for name in ("matched_mean", "matched_min", "matched_max", "matched_sd"):
        assert_allclose(getattr(after.centred, name), getattr(before.centred, name), rtol=1e-12)
    assert_allclose(after.centred.exact.floor_mean, before.centred.exact.floor_mean, rtol=1e-10)
    assert_allclose(after.centred_anisotropy_a, before.centred_anisotropy_a, rtol=1e-10)


@pytest.mark.parametrize("size", SIZES)
def test_raw_cosines_climb_together(pair, size):
    sides = [unit(side) for side in pair]
    plain, lifted = exact(*sides), exact(*(add_direction(side, size) for side in sides))
    share = 1 / (1 + size**2)
    assert_allclose(1 - lifted["matched"], share * (1 - plain["matched"]), rtol=1e-12)
    assert_allclose(1 - lifted["floor"], share * (1 - plain["floor"]), rtol=1e-12)
    assert_allclose(lifted["gap"], share * plain["gap"], rtol=1e-10)
    assert_allclose(lifted["gap_over_floor_sd"], plain["gap_over_floor_sd"], rtol=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_cosines_can_be_raised_without_the_rows(pair, size):
    sides = [unit(side) for side in pair]
    kept = all_cosines(*map(UnitRows, sides)).with_direction(size)
    lifted = [add_direction(side, size) for side in sides]
    scores = lifted[0] @ lifted[1].T
    assert_allclose(kept.matched, np.diag(scores), atol=1e-15)
    assert_allclose(kept.unrelated, scores[~np.eye(40, dtype=bool)], atol=1e-15)
    assert_allclose([kept.matched_mean, kept.floor_mean], [exact(*lifted)["matched"], exact(*lifted)["floor"]])


def test_the_histogram_is_that_of_an_audit(pair):
    result = audited(*pair)
    kept = all_cosines(*map(UnitRows, pair)).histogram
    assert kept.matched.tolist() == result.raw.histogram.matched.tolist()
    assert kept.unrelated.tolist() == result.raw.histogram.unrelated.tolist()


def test_raising_keeps_one_at_one_and_every_order(rng):
    cosines = np.sort(rng.uniform(-1, 1, 200))
    assert raised(np.array([1.0]), 7.0)[0] == 1.0
    assert np.all(np.diff(raised(cosines, 3.0)) > 0)


def test_added_rows_are_unit_rows(rng):
    rows = add_direction(unit(rng.standard_normal((9, 4))), 2.5)
    assert rows.shape == (9, 5)
    assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("target", [0.3, 0.6, 0.99])
def test_a_floor_is_lifted_to_its_target(pair, target):
    kept = all_cosines(*map(UnitRows, pair))
    size = size_for_floor(kept.floor_mean, max(target, kept.floor_mean))
    assert_allclose(kept.with_direction(size).floor_mean, max(target, kept.floor_mean), rtol=1e-12)


@pytest.mark.parametrize("target", [0.1, 1.0, float("nan")])
def test_a_floor_is_not_lowered_and_never_brought_to_one(target):
    with pytest.raises(SettingsError, match="it only lifts"):
        size_for_floor(0.2, target)


@pytest.mark.parametrize("size", [-0.1, float("inf"), float("nan")])
def test_a_size_below_nothing_is_refused(size):
    with pytest.raises(SettingsError, match="0 or more"):
        add_direction(np.eye(3), size)


def test_strangers_break_every_pair_and_lose_no_row(pair):
    a, b = pair
    order = strangers(40, np.random.default_rng(0))
    assert sorted(order) == list(range(40))
    assert not np.any(order == np.arange(40))
    before, after = audited(a, b), audited(a, b[order])
    assert before.raw.a_to_b.expected > 0.4
    assert after.raw.a_to_b.expected < 0.2
    assert_allclose(after.raw.exact.gap, 0, atol=0.1)


def test_two_rows_have_one_way_to_be_strangers():
    assert strangers(2, np.random.default_rng(0)).tolist() == [1, 0]
