"""The only module that caches: what one process or one open page has exactly one of.

No array is ever a cache key: Streamlit hashes large arrays by sampling, so that two
different matrices can share one. Results live in the state of their page.
"""

from __future__ import annotations

import streamlit as st

from app.jobs import Runner, Tab


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """The runner of this process; all pages share it."""
    return Runner()


@st.cache_resource(scope="session", on_release=Tab.close, show_spinner=False)
def tab() -> Tab:
    """The mark of this open page; Streamlit closes it when the page goes."""
    return Tab()
