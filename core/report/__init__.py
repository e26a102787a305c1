"""Reports: a result worded once into a `Document`, and rendered into each format.

`RENDERERS` is the table of formats; a new one is a file ``to_x.py`` and a row here. A new
kind of result is a file ``x_document.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from core.report.audit_document import document
from core.report.claim_document import claim_document, review_comment
from core.report.conditions_document import conditions_document
from core.report.document import Document
from core.report.to_csv import to_csv
from core.report.to_html import to_html
from core.report.to_json import to_json
from core.report.to_latex import to_latex
from core.report.to_markdown import to_markdown
from core.report.two_models_document import two_models_document

__all__ = [
    "RENDERERS",
    "Document",
    "claim_document",
    "conditions_document",
    "document",
    "review_comment",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "two_models_document",
]

RENDERERS: dict[str, Callable[[Document], str]] = {
    "json": to_json,
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
    "html": to_html,
}
