"""The method as the core documents it: its METHODS.md and its glossary, read from there."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

import core
from app.widgets.plain import escaped
from core.glossary import GLOSSARY, Entry

__all__ = ["formula", "glossary", "methods"]

#: Width of a line that is easy to read, in pixels.
_READABLE = 820

_METHODS = Path(core.__file__).parent / "METHODS.md"


def formula(*titles: str) -> None:
    """A button that opens how the figures beside it are computed: sections of the method."""
    with st.popover("Formula", type="tertiary", icon=":material/function:"):
        for title in titles:
            st.markdown(f"**{title}**\n\n{_paragraphs(_sections()[title])}")


def methods() -> None:
    """One card per section of the file, as written beside the code that computes it."""
    _tables_scroll()
    introduction, _ = _parts()
    _, _, introduction = introduction.partition("\n")  # the page has a title of its own
    with st.container(key="methods"):
        st.markdown(introduction, width=_READABLE)
        for place, (title, text) in enumerate(_sections().items()):
            with st.container(border=True, width=_READABLE, key=f"method_{place}"):
                st.subheader(title)
                st.markdown(_paragraphs(text))


def _parts() -> tuple[str, list[str]]:
    """What stands before the first section of the file, and the sections with their titles."""
    introduction, *sections = _METHODS.read_text(encoding="utf-8").split("\n## ")
    return introduction, sections


def _sections() -> dict[str, str]:
    """Text by title."""
    return {title: text for title, _, text in (section.partition("\n") for section in _parts()[1])}


def _paragraphs(text: str) -> str:
    """The file begins a line with each label; Markdown alone would run them together."""
    return text.strip().replace("\n**", "\n\n**")


def _tables_scroll() -> None:
    """Let a card with a wide table scroll, where the table would widen the page of a phone.

    The card and not the table: a keyboard reaches the link of its heading, and can scroll from there.
    """
    st.html("<style>[class*='st-key-method_'] { overflow-x: auto; }</style>")


def glossary() -> None:
    """Every term in one sentence; the tooltips of the page say the same."""
    st.header("Words")
    rows = [(f"**{escaped(term)}**", _meaning(entry)) for term, entry in GLOSSARY.items()]
    with st.container(width=_READABLE):
        st.table(
            pd.DataFrame(rows, columns=["word", "meaning"]),
            border="horizontal",
            hide_index=True,
            hide_header=True,
        )


def _meaning(entry: Entry) -> str:
    parts = (entry.sentence, entry.symbol and f"In formulas: {entry.symbol}.", entry.source)
    return " ".join(escaped(part) for part in parts if part)
