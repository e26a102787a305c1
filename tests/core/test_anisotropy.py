"""Anisotropy: the mean cosine between different rows, against all pairs one by one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.anisotropy import anisotropy
from core.rows import UnitRows
from tests.arrays import cone, random_rotation
from tests.oracle import mean_cosine_between_rows, unit


def of(rows):
    return anisotropy(UnitRows(np.asarray(rows)).mean_row())


@pytest.mark.parametrize("drift", [0.0, 0.5, 5.0], ids=["isotropic", "some", "strong"])
def test_against_all_pairs_of_different_rows(rng, drift):
    rows = rng.standard_normal((60, 12))
    rows[:, 0] += drift
    assert_allclose(of(rows), mean_cosine_between_rows(unit(rows)), atol=1e-14)


@pytest.mark.parametrize("n", [2, 3, 7, 50])
def test_orthogonal_rows_share_nothing(rng, n):
    assert_allclose(of(np.eye(n) @ random_rotation(rng, n)), 0, atol=1e-14)


def test_equal_rows_share_everything(rng):
    assert_allclose(of(np.tile(rng.standard_normal(9), (30, 1))), 1, rtol=1e-14)


def test_opposite_rows_reach_the_lower_end_of_the_range():
    """-1 / (n - 1) at n = 2, and for rows that sum to zero at any n."""
    assert_allclose(of([[1.0, 2.0], [-1.0, -2.0]]), -1, rtol=1e-14)
    assert_allclose(of(np.vstack([np.eye(4), -np.eye(4)])), -1 / 7, rtol=1e-14)


def test_rotation_and_lengths_do_not_matter(rng):
    rows = rng.standard_normal((40, 6)) + 1
    lengths = rng.uniform(0.01, 100, (40, 1))
    assert_allclose(of(lengths * rows @ random_rotation(rng, 6)), of(rows), rtol=1e-13)


def test_a_narrow_cone_is_told_from_1(rng):
    rows = cone(rng, 50, 8, 1e-5)
    exact = float(mean_cosine_between_rows(unit(rows, np.longdouble)))
    assert_allclose(1 - of(rows), 1 - exact, rtol=1e-4)
