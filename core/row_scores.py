"""What the pass over all scores leaves for each pair: the data of the table of worst pairs.

Five numbers a pair and reading, 40 bytes each. An audit keeps them only where it is asked
to: most uses want the summary alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kept_rows import kept_rows
from core.sweep import ReadingSweep, Sweep

__all__ = ["PairRows", "RowScores", "pair_rows"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowScores:
    """One reading, pair by pair; names and meanings as in `core.sweep.ReadingSweep`.

    Attributes
    ----------
    own
        (n,) cosine of row i of A with row i of B, not clipped.
    better_a_to_b, tied_a_to_b
        (n,) other candidates above it, and tied with it.
    rival_a_to_b, rival_margin_a_to_b
        (n,) the best other candidate, and how far own stands above it.
    """

    own: Float64Array
    better_a_to_b: Int64Array
    tied_a_to_b: Int64Array
    rival_a_to_b: Int64Array
    rival_margin_a_to_b: Float64Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairRows:
    """Both readings, pair by pair.

    Attributes
    ----------
    raw, centred
        Centred is `None` where it is undefined.
    numbers
        (n,) row of the files that each compared pair is, counting from 0.
    """

    raw: RowScores
    centred: RowScores | None
    numbers: Int64Array


def pair_rows(swept: Sweep, dropped: NDArray[np.intp]) -> PairRows:
    """What a sweep says of each pair.

    Parameters
    ----------
    swept : Sweep
        Of the compared pairs. With a pool, better, tied and rival are among its rows.
    dropped : (k,) int
        Rows of the files that were left out, ascending.
    """
    n = len(swept.raw.own)
    return PairRows(
        raw=_scores(swept.raw),
        centred=_scores(swept.centred) if swept.centred else None,
        numbers=kept_rows(n, dropped).astype(np.int64),
    )


def _scores(swept: ReadingSweep) -> RowScores:
    return RowScores(
        own=swept.own,
        better_a_to_b=swept.better_a_to_b,
        tied_a_to_b=swept.tied_a_to_b,
        rival_a_to_b=swept.rival_a_to_b,
        rival_margin_a_to_b=swept.rival_margin_a_to_b,
    )
