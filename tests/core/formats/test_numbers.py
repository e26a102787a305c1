import numpy as np
import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats import ReadChoices, read_array
from core.formats.numbers import bfloat16_numbers, unpacked_bits
from tests.core.formats.verdicts import check
from tests.hostile import BF16, CODES, DTYPE, GOOD, PACKED, bfloat16_bits, npy


@pytest.mark.parametrize("name", DTYPE)
def test_each_type_of_the_corpus_gets_its_decision(name):
    check(name, DTYPE[name])


@pytest.mark.parametrize("stored", ["V2", "<u2", ">u2", "<i2"])
def test_bfloat16_patterns_become_the_numbers_they_stand_for_when_chosen(stored):
    bits = bfloat16_bits(GOOD)
    bits = bits.view(stored) if stored != ">u2" else bits.astype(">u2")
    loaded = read_array(npy(bits), "a.npy", ReadChoices(read_as="bfloat16"))
    np.testing.assert_array_equal(loaded.array, BF16)
    assert loaded.dtype == "bfloat16"
    assert "as chosen" in loaded.words[0].text


def test_bfloat16_by_its_definition():
    """Sign, eight bits of exponent, seven of fraction, worked by hand."""
    bits = np.array([0x3F80, 0xC000, 0x3F40, 0x0000, 0x7F80, 0x4049], dtype="<u2")
    np.testing.assert_array_equal(bfloat16_numbers(bits), [1.0, -2.0, 0.75, 0.0, np.inf, 3.140625])


def test_uint16_reads_as_numbers_when_chosen():
    loaded = read_array(npy(bfloat16_bits(GOOD)), "a.npy", ReadChoices(read_as="numbers"))
    np.testing.assert_array_equal(loaded.array, bfloat16_bits(GOOD))
    assert loaded.dtype == "uint16"


def test_uint16_offers_both_readings_by_their_names():
    with pytest.raises(ChoiceNeeded) as question:
        read_array(npy(bfloat16_bits(GOOD)), "a.npy")
    assert question.value.choice == "read_as"
    assert question.value.options == ("bfloat16", "numbers")


def test_packed_bits_unpack_to_signs():
    """Oracle: numpy.packbits, forwards."""
    packed = np.packbits(GOOD.repeat(8, axis=1) > 0, axis=1)
    loaded = read_array(npy(packed), "a.npy", ReadChoices(read_as="packed-bits"))
    np.testing.assert_array_equal(loaded.array, np.where(GOOD.repeat(8, axis=1) > 0, 1, -1))


def test_signed_packed_bits_are_the_same_bits_less_128():
    packed = np.packbits(GOOD.repeat(8, axis=1) > 0, axis=1)
    signed = (packed.astype("i2") - 128).astype("i1")
    np.testing.assert_array_equal(unpacked_bits(signed), unpacked_bits(packed))


def test_a_notice_asks_about_packed_bits_only_when_every_byte_value_is_in_use():
    asked = [word.code for word in read_array(npy(PACKED), "a.npy").words]
    some = np.minimum(PACKED, 254)
    assert "maybe_packed_bits" in asked
    assert [word.code for word in read_array(npy(some), "a.npy").words] == ["integer_codes"]


def test_bell_shaped_codes_that_reach_both_ends_are_not_taken_for_packed_bits():
    spread = np.random.default_rng(3).standard_normal((4000, 96))
    codes = (np.clip(spread / 3, -1, 1) * 127.5 - 0.5).round().astype("i1")
    assert len(np.unique(codes)) == 256
    assert [word.code for word in read_array(npy(codes), "a.npy").words] == ["integer_codes"]
    packed = np.packbits(spread > 0.2, axis=1)
    assert "maybe_packed_bits" in [word.code for word in read_array(npy(packed), "a.npy").words]


@pytest.mark.parametrize(("array", "read_as"), [(GOOD, "bfloat16"), (GOOD, "packed-bits"), (CODES, "bfloat16")])
def test_a_reading_that_does_not_fit_is_refused_and_not_ignored(array, read_as):
    with pytest.raises(FormatError, match=f"cannot be read as {read_as}"):
        read_array(npy(array), "a.npy", ReadChoices(read_as=read_as))


def test_an_unknown_reading_is_refused_with_the_known_ones():
    with pytest.raises(FormatError) as caught:
        read_array(npy(GOOD), "a.npy", ReadChoices(read_as="float8"))
    assert "bfloat16, packed-bits, numbers" in caught.value.remedy
