"""Two models: do the rows of A and B belong together although their spaces differ?

A cosine between rows of two models says nothing: their coordinates are unrelated. What
can be read is (1) the audit after an orthogonal map fitted on paired *train* rows, every
statistic from the compared rows; and, with no map at all, (2) debiased CKA and (3) the
overlap of nearest neighbours, each beside its permutation null.

Where no train rows are given, half of the pairs, drawn with the seed, train the map and
the other half is compared. Train-row cosines are not part of the result: they are high
for unrelated data as well.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alarm import MapGain, map_gain
from core.cka import cka_null, debiased_cka
from core.errors import Notice, PairingError
from core.evidence import evidence
from core.floor import derangements, exact_floor, permuted_floor
from core.formats.loaded import RealArray
from core.gap_values import GapValues, gap_values
from core.limits import MAX_TWO_MODEL_PAIRS, MIN_PAIRS
from core.neighbours import NeighbourOverlap, neighbour_overlap
from core.permutation_null import PermutationNull
from core.procrustes import MIN_TRAIN_ROWS, OrthogonalMap, fit_map, half_split
from core.ranks import partner_ranks
from core.reading import Reading, take_reading
from core.rows import UnitRows
from core.sweep import RAW, Progress, make_ready, pairing_sums, sweep

__all__ = ["TwoModels", "compare_models"]

#: Train rows, in multiples of the wider side's columns, from which a map is about as good
#: as it gets: on related spaces the compared cosine reaches 95 % of its limit there.
GOOD_TRAIN_RATIO = 2

#: Shuffles of CKA and of the neighbour overlap.
N_PERMUTATIONS = 999

#: Rows shared by train and compared pairs that a message names.
ROWS_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModels:
    """What two models' rows say about each other.

    Attributes
    ----------
    dim_a, dim_b
        Columns of each side.
    n_given, n_compared, n_train
        Pairs given (not counting train files), pairs the mapped reading is taken from,
        pairs the map was fitted on.
    split
        True if the train rows are half of the given pairs.
    rank
        Dimensions the map reaches.
    mapped
        The audit's reading of the compared rows after the map.
    mapped_gap
        Its gap with each pair left out; the interval is conditional on the map.
    unmapped
        The same rows without the map, gap and error of the difference; `None` where the
        widths differ. Never evidence about the models: shown to see what the map did.
    cka
        Debiased linear CKA in [-1, 1] over all given pairs; `None` where undefined.
    cka_null
        Beside shuffled rows; on a seeded subset of large files.
    neighbours
        Mutual nearest-neighbour overlap over all given pairs.
    notices
        What is worth a word.
    """

    dim_a: int
    dim_b: int
    n_given: int
    n_compared: int
    n_train: int
    split: bool
    rank: int
    mapped: Reading
    mapped_gap: GapValues
    unmapped: MapGain | None
    cka: float | None
    cka_null: PermutationNull | None
    neighbours: NeighbourOverlap
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Which rows train the map and which are compared."""

    train_a: RealArray
    train_b: RealArray
    a: RealArray
    b: RealArray
    split: bool


def compare_models(
    a: RealArray,
    b: RealArray,
    train_a: RealArray | None = None,
    train_b: RealArray | None = None,
    *,
    rng: np.random.Generator,
    n_derangements: int = 20,
    n_permutations: int = N_PERMUTATIONS,
    max_pairs: int = MAX_TWO_MODEL_PAIRS,
    progress: Progress | None = None,
) -> TwoModels:
    """Compare the rows of two models.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        Stored rows, finite and not zero; row i of one belongs with row i of the other.
        The widths may differ.
    train_a, train_b : (m, d_a), (m, d_b) real arrays, optional
        Paired rows of *other* items, to fit the means and the map on. Both or neither.
    rng : Generator
        Draws, in this order: the subset if `max_pairs` bites, the halves if there are no
        train rows, the derangements, the shuffles.
    progress : callable, optional
        Called with (done, total, message); raise `Cancelled` to stop.

    Raises
    ------
    PairingError
        Unequal counts or widths, too few pairs, one train file without the other, or
        compared pairs that also stand among the train pairs.

    Notes
    -----
    Time O(n^2 d) for the reading and the neighbours; memory O(n d) in float64.
    """
    _check(a, b, train_a, train_b)
    n_all = len(a)
    if n_all > max_pairs:
        chosen = np.sort(rng.choice(n_all, size=max_pairs, replace=False))
        a, b = a[chosen], b[chosen]
    rows = _divide(a, b, train_a, train_b, rng)
    fitted = fit_map(rows.train_a, rows.train_b)
    side_a, side_b = fitted.mapped(rows.a, rows.b)
    pairings = list(derangements(len(rows.a), n_derangements, rng))
    mapped = _reading(side_a, side_b, pairings, progress)
    return TwoModels(
        dim_a=a.shape[1],
        dim_b=b.shape[1],
        n_given=n_all,
        n_compared=len(rows.a),
        n_train=fitted.n_train,
        split=rows.split,
        rank=fitted.left.shape[1],
        mapped=mapped,
        mapped_gap=gap_values(side_a, side_b),
        unmapped=map_gain(fitted, rows.a, rows.b) if a.shape[1] == b.shape[1] else None,
        cka=debiased_cka(a, b),
        cka_null=cka_null(a, b, n_permutations=n_permutations, rng=rng),
        neighbours=neighbour_overlap(a, b, n_permutations=n_permutations, rng=rng),
        notices=_notices(fitted, rows, n_all, len(a)),
    )


