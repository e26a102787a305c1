"""The floor: what unrelated rows of the very same comparison score.

Row i of A belongs with row i of B. A high matched cosine means something only if it is
higher than what row i scores against rows it does *not* belong with. Two floors:

- the **exact floor**: mean and spread over all n(n-1) unrelated pairs. The headline.
- the **permuted floor**: the pooled scores of a few seeded derangements (pairings in
  which no row meets its own partner). The reference format prints it; it is a random
  sample of the exact floor and carries a Monte Carlo error.

Symbols: s_i = a_i . b_i own cosines, S_ij = a_i . b_j, f the exact floor's mean,
N = n(n-1). All sums in float64; no n-by-n matrix.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NO_SPREAD",
    "ExactFloor",
    "PermutedFloor",
    "derangements",
    "exact_floor",
    "permuted_floor",
]

Float64Array = NDArray[np.float64]

#: A spread up to this is the rounding of the unit rows themselves, not a spread.
NO_SPREAD = 16 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactFloor:
    """Mean and spread of all n(n-1) unrelated cosines.

    Attributes
    ----------
    mean
        In [-1, 1].
    sd
        Population standard deviation (ddof 0), >= 0; exactly 0 where there is no spread
        beyond rounding.
    """

    mean: float
    sd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutedFloor:
    """Pooled scores of seeded derangements, as the reference format defines them.

    Attributes
    ----------
    mean, sd
        Mean and population standard deviation (ddof 0) of n_derangements * n scores.
    n_derangements
        How many pairings were drawn.
    monte_carlo_error
        Standard deviation of `mean` over other seeds, estimated from the spread of the
        derangements' own means; `None` for a single derangement.
    """

    mean: float
    sd: float
    n_derangements: int
    monte_carlo_error: float | None


def exact_floor(mean: float, sum_about: float, squares_about: float, n_pairs: int) -> ExactFloor:
    """Exact floor from one pass over all unrelated scores.

    Parameters
    ----------
    mean : float
        f, from `core.sweep.ReadySides.floors`.
    sum_about, squares_about : float
        Sums of S_ij - f and of (S_ij - f)^2 over all i != j. Taken about f, nothing
        cancels, so spreads down to 1e-15 are right.
    n_pairs : int
        N, how many pairs the sums are over.
    """
    sd = math.sqrt(max(squares_about / n_pairs - (sum_about / n_pairs) ** 2, 0.0))
    return ExactFloor(mean=mean, sd=sd if sd > NO_SPREAD else 0.0)


def derangements(n: int, count: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Random permutations of ``range(n)`` that leave no index in its place.

    Each is ``rng.permutation(n)``, redrawn until it has no fixed point, so that a seed
    gives the same pairings as the reference. About e draws each. Needs n >= 2.
    """
    for _ in range(count):
        places = np.arange(n)
        order = rng.permutation(n)
        while np.any(order == places):
            order = rng.permutation(n)
        yield order


def permuted_floor(mean: float, sums: Float64Array, squares: Float64Array, n: int) -> PermutedFloor:
    """Pool the scores of row i of A against row p[i] of B over all derangements p.

    Parameters
    ----------
    mean : float
        f, about which the sums were taken.
    sums, squares : (m,) float64
        Sums of S - f and (S - f)^2 of each derangement, from `core.sweep.pairing_sums`.
    n : int
        Scores of each derangement.
    """
    count = n * len(sums)
    shift = float(sums.sum()) / count
    return PermutedFloor(
        mean=mean + shift,
        sd=math.sqrt(max(float(squares.sum()) / count - shift**2, 0.0)),
        n_derangements=len(sums),
        monte_carlo_error=_error_of_mean(sums / n),
    )


def _error_of_mean(means: Float64Array) -> float | None:
    """Standard error of the mean of independent derangement means."""
    if len(means) < 2:
        return None
    return float(means.std(ddof=1) / math.sqrt(len(means)))
