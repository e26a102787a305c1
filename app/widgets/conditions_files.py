"""The files of the Conditions page: boxes to drop them in, and a row for each with its name and seed."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import conditions, state
from app.conditions_inputs import Given, Place, Way
from app.widgets.local_files import changed_file, folder_word, local_files
from app.widgets.plain import escaped
from app.widgets.read_choice import read_choice
from app.widgets.slot import size_rule, upload_limit_mb
from app.widgets.terms import tooltip
from core.report.names import shown_name, visible

__all__ = ["files", "header"]

_WAYS: dict[Way, str] = {
    "one_a": "One A, several B",
    "pairs": "An A and a B for each condition and seed",
    "layers": "Two stacks, layer by layer",
}


def header() -> None:
    """Title, the question, and two examples."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="header"
    ):
        st.title("Conditions", anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            st.button(
                "Example: precisions",
                key="example_precisions",
                icon=":material/science:",
                on_click=conditions.load_precisions,
            )
            st.button(
                "Example: layers",
                key="example_layers",
                icon=":material/layers:",
                on_click=conditions.load_layers,
            )
    st.markdown(
        "Does the gap differ between precisions, runtimes, seeds or layers, measured on the *same* items? "
        "Each is audited alike; what is compared are the signed differences, item by item."
    )


def files() -> None:
    """Draw the boxes and rows of the present way of comparing."""
    page = state.conditions()
    state.set_answer("conditions_way", page.way)  # an example may change it too
    st.radio(
        "What to compare",
        list(_WAYS),
        format_func=_WAYS.__getitem__,
        horizontal=True,
        key="conditions_way",
        on_change=conditions.set_way,
        args=("conditions_way",),
        label_visibility="collapsed",
    )
    left, right = st.columns(2)
    with left:
        if page.layers:
            _single("stack_a", "A", "**Drop stack A here**: (layers, items, columns)", page.stack_a)
        elif page.way == "one_a":
            _single("a", "A", "**Drop A here**: one row for each item", page.a)
        else:
            _several("every_a", "**Drop every A here**: one file for each condition (and seed)")
    with right:
        if page.layers:
            _single("stack_b", "B", "**Drop stack B here**: the same layers and items", page.stack_b)
        else:
            many = "every" if page.way == "pairs" else "several"
            _several("several", f"**Drop {many} B here**: one file for each condition (and seed)")
    if page.way == "pairs":
        _rows("every_a", "A", page.every_a)
    if not page.layers:
        _rows("several", "B", page.several)
    for _, problem in page.problems:
        st.error(escaped(problem), icon=":material/error:")
    names = " A file called `int8@1.npy` is condition int8, seed 1; both can be typed too." * (not page.layers)
    st.markdown(f"Files of {size_rule()}; they stay on the machine that runs this page.{names}")
    folder_word()


def _single(place: Place, title: str, label: str, held: Given | None) -> None:
    with st.container(border=True, key=f"slot_conditions_{place}", height="stretch"):
        if held is None:
            _box(place, label, several=False)
            return
        with st.container(horizontal=True, vertical_alignment="center", key=f"card_conditions_{place}"):
            st.markdown(f"**{title}**", width="content")
            _facts(held)
            st.space("stretch")
            _remove(place, held)
        _question(place, held)


def _several(place: Place, label: str) -> None:
    with st.container(border=True, key=f"slot_conditions_{place}", height="stretch"):
        _box(place, label, several=True)


def _rows(place: Place, side: str, files: tuple[Given, ...]) -> None:
    """One row for each file of a side: what it holds, its condition and its seed."""
    for one in files:
        with st.container(border=True, key=f"condition_{one.number}"):
            file, name, seed, remove = st.columns([4, 3, 2, 1.2], vertical_alignment="center")
            with file.container(horizontal=True, vertical_alignment="center", key=f"card_condition_{one.number}"):
                st.markdown(f"**{side}**", width="content")
                _facts(one)
            _field(name, place, one, "label", "Condition", tooltip("condition"))
            _field(seed, place, one, "seed", "Seed (optional)", tooltip("crossed interval"))
            with remove:
                _remove(place, one)
            _question(place, one)


def _field(column: DeltaGenerator, place: Place, one: Given, field: str, label: str, explained: str) -> None:
    widget = f"condition_{field}_{one.number}"
    column.text_input(
        label,
        value=visible(getattr(one, field)),
        key=widget,
        on_change=conditions.rename,
        args=(place, one.number, field, widget),
        max_chars=80,
        help=explained,
    )


def _facts(held: Given) -> None:
    st.text(shown_name(held.name))
    if held.found:
        loaded = held.found[0].loaded
        shape = " × ".join(f"{size:,}" for size in loaded.shape)
        if len(held.found) > 1:
            shape = f"{len(held.found)} layers of {shape}"
        st.badge(escaped(f"{shape} {loaded.dtype}"), color="blue")


def _remove(place: Place, held: Given) -> None:
    st.button(
        "Remove",
        key=f"remove_conditions_{held.number}",
        on_click=conditions.take_out,
        args=(place, held.number),
        type="tertiary",
        icon=":material/close:",
    )


def _box(place: Place, label: str, *, several: bool) -> None:
    box = state.drop_key(conditions.box_name(place))
    st.file_uploader(
        label,
        key=box,
        on_change=conditions.take,
        args=(place,),
        accept_multiple_files=several,
        max_upload_size=upload_limit_mb(),
    )
    local_files(box, place, conditions.take_local)


def _question(place: Place, held: Given) -> None:
    """What only the owner of a file can settle: that it was changed, or how it is to be read."""
    if held.changed:
        changed_file(held.found[:1], f"conditions_{held.number}", conditions.open_again, (place, held.number))
    if held.asked is None:
        return
    widget = f"choice_conditions_{held.number}_{held.asked.choice}"
    read_choice(held.asked, widget, conditions.choose, (place, held.number))
