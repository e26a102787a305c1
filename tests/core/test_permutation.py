"""The permutation test, against all pairings one by one, known vectors and theory."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.group_links import group_links, group_links_by_blocks
from core.groups import groups_from_ids
from core.pair_sums import centred_scores
from core.permutation import (
    group_normal_test,
    movable_groups,
    normal_test,
    permutation_test,
)
from tests.arrays import random_rotation, related_pair
from tests.oracle import unit
from tests.readings import Reading, vector

ROOTS = np.array([[1.0, 0], [1, 0], [-1, 0], [-1, 0]])


def scores_of(a, b, **options):
    reading = Reading(a, b, **options)
    return centred_scores(reading.a, reading.b, reading.mean_a, reading.mean_b)


def run(a, b, seed=0, **options):
    return permutation_test([scores_of(a, b).link], gap_pairs=len(a) - 1, rng=np.random.default_rng(seed), **options)


def all_gaps(a, b):
    """The gap of every pairing of rows, the true one first."""
    scores = unit(a) @ unit(b).T
    n = len(a)
    gaps = []
    for order in permutations(range(n)):
        paired = scores[:, order]
        gaps.append(np.diag(paired).mean() - paired[~np.eye(n, dtype=bool)].mean())
    return np.array(gaps)


def cone_rows(sign):
    return np.column_stack([np.full(5, 0.8), sign * 0.6 * np.eye(5)])


@pytest.mark.parametrize(
    ("a", "b", "pvalue"),
    [
        (np.eye(5), np.eye(5), 1 / 120),
        (cone_rows(1), cone_rows(-1), 1 / 120),
        (ROOTS, ROOTS, 1 / 3),
        (*vector("v6"), 1 / 120),
        (*vector("v7"), 1 / 720),
    ],
    ids=["V1", "V3", "V5", "V6", "V7"],
)
def test_exact_pvalues_of_the_vectors(a, b, pvalue):
    found = run(a, b)
    assert found.method == "enumerated"
    assert found.n_permutations == math.factorial(len(a))
    assert_allclose(found.pvalue, pvalue, rtol=1e-14)


@pytest.mark.parametrize("n", [3, 5, 7])
@pytest.mark.parametrize("noise", [0.3, 30.0], ids=["related", "unrelated"])
def test_enumeration_against_all_pairings_one_by_one(rng, n, noise):
    a, b = related_pair(rng, n=n, dim=4, noise=noise)
    gaps = all_gaps(a, b)

    found = run(a, b)

    assert found.pvalue == np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-12)
    assert_allclose(found.gap_error, gaps.std(), rtol=1e-10)
    assert_allclose(found.z, gaps[0] / gaps.std(), rtol=1e-10)
    assert_allclose(gaps.mean(), 0, atol=1e-13)


def test_closed_form_z_of_v6_v8_and_antipodes():
    assert_allclose(run(*vector("v6")).z, 2.70178845901, rtol=1e-11)
    assert_allclose(run(*vector("v8"), n_permutations=9).z, 53.7007145511, rtol=1e-11)
    assert_allclose(run(ROOTS, ROOTS).z, 3**0.5, rtol=1e-12)
    assert_allclose(run(np.eye(5), np.eye(5)).z, 4, rtol=1e-12)


def test_drawn_pvalue_agrees_with_the_exact_one_of_eight_pairs(rng):
    """8! = 40,320 pairings, one by one; 9,999 draws leave a standard error of 0.004 at p = .2."""
    a, b = related_pair(rng, n=8, dim=4, noise=4.0)
    scores = unit(a) @ unit(b).T
    sums = scores[np.arange(8), list(permutations(range(8)))].sum(axis=1)
    exact = np.mean(np.abs(sums - sums.mean()) >= abs(sums[0] - sums.mean()) - 1e-12)

    found = run(a, b)

    assert found.method == "drawn"
    assert found.n_permutations == 9_999
    assert abs(found.pvalue - exact) < 5 * (exact * (1 - exact) / 9_999) ** 0.5 + 1e-4


def test_a_drawn_pvalue_is_never_below_one_over_the_draws_plus_one(rng):
    a, b = related_pair(rng, n=60, dim=8, noise=0.01)
    assert run(a, b, n_permutations=99).pvalue == 1 / 100


def test_a_seed_gives_the_same_draws_and_another_seed_others(rng):
    a, b = related_pair(rng, n=30, dim=5, noise=5.0)
    assert run(a, b, seed=3).pvalue == run(a, b, seed=3).pvalue
    assert run(a, b, seed=3).pvalue != run(a, b, seed=4).pvalue


def test_draws_in_small_blocks_have_the_same_law(rng, monkeypatch):
    a, b = related_pair(rng, n=30, dim=5, noise=5.0)
    whole = run(a, b)
    monkeypatch.setattr("core.permutation._SHUFFLED_AT_ONCE", 100)
    assert abs(run(a, b).pvalue - whole.pvalue) < 0.03


def test_normal_tail_from_sums_alone(rng):
    a, b = related_pair(rng, n=300, dim=6, noise=12.0)
    sums = Reading(a, b).sums

    found = normal_test(sums.linked, sums.interaction, 300)

    drawn = run(a, b)
    assert found.method == "normal"
    assert_allclose(found.z, drawn.z, rtol=1e-12)
    assert_allclose(found.gap_error, drawn.gap_error, rtol=1e-12)
    assert_allclose(found.pvalue, 2 * stats.norm.sf(abs(found.z)), rtol=1e-12)
    assert abs(found.pvalue - drawn.pvalue) < 0.02


def test_no_pvalue_is_zero_even_where_the_normal_tail_underflows():
    assert normal_test(1e6, 1.0, 5_000).pvalue > 0


def test_a_normal_pvalue_is_never_below_one_over_all_pairings():
    assert normal_test(100.0, 1.0, 5).pvalue == pytest.approx(1 / 120)


def test_a_constant_side_has_no_z_and_a_pvalue_of_one(rng):
    a = rng.standard_normal((30, 4))
    found = run(a, np.tile(a[:1], (30, 1)))
    assert found.z is None
    assert found.pvalue == 1
    assert_allclose(found.gap_error, 0, atol=1e-15)


def test_rotation_and_a_joint_shuffle_leave_z_alone(rng, pair):
    a, b = pair
    turn, order = random_rotation(rng, a.shape[1]), rng.permutation(len(a))
    assert_allclose(run((a @ turn)[order], (b @ turn)[order]).z, run(a, b).z, rtol=1e-11)


def test_the_test_is_two_sided():
    """V3: matched pairs are exactly opposite but for the cone, and p is as small as V1's."""
    found = run(cone_rows(1), cone_rows(-1))
    assert found.z < 0
    assert found.pvalue == pytest.approx(1 / 120)


