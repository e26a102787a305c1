import numpy as np
import pytest

from core.errors import FormatError
from core.formats.declared import stored_type


@pytest.mark.parametrize("descr", ["<f4", ">f8", "|i1", "|u1", "<f2", "=f4", "f4", ">i8", "<u2", "|V2"])
def test_types_of_numbers_are_numpys_own(descr):
    assert stored_type(descr, "a.npy") == np.dtype(descr)


@pytest.mark.parametrize("descr", ["O", "|O", "<M8[ns]", "f", "<f4,<f4", "(2,)f4", "V8", "f3", "", "float32", "é"])
def test_no_other_type_reaches_numpy(descr, monkeypatch):
    monkeypatch.setattr("core.formats.declared.np.dtype", lambda _: pytest.fail("numpy parsed it"))
    with pytest.raises(FormatError, match=r"^a\.npy holds"):
        stored_type(descr, "a.npy")


def test_the_advice_on_objects_never_is_to_load_them():
    with pytest.raises(FormatError) as caught:
        stored_type("|O", "a.npy")
    assert "allow_pickle" not in caught.value.sentence
    assert "never loaded" in str(caught.value)
