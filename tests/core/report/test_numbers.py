"""How numbers are written: never a negative zero, never a wrong digit, never NaN."""

from __future__ import annotations

import pytest

from core.report.numbers import UNDEFINED, ascii_minus, count, fixed, percent, rounded


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.86359, 4, "0.8636"),
        (-0.01312, 4, "−0.0131"),
        (5.874, 2, "5.87"),
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (1.0, 4, "1.0000"),
        (-1e-17, 4, "0.0000"),
        (2.5e-7, 4, "2.5e−07"),
        (-2.5e-7, 4, "−2.5e−07"),
        (0.00005, 4, "0.0001"),
        (12345.678, 2, "12345.68"),
    ],
)
def test_fixed_decimals(value, decimals, written):
    assert fixed(value, decimals) == written


def test_an_undefined_number_is_a_word():
    assert fixed(None) == UNDEFINED == "undefined"
    assert rounded(None, 4) is None


@pytest.mark.parametrize(
    ("value", "expected"), [(-0.00001, "0.0"), (0.12345, "0.1235"), (-0.5, "-0.5"), (2.675, "2.675")]
)
def test_a_rounded_zero_carries_no_minus_sign(value, expected):
    assert repr(rounded(value, 4)) == expected


def test_counts_have_thousands_separators():
    assert count(1_234_567) == "1,234,567"
    assert count(999) == "999"


@pytest.mark.parametrize(
    ("share", "written"), [(0.7034, "70.3%"), (0.0025, "0.25%"), (0, "0.0%"), (1, "100.0%"), (0.01, "1.0%")]
)
def test_percentages(share, written):
    assert percent(share) == written


def test_copied_figures_carry_the_minus_sign_of_the_keyboard():
    assert ascii_minus("−0.0131 to −1") == "-0.0131 to -1"
