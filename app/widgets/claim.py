"""Review a claim: a number typed in, placed among the pairs of this very comparison."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from app import run, state
from app.claim_inputs import ClaimInputs
from app.widgets.copy_button import copy_button
from app.widgets.guard import caught, sentence
from app.widgets.plain import escaped
from app.widgets.progress import POLL_SECONDS, progress
from app.widgets.terms import tooltip
from core import Audit, AuditError
from core.claim_review import ReadingName, ReviewedClaim, Says, review, typed_claim
from core.claims import Cutoffs
from core.estimate import expected_count_seconds
from core.limits import COUNT_AT_ONCE_ROWS
from core.report import claim_words, review_comment
from core.report.numbers import count, duration
from core.typed_cosine import TypedCosine, read_cosine

__all__ = ["claim_card"]

_TEXT_HEIGHT = 320

#: Of a number as typed.
_TYPED_CHARS = 40

_CANCELLED = "The count was cancelled, and nothing of it is shown."
_STOPPED = "The count that was running was for what stood here before, and was stopped: count again."


def claim_card(result: state.Result) -> None:
    """Draw what is typed, and the answer once the pairs have been counted."""
    run.collect("claim")
    with st.container(border=True, key="claim_card"):
        st.markdown("**Review a claim**", help=tooltip("claim"))
        _inputs(result.audit)
        page = state.claim()
        if page.is_empty:
            st.markdown(
                "Type a number somebody gave for these files, and what it is said to show: you get where it lies among "
                "the unrelated pairs, and a review comment to paste. Or type a cut-off, and see what it keeps."
            )
            return
        if result.key != state.run_key():
            st.markdown(
                ":material/history: The files or settings above have changed since this result, so the answer is put "
                "away. Run again, and the number is counted among the pairs of the present files."
            )
            return
        _answered(page, result)


def _answered(page: ClaimInputs, result: state.Result) -> None:
    """Read what is typed, count it, and say what comes of it."""
    claimed, cutoff = _read(page.claimed, "Claimed cosine"), _read(page.cutoff, "Cut-off")
    key = _key(page, result, claimed, cutoff)
    if not key[-1]:
        return
    with caught(_show):
        counted = page.count_of(key) or _count(result, key)
        if counted is not None:
            _answer(page, result.audit, counted, claimed, cutoff)
            return
        before = page.count_of(_key(page, result, claimed, None))  # counted before the cut-off was typed
        if before is not None and claimed is not None:
            _answer(page, result.audit, before, claimed, None)


def _read(text: str, label: str) -> TypedCosine | None:
    """What is typed; nothing, after a word, where it is no cosine: the other number is answered without it."""
    with caught(_show):
        return read_cosine(text, label) if text.strip() else None
    return None


def _key(
    page: ClaimInputs, result: state.Result, claimed: TypedCosine | None, cutoff: TypedCosine | None
) -> state.CountKey:
    """What a count depends on; its last part holds the thresholds."""
    thresholds = tuple(one.value for one in (claimed, cutoff) if one is not None)
    return (result.key, _reading(page, result.audit), thresholds)


def _inputs(audit: Audit) -> None:
    kept = state.claim()
    claimed, says, cutoff, reading = st.columns([1, 1.4, 1, 1.2])  # labels in one line: fields differ in height
    for column, field, label in ((claimed, "claimed", "Claimed cosine"), (cutoff, "cutoff", "Cut-off (optional)")):
        state.first_answer(f"claim_{field}", getattr(kept, field))
        column.text_input(
            label,
            placeholder="0.91" if field == "claimed" else "none",
            max_chars=_TYPED_CHARS,
            help=tooltip("claim" if field == "claimed" else "cut-off"),
            **_kept(field),
        )
    state.first_answer("claim_says", kept.says)
    says.selectbox(
        "It is said to show", list(get_args(Says)), format_func=claim_words.SAID.__getitem__, **_kept("says")
    )
    if audit.centred is not None:
        state.first_answer("claim_reading", kept.reading)
        reading.segmented_control(
            "Which cosine", list(get_args(ReadingName)), required=True, help=tooltip("centred"), **_kept("reading")
        )


def _kept(field: str) -> dict[str, Any]:
    """Key and callback of an input, so that what is typed outlives its widget."""
    return {"key": f"claim_{field}", "on_change": _keep, "args": (field,)}


def _keep(field: str) -> None:
    value = state.answer(f"claim_{field}")
    if value is None:  # of a box that a failed run had not drawn
        return
    if field != "says":  # no count depends on what is claimed by a number
        result, counting = state.result(), state.pending("claim") is not None
        run.cancel("claim")
        by_hand = result is not None and result.audit.n > COUNT_AT_ONCE_ROWS
        state.set_failure(_STOPPED if counting and by_hand else "", "claim")
    state.set_claim(**{field: value})


def _reading(page: ClaimInputs, audit: Audit) -> ReadingName:
    return page.reading if audit.centred is not None else "raw"


def _count(result: state.Result, key: state.CountKey) -> Cutoffs | None:
    """The count, if it is there at once; else its progress, or a button that starts it."""
    idle = state.pending("claim") is None and not state.failure("claim")
    if idle and result.audit.n <= COUNT_AT_ONCE_ROWS:
        run.start_count(key)
        run.collect("claim")
    if state.failure("claim"):
        st.error(escaped(state.failure("claim")), icon=":material/error:")
    if state.pending("claim") is not None:
        st.fragment(_watch, run_every=POLL_SECONDS)()
    elif state.claim().count_of(key) is None:
        _offer(result.audit, key)
    return state.claim().count_of(key)


def _offer(audit: Audit, key: state.CountKey) -> None:
    unrelated = audit.groups.n_unrelated if audit.groups else audit.n * (audit.n - 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Count the pairs", key="count_claim", icon=":material/calculate:", on_click=run.start_count, args=(key,)
        )
        seconds = duration(expected_count_seconds(audit.n, audit.dim))
        whole = " They are those of all rows, not of the pool alone." if audit.has_pool else ""
        st.markdown(f"All {count(unrelated)} unrelated pairs, one by one: {seconds} on this machine.{whole}")


def _watch() -> None:
    """Show a running count; one full run of the page when it ends."""
    pending = state.pending("claim")
    if pending is None or not pending.job.live:
        st.rerun()
    progress(pending.job, _cancel, key="cancel_claim")


def _cancel() -> None:
    run.cancel("claim")
    state.set_failure(_CANCELLED, "claim")


def _answer(
    page: ClaimInputs, audit: Audit, counted: Cutoffs, claimed: TypedCosine | None, cutoff: TypedCosine | None
) -> None:
    cutoffs = () if cutoff is None else (cutoff,)
    if claimed is None:
        _cutoffs(claim_words.cutoff_sentences(counted, counted.reached, tuple(one.text for one in cutoffs)))
        return
    claim = typed_claim(claimed, says=page.says, reading=_reading(page, audit), cutoffs=cutoffs)
    reviewed = review(claim, audit, counted)
    st.markdown(f"##### {escaped(claim_words.conclusion(reviewed))}")
    for text in _said(reviewed):
        st.markdown(escaped(text))
    _cutoffs(claim_words.cutoff_sentences(counted, reviewed.cutoffs, claim.written[1:]))
    _comment(review_comment(reviewed))


def _said(reviewed: ReviewedClaim) -> list[str]:
    audit = reviewed.audit
    texts = (
        claim_words.place_sentence(reviewed),
        claim_words.figure_sentence(reviewed),
        claim_words.weighed(reviewed),
        claim_words.supported(audit),
        claim_words.suggestion(audit),
        claim_words.centring_sentence(audit),
    )
    return [text for text in texts if text]


def _cutoffs(sentences: tuple[str, ...]) -> None:
    for text in sentences:
        st.markdown(f":blue[:material/content_cut:] {escaped(text)}")


def _comment(text: str) -> None:
    with st.expander("Review comment, ready to paste", icon=":material/rate_review:", expanded=True):
        copy_button("Copy comment", text, key="copy_claim")
        with st.container(height=_TEXT_HEIGHT, border=False):
            st.code(text, language=None, wrap_lines=True)


def _show(error: AuditError) -> None:
    st.error(escaped(sentence(error)), icon=":material/error:")
