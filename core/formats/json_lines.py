"""JSON values one after the other: usually one a line.

A blank line between them may be a row that had no vector, as in a table of text: no row is made
of it, but it is counted, for two files that lost different rows look alike otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.formats.json_text import JsonText
from core.formats.loaded import Word
from core.prose import counted


class JsonLines:
    """The values of a text from a place on, decoded one at a time as they are asked for."""

    def __init__(self, source: JsonText, start: int) -> None:
        self._source, self._start = source, start
        self._blank = 0
        self._first = 0

    def __iter__(self) -> Iterator[Any]:
        at, text = self._start, self._source.text
        while at < len(text):
            value, end = self._source.value(at)
            yield value
            at = self._source.space(end)
            if at - end > 1 and at < len(text):
                self._note(end, at)

    @property
    def words(self) -> tuple[Word, ...]:
        """The word about blank lines, once all values have been asked for."""
        if not self._blank:
            return ()
        lines, first = counted(self._blank, "blank line"), f"line {self._first:,} of the file"
        which = f"was skipped ({first})" if self._blank == 1 else f"were skipped (the first is {first})"
        text = f"{lines} between rows {which}; no row was made of {'it' if self._blank == 1 else 'them'}."
        return (Word(code="blank_lines", text=text),)

    def _note(self, start: int, end: int) -> None:
        """Count the blank lines in the space between two values."""
        blank = self._line_ends(start, end) - 1
        if blank > 0 and not self._blank:
            self._first = self._line_ends(0, start) + 2
        self._blank += max(blank, 0)

    def _line_ends(self, start: int, end: int) -> int:
        """How many lines end in a stretch of the text; old ones end with a carriage return alone."""
        text = self._source.text
        return text.count("\n", start, end) or text.count("\r", start, end)
