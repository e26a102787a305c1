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

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.alarm import MapGain, map_gain
from core.alike_rows import PARTS_APART, STILL_ALIKE, FileOrder, moved_gaps, rows_apart, series_interval
from core.cka import cka_null, debiased_cka
from core.errors import Notice, Side
from core.evidence import evidence
from core.floor import derangements, exact_floor, permuted_floor
from core.formats.loaded import RealArray
from core.gap_values import GapValues, gap_values
from core.intervals import Interval, jackknife_interval
from core.limits import MAX_TRAIN_PAIRS, MAX_TWO_MODEL_PAIRS
from core.neighbours import NeighbourOverlap, neighbour_overlap
from core.partners_first import partners_lead, ranks_at_chance
from core.permutation_null import PermutationNull
from core.procrustes import OrthogonalMap, fit_map
from core.ranks import partner_ranks
from core.reading import Reading, take_reading
from core.rows import UnitRows
from core.sweep import RAW, Progress, ReadingSweep, make_ready, pairing_sums, sweep
from core.ticks import Tick, each, step_of
from core.train_carry import carry_notices
from core.train_order import order_notices
from core.train_split import TrainSplit, divide, refuse_mismatch
from core.train_swap import swapped_by_means
from core.train_words import GOOD_TRAIN_RATIO, contradiction, train_notices

__all__ = ["GOOD_TRAIN_RATIO", "N_DERANGEMENTS", "N_PERMUTATIONS", "TwoModels", "compare_models"]

#: Pairings of the reference format's floor.
N_DERANGEMENTS = 20

#: Shuffles of CKA and of the neighbour overlap.
N_PERMUTATIONS = 999

#: Standard errors by which the rows must do better without the map for that to be said.
SURE_ERRORS = 2.0

#: Standard errors by which the gap without the map must itself be above 0.
SURE_PLAIN_ERRORS = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModels:
    """What two models' rows say about each other.

    Attributes
    ----------
    dim_a, dim_b
        Columns of each side.
    n_given, n_used, n_compared, n_train
        Pairs given (not counting train files), those of them used at all (fewer where a
        bound bites), pairs the mapped reading is taken from, pairs the map was fitted on.
    split
        True if the train rows are half of the given pairs.
    rank
        Dimensions the map reaches.
    mapped
        The audit's reading of the compared rows after the map.
    mapped_gap
        Its gap with each pair left out.
    interval
        On that gap, conditional on the map.
    unmapped
        The same rows without the map, gap and error of the difference; `None` where the
        widths differ. Never evidence about the models: shown to see what the map did.
    cka
        Debiased linear CKA in [-1, 1] over all used pairs; `None` where undefined.
    cka_null
        Beside shuffled rows; on a seeded subset of large files.
    neighbours
        Mutual nearest-neighbour overlap over all used pairs.
    file_order
        Whether rows could stand in any order, neighbouring rows are alike on both sides, or rows far
        apart are too: then there is no interval and no null.
    rows_apart
        Rows of the file between those that are held against each other; 0 where rows could stand in any order.
    moved
        The gap after the map beside that of B moved along A; `None` unless neighbouring rows are alike.
    notices
        What is worth a word.
    """

    dim_a: int
    dim_b: int
    n_given: int
    n_used: int
    n_compared: int
    n_train: int
    split: bool
    rank: int
    mapped: Reading
    mapped_gap: GapValues
    interval: Interval
    unmapped: MapGain | None
    cka: float | None
    cka_null: PermutationNull | None
    neighbours: NeighbourOverlap
    file_order: FileOrder
    rows_apart: int
    moved: PermutationNull | None
    notices: tuple[Notice, ...]


