"""Links to an audit: made from a result, and taken from the address the page was opened with.

The one module that reads or clears the parameters of the address. A link's settings are
applied once, when it is opened; whatever the user changes afterwards stands. The address
stays as it is, so that a reload asks for the same files again, until the link is put away.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal
from urllib.parse import urlencode, urlsplit

import streamlit as st

from app import run, state
from app.opened_link import OpenedLink
from app.places import SIDES, HeldFile
from app.state import Result
from app.widgets.guard import caught, sentence
from core import AuditError, AuditSettings, ReadChoices
from core.formats.source import sha256_of
from core.share import PLACES, Expected, Place, Shared, decode, encode, is_link, is_ours

__all__ = [
    "Standing",
    "arrive",
    "choices_for",
    "link_to",
    "only_here",
    "put_away",
    "reproduces",
    "run_when_confirmed",
    "settings_changed",
    "standings",
]

#: Names by which a browser calls the very machine it runs on.
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one place stands against the link.

    Attributes
    ----------
    place
        Which.
    state
        ``"waiting"`` for a file, ``"confirmed"``, ``"differs"`` from the fingerprint, ``"changed"``
        since it was opened, the right file but ``"read_differently"``, or ``"not_asked"``: a file the
        link knows nothing of.
    expected, found
        The whole fingerprints; empty where there is none.
    name
        Of the file in use: hostile text; empty where there is none.
    belongs
        Where the link asks for the file that differs here, if it asks for it at all.
    """

    place: Place
    state: Literal["waiting", "confirmed", "differs", "changed", "read_differently", "not_asked"]
    expected: str
    found: str
    name: str
    belongs: Place | None = None


def link_to(result: Result) -> str:
    """The whole address that asks for this result's files and settings.

    Raises
    ------
    AuditError
        No address can hold them.
    """
    sides, settings, groups = result.key
    files: dict[Place, Expected] = {
        place: Expected(sha256=used[0], choices=used[2])
        for place, used in zip(SIDES, sides, strict=True)
        if used is not None
    }
    if groups is not None:
        files["groups"] = Expected(sha256=groups[1])
    shared = Shared(settings=settings, files=files, margin_after_look=result.audit.margin_after_look)
    return f"{_here()}?{urlencode(encode(shared))}"


def only_here() -> bool:
    """True if the address of this page leads everybody to their own machine."""
    return urlsplit(_here()).hostname in _THIS_MACHINE


def arrive() -> None:
    """Take in the link of the address, unless that has been done: its settings apply now, and once."""
    given = {name: st.query_params.get_all(name) for name in st.query_params}
    address = urlencode(given, doseq=True, errors="replace")
    if not is_link(given) or address == state.opened_link().address:
        return
    state.set_opened_link(OpenedLink(address=address))
    with caught(_refuse):
        asks = decode(given)
        state.set_opened_link(OpenedLink(address=address, asks=asks))
        _apply(asks)


def put_away() -> None:
    """Forget the link; files and settings stay as they are."""
    state.set_opened_link(OpenedLink(address=state.opened_link().address))
    for name in filter(is_ours, list(st.query_params)):
        del st.query_params[name]


def choices_for(place: Place, file: HeldFile) -> ReadChoices | None:
    """How the link says to read this file, if it is the one it asks for and was read in a special way."""
    asks = state.opened_link().asks
    expected = asks.files.get(place) if asks is not None else None
    if expected is None or expected.choices == ReadChoices():
        return None
    is_it = sha256_of(file.data) == expected.sha256
    return expected.choices if is_it else None


def standings(asks: Shared) -> list[Standing]:
    """Every place that the link or the page has a file for."""
    return [_standing(place, asks) for place in PLACES if place in asks.files or _held(place) is not None]


def settings_changed(asks: Shared) -> bool:
    """True if the settings are no longer the link's; leaving bad rows out counts where there are any."""
    return asks.settings != state.settings()


def reproduces(asks: Shared) -> bool:
    """True if an audit of what is on the page is the one the link was made from."""
    return not settings_changed(asks) and all(one.state == "confirmed" for one in standings(asks))


def run_when_confirmed() -> None:
    """Start the link's audit, once, as soon as every file is the one it asks for."""
    link = state.opened_link()
    if link.asks is not None and not link.started and reproduces(link.asks):
        state.set_opened_link(OpenedLink(address=link.address, asks=link.asks, started=True))
        run.start()


def _here() -> str:
    """The address of this page, without parameters and never without a path."""
    url = st.context.url or "/"
    return url if urlsplit(url).path else f"{url}/"


def _apply(asks: Shared) -> None:
    state.set_settings(asks.settings)
    if asks.margin_after_look:  # whoever made the link had looked
        state.note_look(asks.files["a"].sha256, asks.files["b"].sha256)
    for field in fields(AuditSettings):
        state.set_answer(field.name, getattr(asks.settings, field.name))
    files = ((side, asks.files.get(side)) for side in SIDES)
    asked = frozenset((side, one.sha256, one.choices) for side, one in files if one is not None)
    state.set_leaves_out(asks.settings.drop_bad_rows, asked)


def _refuse(error: AuditError) -> None:
    state.set_opened_link(OpenedLink(address=state.opened_link().address, problem=sentence(error)))


def _held(place: Place) -> tuple[str, str, ReadChoices] | None:
    """Name, fingerprint and choices of the file in use on a place."""
    if place == "groups":
        ids = state.groups().found
        return None if ids is None else (ids.name, ids.sha256, ReadChoices())
    slot = state.slot(place)
    return None if slot.found is None else (slot.found.loaded.name, slot.found.loaded.sha256, slot.choices)


def _standing(place: Place, asks: Shared) -> Standing:
    expected, held = asks.files.get(place), _held(place)
    name, found, choices = held or ("", "", ReadChoices())
    if expected is None:
        return Standing(place=place, state="not_asked", expected="", found=found, name=name)
    how: Literal["waiting", "confirmed", "differs", "changed", "read_differently"] = "confirmed"
    if held is None:
        how = "waiting"
    elif place in state.changed():
        how = "changed"
    elif found != expected.sha256:
        how = "differs"
    elif choices != expected.choices:
        how = "read_differently"
    elsewhere = [other for other, file in asks.files.items() if file.sha256 == found]
    belongs = elsewhere[0] if how == "differs" and elsewhere else None
    return Standing(place=place, state=how, expected=expected.sha256, found=found, name=name, belongs=belongs)
