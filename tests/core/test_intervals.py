"""Intervals: known values, scipy, corrections, and where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.intervals import clopper_pearson, jackknife_interval, reading_intervals, share_interval
from tests import refit
from tests.arrays import related_pair
from tests.oracle import unit
from tests.readings import WAYS, Reading, clustered, vector


def intervals_of(a, b, kind="raw", **options):
    reading = Reading(a, b, kind, **options)
    return reading_intervals(reading.sums, reading.shifts, reading.means)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (7, 50, 0.0581917, 0.2673960),
        (97, 100, 0.914823947, 0.993770028),
        (98, 100, 0.929616068, 0.997568663),
        (100, 100, 0.963783307, 1.0),
        (0, 10, 0.0, 0.3084971),
    ],
)
def test_clopper_pearson_v9(hits, trials, low, high):
    assert_allclose(clopper_pearson(hits, trials), (low, high), rtol=1e-6)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(("hits", "trials"), [(0, 3), (1, 7), (20, 21), (500, 1_000), (3, 3)])
def test_clopper_pearson_against_scipy(hits, trials, level):
    expected = stats.binomtest(hits, trials).proportion_ci(level)
    assert_allclose(clopper_pearson(hits, trials, confidence_level=level), expected, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize(("hits", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_a_share_outside_its_range_is_refused(hits, trials):
    with pytest.raises(ValueError, match="is no share"):
        clopper_pearson(hits, trials)


def test_ties_widen_a_share_to_both_ends():
    found = share_interval(0.4, 0.5, 0.7, 50)
    assert found.low == clopper_pearson(20, 50)[0]
    assert found.high == clopper_pearson(35, 50)[1]
    assert found.estimate == 0.5


def test_a_share_of_fewer_effective_rows_is_wider():
    wide, narrow = share_interval(0.8, 0.8, 0.8, 40.5), share_interval(0.8, 0.8, 0.8, 200)
    assert wide.low < narrow.low < 0.8 < narrow.high < wide.high


def test_three_groups_that_hold_most_pairs_count_as_about_four():
    """Coverage of the matched mean: with 32 degrees of freedom for 33 groups it is near 80 %, not 95."""
    rng, sizes, dim, runs = np.random.default_rng(6), [60] * 3 + [1] * 30, 8, 300
    labels = np.repeat(np.arange(33), sizes)

    def population(count):
        a = rng.standard_normal((count, dim)) + 0.5
        return a, a + rng.uniform(0, 3, size=(count, 1)) * rng.standard_normal((count, dim))

    a, b = population(200_000)
    cosines = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    covered = covered_before = 0
    for _ in range(runs):
        a, b = (side[labels] for side in population(33))
        found = intervals_of(a, b, labels=labels)
        off = abs(found.matched.estimate - cosines.mean()) / found.matched.error
        covered += found.matched.low <= cosines.mean() <= found.matched.high
        covered_before += off <= stats.t.ppf(0.975, 32)
        assert found.df == pytest.approx(210**2 / (3 * 60**2 + 30) - 1)
    assert covered_before / runs < 0.87
    assert covered / runs > 0.88


def test_groups_of_one_size_keep_one_degree_of_freedom_less_than_groups(rng):
    a, b = rng.standard_normal((2, 60, 5))
    assert intervals_of(a, b, labels=np.repeat(np.arange(20), 3)).df == 19
    assert intervals_of(a, b).df == 59


def test_jackknife_interval_of_a_mean_is_students(rng):
    x = rng.standard_normal(25)
    found = jackknife_interval(x.mean(), (x.sum() - x) / 24)
    expected = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    assert_allclose((found.low, found.high), expected, rtol=1e-10)


def test_an_interval_stays_within_its_bounds():
    found = jackknife_interval(0.99, np.array([0.9, 0.99, 1.0, 0.95, 1.0]), bounds=(-1, 1))
    assert found.high == 1
    assert found.low > -1


def test_an_error_of_zero_gives_no_interval_but_a_reason():
    found = jackknife_interval(1.0, np.ones(8))
    assert found.error == 0
    assert found.low is None
    assert "symmetry" in found.reason


def test_fewer_than_five_pairs_give_estimates_alone(rng):
    found = intervals_of(*related_pair(rng, n=4, dim=3), "own")
    assert found.gap.estimate is not None
    assert found.gap.low is None
    assert "fewer than 5" in found.gap.reason


@pytest.mark.parametrize("way", WAYS)
def test_own_means_shrink_gap_and_effects_by_n_minus_1_over_n(way):
    """V7: .972079669862 × 5/6."""
    found = intervals_of(*vector("v7"), "own", way=way)
    assert_allclose(found.gap.estimate, 0.810066391552, rtol=1e-11)
    assert_allclose(found.correction.factor, 5 / 6, rtol=1e-14)
    assert_allclose(found.matched.estimate, 0.820401366393, rtol=1e-11)
    whole = refit.figures(*vector("v7"), "own")
    assert_allclose(found.cohens_d.estimate, whole[4] * 5 / 6, rtol=1e-11)
    assert_allclose(found.gap_over_floor_sd.estimate, whole[3] * 5 / 6, rtol=1e-11)


def test_corrected_own_gap_is_matched_less_the_product_of_the_means(rng):
    a, b = clustered(rng, 50)
    ua, ub = refit.centred(a, b, "own")
    found = intervals_of(a, b, "own")
    expected = (ua * ub).sum(axis=1).mean() - ua.mean(axis=0) @ ub.mean(axis=0)
    assert_allclose(found.gap.estimate, expected, rtol=1e-11)


def test_a_shared_mean_corrects_gap_and_matched(rng):
    a, b = clustered(rng, 50)
    matched, _, gap, *_ = refit.figures(a, b, "shared")
    found = intervals_of(a, b, "shared")
    assert_allclose(found.gap.estimate, gap * (1 - (1 + matched) / 100), rtol=1e-12)
    assert_allclose(found.matched.estimate, matched + (1 - matched**2) / 100, rtol=1e-12)
    assert_allclose(found.gap.error, found.correction.factor * 1.02 * refit.errors(a, b, "shared")[2], rtol=0.05)


def test_orthonormal_rows_are_corrected_to_exactly_one():
    """V1: centred floor -1/(n-1), gap n/(n-1), corrected 1."""
    found = intervals_of(np.eye(5), np.eye(5), "own")
    assert_allclose(found.floor.estimate, -0.25, rtol=1e-12)
    assert_allclose(found.gap.estimate, 1, rtol=1e-12)


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_a_floor_centred_on_the_compared_rows_has_no_interval(rng, kind):
    found = intervals_of(*clustered(rng, 40), kind)
    assert found.floor.low is None
    assert "forces" in found.floor.reason


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_a_mean_fitted_elsewhere_corrects_nothing_and_leaves_the_floor_its_interval(rng, kind):
    a, b = clustered(rng, 40)
    fit_a, fit_b = clustered(rng, 80)
    found = intervals_of(a, b, kind, fit_a=fit_a, fit_b=fit_b)
    expected = refit.figures(a, b, kind, fit_a=fit_a, fit_b=fit_b)
    assert found.correction.factor == 1
    assert_allclose(found.floor.estimate, expected[1], rtol=1e-10)
    assert found.floor.low < expected[1] < found.floor.high


def test_raw_cohens_d_is_freed_of_its_bias(rng):
    """n d - (n-1) mean(d without each)."""
    a, b = related_pair(rng, n=25, dim=5)
    without = refit.figures_without(a, b)[:, 4]
    expected = 25 * refit.figures(a, b)[4] - 24 * without.mean()
    assert_allclose(intervals_of(a, b).cohens_d.estimate, expected, rtol=1e-11)


def test_no_spread_without_one_pair_gives_no_quotient():
    """Row 0 alone makes the floor vary; without it every unrelated pair scores the same."""
    rows = np.eye(8)
    rows[0, 1] = 1.0
    found = intervals_of(rows, rows)
    assert found.gap_over_floor_sd.estimate is not None
    assert found.gap_over_floor_sd.low is None
    assert "without some pair" in found.gap_over_floor_sd.reason


def grouped(rng, groups, size):
    """Groups whose rows of A are one row, and rows of B noisy views of it, off the origin."""
    things = rng.standard_normal((groups, 12)) + 0.5
    labels = np.repeat(np.arange(groups), size)
    return (
        things[labels],
        (things + 0.6 * rng.standard_normal((groups, 12)))[labels] + 0.6 * rng.standard_normal((groups * size, 12)),
        labels,
    )


def test_the_correction_for_own_means_counts_groups_not_pairs(rng):
    """20 groups of 4: the corrected gap is right on average, the pair-wise factor is not.

    The truth is the gap about the population's own means, from 20,000 groups.
    """
    truth = refit.figures(*grouped(np.random.default_rng(1), 5_000, 1)[:2], "own")[2]
    corrected, by_pairs = [], []
    for _ in range(200):
        a, b, labels = grouped(rng, 20, 4)
        found = intervals_of(a, b, "own", labels=labels)
        corrected.append(found.gap.estimate)
        by_pairs.append(found.gap.estimate / found.correction.factor * 79 / 80)
    noise = np.std(corrected) / 200**0.5
    assert abs(np.mean(corrected) - truth) < 3 * noise + 0.003
    assert abs(np.mean(by_pairs) - truth) > 6 * noise


def test_predicted_centred_gap_of_v8():
    """Raw gap / sqrt((1 - A_a)(1 - A_b)), which the corrected gap is near."""
    a, b = vector("v8")
    anisotropies = []
    for side in (a, b):
        scores = unit(side) @ unit(side).T
        anisotropies.append(scores[~np.eye(200, dtype=bool)].mean())
    predicted = intervals_of(a, b).gap.estimate / np.sqrt((1 - anisotropies[0]) * (1 - anisotropies[1]))
    assert_allclose(predicted, 0.701528601616, rtol=1e-10)
    assert_allclose(intervals_of(a, b, "own").gap.estimate, predicted, rtol=0.002)
