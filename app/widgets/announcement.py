"""One line that says what just happened, also to a screen reader.

Room for two lines is kept (five on a phone), so that a longer sentence moves nothing.
Streamlit redraws a text without telling anyone; this line stays in place and is a live
region, so that its new words are read out when they change.
"""

from __future__ import annotations

import streamlit as st

__all__ = ["announcement"]

_HTML = "<p role='status' aria-live='polite' aria-atomic='true'></p>"

_CSS = """
p {
  margin: 0; padding: .6rem 1rem; font-size: 1.125rem; line-height: 1.4; color: var(--st-text-color);
  background: var(--st-secondary-background-color); border-left: .3rem solid var(--st-primary-color);
  border-radius: var(--st-base-radius); box-sizing: border-box;
  min-height: calc(2.8em + 1.2rem); display: flex; align-items: center;
}
@media (max-width: 640px) { p { font-size: 1rem; min-height: calc(7em + 1.2rem); } }
"""

_JS = """
export default function ({ parentElement, data }) {
  const line = parentElement.querySelector('[role=status]');
  if (line.textContent !== data.text) line.textContent = data.text;
}
"""

_component = st.components.v2.component("announcement", html=_HTML, css=_CSS, js=_JS)


def announcement(text: str, *, key: str) -> None:
    """Show the text as it is, no Markdown; read out whenever it changes."""
    _component(data={"text": text}, key=key)
