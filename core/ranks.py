"""Partner ranked first: does a row's own partner score highest among all candidates?

Chance is 1/n when nothing links the rows. With a pool of M - 1 candidates shared by all
rows, a row is ranked among these and its own partner: M, or M - 1 for a row whose partner
is in the pool. Ties are counted, never broken by file
order: a candidate within `TIE` of the partner's cosine shares its place.

Symbols, for row i of n: g_i candidates strictly better than the partner, e_i tied with
it. Source: Berrendorf et al. 2020, "On the ambiguity of rank-based evaluation"
(optimistic, realistic and pessimistic ranks, adjusted mean rank index).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["TIE", "Hubs", "PartnerRanks", "at_chance", "hubs", "partner_ranks", "seeded_pool"]

#: Two cosines closer than this are a tie: bit-equal rows can give float64 cosines that
#: differ by 3e-16, and real differences are far larger.
TIE = 1e-12

#: Level at which a count of partners ranked first is told from chance.
CHANCE_LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerRanks:
    """How often the partner ranks first, in one direction of one reading.

    Attributes
    ----------
    optimistic
        Share of rows, in [0, 1], with no candidate strictly better than the partner.
    expected
        The same with ties given their expected credit, 1 / (1 + e_i). The headline.
    pessimistic
        Share of rows whose partner beats every other candidate outright.
    tied
        Rows whose partner shares the top score with another candidate.
    n_candidates
        Candidates each row is ranked among, the partner included.
    chance
        Share expected when nothing links the rows: the mean over rows of the inverse of
        their own number of candidates.
    """

    optimistic: float
    expected: float
    pessimistic: float
    tied: int
    n_candidates: int
    chance: float


def partner_ranks(
    better: NDArray[np.int64], tied: NDArray[np.int64], *, n_candidates: int, chance: float | None = None
) -> PartnerRanks:
    """Summarise per-row counts of better and tied candidates.

    Parameters
    ----------
    better, tied : (n,) int64
        g_i and e_i above, the partner itself not counted.
    n_candidates : int
        Candidates each row was ranked among, the partner included.
    chance : float, optional
        Where rows have different numbers of candidates; by default ``1 / n_candidates``.
    """
    top = better == 0
    return PartnerRanks(
        optimistic=float(np.mean(top)),
        expected=float(np.mean(np.where(top, 1.0 / (1.0 + tied), 0.0))),
        pessimistic=float(np.mean(top & (tied == 0))),
        tied=int(np.count_nonzero(top & (tied > 0))),
        n_candidates=n_candidates,
        chance=1.0 / n_candidates if chance is None else chance,
    )


def at_chance(ranks: PartnerRanks, n: int) -> bool:
    """True if so many partners ranked first, of n rows, would not be rare by luck alone."""
    from scipy.special import bdtrc  # imported here: `import core` stays light

    hits = round(ranks.expected * n)
    by_luck = 1.0 if hits == 0 else float(bdtrc(hits - 1, n, ranks.chance))
    return by_luck > CHANCE_LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Hubs:
    """How unevenly the rows of B come out on top of the rows of A.

    Attributes
    ----------
    most, row
        How many rows of A have the same row of B on top, and which that is (the first of
        equals, counting from 0 in the file). Of candidates that tie, the lowest number counts.
    never
        Share of the candidates that are on top of no row.
    null_sd
        Standard deviation of the number of partners ranked first when rows are paired at
        random, about 1 without hubs and less with them; `None` with a pool.
    """

    most: int
    row: int
    never: float
    null_sd: float | None


def hubs(
    top_counts: NDArray[np.int64],
    pool: NDArray[np.int64] | None = None,
    *,
    numbers: NDArray[np.intp] | None = None,
) -> Hubs:
    """Summarise how often each row of B is the top candidate; with a pool, of its rows only.

    Parameters
    ----------
    top_counts : (n,) int64
        N_j, for each row of B the rows of A that it is on top of.
    pool : (m,) int64, optional
        The pool of candidates, where there is one.
    numbers : (n,) intp, optional
        The row of the files that each row is (`core.kept_rows`); as they stand by default.

    Notes
    -----
    A random pairing gives 1 partner ranked first on average, with
    variance (n - sum N_j^2 / n) / (n - 1), exactly.
    """
    counts = top_counts if pool is None else top_counts[pool]
    at = int(np.argmax(counts))
    row = at if pool is None else int(pool[at])
    n, found = len(top_counts), top_counts.astype(np.float64)
    variance = (n - float(found @ found) / n) / (n - 1)
    return Hubs(
        most=int(counts[at]),
        row=row if numbers is None else int(numbers[row]),
        never=float(np.mean(counts == 0)),
        null_sd=max(variance, 0.0) ** 0.5 if pool is None else None,
    )


def seeded_pool(n: int, n_candidates: int | None, rng: np.random.Generator) -> NDArray[np.int64] | None:
    """Row numbers that every row is ranked against beside its own partner, ascending.

    Parameters
    ----------
    n : int
        Rows there are.
    n_candidates : int or None
        M, candidates of each row, the partner included; the pool holds M - 1.
    rng : Generator
        Drawn from only where there is a pool.

    Returns
    -------
    (M - 1,) int64, or `None` where every row meets all others: without M, or with M >= n.
    """
    if n_candidates is None or n_candidates >= n:
        return None
    return np.sort(rng.choice(n, size=n_candidates - 1, replace=False)).astype(np.int64)
