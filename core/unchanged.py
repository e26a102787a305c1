"""Mapped files that somebody writes to while they are in use: noticed, and refused.

Between two looks, at most a block of work apart, a change is not noticed in time; a file
that is *shortened* in that moment still ends the process.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import AuditError
from core.inspection import Inspection
from core.sweep import Progress

__all__ = ["refuse_changed", "watched"]


def refuse_changed(files: Iterable[Inspection | None]) -> None:
    """Look at every file that rows are still read from.

    Raises
    ------
    AuditError
        A file was written to since it was opened, so its rows are not those of its fingerprint.
    """
    for found in files:
        if found is not None and found.loaded.file is not None and found.loaded.file.changed:
            raise AuditError(
                f"{found.loaded.name} was changed after it was opened",
                remedy="Open it again once no program writes to it.",
            )


def watched(files: Iterable[Inspection | None], progress: Progress | None) -> Progress:
    """A progress function that looks at the files first; it raises what `refuse_changed` raises."""
    kept = tuple(files)
    refuse_changed(kept)

    def look(done: int, total: int, message: str) -> None:
        refuse_changed(kept)
        if progress is not None:
            progress(done, total, message)

    return look
