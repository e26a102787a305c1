"""The method as the core documents it: its METHODS.md and its glossary, read from there."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

import core
from core.glossary import GLOSSARY

__all__ = ["glossary", "methods"]

_METHODS = Path(core.__file__).parent / "METHODS.md"


def methods() -> None:
    """One section per number, as written beside the code that computes it."""
    text = _METHODS.read_text(encoding="utf-8")
    if text.startswith("# "):
        _, _, text = text.partition("\n")  # the page has a title of its own
    st.markdown(text)


def glossary() -> None:
    """Every term in one sentence; the tooltips of the page say the same."""
    st.header("Words", anchor=False)
    rows = [(term, entry.sentence, entry.symbol, entry.source) for term, entry in GLOSSARY.items()]
    st.table(
        pd.DataFrame(rows, columns=["term", "meaning", "symbol", "source"]),
        border="horizontal",
        hide_index=True,
    )
