"""Names from a file put into a sentence: hostile in what they say and in how long they are."""

from __future__ import annotations

from collections.abc import Iterable

from core import limits


def listed(texts: Iterable[str]) -> str:
    """The texts with commas between, each shortened, the rest counted when there are many."""
    texts = list(texts)
    if len(texts) <= limits.MAX_LISTED:
        return ", ".join(map(shortened, texts))
    return f"{', '.join(map(shortened, texts[: limits.MAX_LISTED - 1]))}, … ({len(texts):,} in all)"


def shortened(text: str) -> str:
    """`text`, cut to `limits.MAX_NAME_CHARS` with … at the cut."""
    return text if len(text) <= limits.MAX_NAME_CHARS else f"{text[: limits.MAX_NAME_CHARS - 1]}…"
