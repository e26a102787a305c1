"""Does an audit, run again, say what a report says?

Counts, settings, sentences and figures that are printed rounded must be equal; unrounded
figures to `TOLERANCE`, absolute or, above 1, relative: another processor or library adds
in another order. Versions and threads are listed and not compared, also where the
methods paragraph names the version, and neither are the texts of the checks, which quote
the rounding of one run.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["ABSENT", "TOLERANCE", "Comparison", "Difference", "compare"]

TOLERANCE = 1e-9

#: Stands for a value that one of the two reports does not have.
ABSENT = object()

#: Keys whose figures the reference format rounds: equal means every digit.
_PRINTED = frozenset({"anisotropy", "raw", "centred", "partner_first_by_chance"})

#: A version: "0.1.0", "1.2.0rc1"; a sentence in its place is compared.
_VERSION = re.compile(r"\d[\w.+-]{0,30}", re.ASCII)

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place in which two reports are not alike; either value may be `ABSENT`."""

    place: str
    recorded: object
    found: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What was compared, and what differs.

    Attributes
    ----------
    differences
        In the order of the report.
    compared
        How many values of each kind: ``counts``, ``printed``, ``unrounded``, ``words``.
    versions
        ``(name, recorded, found)`` of those that are not the same; no difference.
    """

    differences: tuple[Difference, ...]
    compared: Counter[str]
    versions: tuple[tuple[str, str, str], ...]


def compare(recorded: dict[str, Any], found: dict[str, Any]) -> Comparison:
    """Compare the data of a report with that of the audit run again, both as parsed from JSON.

    Parameters
    ----------
    recorded, found : dict
        JSON values without NaN or infinity; ``versions`` are objects.
    """
    compared: Counter[str] = Counter()
    differences = tuple(_differences((), _without_versions(recorded), _without_versions(found), compared))
    old, new = recorded["versions"], found["versions"]
    versions = tuple(
        (name, str(old.get(name, "not said")), str(new.get(name, "not said")))
        for name in dict.fromkeys((*new, *old))
        if old.get(name) != new.get(name)
    )
    return Comparison(differences=differences, compared=compared, versions=versions)


def _without_versions(data: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in data.items() if key != "versions"}
    methods, version = rest.get("methods"), data["versions"].get("cosine_floor")
    if isinstance(methods, str) and isinstance(version, str) and _VERSION.fullmatch(version):
        rest["methods"] = methods.replace(f"Cosine Floor {version}", "Cosine Floor")
    return rest


def _differences(path: Path, recorded: Any, found: Any, compared: Counter[str]) -> Iterator[Difference]:
    if _not_compared(path):
        return
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*found, *recorded)):
            yield from _differences((*path, key), recorded.get(key, ABSENT), found.get(key, ABSENT), compared)
    elif isinstance(recorded, list) and isinstance(found, list):
        for place in range(max(len(recorded), len(found))):
            old, new = (values[place] if place < len(values) else ABSENT for values in (recorded, found))
            yield from _differences((*path, place), old, new, compared)
    else:
        kind = _kind(path, found)
        compared[kind] += 1
        if not _equal(kind, recorded, found):
            yield Difference(place=_place(path), recorded=recorded, found=found)


def _not_compared(path: Path) -> bool:
    return len(path) == 3 and (path[0], path[2]) == ("checks", "text")


def _kind(path: Path, found: object) -> str:
    """What sort of value this is, by its place and the type the audit gives it."""
    if isinstance(found, float):
        return "printed" if path[0] in _PRINTED else "unrounded"
    return "counts" if isinstance(found, int) and not isinstance(found, bool) else "words"


def _equal(kind: str, recorded: object, found: object) -> bool:
    if kind == "words":
        return type(recorded) is type(found) and recorded == found
    if isinstance(recorded, bool) or not isinstance(recorded, int | float) or not isinstance(found, int | float):
        return False
    if kind == "counts" and not isinstance(recorded, int):
        return False  # 600.0 is no count
    if recorded == found:
        return True
    # A whole number of a report may be beyond any float.
    return kind == "unrounded" and abs(recorded) < 1e300 and _close(float(recorded), float(found))


def _close(recorded: float, found: float) -> bool:
    return math.isclose(recorded, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _place(path: Path) -> str:
    """``exact.raw.gap``, ``notices[2].code``."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return words.removeprefix(".")
