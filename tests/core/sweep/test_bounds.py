"""The bounds hold for scores as BLAS really computes them, and are not absurdly wide."""

import numpy as np
import pytest

from core.sweep.bounds import centred_bound, raw_bound_terms


@pytest.mark.parametrize("dim", [1, 2, 17, 768, 5000])
@pytest.mark.parametrize("signs", ["mixed", "equal"])
def test_float32_products_of_unit_rows_stay_within_the_bound(dim, signs):
    rng = np.random.default_rng(dim)
    rows = rng.standard_normal((2, 300, dim))
    if signs == "equal":  # no cancellation: the sum of absolute products is the product itself
        rows = np.abs(rows)
    rows /= np.linalg.norm(rows, axis=2, keepdims=True)
    exact = rows[0] @ rows[1].T
    rounded = rows.astype(np.float32)
    error = np.abs((rounded[0] @ rounded[1].T).astype(np.float64) - exact).max()
    assert error <= centred_bound(dim)
    assert centred_bound(dim) < 1e-7 * dim + 1e-6


def test_too_many_columns_for_a_bound_have_none():
    assert centred_bound(2**23 + 1) == np.inf
    assert centred_bound(2**22) < np.inf


def test_the_raw_bound_shrinks_with_the_spread_of_the_rows():
    by_lengths, by_part, least = raw_bound_terms(768)
    assert 1e-3 * 1e-3 * by_lengths + 1e-6 * by_part + least < 1e-10
