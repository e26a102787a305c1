"""The command line: ``python -m core A.npy B.npy``.

The bare form is the audit. Exit codes: 0 done; 2 anything the user can cause, with one
line ``error: …`` on stderr and nothing on stdout; 130 interrupted; 1 a bug of ours.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from core.audit import AuditSettings, audit
from core.errors import SIDE_WORDS, AuditError, ChoiceNeeded, Side
from core.estimate import expected_seconds
from core.formats import ReadChoices, read_array
from core.inspection import Inspection, inspect
from core.limits import OFFER_SECONDS, OFFERED_CANDIDATES, SAY_SECONDS
from core.output import check_writable, write_whole
from core.provenance import VERSION
from core.report import RENDERERS
from core.report.names import visible
from core.report.numbers import count, duration
from core.sweep import Progress

__all__ = ["main"]

#: The inputs, in the order of the command line. Flags write them with a hyphen.
SIDES: tuple[Side, ...] = ("a", "b", "fit_a", "fit_b")

USER_ERROR = 2
INTERRUPTED = 130

EXAMPLE = """\
example:
  python -m core sample_data/e5_small/a.npy sample_data/e5_small/b.npy --format markdown

Row i of A belongs with row i of B. The audit says whether matched rows score above what
unrelated rows of the same two files score, raw and centred.
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose mistakes are one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        raise AuditError(message, remedy="See python -m core --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        options = _parser().parse_args(arguments)
        _check_flags(options)
        text = _run_audit(options)
        if options.output is None:
            _print(text)
        else:
            write_whole(options.output, text)
    except AuditError as error:
        _complain(visible(error.sentence))
        return USER_ERROR
    except MemoryError:
        _complain("there is not enough memory for these files. Use fewer rows.")
        return USER_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _complain(sentence: str) -> None:
    """One line on stderr, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"error: {sentence}\n")


def _check_flags(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail or to be idle before any file is read."""
    given = {side: getattr(options, side) for side in SIDES}
    for side, path in given.items():
        idle = [name for name, value in asdict(_choices(options, side)).items() if value is not None]
        if path is None and idle:
            raise AuditError(
                f"{_choice_flag(idle[0], side)} says how to read the {SIDE_WORDS[side]}, which is not given",
                remedy=f"Give the file with --{_hyphened(side)}, or leave the flag out.",
            )
    if options.output is not None:
        check_writable(options.output, [path for path in given.values() if path is not None])


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


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m core",
        description="Audit a cosine-similarity claim: does it stand above what unrelated rows score?",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("a", metavar="A.npy", type=Path, help="first side, an (n, d) array")
    parser.add_argument("b", metavar="B.npy", type=Path, help="second side; row i belongs with row i of A")
    parser.add_argument("--fit-a", type=Path, metavar="F", help="rows to fit the mean of A on")
    parser.add_argument("--fit-b", type=Path, metavar="F", help="rows to fit the mean of B on")
    parser.add_argument("--shared", action="store_true", help="one mean for both sides instead of one each")
    parser.add_argument("--perms", type=int, default=20, metavar="N", help="seeded derangements (default 20)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the derangements (default 0)")
    parser.add_argument(
        "--candidates",
        type=int,
        metavar="M",
        help="rank each row among M candidates, its partner and a seeded pool, instead of all rows",
    )
    parser.add_argument("--drop-bad-rows", action="store_true", help="leave out pairs with a NaN, infinite or zero row")
    for side in SIDES:
        _add_choices(parser, side)
    parser.add_argument("--format", choices=tuple(RENDERERS), default="json", help="report format (default json)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write to a file instead of stdout")
    parser.add_argument("--version", action="version", version=f"cosine-floor {VERSION}")
    return parser


def _add_choices(parser: argparse.ArgumentParser, side: Side) -> None:
    """Flags that say how one file is to be read, where only its owner can know."""
    group = parser.add_argument_group(f"how to read {SIDE_WORDS[side]}")
    group.add_argument(_choice_flag("key", side), metavar="KEY", help="member of an archive")
    group.add_argument(_choice_flag("columns", side), metavar="NAMES", help="columns of a table, comma-separated")
    group.add_argument(_choice_flag("layer", side), metavar="N", type=int, help="layer of an (L, n, d) stack, from 0")
    group.add_argument(_choice_flag("read_as", side), metavar="WHAT", help="bfloat16, packed-bits or numbers")


def _run_audit(options: argparse.Namespace) -> str:
    settings = AuditSettings(
        shared_mean=options.shared,
        n_derangements=options.perms,
        seed=options.seed,
        drop_bad_rows=options.drop_bad_rows,
        candidates=options.candidates,
    )
    a, b, fit_a, fit_b = (_load(options, side) for side in SIDES)
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    _say_how_long(a, settings)
    result = audit(a, b, fit_a, fit_b, settings=settings, progress=_terminal_progress())
    return RENDERERS[options.format](result)


def _say_how_long(a: Inspection, settings: AuditSettings) -> None:
    """On stderr, where a person watches it and the audit will take a while."""
    if not _watched():
        return
    n, dim = a.loaded.shape
    seconds = expected_seconds(n, dim, n_candidates=settings.candidates, n_derangements=settings.n_derangements)
    if seconds < SAY_SECONDS:
        return
    way_out = ""
    if seconds > OFFER_SECONDS and settings.candidates is None and n > OFFERED_CANDIDATES:
        way_out = f"; --candidates {OFFERED_CANDIDATES} ranks against a seeded pool instead"
    sys.stderr.write(f"{count(n)} rows: {duration(seconds)} on this machine{way_out}\n")


def _load(options: argparse.Namespace, side: Side) -> Inspection | None:
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


def _watched() -> bool:
    """True where stderr is a terminal, so that a person sees what is written there."""
    return sys.stderr is not None and sys.stderr.isatty()


def _terminal_progress() -> Progress | None:
    """Progress on stderr, only where a person watches it."""
    if not _watched():
        return None

    def show(done: int, total: int, message: str) -> None:
        end = "\r\033[K" if done == total else ""
        sys.stderr.write(f"\r{message}: {100 * done // total}%{end}")
        sys.stderr.flush()

    return show


if __name__ == "__main__":
    sys.exit(main())
