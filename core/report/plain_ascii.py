"""A document to be copied: our own words in plain ASCII, names and labels as they are.

Prose carries typographic quotes, a true minus sign, × and ±; pasted into a terminal, a
spreadsheet or a review they are no help. Markdown and CSV turn them here, before they
escape anything; LaTeX has commands for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from core.report.document import Document, Row, Table
from core.report.names import shown_name, visible

__all__ = ["in_ascii"]

_PLAIN = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "±": "+/-", "…": "..."}
)

#: Headings of the columns that hold a user's own texts.
_LABELS = "text of "


def in_ascii(document: Document) -> Document:
    """The same document with our own words in ASCII."""
    plain = _plainer(document)
    return replace(
        document,
        title=plain(document.title),
        headline=plain(document.headline),
        verdict=plain(document.verdict),
        reading=plain(document.reading),
        warning=plain(document.warning),
        note=tuple(map(plain, document.note)),
        limits=tuple(map(plain, document.limits)),
        methods=plain(document.methods),
        notices=tuple(map(plain, document.notices)),
        tables=tuple(_table(table, plain) for table in document.tables),
    )


def _plainer(document: Document) -> Callable[[str], str]:
    """Turns a text, but for the names in it."""
    names = {form for name in _names(document.data) for form in (name, visible(name), shown_name(name))}
    kept = sorted((name for name in names if name.translate(_PLAIN) != name), key=len, reverse=True)
    if not kept:
        return lambda text: text.translate(_PLAIN)
    split = re.compile(f"({'|'.join(map(re.escape, kept))})").split
    return lambda text: "".join(
        part if place % 2 else part.translate(_PLAIN) for place, part in enumerate(split(text))
    )


def _names(data: Any) -> Iterator[str]:
    """Every value of the data that is called a name."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "name" and isinstance(value, str):
                yield value
            else:
                yield from _names(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _names(value)


def _table(table: Table, plain: Callable[[str], str]) -> Table:
    rows = tuple(
        Row(
            label=plain(row.label),
            cells=tuple(
                cell if column.startswith(_LABELS) else plain(cell)
                for column, cell in zip(table.columns, row.cells, strict=True)
            ),
        )
        for row in table.rows
    )
    return replace(
        table,
        title=plain(table.title),
        columns=tuple(map(plain, table.columns)),
        rows=rows,
        notes=tuple(map(plain, table.notes)),
    )
