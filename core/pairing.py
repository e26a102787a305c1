"""These rows do not look paired: which way are they wrong?

Asked when matched is at its floor. The best rivals answer. If row i of A is closest to
row i + k of B for one and the same k, and the other rows show no pattern of their own, the
rows are **shifted**. If A and B name each
other's rows as best far more often than unrelated rows do, they are **permuted**, and an
order that pairs them can be given. If neither, but the alarm of `core.alarm` is strong,
the rows belong together in **different coordinate systems**. Else they are **unrelated**,
or linked too weakly to tell.

What unrelated rows do, whatever the embeddings are like: the best of a row is at row
i + k by luck once in n rows for each k; and a row and its best name each other with
probability n / (2n - 1), for the one score that must lead a row and a column of 2n - 1
exchangeable scores. Equal rows count once here: with p different rows of A and q of B it
is q / (p + q - 1), and an order of the rows is one up to interchange of equal ones. The
share of such *mutual* rows among m has sd about .36 / sqrt(m) (simulated: .35 to .36 for
n = 6 to 300, at most .40 where p and q differ); hubs make it smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.alarm import CoordinateAlarm
from core.kept_rows import FileRows
from core.limits import MATCHING_ROUNDS, PAIRING_ROWS, SCORE_BLOCK_ELEMENTS
from core.prepared import Rows
from core.products import product
from core.rivals import candidates_below, named_back, take_best
from core.rows import UnitRows, row_blocks
from core.sweep import Progress
from core.ticks import Tick, each, no_tick, step_of

__all__ = [
    "EqualRows",
    "Pairing",
    "above_chance",
    "diagnose_pairing",
    "matching_order",
    "pairs_more",
    "shifted_order",
    "told_by_alarm",
    "with_order",
]

Float64Array = NDArray[np.float64]
Index = NDArray[np.int64]

#: What is said meanwhile.
MATCHING = "Looking for the order that pairs the rows"

Kind = Literal["in_order", "shifted", "permuted", "different_spaces", "unrelated"]

#: Chance, over all shifts together, below which votes for one shift are not luck.
SHIFT_LEVEL = 0.001

#: Fewer votes than this are no pattern at any n.
MIN_VOTES = 3

#: A second shift with this share of the votes of the first makes neither the whole story.
SECOND_SHARE = 0.5

#: Rows that a shift leaves unpaired meet a stranger there: half of the strangers stand below the
#: middle of their row, and of partners, however weakly linked, fewer than half as many.
STRANGERS_BELOW = 0.25

#: An order must pair more rows with their best than stand so, by this many standard errors.
ORDER_SDS = 2.0

#: An order in pieces is said to be one where they hold so many rows on average.
PIECE_ROWS = 8

#: Mutual rows must exceed chance by this many standard deviations.
MUTUAL_SDS = 4.0

#: Standard deviation of the chance share of mutual rows, times sqrt(n).
MUTUAL_SPREAD = 0.36


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EqualRows:
    """Which rows of a file are equal.

    Attributes
    ----------
    a, b
        (n,) the same number for equal rows, from 0 without gaps.
    """

    a: Index
    b: Index


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How the rows of A and B stand to each other.

    Attributes
    ----------
    kind
        ``"in_order"``, ``"shifted"``, ``"permuted"``, ``"different_spaces"`` or ``"unrelated"``.
    shift
        The k with the most rows of A closest to row i + k of B, in rows of the files (cyclic, the nearer way).
    shift_votes
        Rows that say so; about 1 by chance, more for the most voted.
    mutual, asked
        Rows of A, of those asked, whose best row of B names them as its best.
    mutual_by_chance
        Share expected of unrelated rows, n / (2n - 1) where no two rows are equal.
    n
        Rows of each side.
    order
        For each row of A the row of B that seems to belong with it, from 0; a permutation.
        `None` where a shift says it all, for kinds that no order repairs, and until it is
        looked for.
    first_choice
        Rows of A for which that order, or the shift, gives their best row of B, or one that
        equals it; 0 without an order.
    in_place
        Rows of A whose best row of B is the one they stand beside, or equals it.
    pieces
        Stretches of rows that one shift pairs, one after the other, where the order is made of
        few; 0 otherwise.
    repeated_a, repeated_b
        Rows that another row of their file equals: which of them an order names is arbitrary.
    """

    kind: Kind
    shift: int
    shift_votes: int
    mutual: int
    asked: int
    mutual_by_chance: float
    n: int
    order: tuple[int, ...] | None = None
    first_choice: int = 0
    in_place: int = 0
    pieces: int = 0
    repeated_a: int = 0
    repeated_b: int = 0

    @property
    def reordered(self) -> bool:
        """True for rows that another order pairs."""
        return self.kind in ("shifted", "permuted")

    @property
    def pairing_order(self) -> Index | None:
        """int64, for each row of A: ``b[order]`` is paired with ``a``; `None` where no order does that."""
        if self.order is not None:
            return np.array(self.order, dtype=np.int64)
        return shifted_order(self.n, self.shift) if self.kind == "shifted" else None


