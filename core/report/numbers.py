"""How numbers are written, once for the page and all reports.

Prose and tables carry a true minus sign; text meant to be copied is turned to plain
ASCII by its own renderer (`core.report.plain_ascii`), and JSON by `ascii_minus`.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

__all__ = ["MISSING", "UNDEFINED", "ascii_minus", "count", "duration", "fixed", "percent", "rounded"]

#: Shown where a number is undefined; the reason stands beside it.
UNDEFINED = "undefined"

#: Shown to readers where a cell is empty because there is nothing to give, such as an interval nobody makes.
MISSING = "—"


def rounded(value: float | None, decimals: int) -> float | None:
    """Rounded as the reference prints it; a rounded zero carries no minus sign."""
    return None if value is None else round(value, decimals) + 0.0


def fixed(value: float | None, decimals: int = 4) -> str:
    """Fixed decimals; a number too small for them in scientific form; `UNDEFINED` for None."""
    if value is None:
        return UNDEFINED
    text = f"{round(value, decimals) + 0.0:.{decimals}f}"
    if value != 0 and float(text) == 0:
        text = f"{value:.1e}" if abs(value) > 1e-15 else f"{0:.{decimals}f}"
    return text.replace("-", "−")


def percent(share: float) -> str:
    """A share in [0, 1] as a percentage of about three digits: 70.3%, 0.25%.

    Halves go up, as a reader rounds who counts along: 285 of 400 are 71.25%, so 71.3%. A
    share that is not none is never written as 0, nor one that is not all as 100.
    """
    value = 100 * Decimal(f"{share:.12f}")  # the fraction that was meant: 0.7125, not its nearest binary
    text = _halves_up(value, 2 if 0 < value < 1 else 1)
    if value > 0 and float(text) == 0:
        return "under 0.01%"
    if value < 100 and float(text) == 100:
        text = _halves_up(value, 2)
        return f"{text}%" if float(text) < 100 else "over 99.99%"
    return f"{text}%"


def _halves_up(value: Decimal, decimals: int) -> str:
    return str(value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def duration(seconds: float) -> str:
    """A time to wait, as roughly as it is known: about 25 s, about 3 min, about 2 h."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {round(seconds / 3600)} h"


def count(value: int) -> str:
    """A whole number with thousands separators."""
    return f"{value:,}"


def ascii_minus(text: str) -> str:
    """The same text with plain ASCII minus signs, for copied figures."""
    return text.replace("−", "-")
