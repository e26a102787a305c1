"""Values a file has no number for, read as NaN and never silently.

The audit refuses rows with NaN by number, and can leave them out when asked to; so a missing
value needs no way of its own. What it looked like in the file is said here.
"""

from __future__ import annotations

from core.formats.loaded import MISSING_VALUES, Word
from core.prose import counted


class Missing:
    """Counts missing values and remembers the first."""

    def __init__(self) -> None:
        self._count = 0
        self._first = ""

    def add(self, row: int, what: str, count: int = 1) -> None:
        """Note missing values of a row: "column 'e3' holds 'NA'"."""
        if not self._count:
            self._first = f"row {row:,} (counting from 0): {what}"
        self._count += count

    @property
    def words(self) -> tuple[Word, ...]:
        """The word that says so, if there were any."""
        if not self._count:
            return ()
        values = counted(self._count, "missing value")
        text = f"{values} {'was' if self._count == 1 else 'were'} read as NaN; the first is in {self._first}."
        return (Word(code=MISSING_VALUES, text=text),)
