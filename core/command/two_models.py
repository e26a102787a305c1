"""``python -m core two-models A.npy B.npy``: rows of two models, read after a held-out map."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.command.files import add_choices, load_side, refuse_idle_choices, side_by_header
from core.command.paired_files import load_groups
from core.command.terminal import Parser, say_how_long, terminal_progress, watched
from core.errors import Side
from core.estimate import expected_two_models_seconds
from core.inspection import Inspection
from core.output import check_writable
from core.provenance import VERSION
from core.report import RENDERERS, two_models_document
from core.report.numbers import count
from core.two_models import TwoModelsSettings, audit_two_models, refuse_unlike

__all__ = ["check", "parser", "run"]

#: The inputs, in the order of the command line.
SIDES: tuple[Side, ...] = ("a", "b", "train_a", "train_b")

EXAMPLE = """\
example:
  python -m core two-models sample_data/minilm/a.npy sample_data/e5_small/a.npy \\
    --train-a sample_data/minilm/fit_a.npy --train-b sample_data/e5_small/fit_a.npy --format markdown

Row i of A and row i of B are the same item, encoded by two models; their widths may differ.
An orthogonal map is fitted on the train rows, which are other items encoded by both, and every
figure after it is from A and B. Without train rows half of the pairs train the map.
"""


def parser() -> Parser:
    """The flags of a comparison of two models."""
    flags = Parser(
        prog="python -m core two-models",
        description="Do the rows of two models belong together, although their spaces differ?",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    flags.add_argument("a", metavar="A.npy", type=Path, help="rows of the first model, an (n, d) array")
    flags.add_argument(
        "b", metavar="B.npy", type=Path, help="rows of the second model; row i is the item of row i of A"
    )
    flags.add_argument("--train-a", type=Path, metavar="F", help="other items by the first model, to fit the map on")
    flags.add_argument("--train-b", type=Path, metavar="F", help="the same other items by the second model")
    flags.add_argument(
        "--groups",
        type=Path,
        metavar="IDS",
        help="which compared rows belong together: one id a row, .npy, .csv or .txt; no half divides them",
    )
    flags.add_argument("--seed", type=int, default=0, metavar="N", help="seed of halves and shuffles (default 0)")
    flags.add_argument("--drop-bad-rows", action="store_true", help="leave out pairs with a NaN, infinite or zero row")
    for side in SIDES:
        add_choices(flags, side)
    flags.add_argument("--format", choices=tuple(RENDERERS), default="json", help="report format (default json)")
    flags.add_argument("--output", type=Path, metavar="FILE", help="write to a file instead of stdout")
    flags.add_argument("--version", action="version", version=f"cosine-floor {VERSION}")
    return flags


def check(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail or to be idle before any file is read."""
    for side in SIDES:
        refuse_idle_choices(options, side)
    if options.output is not None:
        given = [*(getattr(options, side) for side in SIDES), options.groups]
        check_writable(options.output, [path for path in given if path is not None])


def run(options: argparse.Namespace) -> str:
    """Compare the files and render the report."""
    settings = TwoModelsSettings(seed=options.seed, drop_bad_rows=options.drop_bad_rows)
    groups = load_groups(options)
    a, b, train_a, train_b = (side_by_header(options, side) for side in SIDES)
    trains_known = (train_a is None) == (options.train_a is None) and (train_b is None) == (options.train_b is None)
    if a is not None and b is not None and trains_known:
        refuse_unlike(a, b, train_a, train_b)
    a, b, train_a, train_b = (load_side(options, side) for side in SIDES)
    if a is None or b is None:
        raise AssertionError("the parser requires both sides")
    _say_how_long(a, b, train_a)
    result = audit_two_models(a, b, train_a, train_b, settings=settings, groups=groups, progress=terminal_progress())
    return RENDERERS[options.format](two_models_document(result))


def _say_how_long(a: Inspection, b: Inspection, train: Inspection | None) -> None:
    if not watched():
        return
    n, dim = a.loaded.shape
    n_train = 0 if train is None else train.loaded.shape[0]
    seconds = expected_two_models_seconds(n, dim, b.loaded.shape[1], n_train=n_train)
    say_how_long(f"{count(n)} rows", seconds)
