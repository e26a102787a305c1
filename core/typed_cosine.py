"""A cosine as somebody typed it: its value, and its digits as they stand.

"0.90" says more than 0.9: it was rounded to two decimals, not to one. So a typed number
keeps its own digits until it is shown, and until it is set against a mean.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from core.errors import SettingsError

__all__ = ["TypedCosine", "decimals", "read_cosine", "refuse_no_cosine"]

#: A number, or one with the comma of half the world.
_NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d*)(?:[.,](?P<part>\d*))?(?P<power>[eE][+-]?\d{1,3})?", re.ASCII)

#: Most characters of a number; a cosine in double precision has 25.
_LONGEST = 60

_REMEDY = "Type a number like 0.91."

#: Characters of a typed text that a message shows.
_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCosine:
    """A cosine in [-1, 1], and its digits as typed, with a point and a plain minus sign."""

    value: float
    text: str


def read_cosine(text: str, of: str = "") -> TypedCosine:
    """Read one cosine: ``0.91``, ``0,91``, ``.9``, ``-1``, ``1e-3``.

    Parameters
    ----------
    of
        Where it was typed; a refusal begins with it.

    Raises
    ------
    SettingsError
        It is no number, or no cosine can be that number. A percentage is refused: a cosine
        is no share.
    """
    given, lead = text.strip().replace("−", "-"), f"{of}: " if of else ""
    found = _NUMBER.fullmatch(given) if len(given) <= _LONGEST else None
    if found is None or not (found["whole"] or found["part"]):
        raise SettingsError(
            f"{lead}{_shown(given)} is not a cosine; one is a number between -1 and 1", remedy=_hint(given)
        )
    written = (found["whole"] or "0") + (f".{found['part']}" if found["part"] else "") + (found["power"] or "")
    value = float(written) if Decimal(written) <= 1 else math.inf  # the float of 1.0000000000000001 is 1
    if found["sign"] == "-" and value:
        written, value = f"-{written}", -value
    refuse_no_cosine(value, f"{lead}{_shown(written)}")
    return TypedCosine(value=value, text=written)


def decimals(written: str) -> int:
    """How many decimals a number has as it is written: 2 for ``0.90``, 3 for ``1e-3``."""
    digits, _, power = written.lower().partition("e")
    return len(digits.partition(".")[2]) - int(power or 0)


def refuse_no_cosine(value: float, shown: str = "") -> None:
    """Raise `SettingsError` unless the number, shown as told, lies in [-1, 1]."""
    if not -1.0 <= value <= 1.0:
        raise SettingsError(f"{shown or value} is not a cosine; one lies between -1 and 1", remedy=_REMEDY)


def _hint(given: str) -> str:
    if given.endswith("%"):
        return "A cosine is no percentage; type a number like 0.91."
    return _REMEDY


def _shown(text: str) -> str:
    cut = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return cut or "an empty text"
