"""A document as one HTML file that stands by itself, to send and to print.

No script and nothing fetched, which its own policy forbids as well. Every text is escaped;
none is trusted.
"""

from __future__ import annotations

from html import escape

from core.provenance import VERSION
from core.report.document import Document, Row, Table
from core.report.figures import BarChart, Figure
from core.report.html_style import STYLE
from core.report.numbers import MISSING
from core.report.svg import to_svg

__all__ = ["to_html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

#: A table of up to so many rows is not broken between two sheets.
_SHORT = 20


def to_html(document: Document) -> str:
    """A document as a whole HTML page, ending in a newline."""
    parts = [
        _head(document.title),
        _header(document),
        "<main>",
        *_finding(document),
        *_section("Figures", _figures(document.figures)),
        *_section("Worth a word", _list(document.notices)),
        *_section("What this cannot say", _list(document.limits)),
        *_section("Tables", [_table(table, f"table-{place}") for place, table in enumerate(document.tables, start=1)]),
        *_section("Methods", [f"<p>{escape(document.methods)}</p>"] if document.methods else []),
        *_section("To repeat it", _repeat(document)),
        "</main>",
        _footer(),
        "</body>\n</html>",
    ]
    return "\n".join(parts) + "\n"


def _head(title: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="color-scheme" content="light dark"/>\n<meta name="referrer" content="no-referrer"/>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>"
    )


def _header(document: Document) -> str:
    subject = f'\n<p class="subject">{escape(document.subject)}</p>' if document.subject else ""
    return f'<header>\n<p class="kicker">Cosine Floor</p>\n<h1>{escape(document.title)}</h1>{subject}\n</header>'


def _finding(document: Document) -> list[str]:
    first, *more = document.opening
    parts = [
        '<section class="finding" aria-labelledby="finding">',
        f'<h2 id="finding">{"The verdict" if document.verdict else "The reading"}</h2>',
        f'<p class="{"headline" if document.headline else "reading"}">{escape(first)}</p>',
        *(f"<p>{escape(text)}</p>" for text in more),
        "</section>",
    ]
    if document.warning:
        parts.append(f'<p class="warning"><strong>Warning:</strong> {escape(document.warning)}</p>')
    parts += [f'<p class="note">{escape(note)}</p>' for note in document.note]
    return parts


def _section(title: str, parts: list[str]) -> list[str]:
    """A part of the page under its heading, or nothing where it would be empty."""
    if not parts:
        return []
    name = title.lower().replace(" ", "-")
    return [f'<section aria-labelledby="{name}">', f'<h2 id="{name}">{title}</h2>', *parts, "</section>"]


def _figures(figures: tuple[Figure, ...]) -> list[str]:
    return ['<div class="figures-board">', *(_figure(figure) for figure in figures), "</div>"] if figures else []


def _figure(figure: Figure) -> str:
    kind = ' class="bars"' if isinstance(figure, BarChart) else ""
    return f"<figure{kind}>\n<figcaption>{escape(figure.title)}</figcaption>\n{to_svg(figure)}\n</figure>"


def _list(texts: tuple[str, ...]) -> list[str]:
    return ["<ul>", *(f"<li>{escape(text)}</li>" for text in texts), "</ul>"] if texts else []


def _table(table: Table, name: str) -> str:
    """A table that scrolls within its own width on a narrow screen; the keyboard can reach it."""
    kind, cell = ("figures", ' class="number"') if table.numeric else ("words", "")
    size = "wide short" if len(table.rows) <= _SHORT else "wide"
    headings = "".join(f'<th scope="col"{cell}>{escape(column)}</th>' for column in table.columns)
    return "\n".join(
        [
            f'<h3 id="{name}">{escape(table.title)}</h3>',
            f'<div class="{size}" role="region" aria-labelledby="{name}" tabindex="0">',
            f'<table class="{kind}" aria-labelledby="{name}">',
            f"<thead><tr>{_corner(table)}{headings}</tr></thead>",
            "<tbody>",
            *(_line(row, cell) for row in table.rows),
            "</tbody>\n</table>\n</div>",
            *(f'<p class="below">{escape(note)}</p>' for note in table.notes),
        ]
    )


def _corner(table: Table) -> str:
    return f'<th scope="col">{escape(table.corner)}</th>' if table.corner else "<td></td>"


def _line(row: Row, cell: str) -> str:
    cells = "".join(f"<td{cell}>{escape(text or MISSING)}</td>" for text in row.cells)
    return f'<tr><th scope="row">{escape(row.label)}</th>{cells}</tr>'


def _repeat(document: Document) -> list[str]:
    parts = []
    if document.command:
        parts += [
            "<p>From the folder of Cosine Floor, with the folder of each file put before its name:</p>",
            f"<pre><code>{escape(document.command)}</code></pre>",
        ]
    if document.fingerprints:
        lines = [
            f'<dt>{escape(label)}</dt><dd class="digest">{escape(digest)}</dd>'
            for label, digest in document.fingerprints
        ]
        parts += ["<p>The files are those with these SHA-256 fingerprints:</p>", "<dl>", *lines, "</dl>"]
    return parts


def _footer() -> str:
    made = f"Made by Cosine Floor {escape(VERSION)}. This file holds no script and asks for nothing."
    return f"<footer><p>{made}</p></footer>"
