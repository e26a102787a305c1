"""The select of the files of the data folder: one widget for every place a file can be opened from there."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import local_folder
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from core import AuditError
from core.report.names import visible

__all__ = ["local_files"]


def local_files(box: str, place: str, take: Callable[..., None]) -> None:
    """Offer the files of the data folder, where there is one.

    Parameters
    ----------
    box
        Key of the upload box beside it; a new box has a new select.
    place
        Where the file goes.
    take
        Called with the place and the key of the select when a file is chosen.
    """
    if not local_folder.is_on():
        return
    widget = f"local_{box}"
    with caught(_show):
        st.selectbox(
            "Or open a file of the data folder in place",
            local_folder.names(),
            index=None,
            format_func=visible,
            placeholder="Choose a file",
            key=widget,
            on_change=take,
            args=(place, widget),
        )


def _show(error: AuditError) -> None:
    st.error(escaped(sentence(error)), icon=":material/error:")
