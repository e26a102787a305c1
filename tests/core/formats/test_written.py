import time

import numpy as np
import pytest

from core.formats.written import ShortenedError, is_number, is_vector, vector


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
