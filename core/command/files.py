"""Files on the command line: the flags that say how one is to be read, and reading it."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from core.by_header import by_header
from core.command.terminal import say_reading
from core.errors import SIDE_WORDS, AuditError, ChoiceNeeded, Side
from core.flags import choice_flag, side_flag
from core.formats import ReadChoices, read_array, read_stack
from core.inspection import Inspection, inspect
from core.limits import MAX_NAME_CHARS

__all__ = [
    "SIDES",
    "add_choices",
    "add_common_choices",
    "file_by_header",
    "load_file",
    "load_layers",
    "load_side",
    "refuse_idle_choices",
    "side_by_header",
]

#: The inputs, in the order of the command line. Flags write them with a hyphen.
SIDES: tuple[Side, ...] = ("a", "b", "fit_a", "fit_b")


def add_choices(parser: argparse.ArgumentParser, side: Side) -> None:
    """Flags that say how one file is to be read, where only its owner can know."""
    group = parser.add_argument_group(f"how to read {SIDE_WORDS[side]}")
    group.add_argument(choice_flag("key", side), metavar="KEY", help="member of an archive, name in a JSON object")
    group.add_argument(choice_flag("columns", side), metavar="NAMES", help="columns of a table, comma-separated")
    group.add_argument(choice_flag("layer", side), metavar="N", type=int, help="layer of an (L, n, d) stack, from 0")
    group.add_argument(choice_flag("read_as", side), metavar="WHAT", help="bfloat16, packed-bits or numbers")


def add_common_choices(parser: argparse.ArgumentParser) -> None:
    """Flags that say how every file of the command is to be read."""
    group = parser.add_argument_group("how to read every file")
    group.add_argument("--key", metavar="KEY", help="member of an archive, name in a JSON object")
    group.add_argument("--columns", metavar="NAMES", help="columns of a table, comma-separated")
    group.add_argument("--layer", metavar="N", type=int, help="layer of an (L, n, d) stack, from 0")
    group.add_argument("--read-as", metavar="WHAT", help="bfloat16, packed-bits or numbers")


def load_file(options: argparse.Namespace, path: Path, what: str) -> Inspection:
    """Read and inspect one file by the flags that hold for every file; `what` it is, for errors."""
    say_reading(path)
    try:
        return inspect(read_array(path, path.name, _common_choices(options)))
    except AuditError as error:
        raise _refused(error, what) from error


def file_by_header(options: argparse.Namespace, path: Path, what: str) -> Inspection | None:
    """What the header of such a file says; `None` where it does not tell."""
    try:
        return by_header(path, path.name, _common_choices(options))
    except AuditError as error:
        raise _refused(error, what) from error


def load_layers(options: argparse.Namespace, path: Path, what: str) -> tuple[Inspection, ...]:
    """Read a stack and inspect each of its layers."""
    say_reading(path)
    try:
        return tuple(inspect(layer) for layer in read_stack(path, path.name, _common_choices(options)))
    except AuditError as error:
        raise _refused(error, what) from error


def _refused(error: AuditError, what: str) -> AuditError:
    remedy = error.remedy
    if isinstance(error, ChoiceNeeded):
        remedy = _with_flag(f"--{error.choice.replace('_', '-')}", error.options)
    return AuditError(f"{what}: {error}", remedy=remedy)


def _common_choices(options: argparse.Namespace) -> ReadChoices:
    return ReadChoices(key=options.key, columns=options.columns, layer=options.layer, read_as=options.read_as)


def load_side(options: argparse.Namespace, side: Side) -> Inspection | None:
    """Read and inspect the file of one side, or `None` where there is none."""
    path: Path | None = getattr(options, side)
    if path is None:
        return None
    say_reading(path)
    with _side_named(side):
        return inspect(read_array(path, path.name, _choices(options, side)))


def side_by_header(options: argparse.Namespace, side: Side) -> Inspection | None:
    """What the header of one side's file says; `None` where there is no file, or no telling header."""
    path: Path | None = getattr(options, side)
    if path is None:
        return None
    with _side_named(side):
        return by_header(path, path.name, _choices(options, side))


@contextmanager
def _side_named(side: Side) -> Iterator[None]:
    """Errors about a file say which side it is, and which flag makes a choice."""
    try:
        yield
    except AuditError as error:
        raise AuditError(f"{SIDE_WORDS[side]}: {error}", remedy=_remedy(error, side)) from error


def _remedy(error: AuditError, side: Side) -> str:
    """What to do about a file that was not read; a choice is made with a flag."""
    if not isinstance(error, ChoiceNeeded):
        return error.remedy
    return _with_flag(choice_flag(error.choice, side), error.options)


def _with_flag(flag: str, options: tuple[str, ...]) -> str:
    """The flag that makes a choice; the options stand in the sentence before it."""
    example = next((option for option in options if option.isprintable() and len(option) <= MAX_NAME_CHARS), "")
    if not example:
        return f"Say which with {flag}."
    joint = "=" if example.startswith("-") else " "  # else the parser takes the value for a flag
    return f"Say which with {flag}, for example {flag}{joint}{shlex.quote(example)}."


def _choices(options: argparse.Namespace, side: Side) -> ReadChoices:
    """What the flags of one side say about how to read its file."""
    return ReadChoices(
        key=getattr(options, f"key_{side}"),
        columns=getattr(options, f"columns_{side}"),
        layer=getattr(options, f"layer_{side}"),
        read_as=getattr(options, f"read_{side}_as"),
    )


def refuse_idle_choices(options: argparse.Namespace, side: Side) -> None:
    """Refuse a flag that says how to read a file which is not given."""
    idle = [name for name, value in asdict(_choices(options, side)).items() if value is not None]
    if getattr(options, side) is None and idle:
        raise AuditError(
            f"{choice_flag(idle[0], side)} says how to read the {SIDE_WORDS[side]}, which is not given",
            remedy=f"Give the file with {side_flag(side)}, or leave the flag out.",
        )
