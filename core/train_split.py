"""Which pairs train the map between two models, and which are compared.

What a map scores on the rows it was fitted on is no evidence, so no pair may be on both
sides of this line: given train pairs that stand among the compared ones are refused, and
where the pairs are split in halves, those that repeat a train pair are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import PairingError, Side
from core.formats.loaded import RealArray
from core.limits import MIN_PAIRS
from core.procrustes import MIN_TRAIN_ROWS, half_split
from core.prose import agreed, counted
from core.same_items import item_groups, seen_pairs
from core.ticks import Tick, no_tick

__all__ = ["TrainSplit", "divide", "refuse_mismatch"]

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
    numbers: NDArray[np.intp] | None = None


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
    numbers = np.arange(len(a), dtype=np.intp) if numbers is None else numbers
    if train_a is not None and train_b is not None:
        _no_shared_pair(a, b, train_a, train_b, numbers, tick)
        return TrainSplit(train_a=train_a, train_b=train_b, a=a, b=b, split=False, numbers=numbers)
    groups = item_groups(a, b, tick)
    sizes = np.bincount(groups)
    if len(sizes) == len(a):
        train, compared = half_split(len(a), rng)
        return TrainSplit(
            train_a=a[train], train_b=b[train], a=a[compared], b=b[compared], split=True, numbers=numbers[compared]
        )
    train, compared = _halves_of_groups(groups, sizes, rng)
    return TrainSplit(
        train_a=a[train],
        train_b=b[train],
        a=a[compared],
        b=b[compared],
        split=True,
        n_sharing=int(sizes[sizes > 1].sum()),
        n_groups=len(sizes),
        groups=groups[compared],
        numbers=numbers[compared],
    )


def _halves_of_groups(
    groups: NDArray[np.intp], sizes: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Whole groups in random order for the train rows, until about half of the pairs are in."""
    if len(sizes) < MIN_TRAIN_ROWS + MIN_PAIRS + 1:
        raise PairingError(
            f"many of the {len(groups):,} pairs share a row of A or of B, and only "
            f"{counted(len(sizes), 'group')} of pairs without a shared row {agreed(len(sizes), 'is', 'are')} left: "
            "too few to be split into a train and a compared half",
            remedy="Give train rows of other items, or bring pairs of different items",
        )
    order = rng.permutation(len(sizes))
    in_train = np.cumsum(sizes[order])
    cuts = np.arange(MIN_TRAIN_ROWS, len(sizes) - MIN_PAIRS)  # groups in train; more than MIN_PAIRS are left
    cut = cuts[np.argmin(np.abs(in_train[cuts - 1] - len(groups) // 2))]
    trains = np.isin(groups, order[:cut])
    return np.flatnonzero(trains), np.flatnonzero(~trains)


def _no_shared_pair(
    a: RealArray, b: RealArray, train_a: RealArray, train_b: RealArray, numbers: NDArray[np.intp], tick: Tick
) -> None:
    """Refuse pairs that the map has already seen: what they score is no evidence."""
    shared = seen_pairs(a, b, train_a, train_b, tick)
    if shared:
        more = ", …" if len(shared) > ROWS_NAMED else ""
        named = ", ".join(f"{row:,}" for row in numbers[shared[:ROWS_NAMED]]) + more
        raise PairingError(
            f"{len(shared):,} of {len(a):,} compared pairs also {agreed(len(shared), 'stands', 'stand')} among the "
            f"train pairs: row {named} "
            "(counting from 0), in the same or another precision or scale; what a map scores on the rows it was "
            "fitted on is no evidence",
            remedy="Train on other items, or give no train rows: then half of the pairs train the map",
        )
