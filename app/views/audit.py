"""Audit page: two files in, one comparison out."""

import streamlit as st

from app import state
from app.widgets import settings, welcome
from app.widgets.results import results
from app.widgets.run_bar import run_bar
from app.widgets.slot import slot

welcome.header()

left, right = st.columns(2)
with left:
    slot("a", "**A**: one side of the comparison, an array of one row per item")
with right:
    slot("b", "**B**: the other side, row by row the partners of A")
welcome.keep_in_mind()

settings.panel()
settings.bad_rows()
run_bar()

finished = state.result()
if finished is not None:
    results(finished)
else:
    welcome.what_you_get()
