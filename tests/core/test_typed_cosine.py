"""What somebody types for a cosine: digits kept, other writings understood, the rest refused in a sentence."""

from __future__ import annotations

import pytest

from core.errors import SettingsError
from core.typed_cosine import decimals, read_cosine


@pytest.mark.parametrize(
    ("typed", "value", "text", "places"),
    [
        ("0.90", 0.9, "0.90", 2),
        (" 0,91 ", 0.91, "0.91", 2),
        ("1", 1.0, "1", 0),
        ("1.", 1.0, "1", 0),
        ("0", 0.0, "0", 0),
        ("-0", 0.0, "0", 0),
        ("+.5", 0.5, "0.5", 1),
        ("−0.20", -0.2, "-0.20", 2),
        ("1e-3", 0.001, "1e-3", 3),
        ("0e400", 0.0, "0e400", -400),
        ("0.99999999999999999", 1.0, "0.99999999999999999", 17),
    ],
)
def test_a_cosine_keeps_the_digits_it_was_typed_with(typed, value, text, places):
    found = read_cosine(typed)
    assert (found.value, found.text, decimals(found.text)) == (value, text, places)


@pytest.mark.parametrize(
    "typed",
    [
        *("1.2", "-1.5", "1e999", "1,000,0", "abc", "", " ", "nan", "inf", "0.9 0.8", "٠"),
        *("0e9999", "0" * 5_000, "0e" + "9" * 5_000, "1.0000000000000001", "-1.00000000000000000001"),
    ],
)
def test_what_is_no_cosine_is_refused_in_a_sentence_with_the_range(typed):
    with pytest.raises(SettingsError, match=r"is not a cosine; one .*between -1 and 1") as refused:
        read_cosine(typed)
    assert "0.91" in refused.value.remedy


def test_a_percentage_is_refused_as_one():
    with pytest.raises(SettingsError, match="91% is not a cosine") as refused:
        read_cosine("91%")
    assert "no percentage" in refused.value.remedy


def test_a_long_text_is_cut_in_the_message():
    with pytest.raises(SettingsError) as refused:
        read_cosine("x" * 10_000)
    assert len(str(refused.value)) < 100
