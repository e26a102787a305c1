"""A measure beside what it comes to when the rows of one side are shuffled.

For measures of agreement between two sets of rows the null is always the same: the rows
of both sides stay as they are, and which belongs with which is a uniformly random
permutation. A measure is worth reading only beside that null; some come out high on
unrelated rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ranks import TIE

__all__ = ["PermutationNull", "orders", "permutation_null"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationNull:
    """What shuffling one side does to a measure of agreement.

    Attributes
    ----------
    observed
        The measure on the very rows the shuffles were drawn from.
    mean, sd
        Of the shuffled values; sd with ddof 0.
    pvalue
        One-sided (agreement), (b + 1) / (m + 1) with b shuffles at least as high: never 0.
    n_permutations
        m.
    n_rows
        Rows that were shuffled; fewer than compared where a bound bites.
    """

    observed: float
    mean: float
    sd: float
    pvalue: float
    n_permutations: int
    n_rows: int


def permutation_null(observed: float, shuffled: NDArray[np.float64], *, n_rows: int) -> PermutationNull:
    """Summarise m shuffled values beside the observed one.

    Parameters
    ----------
    observed : float
        The measure in the given order.
    shuffled : (m,) float64
        The measure under uniformly random permutations, m >= 1.
    n_rows : int
        Rows that were shuffled.

    References
    ----------
    Phipson & Smyth 2010, "Permutation p-values should never be zero".
    """
    as_high = int(np.count_nonzero(shuffled >= observed - TIE))
    return PermutationNull(
        observed=observed,
        mean=float(shuffled.mean()),
        sd=float(shuffled.std()),
        pvalue=(as_high + 1) / (len(shuffled) + 1),
        n_permutations=len(shuffled),
        n_rows=n_rows,
    )


def orders(
    n: int, most: int, rng: np.random.Generator, *, moved: bool
) -> tuple[int, Iterator[NDArray[np.intp]]]:
    """Count and orders of n rows for the null: `most` shuffles or steps round the end (`moved`)."""
    if not moved:
        return most, (rng.permutation(n) for _ in range(most))
    amounts = _moves(n, most, rng)
    return len(amounts), ((np.arange(n) + amount) % n for amount in amounts)


def _moves(n: int, most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Amounts by which n rows may be moved along round the end: all n - 1, or `most` of them drawn."""
    every = np.arange(1, n)
    return every if len(every) <= most else rng.choice(every, size=most, replace=False)
