"""The results table in the reference's format: to read, to copy, to download."""

from __future__ import annotations

import math
import re

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from app.widgets.copy_button import copy_button
from app.widgets.plain import escaped
from app.widgets.terms import tooltip
from core.glossary import GLOSSARY
from core.report import RENDERERS, Document
from core.report.document import Table
from core.report.numbers import MISSING, fixed
from core.report.svg import to_svg

__all__ = ["REPORT_TAB", "draw_table", "table_card"]

#: The tab with the report as a file.
REPORT_TAB = "Report (HTML)"

#: Per format of `RENDERERS` that is text to paste: what people call it, ending of the file,
#: type for the browser. The one left is a page to send.
_FORMATS = {
    "markdown": ("Markdown", "md", "text/markdown"),
    "latex": ("LaTeX", "tex", "application/x-tex"),
    "csv": ("CSV", "csv", "text/csv"),
    "json": ("JSON", "json", "application/json"),
}

_TEXT_HEIGHT = 320

#: A cell that is a number as reports write it; other than `float`, no word and no fingerprint.
_NUMBER = re.compile(r"[−-]?[0-9,]{1,12}(\.[0-9]+)?")


def table_card(words: Document, *, stem: str = "cosine_floor") -> None:
    """Draw the tables, and their text in each format; downloads are called `stem`."""
    with st.container(border=True, key="table_card"):
        st.markdown("**Results table**")
        shown, *texts, report = st.tabs(["Table", *(title for title, _, _ in _FORMATS.values()), REPORT_TAB])
        with shown:
            _tables(words.tables)
        with report:
            _report(words, stem)
        for tab, name in zip(texts, _FORMATS, strict=True):
            with tab:
                _text(name, RENDERERS[name](words), stem)


def _tables(tables: tuple[Table, ...]) -> None:
    """Tables of numbers in full width, tables of text in pairs, an odd last one in full width."""
    for table in tables:
        if table.numeric:
            draw_table(table)
    texts = [table for table in tables if not table.numeric]
    for first in range(0, len(texts), 2):
        two = texts[first : first + 2]
        for column, table in zip(st.columns(len(two)), two, strict=True):
            with column:
                draw_table(table)


def draw_table(table: Table) -> None:
    """The table under its title."""
    st.markdown(f"**{escaped(table.title)}**", help=_terms(table) or None)
    st.table(_styled(table), border="horizontal", alt=table.title, hide_index=_labels_in_a_column(table))
    for note in table.notes:
        st.markdown(escaped(note))


def _terms(table: Table) -> str:
    """What its headings and rows mean that are terms of the glossary: no cell of a table can carry a tooltip."""
    rows = (re.split(r" \(|, ", row.label)[0] for row in table.rows) if table.numeric else ()
    known = (heading for heading in (*table.columns, *rows) if heading in GLOSSARY)
    return "\n".join(f"- **{escaped(heading)}**: {tooltip(heading)}" for heading in dict.fromkeys(known))


def _styled(table: Table) -> Styler:
    """The table as `st.table` shows it.

    Its cells are Markdown there, so they are escaped; it aligns a column by its type, so
    numbers go in as numbers that are shown in the words of the report.
    """
    written = {escaped(head): [row.cells[place] for row in table.rows] for place, head in enumerate(table.columns)}
    index: list[str] | None = [escaped(row.label) for row in table.rows]
    if _labels_in_a_column(table):
        written, index = {escaped(table.corner) or " ": [row.label for row in table.rows], **written}, None
    columns, shown = {}, {}
    for heading, cells in written.items():
        columns[heading] = _numbers(cells) if table.numeric and heading != " " else _numbers_or_text(cells)
        words = dict(zip(columns[heading], (escaped(cell) or MISSING for cell in cells), strict=True))
        shown[heading] = words.__getitem__
    frame = pd.DataFrame(columns, index=index)
    return frame.style.format(shown, na_rep=fixed(None))


def _labels_in_a_column(table: Table) -> bool:
    """True where labels are a column among others: the index of a table shows no heading."""
    return bool(table.corner) or not table.numeric


def _numbers_or_text(cells: list[str]) -> list[float] | list[str]:
    """A column of text as numbers where every cell is one, and no two of them are one number."""
    if not all(map(_NUMBER.fullmatch, cells)):
        return cells
    numbers = _numbers(cells)
    return numbers if len(set(numbers)) == len(set(cells)) else cells


def _numbers(cells: list[str]) -> list[float]:
    """The cells as numbers, undefined ones as NaN; places where one is neither, as "3 / 0" is."""
    try:
        return [math.nan if cell == fixed(None) else _number(cell) for cell in cells]
    except ValueError:
        return [float(place) for place in range(len(cells))]


def _number(cell: str) -> float:
    return float(cell.replace("−", "-").replace(",", ""))


def _text(name: str, text: str, stem: str) -> None:
    title, ending, mime = _FORMATS[name]
    with st.container(horizontal=True, vertical_alignment="center"):
        copy_button(f"Copy {title}", text, key=f"copy_{name}")
        _download(f"Download .{ending}", text, f"{stem}.{ending}", mime, key=f"download_{name}")
    with st.container(height=_TEXT_HEIGHT, border=False):  # scrolls by keyboard, from the button within
        st.code(text, language=None, wrap_lines=True)


def _report(words: Document, stem: str) -> None:
    """Downloads of the report to send, and of its figures alone. Their source is nothing to read."""
    st.markdown(
        "The whole report as one file to send or to print: reading, figures, tables, checks, settings, and the command "
        "that repeats it. It opens in any browser, light or dark, without a connection."
    )
    _download("Download .html", RENDERERS["html"](words), f"{stem}.html", "text/html", key="download_html")
    if words.figures:
        st.markdown("Its figures alone, as drawings that stay sharp at any size:")
        with st.container(horizontal=True):
            for figure in words.figures:
                drawing, name = to_svg(figure, alone=True), f"{stem}_{figure.name}.svg"
                _download(figure.title, drawing, name, "image/svg+xml", key=f"download_{figure.name}")


def _download(label: str, text: str, name: str, mime: str, *, key: str) -> None:
    st.download_button(label, text, file_name=name, mime=mime, on_click="ignore", key=key, icon=":material/download:")
