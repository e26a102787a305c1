"""The results table in the reference's format: to read, to copy, to download."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.widgets.copy_button import copy_button
from app.widgets.plain import escaped
from core import Audit
from core.report import RENDERERS, Document
from core.report.document import Table

__all__ = ["table_card"]

#: Per format of `RENDERERS`: what people call it, ending of the file, type for the browser.
_FORMATS = {
    "markdown": ("Markdown", "md", "text/markdown"),
    "latex": ("LaTeX", "tex", "application/x-tex"),
    "csv": ("CSV", "csv", "text/csv"),
    "json": ("JSON", "json", "application/json"),
}

_TEXT_HEIGHT = 320


def table_card(audit: Audit, words: Document) -> None:
    """Draw the tables, and their text in each format."""
    with st.container(border=True, key="table_card"):
        st.markdown("**Results table**")
        shown, *texts = st.tabs(["Table", *(title for title, _, _ in _FORMATS.values())])
        with shown:
            for table in words.tables:
                st.markdown(escaped(table.title))
                st.table(_frame(table), border="horizontal", alt=table.title)
        for tab, name in zip(texts, _FORMATS, strict=True):
            with tab:
                _text(name, RENDERERS[name](audit))


def _frame(table: Table) -> pd.io.formats.style.Styler:
    """The table as `st.table` shows it: cells are Markdown there, so they are escaped."""
    frame = pd.DataFrame(
        [[escaped(cell) for cell in row.cells] for row in table.rows],
        index=[escaped(row.label) for row in table.rows],
        columns=[escaped(column) for column in table.columns],
    )
    return frame.style.set_properties(**{"text-align": "right" if table.numeric else "left"})


def _text(name: str, text: str) -> None:
    title, ending, mime = _FORMATS[name]
    with st.container(horizontal=True, vertical_alignment="center"):
        copy_button(f"Copy {title}", text, key=f"copy_{name}")
        st.download_button(
            f"Download .{ending}",
            text,
            file_name=f"cosine_floor.{ending}",
            mime=mime,
            on_click="ignore",
            key=f"download_{name}",
            icon=":material/download:",
        )
    st.code(text, language=None, height=_TEXT_HEIGHT)
