"""Counts of matched and unrelated cosines: nothing lost, nothing in a wrong bin."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.histogram import Histogram, cosine_counts
from core.limits import HISTOGRAM_BINS
from tests.arrays import audited
from tests.oracle import centred_sides, off_diagonal, unit

EDGES = np.linspace(-1, 1, HISTOGRAM_BINS + 1)


def test_counts_equal_numpys_histogram(rng):
    cosines = rng.uniform(-1, 1, 5_000)
    assert_array_equal(cosine_counts(cosines), np.histogram(cosines, EDGES)[0])


@pytest.mark.parametrize(
    ("cosine", "place"),
    [
        (-1.0, 0),
        (-1.0 - 1e-15, 0),
        (1.0, -1),
        (1.0 + 2e-15, -1),
        (0.0, HISTOGRAM_BINS // 2),
        (-1e-9, HISTOGRAM_BINS // 2 - 1),
    ],
)
def test_the_ends_and_the_middle_fall_where_they_belong(cosine, place):
    counts = cosine_counts(np.array([cosine]))
    assert counts[place] == 1
    assert counts.sum() == 1


@pytest.mark.parametrize("name", ["raw", "centred"])
def test_the_audit_counts_every_pair_once(pair, name):
    a, b = pair
    sides = (unit(a), unit(b)) if name == "raw" else centred_sides(a, b)
    scores = sides[0] @ sides[1].T

    histogram = getattr(audited(a, b), name).histogram

    assert_array_equal(histogram.matched, np.histogram(np.diag(scores), EDGES)[0])
    assert_array_equal(histogram.unrelated, np.histogram(scores[off_diagonal(len(a))], EDGES)[0])


def test_counts_sum_to_the_pairs(ordinary):
    n = ordinary.n
    for reading in (ordinary.raw, ordinary.centred):
        assert reading.histogram.matched.sum() == n
        assert reading.histogram.unrelated.sum() == n * (n - 1)


def histogram_of(matched, unrelated):
    return Histogram(matched=np.array(matched, dtype=np.int64), unrelated=np.array(unrelated, dtype=np.int64))


def test_wider_bins_hold_the_same_counts():
    merged = histogram_of([1, 2, 3, 4], [0, 10, 0, 20]).merged(2)
    assert_array_equal(merged.matched, [3, 7])
    assert_array_equal(merged.unrelated, [10, 20])
    assert_array_equal(merged.edges, [-1, 0, 1])


def test_the_occupied_range_is_that_of_both_counts():
    assert histogram_of([0, 0, 0, 1], [0, 2, 0, 0]).occupied == (-0.5, 1.0)
    assert histogram_of([0, 0, 1, 0], [0, 0, 0, 0]).occupied == (0.0, 0.5)