def diagnose_pairing(
    a: Rows,
    b: Rows,
    best_b: Index,
    *,
    rng: np.random.Generator,
    equal: EqualRows | None = None,
    files: FileRows | None = None,
    max_asked: int = PAIRING_ROWS,
    tick: Tick = no_tick,
) -> Pairing:
    """Say which way rows are not paired.

    Parameters
    ----------
    a, b : UnitRows or PreparedRows
        (n, d) sides, of the centred reading where there is one.
    best_b : (n,) int64
        Best row of B for each row of A in that reading, from `core.rivals.best_in_b`.
    rng : Generator
        Draws the rows that are asked whether they are named back; of equal ones the first.
    equal : EqualRows, optional
        Where rows occur several times.
    files : FileRows, optional
        Where rows of the files were left out: a shift is one of the files.
    max_asked : int
        At most so many.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O(max_asked n d). A shift is a permutation too, so it is named only where it is the
    whole story: no second shift has half as many votes, and the rows it does not explain are
    not linked elsewhere. They are where more of them than of unrelated rows are mutual, and
    what the shift gives them scores like a stranger. Rows that look unrelated may be in other
    axes: `told_by_alarm`.
    """
    n = len(best_b)
    of_a, of_b = (np.arange(n), np.arange(n)) if equal is None else (equal.a, equal.b)
    first = np.unique(of_a, return_index=True)[1]
    asked = np.sort(rng.choice(first, size=min(len(first), max_asked), replace=False))
    named = named_back(a, b, best_b, asked, alike=of_a, tick=tick)
    mutual = int(np.count_nonzero(named))
    files = files or FileRows(places=np.arange(n), total=n)
    shift, votes, second = _most_voted(best_b, of_b, files)
    there = files.shifted(shift)[asked]
    different_b = int(of_b.max()) + 1
    by_chance = different_b / (len(first) + different_b - 1)
    unexplained = (there >= 0) & (of_b[best_b[asked]] != of_b[there])
    several = second > SECOND_SHARE * votes and _not_luck(second, n)
    kind: Kind = "unrelated"
    if _not_luck(votes, n):
        linked = above_chance(named[unexplained], by_chance)
        elsewhere = several or (linked and _strangers(a, b, asked[unexplained], there[unexplained], tick))
        kind = "permuted" if elsewhere else "in_order" if shift == 0 else "shifted"
    elif above_chance(named, by_chance):
        kind = "permuted"
    return Pairing(
        kind=kind,
        shift=shift if shift <= files.total // 2 else shift - files.total,
        shift_votes=votes,
        mutual=mutual,
        asked=len(asked),
        mutual_by_chance=by_chance,
        n=n,
        first_choice=votes if kind == "shifted" else 0,
        in_place=int(np.count_nonzero(of_b[best_b] == of_b)),
        repeated_a=_repeated(of_a),
        repeated_b=_repeated(of_b),
    )


