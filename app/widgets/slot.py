"""One place for a file: a box to drop it in, then a card that says what it holds."""

from __future__ import annotations

import zlib

import streamlit as st

from app import ingest, state
from app.places import Question, SideName
from app.state import Work
from app.widgets.input_card import card
from app.widgets.local_files import changed_file, local_files
from app.widgets.plain import escaped
from app.widgets.read_choice import read_choice
from core.limits import MAX_TEXT_BYTES, MAX_UPLOAD_MB
from core.prose import agreed

__all__ = ["SIDE_TITLES", "missing_files", "roomy_boxes", "size_rule", "slot", "upload_limit_mb"]

SIDE_TITLES: dict[SideName, str] = {
    "a": "A",
    "b": "B",
    "fit_a": "Fit A",
    "fit_b": "Fit B",
    "train_a": "Train A",
    "train_b": "Train B",
}


def missing_files(work: Work) -> str:
    """What has to be given before a run, as a sentence; empty if nothing is missing."""
    empty = [here for here in (state.slot("a"), state.slot("b")) if here.found is None]
    if empty and all(here.questions for here in empty):
        return "Say how to read the file in question first."
    if empty:
        return "Drop a file on A and one on B first."
    changed = [SIDE_TITLES[side] for side in state.changed(work)]
    if not changed:
        return ""
    what, them = (agreed(len(changed), *words) for words in (("was", "were"), ("it", "them")))
    return f"{' and '.join(changed)} {what} changed: open {them} again first."


def roomy_boxes() -> None:
    """Make the two main boxes large enough to drop on without aiming.

    The one rule of our own: Streamlit offers no height for an upload box. It hangs on the
    `key=` classes that Streamlit documents, not on its inner names.
    """
    st.html(
        "<style>[class*='st-key-drop_a'] section, [class*='st-key-drop_b'] section"
        " { min-height: 8rem; align-items: center; }</style>"
    )


def upload_limit_mb() -> int:
    """Largest file in MB: what the server lets through, never more than the core takes."""
    return min(MAX_UPLOAD_MB, int(st.get_option("server.maxUploadSize")))


def size_rule() -> str:
    """How large a file may be, in words; numbers written as text take far more memory than the file."""
    most, text = upload_limit_mb(), MAX_TEXT_BYTES // 2**20
    return f"up to {most:,} MB each" + (f" (text, as in .json and .csv, up to {text:,} MB)" if text < most else "")


def slot(side: SideName, label: str) -> None:
    """Draw one place.

    Parameters
    ----------
    side
        Which of the places.
    label
        What to drop there, shown over the box.
    """
    here = state.slot(side)
    with st.container(border=True, key=f"slot_{side}", height="stretch"):
        if here.found is not None:
            card(side, SIDE_TITLES[side], here.found)
        if here.changed:
            changed_file((here.found,), side, ingest.open_again, (side,))
        if here.found is None or here.replacing:
            _box(side, label)
        for question in here.questions:
            _choice(side, question)
        if here.problem:
            _problem(here.problem)


def _box(side: SideName, label: str) -> None:
    st.file_uploader(
        label,
        key=state.drop_key(side),
        on_change=ingest.take,
        args=(side,),
        max_upload_size=upload_limit_mb(),
    )
    local_files(state.drop_key(side), side, ingest.take_local)
    if state.slot(side).replacing:
        st.button(
            "Keep the present file",
            key=f"keep_{side}",
            on_click=ingest.keep,
            args=(side,),
            type="tertiary",
            icon=":material/undo:",
        )


def _problem(text: str) -> None:
    st.error(escaped(text), icon=":material/error:")


def _choice(side: SideName, question: Question) -> None:
    """The select for a file that can be read in more than one way."""
    field = question.asked.choice
    before = zlib.crc32(repr(question.choices).encode())  # another array has layers of its own
    widget = f"choice_{side}_{field}_{before:x}_{state.drop_key(side)}"
    read_choice(question.asked, widget, ingest.choose, (side, field), chosen=question.answer)
