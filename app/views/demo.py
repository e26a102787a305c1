"""Demo page: why 0.9 means little, on shipped embeddings and for a room."""

import streamlit as st

from app.widgets import demo

demo.large_type()
st.title("Why 0.9 means little", anchor=False)
demo.claim()
demo.controls()
demo.what_happened()
demo.figures()
demo.lesson()
st.page_link("views/audit.py", label="Audit your own two files", icon=":material/arrow_forward:")
