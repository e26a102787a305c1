"""Which way rows are not paired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import core.pairing
from core.alarm import CoordinateAlarm
from core.pairing import diagnose_pairing, matching_order, pairs_more, shifted_order, told_by_alarm
from core.rivals import best_rivals
from core.rows import UnitRows
from tests.arrays import random_rotation, related_pair


def alarm(strength):
    return CoordinateAlarm(strength=strength, not_run="", gain=None, cka=None, n_pairs=9, n_train=4, n_compared=5)


def diagnosed(a, b, strength="silent", **choices):
    sides = UnitRows(a), UnitRows(b)
    best_b = best_rivals(*sides).best_b
    found = diagnose_pairing(*sides, best_b, rng=np.random.default_rng(0), **choices)
    return told_by_alarm(found, alarm(strength)) if strength else found


def ordered(a, b, **choices):
    """The matching order, and for which rows it is their best row of all."""
    rivals = best_rivals(UnitRows(a), UnitRows(b))
    best, scores = rivals.best_b, np.maximum(rivals.own, rivals.a_to_b.cosine)
    order = matching_order(UnitRows(a), UnitRows(b), best, scores, **choices)
    return order, order == best


def greedy(a, b):
    """Oracle: all scores from high to low, each taken if row and column are still free."""
    scores = (a / np.linalg.norm(a, axis=1)[:, None]) @ (b / np.linalg.norm(b, axis=1)[:, None]).T
    order = np.full(len(a), -1)
    for i, j in zip(*np.unravel_index(np.argsort(-scores, axis=None), scores.shape), strict=True):
        if order[i] < 0 and j not in order:
            order[i] = j
    return order


def well_paired(rng, n=120, noise=0.5):
    return related_pair(rng, n=n, dim=24, drift=0.0, noise=noise)


def test_rows_in_order_are_said_to_be(rng):
    found = diagnosed(*well_paired(rng))
    assert (found.kind, found.shift) == ("in_order", 0)


@pytest.mark.parametrize("shift", [1, 7, -3, 60])
@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_shifted_rows_are_found_with_their_shift(rng, shift, noise):
    a, b = well_paired(rng, noise=noise)
    found = diagnosed(a, np.roll(b, shift, axis=0))
    assert (found.kind, found.shift) == ("shifted", shift)
    assert found.shift_votes > 25


def test_a_row_lost_on_one_side_shifts_the_rest(rng):
    """A lacks its first item and B its last, so no row wraps around."""
    a, b = well_paired(rng)
    found = diagnosed(a[1:], b[:-1])
    assert (found.kind, found.shift) == ("shifted", 1)


def test_the_shifted_order_pairs_the_rows(rng):
    _, b = well_paired(rng)
    assert_allclose(np.roll(b, 7, axis=0)[shifted_order(120, 7)], b)
    assert shifted_order(5, -1).tolist() == [4, 0, 1, 2, 3]


@pytest.mark.parametrize("n", [30, 120, 400])
def test_permuted_rows_are_found_and_their_order_pairs_them(rng, n):
    a, b = well_paired(rng, n=n)
    order = rng.permutation(n)
    mixed = b[order]
    found = diagnosed(a, mixed)
    pairing, sure = ordered(a, mixed)

    assert found.kind == "permuted"
    assert sorted(pairing) == list(range(n))
    assert np.mean(order[pairing] == np.arange(n)) > 0.95
    assert np.mean((order[pairing] == np.arange(n))[sure]) > 0.97


def test_reversed_rows_are_permuted(rng):
    a, b = well_paired(rng)
    assert diagnosed(a, b[::-1]).kind == "permuted"


def test_a_shift_that_holds_for_few_rows_does_not_hide_a_permutation(rng):
    a, b = well_paired(rng)
    order = np.concatenate([np.roll(np.arange(30), 1), 30 + rng.permutation(90)])
    found = diagnosed(a, b[order])
    assert found.shift_votes >= 25
    assert found.kind == "permuted"


def test_a_shift_and_a_permutation_of_the_rest_is_a_permutation(rng):
    a, b = well_paired(rng, n=300)
    order = np.roll(np.arange(300), 3)
    moved = rng.permutation(300)[:120]
    order[moved] = order[rng.permutation(moved)]
    assert diagnosed(a, b[order]).kind == "permuted"


def test_a_shift_and_other_items_in_the_rest_is_a_shift(rng):
    a, b = well_paired(rng, n=300)
    b[rng.permutation(300)[:120]] = well_paired(rng, n=300)[1][:120]
    found = diagnosed(a, np.roll(b, 3, axis=0))
    assert (found.kind, found.shift) == ("shifted", 3)


def test_a_weak_shift_is_not_taken_for_a_permutation():
    """Partners at .45: most rows have another best row, but the shift still gives them a high one."""
    for seed in range(10):
        a, b = related_pair(np.random.default_rng(seed), n=300, dim=32, drift=0.0, noise=2.0)
        found = diagnosed(a, np.roll(b, 3, axis=0))
        assert (found.kind, found.shift) == ("shifted", 3)
        assert found.shift_votes < 200


def test_an_order_counts_for_more_only_clearly(rng):
    a, b = well_paired(rng)
    found = diagnosed(a, np.roll(b, 3, axis=0))
    assert pairs_more(found)
    assert not pairs_more(replace(found, in_place=found.first_choice - 5))


def test_other_axes_are_named_only_if_the_alarm_is_strong(rng):
    a, b = well_paired(rng)
    turned = b @ random_rotation(rng, 24)
    kinds = [diagnosed(a, turned, strength).kind for strength in ("strong", "weak", "silent")]
    assert kinds == ["different_spaces", "unrelated", "unrelated"]
    assert diagnosed(a, turned, strength=None).kind == "unrelated"


@pytest.mark.parametrize("dim", [2, 3, 64, 300])
def test_unrelated_rows_are_unrelated_in_any_dimension(dim):
    for seed in range(20):
        rng = np.random.default_rng([seed, dim])
        n = int(rng.integers(10, 150))
        assert diagnosed(rng.standard_normal((n, dim)), rng.standard_normal((n, dim))).kind == "unrelated"


def test_unrelated_rows_name_each_other_half_of_the_time():
    """Exactly n / (2n - 1) for exchangeable scores; 200 draws, sd of their mean .0025."""
    shares = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        found = diagnosed(rng.standard_normal((100, 40)), rng.standard_normal((100, 40)))
        shares.append(found.mutual / 100)
    assert_allclose(np.mean(shares), 100 / 199, atol=0.01)
    assert_allclose(found.mutual_by_chance, 100 / 199)
    assert_allclose(np.std(shares) * 10, 0.355, atol=0.06)


def test_shared_topics_alone_are_no_permutation(rng):
    """Different items about the same ten topics: rivals are close, but nobody's partner."""
    topics = 3 * rng.standard_normal((10, 24))
    a, b = (topics[rng.integers(0, 10, 200)] + rng.standard_normal((200, 24)) for _ in range(2))
    assert diagnosed(a, b).kind == "unrelated"


