"""A JSON report read back: the settings and files it was made from. It is hostile input.

Bounded in size before it is parsed; every part that is used is checked by name and type;
nothing in it is trusted but what a repeated audit confirms (`core.verification`).
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from core.audit import AuditSettings
from core.errors import FormatError, LimitError, Side
from core.formats import ReadChoices
from core.formats.source import open_buffer
from core.limits import MAX_REPORT_BYTES
from core.provenance import VERSION
from core.report.audit_data import SCHEMA

__all__ = ["Recorded", "RecordedInput", "cut", "read_report", "short"]

SIDES: tuple[Side, ...] = ("a", "b", "fit_a", "fit_b")

#: Under ``settings`` in the JSON, but found by the audit and not chosen.
_FOUND = frozenset({"dropped_rows", "dropped_fit_rows"})

_SHA256 = re.compile(r"[0-9a-f]{64}")

#: Types of `ReadChoices`, which JSON must keep.
_CHOICES: dict[str, type] = {"key": str, "columns": str, "layer": int, "read_as": str}

#: Schemas of the other commands -> what writes them.
_OTHER_KINDS = {
    "cosine-floor-claim": "claim",
    "cosine-floor-rows": "rows",
    "cosine-floor-conditions": "conditions",
    "cosine-floor-two-models": "two-models",
}

#: Characters of a report's own values that a message shows.
SHOWN = 80

_MADE_BY = "Give the file that --format json or the page's JSON download wrote, unchanged."


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedInput:
    """One file of a report: its base name, its fingerprint, and how it was read."""

    name: str
    sha256: str
    choices: ReadChoices


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A JSON report, checked as far as it is needed to repeat its audit.

    Attributes
    ----------
    name
        Of the report's own file: hostile text.
    data
        All of it, as parsed: no NaN, no infinity, no key twice.
    settings
        To run the audit with again.
    inputs
        By side; A and B are always there.
    groups
        The file of ids, or `None` where no groups were declared.
    margin_after_look
        The report says that its margin was declared after a first look.
    """

    name: str
    data: dict[str, Any]
    settings: AuditSettings
    inputs: dict[Side, RecordedInput]
    groups: RecordedInput | None
    margin_after_look: bool = False


def read_report(path: Path) -> Recorded:
    """Read a JSON report.

    Raises
    ------
    AuditError
        It cannot be read, is no report of an audit in this version's layout, or has a
        setting that this version does not know.
    """
    name = path.name
    data = _parsed(path, name)
    _refuse_other_kinds(data.get("schema"), name)
    if data.get("schema") != SCHEMA:
        said = f"its schema is {short(data['schema'])}" if "schema" in data else "it names no schema"
        raise FormatError(
            f"{name} is no report of an audit that this version ({VERSION}) can repeat: {said}, not {SCHEMA!r}",
            remedy="Verify it with the version that wrote it.",
        )
    _part(data, "versions", name)
    verdict = data.get("verdict")
    return Recorded(
        name=name,
        data=data,
        settings=_settings(_part(data, "settings", name), name),
        inputs=_inputs(_part(data, "inputs", name), name),
        groups=_groups(data, name),
        margin_after_look=isinstance(verdict, dict) and verdict.get("margin_declared") == "declared after a first look",
    )


def _refuse_other_kinds(schema: object, name: str) -> None:
    """A report of another command is no older report: no version can verify it."""
    kind = schema.partition("/")[0] if isinstance(schema, str) else ""
    if kind in _OTHER_KINDS:
        raise FormatError(
            f"{name} is a report of `{_OTHER_KINDS[kind]}`; verify takes that of an audit",
            remedy="Give the JSON that python -m core A.npy B.npy --format json wrote.",
        )


def short(value: object) -> str:
    """A value of a report as a message may show it."""
    return cut(repr(value))


