"""The floor: what unrelated rows of the very same comparison score.

Row i of A belongs with row i of B. A high matched cosine means something only if it is
higher than what row i scores against rows it does *not* belong with. Two floors:

- the **exact floor**: mean and spread over all n(n-1) unrelated pairs. The headline.
- the **permuted floor**: the pooled scores of a few seeded derangements (pairings in
  which no row meets its own partner). The reference format prints it; it is a random
  sample of the exact floor and carries a Monte Carlo error.

Symbols: s_i = a_i . b_i own cosines, S_ij = a_i . b_j, f the exact floor's mean,
N = n(n-1). All sums in float64; no n-by-n matrix. The exact floor comes from one pass over
all scores, or, where that pass is not made, from sums over the rows (`closed_floor`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.limits import CLOSED_FORM_ELEMENTS, READY_BLOCK_ELEMENTS
from core.rows import row_blocks
from core.sweep.workers import Progress, Steps, in_order, usable_cores

__all__ = [
    "NO_SPREAD",
    "ClosedFloor",
    "Derangements",
    "ExactFloor",
    "PermutedFloor",
    "closed_floor",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedFloor:
    """The exact floor from sums over the rows alone.

    Attributes
    ----------
    mean
        f.
    squares
        Sum of (S_ij - f)^2 over all i != j, not below 0.
    rounding
        How far rounding may put `squares` off. The sum is a difference, and where matched
        pairs alone stand out (nearly orthonormal sides) nothing of it may be left.
    n_pairs
        N.
    """

    mean: float
    squares: float
    rounding: float
    n_pairs: int

    @property
    def floor(self) -> ExactFloor:
        """Mean and spread; no spread where `squares` is not above its rounding."""
        sd = math.sqrt(self.squares / self.n_pairs)
        return ExactFloor(mean=self.mean, sd=sd if self.squares > self.rounding and sd > NO_SPREAD else 0.0)


def closed_floor(
    rows_of: Callable[[slice], tuple[Float64Array, Float64Array]],
    mean_a: Float64Array,
    mean_b: Float64Array,
    n: int,
    *,
    n_workers: int | None = None,
    progress: Progress | None = None,
    message: str = "Measuring the spread",
) -> ClosedFloor:
    """Mean and spread of all unrelated cosines without scoring any unrelated pair.

    With alpha, beta the rows less their means a, b, k = a . b, p = alpha b, q = beta a and
    e_i = s_i - k = p_i + q_i + alpha_i . beta_i, the sum of (S_ij - k)^2 over all i and j is

        G = n |p|^2 + n |q|^2 + <alpha' alpha, beta' beta>

    so f = k - sum(e) / N and the variance is (G - sum(e^2)) / N - (sum(e) / N)^2. Every term
    is centred first, so that a shared direction cancels nothing.

    Parameters
    ----------
    rows_of : callable
        (m, d) float64 unit rows of A and of B of one reading, for a slice of rows.
    mean_a, mean_b : (d,) float64
        Means of all those rows.
    n : int
        How many there are.
    n_workers, progress
        As for `core.sweep.sweep`; no figure depends on the number of threads.
    message : str
        What to say with the progress.

    Notes
    -----
    Time O(n d^2), in float64. Memory: per worker two strips of `CLOSED_FORM_ELEMENTS` numbers of
    the d-by-d products, and a block of rows; wide rows are gone over once for each strip.
    """
    dim = len(mean_a)
    blocks = list(row_blocks(n, dim, elements=READY_BLOCK_ELEMENTS))
    tasks = [(strip, rows) for strip in row_blocks(dim, dim, elements=CLOSED_FORM_ELEMENTS) for rows in blocks]
    steps = Steps(len(tasks), progress, message)

    def products(task: tuple[slice, slice]) -> tuple[Float64Array, Float64Array, Float64Array]:
        steps.step()
        strip, rows = task
        alpha, beta = (units - mean for units, mean in zip(rows_of(rows), (mean_a, mean_b), strict=True))
        sums = _row_sums(alpha, beta, alpha @ mean_b, beta @ mean_a) if strip.start == 0 else np.zeros(5)
        return alpha.T @ alpha[:, strip], beta.T @ beta[:, strip], sums

    product, totals = 0.0, np.zeros(5)
    gram_a, gram_b = np.zeros((dim, 0)), np.zeros((dim, 0))
    workers, operations = n_workers or usable_cores(), 4 * n * dim * dim
    results = in_order(tasks, products, operations=operations, n_workers=workers, steps=steps)
    for (_, rows), (part_a, part_b, sums) in zip(tasks, results, strict=True):
        gram_a, gram_b = (part_a, part_b) if rows.start == 0 else (gram_a + part_a, gram_b + part_b)
        totals += sums
        if rows.stop == n:
            product += float(np.einsum("ij,ij->", gram_a, gram_b))
    return _closed(float(mean_a @ mean_b), n, product, *(float(total) for total in totals))


def _row_sums(alpha: Float64Array, beta: Float64Array, p: Float64Array, q: Float64Array) -> Float64Array:
    """(5,) sums of p^2, q^2, e, e^2 and |e| over a block."""
    e = p + q + np.einsum("ij,ij->i", alpha, beta)
    return np.array([p @ p, q @ q, e.sum(), e @ e, np.abs(e).sum()])


def _closed(k: float, n: int, product: float, p2: float, q2: float, e: float, e2: float, abs_e: float) -> ClosedFloor:
    n_pairs = n * (n - 1)
    total = n * p2 + n * q2 + product
    return ClosedFloor(
        mean=k - e / n_pairs,
        squares=max(total - e2 - e**2 / n_pairs, 0.0),
        rounding=64 * float(np.finfo(np.float64).eps) * (max(total, e2) + abs_e),
        n_pairs=n_pairs,
    )


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


class Derangements(Collection[NDArray[np.int64]]):
    """So many derangements of ``range(n)``, each drawn when it is asked for: they can be gone over once.

    Held as a list, 10,000 of them take many times the memory of the rows they pair.
    """

    def __init__(self, n: int, count: int, rng: np.random.Generator) -> None:
        self._count = count
        self._drawn = derangements(n, count, rng)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return self._drawn

    def __contains__(self, pairing: object) -> bool:
        raise TypeError("derangements are drawn one by one and not kept")


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
