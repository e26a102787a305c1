"""Numbers inside the sentences that notices and findings are made of."""

from __future__ import annotations

__all__ = ["signed"]


def signed(value: float) -> str:
    """Four decimals with a true minus sign; never a negative zero."""
    return f"{round(value, 4) + 0.0:.4f}".replace("-", "−")
