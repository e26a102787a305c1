"""Which rows: the pairs one by one, worst first, a page at a time."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import spool, state
from app.pair_listing import PAGE_SIZES, Bar, LabelSide, Listing
from app.places import BoxName
from app.plots.histograms import bar_of
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from app.widgets.tables import draw_table
from app.widgets.terms import tooltip
from core import Audit, AuditError
from core.claim_review import ReadingName
from core.claims import pairs_between, worst_pairs
from core.formats.labels import read_labels
from core.limits import MAX_LABEL_BYTES
from core.report import audit_figures
from core.report.names import shown_name
from core.report.numbers import count, fixed
from core.report.rows_document import ORDERS, WorstRows, rows_csv, rows_legend, rows_table

__all__ = ["choose_bar", "pair_list"]

_LABEL_TYPES = ["txt", "csv", "json"]
_BOXES: dict[LabelSide, BoxName] = {"a": "labels_a", "b": "labels_b"}


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
        texts: dict[LabelSide, tuple[str, ...]] = {"a": (), "b": ()}
        for side in texts:
            with caught(_show):
                held = page.labels(side)
                texts[side] = held.for_rows(audit.a.shape[0]) if held is not None else ()
        listing = partial(_rows, audit, page, reading, listed, texts)
        _table(listing, page, audit.n if listed is None else len(listed))
        _labels()


def _controls(audit: Audit) -> None:
    kept = state.listing()
    reading, order, size = st.columns([1, 1.6, 1], vertical_alignment="bottom")
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
    state.set_listing(**{field: state.answer(f"rows_{field}")}, page=0)


def _of_bar(result: state.Result, page: Listing, reading: ReadingName) -> NDArray[np.intp] | None:
    """The pairs of the bar that was clicked; `None` for all."""
    bar, rows = page.bar, result.audit.rows
    if rows is None or bar is None or bar.result != result.key or bar.reading != reading:
        st.markdown("All pairs. Click a bar of the histograms above, and only the matched pairs in it are listed.")
        return None
    scores = rows.raw if reading == "raw" or rows.centred is None else rows.centred
    listed = pairs_between(scores.own, bar.low, bar.high)
    with st.container(horizontal=True, vertical_alignment="center"):
        pairs = "1 matched pair" if len(listed) == 1 else f"{count(len(listed))} matched pairs"
        st.markdown(
            f"{pairs} with a {reading} cosine from {fixed(bar.low, 3)} to below {fixed(bar.high, 3)}.", width="content"
        )
        st.button("Show all pairs", key="rows_all", on_click=_show_all, icon=":material/close:")
    return listed


def choose_bar() -> None:
    """List the matched pairs of the bar just clicked, or all of them where the click was taken back."""
    result, points = state.result(), state.answer("histograms")["selection"]["points"]
    if result is None or not points:
        _show_all()
        return
    drawn = audit_figures.matched_over_floor(result.audit)
    panel, low, high = bar_of(drawn, points[0]["curve_number"], points[0]["point_index"])
    reading = get_args(ReadingName)[panel]
    state.set_answer("rows_reading", reading)
    state.set_listing(bar=Bar(result=result.key, reading=reading, low=low, high=high), reading=reading, page=0)


def _show_all() -> None:
    state.set_listing(bar=None, page=0)


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


def _labels() -> None:
    page = state.listing()
    with st.expander("Texts beside the rows", icon=":material/label:", key="rows_labels"):
        st.markdown(
            "One text for each row of a file, in its order: a line each (.txt), one column (.csv), or a list of "
            "strings (.json)."
        )
        if page.problem:
            st.error(escaped(page.problem), icon=":material/error:")
        sides: tuple[LabelSide, ...] = ("a", "b")
        for column, side in zip(st.columns(2), sides, strict=True):
            with column:
                _label_box(side, page)


def _label_box(side: LabelSide, page: Listing) -> None:
    held = page.labels(side)
    if held is None:
        st.file_uploader(
            f"Texts of {side.upper()}",
            type=_LABEL_TYPES,
            key=state.drop_key(_BOXES[side]),
            on_change=_take_labels,
            args=(side,),
            max_upload_size=MAX_LABEL_BYTES // 2**20,
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"labels_card_{side}"):
        st.markdown(f"**{side.upper()}**", width="content")
        st.text(shown_name(held.name))
        st.button("Remove", key=f"remove_labels_{side}", on_click=_take_out, args=(side,), type="tertiary")


def _take_labels(side: LabelSide) -> None:
    dropped = state.take_dropped(_BOXES[side])
    if dropped is None:
        return
    try:
        with caught(_refuse):
            labels = read_labels(dropped.getvalue(), dropped.name)
            state.set_listing(**{f"labels_{side}": labels}, problem="")
    finally:
        spool.drop_upload(dropped.file_id)


def _take_out(side: LabelSide) -> None:
    state.set_listing(**{f"labels_{side}": None}, problem="")


def _refuse(error: AuditError) -> None:
    state.set_listing(problem=sentence(error))


def _show(error: AuditError) -> None:
    st.error(escaped(sentence(error)), icon=":material/error:")
