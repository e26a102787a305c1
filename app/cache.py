"""The only module that caches: what one process or one open page has exactly one of.

No array is ever a cache key: Streamlit hashes large arrays by sampling, so that two
different matrices can share one. Results live in the state of their page.
"""

from __future__ import annotations

import streamlit as st

from app import environment
from app.demo import ENCODERS
from app.jobs import Runner, Tab
from app.warm_up import warm_up
from core import read_array
from core.data_folder import DataFolder
from core.demo import Comparison, compare

#: Seconds a list of local files stands: each rerun asks four times, and a walk takes a while.
_LIST_SECONDS = 5.0


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """The runner of this process; all pages share it."""
    return Runner(at_once=environment.jobs_at_once(), workers=environment.workers(), first=warm_up)


@st.cache_resource(scope="session", on_release=Tab.close, show_spinner=False)
def tab() -> Tab:
    """The mark of this open page; Streamlit closes it when the page goes."""
    return Tab()


@st.cache_resource(ttl=_LIST_SECONDS, show_spinner=False)
def listed_files(_folder: DataFolder, root: str) -> tuple[str, ...]:
    """The files of a data folder; `root` tells one folder from another."""
    return _folder.names()


@st.cache_resource(show_spinner=False)
def demo_scores(encoder: str) -> Comparison:
    """All scores of a shipped encoder, 2.6 MB each, once for all pages of this process."""
    a, b = (read_array(path, path.name).array for path in ENCODERS[encoder].files)
    return compare(a, b)