def compare_models(
    a: RealArray,
    b: RealArray,
    train_a: RealArray | None = None,
    train_b: RealArray | None = None,
    *,
    rng: np.random.Generator,
    n_derangements: int = N_DERANGEMENTS,
    n_permutations: int = N_PERMUTATIONS,
    max_pairs: int = MAX_TWO_MODEL_PAIRS,
    max_train: int = MAX_TRAIN_PAIRS,
    names: Mapping[Side, str] | None = None,
    numbers: NDArray[np.intp] | None = None,
    labels: NDArray[np.int64] | None = None,
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
        Draws, in this order: the subsets if `max_pairs` and `max_train` bite, the halves if
        there are no train rows, the derangements, the shuffles, what `core.train_order` draws, and `core.train_carry`.
    names : mapping, optional
        What to call the file of each side in a refusal.
    numbers : (n,) intp, optional
        The row of the files that each pair is (`core.kept_rows`); as they stand by default.
    labels : (n,) int64, optional
        Group of each pair: kept in one half, left out of the interval whole, and one pair of each taken within
        the models.
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
    refuse_mismatch(a, b, train_a, train_b, names or {})
    n_all, n_train_all = len(a), 0 if train_a is None else len(train_a)
    kept = np.arange(n_all, dtype=np.intp) if numbers is None else numbers
    every = np.arange(n_all) if labels is None else labels
    a, b, kept, every = _at_most(max_pairs, (a, b, kept, every), rng)
    if train_a is not None and train_b is not None:
        train_a, train_b = _at_most(max_train, (train_a, train_b), rng)
    tick = step_of(progress, 0, 1, "Fitting the map")
    rows = divide(a, b, train_a, train_b, rng, tick, numbers=kept, labels=None if labels is None else every)
    fitted = fit_map(rows.train_a, rows.train_b, tick)
    side_a, side_b = fitted.mapped(rows.a, rows.b, tick)
    pairings = list(each(derangements(len(rows.a), n_derangements, rng), tick))
    mapped, scores = _reading(side_a, side_b, pairings, rows.numbers, progress, tick)
    tick = step_of(progress, 0, n_permutations, "Shuffling CKA")
    mapped_gap = gap_values(side_a, side_b, tick)
    interval, moved = _interval(rows, mapped_gap, side_a, side_b, tick)
    cka_value, cka, near = _within(rows, n_permutations, rng, progress)
    doubts = _doubts(rows, (side_a, side_b), (mapped, scores), interval, (cka, near.null), rng, progress)
    tick = step_of(progress, 0, 1, "Comparing without the map")
    unmapped = map_gain(fitted, rows.a, rows.b, tick) if a.shape[1] == b.shape[1] else None
    words = _words(rows, fitted, interval, (cka, near.null), doubts or _map_notices(unmapped, fitted, rows, rng, tick))
    step_of(progress, 1, 1, "Comparing without the map")()
    return TwoModels(
        dim_a=a.shape[1],
        dim_b=b.shape[1],
        n_given=n_all,
        n_used=len(a),
        n_compared=len(rows.a),
        n_train=fitted.n_train,
        split=rows.split,
        rank=fitted.left.shape[1],
        mapped=mapped,
        mapped_gap=mapped_gap,
        interval=interval,
        unmapped=unmapped,
        cka=cka_value,
        cka_null=cka,
        neighbours=near,
        file_order=rows.file_order,
        rows_apart=0 if rows.file_order == "any" else rows_apart(len(rows.within_a)),
        moved=moved,
        notices=(*_cuts(n_all, len(a), n_train_all, fitted.n_train), *words),
    )


def _words(
    rows: TrainSplit,
    fitted: OrthogonalMap,
    interval: Interval,
    nulls: tuple[PermutationNull | None, PermutationNull | None],
    others: list[Notice],
) -> tuple[Notice, ...]:
    """What is worth a word: about the train rows, a map that the geometries contradict, and the others."""
    contradicted = contradiction(rows, interval, *nulls)
    is_found = not contradicted and interval.low is not None and interval.low > 0
    return (*train_notices(fitted, rows, found=is_found), *contradicted, *others)


def _interval(
    rows: TrainSplit, gap: GapValues, a: UnitRows, b: UnitRows, tick: Tick
) -> tuple[Interval, PermutationNull | None]:
    """Interval of the gap after the map, and beside moved rows where neighbouring ones are alike."""
    if rows.file_order == "drifting":
        return Interval(estimate=gap.gap, error=None, low=None, high=None, reason=STILL_ALIKE), None
    if rows.file_order == "alike":
        moved = moved_gaps(a, b, tick)
        return series_interval(gap, moved), moved
    return jackknife_interval(gap.gap, _left_out(gap, rows.groups), bounds=(-2.0, 2.0)), None


def _within(
    rows: TrainSplit, n_permutations: int, rng: np.random.Generator, progress: Progress | None
) -> tuple[float | None, PermutationNull | None, NeighbourOverlap]:
    """CKA, its null, and the neighbours, from rows of which no two are one item."""
    a, b, alike = rows.within_a, rows.within_b, rows.file_order != "any"
    cka = cka_null(a, b, n_permutations=n_permutations, rng=rng, apart=PARTS_APART if alike else 0.0, progress=progress)
    apart = rows_apart(len(a)) if alike else 0
    near = neighbour_overlap(a, b, n_permutations=n_permutations, rng=rng, apart=apart, progress=progress)
    if not alike:
        return debiased_cka(a, b, tick=step_of(progress, 0, 1, "Comparing without the map")), cka, near
    value = None if cka is None else cka.observed
    if rows.file_order == "drifting":
        return value, None, replace(near, null=None)
    return value, cka, near


def _at_most(most: int, alike: tuple[RealArray, ...], rng: np.random.Generator) -> tuple[RealArray, ...]:
    """The pairs themselves, or so many of them drawn at random, in file order; all arrays alike."""
    n = len(alike[0])
    if n <= most:
        return alike
    chosen = np.sort(rng.choice(n, size=most, replace=False))
    return tuple(rows[chosen] for rows in alike)


def _reading(
    a: UnitRows,
    b: UnitRows,
    pairings: list[NDArray[np.int64]],
    numbers: NDArray[np.intp] | None,
    progress: Progress | None,
    tick: Tick,
) -> tuple[Reading, ReadingSweep]:
    """The audit's reading of rows that are in one space already, and the pass that it is from."""
    sides = make_ready(a.stored, b.stored, a.mean_row(tick).mean, b.mean_row(tick).mean, progress=progress)
    floor, n = sides.floors[RAW], sides.shape[0]
    sums, squares = pairing_sums(sides, pairings, progress=progress)
    scores = sweep(sides, progress=progress).raw
    ranks = (
        partner_ranks(scores.better_a_to_b, scores.tied_a_to_b, n_candidates=n),
        partner_ranks(scores.better_b_to_a, scores.tied_b_to_a, n_candidates=n),
    )
    reading = take_reading(
        scores,
        exact_floor(floor, scores.sum_about, scores.squares_about, scores.n_unrelated),
        permuted_floor(floor, sums[RAW], squares[RAW], n),
        ranks,
        evidence(scores, None, None, ranks),  # the gap's interval is `mapped_gap`, conditional on the map
        numbers=numbers,
    )
    return reading, scores


def _doubts(
    rows: TrainSplit,
    sides: tuple[UnitRows, UnitRows],
    after: tuple[Reading, ReadingSweep],
    interval: Interval,
    nulls: tuple[PermutationNull | None, PermutationNull | None],
    rng: np.random.Generator,
    progress: Progress | None,
) -> list[Notice]:
    """What speaks against the train files, or the order of rows."""
    mapped, scores = after
    compared, neighbours = nulls
    swapped = swapped_by_means(rows, step_of(progress, 0, 1, "Asking for the order of rows"))
    if swapped or not ranks_at_chance(mapped):
        return swapped
    clear = interval.low is not None and interval.low > 0
    return order_notices(
        rows, sides, scores, compared, neighbours=neighbours, gap_is_clear=clear, rng=rng, progress=progress
    )


def _left_out(gap: GapValues, groups: NDArray[np.intp] | None) -> NDArray[np.float64]:
    """The gap without each pair, or without each group: a group moves it by what its pairs do together."""
    if groups is None:
        return gap.delete_one
    _, place = np.unique(groups, return_inverse=True)
    return np.asarray(gap.gap + np.bincount(place, weights=gap.delete_one - gap.gap), dtype=np.float64)


def _cuts(n_all: int, n_used: int, n_train_all: int, n_train: int) -> list[Notice]:
    """That a bound has bitten."""
    said = []
    if n_used < n_all:
        text = f"{n_used:,} of {n_all:,} pairs, drawn with the seed, are used: more would take too long."
        said.append(_pair("subset_of_pairs", text))
    if n_train < n_train_all:
        text = f"{n_train:,} of {n_train_all:,} train pairs, drawn with the seed, train the map: more would add little."
        said.append(_pair("subset_of_train_pairs", text))
    return said


def _map_notices(
    unmapped: MapGain | None, fitted: OrthogonalMap, rows: TrainSplit, rng: np.random.Generator, tick: Tick
) -> list[Notice]:
    """That the rows do better as they are, or else under a map of their own."""
    return _one_space(unmapped, fitted, rows) or carry_notices(rows, fitted, rng, tick)


def _one_space(unmapped: MapGain | None, fitted: OrthogonalMap, rows: TrainSplit) -> list[Notice]:
    """That the rows do better as they are: then they are of one space."""
    if unmapped is None or not _clearly_one_space(unmapped):
        return []
    # Two models' axes are a fixed turn of each other, which gives gaps far from 0 at ranks of chance.
    if not partners_lead(UnitRows(rows.a, fitted.mean_a), UnitRows(rows.b, fitted.mean_b)):
        return []
    text = (
        f"Without the map the same rows have the larger gap ({unmapped.plain:.4f} against {unmapped.mapped:.4f}): "
        "they look like rows of one space already. If both files come from one model, read the plain audit instead."
    )
    return [_pair("map_loses", text)]


def _clearly_one_space(unmapped: MapGain) -> bool:
    """True if the map loses, and what it loses is a gap that was there, not one that it turned around."""
    loses = -unmapped.gain > SURE_ERRORS * unmapped.error
    return loses and unmapped.plain > max(SURE_PLAIN_ERRORS * unmapped.plain_error, -unmapped.mapped)


def _pair(code: str, text: str) -> Notice:
    return Notice(code=code, side="pair", text=text)
