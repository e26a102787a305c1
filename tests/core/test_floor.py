"""Both floors: all unrelated pairs, and seeded derangements; against brute force."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.floor import NO_SPREAD, derangements, exact_floor, permuted_floor
from core.rows import UnitRows
from core.sweep import RAW, make_ready, pairing_sums
from tests.arrays import audited, cone, random_rotation, related_pair
from tests.oracle import drawn_derangements, exact, off_diagonal, permuted, unit


def ready(a, b):
    """Both sides made ready for the passes, centred on their own means."""
    return make_ready(a, b, UnitRows(a).mean_row().mean, UnitRows(b).mean_row().mean)


def pooled(sides, orders, *, about=None):
    """The raw permuted floor of some pairings."""
    mean = sides.floors[RAW] if about is None else about
    sums, squares = pairing_sums(sides, orders, about=(mean, mean))
    return permuted_floor(mean, sums[RAW], squares[RAW], sides.shape[0])


def drawn(n, count, seed):
    return list(derangements(n, count, np.random.default_rng(seed)))


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (10, 0), (10, 7), (100, 1), (1_000, 123)])
def test_derangements_are_the_ones_the_reference_draws(n, seed):
    """One generator, permutations drawn in a row, those with a fixed point thrown away."""
    assert_array_equal(drawn(n, 20, seed), drawn_derangements(n, 20, seed))


@pytest.mark.parametrize("n", [2, 3, 4, 50])
def test_no_row_meets_its_own_partner(n):
    for order in drawn(n, 100, 0):
        assert_array_equal(np.sort(order), np.arange(n))
        assert not np.any(order == np.arange(n))


def test_every_derangement_is_equally_likely():
    """The 9 derangements of 4 things; chi-square at 8 degrees of freedom, far beyond chance."""
    possible = [p for p in permutations(range(4)) if all(p[i] != i for i in range(4))]
    seen = Counter(tuple(order.tolist()) for order in drawn(4, 9_000, 3))
    assert set(seen) == set(possible)
    assert sum((seen[p] - 1_000) ** 2 / 1_000 for p in possible) < 30


@pytest.mark.parametrize("drift", [0.0, 3.0], ids=["isotropic", "anisotropic"])
def test_the_exact_mean_needs_only_sums(rng, drift):
    a, b = related_pair(rng, drift=drift)
    assert_allclose(ready(a, b).floors[RAW], exact(unit(a), unit(b))["floor"], atol=1e-15)


def test_the_exact_floor_from_sums_about_its_mean(rng):
    scores = rng.uniform(-1, 1, (9, 9))
    unrelated = scores[off_diagonal(9)]
    for about in (unrelated.mean(), 0.3):
        deviations = unrelated - about
        floor = exact_floor(float(about), float(deviations.sum()), float(deviations @ deviations), 72)
        assert_allclose(floor.sd, unrelated.std(), rtol=1e-13)


@pytest.mark.parametrize("shared_mean", [False, True])
def test_the_audit_reports_the_exact_floor_of_all_unrelated_pairs(pair, shared_mean):
    a, b = pair
    found = audited(a, b, shared_mean=shared_mean).raw.exact
    expected = exact(unit(a), unit(b))
    assert_allclose([found.floor_mean, found.floor_sd], [expected["floor"], expected["floor_sd"]], rtol=1e-13)


@pytest.mark.parametrize(
    ("width", "relative"),
    [(1e-1, 1e-9), (1e-3, 1e-8), (1e-4, 1e-6), (1e-5, 1e-4), (1e-6, 1e-2)],
    ids=["sd 2e-3", "sd 2e-7", "sd 2e-9", "sd 2e-11", "sd 2e-13"],
)
def test_the_spread_of_a_narrow_cone_is_right(rng, width, relative):
    """Where E[x²] - E[x]² would give 1e-8 or the root of a negative number.

    The tolerance grows as the spread nears the rounding of the unit rows themselves.
    """
    a, b = cone(rng, 60, 16, width), cone(rng, 60, 16, width)
    expected = exact(unit(a, np.longdouble), unit(b, np.longdouble))["floor_sd"]

    result = audited(a, b)

    assert_allclose(result.raw.exact.floor_sd, expected, rtol=relative)
    assert result.raw.exact.gap_over_floor_sd is not None


def test_the_spread_is_right_when_matched_pairs_dominate(rng):
    """Nearly orthonormal sides: own cosines near 1, all others within 1e-9 of 0."""
    basis = random_rotation(rng, 30)
    a = basis + 1e-9 * rng.standard_normal((30, 30))
    expected = exact(unit(a, np.longdouble), unit(basis, np.longdouble))["floor_sd"]
    assert_allclose(audited(a, basis).raw.exact.floor_sd, expected, rtol=1e-5)


@pytest.mark.parametrize("n", [5, 40, 150])
def test_rotated_orthonormal_rows_have_no_spread(rng, n):
    rows = random_rotation(rng, n)
    floor = audited(rows, rows).raw.exact
    assert (floor.floor_sd, floor.gap_over_floor_sd) == (0, None)


@pytest.mark.parametrize("n", [5, 40, 150])
def test_rotated_exact_cones_have_no_spread(rng, n):
    rows = np.hstack([np.full((n, 1), 0.8), 0.6 * np.eye(n)]) @ random_rotation(rng, n + 1)
    raw = audited(rows, rows).raw
    assert_allclose(raw.exact.floor_mean, 0.64, rtol=1e-13)
    assert (raw.exact.floor_sd, raw.exact.gap_over_floor_sd) == (0, None)
    assert raw.permuted.gap_over_floor_sd is None


def test_one_side_collapsed_to_a_point_has_no_spread(rng):
    b = np.tile(rng.standard_normal(6), (20, 1))
    a = np.tile(rng.standard_normal(6), (20, 1))
    assert audited(a, b).raw.exact.floor_sd == 0


@pytest.mark.parametrize(("sd", "shown"), [(0.5 * NO_SPREAD, 0.0), (2 * NO_SPREAD, 2 * NO_SPREAD)])
def test_a_spread_of_a_few_ulps_is_rounding_and_twice_that_is_not(sd, shown):
    assert_allclose(exact_floor(0.5, 0.0, 12 * sd**2, 12).sd, shown, rtol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 20])
def test_the_permuted_floor_pools_all_scores(pair, count):
    a, b = pair
    orders = drawn_derangements(len(a), count, 5)

    floor = pooled(ready(a, b), orders, about=0.2)

    expected = permuted(unit(a), unit(b), orders)
    assert_allclose([floor.mean, floor.sd], [expected["floor"], expected["floor_sd"]], rtol=1e-13)
    assert floor.n_derangements == count


def test_the_permuted_floor_does_not_depend_on_the_value_subtracted_first(pair):
    orders = drawn_derangements(len(pair[0]), 5, 0)
    floors = [pooled(ready(*pair), orders, about=about) for about in (0.0, 0.9)]
    assert_allclose([floors[0].mean, floors[0].sd], [floors[1].mean, floors[1].sd], rtol=1e-12)


def test_the_permuted_floor_sees_the_spread_of_a_narrow_cone(rng):
    a, b = cone(rng, 60, 16, 1e-4), cone(rng, 60, 16, 1e-4)
    orders = drawn_derangements(60, 20, 0)
    expected = permuted(unit(a, np.longdouble), unit(b, np.longdouble), orders)
    assert_allclose(audited(a, b).raw.permuted.floor_sd, expected["floor_sd"], rtol=1e-6)


def test_both_readings_are_scored_on_the_same_derangements(pair):
    """A cone subtracted from both sides leaves the order of things as it was, to rounding."""
    a, b = pair
    result = audited(a, b, seed=3, n_derangements=4)
    orders = drawn_derangements(len(a), 4, 3)
    ua, ub = unit(a), unit(b)
    ca, cb = unit(ua - ua.mean(axis=0)), unit(ub - ub.mean(axis=0))
    assert_allclose(result.raw.permuted.floor_mean, permuted(ua, ub, orders)["floor"], rtol=1e-12)
    assert_allclose(result.centred.permuted.floor_mean, permuted(ca, cb, orders)["floor"], rtol=1e-11)


def test_the_monte_carlo_error_is_the_spread_over_seeds(rng):
    """300 seeds: the sd of their floors against the error each reports. 300 draws know an sd to 4 %."""
    sides = ready(*related_pair(rng, n=30))
    floors = [pooled(sides, drawn_derangements(30, 20, seed)) for seed in range(300)]
    reported = np.sqrt(np.mean([floor.monte_carlo_error**2 for floor in floors]))
    assert_allclose(reported, np.std([floor.mean for floor in floors]), rtol=0.15)


def test_one_derangement_has_no_monte_carlo_error(pair):
    assert audited(*pair, n_derangements=1).raw.monte_carlo_error is None
