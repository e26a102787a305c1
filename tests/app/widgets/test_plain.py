import pytest

from app.widgets.plain import escaped

PUNCTUATION = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""


def unescape(markdown):
    """What CommonMark makes of backslash escapes, and nothing else."""
    text, marks = "", iter(markdown)
    for mark in marks:
        text += next(marks) if mark == "\\" else mark
    return text.replace("\u2060", "")


@pytest.mark.parametrize(
    "text",
    ["![x](http://evil.example/x.png)", "**bold** _it_ `code`", "<b>", ":red[hi] $x$", "a--b -> c >= d", PUNCTUATION],
)
def test_the_text_reads_as_it_is(text):
    assert unescape(escaped(text)) == text


def test_every_mark_of_markdown_is_escaped():
    assert all(f"\\{mark}" in escaped(PUNCTUATION) for mark in PUNCTUATION)


@pytest.mark.parametrize("replaced", ["--", "->", "<-", ">=", "<=", "~=", ":smile", "http://x.y", "WWW.x.y", "a@x.y"])
def test_what_streamlit_replaces_later_is_broken_up(replaced):
    assert "\u2060" in escaped(replaced)


def test_an_ordinary_sentence_holds_no_hidden_characters():
    assert "\u2060" not in escaped("b.npy: 3 of 1,000 rows hold NaN (first at row 17), −0.5.")


def test_line_breaks_and_direction_marks_cannot_act():
    assert unescape(escaped("a\nb\u202ec")) == r"a b\u202ec"
