"""The command line that gives an audit again, safe to paste into a shell.

A file name is hostile text: quoted, so that the shell does nothing with it, and visible,
so that no control or direction character acts on the screen it is pasted into.
"""

from __future__ import annotations

import shlex

from core.audit import Audit, AuditSettings
from core.claim_review import Claim, ReviewedClaim
from core.errors import Side
from core.flags import choice_flag, side_flag
from core.group_ids import IdsRecord
from core.provenance import InputRecord
from core.report.names import visible
from core.two_models import TwoModelsAudit

__all__ = ["claim_command", "command_line", "file_word", "setting_words", "shell_word", "two_models_command"]

_DEFAULTS = AuditSettings()


def command_line(audit: Audit) -> str:
    """``python -m core a.npy b.npy …``, with a flag for all that is not as by default.

    Files go by their base names: a report holds no path.
    """
    a, b = file_word(audit.a), file_word(audit.b)
    words = ["python", "-m", "core", a, b, *_fit_words(audit), *_group_words(audit)]
    words += [*setting_words(audit.settings), *["--margin-after-look"] * audit.margin_after_look]
    inputs: tuple[tuple[Side, InputRecord | None], ...] = (
        ("a", audit.a),
        ("b", audit.b),
        ("fit_a", audit.fit_a),
        ("fit_b", audit.fit_b),
    )
    for side, found in inputs:
        words += _choice_words(side, found)
    return " ".join(words)


def claim_command(reviewed: ReviewedClaim) -> str:
    """``python -m core claim a.npy b.npy --claim 0.91 …``, likewise."""
    claim = reviewed.claim
    words = ["python -m core claim", command_line(reviewed.audit).removeprefix("python -m core "), *_claim_words(claim)]
    return " ".join(words)


def _claim_words(claim: Claim) -> list[str]:
    claimed, *cutoffs = claim.written
    words = [f"--claim={claimed}", "--says", claim.says]
    if claim.reading != "raw":
        words += ["--reading", claim.reading]
    return words + [f"--cutoff={cutoff}" for cutoff in cutoffs]


def two_models_command(result: TwoModelsAudit) -> str:
    """``python -m core two-models a.npy b.npy …``, likewise."""
    words = ["python", "-m", "core", "two-models", file_word(result.a), file_word(result.b)]
    trains: tuple[tuple[Side, InputRecord | None], ...] = (("train_a", result.train_a), ("train_b", result.train_b))
    for side, found in trains:
        if found is not None:
            words += [side_flag(side), file_word(found)]
    if result.groups is not None and result.groups.name:
        words += ["--groups", file_word(result.groups)]
    if result.settings.seed:
        words += ["--seed", str(result.settings.seed)]
    if result.settings.drop_bad_rows:
        words.append("--drop-bad-rows")
    inputs: tuple[tuple[Side, InputRecord | None], ...] = (("a", result.a), ("b", result.b), *trains)
    for side, found in inputs:
        words += _choice_words(side, found)
    return " ".join(words)


def shell_word(text: str) -> str:
    """One word of a POSIX shell that stands for the text as it is.

    What cannot be seen is written as octal bytes in ``$'…'``, which bash, zsh and POSIX
    2024 read; a name that is no UTF-8 is written by its own bytes.
    """
    if visible(text) == text:
        return shlex.quote(text)
    return "$'" + "".join(_in_dollar_quotes(character) for character in text) + "'"


def _in_dollar_quotes(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if visible(character) == character:
        return character
    # Python holds a byte that is no UTF-8 as a surrogate of this range.
    errors = "surrogateescape" if 0xDC80 <= ord(character) <= 0xDCFF else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", errors))


def file_word(found: InputRecord | IdsRecord) -> str:
    """A file that no parser takes for a flag, nor for the name of a command, which has no dot."""
    bare = found.name.startswith("-") or "." not in found.name
    return shell_word(f"./{found.name}" if bare else found.name)


def _group_words(audit: Audit) -> list[str]:
    """The ids file; ids that a program gave have none."""
    groups = audit.groups
    return ["--groups", file_word(groups)] if groups is not None and groups.name and groups.sha256 else []


def _fit_words(audit: Audit) -> list[str]:
    words = []
    fits: tuple[tuple[Side, InputRecord | None], ...] = (("fit_a", audit.fit_a), ("fit_b", audit.fit_b))
    for side, found in fits:
        if found is not None:
            words += [side_flag(side), file_word(found)]
    return words


def setting_words(settings: AuditSettings) -> list[str]:
    """Flags of the settings that are not the defaults."""
    words = []
    if settings.shared_mean:
        words.append("--shared")
    if settings.n_derangements != _DEFAULTS.n_derangements:
        words += ["--perms", str(settings.n_derangements)]
    if settings.seed != _DEFAULTS.seed:
        words += ["--seed", str(settings.seed)]
    if settings.candidates is not None:
        words += ["--candidates", str(settings.candidates)]
    if settings.margin is not None:
        words += ["--margin", repr(float(settings.margin))]
    if settings.drop_bad_rows:
        words.append("--drop-bad-rows")
    return words


def _choice_words(side: Side, found: InputRecord | None) -> list[str]:
    """How one file was read. One word a flag: a value may start with a hyphen."""
    if found is None:
        return []
    return [f"{choice_flag(name, side)}={shell_word(str(value))}" for name, value in found.choices.items()]
