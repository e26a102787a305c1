"""What the sweep knows of the rows is what a plain computation over all of them gives."""

import numpy as np
import pytest

from core.sweep import CENTRED, RAW, make_ready
from tests.core.sweep.cases import CASES, collapsed, related
from tests.core.sweep.whole import Whole, own_means


@pytest.fixture
def rng():
    return np.random.default_rng(21)


@pytest.mark.parametrize("in_float32", [True, False])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_own_cosines_and_floors_are_those_of_the_whole_matrix(rng, case, in_float32):
    a, b = case(rng)
    means = own_means(a, b)
    sides = make_ready(a, b, *means, in_float32=in_float32)
    for reading, whole in ((RAW, Whole.of(a, b)), (CENTRED, Whole.of(a, b, means))):
        np.testing.assert_allclose(sides.own[reading], whole.own, rtol=0, atol=whole.rounding)
        assert sides.floors[reading] == pytest.approx(whole.unrelated.mean(), abs=whole.rounding)


def test_float32_rows_are_the_centred_rows_rounded(rng):
    a, b = related(rng, 300, 12)
    means = own_means(a, b)
    sides = make_ready(a, b, *means, in_float32=True)
    centred = Whole.of(a, b, means).scores
    product = sides.a.centred_rows.astype(np.float64) @ sides.b.centred_rows.T.astype(np.float64)
    np.testing.assert_allclose(product, centred, rtol=0, atol=2.1 * 2.0**-24)
    assert sides.a.centred_rows.dtype == np.float32
    assert make_ready(a, b, *means, in_float32=False).a.centred_rows is None


def test_raw_scores_come_back_from_centred_ones(rng):
    """The identity the fast sweep rests on, for means that are nobody's."""
    a, b = related(rng, 40, 7)
    means = rng.standard_normal((2, 7))
    sides = make_ready(a, b, *means, in_float32=False)
    back = Whole.of(a, b, means).scores * sides.a.lengths[:, None] * sides.b.lengths
    back += sides.a.parts[:, None] + sides.b.parts + sides.constant
    np.testing.assert_allclose(back, Whole.of(a, b).scores, rtol=0, atol=1e-14)


@pytest.mark.parametrize("n_workers", [1, 2, 5])
def test_nothing_depends_on_the_number_of_workers(rng, n_workers):
    a, b = related(rng, 3000, 200)
    means = own_means(a, b)
    one, other = make_ready(a, b, *means, n_workers=n_workers), make_ready(a, b, *means, n_workers=2)
    np.testing.assert_array_equal(one.own, other.own)
    np.testing.assert_array_equal(one.a.unit_mean.mean, other.a.unit_mean.mean)
    np.testing.assert_array_equal(one.b.centred_mean.mean, other.b.centred_mean.mean)


def test_rows_that_equal_the_mean_are_lost(rng):
    rows = np.repeat([[3.0, 4.0]], 5, axis=0)
    other = related(rng, 5, 2)[0]
    sides = make_ready(rows, other, *own_means(rows, other))
    assert sides.a.lost.tolist() == [0, 1, 2, 3, 4]
    assert sides.b.lost.tolist() == []


def test_a_collapsed_side_is_not_a_lost_one(rng):
    a, b = collapsed(rng)
    assert make_ready(a, b, *own_means(a, b)).a.lost.size == 0
