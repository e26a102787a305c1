"""Mutual nearest neighbours, against sets made row by row."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.neighbours import nearest_rows, neighbour_overlap
from tests.core.test_cka import spectrum_pair
from tests.oracle import unit


def neighbour_sets(rows, k):
    scores = unit(rows) @ unit(rows).T
    return [set(sorted(set(range(len(rows))) - {i}, key=lambda j: -scores[i, j])[:k]) for i in range(len(rows))]


def overlap_of_sets(a, b, k):
    pairs = zip(neighbour_sets(a, k), neighbour_sets(b, k), strict=True)
    return np.mean([len(x & y) / k for x, y in pairs])


def test_overlap_against_sets(rng):
    a, b = spectrum_pair("same", 60, 8, rng)
    found = neighbour_overlap(a, b, n_permutations=9, rng=rng, k=7)
    assert_allclose(found.overlap, overlap_of_sets(a, b, 7), rtol=1e-12)
    assert_allclose(found.chance, 7 / 59)


def test_the_null_is_the_overlap_of_shuffled_rows(rng):
    a, b = spectrum_pair("same", 30, 8, rng)
    found = neighbour_overlap(a, b, n_permutations=25, rng=np.random.default_rng(6), k=4)
    again = np.random.default_rng(6)
    shuffled = []
    for _ in range(25):
        order = again.permutation(30)
        moved = np.empty_like(a)
        moved[order] = a  # item i stands in place order[i]
        shuffled.append(overlap_of_sets(moved, b, 4))
    assert_allclose([found.null.mean, found.null.sd], [np.mean(shuffled), np.std(shuffled)], rtol=1e-12)


@pytest.mark.parametrize("kind", ["rotated", "shuffled", "signs"])
def test_a_change_of_axes_keeps_every_neighbour(rng, kind):
    found = neighbour_overlap(*spectrum_pair(kind, 500, 256, rng), n_permutations=19, rng=rng)
    assert found.overlap == 1
    assert found.decided_by_lot == 0
    assert found.null.pvalue == 1 / 20


def test_noise_in_the_same_space_lowers_the_overlap_to_the_table(rng):
    found = neighbour_overlap(*spectrum_pair("same", 500, 256, rng), n_permutations=19, rng=rng)
    assert_allclose(found.overlap, 0.614, atol=0.02)


@pytest.mark.parametrize(("n", "dim", "chance"), [(500, 256, 0.020), (100, 768, 0.101)])
def test_unrelated_rows_overlap_by_chance(n, dim, chance):
    rng = np.random.default_rng(7)
    found = neighbour_overlap(*spectrum_pair("independent", n, dim, rng), n_permutations=99, rng=rng)
    assert_allclose(found.chance, chance, atol=5e-4)
    assert_allclose(found.overlap, chance, atol=4 * found.null.sd)
    assert found.null.pvalue > 0.01


def test_neighbours_do_not_depend_on_the_block(rng):
    rows = rng.standard_normal((40, 5))
    whole, _ = nearest_rows(rows, 6, rng)
    split, _ = nearest_rows(rows, 6, rng, block_elements=90)
    assert_allclose(np.sort(split, axis=1), np.sort(whole, axis=1))


def test_collapsed_sides_agree_only_by_lot(rng):
    """File order would make both sides choose the same rows and read 1."""
    found = neighbour_overlap(np.ones((200, 3)), np.ones((200, 4)), n_permutations=19, rng=rng)
    assert found.decided_by_lot == 200
    assert_allclose(found.overlap, found.chance, atol=0.02)


def test_ties_at_the_edge_are_drawn_and_clear_neighbours_kept(rng):
    """Row 0 has one clear neighbour and three at one cosine: two of those are drawn."""
    rows = np.array(
        [[1, 0, 0, 0, 0], [1, 0.1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 1], [-1, 0, 0, 0, 0.0]]
    )
    drawn = set()
    for _ in range(40):
        near, by_lot = nearest_rows(rows, 3, rng)
        assert by_lot[0]
        assert 1 in near[0]
        drawn.add(frozenset(near[0].tolist()) - {1})
    assert drawn == {frozenset(x) for x in ([2, 3], [2, 4], [3, 4])}


def test_k_gives_way_where_there_are_few_rows(rng):
    found = neighbour_overlap(rng.standard_normal((6, 3)), rng.standard_normal((6, 3)), n_permutations=9, rng=rng)
    assert found.k == 4
