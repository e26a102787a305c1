"""How a side is spread: closed-form vectors, matrices of all cosines, and populations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.groups import groups_from_ids
from core.isotropy import participation_ratio, side_moments, side_shape, squared_offset, unbiased_traces
from core.norms import norm_ratio
from core.rows import UnitRows
from tests.arrays import random_rotation
from tests.oracle import unit

OFF = ~np.eye(60, dtype=bool)


def moments_of(rows, labels=None):
    side = UnitRows(np.asarray(rows))
    groups = None if labels is None else groups_from_ids(labels, len(rows))
    return side_moments(side, side.mean_row(), groups=groups)


def shape_of(rows, **options):
    return side_shape(moments_of(rows, **options))


def anisotropy_of(rows, names=None):
    """Mean cosine of rows of different groups, from the whole matrix."""
    names = np.arange(len(rows)) if names is None else names
    scores = unit(rows) @ unit(rows).T
    return scores[names[:, None] != names[None, :]].mean()


@pytest.fixture
def rows(rng):
    """60 rows around a shared direction, most of it in column 3."""
    made = rng.standard_normal((60, 10)) * np.linspace(0.5, 2, 10)
    made[:, 3] += 3
    return made


@pytest.mark.parametrize("labels", [None, np.repeat(np.arange(24), [1, 2, 3, 4] * 6)], ids=["rows", "groups"])
def test_anisotropy_error_against_leaving_rows_out(rows, labels):
    names = np.arange(60) if labels is None else labels
    without = np.array([anisotropy_of(rows[names != name], names[names != name]) for name in np.unique(names)])
    count = len(without)
    expected = np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum())

    found = shape_of(rows, labels=labels).anisotropy

    assert_allclose(found.estimate, anisotropy_of(rows, names), rtol=1e-12)
    assert_allclose(found.error, expected, rtol=1e-10)


@pytest.mark.parametrize(("groups", "size", "lean"), [(20, 20, 0.0), (20, 20, 2.5), (200, 5, 0.0)])
def test_rows_of_one_group_make_no_anisotropy(groups, size, lean, rng):
    """What a group's rows have in common is no direction that all rows share; the truth from rows of groups of one."""
    dim, labels = 32, np.repeat(np.arange(groups), size)

    def drawn(count, each):
        things = np.repeat(rng.standard_normal((count, dim)), each, axis=0)
        rows = things + 0.3 * rng.standard_normal((count * each, dim))
        rows[:, 0] += lean
        return rows

    mean = unit(drawn(200_000, 1)).mean(axis=0)
    shapes = [shape_of(drawn(groups, size), labels=labels) for _ in range(100)]
    covered = [shape.anisotropy.low <= mean @ mean <= shape.anisotropy.high for shape in shapes]
    assert np.mean(covered) >= 0.88
    if not lean:
        assert np.mean([bool(shape.top_dimensions) for shape in shapes]) <= 0.15


def test_roots_of_unity_have_an_anisotropy_without_error():
    """V4: -1/7, the same without any one of them; error 0 gives no interval."""
    angles = np.arange(8) * np.pi / 4
    found = shape_of(np.column_stack([np.cos(angles), np.sin(angles)])).anisotropy
    assert_allclose(found.estimate, -1 / 7, rtol=1e-12)
    assert found.low is None


def test_the_parts_by_dimension_sum_to_the_anisotropy(rows):
    units = unit(rows)
    parts = np.array([(np.outer(units[:, k], units[:, k])[OFF]).mean() for k in range(10)])

    found = shape_of(rows)

    assert_allclose(parts.sum(), found.anisotropy.estimate, rtol=1e-12)
    assert [part.dimension for part in found.top_dimensions] == np.argsort(-parts)[:3].tolist()
    assert found.top_dimensions[0].dimension == 3
    assert_allclose([part.cosine for part in found.top_dimensions], np.sort(parts)[::-1][:3], rtol=1e-10)
    assert_allclose(found.top_dimensions[0].share, parts[3] / parts.sum(), rtol=1e-10)


def test_no_dimension_is_named_where_the_anisotropy_is_noise(rng):
    assert shape_of(rng.standard_normal((60, 10))).top_dimensions == ()


def test_rotation_keeps_all_but_the_parts_by_dimension(rng, rows):
    before, after = shape_of(rows), shape_of(rows @ random_rotation(rng, 10))
    for name in ("participation_ratio", "isoscore", "top_share", "rms_cosine"):
        assert_allclose(getattr(after, name), getattr(before, name), rtol=1e-10, err_msg=name)
    assert_allclose(after.anisotropy.error, before.anisotropy.error, rtol=1e-10)


@pytest.mark.parametrize(("n", "dim"), [(60, 10), (60, 100)], ids=["scatter", "products of rows"])
def test_spectrum_against_an_eigendecomposition(rng, n, dim):
    made = rng.standard_normal((n, dim)) + 0.3
    units = unit(made)
    eigenvalues = np.linalg.eigvalsh(np.cov(units.T))
    scores = units @ units.T

    found, moments = shape_of(made), moments_of(made)

    assert_allclose(found.top_share, eigenvalues[-1] / eigenvalues.sum(), rtol=1e-9)
    assert_allclose(moments.squared / (n - 1) ** 2, (eigenvalues**2).sum(), rtol=1e-10)
    assert_allclose(found.rms_cosine, np.sqrt((scores[OFF] ** 2).mean()), rtol=1e-10)