def _reading(a: UnitRows, b: UnitRows, pairings: list[NDArray[np.int64]], progress: Progress | None) -> Reading:
    """The audit's reading of rows that are in one space already."""
    sides = make_ready(a.stored, b.stored, a.mean_row().mean, b.mean_row().mean, progress=progress)
    floor, n = sides.floors[RAW], sides.shape[0]
    sums, squares = pairing_sums(sides, pairings, progress=progress)
    counted = sweep(sides, progress=progress).raw
    ranks = (
        partner_ranks(counted.better_a_to_b, counted.tied_a_to_b, n_candidates=n),
        partner_ranks(counted.better_b_to_a, counted.tied_b_to_a, n_candidates=n),
    )
    return take_reading(
        counted,
        exact_floor(floor, counted.sum_about, counted.squares_about, counted.n_unrelated),
        permuted_floor(floor, sums[RAW], squares[RAW], n),
        ranks,
        evidence(counted, None, None, ranks),  # the gap's interval is `mapped_gap`, conditional on the map
    )


def _check(a: RealArray, b: RealArray, train_a: RealArray | None, train_b: RealArray | None) -> None:
    """Refuse rows that cannot be compared or trained on."""
    if len(a) != len(b):
        raise PairingError(
            f"A has {len(a):,} rows and B has {len(b):,}; row i of one belongs with row i of the other, "
            "so the counts must match",
            remedy="encode the same list of items with both models",
        )
    if (train_a is None) != (train_b is None):
        given, missing = ("A", "B") if train_b is None else ("B", "A")
        raise PairingError(
            f"there are train rows for {given} but none for {missing}; a map needs pairs",
            remedy="give both sides the same items as train rows, or neither: then half of the pairs train the map",
        )
    for side, rows, train in (("A", a, train_a), ("B", b, train_b)):
        if train is not None and train.shape[1] != rows.shape[1]:
            raise PairingError(
                f"the train rows of {side} have {train.shape[1]:,} columns and the compared rows "
                f"{rows.shape[1]:,}; both must come from the same model",
                remedy=f"encode the train items of {side} with the model of {side}",
            )
    needed = MIN_PAIRS + 1 if train_a is not None else 2 * MIN_TRAIN_ROWS
    if len(a) < needed:
        raise PairingError(
            f"there are {len(a)} pairs, and two models need at least {needed} "
            + ("beside the train rows" if train_a is not None else "to be split into a train and a compared half"),
            remedy="bring more pairs",
        )


def _divide(
    a: RealArray, b: RealArray, train_a: RealArray | None, train_b: RealArray | None, rng: np.random.Generator
) -> _Rows:
    if train_a is not None and train_b is not None:
        _no_shared_pair(a, b, train_a, train_b)
        return _Rows(train_a=train_a, train_b=train_b, a=a, b=b, split=False)
    train, compared = half_split(len(a), rng)
    return _Rows(train_a=a[train], train_b=b[train], a=a[compared], b=b[compared], split=True)


def _no_shared_pair(a: RealArray, b: RealArray, train_a: RealArray, train_b: RealArray) -> None:
    """Refuse pairs that the map has already seen: what they score is no evidence."""
    seen = set(_pair_digests(train_a, train_b)) if len(train_a) == len(train_b) else set()
    shared = [row for row, digest in enumerate(_pair_digests(a, b)) if digest in seen]
    if shared:
        named = ", ".join(f"{row:,}" for row in shared[:ROWS_NAMED]) + (", …" if len(shared) > ROWS_NAMED else "")
        raise PairingError(
            f"{len(shared):,} of {len(a):,} compared pairs also stand among the train pairs: row {named} "
            "(counting from 0); what a map scores on the rows it was fitted on is no evidence",
            remedy="train on other items, or give no train rows: then half of the pairs train the map",
        )


def _pair_digests(a: RealArray, b: RealArray) -> list[bytes]:
    return [
        hashlib.blake2b(np.asarray(x, np.float64).tobytes() + np.asarray(y, np.float64).tobytes()).digest()
        for x, y in zip(a, b, strict=True)
    ]


def _notices(fitted: OrthogonalMap, rows: _Rows, n_all: int, n_used: int) -> tuple[Notice, ...]:
    said = []
    if n_used < n_all:
        said.append(
            _pair(
                "subset_of_pairs",
                f"{n_used:,} of {n_all:,} pairs, drawn with the seed, are used: more would take too long.",
            )
        )
    if rows.split:
        said.append(
            _pair(
                "split_in_halves",
                f"No train rows were given: half of the pairs ({fitted.n_train:,}), drawn with the seed, train the "
                f"map, and every figure after the map is from the other {len(rows.a):,}.",
            )
        )
    if fitted.n_train < fitted.width:
        said.append(
            _pair(
                "few_train_rows",
                f"{fitted.n_train:,} train pairs for {fitted.width:,} columns: the map knows only part of the space, "
                f"so what the compared rows score is too low. {GOOD_TRAIN_RATIO * fitted.width:,} or more are good.",
            )
        )
    elif fitted.n_train < GOOD_TRAIN_RATIO * fitted.width:
        said.append(
            _pair(
                "few_train_rows",
                f"{fitted.n_train:,} train pairs for {fitted.width:,} columns: the map is rough, and the compared "
                f"rows score somewhat too low. {GOOD_TRAIN_RATIO * fitted.width:,} or more are good.",
            )
        )
    return tuple(said)


def _pair(code: str, text: str) -> Notice:
    return Notice(code=code, side="pair", text=text)
