"""Numbers inside the sentences that notices and findings are made of, and how sentences begin."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["TOLD", "agreed", "capital", "counted", "signed", "told"]

#: Things told one by one; more are counted.
TOLD = 3


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


def told(said: Sequence[str], joint: str = "; ") -> str:
    """The first few, and how many more there are: ``a; b; c; and 2 more``, ``a, b, c and 2 more``."""
    more = f"{joint.rstrip(', ')} and {len(said) - TOLD:,} more" if len(said) > TOLD else ""
    return joint.join(said[:TOLD]) + more
