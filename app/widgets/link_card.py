"""What the link that opened the page asks for, and which of it is there."""

from __future__ import annotations

import streamlit as st

from app import run, shared_link, state
from app.shared_link import Standing
from app.widgets.input_card import SHORT_HASH
from app.widgets.plain import escaped
from core.report.names import shown_name
from core.share import Place, Shared

__all__ = ["link_card"]

_TITLES: dict[Place, str] = {"a": "A", "b": "B", "fit_a": "Fit A", "fit_b": "Fit B", "groups": "Groups"}

_ICONS = {
    "waiting": ":material/hourglass_empty:",
    "confirmed": ":green[:material/check_circle:]",
    "differs": ":red[:material/error:]",
    "changed": ":red[:material/error:]",
    "read_differently": ":orange[:material/warning:]",
    "not_asked": ":orange[:material/warning:]",
}


def link_card() -> None:
    """Take in the link of the address, if there is a new one, and draw what it asks for."""
    shared_link.arrive()
    link = state.opened_link()
    if link.problem:
        st.error(f"**The link was not used:** {escaped(link.problem)}", icon=":material/link_off:")
    if link.asks is not None:
        run.collect()  # the card speaks of the result, which stands below it
        with st.container(border=True, key="link_card"):
            _files(link.asks)


def _files(asks: Shared) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader("This link asks for these files", anchor=False, width="content")
        st.button(
            "Put the link away",
            key="put_link_away",
            on_click=shared_link.put_away,
            type="tertiary",
            icon=":material/close:",
        )
    standings = shared_link.standings(asks)
    with st.container(key="link_files", gap="small"):
        for one in standings:
            st.markdown(f"{_ICONS[one.state]} {_line(one)}")
    st.markdown(_outcome(asks, standings))


def _line(one: Standing) -> str:
    title, name = f"**{_TITLES[one.place]}**", escaped(shown_name(one.name))
    expected, found = (f"SHA-256 {digest[:SHORT_HASH]}" for digest in (one.expected, one.found))
    return {
        "waiting": f"{title}, {expected}: waiting for the file.",
        "confirmed": f"{title}, {expected}: **confirmed**, {name} is this file.",
        "differs": f"{title}, {expected}: **differs**, {name} is {_other(one)}, {found}.",
        "changed": f"{title}, {expected}: {name} **was changed** after it was opened; open it again.",
        "read_differently": f"{title}, {expected}: {name} is this file, but **read in another way**.",
        "not_asked": f"{title}: the link **does not ask** for {name}, {found}; remove it.",
    }[one.state]


def _other(one: Standing) -> str:
    return "another file" if one.belongs is None else f"the file asked for as **{_TITLES[one.belongs]}**"


def _swapped(standings: list[Standing]) -> bool:
    """True if A holds the link's B and B its A."""
    belongs = {one.place: one.belongs for one in standings}
    return belongs.get("a") == "b" and belongs.get("b") == "a"


def _outcome(asks: Shared, standings: list[Standing]) -> str:
    """What all that comes to, in a sentence or two."""
    if shared_link.reproduces(asks):
        return _reproduced()
    if _swapped(standings):
        return "**A and B are swapped**: each is the file that the link asks for on the other side. Replace both."
    unsettled = [_TITLES[one.place] for one in standings if one.state != "confirmed"]
    files = f"Not confirmed yet: {', '.join(unsettled)}." if unsettled else "All files are confirmed."
    if shared_link.settings_changed(asks):
        return f"{files} The settings are no longer the link's, so a run gives another result than it was made from."
    return f"{files} The settings of the link are in place; the audit starts by itself once every file is confirmed."


def _reproduced() -> str:
    result = state.result()
    done = result is not None and result.key == state.run_key()
    return (
        ":green[:material/check_circle:] **All files are confirmed**, and the settings are the link's: "
        f"{'the result below' if done else 'the audit'} reproduces the one it was made from. "
        "Only names of files and the versions listed can differ."
    )
