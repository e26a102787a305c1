"""Reports: a result worded once into a `Document`, and rendered into each format.

`RENDERERS` is the table of formats; a new one is a file ``to_x.py`` and a row here. A new
kind of result is a file ``x_document.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from core.report.audit_document import document
from core.report.document import Document
from core.report.to_csv import to_csv
from core.report.to_json import to_json
from core.report.to_latex import to_latex
from core.report.to_markdown import to_markdown

__all__ = ["RENDERERS", "Document", "document", "to_csv", "to_json", "to_latex", "to_markdown"]

RENDERERS: dict[str, Callable[[Document], str]] = {
    "json": to_json,
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
}
