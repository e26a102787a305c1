"""``python -m core rows A.npy B.npy``: the worst pairs, one by one."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.audit import AuditSettings, audit
from core.claims import worst_pairs
from core.command.paired_files import add_formats, add_paired_files, check_paired_files, load_groups, load_paired_files
from core.command.terminal import Parser, terminal_progress
from core.errors import SettingsError
from core.formats.labels import read_labels
from core.report import RENDERERS
from core.report.rows_document import ORDERS, WorstRows, rows_csv, rows_document

__all__ = ["check", "parser", "run"]

EXAMPLE = """\
example:
  python -m core rows sample_data/e5_small/a.npy sample_data/e5_small/b.npy --reading centred --count 10

Each pair with its own cosine, the rank of its partner, and the row that scores highest beside it.
"""


def parser() -> Parser:
    """The flags of the table of pairs."""
    flags = Parser(
        prog="python -m core rows",
        description="Which rows? The pairs one by one, worst first.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_paired_files(flags)
    flags.add_argument("--reading", choices=("raw", "centred"), default="raw", help="which cosines (default raw)")
    flags.add_argument("--by", choices=tuple(ORDERS), default="margin", help="order of the pairs (default margin)")
    flags.add_argument("--count", type=int, default=20, metavar="N", help="pairs to list (default 20)")
    flags.add_argument("--labels-a", type=Path, metavar="TEXTS", help="a text for each row of A: .txt, .csv or .json")
    flags.add_argument("--labels-b", type=Path, metavar="TEXTS", help="a text for each row of B")
    add_formats(flags, tuple(RENDERERS), "markdown")
    return flags


def check(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail before any file is read."""
    if options.count < 1:
        raise SettingsError(f"--count is {options.count}; it must be 1 or more", remedy="The default is 20.")
    check_paired_files(options, (options.labels_a, options.labels_b))


def run(options: argparse.Namespace) -> str:
    """Audit the files and list their pairs."""
    settings = AuditSettings(
        shared_mean=options.shared,
        n_derangements=options.perms,
        seed=options.seed,
        drop_bad_rows=options.drop_bad_rows,
        candidates=options.candidates,
    )
    groups = load_groups(options)
    files = load_paired_files(options, settings, groups)
    n = files[0].loaded.shape[0]
    texts = [_texts(path, n) for path in (options.labels_a, options.labels_b)]
    result = audit(*files, settings=settings, groups=groups, keep_rows=True, progress=terminal_progress())
    scores = None if result.rows is None else getattr(result.rows, options.reading)
    if scores is None:
        raise SettingsError(result.centred_undefined.rstrip("."), remedy="List the raw cosines.")
    rows = WorstRows(
        audit=result,
        reading=options.reading,
        order=options.by,
        pairs=worst_pairs(scores, count=options.count, order=options.by),
        texts_a=texts[0],
        texts_b=texts[1],
    )
    return rows_csv(rows) if options.format == "csv" else RENDERERS[options.format](rows_document(rows))


def _texts(path: Path | None, n: int) -> tuple[str, ...]:
    return () if path is None else read_labels(path, path.name).for_rows(n)
