"""The smallest detectable difference, against the table and against drawn tests."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core.detectable import detectable_factor, t_quantile


@pytest.mark.parametrize(
    ("df", "factor"),
    [(1, 16.334), (2, 5.653), (3, 4.256), (4, 3.761), (9, 3.150), (29, 2.899), (99, 2.830)],
)
def test_factors_of_the_table(df, factor):
    """Noncentral t below 10 degrees of freedom, the sum of two quantiles above."""
    assert_allclose(detectable_factor(df), factor, atol=6e-4)


def test_the_factor_tends_to_that_of_the_normal():
    assert_allclose(detectable_factor(10**7), stats.norm.ppf(0.975) + stats.norm.ppf(0.8), rtol=1e-6)


@pytest.mark.parametrize("df", [4, 7, 9])
def test_small_factors_against_scipys_noncentral_t(df):
    """scipy.stats.nct.sf(t.975, df, factor), where it does not return NaN."""
    assert_allclose(stats.nct.sf(stats.t.ppf(0.975, df), df, detectable_factor(df)), 0.8, atol=1e-6)


def test_three_seeds_find_what_is_detectable_four_times_in_five():
    """40,000 t tests of 3 draws: sd of the share .002."""
    rng = np.random.default_rng(0)
    truth = detectable_factor(2) / np.sqrt(3)
    draws = truth + rng.standard_normal((40_000, 3))
    statistic = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / np.sqrt(3))
    assert_allclose(np.mean(statistic > t_quantile(0.975, 2)), 0.8, atol=0.008)
