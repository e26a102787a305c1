"""The one pass over all scores: its counts do not depend on how it is cut into blocks."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from core.rows import UnitRows
from core.sweep import own_cosines
from tests.arrays import audited
from tests.oracle import exact, unit


def test_own_cosines_are_those_of_the_pairs(pair):
    a, b = pair
    assert_allclose(own_cosines(UnitRows(a), UnitRows(b)), (unit(a) * unit(b)).sum(axis=1), rtol=1e-14)


def test_more_rows_than_one_block_against_a_full_matrix(rng):
    """2,300 rows do not fit one block of scores; ties sit on both sides of every likely cut."""
    n = 2_300
    a = rng.standard_normal((n, 3))
    b = a + 0.1 * rng.standard_normal((n, 3))
    repeated = np.r_[0, 1_000:1_060, 1_999:2_003, n - 1]
    a[repeated], b[repeated] = a[7], b[7]

    raw = audited(a, b).raw

    scores = unit(a) @ unit(b).T
    own = np.diag(scores).copy()
    for ranks, own_first in ((raw.a_to_b, scores - own[:, None]), (raw.b_to_a, scores.T - own[:, None])):
        better = (own_first > 1e-12).sum(axis=1)
        equal = (np.abs(own_first) <= 1e-12).sum(axis=1) - 1
        assert_allclose(ranks.optimistic, np.mean(better == 0), rtol=1e-14)
        assert_allclose(ranks.expected, np.mean((better == 0) / (1 + equal)), rtol=1e-14)
        assert ranks.tied == np.sum((better == 0) & (equal > 0))
    expected = exact(unit(a), unit(b))
    assert_allclose([raw.exact.floor_mean, raw.exact.floor_sd], [expected["floor"], expected["floor_sd"]], rtol=1e-12)
    counts = np.histogram(scores, np.linspace(-1, 1, 401))[0] - np.histogram(own, np.linspace(-1, 1, 401))[0]
    # A cosine within rounding of a bin edge may fall on either side of it.
    assert np.abs(raw.histogram.unrelated - counts).sum() <= 4
    assert_array_equal(raw.histogram.unrelated.sum(), n * (n - 1))
