"""The verdict: its table, its detectable effect, and one path for few and many pairs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, special, stats

import core.inference
from core.inference import Outcome, at_ceiling, detectable_factor, detectable_gap, infer, judge
from core.intervals import Correction, Interval, ReadingIntervals
from core.permutation import PermutationTest
from tests.arrays import related_pair
from tests.readings import Reading, clustered, vector


def exact_power(noncentrality, df):
    """Power of a two-sided t test at 5%, by integrating over the spread estimate."""
    critical = stats.t.ppf(0.975, df)

    def at(spread):
        hit = special.ndtr(noncentrality - critical * spread) + special.ndtr(-noncentrality - critical * spread)
        return hit * stats.chi2.pdf(df * spread**2, df) * 2 * df * spread

    return integrate.quad(at, 0, 1, limit=300)[0] + integrate.quad(at, 1, 8, limit=300)[0]


@pytest.mark.parametrize("df", range(1, 10))
def test_detectable_factor_has_eighty_percent_power(df):
    assert_allclose(exact_power(detectable_factor(df), df), 0.8, atol=2e-5)


@pytest.mark.parametrize("df", [10, 19, 99])
def test_detectable_factor_is_near_the_exact_one_from_ten_degrees_on(df):
    assert_allclose(exact_power(detectable_factor(df), df), 0.8, atol=0.002)


def test_v12():
    assert_allclose(detectable_factor(), 2.802, atol=5e-4)
    assert_allclose(0.01 * detectable_factor(), 0.02802, atol=5e-6)
    assert_allclose(detectable_gap(0.01, 0.01, 19), 0.02954, atol=5e-6)
    assert_allclose(detectable_gap(0.01, 0.01, 2), 0.05654, atol=5e-6)
    assert_allclose(detectable_factor(1), 16.334, atol=5e-4)


def test_the_larger_error_sets_the_power():
    assert detectable_gap(0.01, 0.02, 50) > detectable_gap(0.01, 0.01, 50) == detectable_gap(0.01, 0.005, 50)


def reading(gap, error, *, n=100):
    """Intervals with a given gap; the rest does not matter to the verdict."""
    found = Interval(estimate=gap, error=error, low=gap - 2 * error, high=gap + 2 * error)
    return ReadingIntervals(
        matched=found,
        floor=found,
        gap=found,
        gap_over_floor_sd=found,
        cohens_d=found,
        correction=Correction(),
        n_groups=n,
    )


def permuted(pvalue, *, gap_error=0.01, smallest=1e-9, z=1.0, reach=1.0):
    return PermutationTest(
        pvalue=pvalue,
        method="drawn",
        n_permutations=9_999,
        z=z,
        gap_error=gap_error,
        log10_smallest_pvalue=np.log10(smallest),
        reach=reach,
    )


@pytest.mark.parametrize(
    ("gap", "pvalue", "margin", "outcome"),
    [
        (0.30, 0.0001, 0.10, Outcome.SEPARATES),
        (0.005, 0.60, 0.10, Outcome.NO_LARGER_GAP),
        (0.03, 0.01, 0.10, Outcome.REAL_BUT_SMALL),
        (0.015, 0.20, 0.02, Outcome.UNDERPOWERED),
        (-0.30, 0.0001, 0.10, Outcome.WRONG_WAY),
        (0.30, 0.0001, None, Outcome.SEPARATES),
        (-0.30, 0.0001, None, Outcome.WRONG_WAY),
        (0.001, 0.90, None, Outcome.UNDERPOWERED),
    ],
)
def test_the_four_outcomes(gap, pvalue, margin, outcome):
    found = judge(reading(gap, 0.01), permuted(pvalue, z=np.sign(gap)), margin=margin)
    assert found.outcome is outcome
    assert not found.test_disagrees


@pytest.mark.parametrize(("gap", "z"), [(-0.3, 8.8), (0.3, -8.8)])
def test_a_test_that_points_the_other_way_decides_nothing(gap, z):
    """Groups of unequal sizes: the test permutes only those of equal size, the gap is over all."""
    found = judge(reading(gap, 0.01), permuted(0.0001, z=z))
    assert found.outcome is None
    assert "point the other way" in found.undefined
    assert found.test_disagrees
    assert not found.wrong_way


@pytest.mark.parametrize("test", [permuted(1.0, smallest=1.0, z=None), permuted(1.0, z=None)], ids=["one", "no z"])
def test_what_no_permutation_can_tell_has_no_outcome_however_wide_the_margin(test):
    found = judge(reading(0.0, 0.01), test, margin=1.9)
    assert found.outcome is None
    assert found.undefined
    assert found.detectable is None
    assert found.largest_gap_left < 0.02  # the interval stands; it needs no test


def test_a_test_that_no_gap_could_pass_is_no_evidence_of_no_gap():
    """Two permutations, p at least 1/2: the data may rule a gap out, but this test has not looked."""
    found = judge(reading(0.0, 0.01), permuted(0.5, smallest=0.5), margin=0.5)
    assert found.outcome is Outcome.UNDERPOWERED


def test_a_detectable_gap_that_no_two_files_can_have_is_none():
    assert judge(reading(0.3, 0.9, n=5), permuted(0.5, gap_error=0.9)).detectable is None


def test_no_gap_is_ruled_out_that_no_two_files_can_have():
    test = permuted(0.5, gap_error=0.9)
    assert judge(reading(0.3, 0.9, n=5), test).largest_gap_left is None
    assert judge(reading(0.3, 0.5, n=5), test).largest_gap_left == pytest.approx(1.3659, abs=1e-4)


def test_no_gap_is_never_said_without_a_declared_margin():
    found = judge(reading(0.0, 1e-6), permuted(1.0))
    assert found.outcome is Outcome.UNDERPOWERED
    assert_allclose(found.largest_gap_left, stats.t.ppf(0.95, 99) * 1e-6, rtol=1e-10)


def test_a_small_gap_the_wrong_way_is_named_as_such():
    found = judge(reading(-0.03, 0.01), permuted(0.01, z=-3.0), margin=0.1)
    assert found.outcome is Outcome.REAL_BUT_SMALL
    assert found.wrong_way


def test_the_largest_gap_left_is_the_margin_two_one_sided_tests_exclude():
    """At margin = U the larger one-sided p is exactly 5%."""
    found = judge(reading(-0.02, 0.01, n=30), permuted(0.1))
    pvalue = stats.t.sf((found.largest_gap_left - 0.02) / 0.01, 29)
    assert_allclose(pvalue, 0.05, rtol=1e-9)


def test_an_error_of_zero_never_proves_no_gap():
    bare = Interval(estimate=0.0, error=0.0, low=None, high=None, reason="symmetry")
    intervals = ReadingIntervals(
        matched=bare,
        floor=bare,
        gap=bare,
        gap_over_floor_sd=bare,
        cohens_d=bare,
        correction=Correction(),
        n_groups=40,
    )
    found = judge(intervals, permuted(1.0), margin=0.5)
    assert found.outcome is Outcome.UNDERPOWERED
    assert found.largest_gap_left is None


@pytest.mark.parametrize(("n", "exploratory"), [(19, True), (20, False)])
def test_fewer_than_twenty_pairs_are_exploratory(n, exploratory):
    assert judge(reading(0.3, 0.01, n=n), permuted(0.001)).exploratory is exploratory


def test_three_pairs_can_detect_nothing():
    """3! = 6 pairings: the smallest p is above 5%."""
    found = judge(reading(0.9, 0.01, n=3), permuted(1 / 6, smallest=1 / 6))
    assert found.detectable is None
    assert found.outcome is Outcome.UNDERPOWERED


@pytest.mark.parametrize("margin", [0.0, -0.1, float("nan")])
def test_a_margin_must_be_above_zero(margin):
    with pytest.raises(ValueError, match="margin must be above 0"):
        judge(reading(0.3, 0.01), permuted(0.001), margin=margin)


def test_at_ceiling_needs_every_reading_there():
    assert at_ceiling((0.9999, 0.9995), (1.0, 1.0, 1.0, 1.0))
    assert not at_ceiling((0.9999, 0.98), (1.0, 1.0, 1.0, 1.0))
    assert not at_ceiling((0.9999, 0.9995), (1.0, 1.0, 0.99, 1.0))


def inferred(a, b, kind="raw", *, labels=None, **options):
    found = Reading(a, b, kind, labels=labels)
    return infer(
        found.a,
        found.b,
        found.mean_a,
        found.mean_b,
        means=found.means,
        groups=found.groups,
        rng=np.random.default_rng(0),
        **options,
    )


@pytest.mark.parametrize("kind", ["raw", "own", "shared"])
@pytest.mark.parametrize("grouped", [False, True], ids=["pairs", "groups"])
def test_many_pairs_give_the_same_numbers_as_few(rng, monkeypatch, kind, grouped):
    a, b = clustered(rng, 120)
    labels = np.repeat(np.arange(60), 2) if grouped else None
    few = inferred(a, b, kind, labels=labels)
    few_groups = len(a) // 4  # fewer than the units permuted, so that the normal tail is taken
    monkeypatch.setattr(core.inference, "FULL_MATRIX_PAIRS", few_groups)
    monkeypatch.setattr(
        "core.pair_sums.pair_sums.__kwdefaults__", {**core.inference.pair_sums.__kwdefaults__, "full_matrix_pairs": 50}
    )

    many = inferred(a, b, kind, labels=labels)

    assert many.test.method == "normal"
    assert_allclose(many.test.z, few.test.z, rtol=1e-9)
    for name in ("matched", "gap", "gap_over_floor_sd", "cohens_d"):
        few_interval, many_interval = getattr(few.intervals, name), getattr(many.intervals, name)
        assert_allclose(
            (many_interval.estimate, many_interval.low, many_interval.high),
            (few_interval.estimate, few_interval.low, few_interval.high),
            rtol=1e-9,
        )
    assert_allclose(many.verdict.detectable, few.verdict.detectable, rtol=1e-9)


def test_six_groups_of_many_rows_are_tried_in_all_their_orders(rng):
    """6! = 720 orders one by one, at n above the score matrix: the normal tail would count rows that never part."""
    size, dim = 350, 8
    labels = np.repeat(np.arange(6), size)
    centre_a, centre_b = rng.standard_normal((2, 6, dim))
    a = centre_a[labels] + rng.standard_normal((6 * size, dim))
    b = centre_b[labels] + rng.standard_normal((6 * size, dim))
    rows_a = (a / np.linalg.norm(a, axis=1, keepdims=True)).reshape(6, size, dim)
    rows_b = (b / np.linalg.norm(b, axis=1, keepdims=True)).reshape(6, size, dim)
    sums = np.array([np.sum(rows_a * rows_b[list(order)]) for order in permutations(range(6))])
    exact = np.mean(np.abs(sums - sums.mean()) >= abs(sums[0] - sums.mean()) - 1e-9)

    test = inferred(a, b, labels=labels).test

    assert (test.method, test.n_permutations) == ("enumerated", 720)
    assert_allclose(test.pvalue, exact, rtol=1e-12)


def test_few_dominant_groups_among_many_rows_are_drawn(rng):
    """Three groups of 600 rule the sum, so its law is far from normal: about one order in six is this extreme."""
    sizes = [600] * 3 + [1] * 201
    labels = np.repeat(np.arange(len(sizes)), sizes)
    centre_a, centre_b = 0.1 * rng.standard_normal((2, len(sizes), 8))
    centre_a[:3] = centre_b[:3] = 6 * np.eye(3, 8)
    noise = rng.standard_normal((2, len(labels), 8))

    test = inferred(centre_a[labels] + 0.3 * noise[0], centre_b[labels] + 0.3 * noise[1], labels=labels).test

    assert test.method == "drawn"
    assert 2 * stats.norm.sf(test.z) < 0.05
    assert 0.12 < test.pvalue < 0.18


def test_related_rows_separate_and_reversed_ones_the_wrong_way(rng):
    a, b = related_pair(rng, n=60, dim=8, drift=0.0)
    assert inferred(a, b).verdict.outcome is Outcome.SEPARATES
    assert inferred(a, -b).verdict.outcome is Outcome.WRONG_WAY


def test_unrelated_rows_are_underpowered_or_within_a_wide_margin(rng):
    a, b = rng.standard_normal((2, 300, 16))
    assert inferred(a, b).verdict.outcome is Outcome.UNDERPOWERED
    assert inferred(a, b, margin=0.2).verdict.outcome is Outcome.NO_LARGER_GAP


def test_v8_infers_what_the_vectors_say():
    found = inferred(*vector("v8"))
    assert_allclose(found.test.z, 53.7007145511, rtol=1e-10)
    assert_allclose(found.intervals.gap.error, 0.00652099229687, rtol=1e-9)
    assert found.test.pvalue == 1e-4


def test_too_many_columns_for_many_pairs_leave_it_out(rng, monkeypatch):
    monkeypatch.setattr(core.inference, "FULL_MATRIX_PAIRS", 10)
    monkeypatch.setattr(core.inference, "SCATTER_COLUMNS", 6)
    assert inferred(*related_pair(rng, n=20, dim=8)) is None


def test_groups_that_stay_in_place_raise_the_detectable_gap(rng):
    """Of 35 pairs the 20 in groups of lone sizes never move, so the test sees under half of the gap.

    A gap of the detectable size, in every pair, is found about four times in five; the
    detectable gap of a test that saw all of it would be found in less than half.
    """
    labels = np.repeat(np.arange(20), [1] * 15 + [2, 3, 4, 5, 6])
    n, dim, hits, runs = len(labels), 16, 0, 150
    first = inferred(*rng.standard_normal((2, n, dim)), labels=labels)
    predicted = first.verdict.detectable
    assert_allclose(first.test.reach, 14 / (n - (np.bincount(labels) ** 2).sum() / n), rtol=1e-12)
    for _ in range(runs):
        a = rng.standard_normal((n, dim))
        b = predicted * a + np.sqrt(1 - predicted**2) * rng.standard_normal((n, dim))
        hits += inferred(a, b, labels=labels, n_permutations=199).test.pvalue <= 0.05
    assert 0.68 < hits / runs < 0.92
    full = judge(reading(0, first.intervals.gap.error, n=20), permuted(0.5, gap_error=first.test.gap_error)).detectable
    assert predicted > 1.4 * full


def test_the_detectable_gap_is_found_four_times_in_five(rng):
    """Gaussian rows with a gap of the size the null says is detectable at n = 40."""
    n, dim, hits, runs = 40, 16, 0, 150
    predicted = inferred(*rng.standard_normal((2, n, dim))).verdict.detectable
    for _ in range(runs):
        a = rng.standard_normal((n, dim))
        # The expected cosine of such rows is about the weight of what they share.
        b = predicted * a + np.sqrt(1 - predicted**2) * rng.standard_normal((n, dim))
        hits += inferred(a, b, n_permutations=199).test.pvalue <= 0.05
    assert abs(hits / runs - 0.8) < 3.5 * (0.16 / runs) ** 0.5
