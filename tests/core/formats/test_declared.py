import numpy as np
import pytest

from core.errors import FormatError
from core.formats.declared import stored_type


@pytest.mark.parametrize("descr", ["<f4", ">f8", "|i1", "|u1", "<f2", "=f4", "f4", ">i8", "<u2", "|V2"])
def test_types_of_numbers_are_numpys_own(descr):
    assert stored_type(descr, "a.npy") == np.dtype(descr)


@pytest.mark.parametrize(
    "descr",
    ["float16", "float32", "float64", "int8", "uint64", "half", "single", "double", *"efdbBhHiIqQ", ">f", "<d"],
)
def test_types_may_be_spelled_as_numpy_reads_them(descr):
    assert stored_type(descr, "a.npy") == np.dtype(descr)


@pytest.mark.parametrize("descr", ["O", "|O", "<M8[ns]", "l", "<f4,<f4", "(2,)f4", "V8", "f3", "", "float128", "é"])
def test_no_other_type_reaches_numpy(descr, monkeypatch):
    monkeypatch.setattr("core.formats.declared.np.dtype", lambda _: pytest.fail("numpy parsed it"))
    with pytest.raises(FormatError, match=r"^a\.npy holds"):
        stored_type(descr, "a.npy")


def test_the_advice_on_objects_never_is_to_load_them():
    with pytest.raises(FormatError) as caught:
        stored_type("|O", "a.npy")
    assert "allow_pickle" not in caught.value.sentence
    assert "never loaded" in str(caught.value)


def test_bfloat16_by_its_name_is_two_bytes_to_be_asked_about():
    assert stored_type("bfloat16", "a.npy") == np.dtype("V2")


@pytest.mark.parametrize("descr", ["bfloat32", "float8_e4m3fn", "uint4", "complex_int"])
def test_an_unknown_type_is_refused_by_its_name(descr):
    with pytest.raises(FormatError, match=descr):
        stored_type(descr, "a.npy")


@pytest.mark.parametrize(("descr", "word"), [("bool", "true/false"), ("object", "pickle"), ("[", "structured")])
def test_a_known_type_in_full_is_refused_as_what_it_is(descr, word):
    with pytest.raises(FormatError, match=word):
        stored_type(descr, "a.npy")
