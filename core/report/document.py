"""What every report is made of: sentences, figures and tables, finished and in order.

A result is worded once, by its own ``x_document`` module, into one `Document`; every
renderer and the page draw from that. None of them computes or words anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.report.figures import Figure

__all__ = ["Document", "Row", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table: a label and one cell for each column."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A titled table. Cells are finished text; numbers carry a true minus sign.

    Attributes
    ----------
    title
        What it holds, in sentence case.
    columns
        Headings of the cells; the label column has `corner`.
    rows
        Each with as many cells as there are columns.
    notes
        Sentences that stand below it.
    corner
        Heading of the label column; may be empty.
    numeric
        True if every cell is a number (right-aligned, never escaped as text).
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    numeric: bool = True
    notes: tuple[str, ...] = ()
    corner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a result says, ready to render.

    Attributes
    ----------
    title
        Of the report.
    headline
        What was found, in words that need no glossary, with gap and interval; comes first; may be empty.
    verdict
        What the numbers can bear, in one sentence with its tests; may be empty.
    limits
        What the result cannot say, a sentence each.
    methods
        How it was measured, a paragraph ready to paste; may be empty.
    reading
        The result in one sentence.
    warning
        What the reader must know before trusting it; else empty.
    note
        What qualifies it; may be empty.
    tables
        In the order to read them.
    notices
        Sentences worth a word.
    data
        The same result as plain dictionaries, unrounded, in the order of the JSON.
    subject
        What was compared, in one line; may be empty.
    figures
        In the order to look at them; formats that cannot draw leave them out.
    command
        The command line that gives this result again; may be empty.
    fingerprints
        SHA-256 of each input, whole, by what people call it.
    """

    title: str
    reading: str
    warning: str
    note: tuple[str, ...]
    tables: tuple[Table, ...]
    notices: tuple[str, ...]
    data: dict[str, Any]
    subject: str = ""
    figures: tuple[Figure, ...] = ()
    command: str = ""
    fingerprints: tuple[tuple[str, str], ...] = ()
    headline: str = ""
    verdict: str = ""
    limits: tuple[str, ...] = ()
    methods: str = ""

    @property
    def opening(self) -> tuple[str, ...]:
        """What every rendering begins with: headline, reading and verdict, without what is empty or said twice."""
        return tuple(dict.fromkeys(text for text in (self.headline, self.reading, self.verdict) if text))
