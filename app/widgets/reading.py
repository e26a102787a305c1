"""A word while a large file is hashed and inspected: nobody watches an idle page for a minute."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from app.widgets.plain import escaped
from core.report.waiting import reading_words

__all__ = ["reading"]


def reading(name: str, size: int) -> AbstractContextManager[None]:
    """Show, for as long as it lasts, that a file of `size` bytes is read; nothing for a small one."""
    words = reading_words(name, size)
    return st.spinner(escaped(words)) if words else nullcontext()
