"""The result of a comparison of conditions, in the order a reader needs it."""

from __future__ import annotations

import streamlit as st

from app import state
from app.plots.differences import difference_plot, differences_alt
from app.plots.layers import layer_sweep, layers_alt
from app.plots.palette import CONFIG
from app.widgets.plain import escaped
from app.widgets.tables import table_card
from app.widgets.terms import tooltip
from core.comparison import Comparison
from core.report import Document, conditions_document

__all__ = ["results", "what_you_get"]

_YOU_GET = (
    (
        ":material/difference:",
        "A signed difference",
        "How much the gap changes from one condition to another, with its interval. Pairing the items makes it "
        "several times shorter than two separate intervals suggest.",
    ),
    (
        ":material/gavel:",
        "What can be said",
        "Separates, real but small, no larger than a margin declared beforehand, or underpowered: with the smallest "
        "difference that could have been seen.",
    ),
    (
        ":material/table_rows:",
        "A row for each",
        "Anisotropy, matched, floor, gap and partners found for every condition, seed or layer, under the same "
        "derangements.",
    ),
)


def results() -> None:
    """Draw everything a finished comparison says, or what there will be."""
    page = state.conditions()
    if page.result is None:
        what_you_get()
        return
    comparison = page.result.comparison
    words = conditions_document(comparison)
    if page.result.key != page.key:
        st.warning(
            "**From earlier inputs.** The files, names or settings above have changed since; "
            "compare again for a result that belongs to them.",
            icon=":material/history:",
        )
    _reading(words)
    _differences(comparison)
    if comparison.layers:
        _layers(comparison)
    table_card(words)


def what_you_get() -> None:
    """Three cards in place of a result."""
    st.subheader("What you get", anchor=False)
    for column, (icon, title, text) in zip(st.columns(3), _YOU_GET, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"{icon} **{title}**")
            st.markdown(text)


def _reading(words: Document) -> None:
    with st.container(border=True, key="reading"):
        st.subheader("The reading", anchor=False)
        with st.container(key="headline"):
            st.markdown(escaped(words.reading))
        if words.warning:
            st.markdown(f":orange[:material/warning:] {escaped(words.warning)}")
        for text in (*words.note, *words.notices):
            st.markdown(f":blue[:material/info:] {escaped(text)}")
        with st.expander("Methods, to paste", icon=":material/menu_book:"):
            st.text(words.methods)


def _differences(comparison: Comparison) -> None:
    with st.container(border=True, key="differences_card"):
        term = "paired interval" if len(comparison.seeds) == 1 else "crossed interval"
        st.markdown("**Signed differences of the gap, with 95% intervals**", help=tooltip(term))
        if comparison.settings.margin is not None:
            st.markdown(f"Shaded: up to the declared margin of {comparison.settings.margin:g}.")
        st.plotly_chart(
            difference_plot(comparison), key="differences", alt=differences_alt(comparison), config=CONFIG
        )


def _layers(comparison: Comparison) -> None:
    with st.container(border=True, key="layers_card"):
        st.markdown("**Layer by layer**", help=tooltip("anisotropy"))
        st.plotly_chart(layer_sweep(comparison), key="layers", alt=layers_alt(comparison), config=CONFIG)
