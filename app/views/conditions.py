"""Conditions page: several precisions, runtimes, seeds or layers on the same items."""

import streamlit as st

from app.widgets.conditions_files import files, header
from app.widgets.conditions_results import results
from app.widgets.conditions_settings import run_bar, settings

header()
files()
settings()
run_bar()
results()
st.page_link("views/method.py", label="How every number is computed", icon=":material/menu_book:")
