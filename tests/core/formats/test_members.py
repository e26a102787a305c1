"""A member that cannot be read beside one that can: the vectors may be in either."""

import io
import struct
import zipfile

import numpy as np
import pytest
import safetensors.numpy

from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.hostile import GOOD, npy, zipped
from tests.hostile_tables import raw_safetensors

COORDS = GOOD[:, :2].astype("float64")
RECORDS = np.zeros(len(GOOD), dtype=[("id", "i4"), ("emb", "f4", (5,))])


def changed(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + bytes([value]) + data[place + 1 :]


def expanding() -> bytes:
    """One-hot rows, which unpack to more than 200 times their bytes, beside coordinates that do not."""
    one_hot = np.zeros((24_000, 768), "float32")
    one_hot[np.arange(24_000), np.arange(24_000) % 768] = 1
    out = io.BytesIO()
    np.savez_compressed(out, emb=one_hot, coords=np.random.default_rng(5).standard_normal((24_000, 2)))
    return out.getvalue()


def damaged() -> bytes:
    """The first compressed bytes of a member turned over."""
    archive = bytearray(zipped(emb=npy(GOOD), coords=npy(COORDS)))
    start = 30 + len("emb.npy")
    archive[start : start + 40] = bytes(byte ^ 0xFF for byte in archive[start : start + 40])
    return bytes(archive)


def tensors(dtype: str, size: int) -> bytes:
    """Both tensors as the format stores them, `emb` in a type the package for numpy does not write."""
    rows, end = len(GOOD), len(GOOD) * 5 * size
    head = (
        f'{{"emb":{{"dtype":"{dtype}","shape":[{rows},5],"data_offsets":[0,{end}]}},'
        f'"coords":{{"dtype":"F64","shape":[{rows},2],"data_offsets":[{end},{end + 16 * rows}]}}}}'
    )
    return raw_safetensors(head, bytes(end) + COORDS.tobytes())


def archive_of(emb: np.ndarray) -> bytes:
    return zipped(emb=npy(emb), coords=npy(COORDS))


def one_bzip2() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("emb.npy", npy(GOOD), zipfile.ZIP_BZIP2)
        archive.writestr("coords.npy", npy(COORDS))
    return out.getvalue()


UNREADABLE = {
    "expands.npz": (expanding, "expands from"),
    "damaged.npz": (damaged, "cannot be unpacked"),
    "bool.npz": (lambda: archive_of(GOOD > 0), "bool"),
    "complex.npz": (lambda: archive_of(GOOD + 1j), "complex"),
    "datetime.npz": (lambda: archive_of((GOOD * 9).astype("M8[s]")), "dates"),
    "text.npz": (lambda: archive_of(GOOD.astype("U")), "text"),
    "records.npz": (lambda: archive_of(RECORDS), "records"),
    "version_4.npz": (lambda: zipped(emb=changed(npy(GOOD), 6, 4), coords=npy(COORDS)), "version 4.0"),
    "broken_header.npz": (lambda: zipped(emb=changed(npy(GOOD), 10, 63), coords=npy(COORDS)), "header"),
    "bzip2.npz": (one_bzip2, "bzip2"),
    "bool.safetensors": (lambda: tensors("BOOL", 1), "BOOL"),
    "float8.safetensors": (lambda: tensors("F8_E4M3", 1), "float8"),
    "complex.safetensors": (lambda: tensors("C64", 8), "complex"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_matrix_that_cannot_be_read_beside_one_that_can_is_asked_about(name):
    build, reason = UNREADABLE[name]
    data = build()
    with pytest.raises(ChoiceNeeded, match=r"holds 2 arrays") as question:
        read_array(data, name)
    assert question.value.choice == "key"
    assert question.value.options == ("coords", "emb")
    assert "emb cannot be read: it " in str(question.value)
    assert reason in str(question.value)
    assert read_array(data, name, ReadChoices(key="coords")).shape[1] == 2
    with pytest.raises((FormatError, LimitError), match=reason):
        read_array(data, name, ReadChoices(key="emb"))


def test_of_several_that_can_be_read_the_one_that_cannot_is_offered_too():
    data = zipped(image=npy(GOOD), text=npy(GOOD), emb=npy(GOOD > 0))
    with pytest.raises(ChoiceNeeded, match="holds 3 arrays") as question:
        read_array(data, "a.npz")
    assert question.value.options == ("image", "text", "emb")


def test_of_many_that_cannot_be_read_the_first_are_explained():
    data = zipped(x=npy(GOOD), **{f"bool_{place}": npy(GOOD > 0) for place in range(7)})
    with pytest.raises(ChoiceNeeded) as question:
        read_array(data, "a.npz")
    assert str(question.value).count("cannot be read: it holds bool") == 4
    assert str(question.value).endswith("Nor can 3 more")


@pytest.mark.parametrize(
    "beside",
    [
        npy(np.array([["a", 1]] * len(GOOD), dtype=object)),  # objects of two columns
        npy(np.array("a remark", dtype=object)),
        npy(GOOD[:, 0] > 0),  # a mask of the rows
        npy((GOOD > 0)[:, :1]),
        npy(np.array([["a"]] * len(GOOD))),
        npy(np.array(["a"] * len(GOOD))),
        npy(np.datetime64("2026-01-01")),
        b"made by hand",  # a vendor's remark
    ],
    ids=["objects", "object", "mask", "column", "text_column", "text", "date", "remark"],
)
def test_what_cannot_be_the_vectors_troubles_nobody(beside):
    np.testing.assert_array_equal(read_array(zipped(x=npy(GOOD), y=beside), "a.npz").array, GOOD)


def test_a_mask_beside_a_tensor_troubles_nobody():
    data = safetensors.numpy.save({"x": GOOD, "keep": GOOD[:, 0] > 0})
    np.testing.assert_array_equal(read_array(data, "a.safetensors").array, GOOD)


def test_the_one_matrix_that_cannot_be_read_beside_ids_is_refused_in_its_own_words():
    with pytest.raises(FormatError, match=r"member emb\) holds bool"):
        read_array(zipped(emb=npy(GOOD > 0), ids=npy(np.arange(len(GOOD)))), "a.npz")


def test_a_header_cut_short_hides_no_member_of_as_many_bytes():
    header = b"\x93NUMPY\x01\x00" + struct.pack("<H", 60_000) + bytes(400)
    with pytest.raises(ChoiceNeeded, match="emb cannot be read: it ends inside its header"):
        read_array(zipped(emb=header, coords=npy(COORDS)), "a.npz")
