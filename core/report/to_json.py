"""A document as JSON: its data, unrounded, never NaN or infinity."""

from __future__ import annotations

import json

from core.report.document import Document

__all__ = ["to_json"]


def to_json(document: Document) -> str:
    """The data of a document as an indented JSON object, ending in a newline."""
    text = json.dumps(document.data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # A file name that is no UTF-8 reaches us with lone surrogates; JSON writes them as \udcff.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
