"""The bounds hold for scores as BLAS really computes them, and are not absurdly wide."""

import numpy as np
import pytest

from core.rows import centre, unit_rows
from core.sweep.bounds import centred_bound, centring_bound, exact_bound, product_depth, raw_bound_terms


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
    product = np.zeros((300, 300), dtype=np.float32)
    for start in range(0, dim, product_depth(dim)):
        part = slice(start, start + product_depth(dim))
        product += rounded[0][:, part] @ rounded[1][:, part].T
    assert np.abs(product.astype(np.float64) - exact).max() <= centred_bound(dim)
    assert centred_bound(dim) < 1e-7 * dim + 1e-6


@pytest.mark.parametrize("dim", [1, 1024, 1025, 1536, 4096, 100_000])
def test_wide_rows_are_multiplied_in_equal_parts_of_bounded_depth(dim):
    depth = product_depth(dim)
    assert depth <= 1024
    assert depth == dim or depth > 512
    assert centred_bound(dim) < 1e-4


def test_the_raw_bound_shrinks_with_the_spread_of_the_rows():
    by_lengths, by_part, least = raw_bound_terms(768)
    assert 1e-3 * 1e-3 * by_lengths + 1e-6 * by_part + least < 1e-10


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no wider numbers than float64 here to compare with")
@pytest.mark.parametrize("spread", [1e-3, 1e-6, 1e-9, 1e-12])
def test_rounding_before_centring_stays_within_the_bound_however_near_the_rows_lie_to_their_mean(spread):
    """Oracle: the same scores from the same rows in extended precision."""
    sides = 1 + spread * np.random.default_rng(3).standard_normal((2, 200, 64))

    def centred_scores(whole):
        units = whole / np.sqrt((whole * whole).sum(axis=2, keepdims=True))
        centred = units - units.mean(axis=1, keepdims=True)
        lengths = np.sqrt((centred * centred).sum(axis=2, keepdims=True))
        return (centred / lengths)[0] @ (centred / lengths)[1].T, lengths[:, :, 0]

    exact, lengths = centred_scores(sides.astype(np.longdouble))
    units = [unit_rows(side) for side in sides]
    ours = [centre(side, side.mean(axis=0))[0] for side in units]
    off = float(np.abs(ours[0] @ ours[1].T - exact).max())
    bound = exact_bound(64) + centring_bound(64, *(float(side.min()) for side in lengths))
    assert off <= bound
    assert bound < 1e4 * max(off, 1e-15)
