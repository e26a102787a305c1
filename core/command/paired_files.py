"""What the commands about one pair of files share with the audit: files, means, bad rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.command.before import before_audit, before_reading
from core.command.files import SIDES, add_choices, load_side, refuse_idle_choices, side_by_header
from core.formats.ids import GroupIds, read_ids
from core.inspection import Inspection
from core.memory import refuse_what_will_not_fit
from core.output import check_writable
from core.pairs import refuse_other_shapes
from core.provenance import VERSION
from core.settings import AuditSettings, refuse_groups_in_a_pool

__all__ = [
    "PairedFiles",
    "add_formats",
    "add_paired_files",
    "check_paired_files",
    "load_groups",
    "load_paired_files",
    "refuse_by_headers",
    "refuse_groups_of_a_pool",
]

#: A, B, and fit arrays or `None`.
PairedFiles = tuple[Inspection, Inspection, Inspection | None, Inspection | None]


def add_paired_files(flags: argparse.ArgumentParser) -> None:
    """Both sides, what their means are fitted on, and how each file is to be read."""
    flags.add_argument("a", metavar="A.npy", type=Path, help="first side, an (n, d) array")
    flags.add_argument("b", metavar="B.npy", type=Path, help="second side; row i belongs with row i of A")
    flags.add_argument("--fit-a", type=Path, metavar="F", help="rows to fit the mean of A on")
    flags.add_argument("--fit-b", type=Path, metavar="F", help="rows to fit the mean of B on")
    flags.add_argument("--shared", action="store_true", help="one mean for both sides instead of one each")
    flags.add_argument("--perms", type=int, default=20, metavar="N", help="seeded derangements (default 20)")
    flags.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the derangements (default 0)")
    flags.add_argument("--candidates", type=int, metavar="M", help="rank each row among M candidates, as in the audit")
    flags.add_argument(
        "--groups", type=Path, metavar="IDS", help="which rows belong together: one id a row, .npy, .csv or .txt"
    )
    flags.add_argument("--drop-bad-rows", action="store_true", help="leave out pairs with a NaN, infinite or zero row")
    for side in SIDES:
        add_choices(flags, side)


def add_formats(flags: argparse.ArgumentParser, formats: Sequence[str], default: str) -> None:
    """How the answer is written, and where."""
    flags.add_argument("--format", choices=tuple(formats), default=default, help=f"report format (default {default})")
    flags.add_argument("--output", type=Path, metavar="FILE", help="write to a file instead of stdout")
    flags.add_argument("--version", action="version", version=f"cosine-floor {VERSION}")


def check_paired_files(options: argparse.Namespace, others: Sequence[Path | None] = ()) -> None:
    """Refuse what can be seen to fail or to be idle before any file is read."""
    for side in SIDES:
        refuse_idle_choices(options, side)
    if options.output is not None:
        given = [*(getattr(options, side) for side in SIDES), options.groups, *others]
        check_writable(options.output, [path for path in given if path is not None])
    refuse_groups_of_a_pool(options)


def refuse_groups_of_a_pool(options: argparse.Namespace) -> None:
    """Refuse ``--groups`` with ``--candidates`` where the header of A tells, before its rows are read.

    As many candidates as there are rows are no pool; of a text the audit itself refuses it.

    Raises
    ------
    SettingsError
        Both are given, and there are more rows than candidates.
    """
    if options.groups is None or options.candidates is None:
        return
    a = side_by_header(options, "a")
    if a is not None:
        refuse_groups_in_a_pool(options.candidates, a.loaded.shape[0])


def refuse_by_headers(options: argparse.Namespace) -> tuple[Inspection, Inspection] | None:
    """Refuse what the headers show to fail, before a large file is read; A and B where both headers tell.

    Raises
    ------
    PairingError
        Row counts or widths that cannot be compared.
    LimitError
        There is not enough free memory to compare so many rows.
    AuditError
        A file that cannot be read.
    """
    a, b, fit_a, fit_b = (side_by_header(options, side) for side in SIDES)
    if a is None or b is None:
        return None
    refuse_other_shapes(a, b, fit_a, fit_b)
    pooled = options.candidates is not None and options.candidates < a.loaded.shape[0]
    refuse_what_will_not_fit(a, b, drop_bad_rows=False, pooled=pooled)
    return a, b


def load_paired_files(
    options: argparse.Namespace, settings: AuditSettings, groups: GroupIds | None, *, counts: bool = False
) -> PairedFiles:
    """Read and inspect all of them, those that cannot be compared by their headers not at all.

    How long the audit will take is said on the way; with `counts`, that all pairs are counted then.
    """
    said = before_reading(refuse_by_headers(options), settings, groups=groups, counts=counts)
    a, b, fit_a, fit_b = (load_side(options, side) for side in SIDES)
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    before_audit(a, b, settings, said=said, groups=groups, counts=counts)
    return a, b, fit_a, fit_b


def load_groups(options: argparse.Namespace) -> GroupIds | None:
    """Read the ids of groups, or `None` without."""
    return None if options.groups is None else read_ids(options.groups, options.groups.name)
