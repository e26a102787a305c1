"""The result for two models, in the order a reader needs it."""

from __future__ import annotations

import streamlit as st

from app import state
from app.plots.agreement import agreement_alt, agreement_bars
from app.plots.histograms import histograms
from app.plots.palette import CONFIG
from app.widgets.results import reading_card, stale
from app.widgets.tables import table_card
from app.widgets.terms import tooltip
from core.report import two_models_document
from core.report.numbers import count, fixed
from core.report.two_models_document import NOT_EVIDENCE
from core.report.two_models_figures import mapped_over_floor
from core.spaces import TwoModels

__all__ = ["two_models_results", "what_it_shows"]

_IT_SHOWS = (
    (
        ":material/sync_alt:",
        "After the map",
        "How matched rows stand against their floor once an orthogonal map, fitted on *other* rows, has turned "
        "one space onto the other.",
    ),
    (
        ":material/hub:",
        "Within each model",
        "Whether both models find the same rows alike: debiased CKA and shared nearest neighbours, each beside "
        "shuffled rows. No map is needed for that.",
    ),
    (
        ":material/block:",
        "What is no evidence",
        "Row-wise cosines between the two spaces as they are, and anything the map scores on the rows it was "
        "fitted on. Neither is shown as a result.",
    ),
)


def what_it_shows() -> None:
    """Three cards in place of a result."""
    st.subheader("What you get", anchor=False)
    for column, (icon, title, text) in zip(st.columns(3), _IT_SHOWS, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"{icon} **{title}**")
            st.markdown(text)


def two_models_results(result: state.TwoModelsResult) -> None:
    """Draw everything a finished comparison says."""
    found, words = result.audit.found, two_models_document(result.audit)
    if result.key != state.two_models_key():
        stale()
    reading_card(words)
    left, right = st.columns([1.3, 1])
    with left.container(border=True, height="stretch", key="mapped_card"):
        _mapped(found)
    with right.container(border=True, height="stretch", key="agreement_card"):
        _agreement(found)
    table_card(words, stem="two_models")
    with st.container(border=True, key="methods_card"):
        st.markdown("**Methods, to paste**")
        st.text(words.methods)


def _mapped(found: TwoModels) -> None:
    st.markdown("**Matched pairs over their floor, after the map**", help=tooltip("orthogonal map"))
    drawn = mapped_over_floor(found)
    st.plotly_chart(histograms(drawn), key="mapped", alt=drawn.description, config=CONFIG)
    st.markdown(f"{count(found.n_compared)} compared pairs, map from {count(found.n_train)} train pairs.")
    if found.unmapped is not None:
        st.markdown(f"As they are, without the map: gap {fixed(found.unmapped.plain)}, {NOT_EVIDENCE}.")


def _agreement(found: TwoModels) -> None:
    near = found.neighbours
    st.markdown("**Do the models agree?**", help=tooltip("debiased CKA"))
    st.plotly_chart(agreement_bars(found), key="agreement", alt=agreement_alt(found), config=CONFIG)
    st.markdown(
        f"Mapped: own partner ranked first, chance 1/{count(found.n_compared)}. Below, within each model and without "
        f"a map: the {near.k} nearest of n = {count(near.n_rows)} rows, chance {fixed(near.chance)}, and debiased CKA."
    )
    st.markdown(_shuffled(found))


def _shuffled(found: TwoModels) -> str:
    near = found.neighbours.null
    if near is None:
        return "No p: rows far apart in the file are still alike, so no order of them is a fair null."
    parts = [f"shared neighbours {fixed(near.mean)} ± {fixed(near.sd)}, p = {fixed(near.pvalue, 3)}"]
    if found.cka_null is not None:
        null = found.cka_null
        parts.append(f"debiased CKA {fixed(null.mean)} ± {fixed(null.sd)}, p = {fixed(null.pvalue, 3)}")
    how = "shuffled" if found.file_order == "any" else "moved along the file"
    return f"With the rows of one side {how} {count(near.n_permutations)} times: {'; '.join(parts)}."
