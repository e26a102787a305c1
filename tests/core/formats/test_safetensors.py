import numpy as np
import pytest
import safetensors
import safetensors.numpy

from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check, outcome
from tests.hostile import GOOD
from tests.hostile_tables import SAFETENSORS


@pytest.mark.parametrize("name", SAFETENSORS)
def test_each_file_of_the_corpus_gets_its_decision(name):
    check(name, SAFETENSORS[name])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i4", "i8"])
def test_every_type_reads_as_the_package_reads_it(dtype):
    """Oracle: the safetensors package, writing and reading."""
    data = safetensors.numpy.save({"x": (GOOD * 30).astype(dtype), "other": GOOD, "third": GOOD[0]})
    loaded = read_array(data, "a.safetensors", ReadChoices(key="x"))
    expected = safetensors.numpy.load(data)["x"]
    np.testing.assert_array_equal(loaded.array, expected)
    assert loaded.array.dtype == expected.dtype


def test_the_array_is_a_view_of_the_bytes():
    data = safetensors.numpy.save({"x": GOOD})
    assert np.shares_memory(read_array(data, "a.safetensors").array, np.frombuffer(data, np.uint8))


def test_what_the_package_refuses_is_refused_too():
    """Every byte of the header, changed: we never read what the package would not."""
    data = safetensors.numpy.save({"x": GOOD})
    length = int.from_bytes(data[:8], "little")
    refused = 0
    for place in range(8 + length):
        for value in (0x20, 0x22, 0x30, 0x31, 0x39, 0x5B, 0x7D):
            changed = data[:place] + bytes([value]) + data[place + 1 :]
            try:
                safetensors.deserialize(changed)
            except safetensors.SafetensorError:
                refused += 1
                assert outcome(changed, "a.safetensors")[0] == "refuse", changed[: 8 + length]
    assert refused > 200
