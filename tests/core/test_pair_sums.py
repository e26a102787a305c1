"""Sums by pair: from the score matrix and in closed form, against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.jackknife import figures, figures_without_each
from core.pair_sums import SweptSums
from tests import refit
from tests.arrays import cone, random_rotation, related_pair
from tests.oracle import unit
from tests.readings import WAYS, Reading

LABELS = np.array([0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 1, 1, 3, 11, 12])

both_ways = pytest.mark.parametrize("way", WAYS)
with_and_without_groups = pytest.mark.parametrize("labels", [None, LABELS], ids=["pairs", "groups"])


@pytest.fixture
def twenty(rng):
    return related_pair(rng, n=20, dim=6)


def plain_sums(a, b, labels, sums):
    """Every sum of `PairSums`, written out from its definition, about the values it names."""
    ua, ub = unit(a), unit(b)
    about = ua @ ub.T - sums.about
    own = np.diag(ua @ ub.T) - sums.own_about
    labels = np.arange(len(a)) if labels is None else labels
    names = list(dict.fromkeys(labels.tolist()))
    other = labels[:, None] != labels[None, :]

    def by_group(values):
        return [values[labels == name].sum() for name in names]

    link = (ua - ua.mean(axis=0)) @ (ub - ub.mean(axis=0)).T
    return {
        "own": by_group(own),
        "own_squares": by_group(own**2),
        "rows": by_group((about * other).sum(axis=1)),
        "columns": by_group((about * other).sum(axis=0)),
        "row_squares": by_group((about**2 * other).sum(axis=1)),
        "column_squares": by_group((about**2 * other).sum(axis=0)),
        "linked": np.trace(link),
        "interaction": (link**2).sum(),
        "kin_a": sum(np.sum(ua[labels == name].sum(axis=0) ** 2) for name in names) / len(a),
        "kin_b": sum(np.sum(ub[labels == name].sum(axis=0) ** 2) for name in names) / len(a),
        "kin_ab": sum(ua[labels == x].sum(axis=0) @ ub[labels == x].sum(axis=0) for x in names) / len(a),
    }


@both_ways
@with_and_without_groups
@pytest.mark.parametrize("dim", [6, 40], ids=["more rows than columns", "more columns than rows"])
def test_every_sum_against_the_score_matrix(rng, way, labels, dim):
    a, b = related_pair(rng, n=20, dim=dim)

    sums = Reading(a, b, way=way, labels=labels).sums

    for name, expected in plain_sums(a, b, labels, sums).items():
        assert_allclose(getattr(sums, name), expected, rtol=1e-10, atol=1e-12, err_msg=name)


@both_ways
@with_and_without_groups
def test_figures_without_each_against_deleting_rows(twenty, way, labels):
    sums = Reading(*twenty, way=way, labels=labels).sums

    found = figures_without_each(sums)

    expected = refit.figures_without(*twenty, labels=labels).T
    for name, values in zip(("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d"), expected, strict=True):
        assert_allclose(getattr(found, name), values, rtol=1e-10, err_msg=name)


@with_and_without_groups
@pytest.mark.parametrize("kind", ["raw", "own"])
def test_sums_of_a_sweep_about_another_value_give_the_same(twenty, labels, kind):
    a, b = twenty
    ua, ub = refit.centred(a, b, kind)
    scores = ua @ ub.T - 0.3
    np.fill_diagonal(scores, 0.0)
    swept = SweptSums(
        about=0.3,
        row_squares=(scores**2).sum(axis=1),
        column_squares=(scores**2).sum(axis=0),
    )

    sums = Reading(a, b, kind, way="closed form", labels=labels, swept=swept).sums

    for name, expected in plain_sums(ua, ub, labels, sums).items():
        assert_allclose(getattr(sums, name), expected, rtol=1e-10, atol=1e-12, err_msg=name)
    if kind == "own":
        without = Reading(a, b, kind, way="closed form", labels=labels).sums
        assert_allclose(sums.pull_a, without.pull_a, rtol=1e-9, atol=1e-12)


@both_ways
def test_a_group_larger_than_a_block_counts_once(rng, way, monkeypatch):
    monkeypatch.setattr("core.groups.READY_BLOCK_ELEMENTS", 24)
    monkeypatch.setattr("core.groups.Groups.batches.__kwdefaults__", {"elements": 24})
    a, b = related_pair(rng, n=20, dim=6)
    labels = np.array([0] * 11 + [1, 1, 2, 2, 3, 4, 5, 6, 7])

    sums = Reading(a, b, way=way, labels=labels).sums

    for name, expected in plain_sums(a, b, labels, sums).items():
        assert_allclose(getattr(sums, name), expected, rtol=1e-10, atol=1e-12, err_msg=name)


@both_ways
@pytest.mark.parametrize("width", [1e-2, 1e-3, 1e-4])
def test_a_narrow_cone_keeps_the_digits_of_its_errors(rng, way, width):
    """Against extended precision; about 0 instead of k, these are wrong by a factor of 5 and more."""
    a, b = cone(rng, 30, 5, width), cone(rng, 30, 5, width)
    ua, ub = unit(a, np.longdouble), unit(b, np.longdouble)
    scores = ua @ ub.T
    expected = []
    for left_out in range(30):
        kept = np.delete(np.delete(scores, left_out, 0), left_out, 1)
        floor = kept[~np.eye(29, dtype=bool)]
        expected.append((np.diag(kept).mean() - floor.mean()) / floor.std())

    found = figures_without_each(Reading(a, b, way=way).sums).gap_over_floor_sd

    # Unit rows carry errors of 1e-16 in scores whose spread is about width squared.
    assert_allclose(found, np.array(expected, dtype=float), rtol=0, atol=30 * 2.2e-16 / width**2)


@both_ways
@pytest.mark.parametrize("n", [5, 40, 300])
def test_orthonormal_rows_have_no_spread(rng, way, n):
    """All unrelated cosines are 0 but for rounding, which must not become a spread."""
    q = random_rotation(rng, n)

    whole = figures(Reading(q, q, way=way).sums)

    assert whole.gap_over_floor_sd is None
    assert_allclose(whole.gap, 1, rtol=1e-12)


def test_a_real_spread_of_1e_9_beside_ones_is_kept_by_the_score_matrix(rng):
    """Near-orthonormal A and B: the diagonal dominates, and whole minus own would cancel."""
    q = random_rotation(rng, 50)
    a, b = q, q + 1e-9 * rng.standard_normal((50, 50))
    scores = unit(a, np.longdouble) @ unit(b, np.longdouble).T
    spread = float(scores[~np.eye(50, dtype=bool)].std())

    whole = figures(Reading(a, b, way="score matrix").sums)

    assert_allclose(whole.gap / whole.gap_over_floor_sd, spread, rtol=1e-5)


def test_the_closed_form_says_no_spread_where_it_cannot_tell(rng):
    """It knows the spread above only to about 1e-8, so it gives none rather than a wrong one."""
    q = random_rotation(rng, 50)
    whole = figures(Reading(q, q + 1e-9 * rng.standard_normal((50, 50)), way="closed form").sums)
    assert whole.gap_over_floor_sd is None


@both_ways
def test_a_common_rotation_and_row_lengths_change_nothing(rng, twenty, way):
    a, b = twenty
    turn, order = random_rotation(rng, 6), rng.permutation(20)
    before = figures_without_each(Reading(a, b, way=way).sums)
    lengths = rng.uniform(0.1, 9, (2, 20, 1))

    after = figures_without_each(Reading((a * lengths[0] @ turn)[order], (b * lengths[1] @ turn)[order], way=way).sums)

    assert_allclose(after.gap, before.gap[order], rtol=1e-12)
    assert_allclose(after.cohens_d, before.cohens_d[order], rtol=1e-11)


def test_swapping_the_sides_swaps_rows_and_columns(twenty):
    a, b = twenty
    sums, swapped = Reading(a, b).sums, Reading(b, a).sums
    assert_allclose(sums.row_squares, swapped.column_squares, rtol=1e-12)
    assert_allclose(sums.columns, swapped.rows, rtol=1e-10, atol=1e-13)


def test_moving_unit_rows_without_making_them_unit_again_keeps_the_gap(rng, twenty):
    """The raw gap is the trace of a covariance: no translation changes it."""
    a, b = (unit(side) for side in twenty)
    move = rng.standard_normal(6)
    scores = (a - move) @ (b + 2 * move).T
    gap = np.diag(scores).mean() - scores[~np.eye(20, dtype=bool)].mean()
    assert_allclose(figures(Reading(a, b).sums).gap, gap, rtol=1e-12)
