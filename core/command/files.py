"""Files on the command line: the flags that say how one is to be read, and reading it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from core.errors import SIDE_WORDS, AuditError, ChoiceNeeded, Side
from core.formats import ReadChoices, read_array
from core.inspection import Inspection, inspect

__all__ = ["SIDES", "add_choices", "load_side", "refuse_idle_choices"]

#: The inputs, in the order of the command line. Flags write them with a hyphen.
SIDES: tuple[Side, ...] = ("a", "b", "fit_a", "fit_b")


def add_choices(parser: argparse.ArgumentParser, side: Side) -> None:
    """Flags that say how one file is to be read, where only its owner can know."""
    group = parser.add_argument_group(f"how to read {SIDE_WORDS[side]}")
    group.add_argument(_choice_flag("key", side), metavar="KEY", help="member of an archive")
    group.add_argument(_choice_flag("columns", side), metavar="NAMES", help="columns of a table, comma-separated")
    group.add_argument(_choice_flag("layer", side), metavar="N", type=int, help="layer of an (L, n, d) stack, from 0")
    group.add_argument(_choice_flag("read_as", side), metavar="WHAT", help="bfloat16, packed-bits or numbers")


def load_side(options: argparse.Namespace, side: Side) -> Inspection | None:
    """Read and inspect the file of one side, or `None` where there is none."""
    path: Path | None = getattr(options, side)
    if path is None:
        return None
    try:
        return inspect(read_array(path, path.name, _choices(options, side)))
    except AuditError as error:
        raise AuditError(f"{SIDE_WORDS[side]}: {error}", remedy=_remedy(error, side)) from error


def _remedy(error: AuditError, side: Side) -> str:
    """What to do about a file that was not read; a choice is made with a flag."""
    if not isinstance(error, ChoiceNeeded):
        return error.remedy
    return f"Say which with {_choice_flag(error.choice, side)}: {', '.join(error.options)}."


def _choices(options: argparse.Namespace, side: Side) -> ReadChoices:
    """What the flags of one side say about how to read its file."""
    return ReadChoices(
        key=getattr(options, f"key_{side}"),
        columns=getattr(options, f"columns_{side}"),
        layer=getattr(options, f"layer_{side}"),
        read_as=getattr(options, f"read_{side}_as"),
    )


def _choice_flag(choice: str, side: Side) -> str:
    """The flag that makes one of the `ReadChoices` for one side."""
    return f"--read-{_hyphened(side)}-as" if choice == "read_as" else f"--{choice}-{_hyphened(side)}"


def _hyphened(side: Side) -> str:
    """A side as flags write it."""
    return side.replace("_", "-")


def refuse_idle_choices(options: argparse.Namespace, side: Side) -> None:
    """Refuse a flag that says how to read a file which is not given."""
    idle = [name for name, value in asdict(_choices(options, side)).items() if value is not None]
    if getattr(options, side) is None and idle:
        raise AuditError(
            f"{_choice_flag(idle[0], side)} says how to read the {SIDE_WORDS[side]}, which is not given",
            remedy=f"Give the file with --{_hyphened(side)}, or leave the flag out.",
        )
