"""Text from outside, shown letter by letter where Streamlit would read Markdown.

An image link in a file name would make the viewer's browser fetch it; ``a--b`` would
turn into a dash. `st.text` shows names; this is for sentences that contain them.
"""

from __future__ import annotations

import re

from core.report.names import visible

__all__ = ["escaped"]

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")

#: Streamlit replaces "--", "->", ">=" and ":name:", and makes links of bare addresses,
#: *after* Markdown has been read, where a backslash no longer helps. An invisible word
#: joiner between the two marks does.
_REPLACED = re.compile(r"([-<>=~])(?=[-<>=~])|(:)(?=\w|//)|(www)(?=\.)|(\w@)(?=\w)", re.IGNORECASE)


def escaped(text: str) -> str:
    """The text as Markdown that reads as the text itself, on one line."""
    line = " ".join(visible(text.replace("\n", " ")).split())
    return _MARKS.sub(r"\\\1", _REPLACED.sub("\\g<0>\u2060", line))
