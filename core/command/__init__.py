"""The command line, one module for each command.

A command is ``parser()``, ``check(options)``, which refuses before any file is read, and
``run(options)``, which gives the text of the report. `COMMANDS` names them; the bare form
is the audit. Exit codes: 0 done; 2 anything the user can cause, with one line ``error: …``
on stderr and nothing on stdout; 3 a comparison that found a difference, listed on stdout;
130 interrupted; 1 a bug of ours.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from types import ModuleType

from core.command import audit, claim, conditions, rows, two_models, verify
from core.command.terminal import Differs, complain, deliver
from core.errors import AuditError
from core.report.names import visible
from core.sweep.workers import refuse_other_workers, steady

__all__ = ["COMMANDS", "main"]

#: First word of the command line, where it is one of these.
COMMANDS: dict[str, ModuleType] = {
    "claim": claim,
    "conditions": conditions,
    "rows": rows,
    "two-models": two_models,
    "verify": verify,
}

#: A negative number as a program writes it.
_NEGATIVE = re.compile(r"-[0-9]*\.?[0-9]+e[-+]?[0-9]+", re.IGNORECASE)

USER_ERROR = 2
DIFFERENT = 3
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except AuditError as error:
        complain(visible(error.sentence))
        return USER_ERROR
    except MemoryError:
        complain("there is not enough memory for these files. Use fewer rows.")
        return USER_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _joined(words: list[str]) -> list[str]:
    """``--claim -1e-3`` as ``--claim=-1e-3``: argparse takes a negative number with an exponent for a flag."""
    joined: list[str] = []
    for word in words:
        if _NEGATIVE.fullmatch(word) and joined and joined[-1].startswith("--") and "=" not in joined[-1]:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _run(words: list[str]) -> int:
    command: ModuleType = audit
    if words and words[0] in COMMANDS:
        command, words = COMMANDS[words[0]], words[1:]
    options: argparse.Namespace = command.parser().parse_args(_joined(words))
    refuse_other_workers(options.workers)
    command.check(options)
    try:
        with steady(options.workers):
            text, code = command.run(options), 0
    except Differs as answer:
        text, code = answer.text, DIFFERENT
    deliver(text, options.output)
    return code
