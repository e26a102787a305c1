"""Text from outside, shown letter by letter where Streamlit would read Markdown.

An image link in a file name would make the viewer's browser fetch it; ``a--b`` would
turn into a dash. `st.text` shows names; this is for sentences that contain them. What
a reader may want to copy, a flag or a line of code, is copied as it stands.
"""

from __future__ import annotations

import re

from core.report.names import visible

__all__ = ["escaped"]

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")

#: Streamlit replaces "--", "->", ">=" and ":name:", and makes links of bare addresses,
#: *after* Markdown has been read, where a backslash no longer helps. It leaves code alone.
_REPLACED = re.compile(r"([-<>=~])(?=[-<>=~])|(:)(?=[^\W\d]|\d+:|//|[-+]1)|(www)(?=\.)|(\w@)(?=\w)", re.IGNORECASE)

#: A word without the punctuation of the sentence around it.
_AROUND = re.compile(r"""([(\["']*)(.*?)([)\]"',.;:!?]*)""")

#: Words that may become code: of characters that could do no harm even if they were not read
#: as code. Streamlit changes ":material/" before it looks for code.
_CODE = re.compile(r"(?!.*:material/)[\w.,:/=()'+~@-]+")


def escaped(text: str) -> str:
    """The text as Markdown that reads as the text itself, on one line.

    Words that Streamlit would change, such as ``--drop-bad-rows``, become code: what is
    copied from the page is then the text, letter for letter.
    """
    return " ".join(_escaped_word(word) for word in visible(text.replace("\n", " ")).split())


def _escaped_word(word: str) -> str:
    found = _AROUND.fullmatch(word)
    if found is None or not _REPLACED.search(word):
        return _marked(word)
    before, inner, after = found.groups()
    if not _CODE.fullmatch(inner):
        # Nothing better is left than an invisible word joiner between the two marks.
        return _marked(_REPLACED.sub("\\g<0>\u2060", word))
    return f"{_marked(before)}`{inner}`{_marked(after)}"


def _marked(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
