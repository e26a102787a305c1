"""Method page: for every number its question, its formula and its source."""

import streamlit as st

from app.widgets.method import glossary, methods

st.title("Method", anchor=False)
st.markdown("Every number on the page: the question it answers, its formula, and where it comes from.")
methods()
glossary()
st.page_link("views/audit.py", label="Back to the audit", icon=":material/arrow_back:")
