"""Was the right mean subtracted: against written-out sums, its null law, and shifted fits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.centring_check import CentringFit, check_mean, cross_trace, shared_mean_floor
from core.isotropy import side_moments
from core.rows import UnitRows
from tests import refit
from tests.arrays import audited
from tests.oracle import unit


def checked(compared, fit):
    sides = [UnitRows(np.asarray(rows)) for rows in (compared, fit)]
    moments = [side_moments(side, side.mean_row()) for side in sides]
    return check_mean(*moments, cross_trace(*sides, *moments))


def population(rng, n, dim=32, *, shared=2.0, shift=0.0):
    rows = rng.standard_normal((n, dim))
    rows[:, 0] += shared
    rows[:, 1] += shift
    return rows


def test_squared_distance_against_sums_over_different_rows(rng):
    compared, fit = population(rng, 12, 5), population(rng, 9, 5)
    u, f = unit(compared), unit(fit)
    within_u, within_f = (rows @ rows.T for rows in (u, f))
    expected = within_u[~np.eye(12, dtype=bool)].mean() + within_f[~np.eye(9, dtype=bool)].mean() - 2 * (u @ f.T).mean()
    assert_allclose(checked(compared, fit).squared_distance, expected, rtol=1e-11)


def test_cross_trace_both_ways(rng, monkeypatch):
    compared, fit = UnitRows(population(rng, 12, 30)), UnitRows(population(rng, 20, 30))
    moments = [side_moments(side, side.mean_row()) for side in (compared, fit)]
    expected = np.trace(np.cov(unit(compared.stored).T) @ np.cov(unit(fit.stored).T))
    assert_allclose(cross_trace(compared, fit, *moments), expected, rtol=1e-11)
    monkeypatch.setattr("core.centring_check.FULL_MATRIX_PAIRS", 5)
    assert_allclose(cross_trace(compared, fit, *moments), expected, rtol=1e-11)
    monkeypatch.setattr("core.centring_check.SCATTER_COLUMNS", 5)
    assert cross_trace(compared, fit, *moments) is None


def test_z_is_about_standard_normal_for_one_population(rng):
    z = np.array([checked(population(rng, 60), population(rng, 90)).z for _ in range(400)])
    assert abs(z.mean()) < 0.15
    assert 0.85 < z.std() < 1.1
    assert 0.03 < np.mean(z > 1.645) < 0.09


def test_a_fit_on_the_same_population_fits(rng):
    found = checked(population(rng, 300), population(rng, 600))
    assert found.verdict is CentringFit.FITS
    assert_allclose(found.mean_cosine, found.expected_cosine, atol=0.01)


@pytest.mark.parametrize(
    ("shift", "verdict"), [(1.2, CentringFit.OFF), (4.0, CentringFit.FAR_OFF)], ids=["a little off", "far off"]
)
def test_a_shifted_fit_is_off(rng, shift, verdict):
    found = checked(population(rng, 400, shared=5), population(rng, 800, shared=5, shift=shift))
    assert found.z > 3
    assert found.verdict is verdict


def test_many_rows_do_not_make_a_trifle_worth_a_word(rng):
    found = checked(population(rng, 6_000), population(rng, 6_000, shift=0.25))
    assert found.z > 3
    assert found.floor_shift < 0.02
    assert found.verdict is CentringFit.FITS


def test_a_mean_that_is_longer_than_the_rows_own_adds_a_direction(rng):
    """Rows with a little of one shared direction, centred on a mean in another."""
    found = checked(population(rng, 2_000, shared=0.8), population(rng, 2_000, shared=0.0, shift=3.0))
    assert found.direction_left > 1
    assert found.verdict is CentringFit.ADDS_A_DIRECTION


def test_no_common_direction_hides_the_angle(rng):
    half = rng.standard_normal((150, 16))
    found = checked(np.vstack([half, -half]), population(rng, 300, 16))
    assert found.mean_cosine is None
    assert found.direction_left is None


def test_a_mean_can_add_a_direction_to_rows_that_share_none(rng):
    """There is no share of a common direction then, but the rows' own mean is near 0 and the fitted one is not."""
    half = rng.standard_normal((150, 16))
    added = checked(np.vstack([half, -half]), population(rng, 300, 16, shared=0.0, shift=3.0))
    assert added.direction_left is None
    assert added.verdict is CentringFit.ADDS_A_DIRECTION
    fair = checked(np.vstack([half, -half]), np.vstack([half, -half])[::-1] + 0.5 * rng.standard_normal((300, 16)))
    assert fair.verdict is CentringFit.FITS


