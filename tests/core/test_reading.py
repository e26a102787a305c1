"""One reading: matched against its floors, effect sizes, and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.reading import clipped
from tests.arrays import audited, cone, random_rotation, related_pair
from tests.oracle import drawn_derangements, exact, permuted, unit


def reading_of(a, b, *, count=20, seed=0):
    return audited(a, b, n_derangements=count, seed=seed).raw


def assert_compares(found, expected):
    names = ("floor_mean", "floor_sd", "gap", "gap_over_floor_sd", "cohens_d")
    assert_allclose(
        [getattr(found, name) for name in names],
        [expected[name] for name in ("floor", "floor_sd", "gap", "gap_over_floor_sd", "cohens_d")],
        rtol=1e-12,
    )


@pytest.mark.parametrize("drift", [0.0, 3.0], ids=["isotropic", "anisotropic"])
@pytest.mark.parametrize("dim", [2, 8, 100], ids=["plane", "n above d", "d above n"])
def test_both_floors_against_a_full_matrix(rng, drift, dim):
    a, b = related_pair(rng, n=40, dim=dim, drift=drift)
    found = reading_of(a, b, seed=9)
    assert_compares(found.exact, exact(unit(a), unit(b)))
    assert_compares(found.permuted, permuted(unit(a), unit(b), drawn_derangements(40, 20, 9)))


def test_matched_cosines_in_summary(pair):
    a, b = pair
    matched = (unit(a) * unit(b)).sum(axis=1)
    found = reading_of(a, b)
    assert_allclose(
        [found.matched_mean, found.matched_min, found.matched_max, found.matched_sd],
        [matched.mean(), matched.min(), matched.max(), matched.std()],
        rtol=1e-13,
    )


def test_an_effect_size_does_not_grow_with_n(rng):
    """Gap over floor sd is a distance, not a z: ten times the rows leave it where it is."""
    few = reading_of(*related_pair(rng, n=150))
    many = reading_of(*related_pair(rng, n=1_500))
    assert_allclose(many.exact.gap_over_floor_sd, few.exact.gap_over_floor_sd, rtol=0.15)


def test_without_spread_the_gap_stands_and_its_ratio_does_not(rng):
    basis = random_rotation(rng, 12)
    noisy = basis + 0.1 * np.roll(basis, 1, axis=0)  # matched stays, one neighbour is related
    found = reading_of(basis, basis)
    assert found.exact.gap_over_floor_sd is None
    assert found.permuted.gap_over_floor_sd is None
    assert found.exact.cohens_d is None, "neither matched nor floor varies"
    assert_allclose(found.exact.gap, 1, rtol=1e-14)
    assert reading_of(basis, noisy).exact.gap_over_floor_sd is not None


def test_cohens_d_needs_only_one_of_the_two_to_vary():
    """Orthogonal unrelated rows, matched cosines .6 and 1: the floor has no spread, d has."""
    a = np.eye(6)
    b = np.eye(6, 12)
    b[:3] *= 0.6
    b[:3, 6:9] = 0.8 * np.eye(3)
    found = reading_of(np.hstack([a, np.zeros((6, 6))]), b).exact
    assert found.gap_over_floor_sd is None
    assert_allclose(found.cohens_d, 0.8 / np.sqrt(0.2**2 / 2), rtol=1e-14)


def test_a_few_equal_derangement_scores_are_no_spread():
    """The exact floor has spread, the one derangement drawn happens to have none."""
    a = np.eye(4, 6)
    b = np.eye(4, 6)
    order = drawn_derangements(4, 1, 0)[0]
    i, j = next((i, j) for i in range(4) for j in range(4) if i != j and order[i] != j)
    b[j] += 0.5 * np.eye(6)[i]
    found = reading_of(a, b, count=1)
    assert found.exact.gap_over_floor_sd is not None
    assert found.permuted.floor_sd == 0
    assert found.permuted.gap_over_floor_sd is None


def test_a_narrow_cone_keeps_its_effect_size(rng):
    a = cone(rng, 40, 8, 1e-4)
    b = a + 3e-5 * rng.standard_normal(a.shape)
    expected = exact(unit(a, np.longdouble), unit(b, np.longdouble))
    assert_allclose(reading_of(a, b).exact.gap_over_floor_sd, expected["gap_over_floor_sd"], rtol=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_rounding_beyond_one_is_taken_off(sign):
    assert clipped(sign * (1 + 1e-15)) == sign
    assert clipped(sign * 0.25) == sign * 0.25


@pytest.mark.parametrize("sign", [1, -1])
def test_more_than_rounding_beyond_one_is_a_bug(sign):
    with pytest.raises(ArithmeticError, match=r"1\.00001"):
        clipped(sign * 1.00001)


def test_what_leaves_the_core_is_a_cosine(rng):
    """Equal rows give own cosines up to 1.3e-15 above 1."""
    rows = rng.standard_normal((300, 7))
    found = reading_of(rows, -3 * rows)
    assert -1 <= found.matched_min <= found.matched_max <= 1
    found = reading_of(rows, 3 * rows)
    assert -1 <= found.matched_min <= found.matched_max <= 1
    assert found.matched_mean <= 1
