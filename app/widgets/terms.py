"""Tooltips: the glossary's own sentence for a term."""

from __future__ import annotations

from app.widgets.plain import escaped
from core.glossary import GLOSSARY

__all__ = ["tooltip"]


def tooltip(term: str) -> str:
    """What a term means, in one sentence."""
    return escaped(GLOSSARY[term].sentence)
