"""What the page says to someone who has never heard of anisotropy."""

from __future__ import annotations

import streamlit as st

from app import ingest, state
from app.widgets.slot import size_rule
from core.formats import READERS

__all__ = ["file_rules", "header", "keep_in_mind", "what_you_get"]

_YOU_GET = (
    (
        ":material/vertical_align_bottom:",
        "The floor",
        "What rows that do *not* belong together score in your two files. A matched score means "
        "something only as far as it stands above that.",
    ),
    (
        ":material/explore:",
        "The shared direction",
        "How much all rows of a file point the same way (anisotropy), and what is left of the scores "
        "once that direction is taken out.",
    ),
    (
        ":material/leaderboard:",
        "Partners found",
        "How often a row's own partner scores highest among all rows, against chance, and one table "
        "to paste into a report.",
    ),
)


_EXAMPLE = (
    "The example: 400 sections of the Python documentation, each split in two. Row i of A is the first half, "
    "row i of B the second half, both embedded by multilingual-e5-small."
)


def header() -> None:
    """Title, the question in one sentence, and the example."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="header"
    ):
        st.title("Cosine Floor", anchor=False, width="content")
        st.button(
            "Try it with real embeddings",
            key="example",
            icon=":material/science:",
            on_click=ingest.load_example,
        )
    st.markdown(
        "A cosine of 0.9 can mean two texts agree, or only that the model gives *every* pair 0.9. "
        "Drop two files of embeddings and see which: row i of A belongs with row i of B."
    )


def keep_in_mind() -> None:
    """What the example is, or what to know before a file is dropped."""
    if state.shows_example():
        st.markdown(_EXAMPLE)
        return
    st.markdown(file_rules())


def file_rules() -> str:
    """Which files a page takes, and how long it keeps them."""
    return (
        f"Takes {_formats()} files of {size_rule()}. They stay on the machine that "
        "runs this page. Reloading the page forgets everything, so download what you want to keep."
    )


def _formats() -> str:
    """The usual ending of each format, in words."""
    *most, last = (reader.suffixes[0] for reader in READERS)
    return f"{', '.join(most)} and {last}" if most else last


def what_you_get() -> None:
    """Three cards in place of a result."""
    st.subheader("What you get", anchor=False)
    for column, (icon, title, text) in zip(st.columns(3), _YOU_GET, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"{icon} **{title}**")
            st.markdown(text)
