"""``python -m core verify report.json A.npy B.npy``: does the audit say it again?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.audit import audit
from core.command.files import SIDES
from core.command.terminal import Differs, Parser, terminal_progress
from core.errors import SIDE_WORDS, AuditError, Side
from core.flags import side_flag
from core.formats import read_array
from core.formats.source import open_buffer, sha256_of
from core.inspection import Inspection, inspect
from core.recorded import Recorded, RecordedInput, cut, read_report, short
from core.report import document, to_json
from core.report.names import visible
from core.report.numbers import count
from core.verification import ABSENT, TOLERANCE, Comparison, Difference, compare

__all__ = ["check", "parser", "run"]

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
    paths: dict[Side, Path] = {side: getattr(options, side) for side in SIDES if getattr(options, side) is not None}
    _refuse_other_sides(recorded, paths)
    _check_fingerprints(recorded, paths)
    a, b, fit_a, fit_b = (
        _load(side, paths[side], recorded.inputs[side]) if side in paths else None for side in SIDES
    )
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    result = audit(a, b, fit_a, fit_b, settings=recorded.settings, progress=terminal_progress())
    compared = compare(recorded.data, json.loads(to_json(document(result))))
    if compared.differences:
        raise Differs(_all_that_differs(recorded, compared))
    return _all_is_equal(recorded, compared)


def _refuse_other_sides(recorded: Recorded, paths: dict[Side, Path]) -> None:
    """The report was made from these files and no others."""
    for side in SIDES:
        if side in recorded.inputs and side not in paths:
            raise AuditError(
                f"{recorded.name} was made with a {SIDE_WORDS[side]}, which is not given",
                remedy=f"Give it with {side_flag(side)}.",
            )
        if side in paths and side not in recorded.inputs:
            raise AuditError(
                f"{recorded.name} was made without a {SIDE_WORDS[side]}", remedy=f"Leave out {side_flag(side)}."
            )


def _check_fingerprints(recorded: Recorded, paths: dict[Side, Path]) -> None:
    """Before anything is measured: of another file every figure would differ."""
    wrong = []
    for side, path in paths.items():
        digest = sha256_of(open_buffer(path, path.name))
        if digest != recorded.inputs[side].sha256:
            wrong.append(_wrong_file(recorded, side, path, digest))
    if wrong:
        head = f"differs: {len(wrong)} of {len(paths)} files are not those of {visible(recorded.name)}; nothing was run"
        raise Differs("\n".join([head, *wrong]) + "\n")


def _wrong_file(recorded: Recorded, side: Side, path: Path, digest: str) -> str:
    expected = recorded.inputs[side]
    place = [other for other in SIDES if other in recorded.inputs and recorded.inputs[other].sha256 == digest]
    hint = f" (it is {SIDE_WORDS[place[0]]} of the report)" if place else ""
    return (
        f"  {SIDE_WORDS[side]}: {visible(path.name)} has SHA-256 {digest}{hint}; "
        f"the report has {visible(short(expected.name))} with {expected.sha256}"
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
        f"equal: {visible(recorded.name)} and the audit run again, in {len(recorded.inputs)} fingerprints, "
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
    old, new = _side(difference.recorded), _side(difference.found)
    return f"  {visible(cut(difference.place))}: {old} in the report, {new} now"


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
