"""The map between two models carries nothing: are its train rows, or the compared rows, out of order?

A map needs train rows that are paired. If they are not, it turns one space onto the other
at random and the compared rows score nothing, however well they belong together. Which of
the two is out of order can be told without any map: debiased CKA, of the train rows and of
the compared rows apart, says in which of them both models find the same rows alike. That one
of them is significant and the other not is no difference: the two values must be apart.

Where the train rows are linked and only the compared ones are not, the map is sound, and the
best rivals after it tell rows in another order from unrelated ones (`core.pairing`).
"""

from __future__ import annotations

import math

import numpy as np

from core.alarm import ALARM_PERMUTATIONS, CKA_LEVEL
from core.cka import cka_null
from core.errors import Notice
from core.pairing import Pairing, diagnose_pairing
from core.permutation_null import PermutationNull
from core.prose import signed
from core.rivals import best_in_b
from core.rows import UnitRows
from core.sweep import Progress, ReadingSweep
from core.ticks import step_of
from core.train_split import TrainSplit
from core.train_swap import swapped_by_map

__all__ = ["order_notices"]

#: Fewer rows cannot show that they are not linked.
MIN_ORDER_ROWS = 20

#: One CKA is clearly above the other: by so many times the spread that shuffling gives the two.
CLEARLY_APART = 4.0


def order_notices(
    rows: TrainSplit,
    sides: tuple[UnitRows, UnitRows],
    counted: ReadingSweep,
    compared: PermutationNull | None,
    *,
    neighbours: PermutationNull,
    gap_is_clear: bool,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> list[Notice]:
    """Ask about the order of the train rows, or of the compared ones, of a map after which ranks are at chance.

    Where both are in order the train files may be swapped between the models, and that is asked.

    A clear gap speaks against a wrong order of the compared rows, but not of the train rows:
    maps of mispaired rows are turns at random, which give gaps in either direction.

    Parameters
    ----------
    rows : TrainSplit
        Given train rows and compared rows; halves of the same pairs are in one order, and get no word.
    sides : UnitRows, UnitRows
        (n, k) compared rows after the map.
    counted : ReadingSweep
        Their scores.
    compared, neighbours : PermutationNull
        CKA and neighbour overlap of the compared rows beside shuffled ones.
    gap_is_clear : bool
        True if the interval of the gap after the map is above 0.
    rng : Generator
        Draws rows and shuffles.

    Notes
    -----
    One CKA of at most `core.limits.GRAM_ROWS` train rows with its shuffles; for compared rows
    also `core.pairing.diagnose_pairing`.
    """
    if rows.split or compared is None or min(len(rows.a), len(rows.train_a)) < MIN_ORDER_ROWS:
        return []
    tick = step_of(progress, 0, 1, "Asking for the order of rows")
    train = cka_null(rows.train_a, rows.train_b, n_permutations=ALARM_PERMUTATIONS, rng=rng, progress=progress)
    if train is None:
        return []
    if max(compared.pvalue, train.pvalue) <= CKA_LEVEL:
        return swapped_by_map(rows, tick)
    figures = (
        f"debiased CKA of the train rows {signed(train.observed)}, p {train.pvalue:.3f}, and of the compared rows "
        f"{signed(compared.observed)}, p {compared.pvalue:.3f}"
    )
    if _linked_apart(compared, train):
        return [_notice("train_order", _train_words(figures))]
    if _linked_apart(train, compared) and neighbours.pvalue > CKA_LEVEL and not gap_is_clear:
        found = diagnose_pairing(*sides, best_in_b(counted), rng=rng, tick=tick)
        return [_notice("compared_order", _compared_words(figures, found))]
    return []


def _linked_apart(linked: PermutationNull, other: PermutationNull) -> bool:
    """True if one set of rows is linked within both models, the other is not, and that is no accident."""
    apart = linked.observed - other.observed > CLEARLY_APART * math.hypot(linked.sd, other.sd)
    return apart and linked.pvalue <= CKA_LEVEL < other.pvalue


def _train_words(figures: str) -> str:
    return (
        "Are the train rows of A and of B in the same order? Both models find the same compared rows alike, but not "
        f"the same train rows ({figures}), and the map fitted on them carries nothing. Train row i of A and train "
        "row i of B must be the same item."
    )


def _compared_words(figures: str, found: Pairing) -> str:
    return (
        "Are the compared rows of A and of B in the same order? Both models find the same train rows alike, but not "
        f"the same compared rows ({figures}). {_after_the_map(found)}"
    )


def _after_the_map(found: Pairing) -> str:
    if found.kind == "shifted":
        way = f"i {'+' if found.shift >= 0 else '−'} {abs(found.shift):,}"
        return (
            f"After the map the best row of B for row i of A is row {way} for {found.shift_votes:,} of {found.n:,} "
            "rows: they look shifted."
        )
    if found.kind == "permuted":
        return (
            f"After the map, of {found.asked:,} rows of A {found.mutual:,} and their best row of B name each other, "
            f"where {found.mutual_by_chance * found.asked:,.0f} unrelated ones would: they look out of order."
        )
    return "After the map no other order was found either: they may be of different items."


def _notice(code: str, text: str) -> Notice:
    return Notice(code=code, side="pair", text=text)
