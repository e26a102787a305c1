"""Which rows: the pairs one by one, worst first, a page at a time."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.pair_listing import PAGE_SIZES, Bar, LabelSide, Listing
from app.plots.histograms import bar_of, matched_bars
from app.widgets.jumps import Jump, jumps
from app.widgets.pair_texts import pair_texts, texts_box
from app.widgets.plain import escaped
from app.widgets.tables import draw_table
from app.widgets.terms import tooltip
from core import Audit
from core.claim_review import ReadingName
from core.claims import pairs_between, worst_pairs
from core.report import audit_figures
from core.report.numbers import count, fixed
from core.report.rows_document import ORDERS, WorstRows, rows_csv, rows_legend, rows_table

__all__ = ["chart_key", "choose_bar", "clicked_bar", "pair_list"]


def pair_list(result: state.Result) -> None:
    """Draw the table of pairs and what it is chosen by."""
    audit = result.audit
    if audit.rows is None:
        return
    with st.container(border=True, key="rows_card"):
        st.markdown("**Which rows**", help=tooltip("worst pairs"))
        _controls(audit)
        page = state.listing()
        reading: ReadingName = page.reading if audit.rows.centred is not None else "raw"
        listed = _of_bar(result, page, reading)
        texts = pair_texts(audit)
        listing = partial(_rows, audit, page, reading, listed, texts)
        _table(listing, page, audit.n if listed is None else len(listed))
        texts_box(audit)


def _controls(audit: Audit) -> None:
    kept = state.listing()
    reading, order, size = st.columns([1, 1.6, 1], vertical_alignment="top")
    if audit.rows is not None and audit.rows.centred is not None:
        state.first_answer("rows_reading", kept.reading)
        reading.segmented_control("Cosines", list(get_args(ReadingName)), required=True, **_kept("reading"))
    state.first_answer("rows_order", kept.order)
    order.selectbox("Sort by", list(ORDERS), format_func=ORDERS.__getitem__, **_kept("order"))
    state.first_answer("rows_size", kept.size)
    size.selectbox("Rows a page", PAGE_SIZES, **_kept("size"))


def _kept(field: str) -> dict[str, Any]:
    return {"key": f"rows_{field}", "on_change": _keep, "args": (field,)}


def _keep(field: str) -> None:
    value = state.answer(f"rows_{field}")
    if value is not None:  # of a box that a failed run had not drawn
        state.set_listing(**{field: value}, page=0)


def _of_bar(result: state.Result, page: Listing, reading: ReadingName) -> NDArray[np.intp] | None:
    """The pairs of the bar that was clicked; `None` for all."""
    listed = _listed(result, page, reading)
    if listed is None:
        st.markdown("All pairs. Click a bar of matched pairs in the histograms above, and only its pairs are listed.")
        drawn = audit_figures.matched_over_floor(result.audit)
        st.selectbox(
            "Or choose a bar",
            matched_bars(drawn, get_args(ReadingName).index(reading)),
            index=None,
            format_func=lambda bar: f"{fixed(bar[0], 3)} to below {fixed(bar[1], 3)}",
            placeholder="all pairs",
            key="rows_bar",
            on_change=_choose_from_list,
            args=(reading,),
        )
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_bar_words(page, listed), width="content")
        st.button("Show all pairs", key="rows_all", on_click=_show_all, icon=":material/close:")
    return listed


def _listed(result: state.Result, page: Listing, reading: ReadingName) -> NDArray[np.intp] | None:
    bar, rows = page.bar, result.audit.rows
    if rows is None or bar is None or bar.result != result.key or bar.reading != reading:
        return None
    scores = rows.raw if reading == "raw" or rows.centred is None else rows.centred
    return pairs_between(scores.own, bar.low, bar.high)


def _bar_words(page: Listing, listed: NDArray[np.intp]) -> str:
    if page.bar is None:
        raise AssertionError("pairs of a bar need one")
    pairs = "1 matched pair" if len(listed) == 1 else f"{count(len(listed))} matched pairs"
    bar = page.bar
    return f"{pairs} with a {bar.reading} cosine from {fixed(bar.low, 3)} to below {fixed(bar.high, 3)}."


def clicked_bar(result: state.Result) -> None:
    """Below the histograms: what the bar just clicked holds, and the way to its pairs."""
    page = state.listing()
    listed = _listed(result, page, page.reading)
    if result.audit.rows is None:
        return
    if listed is not None:
        st.markdown(_bar_words(page, listed))
        jumps("Pairs of this bar", (Jump(name="See them under Which rows", part="rows_card"),), key="bar_jump")
    elif page.unrelated:
        st.markdown("That bar holds unrelated pairs, which are not listed. Click a blue bar for its matched pairs.")
    else:
        st.markdown("Click a blue bar for its matched pairs.")


def chart_key() -> str:
    """Key of the histograms: a chart drawn anew forgets which bar was clicked."""
    charts = state.listing().charts
    return f"histograms_{charts}" if charts else "histograms"


def choose_bar(chart: str = "histograms") -> None:
    """List the matched pairs of the bar just clicked; all pairs if it was taken back or holds unrelated ones."""
    result, points = state.result(), state.answer(chart)["selection"]["points"]
    if result is None or not points:
        state.set_listing(bar=None, unrelated=False, page=0)
        return
    drawn = audit_figures.matched_over_floor(result.audit)
    panel, low, high, matched = bar_of(drawn, points[0]["curve_number"], points[0]["point_index"])
    if not matched:
        state.set_listing(bar=None, unrelated=True, page=0)
        return
    reading = get_args(ReadingName)[panel]
    state.set_answer("rows_reading", reading)
    bar = Bar(result=result.key, reading=reading, low=low, high=high)
    state.set_listing(bar=bar, unrelated=False, reading=reading, page=0)


def _choose_from_list(reading: ReadingName) -> None:
    """List the pairs of a bar that was chosen by its cosines: the way without a mouse."""
    result, chosen = state.result(), state.answer("rows_bar")
    if result is not None and chosen is not None:
        bar = Bar(result=result.key, reading=reading, low=chosen[0], high=chosen[1])
        state.set_listing(bar=bar, unrelated=False, page=0)


def _show_all() -> None:
    state.set_listing(bar=None, page=0, charts=state.listing().charts + 1)


def _rows(
    audit: Audit,
    page: Listing,
    reading: ReadingName,
    listed: NDArray[np.intp] | None,
    texts: dict[LabelSide, tuple[str, ...]],
    *,
    start: int,
    length: int,
) -> WorstRows:
    """Some of the listed pairs, in order."""
    if audit.rows is None:
        raise AssertionError("the card is drawn only with rows")
    scores = audit.rows.raw if reading == "raw" or audit.rows.centred is None else audit.rows.centred
    pairs = worst_pairs(scores, count=length, order=page.order, start=start, rows=listed)
    return WorstRows(
        audit=audit, reading=reading, order=page.order, pairs=pairs, texts_a=texts["a"], texts_b=texts["b"]
    )


def _table(listing: partial[WorstRows], page: Listing, total: int) -> None:
    start = min(page.page, max(0, (total - 1) // page.size)) * page.size
    shown = listing(start=start, length=page.size)
    if total:
        draw_table(rows_table(shown))
    st.markdown(escaped(rows_legend(shown.audit)))
    with st.container(horizontal=True, vertical_alignment="center", key="rows_pages"):
        _turn("Previous", start // page.size - 1, disabled=start == 0)
        end = min(start + page.size, total)
        st.markdown(f"{count(start + 1 if total else 0)} to {count(end)} of {count(total)}", width="content")
        _turn("Next", start // page.size + 1, disabled=end >= total)
        st.download_button(
            "Download .csv",
            lambda: rows_csv(listing(start=0, length=total)),
            file_name="cosine_floor_rows.csv",
            mime="text/csv",
            on_click="ignore",
            key="download_rows",
            icon=":material/download:",
            disabled=total == 0,
        )


def _turn(label: str, page: int, *, disabled: bool) -> None:
    st.button(label, key=f"rows_{label.lower()}", on_click=state.set_listing, kwargs={"page": page}, disabled=disabled)