def test_top_share_of_many_columns_by_iteration(rng):
    made = rng.standard_normal((300, 90)) * np.linspace(1, 3, 90)
    eigenvalues = np.linalg.eigvalsh(np.cov(unit(made).T))
    assert_allclose(shape_of(made).top_share, eigenvalues[-1] / eigenvalues.sum(), rtol=1e-7)


def test_unbiased_traces_against_sums_over_different_rows(rng):
    """tr Sigma^2 as the mean of a product over four different rows, all of them enumerated."""
    units = unit(rng.standard_normal((7, 3)))
    products = units @ units.T
    squares, traces = [], []
    for i in range(7):
        for j in range(7):
            for k in range(7):
                for m in range(7):
                    if len({i, j, k, m}) == 4:
                        # (u_i - u_j).(u_k - u_m) squared has mean 4 tr Sigma^2.
                        link = products[i, k] - products[i, m] - products[j, k] + products[j, m]
                        squares.append(link**2 / 4)
                        first = 2 - 2 * products[i, j]
                        traces.append(first * (2 - 2 * products[k, m]) / 4)

    assert_allclose(unbiased_traces(moments_of(units)), (np.mean(squares), np.mean(traces)), rtol=1e-10)


def test_participation_ratio_is_free_of_the_bias_of_few_rows(rng):
    """100 rows of a cloud alike in 300 directions: the plain ratio says 74, the truth is 300."""
    found = [participation_ratio(moments_of(rng.standard_normal((100, 300)))) for _ in range(30)]
    assert abs(np.mean(found) - 300) < 6


@pytest.mark.parametrize(("kept", "dim"), [(2, 3), (10, 25)])
def test_isoscore_of_equal_variances_in_some_directions(rng, kept, dim):
    """(k - 1) / (d - 1) for rows alike in k of d directions."""
    made = np.zeros((4_000, dim))
    made[:, :kept] = rng.standard_normal((4_000, kept))
    assert_allclose(shape_of(made).isoscore, (kept - 1) / (dim - 1), atol=0.003)


def test_one_direction_is_zero_and_all_alike_is_one(rng):
    assert_allclose(shape_of(rng.standard_normal((5_000, 8))).isoscore, 1, atol=0.01)
    line = np.outer(rng.choice([-1.0, 1.0], 200), rng.standard_normal(8))
    assert_allclose(shape_of(line).isoscore, 0, atol=1e-9)


def test_rows_both_ways_along_one_axis_are_seen_though_anisotropy_is_low(rng):
    made = 0.2 * rng.standard_normal((200, 16))
    made[:, 0] += rng.permutation(np.repeat([-1.0, 1.0], 100)) * 3
    found = shape_of(made)
    assert abs(found.anisotropy.estimate) < 0.02
    assert found.both_ways
    assert found.rms_cosine > 0.9


@pytest.mark.parametrize("dim", [2, 3, 16, 300])
def test_an_even_cloud_is_not_both_ways(rng, dim):
    assert not shape_of(rng.standard_normal((100, dim))).both_ways


def test_a_plain_cone_is_not_both_ways(rng):
    made = rng.standard_normal((100, 16))
    made[:, 0] += 20
    assert not shape_of(made).both_ways


def test_equal_rows_have_no_spread_to_speak_of():
    found = shape_of(np.tile([[3.0, 4.0, 0.0]], (30, 1)))
    assert found.participation_ratio is None
    assert found.isoscore is None
    assert_allclose(found.rms_cosine, 1, rtol=1e-14)
    assert not found.both_ways


def test_three_rows_have_no_unbiased_ratio(rng):
    found = shape_of(rng.standard_normal((3, 5)))
    assert found.participation_ratio is None
    assert found.anisotropy.low is None


def test_too_many_columns_leave_the_spectrum_out(rng, monkeypatch):
    monkeypatch.setattr("core.isotropy.SCATTER_COLUMNS", 8)
    monkeypatch.setattr("core.isotropy.FULL_MATRIX_PAIRS", 20)
    found = shape_of(rng.standard_normal((30, 40)))
    assert found.top_share is None
    assert found.rms_cosine is None
    assert found.anisotropy.low is not None


def test_squared_offset_of_two_places(rng):
    """Two populations whose mean unit rows differ; the estimate is right on average."""
    east, north, found = np.array([2, 0, 0, 0]), np.array([0, 2, 0, 0]), []
    for _ in range(300):
        a, b = unit(rng.standard_normal((20, 4)) + east), unit(rng.standard_normal((20, 4)) + north)
        floor = (a @ b.T).mean()
        found.append(squared_offset(anisotropy_of(a), anisotropy_of(b), floor))
    many = unit(rng.standard_normal((400_000, 4)) + east).mean(axis=0)
    truth = ((many - many[[1, 0, 2, 3]]) ** 2).sum()
    assert abs(np.mean(found) - truth) < 4 * np.std(found) / 300**0.5


@pytest.mark.parametrize(
    ("largest", "median", "ratio", "reason"),
    [
        (6.0, 2.0, 3.0, ""),
        (None, None, None, "no row has a norm"),
        (1.0, 0.0, None, "the median norm is 0"),
        (np.inf, 1.0, None, "the largest norm is too large to write as a number"),
        (1e200, 1e-150, None, "too large to write as a number"),
        (1e154, 1e-154, 1e308, ""),
    ],
)
def test_norm_ratio_is_a_finite_number_or_says_why_not(largest, median, ratio, reason):
    found, why = norm_ratio(largest, median)
    assert found == (None if ratio is None else pytest.approx(ratio))
    assert why == reason
