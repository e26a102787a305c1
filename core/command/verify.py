"""``python -m core verify report.json A.npy B.npy``: does the audit say it again?"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from core.audit import audit
from core.command.before import before_audit
from core.command.files import SIDES
from core.command.terminal import Differs, Parser, say_reading, terminal_progress
from core.errors import SIDE_WORDS, AuditError, Side
from core.formats import read_array
from core.formats.ids import read_ids
from core.formats.source import open_buffer, sha256_of
from core.inspection import Inspection, inspect
from core.prose import agreed
from core.recorded import Recorded, RecordedInput, cut, read_report, short
from core.report import document, to_json
from core.report.names import visible
from core.report.numbers import count
from core.verification import ABSENT, TOLERANCE, Comparison, Difference, compare

__all__ = ["check", "parser", "run"]

#: What each file of an audit is called, by the name of its argument.
PLACES = {
    "a": "side A",
    "b": "side B",
    "fit_a": "a fit array of A",
    "fit_b": "a fit array of B",
    "groups": "a file of groups",
}

#: Characters shown before the first that differs.
_BEFORE = 20

#: Differences listed; the rest are counted.
LISTED = 50

EXAMPLE = """\
example:
  python -m core A.npy B.npy --output report.json
  python -m core verify report.json A.npy B.npy

