"""Nearly identical sides: digits that 1 - dot loses, and the share of distance lost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.closeness import closeness, half_squared_distances
from core.rows import UnitRows
from tests.arrays import audited, random_rotation, related_pair
from tests.oracle import unit
from tests.readings import Reading


def close(a, b):
    reading = Reading(a, b)
    return closeness(half_squared_distances(reading.a, reading.b), reading.sums)


def test_v10_an_angle_of_one_billionth():
    a, b = np.array([[1.0, 0.0]] * 5), np.array([[np.cos(1e-9), np.sin(1e-9)]] * 5)
    assert_allclose(half_squared_distances(UnitRows(a), UnitRows(b)), 5e-19, rtol=1e-12)
    assert 1 - unit(a)[0] @ unit(b)[0] == 0


@pytest.mark.parametrize("angle", [1e-1, 1e-4, 1e-7])
def test_distance_and_angle_of_turned_rows(rng, angle):
    """Every row turned by one angle in a plane of its own."""
    a = unit(rng.standard_normal((30, 12)))
    across = rng.standard_normal((30, 12))
    across = unit(across - (across * a).sum(axis=1, keepdims=True) * a)
    found = close(a, np.cos(angle) * a + np.sin(angle) * across)
    assert_allclose(found.mean_angle, angle, rtol=1e-8)
    assert_allclose(found.mean_distance, 2 * np.sin(angle / 2) ** 2, rtol=1e-8)


def test_half_precision_against_extended_precision(rng):
    a = rng.standard_normal((200, 64)).astype(np.float32)
    b = a.astype(np.float16)
    ua, ub = unit(a, np.longdouble), unit(b, np.longdouble)
    expected = np.array(1 - (ua * ub).sum(axis=1), dtype=float)
    found = close(a, b)
    assert_allclose(found.mean_distance, expected.mean(), rtol=1e-8)
    assert found.worst_pair == np.argmax(expected)
    assert_allclose(found.worst_distance, expected.max(), rtol=1e-8)
    assert_allclose(found.median_distance, np.median(expected), rtol=1e-8)


def test_opposite_rows_are_two_apart():
    rows = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1], [1, 3]])
    found = close(rows, -rows)
    assert_allclose(found.worst_distance, 2)
    assert_allclose(found.mean_angle, np.pi)


def test_distance_lost_against_leaving_pairs_out(rng):
    a, b = related_pair(rng, n=40, dim=8, noise=0.05)
    scores = unit(a) @ unit(b).T

    def ratio(kept):
        part = scores[np.ix_(kept, kept)]
        return (1 - np.diag(part).mean()) / (1 - part[~np.eye(len(kept), dtype=bool)].mean())

    logs = np.log([ratio(np.delete(np.arange(40), left_out)) for left_out in range(40)])
    error = np.sqrt(39 / 40 * ((logs - logs.mean()) ** 2).sum())
    reach = np.exp(stats.t.ppf(0.975, 39) * error)

    found = close(a, b).distance_lost

    assert_allclose(found.estimate, ratio(np.arange(40)), rtol=1e-9)
    assert_allclose((found.low, found.high), (found.estimate / reach, found.estimate * reach), rtol=1e-7)


def test_unrelated_rows_have_lost_all_distance(rng):
    found = close(*rng.standard_normal((2, 300, 16))).distance_lost
    assert found.low < 1 < found.high


def test_identical_sides_have_lost_none_and_have_no_interval(rng):
    rows = rng.standard_normal((20, 5))
    found = close(rows, 2 * rows)
    assert found.mean_distance == 0
    assert found.identical == 20
    assert found.distance_lost.estimate == 0
    assert "equal their partners" in found.distance_lost.reason


def test_equal_rows_everywhere_leave_no_distance_to_lose():
    rows = np.tile([[3.0, 4.0]], (8, 1))
    assert close(rows, rows).distance_lost.estimate is None


def test_four_pairs_give_an_estimate_alone(rng):
    found = close(*related_pair(rng, n=4, dim=3)).distance_lost
    assert found.estimate is not None
    assert found.low is None


def test_a_common_rotation_changes_nothing(rng, pair):
    turn = random_rotation(rng, 8)
    before, after = close(*pair), close(pair[0] @ turn, pair[1] @ turn)
    assert_allclose(after.mean_distance, before.mean_distance, rtol=1e-12)
    assert_allclose(after.distance_lost.low, before.distance_lost.low, rtol=1e-9)


@pytest.mark.parametrize("size", [1e-9, 1e-7, 1e-6])
def test_unrelated_rows_of_one_direction_are_not_the_same_rows(rng, size):
    """Drawn apart: their cosines are 1 to twelve digits, and so are those of unrelated rows."""
    a, b = (size * rng.standard_normal((200, 32)) for _ in "ab")
    a[:, 0] = b[:, 0] = 1
    for kind in (np.float64, np.float32):
        found = audited(a.astype(kind), b.astype(kind))
        assert found.raw.matched_min >= 1 - 1e-9
        assert not {each.code for each in found.notices} & {"identical_files", "identical_rows"}


@pytest.mark.parametrize("dim", [2, 12, 3_000])
def test_rows_up_to_scale_are_the_same_to_rounding(rng, dim):
    a = rng.standard_normal((60, dim))
    found = audited(a, a * np.exp(rng.standard_normal((60, 1))))
    (word,) = [each.text for each in found.notices if each.code == "identical_rows"]
    assert "as its row of A, to rounding: the two sides are equal" in word


def test_float32_copies_are_the_same_to_the_precision_they_are_stored_in(rng):
    a = rng.standard_normal((60, 12))
    found = audited(a, a.astype(np.float32))
    (word,) = [each.text for each in found.notices if each.code == "identical_rows"]
    assert "as its row of A, to the precision of the stored numbers: the two sides" in word
    assert found.same_rows == "as stored"


def test_copies_in_half_precision_and_rows_a_little_off_are_not_called_the_same(rng):
    a = rng.standard_normal((60, 12))
    assert audited(a, a.astype(np.float16)).same_rows == ""
    assert audited(a, a.astype(np.float32).astype(np.float64)).same_rows == ""  # stored in float64, and not equal there
    assert audited(a, a + 1e-9 * rng.standard_normal((60, 12))).same_rows == ""
    one_off = a.astype(np.float32)
    one_off[7] += np.float32(1e-5)
    assert audited(a, one_off).same_rows == ""


@pytest.mark.parametrize("factor", [3.0, 1.7])
def test_sides_that_differ_by_rounding_alone_lose_no_distance_and_have_no_interval(factor, rng):
    rows = rng.standard_normal((60, 16))
    found = audited(rows, factor * rows).closeness.distance_lost
    assert (found.estimate, found.low) == (None, None)
    assert found.reason == "partners differ by rounding alone"
    assert audited(rows, rows + 1e-9 * rng.standard_normal(rows.shape)).closeness.distance_lost.low > 0
