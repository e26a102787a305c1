"""What cannot be compared row by row is refused with its file, its side, its count and its first rows."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.errors import AuditError, PairingError
from core.formats import Word
from core.pairs import pair_up
from tests.arrays import inspected


def rows(n=10, dim=3, *, bad=(), value=np.nan):
    """Rows without a flaw but those in `bad`, where one entry is `value` (a whole row for 0)."""
    made = np.arange(1.0, n * dim + 1).reshape(n, dim)
    for row in bad:
        made[row, slice(None) if value == 0 else 1] = value
    return made


def pairs(a, b, fit_a=None, fit_b=None, **options):
    return pair_up(
        inspected(a, "left.npy"),
        inspected(b, "right.npy"),
        None if fit_a is None else inspected(fit_a, "fit-left.npy"),
        None if fit_b is None else inspected(fit_b, "fit-right.npy"),
        **options,
    )


def refusal(*arrays, **options):
    """The one line a terminal would show."""
    with pytest.raises(AuditError) as caught:
        pairs(*arrays, **options)
    assert "\n" not in caught.value.sentence
    assert caught.value.remedy, "a refusal says what to do"
    return caught.value.sentence


def test_sound_arrays_pass_as_they_are(rng):
    a, b, fit = rng.standard_normal((10, 3)), rng.standard_normal((10, 3)), rng.standard_normal((1, 3))
    found = pairs(a, b, fit, None)
    assert_array_equal(found.a, a)
    assert_array_equal(found.b, b)
    assert_array_equal(found.fit_a, fit)
    assert found.fit_b is None
    assert not found.dropped
    assert found.notices == ()


def test_different_row_counts():
    said = refusal(rows(1_001), rows(998))
    assert said.startswith(
        "right.npy has 998 rows and left.npy has 1,001; row i of one belongs with row i of the other"
    )
    assert "must match" in said


def test_one_row_for_several_is_recognised():
    assert "left.npy has exactly 5 rows for each row of right.npy" in refusal(rows(50), rows(10))
    assert "right.npy has exactly 5 rows for each row of left.npy" in refusal(rows(10), rows(50))


def test_transposed_shapes_are_recognised():
    for first, second in (((10, 4), (4, 10)), ((4, 10), (10, 4))):
        assert "One of them looks transposed: save the .T" in refusal(rows(*first), rows(*second))


def test_different_widths():
    said = refusal(rows(10, 768), rows(10, 384))
    assert said.startswith("right.npy has 384 columns and left.npy has 768")
    assert "different models do not share a space" in said


@pytest.mark.parametrize(("place", "name", "side"), [(2, "fit-left.npy", "A"), (3, "fit-right.npy", "B")])
def test_a_fit_array_of_another_width(place, name, side):
    arrays = [rows(), rows(), None, None]
    arrays[place] = rows(10, 5)
    said = refusal(*arrays)
    assert said.startswith(f"{name}, the fit array of {side}, has 5 columns and the compared rows have 3")


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_than_three_pairs(n):
    said = refusal(rows(n), rows(n))
    usable = "1 usable pair" if n == 1 else f"{n} usable pairs"
    assert said.startswith(f"left.npy and right.npy leave {usable}, and the floor needs at least 3")


def test_three_pairs_are_enough():
    assert len(pairs(rows(3), rows(3)).a) == 3


PLACES = [
    (0, "left.npy (side A)"),
    (1, "right.npy (side B)"),
    (2, "fit-left.npy (fit array of A)"),
    (3, "fit-right.npy (fit array of B)"),
]


@pytest.mark.parametrize(("place", "name"), PLACES, ids=["a", "b", "fit a", "fit b"])
@pytest.mark.parametrize(
    ("value", "words"),
    [(np.nan, "hold NaN"), (np.inf, "hold infinity"), (-np.inf, "hold infinity"), (0, "are all zeros")],
    ids=["nan", "inf", "-inf", "zero"],
)
def test_rows_without_a_cosine_are_named_counted_and_listed(place, name, value, words):
    arrays = [rows(), rows(), rows(), rows()]
    arrays[place] = rows(bad=(2, 7), value=value)
    said = refusal(*arrays)
    assert said.startswith(f"{name}: 2 of 10 rows {words}")
    assert ": row 2, 7 (counting from 0)" in said
    assert "--drop-bad-rows" in said


def test_many_bad_rows_are_counted_and_the_first_five_listed():
    said = refusal(rows(2_000), rows(2_000, bad=range(1_000, 1_900, 3)))
    assert "300 of 2,000 rows hold NaN: row 1,000, 1,003, 1,006, 1,009, 1,012, … (counting from 0)" in said


def test_the_shape_is_judged_before_the_values():
    """A file of another shape is most likely the wrong file; its NaN are nobody's concern."""
    assert "must match" in refusal(rows(10, bad=(1,)), rows(9))