Settings, and how each file was read, are taken from the report. Exit code 0: all is equal.
3: something differs, and stdout lists it. 2: it could not be compared, as stderr says.
"""


def parser() -> Parser:
    """The flags of a verification."""
    flags = Parser(
        prog="python -m core verify",
        description="Run the audit of a JSON report again and compare every count, figure and sentence.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    flags.add_argument("report", metavar="report.json", type=Path, help="what --format json wrote")
    flags.add_argument("a", metavar="A.npy", type=Path, help="first side")
    flags.add_argument("b", metavar="B.npy", type=Path, help="second side")
    flags.add_argument("--fit-a", type=Path, metavar="F", help="rows the mean of A was fitted on")
    flags.add_argument("--fit-b", type=Path, metavar="F", help="rows the mean of B was fitted on")
    flags.add_argument("--groups", type=Path, metavar="IDS", help="ids that said which rows belong together")
    flags.set_defaults(output=None)
    return flags


def check(options: argparse.Namespace) -> None:
    """Nothing can be refused before the report is read."""


def run(options: argparse.Namespace) -> str:
    """One line on what was compared, where all of it is equal.

    Raises
    ------
    Differs
        Something is not, with the list.
    """
    recorded = read_report(options.report)
    paths: dict[str, Path] = {
        place: getattr(options, place) for place in PLACES if getattr(options, place) is not None
    }
    expected = _expected(recorded)
    _refuse_other_files(recorded.name, expected, paths)
    _check_fingerprints(recorded.name, expected, paths)
    a, b, fit_a, fit_b = (
        _load(side, paths[side], recorded.inputs[side]) if side in paths else None for side in SIDES
    )
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    ids = read_ids(paths["groups"], expected["groups"].name) if "groups" in paths else None
    before_audit(a, b, recorded.settings, groups=ids, fixed=True)
    result = audit(a, b, fit_a, fit_b, settings=recorded.settings, groups=ids, progress=terminal_progress())
    result = replace(result, margin_after_look=recorded.margin_after_look)  # no run of it alone can know
    compared = compare(recorded.data, json.loads(to_json(document(result))))
    if compared.differences:
        raise Differs(_all_that_differs(recorded, compared))
    return _all_is_equal(recorded, compared)


def _expected(recorded: Recorded) -> dict[str, RecordedInput]:
    """The files a report was made from, by the name of their argument."""
    files = [*recorded.inputs.items(), ("groups", recorded.groups)]
    return {place: found for place, found in files if found is not None}


def _refuse_other_files(report: str, expected: dict[str, RecordedInput], paths: dict[str, Path]) -> None:
    """The report was made from these files and no others."""
    for place, words in PLACES.items():
        flag = f"--{place.replace('_', '-')}"
        if place in expected and place not in paths:
            raise AuditError(f"{report} was made with {words}, which is not given", remedy=f"Give it with {flag}.")
        if place in paths and place not in expected:
            raise AuditError(f"{report} was made without {words}", remedy=f"Leave out {flag}.")


def _check_fingerprints(report: str, expected: dict[str, RecordedInput], paths: dict[str, Path]) -> None:
    """Before anything is measured: of another file every figure would differ."""
    wrong = []
    for place, path in paths.items():
        say_reading(path)
        digest = sha256_of(open_buffer(path, path.name))
        if digest != expected[place].sha256:
            wrong.append(_wrong_file(expected, place, path, digest))
    if wrong:
        those = agreed(len(wrong), "is not that", "are not those")
        head = f"differs: {len(wrong)} of {len(paths)} files {those} of {visible(report)}; nothing was run"
        raise Differs("\n".join([head, *wrong]) + "\n")


def _wrong_file(expected: dict[str, RecordedInput], place: str, path: Path, digest: str) -> str:
    elsewhere = [other for other, found in expected.items() if found.sha256 == digest]
    hint = f" (it is {PLACES[elsewhere[0]]} of the report)" if elsewhere else ""
    return (
        f"  {PLACES[place]}: {visible(path.name)} has SHA-256 {digest}{hint}; "
        f"the report has {visible(short(expected[place].name))} with {expected[place].sha256}"
    )


def _load(side: Side, path: Path, expected: RecordedInput) -> Inspection:
    """Read a file as the report says it was read, under the name it had then, which notices quote."""
    try:
        return inspect(read_array(path, expected.name, expected.choices))
    except AuditError as error:
        raise AuditError(f"{SIDE_WORDS[side]}: {error}", remedy=error.remedy) from error


def _all_is_equal(recorded: Recorded, found: Comparison) -> str:
    kinds = found.compared
    return (
        f"equal: {visible(recorded.name)} and the audit run again, in {len(_expected(recorded))} fingerprints, "
        f"{count(kinds['counts'])} whole numbers and {count(kinds['printed'])} printed figures exactly, "
        f"{count(kinds['unrounded'])} unrounded figures to {TOLERANCE}, and {count(kinds['words'])} texts and "
        f"choices; {_versions(found)}\n"
    )


def _all_that_differs(recorded: Recorded, found: Comparison) -> str:
    total = sum(found.compared.values())
    head = f"differs: {count(len(found.differences))} of {count(total)} values of {visible(recorded.name)}"
    lines = [_line(difference) for difference in found.differences[:LISTED]]
    if len(found.differences) > LISTED:
        lines.append(f"  and {count(len(found.differences) - LISTED)} more")
    return "\n".join([head, *lines, _versions(found)]) + "\n"


def _line(difference: Difference) -> str:
    old, new = _apart(difference.recorded, difference.found)
    return f"  {visible(cut(difference.place))}: {_side(old)} in the report, {_side(new)} now"


def _apart(old: object, new: object) -> tuple[object, object]:
    """Two long texts from a little before they differ on; anything else as it is."""
    if not isinstance(old, str) or not isinstance(new, str):
        return old, new
    shared = min(len(old), len(new))
    start = next((at for at in range(shared) if old[at] != new[at]), shared) - _BEFORE
    return (old, new) if start <= 0 else (f"…{old[start:]}", f"…{new[start:]}")


def _side(value: object) -> str:
    return "nothing" if value is ABSENT else visible(short(value))


def _versions(found: Comparison) -> str:
    """Not compared: they say where another figure may come from."""
    if not found.versions:
        return "made by the same versions"
    listed = "; ".join(
        f"{visible(cut(name))} {visible(cut(old))} in the report, {visible(cut(new))} now"
        for name, old, new in found.versions[:LISTED]
    )
    return f"versions, not compared: {listed}"