def _most_voted(best_b: Index, of_b: Index, files: FileRows) -> tuple[int, int, int]:
    """The shift that gives most rows their best row of B, how many, and how many of the others one more shift does."""
    offsets = files.offsets(best_b)
    shift = int(np.bincount(offsets).argmax())
    there = files.shifted(shift)
    explained = (there >= 0) & (of_b[best_b] == of_b[there])
    others = offsets[~explained]
    second = int(np.bincount(others).max()) if len(others) else 0
    return shift, int(np.count_nonzero(explained)), second


def above_chance(named: NDArray[np.bool_], by_chance: float) -> bool:
    """True if more of some rows are mutual than of unrelated ones."""
    spread = MUTUAL_SPREAD / math.sqrt(max(len(named), 1))
    return len(named) > 0 and float(named.mean()) - by_chance > MUTUAL_SDS * spread


def _strangers(a: Rows, b: Rows, rows: Index, there: Index, tick: Tick) -> bool:
    """True if half of some rows of A or more score with the row of B that a shift gives them as with any row."""
    below = candidates_below(a, b, rows, there, tick=tick)
    return float(np.mean(below < 0.5)) >= STRANGERS_BELOW


def with_order(found: Pairing, order: Index, best_b: Index, *, alike: Index | None = None) -> Pairing:
    """The same with an order, and how many rows it gives their best.

    Parameters
    ----------
    order, best_b : (n,) int64
        From `matching_order`, and what that was given.
    alike : (n,) int64, optional
        The same number for equal rows of B.
    """
    got_best = order == best_b if alike is None else alike[order] == alike[best_b]
    return replace(
        found,
        order=tuple(order.tolist()),
        first_choice=int(np.count_nonzero(got_best)),
        pieces=_pieces(order[got_best] - np.flatnonzero(got_best), found.n),
    )


def pairs_more(found: Pairing) -> bool:
    """True if an order gives clearly more rows their best row than the one they stand in."""
    gained = found.first_choice - found.in_place
    return gained > ORDER_SDS * math.sqrt(found.first_choice + found.in_place)


def _pieces(offsets: Index, n: int) -> int:
    """Stretches of one and the same shift, file ends joined, if they hold `PIECE_ROWS` rows on average; else 0."""
    pieces = 1 + int(np.count_nonzero(np.diff(offsets % n)))
    return pieces if pieces > 1 and pieces * PIECE_ROWS <= len(offsets) else 0


def told_by_alarm(found: Pairing, alarm: CoordinateAlarm) -> Pairing:
    """The same, where rows that look unrelated belong together in different coordinate systems."""
    turned = found.kind == "unrelated" and alarm.strength == "strong"
    return replace(found, kind="different_spaces") if turned else found


def _repeated(labels: Index) -> int:
    """Rows that share their number with another."""
    return int(np.count_nonzero(np.bincount(labels)[labels] > 1))


def shifted_order(n: int, shift: int) -> Index:
    """(n,) for row i of A the row of B that a shift by k says it belongs with: i + k, cyclic."""
    return (np.arange(n) + shift) % n


