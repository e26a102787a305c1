"""These rows do not look paired: which way are they wrong?

Asked when matched is at its floor. The best rivals answer. If row i of A is closest to
row i + k of B for one and the same k, the rows are **shifted**. If A and B name each
other's rows as best far more often than unrelated rows do, they are **permuted**, and an
order that pairs them can be given. If neither, but the alarm of `core.alarm` is strong,
the rows belong together in **different coordinate systems**. Else they are **unrelated**,
or linked too weakly to tell.

What unrelated rows do, whatever the embeddings are like: the best of a row is at row
i + k by luck once in n rows for each k; and a row and its best name each other with
probability n / (2n - 1), for the one score that must lead a row and a column of 2n - 1
exchangeable scores. The share of such *mutual* rows among m has sd about .36 / sqrt(m)
(simulated: .35 to .36 for n = 6 to 300); hubs make it smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.alarm import CoordinateAlarm
from core.limits import MATCHING_ROUNDS, PAIRING_ROWS
from core.rivals import best_rivals, named_back
from core.rows import UnitRows
from core.sweep import Progress

__all__ = ["Pairing", "diagnose_pairing", "matching_order", "shifted_order"]

Index = NDArray[np.int64]

Kind = Literal["in_order", "shifted", "permuted", "different_spaces", "unrelated"]

#: Chance, over all shifts together, below which votes for one shift are not luck.
SHIFT_LEVEL = 0.001

#: Fewer votes than this are no pattern at any n.
MIN_VOTES = 3

#: Mutual rows must exceed chance by this many standard deviations.
MUTUAL_SDS = 4.0

#: Standard deviation of the chance share of mutual rows, times sqrt(n).
MUTUAL_SPREAD = 0.36


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How the rows of A and B stand to each other.

    Attributes
    ----------
    kind
        ``"in_order"``, ``"shifted"``, ``"permuted"``, ``"different_spaces"`` or ``"unrelated"``.
    shift
        The k with the most rows of A closest to row i + k of B (of n, cyclic), between
        -n/2 and n/2.
    shift_votes
        Rows that say so; about 1 by chance, more for the most voted.
    mutual, asked
        Rows of A, of those asked, whose best row of B names them as its best.
    mutual_by_chance
        Share expected of unrelated rows, n / (2n - 1).
    n
        Rows of each side.
    """

    kind: Kind
    shift: int
    shift_votes: int
    mutual: int
    asked: int
    mutual_by_chance: float
    n: int


def diagnose_pairing(
    a: UnitRows,
    b: UnitRows,
    best_b: Index,
    alarm: CoordinateAlarm | None = None,
    *,
    rng: np.random.Generator,
    max_asked: int = PAIRING_ROWS,
) -> Pairing:
    """Say which way rows are not paired.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides, of the centred reading where there is one.
    best_b : (n,) int64
        Best row of B for each row of A in that reading, from `core.rivals.best_in_b`.
    alarm : CoordinateAlarm, optional
        Of the same rows.
    rng : Generator
        Draws the rows that are asked whether they are named back.
    max_asked : int
        At most so many.

    Notes
    -----
    Time O(max_asked n d). The shift is tested before the permutation, since a shift is
    one; a shift that explains less than half of the mutual rows is not the whole story,
    and then the permutation is named.
    """
    n = len(best_b)
    asked = np.sort(rng.choice(n, size=min(n, max_asked), replace=False))
    mutual = asked[named_back(a, b, best_b, asked)]
    offsets = (best_b - np.arange(n)) % n
    votes = np.bincount(offsets, minlength=n)
    shift = int(votes.argmax())
    by_chance = n / (2 * n - 1)
    clean = len(mutual) / len(asked) - by_chance > MUTUAL_SDS * MUTUAL_SPREAD / math.sqrt(len(asked))
    explained = 2 * int(np.count_nonzero(offsets[mutual] == shift)) >= len(mutual)
    kind: Kind
    if _not_luck(int(votes[shift]), n) and (explained or not clean):
        kind = "in_order" if shift == 0 else "shifted"
    elif clean:
        kind = "permuted"
    else:
        kind = "different_spaces" if alarm is not None and alarm.strength == "strong" else "unrelated"
    return Pairing(
        kind=kind,
        shift=shift if shift <= n // 2 else shift - n,
        shift_votes=int(votes[shift]),
        mutual=len(mutual),
        asked=len(asked),
        mutual_by_chance=by_chance,
        n=n,
    )


def shifted_order(n: int, shift: int) -> Index:
    """(n,) for row i of A the row of B that a shift by k says it belongs with: i + k, cyclic."""
    return (np.arange(n) + shift) % n


def matching_order(a: UnitRows, b: UnitRows, *, progress: Progress | None = None) -> tuple[Index, NDArray[np.bool_]]:
    """An order of B that pairs it with A, by best mutual scores.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides, of the centred reading where there is one.
    progress : callable, optional
        Called after each block of rows; the place to cancel.

    Returns
    -------
    order : (n,) int64
        A permutation: row i of A goes with row ``order[i]`` of B; ``b[order]`` is paired.
    sure : (n,) bool
        True for rows that name each other among all rows; the others were matched among
        those left over, round by round, and are guesses.

    Notes
    -----
    Rows that name each other are taken out and the rest is asked again: the matching that
    takes the highest remaining score each time. Rounds shrink the rest by about half, so
    time is about that of two passes, O(n^2 d) in float64. After `MATCHING_ROUNDS` rounds (many equal rows)
    the rest keeps file order.
    """
    n, _ = a.shape
    rivals = best_rivals(a, b, progress=progress)
    order = np.full(n, -1, dtype=np.int64)
    best, sure = rivals.best_b, rivals.mutual
    order[sure] = best[sure]
    for _ in range(MATCHING_ROUNDS):
        left_a, left_b = _left(order)
        if len(left_a) < 2:
            break
        found = _mutual_among(UnitRows(a.stored[left_a], a.mean), UnitRows(b.stored[left_b], b.mean), progress)
        if len(found[0]) == 0:
            break
        order[left_a[found[0]]] = left_b[found[1]]
    left_a, left_b = _left(order)
    order[left_a] = left_b
    return order, sure


def _left(order: Index) -> tuple[Index, Index]:
    taken = order[order >= 0]
    return np.flatnonzero(order < 0), np.setdiff1d(np.arange(len(order)), taken)


def _mutual_among(a: UnitRows, b: UnitRows, progress: Progress | None) -> tuple[Index, Index]:
    """Index pairs of leftover rows that name each other."""
    rivals = best_rivals(a, b, progress=progress, message="Matching the rows left over")
    mutual = np.flatnonzero(rivals.mutual)
    return mutual, rivals.best_b[mutual]


def _not_luck(votes: int, n: int) -> bool:
    """True if so many rows for the most voted of n shifts would be rare by chance."""
    from scipy.special import bdtrc  # imported here: `import core` stays light

    if votes < MIN_VOTES:
        return False
    return n * float(bdtrc(votes - 1, n, 1 / n)) <= SHIFT_LEVEL
