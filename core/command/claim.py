"""``python -m core claim A.npy B.npy --claim 0.91 --says agree``: a review comment."""

from __future__ import annotations

import argparse
from dataclasses import replace

from core.audit import AuditSettings, audit
from core.claim_review import SAYS, Claim, count_claim, review, typed_claim
from core.command.margins import add_margin, check_margin
from core.command.paired_files import add_formats, add_paired_files, check_paired_files, load_groups, load_paired_files
from core.command.terminal import Parser, terminal_progress
from core.report import RENDERERS, claim_document, review_comment
from core.typed_cosine import read_cosine

__all__ = ["check", "parser", "run"]

EXAMPLE = """\
example:
  python -m core claim sample_data/e5_small/a.npy sample_data/e5_small/b.npy --claim 0.90 --says high --cutoff 0.85

Where the number lies among the unrelated pairs of these very files, what the evidence
supports instead, and what a cut-off keeps: a comment in Markdown, ready to paste.
"""


def parser() -> Parser:
    """The flags of a claim."""
    flags = Parser(
        prog="python -m core claim",
        description="Review a claimed cosine against the pairs of the files it is about.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_paired_files(flags)
    flags.add_argument("--claim", required=True, metavar="X", help="the claimed cosine")
    flags.add_argument(
        "--says",
        choices=SAYS,
        default="high",
        help="what it is said to show: it is high, the two agree, the difference is nothing (default high)",
    )
    flags.add_argument("--reading", choices=("raw", "centred"), default="raw", help="which cosine it is (default raw)")
    flags.add_argument("--cutoff", action="append", default=[], metavar="T", help="a cut-off to read; may be repeated")
    add_margin(flags, "largest gap in cosine that would not matter, declared beforehand")
    add_formats(flags, tuple(RENDERERS), "markdown")
    return flags


def check(options: argparse.Namespace) -> None:
    """Refuse what can be seen to fail before any file is read."""
    check_margin(options, lambda margin: AuditSettings(margin=margin))
    _claim(options)
    check_paired_files(options)


def _claim(options: argparse.Namespace) -> Claim:
    return typed_claim(
        read_cosine(options.claim, "--claim"),
        says=options.says,
        reading=options.reading,
        cutoffs=tuple(read_cosine(cutoff, "--cutoff") for cutoff in dict.fromkeys(options.cutoff)),
    )


def run(options: argparse.Namespace) -> str:
    """Audit the files, count the pairs, and render the answer."""
    claim = _claim(options)
    settings = AuditSettings(
        shared_mean=options.shared,
        n_derangements=options.perms,
        seed=options.seed,
        drop_bad_rows=options.drop_bad_rows,
        candidates=options.candidates,
        margin=options.margin,
    )
    groups = load_groups(options)
    files = load_paired_files(options, settings, groups, counts=True)
    progress = terminal_progress()
    result = audit(*files, settings=settings, groups=groups, progress=progress)
    result = replace(result, margin_after_look=options.margin_after_look)
    counted = count_claim(
        files, claim.thresholds, settings=settings, reading=claim.reading, groups=groups, progress=progress
    )
    reviewed = review(claim, result, counted)
    if options.format == "markdown":
        return review_comment(reviewed)
    return RENDERERS[options.format](claim_document(reviewed))
