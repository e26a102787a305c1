"""Rows in another order, or in other axes: what to take away, or where to go."""

from __future__ import annotations

import streamlit as st

from app.widgets.plain import escaped
from core import Audit
from core.output import npy_bytes
from core.report.names import shown_name

__all__ = ["pairing_card"]


def pairing_card(audit: Audit) -> None:
    """The order that pairs the rows, and the way to Two models; nothing where neither is called for."""
    order = None if audit.pairing is None else audit.pairing.pairing_order
    if order is not None:
        a, b = escaped(shown_name(audit.a.name)), escaped(shown_name(audit.b.name))
        with st.container(border=True, key="pairing_card"):
            st.markdown("**The order that pairs the rows**")
            st.markdown(f"Row i of {a} goes with row `order[i]` of {b}, counted from 0: `b[order]` is paired with `a`.")
            st.download_button(
                "Download the order (.npy)",
                npy_bytes(order),
                file_name="order.npy",
                mime="application/octet-stream",
                icon=":material/download:",
                key="order_download",
                on_click="ignore",
            )
    if audit.alarm.strength in ("strong", "weak"):
        st.page_link("views/two_models.py", label="Read these files on Two models", icon=":material/compare_arrows:")
