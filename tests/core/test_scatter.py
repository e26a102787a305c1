"""Scatter matrices by halves, and products by strips, against plain numpy in float64."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.prepared import PreparedRows
from core.products import product
from core.rows import MeanRow, UnitRows
from core.scatter import scatter
from core.sweep.workers import steady


def square(rows):
    """The whole matrix, from the definition."""
    about = rows - rows.mean(axis=0)
    return about.T @ about


def made(rng, n, dim):
    stored = rng.standard_normal((n, dim)) + 1
    units = stored / np.linalg.norm(stored, axis=1, keepdims=True)
    return UnitRows(stored), MeanRow(mean=units.mean(axis=0), n_rows=n), units


@pytest.mark.parametrize(("n", "dim"), [(50, 3), (1_300, 384), (300, 385), (60, 1_000)])
def test_half_a_matrix_stands_for_all_of_it(n, dim, rng):
    rows, mean, units = made(rng, n, dim)
    found, expected = scatter(rows, mean), square(units)
    assert_allclose(found.whole(), expected, atol=1e-12)
    vectors = rng.standard_normal((4, dim))
    assert_allclose(found.times(vectors), vectors @ expected, atol=1e-10)
    other = scatter(*made(rng, n, dim)[:2])
    assert_allclose(found.dot(other), (expected * other.whole()).sum(), rtol=1e-10)


def test_it_takes_half_of_the_memory_of_the_square():
    dim = 1_536
    found = scatter(UnitRows(np.eye(3, dim)), MeanRow(mean=np.zeros(dim), n_rows=3))
    assert sum(panel.nbytes for panel in found.panels) < 0.63 * 8 * dim**2


def test_rows_in_float32_are_added_up_in_float64(rng):
    rows = rng.standard_normal((3_000, 20)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    side = PreparedRows(centred_rows=rows, lengths=np.ones(3_000), mean=np.zeros(20), centred=True)
    found = scatter(side, MeanRow(mean=rows.mean(axis=0, dtype=np.float64), n_rows=3_000))
    assert found.panels[0].dtype == np.float64
    assert_allclose(found.whole(), square(rows.astype(np.float64)), atol=2e-4)
    assert found.as_type(np.float32).panels[0].dtype == np.float32


def test_no_digit_depends_on_the_number_of_workers(rng):
    rows, mean, _ = made(rng, 3_000, 800)
    left, right = rng.standard_normal((300, 900)), rng.standard_normal((900, 3_000))
    with steady(1):
        one, single = scatter(rows, mean).whole(), product(left, right)
    with steady(3):
        three, several = scatter(rows, mean).whole(), product(left, right)
    assert np.array_equal(one, three)
    assert np.array_equal(single, several)
    assert_allclose(single, left @ right, atol=1e-10)


def test_a_product_can_be_stopped(rng):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        product(np.ones((2, 3)), np.ones((3, 2)), stop)
