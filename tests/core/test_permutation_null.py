"""A measure beside its shuffled values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.permutation_null import orders, permutation_null


@pytest.mark.parametrize(("observed", "pvalue"), [(9.0, 1 / 5), (3.0, 2 / 5), (2.5, 2 / 5), (-9.0, 1.0)])
def test_pvalue_counts_the_given_order_among_the_shuffles(observed, pvalue):
    found = permutation_null(observed, np.array([0.0, 1.0, 2.0, 3.0]), n_rows=7)
    assert_allclose(found.pvalue, pvalue)
    assert_allclose([found.mean, found.sd], [1.5, np.sqrt(1.25)])
    assert (found.n_permutations, found.n_rows) == (4, 7)


def test_a_shuffle_equal_to_rounding_counts_as_high():
    assert permutation_null(0.5, np.array([0.5 - 1e-15]), n_rows=3).pvalue == 1.0


def test_every_move_once_or_some_of_them(rng):
    count, drawn = orders(5, 9, rng, moved=True)
    assert [list(order) for order in drawn] == [[(row + by) % 5 for row in range(5)] for by in (1, 2, 3, 4)]
    assert count == 4
    count, drawn = orders(100, 20, rng, moved=True)
    starts = {int(order[0]) for order in drawn}
    assert count == len(starts) == 20
    assert min(starts) >= 1


def test_shuffles_as_many_as_asked_for(rng):
    count, drawn = orders(6, 11, rng, moved=False)
    found = [tuple(order) for order in drawn]
    assert count == len(found) == 11
    assert len(set(found)) > 1
    assert all(sorted(order) == list(range(6)) for order in found)
