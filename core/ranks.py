"""Partner ranked first: does a row's own partner score highest among all candidates?

Chance is 1/n when nothing links the rows. Ties are counted, never broken by file
order: a candidate within `TIE` of the partner's cosine shares its place.

Symbols, for row i of n: g_i candidates strictly better than the partner, e_i tied with
it. Source: Berrendorf et al. 2020, "On the ambiguity of rank-based evaluation"
(optimistic, realistic and pessimistic ranks, adjusted mean rank index).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["TIE", "PartnerRanks", "partner_ranks"]

#: Two cosines closer than this are a tie: bit-equal rows can give float64 cosines that
#: differ by 3e-16, and real differences are far larger.
TIE = 1e-12


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
        Candidates each row is ranked among, the partner included: chance is its inverse.
    """

    optimistic: float
    expected: float
    pessimistic: float
    tied: int
    n_candidates: int

    @property
    def chance(self) -> float:
        """Share expected when nothing links the rows."""
        return 1.0 / self.n_candidates


def partner_ranks(better: NDArray[np.int64], tied: NDArray[np.int64], *, n_candidates: int) -> PartnerRanks:
    """Summarise per-row counts of better and tied candidates.

    Parameters
    ----------
    better, tied : (n,) int64
        g_i and e_i above, the partner itself not counted.
    n_candidates : int
        Candidates each row was ranked among, the partner included.
    """
    top = better == 0
    return PartnerRanks(
        optimistic=float(np.mean(top)),
        expected=float(np.mean(np.where(top, 1.0 / (1.0 + tied), 0.0))),
        pessimistic=float(np.mean(top & (tied == 0))),
        tied=int(np.count_nonzero(top & (tied > 0))),
        n_candidates=n_candidates,
    )