def test_a_joint_reordering_changes_no_diagnosis_but_a_shift(rng):
    a, b = well_paired(rng)
    mixed = b[rng.permutation(120)]
    order = rng.permutation(120)
    assert diagnosed(a[order], mixed[order]).mutual == diagnosed(a, mixed).mutual


def test_collapsed_rows_get_some_order_and_no_false_one():
    order, _ = ordered(np.ones((70, 3)), np.ones((70, 3)))
    assert sorted(order) == list(range(70))


@pytest.mark.parametrize("noise", [0.5, 1.0, 1.5, 5.0])
def test_the_order_takes_the_highest_remaining_score_each_time(rng, noise):
    a, b = well_paired(rng, n=90, noise=noise)
    mixed = b[rng.permutation(90)]
    assert ordered(a, mixed)[0].tolist() == greedy(a, mixed).tolist()


def test_blocks_do_not_change_the_order(rng, monkeypatch):
    a, b = well_paired(rng, n=90, noise=1.0)
    whole = ordered(a, b)[0]
    monkeypatch.setattr(core.pairing, "SCORE_BLOCK_ELEMENTS", 200)
    assert ordered(a, b)[0].tolist() == whole.tolist()


def test_the_search_for_an_order_tells_how_far_it_is_and_ends(rng):
    a, b = well_paired(rng, n=90, noise=1.5)
    seen = []
    ordered(a, b, progress=lambda done, total, message: seen.append((done, total)))
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_rows_left_over_are_matched_by_the_highest_score():
    """Row 3 of B is everybody's favourite; the others get what is left, here in reverse."""
    b = np.vstack([0.6 * np.eye(4)[3] + 0.8 * np.eye(4)[:3], np.eye(4)[3]])
    a = np.eye(4)[3] + np.vstack([np.zeros(4), 0.3 * np.eye(4)[2::-1]])
    rivals = best_rivals(UnitRows(a), UnitRows(b))
    order, sure = ordered(a, b)
    assert rivals.best_b.tolist() == [3, 3, 3, 3]
    assert order.tolist() == [3, 2, 1, 0]
    assert sure.tolist() == [True, False, False, False]


def test_three_rows_that_agree_by_luck_are_no_shift(rng):
    sides = UnitRows(rng.standard_normal((3, 2))), UnitRows(rng.standard_normal((3, 2)))
    found = diagnose_pairing(*sides, np.array([1, 2, 0]), rng=rng)
    assert (found.shift, found.shift_votes) == (1, 3)
    assert found.kind == "unrelated"


def test_a_sample_of_the_rows_is_enough(rng):
    a, b = well_paired(rng, n=400)
    found = diagnosed(a, b[rng.permutation(400)], max_asked=60)
    assert (found.kind, found.asked) == ("permuted", 60)


def test_duplicates_of_one_side_alone_are_no_permutation():
    """Each row of A twice: its best row of B has half as many rivals, and would name both."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        a, b = np.repeat(rng.standard_normal((60, 20)), 2, axis=0), rng.standard_normal((120, 20))
        assert diagnosed(a, b).kind == "unrelated"
        assert diagnosed(b, a).kind == "unrelated"
