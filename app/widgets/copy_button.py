"""A button that copies text, also where the browser's clipboard interface is missing.

`st.code` has a button of its own, but it fails silently over plain http on a host that
is not localhost: browsers offer `navigator.clipboard` only in secure contexts.
"""

from __future__ import annotations

import streamlit as st

__all__ = ["copy_button"]

_HTML = "<button type='button'>Copy</button><span role='status' aria-live='polite'></span>"

_CSS = """
:host, div { display: flex; align-items: center; }
button {
  font: inherit; font-size: .875rem; color: var(--st-text-color); background: transparent; cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, var(--st-base-radius));
  min-height: 2.5rem; padding: .25rem .75rem; white-space: nowrap;
}
button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
span { margin-left: .5rem; font-size: .875rem; color: var(--st-text-color); }
"""

_JS = """
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector('button');
  const status = parentElement.querySelector('[role=status]');
  button.textContent = data.label;
  status.textContent = '';
  button.onclick = async () => {
    let copied = false;
    try {
      await navigator.clipboard.writeText(data.text);
      copied = true;
    } catch (_) {  // not a secure context: the old way still works on a click
      const area = document.createElement('textarea');
      area.value = data.text;
      area.style.position = 'fixed';
      area.style.opacity = '0';
      document.body.appendChild(area);
      area.select();
      try { copied = document.execCommand('copy'); } catch (_) { copied = false; }
      area.remove();
    }
    status.textContent = copied ? 'Copied' : 'Select the text below and press Ctrl+C';
  };
}
"""

_component = st.components.v2.component("copy_button", html=_HTML, css=_CSS, js=_JS)


def copy_button(label: str, text: str, *, key: str) -> None:
    """Draw the button; `text` goes to the clipboard as it is."""
    _component(data={"label": label, "text": text}, key=key)
