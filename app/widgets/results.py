"""The result of an audit, in the order a reader needs it."""

from __future__ import annotations

import streamlit as st

from app import state
from app.plots.gauge import anisotropy_gauge, gauge_alt
from app.plots.histograms import histograms_alt, matched_over_floor
from app.plots.palette import CONFIG
from app.plots.ranks import rank_bars, ranks_alt
from app.widgets.claim import claim_card
from app.widgets.pair_list import choose_bar, pair_list
from app.widgets.plain import escaped
from app.widgets.tables import table_card
from app.widgets.terms import tooltip
from core import Audit
from core.report import Document, document
from core.report.audit_document import CONVENTION, rank_scope
from core.report.numbers import fixed

__all__ = ["reading_card", "results", "stale"]


def results(result: state.Result) -> None:
    """Draw everything a finished audit says."""
    audit, words = result.audit, document(result.audit)
    if result.key != state.run_key():
        stale()
    reading_card(words)
    _overview(audit)
    _histograms(audit)
    claim_card(result)
    pair_list(result)
    table_card(words)


def stale() -> None:
    """Mark the result below as belonging to other files or settings."""
    st.warning(
        "**From earlier inputs.** The files or settings above have changed since; "
        "run again for a result that belongs to them.",
        icon=":material/history:",
    )


def reading_card(words: Document) -> None:
    """The result in one sentence, and what a reader must know beside it."""
    with st.container(border=True, key="reading"):
        st.subheader("The reading", anchor=False)
        st.markdown(f"##### {escaped(words.reading)}")
        if words.warning:
            st.markdown(f":orange[:material/warning:] {escaped(words.warning)}")
        for text in (*words.note, *words.notices):
            st.markdown(f":blue[:material/info:] {escaped(text)}")


def _overview(audit: Audit) -> None:
    first, second, third = st.columns([1, 1, 1.3])
    sides = (
        (first, "A", audit.anisotropy_a, audit.centred_anisotropy_a),
        (second, "B", audit.anisotropy_b, audit.centred_anisotropy_b),
    )
    for column, side, value, after in sides:
        with column.container(border=True, height="stretch", key=f"gauge_card_{side.lower()}"):
            st.markdown(f"**Anisotropy of {side}**", help=tooltip("anisotropy"))
            st.plotly_chart(
                anisotropy_gauge(value),
                key=f"gauge_{side.lower()}",
                alt=gauge_alt(side, value),
                config=CONFIG,
            )
            centred = fixed(after)
            st.markdown(f"After centring: **{centred}**. The mark at {CONVENTION} is a convention.")
    with third.container(border=True, height="stretch", key="ranks_card"):
        st.markdown("**Partner ranked first**", help=tooltip("partner ranked first"))
        st.plotly_chart(rank_bars(audit), key="ranks", alt=ranks_alt(audit), config=CONFIG)
        chance = audit.raw.a_to_b
        st.markdown(f"By chance: {fixed(chance.chance)}, or 1 of {chance.n_candidates:,} (dotted line).")
        if audit.has_pool:
            st.markdown(f"{escaped(rank_scope(audit)).capitalize()}.")


def _histograms(audit: Audit) -> None:
    with st.container(border=True, key="histograms_card"):
        st.markdown("**Matched pairs over their floor**", help=tooltip("floor"))
        if audit.has_pool:
            st.markdown(f"Unrelated pairs of the pool of candidates: {audit.raw.histogram.unrelated.sum():,}.")
        if audit.centred is None:
            st.markdown(escaped(audit.centred_undefined))
        st.plotly_chart(
            matched_over_floor(audit),
            key="histograms",
            alt=histograms_alt(audit),
            config=CONFIG,
            on_select=choose_bar,
            selection_mode="points",
        )
