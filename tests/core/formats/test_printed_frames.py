"""Frames as pandas prints them, names with blanks around them, and files of big-ann-benchmarks."""

import struct

import numpy as np
import pytest

from core.errors import FormatError
from core.formats import ReadChoices, read_array


def printed(vectors):
    """`DataFrame.to_string()` with default names."""
    lines = ["   " + " ".join(f"{at:>9}" for at in range(vectors.shape[1]))]
    lines += [f"{row:<3}" + " ".join(f"{value:>9.5f}" for value in one) for row, one in enumerate(vectors)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("shape", [(30, 6), (5, 2), (40, 12), (300, 3)])
def test_a_printed_frame_without_names_is_read_without_its_index(shape, rng):
    vectors = rng.normal(size=shape).round(5)
    np.testing.assert_array_equal(read_array(printed(vectors), "x.txt").array, vectors)


@pytest.mark.parametrize("wanted", ["d0 ,d1", " d0, d1 ", "d0,d1", "d0 , d1"])
def test_blanks_around_a_chosen_name_are_no_part_of_it(wanted):
    loaded = read_array(b"d0,d1,x\n0.5,0.25,3.5\n1.5,2.5,0.5\n", "x.csv", ReadChoices(columns=wanted))
    np.testing.assert_array_equal(loaded.array, [[0.5, 0.25], [1.5, 2.5]])


@pytest.mark.parametrize(("ending", "stored"), [("u8bin", "uint8"), ("i8bin", "int8"), ("fbin", "float32")])
def test_a_file_of_big_ann_benchmarks_is_named_with_its_type(ending, stored, tmp_path, monkeypatch):
    vectors = np.arange(12).reshape(3, 4).astype(stored)
    held = struct.pack("<2I", 3, 4) + vectors.tobytes()
    with pytest.raises(FormatError, match=rf"\.{ending}, {stored}") as caught:
        read_array(held, f"x.{ending}")
    assert f"'{stored}', offset=8" in caught.value.remedy
    assert f"old.{ending}" in caught.value.remedy
