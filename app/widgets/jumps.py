"""Links to the parts of a long page, by the key that each part is drawn under.

Streamlit gives names only to headings, and parts here are cards. A link scrolls to its card,
moves the focus there, so that the keyboard goes on from that place, and opens a tab of it
where the part is one. The address stays as it is: it may hold a shared link.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import streamlit as st

__all__ = ["Jump", "jumps"]

_HTML = "<nav></nav>"

_CSS = """
nav { display: flex; flex-wrap: wrap; gap: .125rem 1.25rem; }
a {
  color: var(--st-link-color); font-size: .875rem; line-height: 1.5rem; padding: .125rem 0;
  text-decoration: underline; text-underline-offset: .2em;
}
a:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; border-radius: .125rem; }
"""

_JS = """
const go = ({ part, tab }) => {
  const card = document.querySelector(`.st-key-${part}`);
  if (!card) return;
  const tabs = [...card.querySelectorAll('[role=tab]')];
  const chosen = tabs.find((one) => one.textContent.trim() === tab);
  if (chosen) chosen.click();
  else card.tabIndex = -1;
  setTimeout(() => {  // once the tab has its own height
    (chosen ?? card).focus({ preventScroll: true });
    card.scrollIntoView({ block: 'start' });
  }, chosen ? 100 : 0);
};
export default function ({ parentElement, data }) {
  const nav = parentElement.querySelector('nav');
  nav.setAttribute('aria-label', data.label);
  nav.replaceChildren(...data.jumps.map((jump) => {
    const link = document.createElement('a');
    link.href = `#${jump.part}`;
    link.textContent = jump.name;
    link.onclick = (event) => { event.preventDefault(); go(jump); };
    return link;
  }));
}
"""

_component = st.components.v2.component("jumps", html=_HTML, css=_CSS, js=_JS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A link: its words, the key of the container it leads to, and the tab to open there, if any."""

    name: str
    part: str
    tab: str = ""


def jumps(label: str, links: tuple[Jump, ...], *, key: str) -> None:
    """Draw the links in a row that wraps; `label` names the row to screen readers."""
    _component(data={"label": label, "jumps": [asdict(link) for link in links]}, key=key)
