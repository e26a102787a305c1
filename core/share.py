"""What a link to an audit carries: settings, fingerprints of the files, and how they were read.

Never the arrays, a path or a file name: the files travel by other ways, and a name can say
more than its owner means to publish. Names of columns and of arrays in an archive do travel
where they were chosen, since without them the file cannot be read the same way.

A link is hostile text to whoever opens it: bounded in length before it is looked at, every
part checked by name and form, and nothing of it trusted but what a file of theirs confirms.

=================  ==========================================================
parameter          value
=================  ==========================================================
``share``          ``"1"``, the layout
``a`` ``b`` …      SHA-256 of that file; A and B always
``a.layer`` …      how it was read, one parameter for each choice made
``set.seed`` …     a setting that differs from its default
``late``           ``"margin"``: it was declared after a first look at a result
=================  ==========================================================

Any other parameter is not ours and is left alone: mail and chat programs add their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import NoneType
from typing import Any, Literal, get_args, get_type_hints
from urllib.parse import urlencode

from core.errors import FormatError, LimitError, SettingsError
from core.formats.loaded import ReadChoices
from core.formats.numbers import READ_AS
from core.limits import LARGEST_WHOLE, MAX_LINK_CHARS, SMALLEST_MARGIN
from core.settings import AuditSettings

__all__ = ["MARK", "PLACES", "Expected", "Place", "Shared", "decode", "encode", "is_link", "is_ours"]

Place = Literal["a", "b", "fit_a", "fit_b", "groups"]

#: Every place of a file, in the order to show them.
PLACES: tuple[Place, ...] = ("a", "b", "fit_a", "fit_b", "groups")

#: The parameter that makes an address one of our links, and its only value so far.
MARK, _LAYOUT = "share", "1"

_SETTING = "set."
_LATE, _LATE_MARGIN = "late", "margin"
_SHA256 = re.compile(r"[0-9a-f]{64}")

#: What `int` and `float` take is wider: spaces, underscores, other digits, "nan".
_WHOLE = re.compile(r"-?[0-9]{1,16}")
_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?(e-?[0-9]{1,3})?")

#: " (--seed)" in a message that says how the command line calls a setting.
_FLAG = re.compile(r" \(--[a-z-]+\)")

#: Characters of a link that a message shows.
_SHOWN = 40

_REMEDY = "Ask for the link again; the page is as if it had been opened without it."

Value = bool | int | float | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A file that a link asks for: its SHA-256, hexadecimal, and how it is to be read."""

    sha256: str
    choices: ReadChoices = field(default_factory=ReadChoices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a link asks for.

    Attributes
    ----------
    settings
        To run the audit with; valid, and within what the page's inputs take.
    files
        By place; A and B are always there. Ids of groups are read without choices.
    margin_after_look
        Whether the margin was declared after a first look at a result.
    """

    settings: AuditSettings
    files: dict[Place, Expected]
    margin_after_look: bool = False


def is_link(parameters: Mapping[str, Sequence[str]]) -> bool:
    """True if the parameters of an address claim to be one of our links."""
    return MARK in parameters


def encode(shared: Shared) -> dict[str, str]:
    """The parameters of the address, unescaped; ``urlencode`` makes the address of them.

    Raises
    ------
    LimitError
        They make a longer address than `MAX_LINK_CHARS`.
    FormatError
        A name in the choices is no valid Unicode, or a setting is beyond what the page takes.
    """
    parameters = {MARK: _LAYOUT}
    for place in PLACES:
        if place in shared.files:
            parameters |= _file_parameters(place, shared.files[place])
    for one in fields(AuditSettings):
        value = getattr(shared.settings, one.name)
        if value != one.default:
            parameters[f"{_SETTING}{one.name}"] = _text(value)
    if shared.margin_after_look:
        parameters[_LATE] = _LATE_MARGIN
    _require_sendable(parameters)
    return parameters


def decode(parameters: Mapping[str, Sequence[str]]) -> Shared:
    """Read the parameters of an address, as ``urllib.parse.parse_qs`` gives them.

    Raises
    ------
    AuditError
        It is no link of this layout, is longer than `MAX_LINK_CHARS`, lacks A or B, or one of
        our parameters is given twice, unknown, malformed or out of range.
    """
    if sum(len(name) + sum(map(len, values)) for name, values in parameters.items()) > MAX_LINK_CHARS:
        raise LimitError(f"the link is longer than {MAX_LINK_CHARS:,} characters", remedy=_REMEDY)
    ours = {name: values for name, values in parameters.items() if is_ours(name)}
    for name, values in ours.items():
        if len(values) != 1:
            raise FormatError(f"the link gives {_cut(name)} {len(values):,} times", remedy=_REMEDY)
    return _decoded({name: values[0] for name, values in ours.items()})


def _decoded(given: dict[str, str]) -> Shared:
    if given.get(MARK) != _LAYOUT:
        raise FormatError(
            f"the link has the layout {_cut(given.get(MARK, ''))}, and this version reads {_LAYOUT!r} only",
            remedy="Open it with the version that made it.",
        )
    files = {place: _expected(place, given) for place in PLACES if place in given}
    for place in ("a", "b"):
        if place not in files:
            raise FormatError(f"the link has no fingerprint of side {place.upper()}", remedy=_REMEDY)
    for name in given:
        stem = name.split(".")[0]
        if "." in name and f"{stem}." != _SETTING and stem not in files:
            raise FormatError(f"the link has {_cut(name)} without a fingerprint of that file", remedy=_REMEDY)
    settings = _settings(given)
    if _LATE in given and (given[_LATE] != _LATE_MARGIN or settings.margin is None):
        raise FormatError(f"the link has {_cut(given[_LATE])} for {_LATE} and no margin so declared", remedy=_REMEDY)
    return Shared(settings=settings, files=files, margin_after_look=_LATE in given)


def is_ours(name: str) -> bool:
    """True if a parameter of this name belongs to a link, or claims to."""
    return name in (MARK, _LATE, *PLACES) or name.startswith((_SETTING, *(f"{place}." for place in PLACES)))


def _file_parameters(place: Place, file: Expected) -> dict[str, str]:
    choices = {one.name: getattr(file.choices, one.name) for one in fields(ReadChoices)}
    return {place: file.sha256} | {
        f"{place}.{name}": _text(value) for name, value in choices.items() if value is not None
    }


def _expected(place: Place, given: dict[str, str]) -> Expected:
    if not _SHA256.fullmatch(given[place]):
        raise FormatError(f"the link has {_cut(given[place])} for the SHA-256 of {place}", remedy=_REMEDY)
    known = {} if place == "groups" else get_type_hints(ReadChoices)
    choices = ReadChoices(**_typed(f"{place}.", given, known))
    for name, possible in (("layer", (choices.layer or 0) >= 0), ("read_as", choices.read_as in (None, *READ_AS))):
        if not possible:
            shown = _cut(given[f"{place}.{name}"])
            raise FormatError(f"the link has {shown} for {place}.{name}, which no file can be read by", remedy=_REMEDY)
    return Expected(sha256=given[place], choices=choices)


def _settings(given: dict[str, str]) -> AuditSettings:
    chosen = _typed(_SETTING, given, get_type_hints(AuditSettings))
    margin = chosen.get("margin")
    if isinstance(margin, float) and 0 < margin < SMALLEST_MARGIN:
        raise FormatError(f"the link has {margin:g} for the margin, which is rounding", remedy=_REMEDY)
    try:
        return AuditSettings(**chosen)
    except SettingsError as error:  # it names the flag of the command line too, which is not how a link says it
        raise FormatError(f"the link asks for more than can be: {_FLAG.sub('', str(error))}", remedy=_REMEDY) from error


def _typed(prefix: str, given: dict[str, str], known: dict[str, object]) -> dict[str, Any]:
    """The parameters with this prefix, each turned into the type its field has."""
    found: dict[str, Any] = {}
    for name, text in given.items():
        if not name.startswith(prefix):
            continue
        rest = name.removeprefix(prefix)
        if rest not in known:
            raise FormatError(f"the link has {_cut(name)}, which this version does not know", remedy=_REMEDY)
        found[rest] = _value(name, text, known[rest])
    return found


def _value(name: str, text: str, hint: object) -> Value:
    kind = next((one for one in get_args(hint) if one is not NoneType), hint)
    if kind is bool and text in ("0", "1"):
        return text == "1"
    if kind is int and _WHOLE.fullmatch(text) and abs(int(text)) <= LARGEST_WHOLE:
        return int(text)
    if kind is float and _DECIMAL.fullmatch(text):
        return float(text)
    if kind is str:
        return text
    raise FormatError(f"the link has {_cut(text)} for {name}", remedy=_REMEDY)


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return repr(value) if isinstance(value, float) else str(value)


def _require_sendable(parameters: dict[str, str]) -> None:
    try:
        length = len(urlencode(parameters))
    except UnicodeEncodeError as error:
        raise FormatError(
            "the name of an array or column is no valid Unicode, which no address can hold", remedy="Send the report."
        ) from error
    if length > MAX_LINK_CHARS:
        raise LimitError(
            f"the link would have {length:,} characters, mostly names of columns; {MAX_LINK_CHARS:,} are the most",
            remedy="Send the report instead.",
        )
    decode({name: [value] for name, value in parameters.items()})  # what nobody could open is not given out


def _cut(text: str) -> str:
    """A text of a link as a message may show it."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")
