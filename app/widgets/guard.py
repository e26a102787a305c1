"""The one place where the app catches anything: what a user caused becomes a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import AuditError, LimitError
from core.prose import capital

__all__ = ["OPENINGS", "caught", "sentence"]

#: Words of ours that a problem begins with; any other may be a file name, which keeps its case.
OPENINGS = frozenset(
    (
        *("a", "both", "comparing", "condition", "every", "groups", "many", "pairs"),
        *("rows", "seed", "stdout", "that", "the", "there", "this"),
    )
)


@contextmanager
def caught(report: Callable[[AuditError], None]) -> Iterator[None]:
    """Hand an `AuditError` to `report`; let every other exception show as our bug.

    Running out of memory is the user's to know too: it depends on their machine.
    """
    try:
        yield
    except AuditError as error:
        report(error)
    except MemoryError:
        report(
            LimitError(
                "this machine has not enough free memory for these files",
                remedy="Close other programs, or use fewer rows or float16 files",
            )
        )


def sentence(error: AuditError) -> str:
    """Problem and remedy as two sentences, fit to show."""
    problem = str(error)
    if problem.partition(" ")[0] in OPENINGS:
        problem = capital(problem)
    remedy = error.remedy
    if remedy.partition(" ")[0].isalpha():
        remedy = capital(remedy)
    return " ".join(_ended(part) for part in (problem, remedy) if part)


def _ended(part: str) -> str:
    return part if part.endswith((".", "!", "?")) else f"{part}."
