"""Rows equal up to scale count as one row wherever duplicates matter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.report import document, to_markdown
from core.same_direction import direction_kinds, repeated
from tests.arrays import audited, inspected, related_pair


def line(found, code):
    return next(one for one in found.distortions if one.code == code)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("factor", [1, 2, 3, 0.1, 1e-30])
@pytest.mark.parametrize("dim", [8, 40])
def test_a_row_times_a_number_has_its_direction(rng, dtype, factor, dim):
    rows = rng.standard_normal((200, dim)).astype(dtype)
    order = rng.permutation(200)
    both = np.concatenate([rows, (rows * dtype(factor))[order]])
    assert_array_equal(direction_kinds(both), np.concatenate([np.arange(200), order]))


@pytest.mark.parametrize("dtype", ["f2", "i2", "u1"])
def test_twice_a_row_is_exact_in_any_type(rng, dtype):
    rows = rng.permutation(np.arange(60 * 12).reshape(60, 12) % 97 + 1).astype(dtype)
    assert repeated(direction_kinds(rows)) == 0
    assert_array_equal(direction_kinds(np.concatenate([rows, 2 * rows]))[60:], np.arange(60))


def test_a_negated_row_and_a_neighbour_are_other_rows(rng):
    rows = rng.standard_normal((100, 16))
    near = rows + 1e-9 * rng.standard_normal(rows.shape)
    assert repeated(direction_kinds(np.concatenate([rows, -rows, near]))) == 0


def test_texts_that_differ_a_little_are_other_rows_in_float32(rng):
    rows = rng.standard_normal((500, 64)).astype(np.float32)
    near = (rows + 1e-5 * rng.standard_normal(rows.shape)).astype(np.float32)
    assert repeated(direction_kinds(np.concatenate([rows, near]))) == 0


def test_a_zero_of_either_sign_is_one_number():
    rows = np.array([[0.0, 1, 2], [-0.0, 1, 2], [0, 2, 4], [1, 0, 0]])
    assert_array_equal(direction_kinds(rows), [0, 0, 0, 3])


def test_rows_that_begin_with_zeros_or_alike_are_told_by_the_rest(rng):
    rows = np.zeros((300, 50))
    rows[:, 40:] = rng.standard_normal((300, 10))
    rows[150:, :20] = np.arange(20)
    rows[7], rows[200], rows[299] = 3 * rows[100], 7 * rows[160], rows[7]
    kinds = direction_kinds(rows)
    assert np.flatnonzero(kinds != np.arange(300)).tolist() == [100, 200, 299]
    assert kinds[[100, 200, 299]].tolist() == [7, 160, 7]


def test_one_column_has_values_and_two_have_angles(rng):
    assert_array_equal(direction_kinds(np.array([[1.0], [2], [1]])), [0, 1, 0])
    angles = rng.uniform(0, 2 * np.pi, 20_000)
    rows = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    assert repeated(direction_kinds(rows)) == len(rows) - len(np.unique(rows, axis=0))


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_a_file_and_its_multiple_propose_groups(rng, factor):
    a, b = related_pair(rng, n=50, dim=12)
    found = audited(np.r_[a, factor * a], np.r_[b, b])
    assert found.proposed_groups.count == 50
    assert found.proposed_groups.n_pairs == 100
    assert found.side_a.n_same_direction == 50
    assert found.side_a.n_duplicates == (50 if factor == 1 else 0)
    assert line(found, "groups_proposed").fired
    assert line(found, "duplicate_rows").fired
    words = to_markdown(document(found))
    assert "100 pairs share a row with another, whatever its length" in words
    assert "No two pairs share a row" not in words


def test_files_without_duplicates_say_so(rng):
    found = audited(*related_pair(rng))
    assert found.proposed_groups is None
    assert not line(found, "duplicate_rows").fired
    assert found.side_a.n_same_direction == 0


def test_an_order_of_rows_equal_up_to_scale_is_one_of_several(rng):
    a, b = related_pair(rng, n=120, dim=24, noise=0.2)
    a, b = np.r_[a, 2 * a], np.r_[b, 3 * b]
    found = audited(a, b[rng.permutation(240)])
    assert found.pairing.kind == "permuted"
    assert (found.pairing.repeated_a, found.pairing.repeated_b) == (240, 240)


def test_rows_that_are_no_numbers_are_no_duplicates(rng):
    rows = rng.standard_normal((12, 4))
    rows[[1, 2]], rows[[3, 4]], rows[[5, 6]] = np.nan, np.inf, 0
    rows[9] = rows[8]
    assert inspected(rows).repeats.rows.tolist() == [9]
    rows[9] = 1
    notices = audited(rows, rng.standard_normal((12, 4)), drop_bad_rows=True).notices
    assert "duplicate_rows" not in {notice.code for notice in notices}
