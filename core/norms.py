"""How long rows are: no cosine depends on it, but a few rows far longer than the others say what a file holds."""

from __future__ import annotations

import math

__all__ = ["TOO_LARGE", "norm_ratio"]

#: Why a norm, or a ratio of finite numbers, that no float holds is left out.
TOO_LARGE = "too large to write as a number"


def norm_ratio(largest: float | None, median: float | None) -> tuple[float | None, str]:
    """Largest norm over the median norm of stored rows, and why there is none: empty where there is one.

    Finite rows can be so long (1e200 beside 1e-150) that no float holds their ratio.
    """
    if largest is None or median is None:
        return None, "no row has a norm"
    if not median:
        return None, "the median norm is 0"
    if not math.isfinite(largest):
        return None, f"the largest norm is {TOO_LARGE}"
    ratio = largest / median
    return (ratio, "") if math.isfinite(ratio) else (None, TOO_LARGE)
