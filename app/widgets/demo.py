"""The demo: a claim, three controls, what they just did, and three cards of figures."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import cache, demo, state
from app.plots.demo import cosines_over_their_bins, partners_found
from app.widgets import demo_words as words
from app.widgets.announcement import announcement
from app.widgets.bar_figure import bar_figure
from app.widgets.terms import tooltip
from core.demo import Comparison, PairedUp, Standing
from core.report.numbers import fixed, percent

__all__ = ["board", "large_type", "lesson"]

#: Largest size of the added coordinate: a row has length 1, and at 5 everything scores above 0.96.
_LARGEST = 5.0


def large_type() -> None:
    """On a wide screen everything grows, for those at the back; sizes are in rem throughout.

    On a low one it shrinks, so that the figures stand in sight, and on a phone the sentence stays
    at the lower edge until its own place has come up, so that each control answers in sight. The
    chosen encoder and the slider's number are written in the colour of text: in the colour of
    buttons, where Streamlit puts them, they have too little contrast on dark.
    """
    st.html(
        "<style>@media (min-width: 1700px) and (min-height: 900px) { html:root { font-size: 18px; } }"
        " @media (min-width: 1000px) and (max-height: 800px) { html:root { font-size: 14px; } }"
        " @media (max-width: 640px) { .st-key-demo_happened { position: sticky; bottom: 0; z-index: 1; } }"
        " @media (max-width: 1699px) { [class*='st-key-demo_head_'] { row-gap: .25rem; }"
        " [class*='st-key-demo_head_'] > :first-child { flex: 0 0 100%; } }"
        " :is(.st-key-demo_raw, .st-key-demo_centred, .st-key-demo_found) label p { font-size: 1.125rem; }"
        " .st-key-demo_encoder button p, .st-key-demo_size p { color: CanvasText; }</style>"
    )


@st.fragment
def board() -> None:
    """All that a control changes; a control runs this part alone, which is what keeps it quick."""
    _claim()
    _controls()
    _what_happened()
    _figures()


def lesson() -> None:
    """What to take home, and where to."""
    with st.container(horizontal=True, vertical_alignment="center", key="demo_lesson"):
        st.subheader(words.LESSON, anchor=False, width="content")
        st.page_link("views/audit.py", label="Audit your own two files", icon=":material/arrow_forward:")


def _claim() -> None:
    """Title and claim, and beside them what one has to know to doubt it."""
    here = state.demo()
    said, known = st.columns(2, vertical_alignment="bottom")
    with said:
        st.title("Why 0.9 means little", anchor=False)
        st.header(words.claim(_standing(replace(here, shuffle=0))), anchor=False)
        st.markdown(words.SOURCE)
    known.markdown(words.shared(here, _now(), _standing(replace(here, size=0.0))))


def _controls() -> None:
    """Three things to try, each with what to look at."""
    shuffle, encoder, size = st.columns(3)
    with shuffle.container(border=True, height="stretch", key="demo_step_shuffle"):
        st.markdown(words.STEPS["shuffle"])
        _shuffle()
    with encoder.container(border=True, height="stretch", key="demo_step_encoder"):
        st.markdown(words.STEPS["encoder"])
        _encoder()
    with size.container(border=True, height="stretch", key="demo_step_size"):
        st.markdown(words.STEPS["size"])
        _size()


def _what_happened() -> None:
    """One sentence on the last control, read out by screen readers."""
    here = state.demo()
    aligned, plain = _standing(replace(here, shuffle=0)), _standing(replace(here, size=0.0))
    announcement(words.happened(here, _now(), aligned, plain), key="demo_happened")


def _figures() -> None:
    """Raw, centred and ranks, each with its two numbers and a figure."""
    now = _now()
    raw, centred, found = st.columns(3)
    with raw.container(border=True, key="demo_raw"):
        _cosines("Raw", "raw", now.raw)
    with centred.container(border=True, key="demo_centred"):
        _cosines("Centred", "centred", now.centred)
    with found.container(border=True, height="stretch", key="demo_found"):
        shares = {"raw": percent(now.raw.partner_first), "centred": percent(now.centred.partner_first)}
        who = words.found(state.demo())
        _headed(f"{who.capitalize()} ranked first", "partner ranked first", "found", shares)
        bar_figure(partners_found(now, who=who), key="demo_found_figure")


def _shuffle() -> None:
    with st.container(horizontal=True):
        st.button(
            "Shuffle again" if state.demo().shuffle else "Shuffle",
            key="demo_shuffle",
            type="primary",
            icon=":material/shuffle:",
            on_click=demo.shuffle,
        )
        st.button(
            "Put the pairs back",
            key="demo_put_back",
            icon=":material/undo:",
            on_click=demo.put_back,  # never disabled: a button that is loses the keyboard's focus
        )


def _encoder() -> None:
    state.first_answer(demo.ENCODER_KEY, state.demo().encoder)  # a default that moves makes another widget
    st.segmented_control(
        "Encoder, and its anisotropy",
        list(demo.ENCODERS),
        required=True,
        format_func=_encoder_label,
        key=demo.ENCODER_KEY,
        on_change=demo.choose,
    )


def _encoder_label(encoder: str) -> str:
    return f"{demo.ENCODERS[encoder].short} {fixed(cache.demo_scores(encoder).anisotropy, 2)}"


def _size() -> None:
    state.first_answer(demo.SIZE_KEY, state.demo().size)
    st.slider(
        "Size of the shared coordinate; each row has length 1",
        min_value=0.0,
        max_value=_LARGEST,
        step=0.1,
        format="%.1f",
        key=demo.SIZE_KEY,
        on_change=demo.slide,
    )


def _cosines(title: str, term: str, reading: PairedUp) -> None:
    here = state.demo()
    paired, others = words.labels(here)
    means = {paired: words.figure(reading.matched_mean), others: words.figure(reading.floor_mean)}
    _headed(f"{title} cosine", term, term, means)
    figure = cosines_over_their_bins(title, reading, paired=paired, others=others)
    bar_figure(figure, key=f"demo_{term}_figure")


def _headed(title: str, term: str, place: str, numbers: dict[str, str]) -> None:
    """A card's name with its two numbers beside it on a wide screen, and below it in all cards on others."""
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=f"demo_head_{place}"
    ):
        st.subheader(title, anchor=False, help=tooltip(term), width="content")
        with st.container(horizontal=True, width="content", gap="medium"):
            for label, value in numbers.items():
                st.metric(label, value, width="content")


def _scores(here: state.Demo) -> Comparison:
    return cache.demo_scores(here.encoder)


def _now() -> Standing:
    return _standing(state.demo())


def _standing(here: state.Demo) -> Standing:
    return _scores(here).standing(shuffle=here.shuffle, size=here.size)
