"""Gradients by the mean, against central finite differences of the sums themselves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.pull import OFF, OFF_SQUARES, OWN, OWN_SQUARES, Pull
from tests.oracle import unit
from tests.readings import WAYS, Reading, clustered

LABELS = np.repeat(np.arange(14), [1, 3, 2, 1, 4, 2, 2, 1, 5, 1, 3, 2, 2, 1])


def sums_at(ua, ub, mean_a, mean_b, sums, labels):
    scores = unit(ua - mean_a) @ unit(ub - mean_b).T - sums.about
    own, other = np.diag(scores) + sums.about - sums.own_about, scores[labels[:, None] != labels[None, :]]
    found = np.empty(4)
    found[[OWN, OWN_SQUARES, OFF, OFF_SQUARES]] = own.sum(), (own**2).sum(), other.sum(), (other**2).sum()
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("grouped", [False, True], ids=["pairs", "groups"])
@pytest.mark.parametrize("kind", ["own", "shared"])
@pytest.mark.parametrize("side", ["a", "b"])
def test_pull_against_finite_differences(rng, way, grouped, kind, side):
    a, b = clustered(rng, 30)
    labels = LABELS if grouped else np.arange(30)
    reading = Reading(a, b, kind, way=way, labels=labels)
    ua, ub, step = unit(a), unit(b), 1e-6
    direction = rng.standard_normal(8)
    moved_a, moved_b = (step * direction, 0) if side == "a" else (0, step * direction)

    def at(sign):
        means = reading.means
        return sums_at(ua, ub, means.a + sign * moved_a, means.b + sign * moved_b, reading.sums, labels)

    expected = (at(1) - at(-1)) / (2 * step)
    pull = reading.sums.pull_a if side == "a" else reading.sums.pull_b
    assert_allclose(pull @ direction, expected, rtol=1e-5)


def test_a_raw_reading_has_no_mean_to_move(rng):
    rows = rng.standard_normal((3, 4))
    with pytest.raises(ValueError, match="no mean to move"):
        Pull(4).add(rows, None, partner=rows, own=np.ones(3), total=rows[0], scored=rows)
