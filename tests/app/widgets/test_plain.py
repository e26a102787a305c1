import pytest

from app.widgets.plain import escaped
from core.formats.refused import REFUSALS
from core.glossary import GLOSSARY

PUNCTUATION = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""


def unescape(markdown):
    """What CommonMark makes of backslash escapes and of code between single backticks, and nothing else."""
    text, marks = "", iter(markdown)
    for mark in marks:
        if mark == "`":
            inside = iter(marks.__next__, "`")
            text += "".join(inside)
        else:
            text += next(marks) if mark == "\\" else mark
    return text.replace("\u2060", "")


def code(markdown):
    """What stands between single backticks."""
    spans, marks = [], iter(markdown)
    for mark in marks:
        if mark == "\\":
            next(marks)
        elif mark == "`":
            spans.append("".join(iter(marks.__next__, "`")))
    return spans


@pytest.mark.parametrize(
    "text",
    [
        *("![x](http://evil.example/x.png)", "**bold** _it_ `code`", "<b>", ":red[hi] $x$", "a--b -> c >= d"),
        *("`--flag`", "--a` b --c", "\\\\--x\\\\ y", "(--drop-bad-rows, or)", "<a--b>|`c--d`", ":material/home: --x|y"),
        PUNCTUATION,
    ],
)
def test_the_text_reads_as_it_is(text):
    assert unescape(escaped(text)) == text


def test_every_mark_of_markdown_is_escaped():
    assert all(f"\\{mark}" in escaped(PUNCTUATION) for mark in PUNCTUATION)


@pytest.mark.parametrize("replaced", ["--", "->", "<-", ">=", "<=", "~=", ":smile", "http://x.y", "WWW.x.y", "a@x.y"])
def test_what_streamlit_replaces_later_is_code_or_broken_up(replaced):
    assert code(escaped(f"see {replaced} here")) == [replaced] or "\u2060" in escaped(replaced)
    for unsafe in (f"{replaced}`", f"{replaced}|x", f"![{replaced}](y)", f"<{replaced}>"):
        assert code(escaped(unsafe)) == []
        assert "\u2060" in escaped(unsafe)


def test_what_streamlit_replaces_before_it_reads_markdown_is_never_code():
    assert code(escaped(":material/home:")) == []
    assert ":material/" not in escaped(":material/home:")


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("Give --read-a-as bfloat16.", "--read-a-as"),
        ("left out (--drop-bad-rows, or the box on the page).", "--drop-bad-rows"),
        ("Leave out one of --groups and x.", "--groups"),
        ("Only with --candidates.", "--candidates"),
        ("the margin (--margin) is 3", "--margin"),
    ],
)
def test_a_flag_is_code_and_is_copied_as_plain_ascii(text, flag):
    assert code(escaped(text)) == [flag]
    assert escaped(text).isascii()


def test_what_the_core_says_to_type_is_copied_as_it_stands():
    for said in (*(f"{one.what}. {one.remedy}" for one in REFUSALS), *(one.sentence for one in GLOSSARY.values())):
        assert "\u2060" not in escaped(said)


def test_an_ordinary_sentence_holds_no_hidden_characters():
    assert "\u2060" not in escaped("b.npy: 3 of 1,000 rows hold NaN (first at row 17), −0.5.")


def test_line_breaks_and_direction_marks_cannot_act():
    assert unescape(escaped("a\nb\u202ec")) == r"a b\u202ec"
