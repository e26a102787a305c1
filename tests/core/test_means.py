"""Which mean each side is centred on: its own rows, its fit rows, or one mean for both."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.means import fit_means
from core.rows import UnitRows
from tests.oracle import unit


@pytest.fixture
def sides(rng):
    return rng.standard_normal((20, 5)) + 1, rng.standard_normal((20, 5)) - 1


@pytest.fixture
def fits(rng):
    """Fit rows of very different number and length, so that weighing them wrongly shows."""
    return 50 * (rng.standard_normal((90, 5)) + 2), 0.1 * rng.standard_normal((30, 5))


def means_of(sides, fit_a, fit_b, *, shared):
    compared = [UnitRows(side).mean_row() for side in sides]
    return fit_means(*compared, fit_a, fit_b, shared=shared)


def test_without_fit_rows_each_side_has_the_mean_of_its_own_rows(sides):
    means = means_of(sides, None, None, shared=False)
    assert_allclose(means.a, unit(sides[0]).mean(axis=0), rtol=1e-13)
    assert_allclose(means.b, unit(sides[1]).mean(axis=0), rtol=1e-13)
    assert (means.fitted_a.from_fit_file, means.fitted_b.from_fit_file) == (False, False)
    assert (means.fitted_a.row.n_rows, means.fitted_b.row.n_rows) == (20, 20)


def test_a_mean_is_taken_over_unit_rows_not_over_rows_as_stored(rng, sides):
    lengths = rng.uniform(0.01, 100, (20, 1))
    scaled = means_of((sides[0] * lengths, sides[1]), None, None, shared=False)
    assert_allclose(scaled.a, means_of(sides, None, None, shared=False).a, rtol=1e-12)


def test_fit_rows_of_one_side_leave_the_other_alone(sides, fits):
    means = means_of(sides, fits[0], None, shared=False)
    assert_allclose(means.a, unit(fits[0]).mean(axis=0), rtol=1e-13)
    assert_allclose(means.b, unit(sides[1]).mean(axis=0), rtol=1e-13)
    assert (means.fitted_a.from_fit_file, means.fitted_b.from_fit_file) == (True, False)
    assert means.fitted_a.row.n_rows == 90


@pytest.mark.parametrize("given", [(True, True), (True, False), (False, True), (False, False)], ids=str)
def test_a_shared_mean_is_that_of_all_fit_rows_stacked(sides, fits, given):
    fit_a, fit_b = (fit if use else None for fit, use in zip(fits, given, strict=True))
    stacked = np.vstack([unit(side if fit is None else fit) for side, fit in zip(sides, (fit_a, fit_b), strict=True)])

    means = means_of(sides, fit_a, fit_b, shared=True)

    assert_allclose(means.a, stacked.mean(axis=0), rtol=1e-12)
    assert_array_equal(means.a, means.b)
    assert means.shared


def test_a_shared_mean_of_equal_means_is_exactly_that_mean(sides):
    """Otherwise a row equal to it would keep a direction made of rounding."""
    means = means_of((sides[0], sides[0]), None, None, shared=True)
    assert_array_equal(means.a, UnitRows(sides[0]).mean_row().mean)