LABELS = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7])


def test_groups_are_permuted_whole_among_groups_of_their_size(rng):
    """Four groups of 2, three of 1, one of 3 that stays: 4! 3! = 144 pairings, one by one."""
    a, b = related_pair(rng, n=14, dim=5, noise=2.0)
    groups = groups_from_ids(LABELS, 14)
    scores = unit(a) @ unit(b).T
    twos, ones = [[0, 1], [2, 3], [4, 5], [6, 7]], [8, 9, 10]
    sums = []
    for order in permutations(range(4)):
        for single in permutations(range(3)):
            place = np.arange(14)
            for here, there in zip(twos, order, strict=True):
                place[here] = twos[there]
            place[ones] = [ones[there] for there in single]
            sums.append(scores[np.arange(14), place].sum())
    sums = np.array(sums) - np.mean(sums)

    found = permutation_test(group_links(scores_of(a, b), groups), gap_pairs=10, rng=rng)

    assert found.n_permutations == 144
    assert found.pvalue == np.mean(np.abs(sums) >= abs(sums[0]) - 1e-12)
    assert_allclose(found.z, sums[0] / sums.std(), rtol=1e-10)
    assert_allclose(found.smallest_pvalue, 1 / 144, rtol=1e-12)


def test_groups_of_many_pairs_have_the_same_z_block_by_block(rng, monkeypatch):
    monkeypatch.setattr("core.group_links._BLOCK_NUMBERS", 30)
    a, b = related_pair(rng, n=60, dim=5, noise=2.0)
    groups = groups_from_ids(np.repeat(np.arange(33), [1, 2, 3] * 11)[:60], 60)
    reading = Reading(a, b)
    found = group_normal_test(reading.a, reading.b, reading.mean_a, reading.mean_b, groups, gap_pairs=57)
    drawn = permutation_test(group_links(scores_of(a, b), groups), gap_pairs=57, rng=rng, n_permutations=9)
    assert_allclose(found.z, drawn.z, rtol=1e-10)
    assert_allclose(found.gap_error, drawn.gap_error, rtol=1e-10)
    assert_allclose(found.smallest_pvalue, drawn.smallest_pvalue, rtol=1e-10)


def test_links_by_blocks_are_those_of_the_score_matrix(rng, monkeypatch):
    monkeypatch.setattr("core.group_links._BLOCK_NUMBERS", 30)
    a, b = related_pair(rng, n=14, dim=5, noise=2.0)
    groups = groups_from_ids(LABELS[rng.permutation(14)], 14)
    reading = Reading(a, b)
    by_blocks = group_links_by_blocks(reading.a, reading.b, reading.mean_a, reading.mean_b, groups)
    for found, expected in zip(by_blocks, group_links(scores_of(a, b), groups), strict=True):
        assert_allclose(found, expected, atol=1e-13)
    assert movable_groups(groups) == 7  # four of 2 and three of 1


def test_groups_that_are_all_of_different_sizes_cannot_be_tested(rng):
    a, b = related_pair(rng, n=6, dim=3)
    found = permutation_test(group_links(scores_of(a, b), groups_from_ids([0, 1, 1, 2, 2, 2], 6)), gap_pairs=4, rng=rng)
    assert found.pvalue == 1
    assert found.smallest_pvalue == 1
    assert found.z is None
    assert not found.has_permutations


@pytest.mark.parametrize("n", [20, 170, 171, 5_000])
def test_the_smallest_pvalue_is_never_zero(n):
    """1/171! is below any float; its logarithm is not."""
    found = normal_test(1.0, 1.0, n)
    assert_allclose(found.log10_smallest_pvalue, -sum(math.log10(k) for k in range(2, n + 1)), rtol=1e-12)
    if n <= 170:
        assert_allclose(found.smallest_pvalue, 1 / math.factorial(n), rtol=1e-10)
    else:
        assert found.smallest_pvalue is None
    assert found.can_reach(0.05)


def test_some_pairing_can_just_reach_the_level_it_defines():
    assert normal_test(1.0, 1.0, 4).can_reach(1 / 24)
    assert not normal_test(1.0, 1.0, 3).can_reach(0.05)
