"""Names from a file put into a sentence: hostile in what they say and in how long they are."""

from __future__ import annotations

from collections.abc import Iterable

from core import limits


def listed(texts: Iterable[str], separator: str = ", ") -> str:
    """The texts with commas between, each shortened; of many the first and how many more."""
    texts = list(texts)
    if len(texts) <= limits.MAX_LISTED:
        return separator.join(map(shortened, texts))
    first = separator.join(map(shortened, texts[: limits.MAX_LISTED - 1]))
    return f"{first} and {len(texts) - limits.MAX_LISTED + 1:,} more"


def shortened(text: str) -> str:
    r"""`text`, cut to `limits.MAX_NAME_CHARS` with … at the cut; control characters as ``\u202e``."""
    cut = text if len(text) <= limits.MAX_NAME_CHARS else f"{text[: limits.MAX_NAME_CHARS - 1]}…"
    return cut if cut.isprintable() else "".join(map(_visible, cut))


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
