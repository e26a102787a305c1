"""The pages, in menu order. A new page is one script in views/ and one row here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).parent / "views"

#: A file, not a ":material/…:" name: that one makes the browser fetch a font from the net.
ICON = str(Path(__file__).parent / "icon.png")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One row of the menu; the name of the script also gives the page its address."""

    script: str
    title: str
    icon: str

    def as_streamlit(self) -> st.Page:
        """The same page for `st.navigation`; the first row of `PAGES` opens first."""
        return st.Page(
            _FOLDER / self.script,
            title=self.title,
            icon=self.icon,
            url_path=self.script.removesuffix(".py"),
            default=self is PAGES[0],
        )


PAGES = (
    Page(script="audit.py", title="Audit", icon=":material/align_vertical_bottom:"),
    Page(script="demo.py", title="Why 0.9 means little", icon=":material/shuffle:"),
    Page(script="two_models.py", title="Two models", icon=":material/join_inner:"),
    Page(script="conditions.py", title="Conditions", icon=":material/compare_arrows:"),
    Page(script="method.py", title="Method", icon=":material/menu_book:"),
)
