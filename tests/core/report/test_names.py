import pytest

from core.report.names import NAME_LENGTH, shown_name, visible


@pytest.mark.parametrize("name", ["a.npy", "Übung 3 (final).npy", "数据.npy", "a--b_$x$`.npy", "<b>.npy"])
def test_an_ordinary_name_is_shown_as_it_is(name):
    assert shown_name(name) == name


@pytest.mark.parametrize(
    ("hidden", "written"),
    [
        ("\u202e", r"\u202e"),
        ("\u200b", r"\u200b"),
        ("\n", r"\u000a"),
        ("\x00", r"\u0000"),
        ("\u2028", r"\u2028"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_cannot_be_seen_is_written_out(hidden, written):
    assert shown_name(f"a{hidden}b.npy") == f"a{written}b.npy"
    assert visible(f"a{hidden}b.npy") == f"a{written}b.npy"


def test_a_long_name_is_cut_to_eighty_characters():
    shown = shown_name("x" * 300 + ".npy")
    assert len(shown) == NAME_LENGTH == 80
    assert shown == "x" * 79 + "…"


def test_a_name_of_exactly_eighty_characters_is_not_cut():
    assert shown_name("x" * 80) == "x" * 80


def test_a_sentence_is_made_visible_without_being_cut():
    assert visible("y" * 500) == "y" * 500


@pytest.mark.parametrize("text", ["\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u0631\u0648\u0645"])
def test_what_joins_an_emoji_or_parts_a_persian_word_stays(text):
    assert visible(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "\u00e9\u200d\u200d\u00e9", "\u00e9\u200d\u202e\u00e9", "\u200d\u00e9"])
def test_a_joiner_elsewhere_is_written_out(text):
    assert "\u200d" not in visible(text)
    assert r"\u200d" in visible(text)
