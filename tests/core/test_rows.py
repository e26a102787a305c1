"""Unit rows, their means and centring: against extended precision, at the edges of float64."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.rows import NO_LENGTH, UnitRows, centre, row_blocks, unit_rows
from tests.oracle import unit

EPS = np.finfo(np.float64).eps


def in_blocks_of(monkeypatch, elements):
    """Make the core cut rows into other blocks than it usually would."""
    monkeypatch.setitem(row_blocks.__kwdefaults__, "elements", elements)
    monkeypatch.setattr("core.rows.READY_BLOCK_ELEMENTS", elements)


def test_unit_rows_against_extended_precision(rng):
    rows = rng.standard_normal((50, 33)) * 10.0 ** rng.uniform(-5, 5, (50, 1))
    assert_allclose(unit_rows(rows), unit(rows, np.longdouble).astype(float), rtol=4 * EPS)


def test_ordinary_rows_are_not_touched_by_the_scaling(rng):
    """A power of two changes no bit, so plain x / |x| comes out to the last digit."""
    rows = rng.standard_normal((50, 33)) * 7.3
    plain = rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    assert_array_equal(unit_rows(rows), plain)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([1.7e308, 1.7e308], [0.5**0.5, 0.5**0.5]),
        ([3e-320, 4e-320], [0.6, 0.8]),
        ([5e-324, 0.0], [1.0, 0.0]),
        ([0.0, -5e-324], [0.0, -1.0]),
        ([1e200, 1e-200], [1.0, 0.0]),
        ([-3e-13, 4e-13], [-0.6, 0.8]),
    ],
    ids=["largest", "subnormal", "smallest", "smallest negative", "mixed", "below 1e-12"],
)
def test_every_finite_row_that_is_not_zero_has_a_direction(row, expected):
    assert_allclose(unit_rows(np.array([row])), [expected], rtol=1e-3 if abs(row[0]) == 3e-320 else 4 * EPS)


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", ">f8", "i1", "u1", ">i4", "u8"])
def test_any_stored_type_gives_the_directions_of_its_numbers(rng, dtype):
    rows = (rng.uniform(1, 100, (20, 5))).astype(dtype)
    assert_allclose(unit_rows(rows), unit(rows), rtol=4 * EPS)


@pytest.mark.parametrize(("dtype", "value"), [("i1", -128), ("i8", -(2**63)), ("u8", 2**64 - 1), ("f2", 65504)])
def test_the_extreme_of_a_type_does_not_overflow(dtype, value):
    rows = np.array([[value, 0], [value, value]], dtype=dtype)
    sign = np.sign(float(value))
    assert_allclose(unit_rows(rows), [[sign, 0], [sign * 0.5**0.5, sign * 0.5**0.5]], rtol=4 * EPS)


def test_the_order_in_memory_does_not_matter(rng):
    rows = rng.standard_normal((30, 7))
    assert_array_equal(unit_rows(np.asfortranarray(rows)), unit_rows(rows))
    assert_array_equal(unit_rows(np.repeat(rows, 2, axis=0)[::2]), unit_rows(rows))


def test_the_stored_rows_stay_as_they_are(rng):
    rows = rng.standard_normal((5, 3))
    before = rows.copy()
    rows.flags.writeable = False
    unit_rows(rows)
    assert_array_equal(rows, before)


def test_centring_against_the_definition(rng):
    units = unit(rng.standard_normal((30, 6)) + 1)
    mean = units.mean(axis=0)

    centred, lost = centre(units, mean)

    assert_allclose(centred, unit(units - mean), rtol=1e-13)
    assert not lost.any()


def test_a_row_that_equals_the_mean_has_no_direction_left(rng):
    units = unit(rng.standard_normal((4, 6)))

    centred, lost = centre(units, units[2])

    assert_array_equal(lost, [False, False, True, False])
    assert_array_equal(centred[2], 0)


def test_a_small_but_real_difference_from_the_mean_is_a_direction():
    units = np.array([[1.0, 0.0], [1.0, 1e-12]])
    centred, lost = centre(units, np.array([1.0, 0.0]))
    assert_array_equal(lost, [True, False])
    assert_array_equal(centred[1], [0.0, 1.0])


def test_rounding_is_no_direction():
    """Unit rows of the same direction differ by an ulp or so when their lengths do."""
    units = np.array([[1.0, 0.0], [1.0 - EPS, 2 * EPS]])
    assert 2 * EPS < NO_LENGTH
    assert centre(units, np.array([1.0, 0.0]))[1].all()


@pytest.mark.parametrize("elements", [1, 10, 24, 1_000])
def test_blocks_cover_every_row_once_and_in_order(elements):
    covered = [i for block in row_blocks(23, 8, elements=elements) for i in range(23)[block]]
    assert covered == list(range(23))


def test_rows_are_made_on_demand_by_slice_or_by_number(rng):
    stored = rng.standard_normal((12, 4)).astype(np.float32)
    whole = unit(stored)
    assert_allclose(UnitRows(stored)[3:7], whole[3:7], rtol=4 * EPS)
    order = np.array([5, 0, 11])
    assert_allclose(UnitRows(stored)[order], whole[order], rtol=4 * EPS)


def test_centred_rows_on_demand(rng):
    stored = rng.standard_normal((12, 4)) + 1
    mean = unit(stored).mean(axis=0)
    assert_allclose(UnitRows(stored, mean)[2:9], unit(unit(stored) - mean)[2:9], rtol=1e-13)


@pytest.mark.parametrize("elements", [1, 20, 10_000])
def test_the_mean_row_does_not_depend_on_blocks(rng, monkeypatch, elements):
    stored = rng.standard_normal((50, 4)) + 2
    in_blocks_of(monkeypatch, elements)

    mean = UnitRows(stored).mean_row()

    assert_allclose(mean.mean, unit(stored, np.longdouble).mean(axis=0).astype(float), rtol=1e-14)
    assert mean.n_rows == 50
    assert_allclose(mean.total, unit(stored).sum(axis=0), rtol=1e-14)


def test_the_mean_of_equal_rows_is_exactly_that_row(rng):
    """Only then does centring see that nothing is left of them."""
    stored = np.tile(rng.standard_normal(300), (97, 1))
    assert_array_equal(UnitRows(stored).mean_row().mean, unit_rows(stored[:1])[0])


def test_a_mean_of_many_float32_rows_keeps_float64_precision(rng):
    stored = (rng.standard_normal((100_000, 3)) + 3).astype(np.float32)
    exact = unit(stored, np.longdouble).mean(axis=0).astype(float)
    assert_allclose(UnitRows(stored).mean_row().mean, exact, rtol=1e-13)


@pytest.mark.parametrize("elements", [3, 10_000])
def test_lost_rows_are_numbered_in_the_file_not_in_the_block(rng, monkeypatch, elements):
    stored = rng.standard_normal((20, 3))
    stored[[4, 13]] = [1.0, 2.0, 2.0]
    in_blocks_of(monkeypatch, elements)
    assert_array_equal(UnitRows(stored, np.array([1.0, 2.0, 2.0]) / 3).lost(), [4, 13])


def test_the_raw_reading_loses_no_row(rng):
    assert len(UnitRows(rng.standard_normal((5, 3))).lost()) == 0
