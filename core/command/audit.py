"""``python -m core A.npy B.npy``: the audit."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from core.audit import Audit, AuditSettings, audit
from core.command.before import before_audit, before_reading
from core.command.files import SIDES, add_choices, load_side, refuse_idle_choices
from core.command.margins import add_margin, check_margin
from core.command.paired_files import load_groups, refuse_by_headers, refuse_groups_of_a_pool
from core.command.terminal import Parser, terminal_progress
from core.errors import AuditError
from core.output import check_writable, npy_bytes, write_whole
from core.provenance import VERSION
from core.report import RENDERERS, document
from core.report.names import visible

__all__ = ["check", "parser", "run"]

EXAMPLE = """\
example:
  python -m core sample_data/e5_small/a.npy sample_data/e5_small/b.npy --format markdown

Row i of A belongs with row i of B. The audit says whether matched rows score above what
unrelated rows of the same two files score, raw and centred.
"""


def parser() -> Parser:
    """The flags of an audit."""
    flags = Parser(
        prog="python -m core",
        description="Audit a cosine-similarity claim: does it stand above what unrelated rows score?",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    flags.add_argument("a", metavar="A.npy", type=Path, help="first side, an (n, d) array")
    flags.add_argument("b", metavar="B.npy", type=Path, help="second side; row i belongs with row i of A")
    flags.add_argument("--fit-a", type=Path, metavar="F", help="rows to fit the mean of A on")
    flags.add_argument("--fit-b", type=Path, metavar="F", help="rows to fit the mean of B on")
    flags.add_argument("--shared", action="store_true", help="one mean for both sides instead of one each")
    flags.add_argument("--perms", type=int, default=20, metavar="N", help="seeded derangements (default 20)")
    flags.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the derangements (default 0)")
    flags.add_argument(
        "--candidates",
        type=int,
        metavar="M",
        help="rank each row among M candidates, its partner and a seeded pool, instead of all rows",
    )
    flags.add_argument(
        "--groups", type=Path, metavar="IDS", help="which rows belong together: one id a row, .npy, .csv or .txt"
    )
    add_margin(flags, "largest gap in cosine that would not matter, declared beforehand")
    flags.add_argument("--drop-bad-rows", action="store_true", help="leave out pairs with a NaN, infinite or zero row")
    for side in SIDES:
        add_choices(flags, side)
    flags.add_argument("--format", choices=tuple(RENDERERS), default="json", help="report format (default json)")
    flags.add_argument("--output", type=Path, metavar="FILE", help="write to a file instead of stdout")
    flags.add_argument(
        "--order",
        type=Path,
        metavar="FILE.npy",
        help="write the order that pairs the rows, where they are found shifted or permuted",
    )
    flags.add_argument("--version", action="version", version=f"cosine-floor {VERSION}")
    return flags


def check(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail or to be idle before any file is read."""
    check_margin(options, lambda margin: AuditSettings(margin=margin))
    for side in SIDES:
        refuse_idle_choices(options, side)
    given = [*(getattr(options, side) for side in SIDES), options.groups]
    inputs = [path for path in given if path is not None]
    if options.output is not None:
        check_writable(options.output, inputs)
    if options.order is not None:
        if options.candidates is not None:
            raise AuditError(
                "--order needs every row's best match, and --candidates ranks among a pool",
                remedy="Leave one of them out.",
            )
        check_writable(options.order, inputs, flag="--order")
        if options.output is not None and options.order.absolute() == options.output.absolute():
            raise AuditError("--order and --output name one file", remedy="Give the order a file of its own.")
    refuse_groups_of_a_pool(options)


def run(options: argparse.Namespace) -> str:
    """Audit the files and render the report."""
    settings = AuditSettings(
        shared_mean=options.shared,
        n_derangements=options.perms,
        seed=options.seed,
        drop_bad_rows=options.drop_bad_rows,
        candidates=options.candidates,
        margin=options.margin,
    )
    groups = load_groups(options)
    said = before_reading(refuse_by_headers(options), settings, groups=groups)
    a, b, fit_a, fit_b = (load_side(options, side) for side in SIDES)
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    before_audit(a, b, settings, said=said, groups=groups)
    result = audit(a, b, fit_a, fit_b, settings=settings, groups=groups, progress=terminal_progress())
    result = replace(result, margin_after_look=options.margin_after_look)
    text = RENDERERS[options.format](document(result))
    if options.order is not None:
        _write_order(result, options.order)
    return text


def _write_order(result: Audit, path: Path) -> None:
    """The order that pairs the rows, where one was found; no report without it, since it was asked for."""
    order = None if result.pairing is None else result.pairing.pairing_order
    if order is None:
        raise AuditError(
            f"there is no order to write to {path.name}: the rows of {result.a.name} and {result.b.name} were not "
            "found shifted or permuted",
            remedy="Leave out --order; the report says what was looked for.",
        )
    write_whole(path, npy_bytes(order))
    if sys.stderr is not None:
        names = visible(f"row i of {result.a.name} goes with row {path.stem}[i] of {result.b.name}")
        sys.stderr.write(f"{visible(path.name)}: {names}, rows counted from 0\n")