def matching_order(
    a: UnitRows,
    b: UnitRows,
    best_b: Index,
    scores: Float64Array,
    *,
    alike: Index | None = None,
    progress: Progress | None = None,
) -> Index:
    """An order of B that pairs it with A: the highest score first, then the highest of what is left.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides, of the centred reading where there is one.
    best_b, scores : (n,) int64, (n,) float64
        Best row of B for each row of A, and what it scores, from `core.rivals`.
    alike : (n,) int64, optional
        The same number for equal rows of B: who asks for one takes another of them where that is free.
    progress : callable, optional
        Called between blocks, and done counts rounds; the place to cancel.

    Returns
    -------
    (n,) int64
        A permutation: row i of A goes with row ``order[i]`` of B; ``b[order]`` is paired.
        Rows that got their best have ``order[i] == best_b[i]``; the others took what is left.

    Notes
    -----
    Each row of A asks for its best row of B, which keeps the one that scores highest and may
    drop it for a better one later; who was refused asks for the next (Gale & Shapley 1962; with
    one score for both it is the matching that takes the highest remaining score each time).
    A round costs O(m n d) in float64 for the m rows refused: few where rows are well linked.
    After `MATCHING_ROUNDS` rounds the rest keeps file order.
    """
    n, _ = a.shape
    holder, held = np.full(n, -1, dtype=np.int64), np.full(n, -np.inf)
    asking, wanted = np.arange(n), best_b
    for done in range(MATCHING_ROUNDS):
        if alike is not None:
            wanted = _spread(wanted, scores, held, alike)
        _keep_best(holder, held, asking, wanted, scores)
        asking = np.setdiff1d(np.arange(n), holder)
        if len(asking) == 0:
            break
        wanted, scores = _next_best(a, b, asking, held, step_of(progress, done, MATCHING_ROUNDS, MATCHING))
    step_of(progress, MATCHING_ROUNDS, MATCHING_ROUNDS, MATCHING)()
    holder[holder < 0] = np.setdiff1d(np.arange(n), holder)
    order: Index = np.argsort(holder)
    return order


def _keep_best(holder: Index, held: Float64Array, asking: Index, wanted: Index, scores: Float64Array) -> None:
    """Let each row of B keep, in place, whoever scores highest with it; of equals the lowest number."""
    ranked = np.lexsort((-asking, scores))  # the last one written stays
    ranked = ranked[scores[ranked] > held[wanted[ranked]]]
    holder[wanted[ranked]] = asking[ranked]
    held[wanted[ranked]] = scores[ranked]


def _spread(wanted: Index, scores: Float64Array, held: Float64Array, alike: Index) -> Index:
    """The rows of B asked for, or rows equal to them that nobody holds yet: one for each who asks."""
    free = np.flatnonzero(held == -np.inf)
    free = free[np.argsort(alike[free], kind="stable")]
    count = np.bincount(alike[free], minlength=int(alike.max()) + 1)
    begin = np.cumsum(count) - count
    ranked = np.lexsort((-scores, alike[wanted]))  # who scores higher takes the earlier one
    kinds = alike[wanted[ranked]]
    place = np.arange(len(ranked)) - np.searchsorted(kinds, kinds)
    served = place < count[kinds]
    spread = wanted.copy()
    spread[ranked[served]] = free[begin[kinds[served]] + place[served]]
    return spread


def _next_best(a: UnitRows, b: UnitRows, asking: Index, held: Float64Array, tick: Tick) -> tuple[Index, Float64Array]:
    """For rows of A the row of B that scores highest among those that would keep them."""
    n, dim = a.shape
    places, highest = np.zeros(len(asking), dtype=np.int64), np.full(len(asking), -np.inf)
    side = int(SCORE_BLOCK_ELEMENTS**0.5)
    for rows in row_blocks(len(asking), max(side, dim), elements=SCORE_BLOCK_ELEMENTS):
        units = a[asking[rows]]
        for columns in each(row_blocks(n, max(side, dim), elements=SCORE_BLOCK_ELEMENTS), tick):
            scores = product(units, b[columns].T, tick)
            scores[scores <= held[columns]] = -np.inf
            take_best(scores, places[rows], highest[rows], columns.start)
    return places, highest


def _not_luck(votes: int, n: int) -> bool:
    """True if so many rows for the most voted of n shifts would be rare by chance."""
    from scipy.special import bdtrc  # imported here: `import core` stays light

    if votes < MIN_VOTES:
        return False
    return n * float(bdtrc(votes - 1, n, 1 / n)) <= SHIFT_LEVEL
