"""Two models page: rows of two encoders, read after a map fitted on other rows."""

import streamlit as st

from app import state
from app.widgets.local_files import folder_word
from app.widgets.slot import roomy_boxes, slot
from app.widgets.two_models_inputs import header, keep_in_mind, train_rows, two_models_bar, two_models_form
from app.widgets.two_models_results import two_models_results, what_it_shows

header()

roomy_boxes()
left, right = st.columns(2)
with left:
    slot("a", "**Drop A here**: the items as the first model encodes them")
with right:
    slot("b", "**Drop B here**: row i is the item of row i of A, by the second model")
keep_in_mind()
folder_word()

train_rows()
two_models_form()
two_models_bar()

finished = state.two_models_result()
if finished is not None:
    two_models_results(finished)
else:
    what_it_shows()
st.page_link("views/method.py", label="How every number is computed", icon=":material/menu_book:")
