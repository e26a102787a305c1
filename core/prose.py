"""Numbers inside the sentences that notices and findings are made of, and how sentences begin."""

from __future__ import annotations

__all__ = ["agreed", "capital", "counted", "signed"]


def signed(value: float) -> str:
    """Four decimals with a true minus sign; never a negative zero."""
    return f"{round(value, 4) + 0.0:.4f}".replace("-", "−")


def counted(count: int, thing: str) -> str:
    """The number and the thing, one or several: "1 row", "2,000 rows"."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def agreed(count: int, one: str, several: str) -> str:
    """The word that goes with so many: ``agreed(n, "is", "are")``."""
    return one if count == 1 else several


def capital(text: str) -> str:
    """The same text with its first letter in upper case, as a sentence begins."""
    return text[:1].upper() + text[1:]
