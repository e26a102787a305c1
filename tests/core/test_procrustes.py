"""The map between two models, against scipy's solver and against what must hold."""

from __future__ import annotations

from math import gamma

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import orthogonal_procrustes

from core.errors import PairingError
from core.procrustes import fit_map, half_split
from tests.arrays import random_rotation
from tests.oracle import unit


def centred(rows, mean):
    return unit(unit(rows) - mean)


def padded(rows, width):
    return np.hstack([rows, np.zeros((len(rows), width - rows.shape[1]))])


def mapped_scores(fitted, a, b):
    side_a, side_b = fitted.mapped(a, b)
    return side_a[:] @ side_b[:].T


@pytest.mark.parametrize(("dim_a", "dim_b"), [(12, 12), (7, 12), (12, 7)])
def test_scores_are_those_of_scipys_map_with_zero_padding(rng, dim_a, dim_b):
    """scipy.linalg.orthogonal_procrustes(padded A, padded B) on 40 train rows."""
    things = rng.standard_normal((60, 12))
    a, b = things @ rng.standard_normal((12, dim_a)), things @ rng.standard_normal((12, dim_b))
    fitted = fit_map(a[:40], b[:40])
    mean_a, mean_b = unit(a[:40]).mean(axis=0), unit(b[:40]).mean(axis=0)
    turn, _ = orthogonal_procrustes(padded(centred(a[:40], mean_a), 12), padded(centred(b[:40], mean_b), 12))
    expected = padded(centred(a[40:], mean_a), 12) @ turn @ padded(centred(b[40:], mean_b), 12).T

    assert_allclose(mapped_scores(fitted, a[40:], b[40:]), expected, atol=1e-12)


def test_with_few_train_rows_the_map_is_a_partial_isometry_on_their_span(rng):
    a, b = rng.standard_normal((10, 30)), rng.standard_normal((10, 20))
    fitted = fit_map(a, b)
    turn = fitted.left @ fitted.right.T

    assert fitted.left.shape == (30, 9)  # centring takes one dimension
    assert_allclose(np.linalg.svd(turn, compute_uv=False)[: fitted.left.shape[1]], 1, rtol=1e-12)
    rows = centred(a, fitted.mean_a)
    assert_allclose(np.linalg.norm(rows @ turn, axis=1), 1, rtol=1e-10)
    target = centred(b, fitted.mean_b)
    assert_allclose(np.trace(rows @ turn @ target.T), np.linalg.svd(rows.T @ target)[1].sum(), rtol=1e-12)


def test_mapped_rows_are_unit_rows_whose_unreached_part_scores_nothing(rng):
    a, b = rng.standard_normal((50, 30)), rng.standard_normal((50, 30))
    fitted = fit_map(a[:10], b[:10])
    side_a, side_b = fitted.mapped(a[10:], b[10:])
    inside = centred(a[10:], fitted.mean_a) @ fitted.left @ fitted.right.T
    reached = inside @ centred(b[10:], fitted.mean_b).T

    assert_allclose(np.linalg.norm(side_a.stored, axis=1), 1, rtol=1e-12)
    assert_allclose(side_a[:] @ side_b[:].T, reached, atol=1e-12)


def test_a_rotation_is_found_again(rng):
    a, rotation = rng.standard_normal((60, 20)), random_rotation(rng, 20)
    fitted = fit_map(a, 3 * a @ rotation)
    assert_allclose(fitted.left @ fitted.right.T, rotation, atol=1e-12)


def test_swapping_the_models_transposes_the_scores(rng):
    a, b = rng.standard_normal((40, 12)), rng.standard_normal((40, 9))
    there = mapped_scores(fit_map(a[:30], b[:30]), a[30:], b[30:])
    back = mapped_scores(fit_map(b[:30], a[:30]), b[30:], a[30:])
    assert_allclose(back.T, there, atol=1e-12)


def test_on_unrelated_rows_the_train_cosine_is_three_quarters_where_rows_equal_columns():
    """Free probability: half moment of the Fuss-Catalan law of order 2; and held out it is 0."""
    limit = gamma(2.5) / (gamma(1.5) * gamma(3))
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((500, 250)), rng.standard_normal((500, 250))
    fitted = fit_map(a[:250], b[:250])
    trained = np.trace(mapped_scores(fitted, a[:250], b[:250])) / 250
    held_out = np.trace(mapped_scores(fitted, a[250:], b[250:])) / 250

    assert_allclose(limit, 0.75, rtol=1e-14)
    assert_allclose(trained, limit, atol=0.01)
    assert abs(held_out) < 0.012


@pytest.mark.parametrize(("ratio", "expected"), [(2, 0.57), (4, 0.42)])
def test_the_train_cosine_of_unrelated_rows_falls_slowly(ratio, expected):
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((ratio * 150, 150)), rng.standard_normal((ratio * 150, 150))
    assert_allclose(np.trace(mapped_scores(fit_map(a, b), a, b)) / len(a), expected, atol=0.02)


@pytest.mark.parametrize(("ratio", "expected"), [(0.25, 0.19), (0.5, 0.39), (1, 0.71), (2, 0.85), (4, 0.88)])
def test_related_spaces_need_train_rows_in_multiples_of_their_columns(ratio, expected):
    """Held-out matched cosine against train rows; the oracle's is .89."""
    rng = np.random.default_rng(2)
    dim, compared = 200, 200
    things = rng.standard_normal((int(ratio * dim) + compared, dim))
    other = (things + 0.5 * rng.standard_normal(things.shape)) @ random_rotation(rng, dim)
    train = slice(compared, None)
    scores = mapped_scores(fit_map(things[train], other[train]), things[:compared], other[:compared])
    assert_allclose(np.trace(scores) / compared, expected, atol=0.035)


def test_halves_are_disjoint_complete_and_repeatable():
    train, compared = half_split(11, np.random.default_rng(3))
    again, _ = half_split(11, np.random.default_rng(3))
    assert (len(train), len(compared)) == (5, 6)
    assert sorted([*train, *compared]) == list(range(11))
    assert train.tolist() == again.tolist()


def test_unequal_train_counts_are_refused(rng):
    with pytest.raises(PairingError, match="train rows of A are 9 and those of B 8"):
        fit_map(rng.standard_normal((9, 4)), rng.standard_normal((8, 4)))


def test_two_train_rows_are_refused(rng):
    with pytest.raises(PairingError, match="2 train pairs, and a map needs at least 3"):
        fit_map(rng.standard_normal((2, 4)), rng.standard_normal((2, 4)))


@pytest.mark.parametrize("m", [5, 50])
def test_a_side_of_equal_rows_has_no_map(rng, m):
    with pytest.raises(PairingError, match="no spread left"):
        fit_map(np.ones((m, 8)), rng.standard_normal((m, 8)))
