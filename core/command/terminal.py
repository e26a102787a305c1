"""What the command line writes: reports to stdout, progress and complaints to stderr."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from core.errors import AuditError
from core.limits import SAY_SECONDS
from core.output import write_whole
from core.report.numbers import duration
from core.sweep import Progress

__all__ = ["Differs", "Parser", "complain", "deliver", "say_how_long", "terminal_progress", "watched"]


class Differs(Exception):  # noqa: N818 - an answer, not an error
    """A command that compares found a difference; `text` lists it, for stdout."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        raise AuditError(message, remedy=f"See {self.prog} --help.")


def deliver(text: str, output: Path | None) -> None:
    """A report to a file, whole or not at all, or to stdout."""
    if output is None:
        _print(text)
    else:
        write_whole(output, text)


def complain(sentence: str) -> None:
    """One line on stderr, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"error: {sentence}\n")


def _print(text: str) -> None:
    """Write a report to stdout. A reader that goes away, as ``| head`` does, is no error."""
    if sys.stdout is None:
        raise AuditError(
            "stdout is closed, so the report has nowhere to go", remedy="Write it to a file with --output."
        )
    sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered would fail once more on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise AuditError(
                f"the report could not be written: {error.strerror}", remedy="Write it elsewhere with --output."
            ) from error


def watched() -> bool:
    """True where stderr is a terminal, so that a person sees what is written there."""
    return sys.stderr is not None and sys.stderr.isatty()


def say_how_long(what: str, seconds: float, way_out: str = "") -> None:
    """On stderr, if the work will take a while: `what` it is of, and what to do instead, if anything."""
    if seconds >= SAY_SECONDS:
        sys.stderr.write(f"{what}: {duration(seconds)} on this machine{way_out}\n")


def terminal_progress() -> Progress | None:
    """Progress on stderr, only where a person watches it."""
    if not watched():
        return None

    def show(done: int, total: int, message: str) -> None:
        end = "\r\033[K" if done == total else ""
        sys.stderr.write(f"\r\033[K{message}: {100 * done // total}%{end}")
        sys.stderr.flush()

    return show
