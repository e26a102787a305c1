"""Texts beside the rows: a file of labels for each side, given for the file it is about."""

from __future__ import annotations

import streamlit as st

from app import ingest, spool, state
from app.pair_listing import LabelSide
from app.places import BoxName
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from core import Audit, AuditError
from core.formats.labels import Labels, read_labels
from core.limits import MAX_LABEL_BYTES
from core.report.names import shown_name
from core.report.numbers import count

__all__ = ["pair_texts", "texts_box"]

_TYPES = ["txt", "csv", "json"]

_SIDES: tuple[LabelSide, ...] = ("a", "b")

_BOXES: dict[LabelSide, BoxName] = {"a": "labels_a", "b": "labels_b"}

#: Characters of the first text that its card shows.
_FIRST_CHARS = 60


def pair_texts(audit: Audit) -> dict[LabelSide, tuple[str, ...]]:
    """The texts of each side that belong to the files of this result."""
    texts: dict[LabelSide, tuple[str, ...]] = {"a": (), "b": ()}
    for side in _SIDES:
        held = state.listing().labels(side, _sha256(audit, side))
        if held is not None:
            with caught(_refuse):  # the same file read in another way has another number of rows
                texts[side] = held.for_rows(_rows(audit))
    return texts


def texts_box(audit: Audit) -> None:
    """Draw the boxes for both sides, and why the newest file was refused."""
    problem = state.listing().problem
    with st.expander("Texts beside the rows", icon=":material/label:", key="rows_labels", expanded=bool(problem)):
        st.markdown(
            "One text for each row of a file, in its order and in UTF-8: a line each (.txt; blank lines count), "
            "one column (.csv), or a list of strings (.json)."
        )
        if problem:
            st.error(escaped(problem), icon=":material/error:")
        if _is_example(audit):
            st.button(
                "Use the example's own texts", key="example_texts", on_click=_take_example, icon=":material/science:"
            )
        for column, side in zip(st.columns(2), _SIDES, strict=True):
            with column:
                _box(side, audit)


def _box(side: LabelSide, audit: Audit) -> None:
    held = state.listing().labels(side, _sha256(audit, side))
    if held is None:
        if state.listing().outdated(side, _sha256(audit, side)):
            st.markdown(f"The texts given before were for another file on side {side.upper()}.")
        st.file_uploader(
            f"Texts of {side.upper()}",
            type=_TYPES,
            key=state.drop_key(_BOXES[side]),
            on_change=_take,
            args=(side,),
            max_upload_size=MAX_LABEL_BYTES // 2**20,
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"labels_card_{side}"):
        st.markdown(f"**{side.upper()}**", width="content")
        st.text(shown_name(held.name))
        st.button("Remove", key=f"remove_labels_{side}", on_click=_take_out, args=(side,), type="tertiary")
    st.markdown(escaped(_first(held, _rows(audit))))


def _first(held: Labels, n: int) -> str:
    """Which text stands beside row 0, so that a list that is shifted is seen."""
    first = held.texts[len(held.texts) - n] if len(held.texts) >= n else ""
    cut = first if len(first) <= _FIRST_CHARS else f"{first[: _FIRST_CHARS - 1]}…"
    return f"{count(n)} texts; row 0 is “{shown_name(cut)}”."


def _take(side: LabelSide) -> None:
    dropped, result = state.take_dropped(_BOXES[side]), state.result()
    if dropped is None or result is None:
        return
    try:
        with caught(_refuse):
            _keep(side, read_labels(dropped.getvalue(), dropped.name), result.audit)
    finally:
        spool.drop_upload(dropped.file_id)


def _take_example() -> None:
    result = state.result()
    if result is not None:
        for side in _SIDES:
            path = ingest.EXAMPLE_TEXTS[side]
            _keep(side, read_labels(path, path.name), result.audit)


def _keep(side: LabelSide, labels: Labels, audit: Audit) -> None:
    """Use these texts for the file that is on this side now; refuse them where they are too few or too many."""
    labels.for_rows(_rows(audit))
    state.set_listing(**{f"labels_{side}": labels, f"for_{side}": _sha256(audit, side)}, problem="")


def _take_out(side: LabelSide) -> None:
    state.set_listing(**{f"labels_{side}": None}, problem="")


def _is_example(audit: Audit) -> bool:
    """True while the example's files are in use, are those of the result, and have no texts yet."""
    page = state.listing()
    lacking = [side for side in _SIDES if page.labels(side, _sha256(audit, side)) is None]
    return state.shows_example() and bool(lacking) and all(_in_use(side) == _sha256(audit, side) for side in _SIDES)


def _in_use(side: LabelSide) -> str:
    """SHA-256 of the file on a side now, whatever the result is of."""
    found = state.slot(side).found
    return "" if found is None else found.loaded.sha256


def _sha256(audit: Audit, side: LabelSide) -> str:
    return audit.a.sha256 if side == "a" else audit.b.sha256


def _rows(audit: Audit) -> int:
    """Rows of the files, those left out among them."""
    return audit.a.shape[0]


def _refuse(error: AuditError) -> None:
    state.set_listing(problem=sentence(error))
