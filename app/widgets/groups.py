"""The place for ids of groups: which pairs belong together."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import ingest, state
from app.widgets.plain import escaped
from app.widgets.slot import upload_limit_mb
from app.widgets.terms import tooltip
from core.group_ids import GroupIds
from core.report.names import shown_name
from core.report.numbers import count

__all__ = ["groups_box"]


def groups_box() -> None:
    """Draw the box, or what it holds."""
    place = state.groups()
    with st.container(border=True, key="groups_card", height="stretch"):
        if place.found is None:
            st.file_uploader(
                "Groups: one id a row (optional)",
                key=state.drop_key("groups"),
                on_change=ingest.take_groups,
                max_upload_size=upload_limit_mb(),
                help=tooltip("group"),
            )
        else:
            st.markdown(f"**Groups** {escaped(_held(place.found))}", help=tooltip("group"))
            st.button(
                "Remove the groups",
                key="remove_groups",
                on_click=ingest.take_out_groups,
                type="tertiary",
                icon=":material/close:",
            )
        if place.problem:
            st.error(escaped(place.problem), icon=":material/error:")


def _held(ids: GroupIds) -> str:
    values = ids.values[1:] if ids.heading else ids.values
    below = " below a heading" if ids.heading else ""
    return f"{shown_name(ids.name)}: {count(len(values))} ids{below}, {count(len(np.unique(values)))} different"
