"""The margin and when it was declared, as flags of every command that has a verdict."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from core.errors import SettingsError

__all__ = ["add_margin", "check_margin"]


class _Number(float):
    """A number that keeps the text it was typed as: 1e-400 is 0.0."""

    __slots__ = ("typed",)
    typed: str


def add_margin(flags: argparse.ArgumentParser, what: str) -> None:
    """Add ``--margin`` and ``--margin-after-look``; `what` is the help of the former."""
    flags.add_argument("--margin", type=_number, metavar="X", help=what)
    flags.add_argument(
        "--margin-after-look", action="store_true", help="the margin was declared after a first look at a result"
    )


def check_margin(options: argparse.Namespace, in_range: Callable[[float], object]) -> None:
    """Refuse a margin out of range, and to say when one was declared where there is none.

    Parameters
    ----------
    options
        Its margin is a plain float afterwards.
    in_range
        Raises `SettingsError` for a margin that the command does not take.

    Raises
    ------
    SettingsError
        With the margin as it was typed; or for ``--margin-after-look`` without ``--margin``.
    """
    if options.margin is None:
        if options.margin_after_look:
            raise SettingsError(
                "--margin-after-look says when a margin was declared, and there is no --margin",
                remedy="Give --margin as well, or leave it out.",
            )
        return
    typed, options.margin = options.margin.typed, float(options.margin)
    try:
        in_range(options.margin)
    except SettingsError as error:
        bounds = str(error).partition("; ")[2]
        raise SettingsError(f"the margin (--margin) is {typed}; {bounds}", remedy=error.remedy) from None


def _number(typed: str) -> _Number:
    number = _Number(typed)
    number.typed = typed
    return number


_number.__name__ = "float"  # argparse says "invalid float value"
