"""The select of the files of the data folder: one widget for every place a file can be opened from there."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import local_folder
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from core import AuditError
from core.report.names import visible

__all__ = ["folder_word", "local_files"]


def folder_word() -> None:
    """Say, once a page, why the data folder offers nothing; nothing where it does or where there is none."""
    if not local_folder.is_on():
        return
    with caught(_show):
        if not local_folder.names():
            st.info("The data folder holds no file of a kind that is read.", icon=":material/folder_off:")


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
    names = _offered()
    if not names:
        return
    widget = f"local_{box}"
    st.selectbox(
        "Or open a file of the data folder in place",
        names,
        index=None,
        format_func=visible,
        placeholder="Choose a file",
        key=widget,
        on_change=take,
        args=(place, widget),
    )


def _offered() -> tuple[str, ...]:
    """The files to choose from; none where the folder cannot be read, which `folder_word` says."""
    if local_folder.is_on():
        with caught(lambda error: None):
            return local_folder.names()
    return ()


def _show(error: AuditError) -> None:
    st.error(escaped(sentence(error)), icon=":material/error:")
