"""How numbers are written: never a negative zero, never a wrong digit, never NaN."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.numbers import UNDEFINED, ascii_minus, count, duration, fixed, percent, rounded


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


@pytest.mark.parametrize(
    ("hits", "n", "written"),
    [
        (285, 400, "71.3%"),  # 71.25: as a float its half goes to the even digit below
        (57, 80, "71.3%"),
        (1, 800, "0.13%"),  # 0.125
        (9996, 10_000, "99.96%"),
        (99_999, 100_000, "over 99.99%"),
        (1, 1_000_000, "under 0.01%"),
        (3, 3, "100.0%"),
    ],
)
def test_a_share_of_counts_says_what_the_counts_say(hits, n, written):
    assert percent(hits / n) == written


@given(n=st.integers(1, 2000), data=st.data())
def test_a_share_of_counts_is_rounded_as_its_fraction_with_halves_up(n, data):
    hits = data.draw(st.integers(0, n))
    share = Fraction(hits, n)
    places = 2 if 0 < share < Fraction(1, 100) or Fraction(9995, 10_000) <= share < 1 else 1
    assert percent(hits / n) == f"{math.floor(share * 100 * 10**places + Fraction(1, 2)) / 10**places:.{places}f}%"


def test_a_sum_that_ends_a_rounding_error_off_is_still_all_or_none():
    assert percent(1 - 1e-15) == "100.0%"
    assert percent(1e-16) == "0.0%"


def test_copied_figures_carry_the_minus_sign_of_the_keyboard():
    assert ascii_minus("−0.0131 to −1") == "-0.0131 to -1"


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0.01, "about 1 s"),
        (89, "about 89 s"),
        (91, "about 2 min"),
        (5_000, "about 83 min"),
        (36_000, "about 10 h"),
    ],
)
def test_a_time_is_written_as_roughly_as_it_is_known(seconds, written):
    assert duration(seconds) == written
