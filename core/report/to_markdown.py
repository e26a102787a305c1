"""A document as Markdown to paste: complete on its own, every name escaped."""

from __future__ import annotations

import re

from core.report.document import Document, Row, Table
from core.report.plain_ascii import in_ascii

__all__ = ["to_markdown"]

#: What Markdown, HTML in it, and the usual hosts would act on, wherever it stands: marks,
#: links, mentions, emoji shortcodes, bare addresses.
_MARKUP = re.compile(r"[\\`*_\[\]<>#!|~$&@]|:(?=[\w+-]+:)|:(?=//)|(?<=www)\.")

#: What would act only at the start of a line: list, heading, rule or setext marks.
_AT_START = re.compile(r"^(\d+(?=[.)](?:\s|$))|[-+](?=\s|$)|[-=](?=[-=\s]*$))")

#: Marks a backslash does not stop everywhere.
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", ":": "&#58;", ".": "&#46;"}


def to_markdown(document: Document) -> str:
    """A document as GitHub-flavoured Markdown, ending in a newline. Our own words are ASCII."""
    document = in_ascii(document)
    texts = (*document.opening, document.warning, *document.note)
    parts = [f"**{document.title}**", *(_paragraph(text) for text in texts if text)]
    parts += _listed("What this cannot say:", document.limits)
    parts += [_table(table) for table in document.tables]
    if document.methods:
        parts += ["Methods:", _paragraph(document.methods)]
    parts += _listed("Worth a word:", document.notices)
    return "\n\n".join(parts) + "\n"


def _listed(title: str, texts: tuple[str, ...]) -> list[str]:
    """A titled list, or nothing."""
    return ["\n".join([title, "", *(f"- {_paragraph(text)}" for text in texts)])] if texts else []


def _table(table: Table) -> str:
    align = "---:" if table.numeric else "---"
    below = [line for note in table.notes for line in ("", _paragraph(note))]
    lines = [
        f"{_paragraph(table.title)}:",
        "",
        f"| | {' | '.join(_escaped(column) for column in table.columns)} |",
        f"| --- | {' | '.join(align for _ in table.columns)} |",
        *(_line(row, numeric=table.numeric) for row in table.rows),
        *below,
    ]
    return "\n".join(lines)


def _line(row: Row, *, numeric: bool) -> str:
    cells = [cell if numeric else _escaped(cell) for cell in row.cells]
    return f"| {_escaped(row.label)} | {' | '.join(cells)} |"


def _paragraph(text: str) -> str:
    """Escaped text that stands at the start of a line."""
    return _AT_START.sub(lambda match: f"&#{ord(match[0][0])};{match[0][1:]}", _escaped(text))


def _escaped(text: str) -> str:
    """Text inside a line or a cell that Markdown shows as typed."""
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), text)
