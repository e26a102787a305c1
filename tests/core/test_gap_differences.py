"""Signed differences of gaps: their errors, what is said of them, and how often they are right."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.gap_differences import crossed_difference, crossed_variance, paired_difference, seeds_difference
from core.gap_values import GapValues, gap_values
from core.inference import Outcome
from core.rows import UnitRows
from tests.oracle import exact, unit


def mean_as_gap(items):
    """The mean of n numbers with its delete-one values: the simplest thing with an error."""
    items = np.asarray(items, dtype=float)
    n = len(items)
    return GapValues(gap=items.mean(), delete_one=(items.sum() - items) / (n - 1))


NOTHING = mean_as_gap(np.zeros(20))


def test_a_paired_difference_of_means_is_the_paired_t_test(rng):
    """scipy.stats.ttest_rel(x, y)."""
    x, y = rng.standard_normal(30) + 0.4, rng.standard_normal(30)
    found = paired_difference("x", "y", mean_as_gap(x), mean_as_gap(y))
    expected = stats.ttest_rel(x, y)
    assert_allclose(found.pvalue, expected.pvalue, rtol=1e-10)
    assert_allclose(found.interval, expected.confidence_interval(0.95), rtol=1e-10)
    assert (found.df, found.n_items, found.design) == (29, 30, "paired")


def test_a_paired_difference_of_gaps_is_the_jackknife_of_the_difference(rng):
    a = rng.standard_normal((25, 6))
    b, c = (a + noise * rng.standard_normal(a.shape) for noise in (0.3, 0.6))

    def difference(keep):
        return exact(unit(a[keep]), unit(b[keep]))["gap"] - exact(unit(a[keep]), unit(c[keep]))["gap"]

    left_out = np.array([difference(np.arange(25) != i) for i in range(25)])
    found = paired_difference("b", "c", *(gap_values(UnitRows(a), UnitRows(x)) for x in (b, c)))
    assert_allclose(found.mean, difference(np.arange(25)), rtol=1e-10)
    assert_allclose(found.error, np.sqrt(24 / 25 * np.sum((left_out - left_out.mean()) ** 2)), rtol=1e-9)


def test_swapping_the_conditions_flips_the_sign_only(rng):
    x, y = mean_as_gap(rng.standard_normal(30)), mean_as_gap(rng.standard_normal(30))
    there, back = paired_difference("x", "y", x, y), paired_difference("y", "x", y, x)
    assert_allclose(back.interval, [-end for end in reversed(there.interval)], rtol=1e-12)
    assert_allclose(
        [back.pvalue, back.absolute, back.excluded_above], [there.pvalue, there.absolute, there.excluded_above]
    )


def mean_squares_by_loops(table):
    """Two-way analysis of variance without replicates, cell by cell."""
    seeds, n = table.shape
    grand = np.mean(table)
    rows, columns = [np.mean(r) for r in table], [np.mean(c) for c in table.T]
    rest = sum((table[s, i] - rows[s] - columns[i] + grand) ** 2 for s in range(seeds) for i in range(n))
    return (
        n * sum((r - grand) ** 2 for r in rows) / (seeds - 1),
        seeds * sum((c - grand) ** 2 for c in columns) / (n - 1),
        rest / ((seeds - 1) * (n - 1)),
    )


def test_mean_squares_and_satterthwaite_by_loops(rng):
    table = rng.standard_normal((4, 1)) + rng.standard_normal((1, 15)) + rng.standard_normal((4, 15))
    ms_s, ms_i, ms_r = mean_squares_by_loops(table)
    both = ms_s + ms_i - ms_r
    df = both**2 / (ms_s**2 / 3 + ms_i**2 / 14 + ms_r**2 / 42)
    found = crossed_variance(table)
    assert_allclose([found.seeds, found.items, found.rest], [ms_s, ms_i, ms_r], rtol=1e-11)
    assert_allclose(found.variance, both / 60, rtol=1e-11)
    assert found.df == int(df)


def test_where_one_mean_square_decides_alone_its_degrees_of_freedom_hold():
    """Seeds (items) that differ less than the rest would pull the sum below one of its terms."""
    rng = np.random.default_rng(3)
    table = rng.standard_normal((3, 12))
    without_seeds = table - table.mean(axis=1, keepdims=True) + np.arange(12)
    items = crossed_variance(without_seeds)
    assert (items.seeds < 1e-20, items.df, items.variance) == (True, 11, pytest.approx(items.items / 36))
    without_items = table - table.mean(axis=0) + np.arange(3)[:, None]
    seeds = crossed_variance(without_items)
    assert (seeds.items < 1e-20, seeds.df, seeds.variance) == (True, 2, pytest.approx(seeds.seeds / 36))


def test_a_crossed_difference_takes_its_error_from_pseudo_values(rng):
    table = rng.standard_normal((3, 1)) + rng.standard_normal((3, 20))
    found = crossed_difference("x", "y", [mean_as_gap(row) for row in table], [NOTHING] * 3)
    assert_allclose(found.by_seed, table.mean(axis=1), rtol=1e-12)
    assert_allclose(found.error, np.sqrt(crossed_variance(table).variance), rtol=1e-9)
    assert_allclose(found.mean, table.mean(), rtol=1e-12)
    assert found.design == "crossed"


def test_seeds_alone_are_a_t_test_for_these_items():
    """scipy.stats.ttest_1samp."""
    values = [0.1, 0.3, 0.15, 0.22]
    found = seeds_difference("x", "y", values)
    expected = stats.ttest_1samp(values, 0)
    assert_allclose(found.pvalue, expected.pvalue, rtol=1e-12)
    assert_allclose(found.interval, expected.confidence_interval(0.95), rtol=1e-12)
    assert_allclose(found.detectable, 4.256 * found.error, rtol=1e-3)


def test_the_headline_is_signed_and_the_mean_of_absolutes_is_not_it():
    found = seeds_difference("x", "y", [0.2, -0.2, 0.1, -0.1])
    assert (found.mean, found.absolute) == (0, 0)
    assert_allclose(found.mean_absolute, 0.15)


@pytest.mark.parametrize(("seeds", "signed"), [(1, 0.798), (3, 0.461), (5, 0.357), (10, 0.252)])
def test_the_mean_of_absolutes_does_not_shrink_with_seeds(seeds, signed):
    """No difference at all, seeds of sd 1: E|signed mean| falls, the mean of absolutes stays at .798."""
    rng = np.random.default_rng(seeds)
    found = [seeds_difference("x", "y", row) for row in rng.standard_normal((6000, seeds))]
    assert_allclose(np.mean([x.absolute for x in found]), signed, atol=0.02)
    assert_allclose(np.mean([x.mean_absolute for x in found]), 0.798, atol=0.025)


def test_two_seeds_only_describe(rng):
    two = [mean_as_gap(rng.standard_normal(20)) for _ in range(2)]
    for found in (crossed_difference("x", "y", two, [NOTHING] * 2), seeds_difference("x", "y", [0.1, 0.2])):
        assert "2 seeds only describe" in found.no_interval
        assert (found.error, found.interval, found.pvalue, found.detectable, found.outcome(0.1)) == (None,) * 5
        assert found.mean != 0


def test_equal_conditions_have_no_error_and_claim_no_certainty(rng):
    same = mean_as_gap(rng.standard_normal(20))
    for found in (
        paired_difference("x", "y", same, same),
        crossed_difference("x", "y", [same] * 3, [same] * 3),
        seeds_difference("x", "y", [0.1] * 4),
    ):
        assert "no spread" in found.no_interval
        assert found.pvalue is None
        assert found.separates is None


def test_four_items_are_too_few(rng):
    four = [mean_as_gap(rng.standard_normal(4)) for _ in range(3)]
    nothing = mean_as_gap(np.zeros(4))
    assert "4 items are too few" in paired_difference("x", "y", four[0], nothing).no_interval
    assert "4 items are too few" in crossed_difference("x", "y", four, [nothing] * 3).no_interval


@pytest.mark.parametrize(
    ("shift", "margin", "said"),
    [
        (1.0, None, "separates"),
        (1.0, 0.5, "separates"),
        (0.05, 0.5, "real_but_smaller_than_margin"),
        (0.0, 0.5, "no_gap_larger_than_margin"),
        (0.0, 0.001, "underpowered"),
        (0.0, None, "underpowered"),
    ],
)
def test_the_four_things_that_can_be_said(shift, margin, said):
    items = np.tile([-0.05, 0.05], 50) + shift
    found = paired_difference("x", "y", mean_as_gap(items), mean_as_gap(np.zeros(100)))
    assert found.outcome(margin) is Outcome(said)


def test_the_excluded_margin_is_where_two_one_sided_tests_turn():
    """Two one-sided t tests (scipy) at exactly that margin have p = .05."""
    items = np.random.default_rng(1).standard_normal(40) + 0.3
    found = paired_difference("x", "y", mean_as_gap(items), mean_as_gap(np.zeros(40)))
    tests = [
        stats.ttest_1samp(items, -found.excluded_above, alternative="greater").pvalue,
        stats.ttest_1samp(items, found.excluded_above, alternative="less").pvalue,
    ]
    assert_allclose(max(tests), 0.05, rtol=1e-9)


def test_paired_intervals_cover_and_pairing_is_what_makes_them_short():
    """300 draws, n = 40: coverage .949 in the long simulation, sd here 1.3 points."""
    rng = np.random.default_rng(11)
    hits, ratio = [], []
    # Both conditions have noise of one size, so the true difference is 0.
    for _ in range(300):
        a = rng.standard_normal((40, 16))
        shared = 0.8 * rng.standard_normal(a.shape)
        values = [gap_values(UnitRows(a), UnitRows(a + shared + 0.1 * rng.standard_normal(a.shape))) for _ in "xy"]
        found = paired_difference("x", "y", *values)
        hits.append(found.interval[0] <= 0 <= found.interval[1])
        ratio.append(np.hypot(values[0].error, values[1].error) / found.error)
    assert 0.91 <= np.mean(hits) <= 0.985
    assert np.median(ratio) > 3


@pytest.mark.parametrize(("seed_sd", "item_sd"), [(0.3, 0.3), (0.0, 1.0), (0.5, 0.0)])
def test_crossed_intervals_cover_where_either_one_alone_does_not(seed_sd, item_sd):
    """400 tables of 5 seeds and 40 items with truth 0; sd of a coverage near .95 is 1.1 points."""
    rng = np.random.default_rng(7)
    crossed, items_only, seeds_only = [], [], []
    for _ in range(400):
        table = (
            seed_sd * rng.standard_normal((5, 1))
            + item_sd * rng.standard_normal((1, 40))
            + rng.standard_normal((5, 40))
        )
        found = crossed_variance(table)
        crossed.append(abs(table.mean()) <= stats.t.ppf(0.975, found.df) * np.sqrt(found.variance))
        items_only.append(stats.ttest_1samp(table.mean(axis=0), 0).pvalue > 0.05)
        seeds_only.append(stats.ttest_1samp(table.mean(axis=1), 0).pvalue > 0.05)
    assert np.mean(crossed) >= 0.92
    if seed_sd > 0.2:
        assert np.mean(items_only) < 0.75
    if item_sd == 1.0:
        assert np.mean(seeds_only) < 0.85
