"""Settings of the Conditions page, its one primary button, and what happens after it is pressed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app import conditions, state
from app.widgets.bad_rows import left_out_pairs
from app.widgets.terms import tooltip
from app.widgets.work_bar import WorkBar, work_bar
from core.comparison import refuse_runs
from core.estimate import expected_seconds
from core.limits import MAX_DERANGEMENTS, MIN_CANDIDATES
from core.prose import counted
from core.report.names import shown_name

__all__ = ["run_bar", "settings"]

_EVERY = "every two conditions"
_MAX_SEED = 2**53 - 1


def settings() -> None:
    """Draw the settings; what differs from the defaults stands in the title of the fold."""
    page = state.conditions()
    with st.expander(f"Settings{_summary()}", icon=":material/tune:", key="conditions_options"):
        against, margin = st.columns(2, vertical_alignment="bottom")
        options = [*page.labels, _EVERY]
        chosen = _EVERY if page.settings.all_pairs else page.effective.baseline
        against.selectbox(
            "Compare with",
            options,
            index=options.index(chosen) if chosen in options else 0,
            format_func=shown_name,
            key=f"conditions_against_{hash(tuple(options))}",
            on_change=_keep_baseline,
            args=(f"conditions_against_{hash(tuple(options))}",),
            help=tooltip("signed difference"),
        )
        margin.number_input(
            "Largest difference that would not matter (declare it before looking)",
            min_value=0.0,
            value=page.settings.margin,
            step=0.005,
            format="%.4f",
            placeholder="none declared",
            key="conditions_margin",
            on_change=_keep_margin,
            help=tooltip("margin"),
        )
        _audit_settings()
    _bad_rows()


def _bad_rows() -> None:
    """Offer to leave out items that are bad in any condition; drawn only where there are any."""
    page = state.conditions()
    if not page.bad_files:
        return
    bad = len(np.unique(np.concatenate([one.unusable for held in page.files for one in held.found])))
    state.set_answer("conditions_drop_bad_rows", page.leaves_out)
    st.checkbox(
        left_out_pairs(bad),
        key="conditions_drop_bad_rows",
        on_change=_keep_bad_rows,
        help="A pair that is bad in one condition is left out of every one: differences are taken item by item.",
    )


def _keep_bad_rows() -> None:
    page = state.conditions()
    wish = bool(state.answer("conditions_drop_bad_rows"))
    state.set_conditions(may_leave_out=page.may_leave_out | page.bad_files if wish else frozenset(), failure="")


def _audit_settings() -> None:
    kept = state.conditions().settings.audit
    mean, derangements, seed, candidates = st.columns(4, vertical_alignment="bottom")
    mean.checkbox(
        "One mean for both sides",
        value=kept.shared_mean,
        key="conditions_shared_mean",
        on_change=_keep,
        args=("shared_mean",),
        help=tooltip("shared mean"),
    )
    derangements.number_input(
        "Derangements",
        min_value=1,
        max_value=MAX_DERANGEMENTS,
        value=kept.n_derangements,
        step=1,
        key="conditions_n_derangements",
        on_change=_keep,
        args=("n_derangements",),
        help=tooltip("derangement"),
    )
    seed.number_input(
        "Seed of the derangements",
        min_value=0,
        max_value=_MAX_SEED,
        value=kept.seed,
        step=1,
        key="conditions_seed",
        on_change=_keep,
        args=("seed",),
        help=tooltip("seed"),
    )
    candidates.number_input(
        "Candidates",
        min_value=MIN_CANDIDATES,
        value=kept.candidates,
        step=1,
        placeholder="all rows",
        key="conditions_candidates",
        on_change=_keep,
        args=("candidates",),
        help=tooltip("candidates"),
    )


def run_bar() -> None:
    """Draw the button of the comparison and what stands beside it."""
    conditions.collect()
    page = state.conditions()
    current = page.result is not None and page.result.key == page.key
    work_bar(
        WorkBar(
            name="conditions",
            button="compare",
            first="Compare",
            again="Compare again",
            start=conditions.start,
            cancel=conditions.cancel,
            pending=lambda: state.conditions().pending,
            current=current,
            earlier=page.result is not None and not current,
            missing=page.missing,
            failure=page.failure,
            seconds=_seconds,
            runs=counted(len(page.sides_b), "audit"),
            refuse=lambda: refuse_runs(
                page.runs(), baseline=page.effective.baseline, drop_bad_rows=page.leaves_out
            ),
        )
    )


def _seconds() -> float:
    """How long the audits of all runs are expected to take."""
    page = state.conditions()
    audit = page.settings.audit
    return sum(
        expected_seconds(*one.loaded.shape, n_candidates=audit.candidates, n_derangements=audit.n_derangements)
        for one in page.sides_b
    )


def _keep_baseline(widget: str) -> None:
    chosen = state.answer(widget)
    page = state.conditions()
    every = chosen == _EVERY and chosen not in page.labels
    baseline = None if every else chosen  # the first, where it is chosen, whether it has a centred reading or not
    state.set_conditions(settings=replace(page.settings, baseline=baseline, all_pairs=every), failure="")


def _keep_margin() -> None:
    value = state.answer("conditions_margin") or None  # 0 is no margin
    state.set_conditions(settings=replace(state.conditions().settings, margin=value), failure="")


def _keep(field: str) -> None:
    value = state.answer(f"conditions_{field}")
    if value is not None or field == "candidates":  # an empty box means all rows there
        kept = state.conditions().settings
        state.set_conditions(settings=replace(kept, audit=replace(kept.audit, **{field: value})), failure="")


def _summary() -> str:
    kept = state.conditions().settings
    parts = []
    if kept.all_pairs:
        parts.append(_EVERY)
    if kept.margin is not None:
        parts.append(f"margin {kept.margin:g}")
    if kept.audit.shared_mean:
        parts.append("one mean")
    if kept.audit.n_derangements != 20:
        parts.append(counted(kept.audit.n_derangements, "derangement"))
    if kept.audit.seed != 0:
        parts.append(f"seed {kept.audit.seed}")
    if kept.audit.candidates is not None:
        parts.append(f"{kept.audit.candidates:,} candidates")
    return f": {', '.join(parts)}" if parts else ""
