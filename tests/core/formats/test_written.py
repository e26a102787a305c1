import time

import numpy as np
import pytest

from core.formats.written import CommaError, ShortenedError, is_number, is_vector, vector


@pytest.mark.parametrize(
    "cell",
    ["[1, 2.5, -3e2]", "[1 2.5 -3e2]", "[ 1.\n 2.5 -300.]", "(1, 2.5, -300)", "{1,2.5,-300}", "[[1, 2.5, -300]]",
     "array([1, 2.5, -300])", "array([1, 2.5, -300],\n      dtype=float32)", "np.array([1, 2.5, -300])",
     "tensor([1, 2.5, -300], device='cuda:0')", "[np.float32(1.0), np.float32(2.5), np.float32(-300.0)]"],
)  # fmt: skip
def test_every_way_a_vector_is_written_reads_the_same(cell):
    assert is_vector(cell)
    assert vector(cell) == [1.0, 2.5, -300.0]


@pytest.mark.parametrize("cell", ["[1, x]", "[1, 2", "1, 2]", "[[1], [2]]", "[1_0]", "text", "", "[1] and [2]"])
def test_anything_else_is_no_vector(cell):
    with pytest.raises(ValueError):  # noqa: PT011 - the words are float's own
        vector(cell)


@pytest.mark.parametrize(
    "cell",
    ["[0,3456, -0,8216]", "[0,3456 -0,8216]", "[0,3456; -0,8216]", "[0,3456,-0,8216]", "(12,5,1,0821)",
     "[1,5e-05, 0,2]", "[0,3456, nan, 1,25]", "[1, 0,25]", "array([0,5,\n 0,25])"],
)  # fmt: skip
def test_decimal_commas_in_a_vector_are_no_more_numbers(cell):
    with pytest.raises(CommaError):
        vector(cell)


@pytest.mark.parametrize(
    ("cell", "numbers"),
    [
        ("[1, 2, 3]", [1, 2, 3]),
        ("[1,2,3,4]", [1, 2, 3, 4]),
        ("[1,2]", [1, 2]),
        ("[0,10,-3,0]", [0, 10, -3, 0]),
        ("[-0, 10, 3, 1]", [0, 10, 3, 1]),
        ("[1,2,3,\n4,5,6]", [1, 2, 3, 4, 5, 6]),
        ("[0.5,1, 2]", [0.5, 1, 2]),
    ],
)
def test_commas_between_whole_numbers_stay_between_them(cell, numbers):
    assert vector(cell) == numbers


def test_a_shortened_vector_is_told_apart():
    with np.printoptions(threshold=10), pytest.raises(ShortenedError):
        vector(str(np.arange(2000.0)))


@pytest.mark.parametrize("cell", ["1", "-1.5e-3", " 2 ", "nan", "inf"])
def test_numbers_are_numbers(cell):
    assert is_number(cell)


@pytest.mark.parametrize("cell", ["1_0", "", "0x10", "1,5", "a"])
def test_what_only_python_takes_is_none(cell):
    assert not is_number(cell)


@pytest.mark.parametrize("cell", ["[" + " " * 400_000, " " * 400_000, "[" * 400_000, "np.float32(" * 30_000])
def test_no_cell_makes_the_match_slow(cell):
    start = time.perf_counter()
    with pytest.raises(ValueError):  # noqa: PT011 - the words are float's own
        vector(cell)
    assert time.perf_counter() - start < 1
