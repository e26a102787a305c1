"""A document as JSON: its data, unrounded, never NaN or infinity."""

from __future__ import annotations

import json

from core.report.document import Document
from core.report.names import encodable

__all__ = ["to_json"]


def to_json(document: Document) -> str:
    """The data of a document as an indented JSON object, ending in a newline."""
    return encodable(json.dumps(document.data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"
