"""Audit page: two files in, one comparison out."""

import streamlit as st

from app import state
from app.widgets import settings, welcome
from app.widgets.bad_rows import bad_rows
from app.widgets.link_card import link_card
from app.widgets.local_files import folder_word
from app.widgets.results import results
from app.widgets.run_bar import run_bar
from app.widgets.slot import roomy_boxes, slot

welcome.header()
link_card()

roomy_boxes()
left, right = st.columns(2)
with left:
    slot("a", "**Drop A here**: one row for each item")
with right:
    slot("b", "**Drop B here**: row i belongs with row i of A")
welcome.keep_in_mind()
folder_word()

settings.panel()
bad_rows("audit")
run_bar()

finished = state.result()
if finished is not None:
    results(finished)
else:
    welcome.what_you_get()
st.page_link("views/method.py", label="How every number is computed", icon=":material/menu_book:")
