"""Entry script: ``streamlit run app/main.py``.

Streamlit puts *this folder* on the import path, not the project's root, so the root
goes first here. No other file may touch `sys.path`.
"""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st

from app import conditions, environment, run
from app.registry import ICON, PAGES
from app.widgets.guard import caught, sentence
from app.widgets.look import look
from core.sweep.workers import workers

st.set_page_config(page_title="Cosine Floor", page_icon=ICON, layout="wide")
look()
with caught(lambda error: (st.error(sentence(error)), st.stop())):
    environment.refuse_unusable()
run.keep_alive()
conditions.keep_alive()
with workers(environment.workers()):  # so that the time a page expects is that of its jobs
    st.navigation([page.as_streamlit() for page in PAGES], position="top").run()
