"""Which pairs train the map between two models, and which are compared.

What a map scores on the rows it was fitted on is no evidence, so no pair may be on both
sides of this line: given train pairs that stand among the compared ones are refused, and
where the pairs are split in halves, those that repeat a train pair are left out. Rows that are
nearly train rows (`core.near_copies`) stand in one half where that leaves enough groups, and are
counted where it does not, or where train rows are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.alike_rows import FileOrder, file_order, parts_of_file
from core.cka import MIN_CKA_ROWS
from core.errors import PairingError, Side
from core.formats.loaded import RealArray
from core.limits import MIN_PAIRS
from core.near_copies import are_many, near_copies, near_groups
from core.near_rows import chains
from core.procrustes import MIN_TRAIN_ROWS, half_split
from core.prose import agreed, counted
from core.same_items import item_groups, seen_pairs, seen_rows
from core.ticks import Tick, no_tick

__all__ = ["GroupedBy", "TrainSplit", "divide", "named_rows", "refuse_mismatch"]

#: What makes pairs one group: a row that repeats, near copies as well, or ids that were given.
GroupedBy = Literal["rows", "near copies", "ids", "ids and near copies"]

#: A group of near copies larger than this, or than a tenth of the pairs, is a region of the space, not an item.
LARGEST_NEAR_GROUP, LARGEST_NEAR_SHARE = 10, 0.1

#: Rows shared by train and compared pairs that a message names.
ROWS_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainSplit:
    """Which rows train the map and which are compared.

    Attributes
    ----------
    train_a, train_b
        (m, d_a), (m, d_b) paired rows for the means and the map.
    a, b
        (n, d_a), (n, d_b) paired rows that every figure after the map is from.
    split
        True if both are halves of the same pairs.
    n_sharing, n_groups
        Pairs that share a row with another pair and so stand in one half with it, and the
        groups of pairs without a shared row that the halves were drawn from; 0 if none do.
    grouped_by
        What makes them share one.
    groups
        (n,) group of each compared pair; `None` if none of the pairs share a row.
    file_order
        Whether rows could stand in any order. Where neighbouring rows are alike, one pair of each
        group is used at all, and halves are two parts of the file.
    seen_a, seen_b
        Numbers of given rows of A, and of B, that stand among its train rows with another partner.
    near_a, near_b
        Numbers of other compared rows of A, and of B, that have a near copy among its train rows.
    within_a, within_b
        Rows that measures within each model are taken from: one pair of each group.
    numbers
        (n,) the row of the files that each compared pair is; `None` where nobody said.
    """

    train_a: RealArray
    train_b: RealArray
    a: RealArray
    b: RealArray
    split: bool
    n_sharing: int = 0
    n_groups: int = 0
    grouped_by: GroupedBy = "rows"
    groups: NDArray[np.intp] | None = None
    file_order: FileOrder = "any"
    seen_a: tuple[int, ...] = ()
    seen_b: tuple[int, ...] = ()
    near_a: tuple[int, ...] = ()
    near_b: tuple[int, ...] = ()
    numbers: NDArray[np.intp] | None = None
    within_a: RealArray
    within_b: RealArray

    @property
    def many_near(self) -> bool:
        """True if near copies among the train rows show in the figures after the map."""
        return are_many(max(len(self.near_a), len(self.near_b)), len(self.a))


def refuse_mismatch(
    a: RealArray, b: RealArray, train_a: RealArray | None, train_b: RealArray | None, names: Mapping[Side, str]
) -> None:
    """Refuse rows that cannot be compared or trained on.

    Parameters
    ----------
    a, b, train_a, train_b : (n, d_a), (n, d_b), (m, d_a), (m, d_b) real arrays
        As for `core.spaces.compare_models`.
    names : mapping
        What to call the file of each side; may be empty.

    Raises
    ------
    PairingError
        Unequal counts or widths, too few pairs, or one train file without the other.
    """
    side_a, side_b = _called("A", "a", names), _called("B", "b", names)
    if len(a) != len(b):
        raise PairingError(
            f"{side_a} has {counted(len(a), 'row')} and {side_b} has {len(b):,}; row i of one belongs with row i of "
            f"the other, "
            "so the counts must match",
            remedy="Encode the same list of items with both models",
        )
    if (train_a is None) != (train_b is None):
        given = _called("A", "train_a", names) if train_b is None else _called("B", "train_b", names)
        missing = "B" if train_b is None else "A"
        raise PairingError(
            f"there are train rows for {given} but none for {missing}; a map needs pairs",
            remedy="Give both sides the same items as train rows, or neither: then half of the pairs train the map",
        )
    if train_a is not None and train_b is not None:
        _check_train(a, train_a, _called("A", "train_a", names))
        _check_train(b, train_b, _called("B", "train_b", names))
        if len(train_a) != len(train_b):
            raise PairingError(
                f"the train rows of {_called('A', 'train_a', names)} are {len(train_a):,} and those of "
                f"{_called('B', 'train_b', names)} {len(train_b):,}; row i of one belongs with row i of the other, "
                "so the counts must match",
                remedy="Give both sides the rows of the same items, in the same order",
            )
    needed = MIN_PAIRS + 1 if train_a is not None else 2 * max(MIN_TRAIN_ROWS, MIN_PAIRS) + 1
    if len(a) < needed:
        raise PairingError(
            f"there {agreed(len(a), 'is', 'are')} {counted(len(a), 'pair')}, and two models need at least {needed} "
            + ("beside the train rows" if train_a is not None else "to be split into a train and a compared half"),
            remedy="Bring more pairs",
        )


def _check_train(rows: RealArray, train: RealArray, side: str) -> None:
    if train.shape[1] != rows.shape[1]:
        raise PairingError(
            f"the train rows of {side} have {counted(train.shape[1], 'column')} and the compared rows "
            f"{rows.shape[1]:,}; both must come from the same model",
            remedy=f"Encode the train items of {side[0]} with the model of {side[0]}",
        )


def _called(letter: str, side: Side, names: Mapping[Side, str]) -> str:
    """A side as a sentence names it, with its file where that is known."""
    return f"{letter} ({names[side]})" if side in names else letter


def divide(
    a: RealArray,
    b: RealArray,
    train_a: RealArray | None,
    train_b: RealArray | None,
    rng: np.random.Generator,
    tick: Tick = no_tick,
    *,
    numbers: NDArray[np.intp] | None = None,
    labels: NDArray[np.int64] | None = None,
) -> TrainSplit:
    """Say which rows train the map: the train rows, or half of the pairs drawn from `rng`.

    Parameters
    ----------
    a, b, train_a, train_b : (n, d_a), (n, d_b), (m, d_a), (m, d_b) real arrays
        Rows that `refuse_mismatch` has let through.
    rng : Generator
        For the halves.
    tick : callable
        Called between blocks.
    numbers : (n,) intp, optional
        The row of the files that each pair is; as they stand by default.
    labels : (n,) int64, optional
        Group of each pair, where ids were given; pairs that share a row are one group all the same.

    Raises
    ------
    PairingError
        Compared pairs stand among the given train pairs, or too few pairs are left.

    Notes
    -----
    Time O(n m d) for near copies of train rows, and O(n^2 d) where halves must be drawn again.
    """
    numbers = np.arange(len(a), dtype=np.intp) if numbers is None else numbers
    if train_a is not None and train_b is not None:
        _no_shared_pair(a, b, train_a, train_b, numbers, tick)
    pairs = _Pairs(a=a, b=b, train_a=train_a, train_b=train_b, numbers=numbers)
    groups = item_groups(a, b, tick)
    if labels is not None:
        first = np.unique(labels, return_index=True)[1]
        same = np.unique(groups, return_index=True)[1]
        every = np.arange(len(a))
        groups = chains(len(a), np.concatenate([every, every]), np.concatenate([first[labels], same[groups]]))
    drawn = _with_near(_drawn(pairs, groups, rng, tick, by="rows" if labels is None else "ids"), tick)
    if not drawn.split or drawn.file_order != "any" or not drawn.many_near:
        return drawn
    wider = near_groups(a, b, groups, tick)
    if not _are_items(wider):
        return drawn
    return _with_near(
        _drawn(pairs, wider, rng, tick, by="near copies" if labels is None else "ids and near copies"), tick
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pairs:
    """Given pairs and train pairs, as for `divide`."""

    a: RealArray
    b: RealArray
    train_a: RealArray | None
    train_b: RealArray | None
    numbers: NDArray[np.intp]


def _are_items(groups: NDArray[np.intp]) -> bool:
    """True if groups of near copies are small, and enough of them to be split."""
    sizes = np.bincount(groups)
    small = int(sizes.max()) <= max(LARGEST_NEAR_GROUP, LARGEST_NEAR_SHARE * len(groups))
    return small and len(sizes) >= MIN_TRAIN_ROWS + MIN_PAIRS + 1


def _drawn(
    pairs: _Pairs, groups: NDArray[np.intp], rng: np.random.Generator, tick: Tick, *, by: GroupedBy
) -> TrainSplit:
    """The train rows, or halves that keep groups whole; or two parts of a file whose neighbours are alike."""
    a, b, train_a, train_b, numbers = pairs.a, pairs.b, pairs.train_a, pairs.train_b, pairs.numbers
    given = train_a is not None and train_b is not None
    sizes, first = np.bincount(groups), np.unique(groups, return_index=True)[1]
    repeated = len(sizes) < len(a)
    if repeated:
        _refuse_few_groups(groups, sizes, MIN_CKA_ROWS if given else MIN_TRAIN_ROWS + MIN_PAIRS + 1, given=given, by=by)
    ones = np.sort(first)
    within_a, within_b = (a[ones], b[ones]) if repeated else (a, b)
    order = file_order(within_a, within_b, tick)
    if order != "any":
        a, b = within_a, within_b
        numbers = numbers[ones] if repeated else numbers
    if given:
        train, compared = np.empty(0, dtype=np.intp), np.arange(len(a))
    elif order != "any":
        train, compared = parts_of_file(len(a))
    elif repeated:
        train, compared = _halves_of_groups(groups, sizes, rng)
    else:
        train, compared = half_split(len(a), rng)
    return TrainSplit(
        train_a=a[train] if train_a is None else train_a,
        train_b=b[train] if train_b is None else train_b,
        a=a if given else a[compared],
        b=b if given else b[compared],
        split=not given,
        n_sharing=int(sizes[sizes > 1].sum()),
        n_groups=len(sizes) if repeated else 0,
        grouped_by=by,
        groups=groups[compared] if repeated and order == "any" else None,
        file_order=order,
        within_a=within_a,
        within_b=within_b,
        numbers=numbers[compared],
    )


def _with_near(rows: TrainSplit, tick: Tick) -> TrainSplit:
    """The same with the compared rows that stand among the train rows, exactly or nearly."""
    numbers = np.arange(len(rows.a)) if rows.numbers is None else rows.numbers
    found = []
    for compared, train in ((rows.a, rows.train_a), (rows.b, rows.train_b)):
        seen = [] if rows.split else seen_rows(compared, train, tick)
        near = np.setdiff1d(near_copies(compared, train, tick), seen)
        found.append((tuple(numbers[seen].tolist()), tuple(numbers[near].tolist())))
    (seen_a, near_a), (seen_b, near_b) = found
    return replace(rows, seen_a=seen_a, seen_b=seen_b, near_a=near_a, near_b=near_b)


def _refuse_few_groups(
    groups: NDArray[np.intp], sizes: NDArray[np.intp], needed: int, *, given: bool, by: GroupedBy
) -> None:
    if len(sizes) >= needed:
        return
    what = "compared" if given else "split into a train and a compared half"
    shared, one = ("an id, or a row of A or of B", "one") if by.startswith("ids") else ("a row of A or of B", "row")
    raise PairingError(
        f"many of the {len(groups):,} pairs share {shared}, and only {counted(len(sizes), 'group')} of pairs without a "
        f"shared {one} {agreed(len(sizes), 'is', 'are')} left: "
        f"too few to be {what}",
        remedy="Bring pairs of different items"
        if given
        else "Give train rows of other items, or bring pairs of different items",
    )


def _halves_of_groups(
    groups: NDArray[np.intp], sizes: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Whole groups in random order for the train rows, until about half of the pairs are in."""
    order = rng.permutation(len(sizes))
    in_train = np.cumsum(sizes[order])
    cuts = np.arange(MIN_TRAIN_ROWS, len(sizes) - MIN_PAIRS)  # groups in train; more than MIN_PAIRS are left
    cut = cuts[np.argmin(np.abs(in_train[cuts - 1] - len(groups) // 2))]
    trains = np.isin(groups, order[:cut])
    return np.flatnonzero(trains), np.flatnonzero(~trains)


def named_rows(rows: Sequence[int]) -> str:
    """The first of some row numbers, for a message."""
    return ", ".join(f"{row:,}" for row in rows[:ROWS_NAMED]) + (", …" if len(rows) > ROWS_NAMED else "")


def _no_shared_pair(
    a: RealArray, b: RealArray, train_a: RealArray, train_b: RealArray, numbers: NDArray[np.intp], tick: Tick
) -> None:
    """Refuse pairs that the map has already seen: what they score is no evidence."""
    shared = seen_pairs(a, b, train_a, train_b, tick)
    if shared:
        named = named_rows(numbers[shared].tolist())
        raise PairingError(
            f"{len(shared):,} of {len(a):,} compared pairs also {agreed(len(shared), 'stands', 'stand')} among the "
            f"train pairs: row {named} "
            "(counting from 0), in the same or another precision or scale; what a map scores on the rows it was "
            "fitted on is no evidence",
            remedy="Train on other items, or give no train rows: then half of the pairs train the map",
        )
