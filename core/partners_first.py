"""Do partners rank first more often than by luck, looked at in a bounded number of rows?

A gap says little about a map that was fitted on the wrong rows: any fixed turn of a space
gives gaps far from 0, in either direction, at ranks of pure chance. Ranks are not fooled.
"""

from __future__ import annotations

import numpy as np

from core.limits import GRAM_ROWS
from core.ranks import PartnerRanks, at_chance, partner_ranks
from core.reading import Reading
from core.rows import UnitRows

__all__ = ["partners_lead", "ranks_at_chance"]


def ranks_at_chance(reading: Reading) -> bool:
    """True if partners rank first by luck alone in one direction or both."""
    return any(at_chance(ranks, ranks.n_candidates) for ranks in (reading.a_to_b, reading.b_to_a))


def partners_lead(a: UnitRows, b: UnitRows, *, n_rows: int = GRAM_ROWS) -> bool:
    """True if partners rank first beyond luck in both directions.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) each; row i belongs with row i.
    n_rows : int
        At most so many rows, evenly spread over the file, are looked at and ranked among.

    Notes
    -----
    Time O(n_rows^2 d), memory O(n_rows^2).
    """
    n = a.shape[0]
    chosen = np.linspace(0, n - 1, min(n, n_rows)).astype(np.intp)
    scores = a[chosen] @ b[chosen].T
    return not any(at_chance(_ranks(one), len(chosen)) for one in (scores, scores.T))


def _ranks(scores: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> PartnerRanks:
    own = np.diagonal(scores)[:, None]
    tied = np.count_nonzero(scores == own, axis=1) - 1
    return partner_ranks(np.count_nonzero(scores > own, axis=1), tied, n_candidates=len(scores))
