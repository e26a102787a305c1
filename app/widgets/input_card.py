"""The input card: what one file holds, before any result."""

from __future__ import annotations

import math
from dataclasses import asdict

import streamlit as st

from app import ingest, state
from app.places import SideName
from app.widgets.plain import escaped
from core import Inspection, ReadChoices
from core.inspection import RowList
from core.norms import TOO_LARGE
from core.report.names import shown_name

__all__ = ["card", "facts", "size_words"]

#: What the choices are called in the line that names them.
_CHOSEN = {"key": "array", "columns": "columns", "layer": "layer", "read_as": "numbers read as"}

#: Characters of a fingerprint on the card; the report has more, the JSON all.
SHORT_HASH = 8

_OTHER = {
    "a": "A",
    "b": "B",
    "fit_a": "the fit array of A",
    "fit_b": "the fit array of B",
    "train_a": "the train rows of A",
    "train_b": "the train rows of B",
}


def card(side: SideName, title: str, found: Inspection) -> None:
    """One line that names the file, the facts about its rows, and what is worth a word."""
    loaded = found.loaded
    rows, columns = loaded.shape
    with st.container(horizontal=True, vertical_alignment="center", key=f"card_{side}"):
        st.markdown(f"**{title}**", width="content")
        st.text(shown_name(loaded.name))
        st.badge(escaped(f"{rows:,} × {columns:,} {loaded.dtype}"), color="blue")
        st.text(f"{size_words(loaded.file_bytes)}, SHA-256 {loaded.sha256[:SHORT_HASH]}")
        st.space("stretch")
        _buttons(side)
    lines = [f"{icon} {escaped(fact)}" for icon, fact in facts(side, found)]
    st.markdown("  \n".join([*_as_chosen(loaded.choices), _norms(found), *lines]))


def facts(side: SideName, found: Inspection) -> list[tuple[str, str]]:
    """What the rows hold, as (icon, sentence): problems, then what is only worth a word."""
    problems = [
        (found.nan, "hold NaN"),
        (found.infinite, "hold infinity"),
        (found.zero, "are all zeros"),
        (found.repeats, "repeat an earlier row exactly"),
        (found.imprecise, "are so small that their direction has few digits"),
    ]
    n = found.loaded.shape[0]
    lines = [(_WARN, _listed(rows, n, what)) for rows, what in problems if rows]
    clean = [
        what
        for rows, what in (
            (found.nan, "NaN"),
            (found.infinite, "infinite"),
            (found.zero, "zero"),
            (found.repeats, "duplicate"),
        )
        if not rows
    ]
    if clean:
        lines.insert(0, (_FINE, f"No {_either(clean)} rows."))
    lines.extend((_WARN, f"Byte for byte the same file as {_OTHER[other]}.") for other in _twins(side, found))
    lines.extend((_WORD, word.text) for word in found.loaded.words)
    return lines


_FINE = ":green[:material/check:]"
_WARN = ":orange[:material/warning:]"
_WORD = ":blue[:material/info:]"


def size_words(size: int) -> str:
    """A file size for people, in powers of ten as file managers show it."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"


def _buttons(side: SideName) -> None:
    if side in ("a", "b") and not state.slot(side).replacing:
        st.button(
            "Replace",
            key=f"replace_{side}",
            on_click=ingest.replace_file,
            args=(side,),
            type="tertiary",
            icon=":material/swap_horiz:",
        )
    if side not in ("a", "b"):
        st.button(
            "Remove",
            key=f"remove_{side}",
            on_click=ingest.take_out,
            args=(side,),
            type="tertiary",
            icon=":material/close:",
        )


def _as_chosen(choices: ReadChoices) -> list[str]:
    """One line that names what of the file is in use, where its owner had to say."""
    said = [
        f"{_CHOSEN[name]} {shown_name(str(value))}" + " (counting from 0)" * (name == "layer")
        for name, value in asdict(choices).items()
        if value is not None
    ]
    return [f"In use: {escaped(', '.join(said))}."] if said else []


def _norms(found: Inspection) -> str:
    if found.norm_min is None or found.norm_median is None or found.norm_max is None:
        return "No row has a length: none is finite."
    norms = (found.norm_min, found.norm_median, found.norm_max)
    low, middle, high = (f"{norm:.4g}" if math.isfinite(norm) else TOO_LARGE for norm in norms)
    return f"Row norms: min {low}, median {middle}, max {high}."


def _listed(rows: RowList, n: int, what: str) -> str:
    first = ", ".join(f"{row:,}" for row in rows.first)
    more = ", …" if rows.count > len(rows.first) else ""
    if rows.count == 1:
        what = what.replace("hold", "holds").replace("are", "is").replace("repeat", "repeats")
    return f"{rows.count:,} of {n:,} rows {what}: row {first}{more} (counting from 0)."


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


#: Rows may fit a mean on one page and train a map on the other.
_MAY_BE_TWINS = ({"fit_a", "train_a"}, {"fit_b", "train_b"})


def _twins(side: SideName, found: Inspection) -> list[SideName]:
    others = [other for other in _OTHER if other != side and {side, other} not in _MAY_BE_TWINS]
    held = [(other, state.slot(other).found) for other in others]
    return [other for other, one in held if one is not None and one.loaded.sha256 == found.loaded.sha256]
