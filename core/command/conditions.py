"""``python -m core conditions``: several conditions, seeds or layers, compared on the same items."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.audit import AuditSettings
from core.command.files import add_common_choices, file_by_header, load_file, load_layers
from core.command.margins import add_margin, check_margin
from core.command.terminal import Parser, say_how_long, terminal_progress, watched
from core.comparison import (
    ComparisonSettings,
    Run,
    compare,
    condition_of,
    layer_runs,
    more_layers_than_items,
    refuse_runs,
)
from core.conditions import run_name
from core.errors import AuditError
from core.estimate import expected_audit_seconds
from core.inspection import Inspection
from core.output import check_writable
from core.prose import agreed, counted
from core.report import RENDERERS, conditions_document

__all__ = ["check", "parser", "run"]

EXAMPLE = """\
three ways to give the files:
  one A against several B, each NAME=FILE or NAME@SEED=FILE (FILE alone: its stem is the name,
  and what follows an @ in it the seed; of several = the one counts after which a file stands):
    python -m core conditions A.npy bf16=B1.npy int8=B2.npy
  a pair of files for every condition and seed:
    python -m core conditions --run fp32@1 A1.npy B1.npy --run int8@1 A1.npy C1.npy ...
  two (L, n, d) stacks, layer by layer:
    python -m core conditions --layers A.npy B.npy

Each condition is compared with the first, or with --baseline NAME, or every two with
--all-pairs: signed differences of the gap on the same items, with their intervals.
"""

#: A word of the command line, or a pair of files: condition, seed, then one or two files.
_Given = tuple[str, str | None, tuple[Path, ...]]

#: Reads a file that is called so in errors.
_Load = Callable[[argparse.Namespace, Path, str], Inspection]


def parser() -> Parser:
    """The flags of a comparison."""
    flags = Parser(
        prog="python -m core conditions",
        description="Compare conditions, seeds or layers on the same items: does the gap differ, and by how much?",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    flags.add_argument("files", nargs="*", metavar="FILE", help="A, then NAME=B for each condition")
    flags.add_argument(
        "--run",
        nargs=3,
        action="append",
        default=[],
        metavar=("NAME[@SEED]", "A.npy", "B.npy"),
        help="one pair of files; repeat for each condition and seed",
    )
    flags.add_argument(
        "--layers", action="store_true", help="the two files are (L, n, d) stacks: compare their layers"
    )
    flags.add_argument(
        "--baseline",
        metavar="NAME",
        help="compare each condition with this one (default: the first that has a centred reading)",
    )
    flags.add_argument("--all-pairs", action="store_true", help="compare every two conditions")
    add_margin(flags, "largest difference that would not matter, declared before looking")
    flags.add_argument("--fit-a", type=Path, metavar="F", help="rows to fit the mean of every A on")
    flags.add_argument("--fit-b", type=Path, metavar="F", help="rows to fit the mean of every B on")
    flags.add_argument("--shared", action="store_true", help="one mean for both sides instead of one each")
    flags.add_argument("--perms", type=int, default=20, metavar="N", help="seeded derangements (default 20)")
    flags.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the derangements (default 0)"
    )
    flags.add_argument(
        "--candidates", type=int, metavar="M", help="rank each row among M candidates instead of all rows"
    )
    flags.add_argument(
        "--drop-bad-rows",
        action="store_true",
        help="leave out, of every condition, pairs with a NaN, infinite or zero row in any",
    )
    add_common_choices(flags)
    flags.add_argument(
        "--format", choices=tuple(RENDERERS), default="json", help="report format (default json)"
    )
    flags.add_argument("--output", type=Path, metavar="FILE", help="write to a file instead of stdout")
    return flags


def check(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail before any file is read."""
    check_margin(options, lambda margin: ComparisonSettings(margin=margin))
    if options.layers:
        _check_layers(options)
    elif options.run and options.files:
        raise AuditError(
            f"pairs of files are given with --run, and {options.files[0]} beside them",
            remedy="Give every pair with --run, or one A and several B without it.",
        )
    elif not options.run and len(options.files) < 3:
        raise AuditError(
            "a comparison needs one A and at least two B, or pairs of files with --run, or two stacks with --layers",
            remedy="See python -m core conditions --help.",
        )
    _settings(options)
    if options.output is not None:
        check_writable(options.output, _paths(options))


def run(options: argparse.Namespace) -> str:
    """Compare the files and render the report."""
    settings = _settings(options)
    headers = None if options.layers else _by_headers(options)
    if headers is not None:
        refuse_runs(*headers, baseline=settings.baseline)
        _say_how_long(headers[0], settings.audit, rows_read=False)
    fit_a, fit_b = _fits(options, load_file)
    runs = _layer_runs(options) if options.layers else _file_runs(options, load_file)
    if headers is None:
        _say_how_long(runs, settings.audit, rows_read=True)
    doubt = more_layers_than_items(len(runs), runs[0].a.loaded.shape) if options.layers and watched() else ""
    if doubt:
        sys.stderr.write(f"{doubt}\n")
    result = compare(
        runs, fit_a, fit_b, settings=settings, layers=options.layers, progress=terminal_progress()
    )
    result = replace(result, margin_after_look=options.margin_after_look)
    return RENDERERS[options.format](conditions_document(result))


