"""The result of an audit, in the order a reader needs it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import state
from app.plots.gauge import anisotropy_gauge, gauge_alt
from app.plots.histograms import histograms_alt, matched_over_floor
from app.plots.palette import CONFIG
from app.plots.ranks import rank_bars, ranks_alt
from app.widgets.claim import claim_card
from app.widgets.jumps import Jump, jumps
from app.widgets.method import formula
from app.widgets.pair_list import chart_key, choose_bar, clicked_bar, pair_list
from app.widgets.pairing_card import pairing_card
from app.widgets.plain import escaped
from app.widgets.share import share_card
from app.widgets.tables import REPORT_TAB, table_card
from app.widgets.terms import tooltip
from core import Audit
from core.intervals import ReadingIntervals
from core.prose import capital
from core.reading import Reading
from core.report import Document, document
from core.report.audit_document import CONVENTION, rank_scope
from core.report.inference_words import CORRECTED, interval_words
from core.report.numbers import fixed

__all__ = ["reading_card", "results", "stale"]

#: The parts of a result, in the order of the page.
_PARTS = (
    Jump(name="Verdict", part="reading"),
    Jump(name="Gauges", part="gauge_card_a"),
    Jump(name="Histograms", part="histograms_card"),
    Jump(name="Review a claim", part="claim_card"),
    Jump(name="Which rows", part="rows_card"),
    Jump(name="Results table", part="table_card", tab="Table"),
    Jump(name=REPORT_TAB, part="table_card", tab=REPORT_TAB),
    Jump(name="Share", part="share_card"),
)


def results(result: state.Result) -> None:
    """Draw everything a finished audit says."""
    audit, words = result.audit, document(result.audit)
    if result.key != state.run_key():
        stale()
    parts = tuple(part for part in _PARTS if part.part != "rows_card" or audit.rows is not None)
    jumps("Parts of this result", parts, key="parts")
    reading_card(words)
    pairing_card(audit)
    _bearing(audit, words)
    _overview(audit)
    _histograms(result)
    claim_card(result)
    pair_list(result)
    table_card(words)
    share_card(result)


def stale() -> None:
    """Mark the result below as belonging to other files or settings."""
    st.warning(
        "**From earlier inputs.** The files or settings above have changed since; "
        "run again for a result that belongs to them.",
        icon=":material/history:",
    )


def reading_card(words: Document) -> None:
    """What was found in plain words, then in figures, and what a reader must know beside it."""
    with st.container(border=True, key="reading"):
        st.subheader("The verdict" if words.verdict else "The reading", anchor=False)
        first, *more = words.opening
        with st.container(key="headline"):
            st.markdown(escaped(first))
        for text in more:
            st.markdown(escaped(text))
        if words.warning:
            st.markdown(f":orange[:material/warning:] {escaped(words.warning)}")
        for text in (*words.note, *words.notices):
            st.markdown(f":blue[:material/info:] {escaped(text)}")


def _bearing(audit: Audit, words: Document) -> None:
    """What the result cannot say, and what was looked for."""
    left, right = st.columns(2)
    with left.container(border=True, height="stretch", key="limits_card"):
        st.markdown("**What this cannot say**")
        st.markdown("\n".join(f"- {escaped(text)}" for text in words.limits))
        formula("Detectable gap and verdict", "Permutation test")
    with right.container(border=True, height="stretch", key="looked_for_card"):
        _looked_for(audit)


def _looked_for(audit: Audit) -> None:
    """Each thing with its number: what was found stands open, the rest in a fold."""
    st.markdown("**Looked for: what a mean cosine does not show**")
    found = [one for one in audit.distortions if one.fired]
    others = [one for one in audit.distortions if not one.fired]
    for one in found:
        st.markdown(f":orange[:material/warning:] **{escaped(one.name)}**. {escaped(one.text)}")
    if not found:
        st.markdown(":green[:material/check:] Nothing that would distort these numbers was found.")
    with st.expander(f"{len(others)} clean or not looked for"):
        for one in others:
            icon = ":green[:material/check:]" if one.fired is False else ":material/remove:"
            st.markdown(f"{icon} **{escaped(one.name)}**. {escaped(one.text)}")
    passed = sum(check.passed for check in audit.checks)
    st.markdown(f"The audit also checked its own figures: {passed} of {len(audit.checks)} checks passed.")


def _overview(audit: Audit) -> None:
    first, second, third = st.columns([1, 1, 1.3])
    sides = (
        (first, "A", audit.anisotropy_a, audit.centred_anisotropy_a, audit.side_a),
        (second, "B", audit.anisotropy_b, audit.centred_anisotropy_b, audit.side_b),
    )
    for column, side, value, after, facts in sides:
        with column.container(border=True, height="stretch", key=f"gauge_card_{side.lower()}"):
            st.markdown(f"**Anisotropy of {side}**", help=tooltip("anisotropy"))
            st.plotly_chart(
                anisotropy_gauge(value),
                key=f"gauge_{side.lower()}",
                alt=gauge_alt(side, value),
                config=CONFIG,
            )
            st.markdown(f"{capital(interval_words(facts.shape.anisotropy))}.")
            st.markdown(f"After centring: **{fixed(after)}**. The mark at {CONVENTION} is a convention.")
            formula("Anisotropy", "Intervals")
    with third.container(border=True, height="stretch", key="ranks_card"):
        _ranks(audit)


def _ranks(audit: Audit) -> None:
    st.markdown("**Partner ranked first**", help=tooltip("partner ranked first"))
    st.plotly_chart(rank_bars(audit), key="ranks", alt=ranks_alt(audit), config=CONFIG)
    chance = audit.raw.a_to_b
    st.markdown(f"By chance: {fixed(chance.chance)}, or 1 of {chance.n_candidates:,} (dotted line).")
    for name, reading in _readings(audit):
        found = reading.evidence
        st.markdown(
            f"{name}, n = {audit.n:,}: A finds B, {interval_words(found.first_a_to_b)}; "
            f"B finds A, {interval_words(found.first_b_to_a)}."
        )
    if audit.has_pool or audit.groups:
        st.markdown(f"{capital(escaped(rank_scope(audit)))}.")
    formula("Partner ranked first", "Share intervals")


def _histograms(result: state.Result) -> None:
    audit, key = result.audit, chart_key()
    with st.container(border=True, key="histograms_card"):
        st.markdown("**Matched pairs over their floor**", help=tooltip("floor"))
        if audit.has_pool:
            st.markdown(f"Unrelated pairs of the pool of candidates: {audit.raw.histogram.unrelated.sum():,}.")
        if audit.centred is None:
            st.markdown(escaped(audit.centred_undefined))
        st.plotly_chart(
            matched_over_floor(audit),
            key=key,
            alt=histograms_alt(audit),
            config=CONFIG,
            on_select=partial(choose_bar, key),
            selection_mode="points",
        )
        clicked_bar(result)
        for name, reading in _readings(audit):
            found = reading.evidence.intervals
            if found is not None:
                st.markdown(
                    f"{name}: matched, {interval_words(found.matched)}; floor, {interval_words(found.floor)}; "
                    f"{_gap_name(found)} {fixed(found.gap.estimate)}, {interval_words(found.gap)}."
                )
        formula("Exact floor", "Gap, gap over floor sd, Cohen's d", "Intervals")


def _gap_name(found: ReadingIntervals) -> str:
    """Intervals are about the gap freed of what centring on the compared rows adds to it."""
    return "gap" if found.correction.factor == 1 else f"gap {CORRECTED}"


def _readings(audit: Audit) -> tuple[tuple[str, Reading], ...]:
    """The readings there are, by name."""
    both = (("Raw", audit.raw), ("Centred", audit.centred))
    return tuple((name, reading) for name, reading in both if reading is not None)
