"""Anisotropy: how much of a cosine is a direction that all rows of a side share.

It is the mean cosine between *different* rows of one side. Near 0, unrelated rows of
that side are orthogonal on average; near 1, every row points the same way and any two
of them score high, related or not.

Source: Ethayarajh 2019, "How contextual are contextualized word representations?".
"""

from __future__ import annotations

from core.rows import MeanRow

__all__ = ["anisotropy"]


def anisotropy(mean: MeanRow) -> float:
    """Mean cosine between different rows of one side, in [-1/(n-1), 1].

    With U the sum of the n unit rows, (|U|^2 - n) / (n (n - 1)): the double sum over
    all pairs without the n self-cosines. Cost O(d) once the mean is known; accumulated
    in float64. Needs n >= 2.
    """
    n = mean.n_rows
    total = mean.total
    return (float(total @ total) - n) / (n * (n - 1))