def test_one_fit_row_cannot_be_judged(rng):
    assert checked(population(rng, 40), population(rng, 1)) is None


def test_three_fit_rows_have_a_distance_but_no_z(rng):
    found = checked(population(rng, 40), population(rng, 3))
    assert found.z is None
    assert found.verdict is None


def test_equal_rows_give_no_z():
    rows = np.tile([[3.0, 4.0]], (10, 1))
    assert checked(rows, rows).z is None


def test_swapping_compared_and_fit_keeps_distance_and_z(rng):
    a, b = population(rng, 50), population(rng, 80, shift=0.5)
    assert_allclose(checked(a, b).z, checked(b, a).z, rtol=1e-10)


def test_one_shared_mean_over_two_places_leaves_the_offset_in_the_floor(rng):
    """Two sides around different directions with nothing in common row by row."""
    n = 400
    a, b = population(rng, n, shared=0.0, shift=4.0), population(rng, n, shared=4.0)
    ua, ub = unit(a), unit(b)
    middle = (ua.mean(axis=0) + ub.mean(axis=0)) / 2
    lengths = np.linalg.norm(ua - middle, axis=1) * np.linalg.norm(ub - middle, axis=1)
    offset = ((ua.mean(axis=0) - ub.mean(axis=0)) ** 2).sum()
    found = shared_mean_floor(offset, lengths.mean(), n)
    assert_allclose(found, refit.figures(a, b, "shared")[1], rtol=0.05)
    assert found < -0.2


def test_an_audit_with_one_shared_mean_says_how_much_of_the_floor_is_the_offset(rng):
    """Averaged over samples too small to hide the forced part: what is left of the floor is the offset's."""
    left, offsets = [], []
    for _ in range(60):
        a, b = population(rng, 20, shared=0.0, shift=2.0), population(rng, 20, shared=2.0)
        found = audited(a, b, shared_mean=True, n_derangements=1)
        left.append(found.centred_floor_residual)
        offsets.append(found.shared_offset_floor)
    assert_allclose(np.mean(offsets), np.mean(left), rtol=0.1)
    assert np.mean(offsets) < -0.05
    (notice,) = [notice.text for notice in found.notices if notice.code == "offset_between_sides"]
    assert f"makes up about {found.shared_offset_floor:+.4f} of the centred floor".replace("-", "−") in notice
    assert audited(a, b).shared_offset_floor is None
    assert audited(a, b, population(rng, 30), shared_mean=True).shared_offset_floor is None


def test_with_groups_the_distance_is_that_of_the_groups_and_no_z_is_made_of_their_rows(rng):
    """Fit rows of the same population, seen once each: with z over rows their mean was called off."""
    names = np.repeat(np.arange(20), 20)
    things = np.repeat(population(rng, 20), 20, axis=0)
    rows = things + 0.3 * rng.standard_normal(things.shape)
    fit = population(rng, 2_000)
    found = audited(rows, rows + 0.3 * rng.standard_normal(rows.shape), fit, fit, groups=names)
    check = found.side_a.mean_check
    u, f = unit(rows), unit(fit)
    other = names[:, None] != names[None, :]
    expected = (u @ u.T)[other].mean() + (f @ f.T)[~np.eye(2_000, dtype=bool)].mean() - 2 * (u @ f.T).mean()
    assert_allclose(check.squared_distance, expected, rtol=1e-9)
    assert (check.z, check.verdict) == (None, None)
    assert "mean_off" not in {notice.code for notice in found.notices}
    assert found.side_a.shape.participation_ratio is None
    assert_allclose(found.anisotropy_a, (u @ u.T)[other].mean(), rtol=1e-9)
