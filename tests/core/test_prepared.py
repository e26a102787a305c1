"""Rows that a sweep made ready give the same figures and errors as rows from the file."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.inference import infer
from core.isotropy import side_moments, side_shape
from core.jackknife import figures_without_each, jackknife_error
from core.mean_shift import mean_shifts
from core.pair_sums import pair_sums
from core.prepared import PreparedRows
from tests.arrays import cone, related_pair
from tests.oracle import unit
from tests.readings import Reading, clustered

FIGURES = ("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d")


def prepared(reading, a, b):
    """Both sides as a sweep keeps them: float32 centred rows and their lengths."""
    sides = []
    for rows, side in ((a, reading.a), (b, reading.b)):
        mean = unit(rows).mean(axis=0) if side.mean is None else side.mean
        apart = unit(rows) - mean
        lengths = np.linalg.norm(apart, axis=1)
        centred = (apart / lengths[:, None]).astype(np.float32)
        sides.append(PreparedRows(centred_rows=centred, lengths=lengths, mean=mean, centred=reading.means is not None))
    return sides


def errors(a, b, kind, labels, *, from_sweep):
    reading = Reading(a, b, kind, labels=labels, way="closed form")
    if not from_sweep:
        return reading.sums, reading.shifts
    sides = prepared(reading, a, b)
    ua, ub = reading.a[:], reading.b[:]
    sums = pair_sums(
        *sides,
        reading.mean_a,
        reading.mean_b,
        groups=reading.groups,
        pull=kind != "raw",
        own_cosines=np.einsum("ij,ij->i", ua, ub),
        full_matrix_pairs=0,
    )
    return sums, mean_shifts(*sides, reading.means, sums) if reading.means else None


@pytest.mark.parametrize("labels", [None, np.repeat(np.arange(100), 2)], ids=["pairs", "groups"])
@pytest.mark.parametrize("kind", ["raw", "own", "shared"])
def test_errors_agree_to_six_digits(rng, kind, labels):
    a, b = clustered(rng, 200, dim=24)
    (sums, shifts), (expected_sums, expected_shifts) = (
        errors(a, b, kind, labels, from_sweep=from_sweep) for from_sweep in (True, False)
    )
    assert_allclose(sums.interaction, expected_sums.interaction, rtol=1e-6)
    assert_allclose(sums.linked, expected_sums.linked, rtol=1e-6)
    found, expected = figures_without_each(sums, shifts), figures_without_each(expected_sums, expected_shifts)
    for name in FIGURES:
        error = jackknife_error(getattr(expected, name))
        assert_allclose(jackknife_error(getattr(found, name)), error, rtol=2e-6, err_msg=name)
        assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-5 * error, err_msg=name)


@pytest.mark.parametrize("width", [1e-2, 1e-5])
def test_a_narrow_cone_keeps_its_digits_in_float32(rng, width):
    """Plain float32 rows would have none left at 1e-5; distances from the mean keep seven."""
    a, b = cone(rng, 200, 10, width), cone(rng, 200, 10, width)
    (sums, _), (expected, _) = (errors(a, b, "raw", None, from_sweep=from_sweep) for from_sweep in (True, False))
    assert_allclose(sums.interaction, expected.interaction, rtol=1e-5)
    found, known = figures_without_each(sums).floor, figures_without_each(expected).floor
    assert_allclose(jackknife_error(found), jackknife_error(known), rtol=1e-5)


def test_the_shape_of_a_side_agrees(rng):
    a, b = related_pair(rng, n=300, dim=20)
    reading = Reading(a, b)
    found = side_shape(side_moments(prepared(reading, a, b)[0], reading.mean_a))
    expected = side_shape(side_moments(reading.a, reading.mean_a))
    assert_allclose(found.anisotropy.error, expected.anisotropy.error, rtol=1e-5)
    assert_allclose(found.participation_ratio, expected.participation_ratio, rtol=1e-5)
    assert_allclose(found.top_share, expected.top_share, rtol=1e-5)
    assert_allclose(found.rms_cosine, expected.rms_cosine, rtol=1e-5)


def test_a_verdict_from_the_sweeps_rows(rng):
    a, b = clustered(rng, 120)
    reading = Reading(a, b, "own")
    options = {"means": reading.means, "rng": np.random.default_rng(0)}
    found = infer(*prepared(reading, a, b), reading.mean_a, reading.mean_b, **options)
    expected = infer(reading.a, reading.b, reading.mean_a, reading.mean_b, **options)
    assert found.verdict.outcome is expected.verdict.outcome
    assert_allclose(found.verdict.detectable, expected.verdict.detectable, rtol=1e-5)
