"""A document as CSV: one figure a line, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from core.report.document import Document
from core.report.names import encodable
from core.report.plain_ascii import in_ascii

__all__ = ["guarded", "to_csv"]

#: First characters that a spreadsheet takes for a formula, the full-width ones in Japanese
#: settings. Only text cells are guarded: -0.0131 is a number.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(document: Document) -> str:
    """A document as CSV with a header line; columns table, row, column, value. Our own words are ASCII."""
    document = in_ascii(document)
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(("table", "row", "column", "value"))
    if document.headline:
        lines.writerow(("Headline", "", "", _text(document.headline)))
    if document.verdict:
        lines.writerow(("Verdict", "", "", _text(document.verdict)))
    lines.writerow(("Reading", "", "", _text(document.reading)))
    for table in document.tables:
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                value = cell if table.numeric else _text(cell)
                lines.writerow((_text(table.title), _text(row.label), _text(column), value))
    for text in (document.warning, *document.note, *document.notices):
        if text:
            lines.writerow(("Worth a word", "", "", _text(text)))
    for text in document.limits:
        lines.writerow(("What this cannot say", "", "", _text(text)))
    if document.methods:
        lines.writerow(("Methods", "", "", _text(document.methods)))
    return out.getvalue()


def _text(cell: str) -> str:
    """A text cell that no spreadsheet takes for a formula."""
    return guarded(cell)


def guarded(text: str) -> str:
    r"""The text as it is, with an apostrophe before what a spreadsheet would calculate.

    A half of a surrogate pair, which no file can hold, and NUL, which ends a text for many readers, are written out.
    """
    text = encodable(text).replace("\0", r"\u0000")
    return f"'{text}" if text.startswith(_FORMULA) else text
