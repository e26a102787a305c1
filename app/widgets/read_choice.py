"""The select for a file that can be read in more than one way: one widget for every place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.widgets.guard import sentence
from app.widgets.plain import escaped
from core import ChoiceNeeded
from core.report.names import shown_name

__all__ = ["read_choice"]

_ASKED = {
    "key": "Array to read",
    "columns": "Columns that hold the vectors",
    "layer": "Layer, counting from 0",
    "read_as": "Read the numbers as",
}


def read_choice(
    asked: ChoiceNeeded, widget: str, choose: Callable[..., None], args: tuple[Any, ...], *, chosen: object = None
) -> None:
    """Ask how a file is to be read.

    Parameters
    ----------
    asked
        What its owner must say.
    widget
        Key of the select.
    choose, args
        Called with these, and the key, when something is chosen.
    chosen
        What is in use, or `None`.
    """
    options = list(asked.options)
    if chosen is not None and str(chosen) not in options:
        options.append(str(chosen))  # typed in
    if chosen is None:
        st.markdown(f":blue[:material/help:] {escaped(sentence(asked))}")
    st.selectbox(
        _ASKED.get(asked.choice, "Read it as"),
        options,
        index=None if chosen is None else options.index(str(chosen)),
        accept_new_options=asked.choice == "columns",
        format_func=shown_name,
        placeholder="Choose one",
        key=widget,
        on_change=choose,
        args=(*args, widget),
    )
