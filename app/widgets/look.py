"""What no parameter of Streamlit sets.

Where the focus shows, how far below the menu a part ends up, what size a headline has. Rules
name elements and our own keys, never Streamlit's classes or test ids.
"""

from __future__ import annotations

import streamlit as st

__all__ = ["look"]


def look() -> None:
    """Give the page its style; a block of style alone takes no room."""
    st.html(
        """<style>
:root a:any-link:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: .25rem; }
[class*="st-key-"] { scroll-margin-top: 4.5rem; }
:root :is(h1, h2, h3) a:focus-visible { opacity: 1; }
:root [class*="st-key-"][tabindex="-1"]:focus-visible { outline: 2px solid #3B6FD8; outline-offset: 2px; }
.st-key-headline p { font-size: 1.25rem; line-height: 1.4; font-weight: 600; }
</style>"""
    )
