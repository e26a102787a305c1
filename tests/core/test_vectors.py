"""Inputs whose figures are known to many digits, and what must not change them.

V1 to V5 follow on paper; V6 to V8 are stored inputs with brute-force figures
(``tests/vectors/README.md``). Unless said otherwise the figures are of the exact floor,
ddof 0, with own means.
"""

from __future__ import annotations

from fractions import Fraction
from math import cos, sin, sqrt, tau
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.rows import unit_rows
from tests.arrays import audited, random_rotation, related_pair
from tests.oracle import exact, unit

VECTORS = Path(__file__).parents[1] / "vectors"

#: The figures carry 12 significant digits: half a unit of the last is at most this, relatively.
TWELVE_DIGITS = 5e-12


def stored(name):
    return tuple(np.load(VECTORS / f"{name}_{side}.npy") for side in "ab")


def cone_of_five(sign=1.0):
    """Rows (.8, ±.6 e_i): every two rows of one side have the cosine .64."""
    return np.hstack([np.full((5, 1), 0.8), sign * 0.6 * np.eye(5)])


def figures(reading):
    """Matched, floor, sd, gap of a reading, against its exact floor."""
    exact_floor = reading.exact
    return [reading.matched_mean, exact_floor.floor_mean, exact_floor.floor_sd, exact_floor.gap]


def test_v1_orthonormal_rows():
    result = audited(np.eye(5), np.eye(5))

    assert_allclose(figures(result.raw), [1, 0, 0, 1], atol=1e-15)
    assert result.raw.exact.floor_sd == 0
    assert result.raw.exact.gap_over_floor_sd is None
    assert result.raw.exact.cohens_d is None
    assert_allclose([result.anisotropy_a, result.anisotropy_b], 0, atol=1e-15)
    assert_allclose(result.centred.exact.floor_mean, -0.25, rtol=1e-14)
    assert_allclose(result.centred.exact.gap, 1.25, rtol=1e-14)
    assert result.centred.exact.floor_sd == 0


def test_v2_a_cone_has_a_floor_without_spread():
    result = audited(cone_of_five(), cone_of_five())

    assert_allclose([result.anisotropy_a, result.anisotropy_b], 0.64, rtol=1e-14)
    assert_allclose(figures(result.raw), [1, 0.64, 0, 0.36], rtol=1e-14)
    assert result.raw.exact.floor_sd == 0, "must be nothing, not 1e-16"
    assert result.raw.exact.gap_over_floor_sd is None
    assert result.raw.permuted.gap_over_floor_sd is None
    assert_allclose(result.centred.exact.gap, 1.25, rtol=1e-13)


def test_v3_partners_that_point_apart():
    result = audited(cone_of_five(), cone_of_five(-1))

    assert_allclose(figures(result.raw), [0.28, 0.64, 0, -0.36], rtol=1e-14)
    assert result.raw.a_to_b.optimistic == 0
    assert result.raw.b_to_a.optimistic == 0
    assert_allclose(result.centred.matched_mean, -1, rtol=1e-14)
    assert_allclose(result.centred.exact.floor_mean, 0.25, rtol=1e-13)


def test_v3_with_one_shared_mean():
    result = audited(cone_of_five(), cone_of_five(-1), shared_mean=True)

    assert_allclose(result.centred.exact.floor_mean, 0, atol=1e-14)
    assert_allclose(result.centred.exact.gap, -1, rtol=1e-14)


def test_v4_eighth_roots_of_unity():
    roots = np.array([(cos(tau * k / 8), sin(tau * k / 8)) for k in range(8)])
    result = audited(roots, roots)

    assert_allclose(result.anisotropy_a, float(Fraction(-1, 7)), rtol=1e-13)
    assert_allclose(figures(result.raw), [1, -1 / 7, sqrt(20) / 7, 8 / 7], rtol=1e-13)
    assert_allclose(result.raw.exact.gap_over_floor_sd, 8 / sqrt(20), rtol=1e-13)
    assert_allclose(result.raw.exact.cohens_d, 8 / sqrt(10), rtol=1e-13)
    assert result.raw.a_to_b.pessimistic == 1


