"""Errors of a centred reading, against fitting the means anew without each pair."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.jackknife import figures, figures_without_each, jackknife_error
from core.mean_shift import mean_shifts
from tests import refit
from tests.readings import WAYS, Reading, clustered, vector

V14 = {
    "own": {
        "figures": (0.9500083411, 0.1699319764, 0.7800763647),
        "refit": (0.0206340942, 0.0742194224, 0.0783635052, 0.11094992),
        "gradient": (0.0202759601, 0.0754715823),
        "plug-in": (0.00609697918, 0.0886190041),
    },
    "shared": {
        "figures": (0.9490822541, 0.1692844722, 0.7797977819),
        "refit": (0.0209546061, 0.0742647027, 0.0783767595, 0.110927201),
        "gradient": (0.0206945933, 0.0755579375),
        "plug-in": (0.00596297106, 0.0885724302),
    },
}


def errors(reading, *, moving=True):
    without = figures_without_each(reading.sums, reading.shifts if moving else None)
    names = ("matched", "gap", "gap_over_floor_sd", "cohens_d")
    return np.array([jackknife_error(getattr(without, name)) for name in names])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["own", "shared"])
def test_v14_with_the_moving_mean_and_without(way, kind):
    reading, known = Reading(*vector("v14"), kind, way=way), V14[kind]
    whole = figures(reading.sums)
    assert_allclose((whole.matched, whole.floor, whole.gap), known["figures"], rtol=1e-9)
    assert_allclose(errors(reading)[:2], known["gradient"], rtol=1e-8)
    assert_allclose(errors(reading, moving=False)[:2], known["plug-in"], rtol=1e-8)
    assert_allclose(errors(reading), known["refit"], rtol=0.03)


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_v14_refit_figures_are_those_of_a_literal_refit(kind):
    found = refit.errors(*vector("v14"), kind)[[0, 2, 3, 4]]
    assert_allclose(found, V14[kind]["refit"], rtol=1e-7)


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_two_hundred_clustered_pairs_within_two_percent_of_a_refit(rng, kind):
    a, b = clustered(rng, 200)
    found, expected = errors(Reading(a, b, kind)), refit.errors(a, b, kind)[[0, 2, 3, 4]]
    assert_allclose(found, expected, rtol=0.02)
    assert not np.allclose(errors(Reading(a, b, kind), moving=False), expected, rtol=0.02)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["own", "shared"])
def test_groups_are_left_out_of_the_means_too(rng, way, kind):
    a, b = clustered(rng, 500)
    labels = np.repeat(np.arange(200), rng.permutation([1, 2, 3, 4] * 50))
    reading = Reading(a, b, kind, labels=labels, way=way)
    assert_allclose(errors(reading), refit.errors(a, b, kind, labels)[[0, 2, 3, 4]], rtol=0.02)


@pytest.mark.parametrize("kind", ["own", "shared"])
@pytest.mark.parametrize("side", ["fit_a", "fit_b"])
def test_only_a_mean_fitted_on_compared_rows_moves(rng, kind, side):
    a, b = clustered(rng, 120)
    fit = {side: clustered(rng, 150)[0]}
    reading = Reading(a, b, kind, **fit)
    assert_allclose(errors(reading), refit.errors(a, b, kind, **fit)[[0, 2, 3, 4]], rtol=0.03)


def test_means_fitted_on_other_rows_do_not_move(rng):
    a, b = clustered(rng, 20)
    fit_a, fit_b = clustered(rng, 30)
    reading = Reading(a, b, "own", fit_a=fit_a, fit_b=fit_b)
    assert mean_shifts(reading.a, reading.b, reading.means, reading.sums) is None
    expected = refit.errors(a, b, "own", fit_a=fit_a, fit_b=fit_b)[[0, 2, 3, 4]]
    assert_allclose(errors(reading), expected, rtol=1e-10)
