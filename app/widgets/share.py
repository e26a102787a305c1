"""The link that lets somebody else repeat a result, beside its table."""

from __future__ import annotations

import streamlit as st

from app import shared_link
from app.state import Result
from app.widgets.copy_button import copy_button
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from core import AuditError

__all__ = ["share_card"]


def share_card(result: Result) -> None:
    """What the link carries, the button that copies it, and the link to read."""
    with st.container(border=True, key="share_card"):
        st.markdown("**Share and reopen**")
        with caught(_refuse):
            link = shared_link.link_to(result)
            st.markdown(
                "A link to this result. It carries the settings and the fingerprint (SHA-256) of each file, and how a "
                "file was read where that had to be chosen; no rows, no file names, no folders. Whoever opens it is "
                "asked for the same files, and the page checks that they are."
            )
            if shared_link.only_here():
                st.markdown(
                    ":blue[:material/info:] This address works only on a computer where Cosine Floor is running. For "
                    "somebody who uses it at another address, put that one in place of what stands before the question "
                    "mark."
                )
            copy_button("Copy the link", link, key="copy_link")
            st.code(link, language=None, wrap_lines=True)


def _refuse(error: AuditError) -> None:
    st.markdown(f":orange[:material/warning:] **No link.** {escaped(sentence(error))}")