def cut(text: str) -> str:
    """A text of a report as a message may show it: it may be of any length."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _parsed(path: Path, name: str) -> dict[str, Any]:
    buffer = open_buffer(path, name)
    if len(buffer) > MAX_REPORT_BYTES:
        raise LimitError(
            f"{name} has {len(buffer):,} bytes; a report has {MAX_REPORT_BYTES:,} at most", remedy=_MADE_BY
        )
    try:
        data = json.loads(
            bytes(buffer).decode("utf-8"), object_pairs_hook=_object, parse_float=_finite, parse_constant=_no_number
        )
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text", remedy=_MADE_BY) from error
    except RecursionError as error:
        raise FormatError(f"{name} is nested too deeply for a report", remedy=_MADE_BY) from error
    except ValueError as error:  # JSONDecodeError, and what the hooks below raise
        raise FormatError(f"{name} is not the JSON of a report: {error}", remedy=_MADE_BY) from error
    if not isinstance(data, dict):
        raise FormatError(f"{name} is not the JSON of a report: it is no object", remedy=_MADE_BY)
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two equal ones, readers keep either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _part(data: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    found = data.get(key)
    if not isinstance(found, dict):
        raise FormatError(f"{name} has no {key!r} that could be read", remedy=_MADE_BY)
    return found


def _settings(found: dict[str, Any], name: str) -> AuditSettings:
    """The settings of a report. One that it lacks is as by default, and counts as a difference later."""
    defaults = {field.name: field.default for field in fields(AuditSettings)}
    chosen = {key: value for key, value in found.items() if key not in _FOUND}
    for key, value in chosen.items():
        if key not in defaults:
            raise FormatError(
                f"{name} has a setting {short(key)} that this version ({VERSION}) does not know",
                remedy="Verify it with the version that wrote it.",
            )
        if not _fits(defaults[key], value):
            raise FormatError(f"{name} has {short(value)} for the setting {key!r}", remedy=_MADE_BY)
    return AuditSettings(**chosen)


def _fits(default: object, value: object) -> bool:
    """True if a setting may hold this value, going by the type of its default; ranges are `AuditSettings`'."""
    if default is None:
        return value is None or (isinstance(value, int | float | str) and not isinstance(value, bool))
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(default)


def _inputs(found: dict[str, Any], name: str) -> dict[Side, RecordedInput]:
    strange = sorted(set(found) - set(SIDES))
    if strange:
        raise FormatError(f"{name} has an input {short(strange[0])} that no audit has", remedy=_MADE_BY)
    inputs = {side: _input(_part(found, side, name), side, name) for side in SIDES if side in found}
    missing = [side for side in ("a", "b") if side not in inputs]
    if missing:
        raise FormatError(f"{name} has no input {missing[0]!r}", remedy=_MADE_BY)
    return inputs


def _groups(data: dict[str, Any], name: str) -> RecordedInput | None:
    """The file of ids, where groups were declared."""
    if data.get("groups") is None:
        return None
    found = _part(data, "groups", name)
    if found.get("sha256") == "":
        raise FormatError(
            f"{name} has groups whose ids came from a program, not from a file",
            remedy="Only reports made from files can be verified.",
        )
    given, digest = _fingerprint(found, "groups", name)
    return RecordedInput(name=given, sha256=digest, choices=ReadChoices())


def _fingerprint(found: dict[str, Any], side: str, name: str) -> tuple[str, str]:
    given, digest = found.get("name"), found.get("sha256")
    if not isinstance(given, str) or not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        raise FormatError(f"{name} has no name and SHA-256 for the input {side!r}", remedy=_MADE_BY)
    return given, digest


def _input(found: dict[str, Any], side: Side, name: str) -> RecordedInput:
    given, digest = _fingerprint(found, side, name)
    choices = _part(found, "choices", name)
    for key, value in choices.items():
        if type(value) is not _CHOICES.get(key):
            raise FormatError(
                f"{name} says of the input {side!r} that it was read with {short(key)} {short(value)}, "
                "which is no way to read a file",
                remedy=_MADE_BY,
            )
    return RecordedInput(name=given, sha256=digest, choices=ReadChoices(**choices))
