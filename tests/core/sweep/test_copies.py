"""Equal rows are found by value, whatever they begin with."""

import numpy as np
import pytest

from core.sweep.copies import copies_of


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def found_in(stored, numbers=None):
    numbers = np.arange(len(stored)) if numbers is None else np.asarray(numbers)
    return copies_of(stored[numbers].astype(np.float32), stored, numbers)


def slowly(rows):
    """First and second equal row of each, by comparing all with all."""
    equal = [[j for j, other in enumerate(rows) if np.array_equal(row, other)] for row in rows]
    return [same[0] for same in equal], [same[1] if len(same) > 1 else -1 for same in equal]


def test_first_and_second_of_equal_rows(rng):
    rows = rng.standard_normal((12, 5))[rng.integers(0, 12, 60)]
    found = found_in(rows)
    assert (found.first.tolist(), found.second.tolist()) == slowly(rows)


def test_rows_that_only_begin_alike_are_not_equal(rng):
    rows = np.c_[np.ones((40, 2)), rng.integers(0, 2, (40, 4))]
    found = found_in(rows)
    assert (found.first.tolist(), found.second.tolist()) == slowly(rows)


def test_rows_equal_in_float32_alone_are_not_equal(rng):
    rows = np.repeat(rng.standard_normal((1, 6)), 3, axis=0)
    rows[1] += 1e-12
    found = found_in(rows)
    assert found.first.tolist() == [0, 1, 0]
    assert found.second.tolist() == [2, -1, 2]


def test_places_are_those_of_the_rows_that_were_taken(rng):
    rows = rng.standard_normal((6, 3))
    rows[4] = rows[1]
    found = found_in(rows, [1, 3, 4])
    assert found.first.tolist() == [0, 1, 0]
    assert found.own(np.array([2, -1, 1])).tolist() == [0, -1, 1]


def test_a_single_column_and_a_minus_sign_of_zero():
    rows = np.array([[0.0], [-0.0], [1.0]])
    assert found_in(rows).first.tolist() == [0, 0, 2]
