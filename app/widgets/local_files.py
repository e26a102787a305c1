"""Files of the data folder: the select they are opened with, and what is said where they cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from app import local_folder
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from core import AuditError, Inspection
from core.report.names import visible
from core.unchanged import refuse_changed

__all__ = ["changed_file", "folder_word", "local_files"]


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


def changed_file(
    found: Iterable[Inspection | None], place: str, open_again: Callable[..., None], args: tuple[Any, ...]
) -> None:
    """A file that was written to since: no result is made from it, or passes for its, until it is opened again.

    Parameters
    ----------
    found
        What was read from it.
    place
        End of the key of the button.
    open_again, args
        Called with these when the button is pressed.
    """
    with caught(_show):
        refuse_changed(found)
    st.button(
        "Open it again", key=f"open_again_{place}", on_click=open_again, args=args, icon=":material/refresh:"
    )


def _offered() -> tuple[str, ...]:
    """The files to choose from; none where the folder cannot be read, which `folder_word` says."""
    if local_folder.is_on():
        with caught(lambda error: None):
            return local_folder.names()
    return ()


def _show(error: AuditError) -> None:
    st.error(escaped(sentence(error)), icon=":material/error:")
