import mmap

import numpy as np
import pytest

from core import limits
from core.errors import FormatError
from core.formats import read_array
from core.formats.npy import read_header
from tests.core.formats.verdicts import check
from tests.hostile import GOOD, NPY, described, header, npy


@pytest.mark.parametrize("name", NPY)
def test_each_npy_of_the_corpus_gets_its_decision(name):
    check(name, NPY[name])


def test_an_array_is_a_view_of_the_uploaded_bytes():
    data = npy(GOOD)
    array = read_array(data, "a.npy").array
    assert np.shares_memory(array, np.frombuffer(data, np.uint8))
    assert not array.flags.writeable


def test_a_path_is_mapped_and_not_read(tmp_path):
    path = tmp_path / "a.npy"
    path.write_bytes(npy(GOOD))
    array = read_array(path, path.name).array
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base.obj, mmap.mmap)
    np.testing.assert_array_equal(array, GOOD)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "i1", ">i4", "<u8"])
def test_every_type_reads_as_numpy_reads_it(dtype, order, tmp_path):
    """Oracle: numpy.load, from a file numpy wrote."""
    path = tmp_path / "a.npy"
    np.save(path, np.asarray(GOOD * 50, dtype=dtype, order=order))
    loaded = read_array(path, path.name)
    expected = np.load(path, allow_pickle=False)
    np.testing.assert_array_equal(loaded.array, expected)
    assert loaded.array.dtype == expected.dtype
    assert loaded.dtype == np.dtype(dtype).name


def test_the_header_is_refused_before_anything_of_the_claimed_size_exists(monkeypatch):
    def no_array(*args, **kwargs):
        raise AssertionError("an array was made")

    monkeypatch.setattr(np, "frombuffer", no_array)
    monkeypatch.setattr(np, "empty", no_array)
    with pytest.raises(FormatError, match="4,000,000,000,000 bytes"):
        read_array(header(described(shape="(1000000, 1000000)"), bytes(99)), "a.npy")


def test_a_header_just_under_the_limit_is_read_and_one_byte_more_is_not():
    text = described()
    room = limits.MAX_NPY_HEADER_BYTES - len(text)
    sound = header(text + " " * room, GOOD.tobytes(), version=2)
    assert read_header(memoryview(sound), "a.npy").shape == GOOD.shape
    long = header(text + " " * (room + 1), GOOD.tobytes(), version=2)
    with pytest.raises(FormatError, match="65,536 bytes"):
        read_header(memoryview(long), "a.npy")
