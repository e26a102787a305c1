"""What one file holds: norms, rows that cannot be used, duplicates; whatever the blocks."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import core
from core import limits
from core.errors import FormatError
from core.formats import read_array
from core.inspection import RowList, inspect
from core.rows import row_blocks
from tests.arrays import inspected, npy_bytes

NAN, INF = np.nan, np.inf


def test_norms_of_ordinary_rows(rng):
    rows = rng.standard_normal((51, 7)) * rng.uniform(0.1, 9, (51, 1))
    norms = np.linalg.norm(rows, axis=1)
    found = inspected(rows)
    assert_allclose(
        [found.norm_min, found.norm_median, found.norm_max], [norms.min(), np.median(norms), norms.max()], rtol=1e-14
    )


@pytest.mark.parametrize(
    ("rows", "norm"),
    [
        ([[3e200, 4e200]], 5e200),
        ([[3e-200, 4e-200]], 5e-200),
        ([[1.7e308, 1.7e308]], INF),
        (np.array([[60000, 60000]], dtype="f2"), 60000 * 2**0.5),
        (np.array([[-128, 0]], dtype="i1"), 128),
    ],
    ids=["huge", "tiny", "beyond float64", "float16", "int8"],
)
def test_norms_neither_overflow_nor_vanish(rows, norm):
    assert_allclose(inspected(rows).norm_max, norm, rtol=1e-3 if norm == 60000 * 2**0.5 else 1e-14)


def test_rows_without_a_cosine_are_listed_by_kind():
    rows = np.array([[1, 2], [NAN, 1], [INF, 1], [-INF, 1], [0, 0], [-0.0, 0], [NAN, INF], [1, 0]])
    found = inspected(rows)
    assert_array_equal(found.nan.rows, [1, 6])
    assert_array_equal(found.infinite.rows, [2, 3])
    assert_array_equal(found.zero.rows, [4, 5])
    assert_array_equal(found.unusable, [1, 2, 3, 4, 5, 6])


def test_norms_are_those_of_the_finite_rows_only():
    found = inspected(np.array([[NAN, 1], [3, 4], [INF, 0]]))
    assert (found.norm_min, found.norm_median, found.norm_max) == (5, 5, 5)


def test_a_file_of_nothing_but_nan_has_no_norms():
    found = inspected(np.full((4, 3), NAN))
    assert (found.norm_min, found.norm_median, found.norm_max) == (None, None, None)
    assert found.nan.count == 4


def test_signalling_nans_are_nans_and_nothing_is_said_on_stderr(recwarn):
    rows = np.array([[0x7F800001, 0], [0x3F800000, 0]], dtype="u4").view("f4")
    assert_array_equal(inspected(rows).nan.rows, [0])
    assert not recwarn.list


def test_duplicates_are_rows_bit_equal_to_an_earlier_one(rng):
    rows = rng.standard_normal((10, 4)).astype(np.float32)
    rows[4], rows[9], rows[7] = rows[1], rows[1], rows[2]
    rows[5] = 2 * rows[0]  # same direction, not a duplicate
    assert_array_equal(inspected(rows).repeats.rows, [4, 7, 9])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1"])
def test_rows_that_only_begin_alike_are_no_duplicates(rng, dtype):
    rows = (100 * rng.standard_normal((12, 40))).astype(dtype)
    rows[2:9, :39] = rows[1, :39]  # alike but for the last column
    rows[2:9, 39] = np.arange(7)
    rows[11] = rows[6]
    assert_array_equal(inspected(rows).repeats.rows, [11])


def test_duplicates_are_found_whatever_the_order_in_memory(rng):
    rows = np.asfortranarray(rng.standard_normal((10, 4)))
    rows[6] = rows[3]
    assert_array_equal(inspected(rows).repeats.rows, [6])


def test_subnormal_rows_are_imprecise():
    rows = np.array([[1.0, 1e-310], [1e-310, 3e-315], [0.0, 0.0], [2.3e-308, 0.0]])
    assert_array_equal(inspected(rows).imprecise.rows, [1])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([[0, 1], [2, 0]], True), ([[0, 1], [-1e-9, 0]], False), ([[NAN, 1], [2, 3]], True), ([[NAN, -1], [2, 3]], False)],
)
def test_whether_any_entry_is_negative(rows, expected):
    assert inspected(np.array(rows, dtype=float)).never_negative is expected


@pytest.mark.parametrize("elements", [1, 9, 10_000])
def test_facts_do_not_depend_on_blocks(rng, monkeypatch, elements):
    rows = rng.standard_normal((25, 3))
    rows[4, 1], rows[11, 2], rows[17], rows[20] = NAN, INF, 0, rows[2]
    monkeypatch.setattr("core.inspection.READY_BLOCK_ELEMENTS", elements)
    monkeypatch.setitem(row_blocks.__kwdefaults__, "elements", elements)
    found = inspected(rows)
    facts = [found.nan.rows, found.infinite.rows, found.zero.rows, found.repeats.rows]
    assert [list(fact) for fact in facts] == [[4], [11], [17], [20]]
    assert_allclose(found.norm_max, np.linalg.norm(np.delete(rows, [4, 11], axis=0), axis=1).max(), rtol=1e-14)


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
def test_an_array_without_numbers_is_refused(shape):
    with pytest.raises(FormatError, match=rf"x\.npy .*\({shape[0]}, {shape[1]}\)"):
        core.load(npy_bytes(np.empty(shape)), "x.npy")


def test_a_list_of_rows_names_the_first_five_and_counts_all():
    rows = RowList(rows=np.arange(10, 90, 10))
    assert rows.first == (10, 20, 30, 40, 50)
    assert rows.count == 8
    assert rows
    assert not RowList(rows=np.empty(0, dtype=np.intp))


def test_a_file_of_the_widest_rows_costs_no_more_than_blocks_of_ordinary_ones():
    loaded = read_array(npy_bytes(np.ones((3, limits.MAX_COLUMNS), np.float16)), "x.npy")
    tracemalloc.start()
    inspect(loaded)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16e6  # bytes; a row in float64 is 2 MB
