import numpy as np
import pytest

from app.widgets.input_card import size_words
from core.report.names import shown_name


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (614_528, "614.5 kB"), (2_500_000_000, "2.5 GB")],
)
def test_sizes_are_for_people(size, words):
    assert size_words(size) == words


def test_the_card_names_file_shape_type_size_and_fingerprint(page, npy):
    import hashlib

    rows = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    page.drop("a", rows, "rows.npy")
    digest = hashlib.sha256(npy(rows)).hexdigest()
    for fact in ("rows.npy", "4 × 3 float32", f"{len(npy(rows))} bytes", digest[:8]):
        assert fact in page.text


def test_the_card_gives_the_norms(page):
    page.drop("a", np.diag([3.0, 4.0, 12.0]))
    assert "Row norms: min 3, median 4, max 12." in page.text


def test_the_card_says_that_a_norm_is_too_large_to_write(page):
    page.drop("a", np.array([[1.7e308, 1.7e308], [3.0, 4.0], [6.0, 8.0]]))
    assert "Row norms: min 5, median 10, max too large to write as a number." in page.text


def test_bad_rows_are_counted_and_named_from_zero(page):
    rows = np.ones((50, 3)) * np.arange(1, 51)[:, None]
    rows[[4, 7], 1] = np.nan
    rows[9, 0] = np.inf
    rows[[1, 2, 3, 5, 6, 8, 40]] = 0
    page.drop("a", rows)
    assert "2 of 50 rows hold NaN: row 4, 7 (counting from 0)." in page.text
    assert "1 of 50 rows holds infinity: row 9 (counting from 0)." in page.text
    assert "7 of 50 rows are all zeros: row 1, 2, 3, 5, 6, … (counting from 0)." in page.text
    assert "repeat an earlier row" not in page.text  # rows that are no numbers, or zero, are not each other


def test_a_clean_file_says_that_it_is_clean(page, pair):
    page.drop("a", pair[0])
    assert "No NaN, infinite, zero or duplicate rows." in page.text


def test_the_same_file_twice_is_noticed_on_both_cards(page, pair):
    page.drop("a", pair[0]).drop("b", pair[0])
    assert "Byte for byte the same file as A." in page.text
    assert "Byte for byte the same file as B." in page.text


def test_words_of_the_reader_are_on_the_card(page, pair):
    page.drop("a", pair[0][None])
    assert "the axis of length 1 was dropped" in page.text


@pytest.mark.parametrize(
    "name", ["![x](http://evil.example/x.png).npy", "a\u202eypn.npy", ":red[x] $y$ <b>.npy", "x" * 300 + ".npy"]
)
def test_a_hostile_name_is_plain_text_and_never_markdown(page, pair, name):
    page.drop("a", pair[0], name)
    base = name.rsplit("/", 1)[-1]
    assert shown_name(base) in [text.value for text in page.app.text]
    assert not any(base[:20] in str(markdown.value) for markdown in page.app.markdown)


def test_a_hostile_name_is_escaped_in_a_refusal(page):
    page.drop("a", b"no array", "![x](y).npy")
    assert "![x]" not in page.app.error[0].value
    assert "![x](y).npy" in page.errors[0]
