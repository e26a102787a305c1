"""Debiased CKA, against the four-row definition of the unbiased HSIC."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.cka import cka_null, debiased_cka
from tests.arrays import random_rotation
from tests.oracle import unit


def hsic_of_quadruples(k, m):
    """Gretton's h-statistic: mean over ordered quadruples of k_ij (m_ij + m_qr - 2 m_iq)."""
    found = [k[i, j] * (m[i, j] + m[q, r] - 2 * m[i, q]) for i, j, q, r in permutations(range(len(k)), 4)]
    return np.mean(found)


def spectrum_pair(kind, n, dim, rng):
    """The cases of the table: Gaussian rows with a mild spectrum, the second side made from the first."""
    scale = np.arange(1, dim + 1) ** -0.25 if n > dim else np.ones(dim)
    a = scale * rng.standard_normal((n, dim))
    if kind == "rotated":
        return a, a @ random_rotation(rng, dim)
    if kind == "shuffled":
        return a, a[:, rng.permutation(dim)]
    if kind == "signs":
        return a, a * rng.choice([-1.0, 1.0], dim)
    if kind == "same":
        return a, a + 0.29 * scale * rng.standard_normal((n, dim))
    return a, scale * rng.standard_normal((n, dim))


def test_cka_against_all_quadruples(rng):
    a, b = rng.standard_normal((7, 3)) + 1, rng.standard_normal((7, 5)) + 1
    b[:, 0] = a[:, 0]
    k, m = (unit(x) @ unit(x).T for x in (a, b))
    expected = hsic_of_quadruples(k, m) / np.sqrt(hsic_of_quadruples(k, k) * hsic_of_quadruples(m, m))
    assert_allclose(debiased_cka(a, b), expected, rtol=1e-10)


@pytest.mark.parametrize("kind", ["rotated", "shuffled", "signs"])
def test_a_change_of_axes_leaves_cka_at_one(rng, kind):
    assert_allclose(debiased_cka(*spectrum_pair(kind, 500, 256, rng)), 1, rtol=1e-12)


def test_noise_in_the_same_space_lowers_cka_to_the_table(rng):
    assert_allclose(debiased_cka(*spectrum_pair("same", 500, 256, rng)), 0.919, atol=0.01)


@pytest.mark.parametrize(("n", "dim", "within"), [(500, 256, 0.012), (100, 768, 0.06)])
def test_unrelated_rows_have_cka_near_zero_where_the_biased_one_is_high(n, dim, within):
    rng = np.random.default_rng(4)
    a, b = spectrum_pair("independent", n, dim, rng)
    assert abs(debiased_cka(a, b)) < within
    u, v = (unit(x) - unit(x).mean(axis=0) for x in (a, b))
    biased = np.sum((u.T @ v) ** 2) / np.sqrt(np.sum((u.T @ u) ** 2) * np.sum((v.T @ v) ** 2))
    assert_allclose(biased, 0.228 if n == 500 else 0.885, atol=0.03)


def test_cka_is_one_formula_in_both_forms_and_any_blocks(rng):
    a, b = rng.standard_normal((30, 100)), rng.standard_normal((30, 90))  # n-by-n form
    wide = debiased_cka(a, b)
    assert_allclose(debiased_cka(a, b, block_elements=61), wide, rtol=1e-11)
    # The same inner products from fewer columns: the d-by-d form.
    narrow = [np.linalg.qr(unit(x).T)[1].T[:, :30] for x in (a, b)]
    assert_allclose(debiased_cka(*narrow), wide, rtol=1e-10)
    tall = rng.standard_normal((300, 4))
    assert_allclose(debiased_cka(tall, np.hstack([tall, np.zeros((300, 2))])), 1, rtol=1e-12)


def test_row_lengths_and_row_order_change_nothing(rng):
    a, b = spectrum_pair("same", 60, 20, rng)
    order, lengths = rng.permutation(60), rng.uniform(0.5, 3, (60, 1))
    assert_allclose(debiased_cka(lengths * a[order], b[order]), debiased_cka(a, b), rtol=1e-12)


def test_the_null_is_the_same_measure_on_shuffled_rows(rng):
    a, b = spectrum_pair("same", 40, 12, rng)
    found = cka_null(a, b, n_permutations=50, rng=np.random.default_rng(8))
    again = np.random.default_rng(8)
    shuffled = [debiased_cka(a, b[again.permutation(40)]) for _ in range(50)]

    assert_allclose(found.observed, debiased_cka(a, b), rtol=1e-11)
    assert_allclose([found.mean, found.sd], [np.mean(shuffled), np.std(shuffled)], rtol=1e-9)
    assert found.pvalue == 1 / 51


def test_large_files_are_shuffled_on_a_subset(rng):
    a, b = spectrum_pair("same", 200, 12, rng)
    found = cka_null(a, b, n_permutations=20, rng=rng, n_rows=50)
    assert found.n_rows == 50
    assert found.observed > 0.5


def test_pvalues_of_unrelated_rows_are_uniform():
    """300 pairs at 19 shuffles: 5 % of p at or below .05, sd 1.3 points."""
    rng = np.random.default_rng(5)
    found = [
        cka_null(rng.standard_normal((15, 6)), rng.standard_normal((15, 6)), n_permutations=19, rng=rng).pvalue
        for _ in range(300)
    ]
    assert 0.02 <= np.mean(np.array(found) <= 0.05) <= 0.09
    assert_allclose(np.mean(found), 0.525, atol=0.06)


@pytest.mark.parametrize("collapsed", [np.ones((9, 4)), np.eye(9), np.tile([[1.0, 2.0, 3.0]], (9, 1))])
def test_rows_all_equally_far_apart_have_no_geometry(rng, collapsed):
    other = rng.standard_normal((9, 5))
    assert debiased_cka(collapsed, other) is None
    assert debiased_cka(other, collapsed) is None
    assert cka_null(other, collapsed, n_permutations=9, rng=rng) is None


@pytest.mark.parametrize("seed", range(6))
def test_a_cone_of_orthonormal_rows_has_no_geometry_whatever_rounding_leaves(seed):
    rng = np.random.default_rng(seed)
    rows = np.hstack([np.ones((40, 1)), 0.6 * random_rotation(rng, 40)])
    assert debiased_cka(rows, rng.standard_normal((40, 5))) is None


def test_a_narrow_cone_still_has_its_geometry(rng):
    a = np.hstack([np.ones((50, 1)), 1e-6 * rng.standard_normal((50, 5))])
    turned = a @ random_rotation(rng, 6)
    assert_allclose(debiased_cka(a, turned), 1, atol=1e-6)