def test_bad_rows_are_left_out_on_request_on_both_sides():
    a, b = rows(bad=(2,)), rows(bad=(7,), value=0)
    found = pairs(a, b, rows(bad=(0, 1), value=np.inf), drop_bad_rows=True)
    assert_array_equal(found.a, np.delete(a, [2, 7], axis=0))
    assert_array_equal(found.b, np.delete(b, [2, 7], axis=0))
    assert_array_equal(found.fit_a, rows()[2:])
    assert_array_equal(found.dropped.rows, [2, 7])


def test_without_bad_rows_leaving_them_out_changes_nothing():
    found = pairs(rows(), rows(), drop_bad_rows=True)
    assert_array_equal(found.a, rows())
    assert not found.dropped


def test_too_few_rows_left_after_leaving_out():
    said = refusal(rows(5, bad=(0, 1)), rows(5, bad=(4,)), drop_bad_rows=True)
    assert said.startswith("left.npy and right.npy leave 2 usable pairs")


def test_a_fit_array_with_nothing_left():
    said = refusal(rows(), rows(), rows(2, bad=(0, 1)), drop_bad_rows=True)
    assert said.startswith("fit-left.npy has no usable row to fit a mean on")


def test_a_refusal_to_pair_is_an_error_of_its_own():
    with pytest.raises(PairingError):
        pairs(rows(10), rows(9))


def codes(found):
    return [(notice.code, notice.side) for notice in found.notices]


@pytest.mark.parametrize(("place", "side"), list(enumerate(["a", "b", "fit_a", "fit_b"])))
def test_exact_duplicates_are_worth_a_word_on_their_side(place, side):
    arrays = [rows() for _ in range(4)]
    arrays[place][6] = arrays[place][8] = arrays[place][1]
    found = pairs(*arrays)
    assert codes(found) == [("duplicate_rows", side)]
    assert re.search(r"2 of 10 rows are exact duplicates .*first at row 6, counting from 0", found.notices[0].text)


def test_subnormal_rows_are_worth_a_word():
    b = rows()
    b[3] = [1e-310, 2e-310, 0]
    found = pairs(rows(), b)
    assert codes(found) == [("subnormal_rows", "b")]
    assert found.notices[0].text.startswith("right.npy: 1 of 10 rows")


def test_what_a_reader_had_to_say_gets_its_side(rng):
    found = pairs(rows(), rng.integers(-100, 100, (10, 3)).astype("i1") | 1)
    assert codes(found) == [("integer_codes", "b")]


@pytest.mark.parametrize(
    ("rows_a", "rows_b", "code", "said"),
    [
        (10, 9, "header_row", "right.npy: The first line went. If it is a vector, put a line of names above it."),
        (9, 10, "maybe_header", "right.npy: The first line went."),
        (9, 10, "header_row", "Export both files again"),
        (10, 8, "header_row", "Export both files again"),
    ],
)
def test_one_row_too_few_or_too_many_beside_a_doubtful_first_line_names_that_line(rows_a, rows_b, code, said):
    b = inspected(rows(rows_b), "right.npy")
    word = Word(code=code, text="The first line went.")
    b = replace(b, loaded=replace(b.loaded, words=(word,)))
    with pytest.raises(PairingError) as caught:
        pair_up(inspected(rows(rows_a), "left.npy"), b)
    assert caught.value.remedy.startswith(said)
