"""Groups: their bookkeeping, the group-aware floor, ranks among other groups, duplicates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.digests import value_digests
from core.errors import PairingError
from core.groups import Groups, duplicate_groups, groups_from_ids, naive_floor_inflation, within_groups
from core.jackknife import figures, figures_without_each
from core.rows import UnitRows
from tests.arrays import related_pair
from tests.oracle import unit
from tests.readings import WAYS, Reading

LABELS = np.array([3, 3, 1, 2, 2, 2, 0, 9, 5, 5, 1, 7])


def test_labels_are_numbered_by_first_appearance():
    groups = groups_from_ids(["b", "a", "b", "c"], 4)
    assert_array_equal(groups.labels, [0, 1, 0, 2])
    assert_array_equal(groups.sizes, [2, 1, 1])
    assert groups.unrelated == 16 - 6
    assert groups.effective_count == 16 / 6


def test_every_pair_alone_is_no_grouping():
    groups = Groups.alone(5)
    assert groups.are_pairs
    assert groups.unrelated == 20
    assert groups.chance_first == 1 / 5


def test_chance_among_other_groups():
    groups = groups_from_ids([0, 0, 1, 2], 4)
    assert_allclose(groups.chance_first, (1 / 3 + 1 / 3 + 1 / 4 + 1 / 4) / 4)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, 2, 3], "3, and there are 4 pairs"),
        (np.ones((4, 2)), "4 × 2"),
        ([1, 1, 1, 1], "1 group;"),
        ([1, 1, 2, 2], "2 groups;"),
    ],
)
def test_ids_that_cannot_be_groups_are_refused(ids, message):
    with pytest.raises(PairingError, match=message):
        groups_from_ids(ids, 4)


@pytest.mark.parametrize("elements", [1, 10, 10_000])
def test_batches_visit_every_row_once_with_its_whole_group(elements):
    groups = groups_from_ids(LABELS, 12)
    seen = []
    for batch in groups.batches(3, elements=elements):
        for rows, members in zip(batch.rows, batch.members, strict=True):
            seen.extend(rows)
            group = groups.labels[members[0]]
            assert_array_equal(members, np.flatnonzero(groups.labels == group))
            assert set(rows) <= set(members)
    assert sorted(seen) == list(range(12))


@pytest.mark.parametrize("way", WAYS)
def test_five_captions_an_image_inflate_the_naive_floor_as_predicted(rng, way):
    images = rng.standard_normal((60, 16)) + 0.8
    labels = np.repeat(np.arange(60), 5)
    a, b = images[labels], images[labels] + 0.7 * rng.standard_normal((300, 16))
    reading, naive = Reading(a, b, way=way, labels=labels), Reading(a, b, way=way)
    found = within_groups(reading.a, reading.b, np.einsum("ij,ij->i", unit(a), unit(b)), reading.groups)
    scores = unit(a) @ unit(b).T
    other = labels[:, None] != labels[None, :]

    aware, plain = figures(reading.sums).floor, figures(naive.sums).floor

    assert_allclose(aware, scores[other].mean(), rtol=1e-11)
    assert_allclose(found.mean, scores[~other & ~np.eye(300, dtype=bool)].mean(), rtol=1e-11)
    assert_allclose(plain - aware, naive_floor_inflation(reading.groups, found.mean, aware), rtol=1e-9)
    assert_allclose(plain - aware, 4 / 299 * (found.mean - aware), rtol=1e-9)


def test_delete_group_of_the_floor_against_the_published_formula(rng):
    """num = F - A_g.(B - B_g) - B_g.(A - A_g), den = n^2 - sum n_h^2 - 2 n_g (n - n_g)."""
    a, b = related_pair(rng, n=12, dim=4)
    ua, ub = unit(a), unit(b)
    names = list(dict.fromkeys(LABELS.tolist()))
    sums_a = np.array([ua[name == LABELS].sum(axis=0) for name in names])
    sums_b = np.array([ub[name == LABELS].sum(axis=0) for name in names])
    sizes = np.array([np.sum(name == LABELS) for name in names])
    total_a, total_b = ua.sum(axis=0), ub.sum(axis=0)
    cross = total_a @ total_b - (sums_a * sums_b).sum()
    num = cross - (sums_a * (total_b - sums_b)).sum(axis=1) - (sums_b * (total_a - sums_a)).sum(axis=1)
    den = 144 - (sizes**2).sum() - 2 * sizes * (12 - sizes)

    found = figures_without_each(Reading(a, b, labels=LABELS).sums).floor

    assert_allclose(found, num / den, rtol=1e-11)


@pytest.mark.parametrize("duplicated", [False, True], ids=["distinct", "duplicated rows"])
def test_ranks_within_groups_against_the_score_matrix(rng, duplicated):
    a, b = related_pair(rng, n=12, dim=4, noise=2.0)
    if duplicated:
        a[3], b[4], b[1] = a[4], b[5], b[0]
    ua, ub = unit(a), unit(b)
    scores = ua @ ub.T
    kin = (LABELS[:, None] == LABELS[None, :]) & ~np.eye(12, dtype=bool)
    own = np.diag(scores)

    found = within_groups(UnitRows(a), UnitRows(b), own, groups_from_ids(LABELS, 12))

    above, near = scores > own[:, None] + 1e-12, np.abs(scores - own[:, None]) <= 1e-12
    assert_array_equal(found.better_a_to_b, (above & kin).sum(axis=1))
    assert_array_equal(found.tied_a_to_b, (near & kin).sum(axis=1))
    assert_array_equal(found.beats_a_to_b, ((above + near / 2) * kin).sum(axis=0))
    above, near = scores > own[None, :] + 1e-12, np.abs(scores - own[None, :]) <= 1e-12
    assert_array_equal(found.better_b_to_a, (above & kin).sum(axis=0))
    assert_array_equal(found.tied_b_to_a, (near & kin).sum(axis=0))
    assert_array_equal(found.beats_b_to_a, ((above + near / 2) * kin).sum(axis=1))


def test_pairs_alone_have_nothing_within(pair):
    own = np.einsum("ij,ij->i", *(unit(side) for side in pair))
    found = within_groups(*(UnitRows(side) for side in pair), own, Groups.alone(40))
    assert found.mean is None
    assert not found.better_a_to_b.any()
    assert naive_floor_inflation(Groups.alone(40), None, 0.5) == 0


def test_duplicates_propose_groups_in_chains():
    """Pairs 0 and 2 share a row of A; 2 and 4 a row of B: one group. 1 and 3 stay alone."""
    a = np.array([[1.0], [2], [1], [3], [4]])
    b = np.array([[5.0], [6], [7], [8], [7]])
    groups = duplicate_groups(value_digests(a), value_digests(b))
    assert_array_equal(groups.labels, [0, 1, 0, 2, 0])


def test_a_row_that_stands_in_a_and_in_b_proposes_no_group():
    a, b = np.array([[1.0], [2], [3]]), np.array([[2.0], [3], [1]])
    assert duplicate_groups(value_digests(a), value_digests(b)).are_pairs


def test_rows_match_by_value_whatever_their_type(rng):
    rows = rng.standard_normal((50, 7)).astype(np.float32)
    copies = np.asfortranarray(rows.astype(np.float64))
    assert_array_equal(value_digests(rows), value_digests(copies))
    assert_array_equal(value_digests(np.array([[0.0, -0.0]])), value_digests(np.array([[-0.0, 0.0]])))