def _check_layers(options: argparse.Namespace) -> None:
    given = len(options.files) + 2 * len(options.run)
    if options.run or len(options.files) != 2:
        raise AuditError(
            f"--layers compares two stacks, and {counted(given, 'file')} {agreed(given, 'is', 'are')} given",
            remedy="Give A and B, each of shape (layers, items, columns).",
        )
    if options.layer is not None or options.fit_a is not None or options.fit_b is not None:
        idle = "--layer" if options.layer is not None else "a fit array"
        raise AuditError(
            f"--layers compares all layers, and {idle} is for one of them", remedy="Leave it out."
        )


def _settings(options: argparse.Namespace) -> ComparisonSettings:
    return ComparisonSettings(
        audit=AuditSettings(
            shared_mean=options.shared,
            n_derangements=options.perms,
            seed=options.seed,
            candidates=options.candidates,
            drop_bad_rows=options.drop_bad_rows,
        ),
        margin=options.margin,
        baseline=options.baseline,
        all_pairs=options.all_pairs,
    )


def _given(options: argparse.Namespace) -> list[_Given]:
    """Condition, seed and files of every run, as the command line says."""
    if options.run:
        return [(*_name(name), (Path(a), Path(b))) for name, a, b in options.run]
    return [_named_file(word) for word in options.files[1:]]


def _named_file(word: str) -> _Given:
    """``NAME=FILE``, ``NAME@SEED=FILE`` or ``FILE``; a word that is the name of a file is that file.

    Where there are several =, the one counts after which a file stands.
    """
    path = Path(word)
    if os.path.exists(path) or "=" not in word:  # Path.exists raises where a name is too long
        return (*condition_of(path.stem), (path,))
    pieces = word.split("=")
    ways = [("=".join(pieces[:k]), "=".join(pieces[k:])) for k in range(1, len(pieces))]
    ways = [(name, file) for name, file in ways if name and file]
    if not ways:
        raise AuditError(
            f"{word} is no NAME=FILE", remedy="Write the condition before the = and its file after it."
        )
    found = [way for way in ways if os.path.exists(way[1])] if len(ways) > 1 else ways
    if len(found) != 1:
        names = " or ".join(file for _, file in found) or "none of them"
        raise AuditError(
            f"{word} has several =, and {names} {'are files' if found else 'has a file after it'}: which name and "
            "which file are meant cannot be told",
            remedy="Give the pair with --run NAME A.npy B.npy, where name and files stand apart.",
        )
    name, file = found[0]
    return (*_name(name), (Path(file),))


def _name(word: str) -> tuple[str, str | None]:
    """Condition and seed of ``NAME`` or ``NAME@SEED``."""
    label, seed = condition_of(word)
    if seed is None and (word.startswith("@") or word.endswith("@")):
        raise AuditError(
            f"{word} is no NAME@SEED", remedy="Write the condition before the @ and the seed after it."
        )
    return label, seed


def _paths(options: argparse.Namespace) -> list[Path]:
    """Every file that is read, so that none is written to."""
    if options.layers:
        paths = [Path(file) for file in options.files]
    else:
        paths = [Path(file) for file in options.files[:1]]
        paths += [path for _, _, files in _given(options) for path in files]
    return paths + [path for path in (options.fit_a, options.fit_b) if path is not None]


def _layer_runs(options: argparse.Namespace) -> Sequence[Run]:
    a, b = (
        load_layers(options, Path(file), f"side {side}")
        for side, file in zip("AB", options.files, strict=True)
    )
    return layer_runs(a, b)


def _by_headers(options: argparse.Namespace) -> tuple[Sequence[Run], Inspection | None, Inspection | None] | None:
    """The runs and fit arrays as the headers of their files tell; `None` where one does not."""

    def told(options: argparse.Namespace, path: Path, what: str) -> Inspection:
        found = file_by_header(options, path, what)
        if found is None:
            raise LookupError
        return found

    try:
        return _file_runs(options, told), *_fits(options, told)
    except LookupError:
        return None


def _fits(options: argparse.Namespace, load: _Load) -> tuple[Inspection | None, Inspection | None]:
    fit_a, fit_b = (
        load(options, path, f"fit array of {side}") if path is not None else None
        for side, path in (("A", options.fit_a), ("B", options.fit_b))
    )
    return fit_a, fit_b


def _file_runs(options: argparse.Namespace, load_one: _Load) -> Sequence[Run]:
    """Runs of files; a file that serves several is read once."""
    held: dict[Path, Inspection] = {}

    def load(path: Path, what: str) -> Inspection:
        if path not in held:
            held[path] = load_one(options, path, what)
        return held[path]

    runs = []
    for label, seed, files in _given(options):
        what = f"condition {run_name(label, seed)}"
        sides = [load(path, what) for path in files]
        if len(sides) == 1:
            sides = [load(Path(options.files[0]), "side A"), *sides]
        runs.append(Run(label=label, seed=seed, a=sides[0], b=sides[1]))
    return runs


def _say_how_long(runs: Sequence[Run], settings: AuditSettings, *, rows_read: bool) -> None:
    if not watched():
        return
    close = None if rows_read else False
    seconds = sum(expected_audit_seconds(run.a, run.b, settings, close=close) for run in runs)
    say_how_long(f"{len(runs)} audits", seconds)
