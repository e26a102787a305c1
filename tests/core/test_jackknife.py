"""The jackknife over pairs, against known vectors, U-statistic theory and literal deletion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.jackknife import figures, figures_without_each, jackknife_error
from tests import refit
from tests.oracle import unit
from tests.readings import WAYS, Reading, vector

both_ways = pytest.mark.parametrize("way", WAYS)


def errors(sums):
    without = figures_without_each(sums)
    names = ("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d")
    return [jackknife_error(getattr(without, name)) for name in names]


@both_ways
def test_v6(way):
    sums = Reading(*vector("v6"), way=way).sums
    whole = figures(sums)
    assert_allclose(whole.matched, 0.952028256721, rtol=1e-11)
    assert_allclose(whole.floor, -0.210211515425, rtol=1e-11)
    assert_allclose(whole.gap_over_floor_sd, 1.90138974305, rtol=1e-11)
    assert_allclose(whole.cohens_d, 2.68125207462, rtol=1e-11)
    assert_allclose(errors(sums)[:4], [0.0232079132609, 0.209989877875, 0.206983290866, 0.723195081363], rtol=1e-11)


@both_ways
def test_v7_and_v8(way):
    assert_allclose(errors(Reading(*vector("v7"), way=way).sums)[2], 0.150214596921, rtol=1e-11)
    v8 = errors(Reading(*vector("v8"), way=way).sums)
    assert_allclose((v8[2], v8[3]), (0.00652099229687, 0.06232308), rtol=1e-7)


def test_the_gap_is_a_u_statistic_with_arvesens_variance(rng, pair):
    """4 (n-1) / (n (n-2)^2) sum (q_i - U)^2, q_i the mean of the kernel over pairs with i."""
    ua, ub = (unit(side) for side in pair)
    n = len(ua)
    kernel = np.array([[(ua[i] - ua[j]) @ (ub[i] - ub[j]) / 2 for j in range(n)] for i in range(n)])
    q = kernel.sum(axis=1) / (n - 1)
    gap = kernel.sum() / (n * (n - 1))
    error = np.sqrt(4 * (n - 1) / (n * (n - 2) ** 2) * ((q - gap) ** 2).sum())

    sums = Reading(*pair).sums

    assert_allclose(figures(sums).gap, gap, rtol=1e-12)
    assert_allclose(errors(sums)[2], error, rtol=1e-12)


def test_errors_against_deleting_pairs(pair):
    assert_allclose(errors(Reading(*pair).sums), refit.errors(*pair), rtol=1e-11)


@both_ways
def test_roots_of_unity_are_alike_so_nothing_moves(way):
    """V4: leaving any root out gives the same figures. The error is 0, which is not certainty."""
    angles = np.arange(8) * np.pi / 4
    roots = np.column_stack([np.cos(angles), np.sin(angles)])
    sums = Reading(roots, roots, way=way).sums
    whole = figures(sums)
    assert_allclose(
        (whole.floor, whole.gap, whole.gap_over_floor_sd, whole.cohens_d),
        (-1 / 7, 8 / 7, 1.788854381999832, 2.5298221281347),
        rtol=1e-12,
    )
    assert_allclose(errors(sums), 0, atol=1e-13)


@both_ways
def test_antipodal_duplicates(way):
    """V5."""
    rows = np.array([[1.0, 0], [1, 0], [-1, 0], [-1, 0]])
    whole = figures(Reading(rows, rows, way=way).sums)
    assert_allclose(
        (whole.floor, whole.gap, whole.gap_over_floor_sd, whole.cohens_d), (-1 / 3, 4 / 3, 2**0.5, 2), rtol=1e-12
    )


@both_ways
def test_no_spread_has_no_quotients(way):
    """V1 and V2: every unrelated pair scores the same."""
    for rows in (np.eye(5), np.column_stack([np.full(5, 0.8), 0.6 * np.eye(5)])):
        whole = figures(Reading(rows, rows, way=way).sums)
        assert whole.gap_over_floor_sd is None
        assert whole.cohens_d is None
        assert_allclose(whole.gap, 1 - rows[0] @ rows[1], rtol=1e-14)


def test_jackknife_error_of_a_mean_is_its_standard_error(rng):
    x = rng.standard_normal(30)
    without = (x.sum() - x) / 29
    assert_allclose(jackknife_error(without), x.std(ddof=1) / 30**0.5, rtol=1e-12)
