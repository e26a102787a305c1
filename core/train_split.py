"""Which pairs train the map between two models, and which are compared.

What a map scores on the rows it was fitted on is no evidence, so no pair may be on both
sides of this line: given train pairs that stand among the compared ones are refused, and
where the pairs are split in halves, those that repeat a train pair are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alike_rows import FileOrder, file_order, parts_of_file
from core.cka import MIN_CKA_ROWS
from core.errors import PairingError, Side
from core.formats.loaded import RealArray
from core.limits import MIN_PAIRS
from core.procrustes import MIN_TRAIN_ROWS, half_split
from core.prose import agreed, counted
from core.same_items import item_groups, seen_pairs, seen_rows
from core.ticks import Tick, no_tick

__all__ = ["TrainSplit", "divide", "named_rows", "refuse_mismatch"]

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
    groups
        (n,) group of each compared pair; `None` if none of the pairs share a row.
    file_order
        Whether rows could stand in any order. Where neighbouring rows are alike, one pair of each
        group is used at all, and halves are two parts of the file.
    seen_a, seen_b
        Numbers of given rows of A, and of B, that stand among its train rows with another partner.
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
    groups: NDArray[np.intp] | None = None
    file_order: FileOrder = "any"
    seen_a: tuple[int, ...] = ()
    seen_b: tuple[int, ...] = ()
    numbers: NDArray[np.intp] | None = None
    within_a: RealArray
    within_b: RealArray


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

    Raises
    ------
    PairingError
        Compared pairs stand among the given train pairs, or too few pairs are left.
    """
    given = train_a is not None and train_b is not None
    numbers = np.arange(len(a), dtype=np.intp) if numbers is None else numbers
    if train_a is not None and train_b is not None:
        _no_shared_pair(a, b, train_a, train_b, numbers, tick)
    seen_a, seen_b = (
        () if train is None else tuple(numbers[seen_rows(rows, train, tick)].tolist())
        for rows, train in ((a, train_a), (b, train_b))
    )
    groups = item_groups(a, b, tick)
    sizes, first = np.bincount(groups), np.unique(groups, return_index=True)[1]
    repeated = len(sizes) < len(a)
    if repeated:
        _refuse_few_groups(groups, sizes, MIN_CKA_ROWS if given else MIN_TRAIN_ROWS + MIN_PAIRS + 1, given=given)
    ones = np.sort(first)
    within_a, within_b = (a[ones], b[ones]) if repeated else (a, b)
    order = file_order(within_a, within_b, tick)
    if order != "any":
        a, b = within_a, within_b
        numbers = numbers[ones] if repeated else numbers
    if train_a is not None and train_b is not None:
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
        groups=groups[compared] if repeated and order == "any" else None,
        file_order=order,
        seen_a=seen_a,
        seen_b=seen_b,
        within_a=within_a,
        within_b=within_b,
        numbers=numbers[compared],
    )


def _refuse_few_groups(groups: NDArray[np.intp], sizes: NDArray[np.intp], needed: int, *, given: bool) -> None:
    if len(sizes) >= needed:
        return
    what = "compared" if given else "split into a train and a compared half"
    raise PairingError(
        f"many of the {len(groups):,} pairs share a row of A or of B, and only "
        f"{counted(len(sizes), 'group')} of pairs without a shared row {agreed(len(sizes), 'is', 'are')} left: "
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