def test_v5_antipodal_duplicates():
    rows = np.array([(1.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (-1.0, 0.0)])
    result = audited(rows, rows)

    assert_allclose(figures(result.raw), [1, -1 / 3, sqrt(8 / 9), 4 / 3], rtol=1e-14)
    assert_allclose(result.raw.exact.gap_over_floor_sd, sqrt(2), rtol=1e-14)
    assert_allclose(result.raw.exact.cohens_d, 2, rtol=1e-14)
    for ranks in (result.raw.a_to_b, result.raw.b_to_a):
        assert (ranks.optimistic, ranks.expected, ranks.pessimistic, ranks.tied) == (1, 0.5, 0, 4)


def test_v6_angles_in_the_plane():
    result = audited(*stored("v6"))

    assert_allclose(
        figures(result.raw), [0.952028256721, -0.210211515425, 0.611258042384, 1.16223977215], rtol=TWELVE_DIGITS
    )
    assert_allclose(result.raw.exact.gap_over_floor_sd, 1.90138974305, rtol=TWELVE_DIGITS)
    assert_allclose(result.raw.exact.cohens_d, 2.68125207462, rtol=TWELVE_DIGITS)
    assert_allclose(result.centred.matched_mean, 0.96853852888, rtol=TWELVE_DIGITS)
    assert_allclose(result.centred.exact.floor_mean, -0.23292197534, rtol=2e-11)


def test_v7_six_pairs():
    result = audited(*stored("v7"))

    assert_allclose([result.anisotropy_a, result.anisotropy_b], [0.0181250890506, 0.0176939215421], rtol=1e-11)
    assert_allclose(
        figures(result.raw), [0.820253386681, 0.0489618444773, 0.434230850585, 0.771291542204], rtol=TWELVE_DIGITS
    )
    assert_allclose(result.raw.a_to_b.expected, 5 / 6, rtol=1e-15)
    assert_allclose(
        [result.centred.matched_mean, result.centred.exact.floor_mean, result.centred.exact.gap],
        [0.820401366393, -0.151678303468, 0.972079669862],
        rtol=TWELVE_DIGITS,
    )
    assert result.centred.a_to_b.expected == 1


def test_v8_two_hundred_pairs():
    result = audited(*stored("v8"))

    assert_allclose([result.anisotropy_a, result.anisotropy_b], [0.530516519769, 0.355318104393], rtol=TWELVE_DIGITS)
    assert_allclose(
        figures(result.raw), [0.82053078256, 0.434583242786, 0.128737457827, 0.385947539774], rtol=TWELVE_DIGITS
    )
    assert_allclose(result.raw.exact.gap_over_floor_sd, 2.99794283878, rtol=TWELVE_DIGITS)
    assert_allclose(result.raw.exact.cohens_d, 3.85437068663, rtol=TWELVE_DIGITS)
    assert_allclose(result.raw.a_to_b.expected, 0.925, rtol=1e-15)
    assert_allclose(
        [result.centred.matched_mean, result.centred.exact.floor_sd, result.centred.exact.gap],
        [0.701294155307, 0.177362912113, 0.704661258712],
        rtol=TWELVE_DIGITS,
    )
    assert_allclose(result.centred.exact.floor_mean, -0.00336710340529, rtol=1e-10)
    assert_allclose(result.centred.a_to_b.expected, 0.98, rtol=1e-15)


@pytest.mark.parametrize(
    ("shared_mean", "expected"),
    [(False, (0.9500083411, 0.1699319764, 0.7800763647)), (True, (0.9490822541, 0.1692844722, 0.7797977819))],
    ids=["own means", "one shared mean"],
)
def test_v14_uneven_clusters(shared_mean, expected):
    centred = audited(*stored("v14"), shared_mean=shared_mean).centred

    assert_allclose([centred.matched_mean, centred.exact.floor_mean, centred.exact.gap], expected, atol=6e-11)


@pytest.mark.parametrize("scale", [1.0, 1e200, 1e-200, 1e-300], ids=str)
def test_v11_rows_of_extreme_norm_have_their_direction(scale):
    assert_allclose(unit_rows(scale * np.array([[3.0, 4.0]])), [[0.6, 0.8]], rtol=1e-15)


def every_figure(result):
    """All that the invariances below speak of, by name."""
    found = {"anisotropy a": result.anisotropy_a, "anisotropy b": result.anisotropy_b}
    found |= {"centred anisotropy a": result.centred_anisotropy_a, "centred anisotropy b": result.centred_anisotropy_b}
    for name, reading in (("raw", result.raw), ("centred", result.centred)):
        found |= {f"{name} {key}": value for key, value in zip(("m", "f", "sd", "gap"), figures(reading), strict=True)}
        found[f"{name} min"], found[f"{name} max"] = reading.matched_min, reading.matched_max
        found[f"{name} gap/sd"] = reading.exact.gap_over_floor_sd
        found[f"{name} d"] = reading.exact.cohens_d
        found[f"{name} first a to b"] = reading.a_to_b.expected
        found[f"{name} first b to a"] = reading.b_to_a.expected
    return found


def assert_same_figures(result, other):
    found, expected = every_figure(result), every_figure(other)
    assert_allclose(list(found.values()), list(expected.values()), atol=1e-12, rtol=0, err_msg=str(list(found)))


def test_v13_a_joint_rotation_changes_nothing(rng, pair):
    a, b = pair
    turn = random_rotation(rng, 8)
    assert_same_figures(audited(a @ turn, b @ turn), audited(a, b))


def test_v13_a_rotation_of_one_side_changes_the_result(rng, pair):
    """The test above would pass on an audit that ignored its input."""
    a, b = pair
    with pytest.raises(AssertionError):
        assert_same_figures(audited(a, b @ random_rotation(rng, 8)), audited(a, b))


def test_v13_any_positive_scale_for_each_row_changes_nothing(rng, pair):
    a, b = pair
    lengths = 10.0 ** rng.uniform(-150, 150, size=(2, len(a), 1))
    assert_same_figures(audited(a * lengths[0], b * lengths[1]), audited(a, b))


def test_v13_shuffling_both_sides_alike_changes_nothing(rng, pair):
    a, b = pair
    order = rng.permutation(len(a))
    assert_same_figures(audited(a[order], b[order]), audited(a, b))


def test_v13_swapping_the_sides_swaps_sides_and_directions_only(pair):
    a, b = pair
    swapped, straight = every_figure(audited(b, a)), every_figure(audited(a, b))

    def crossed(key):
        for one, other in (("anisotropy a", "anisotropy b"), ("first a to b", "first b to a")):
            if key.endswith(one):
                return key.removesuffix(one) + other
            if key.endswith(other):
                return key.removesuffix(other) + one
        return key

    assert straight["raw first a to b"] != straight["raw first b to a"], "the pair must tell the directions apart"
    for key, value in straight.items():
        assert_allclose(swapped[crossed(key)], value, atol=1e-12, err_msg=key)


def test_v13_translating_unit_rows_leaves_the_raw_gap(rng, pair):
    """The gap is n/(n-1) times the covariance of the two sides: no offset can change it.

    Seen from the core's own unit rows; the audit itself would normalise the moved rows.
    """
    a, b = (unit_rows(side) for side in pair)
    moved = exact(a + rng.standard_normal(8), b + rng.standard_normal(8))
    assert_allclose(moved["gap"], audited(*pair).raw.exact.gap, rtol=1e-12)


def test_the_raw_gap_is_the_unbiased_cross_covariance(rng):
    a, b = related_pair(rng, n=50, dim=5)
    ua, ub = unit(a), unit(b)
    trace = ((ua - ua.mean(axis=0)) * (ub - ub.mean(axis=0))).sum() / (len(a) - 1)
    assert_allclose(audited(a, b).raw.exact.gap, trace, rtol=1e-12)
