"""Which rows are the same item: copies in another precision or scale, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import DisjointSet

from core.same_items import item_groups, seen_pairs
from tests.oracle import unit


def bfloat16(rows):
    """Rows rounded to 8 bits of mantissa."""
    bits = np.asarray(rows, np.float32).view(np.uint32)
    return ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize(
    "saved_again",
    [
        lambda x: x,
        lambda x: x.astype(np.float32),
        lambda x: x.astype(np.float16),
        bfloat16,
        unit,
        lambda x: 1e-3 * x,
        lambda x: x * np.arange(1, len(x) + 1)[:, None],
    ],
    ids=["as it is", "float32", "float16", "bfloat16", "unit rows", "scaled", "each row scaled"],
)
@pytest.mark.parametrize("offset", [0, 5])
def test_a_pair_saved_again_in_another_way_is_the_same_pair(rng, saved_again, offset):
    a, b = rng.standard_normal((60, 24)) + offset, rng.standard_normal((60, 40)) - offset
    order = rng.permutation(30)
    assert seen_pairs(a, b, saved_again(a[:30])[order], saved_again(b[:30])[order]) == list(range(30))


def test_a_pair_is_seen_only_where_both_of_its_rows_are_in_one_train_pair(rng):
    a, b = rng.standard_normal((60, 24)), rng.standard_normal((60, 40))
    assert seen_pairs(a[:30], b[:30], a[:30], b[30:]) == []
    assert seen_pairs(a[:30], b[:30], a[:30], b[:30][::-1]) == []


@pytest.mark.parametrize("dim", [1, 2, 3, 8, 64])
@pytest.mark.parametrize("offset", [0, 1000])
def test_other_rows_are_not_seen_however_narrow_or_alike(rng, dim, offset):
    rows = [rng.standard_normal((400, dim)) + offset for _ in range(4)]
    assert seen_pairs(*rows) == []


@pytest.mark.parametrize("dim", [1, 2])
def test_narrow_pairs_saved_as_float32_are_seen(rng, dim):
    a, b = rng.standard_normal((40, dim)), rng.standard_normal((40, dim))
    assert seen_pairs(a, b, a.astype(np.float32), b.astype(np.float32)) == list(range(40))


def test_groups_are_those_connected_through_equal_rows_of_either_side(rng):
    names_a, names_b = rng.integers(0, 90, 120), rng.integers(0, 90, 120)
    a, b = rng.standard_normal((90, 12))[names_a], rng.standard_normal((90, 9))[names_b]
    a *= rng.uniform(0.5, 2, (120, 1))
    linked = DisjointSet(range(120))
    for names in (names_a, names_b):
        for name in range(90):
            for row in np.flatnonzero(names == name)[1:]:
                linked.merge(int(np.flatnonzero(names == name)[0]), int(row))
    found = item_groups(a, b)
    assert sorted(map(sorted, linked.subsets())) == sorted(
        np.flatnonzero(found == group).tolist() for group in np.unique(found)
    )


def test_rows_that_all_differ_are_groups_of_their_own(rng):
    assert sorted(item_groups(rng.standard_normal((300, 8)), rng.standard_normal((300, 5)) + 100)) == list(range(300))


def test_a_side_of_one_row_many_times_is_one_group(rng):
    assert set(item_groups(np.ones((500, 8)), rng.standard_normal((500, 8)))) == {0}
