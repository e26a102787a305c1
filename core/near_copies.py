"""Compared rows that stand nearly as they are among the train rows: the map has learnt them by heart.

A paraphrase, a crop, the same item saved in int8: rows of cosine .8 to .99 to a train row
are far from equal to it, yet a map fitted on that row sends them where it was told to, and
the partner is there whatever the two models have in common.

A row has a near copy where the squared distance to its nearest train row is under a share of
that to its 10th nearest, and of what the 10th nearest of a train row usually is. That share is
a quarter, or less where rows have few dimensions: there the nearest of ten is far nearer than
the tenth by chance. With squared distances of power D/2 uniform, the nearest of ten falls under
a share s of the tenth with 1 - (1 - s^(D/2))^9, and s is such that one row in a thousand does. D
is read from the 5th, 10th and 20th nearest, which a few copies of a row do not reach.

Time O(n m d), memory a block of cosines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.limits import SCORE_BLOCK_ELEMENTS
from core.near_rows import chains
from core.products import product
from core.rows import UnitRows, row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["MIN_COPIES", "MIN_COPIES_SHARE", "are_many", "near_copies", "near_groups"]

Float64Array = NDArray[np.float64]
IndexArray = NDArray[np.intp]

#: Largest share of the 10th nearest squared distance at which a row is a near copy: cosine .8 among unrelated rows.
COPY_SHARE = 0.25

#: Rows that are copies by chance where neighbours lie as they do in a space of D dimensions.
BY_CHANCE = 1e-3

#: Places, from 0, of the neighbours that distances are held against, and that the dimension is read from.
FIFTH, TENTH, TWENTIETH = 4, 9, 19

#: Train rows that say how far the 10th nearest of a train row usually is.
N_ASKED = 1_000

#: Rows of fewer columns lie that near by chance.
FEW_COLUMNS = 8

#: From so many compared rows, and such a share of them, near copies are worth a warning.
MIN_COPIES, MIN_COPIES_SHARE = 3, 0.02


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Nearest:
    """Squared distances (n, 20), ascending, and row numbers of the nearest rows."""

    squares: Float64Array
    places: IndexArray

    def share(self) -> float:
        """Share of the 10th nearest under which a neighbour is a copy, from how neighbours lie here."""
        dimension = max(
            _dimension(self.squares[:, inner], self.squares[:, outer])
            for inner, outer in ((FIFTH, TENTH), (TENTH, TWENTIETH))
        )
        if dimension <= 0:
            return 0.0
        nearest_of_nine = -math.expm1(math.log1p(-BY_CHANCE) / TENTH)
        return min(COPY_SHARE, math.pow(nearest_of_nine, 2 / dimension))

    def within(self, usual: float) -> NDArray[np.bool_]:
        """(n, 20) which neighbours are copies, where the 10th nearest usually lies at a squared distance of `usual`."""
        most = self.share() * np.minimum(self.squares[:, TENTH], usual)
        found: NDArray[np.bool_] = self.squares < most[:, None]
        return found


def are_many(copies: int, n: int) -> bool:
    """True if so many of n compared rows are near copies that the figures after the map show it."""
    return copies >= max(MIN_COPIES, MIN_COPIES_SHARE * n)


def near_copies(rows: RealArray, train: RealArray, tick: Tick = no_tick) -> IndexArray:
    """Numbers of the rows that have a near copy among the train rows.

    Parameters
    ----------
    rows, train : (n, d), (m, d) real arrays
        Stored rows, finite and not zero. Below 22 train rows, and below 8 columns, none are found.
    tick : callable
        Called between blocks.
    """
    if not _can_tell(train):
        return np.empty(0, dtype=np.intp)
    mean = UnitRows(train).mean_row(tick).mean
    trained = UnitRows(train, mean)
    asked = np.arange(0, len(train), max(1, len(train) // N_ASKED))
    usual = float(np.median(_nearest(trained, trained, tick, asked=asked).squares[:, TENTH]))
    found = _nearest(UnitRows(rows, mean), trained, tick).within(usual)[:, 0]
    return np.flatnonzero(found).astype(np.intp)


def near_groups(a: RealArray, b: RealArray, groups: IndexArray, tick: Tick = no_tick) -> IndexArray:
    """Number the groups of pairs that are connected through near copies on either side.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        Stored rows, finite and not zero.
    groups : (n,) intp
        Groups known already; they stay whole.

    Returns
    -------
    (n,) intp
        Group of each pair, from 0.
    """
    first = np.unique(groups, return_index=True)[1]
    rows, others = [np.arange(len(a))], [first[groups]]
    for side in filter(_can_tell, (a, b)):
        units = UnitRows(side, UnitRows(side).mean_row(tick).mean)
        near = _nearest(units, units, tick, asked=np.arange(len(side)))
        found = near.within(float(np.median(near.squares[:, TENTH])))
        rows.append(np.nonzero(found)[0])
        others.append(near.places[found])
    return chains(len(a), np.concatenate(rows), np.concatenate(others))


def _can_tell(rows: RealArray) -> bool:
    return len(rows) > TWENTIETH + 1 and rows.shape[1] >= FEW_COLUMNS


def _nearest(rows: UnitRows, points: UnitRows, tick: Tick, *, asked: IndexArray | None = None) -> _Nearest:
    """The 20 nearest points of each row; of the points `asked` for, where these are points themselves."""
    columns = np.ascontiguousarray(_float32(points, tick).T)
    numbers = np.arange(rows.shape[0]) if asked is None else asked
    squares = np.empty((len(numbers), TWENTIETH + 1))
    places = np.empty(squares.shape, dtype=np.intp)
    for block in each(row_blocks(len(numbers), columns.shape[1], elements=SCORE_BLOCK_ELEMENTS), tick):
        cosines = product(rows[numbers[block]].astype(np.float32), columns, tick)
        if asked is not None:
            cosines[np.arange(len(cosines)), numbers[block]] = -np.inf
        top = np.argpartition(cosines, -TWENTIETH - 1, axis=1)[:, -TWENTIETH - 1 :]
        found = np.take_along_axis(cosines, top, axis=1)
        order = np.argsort(-found, axis=1)
        places[block] = np.take_along_axis(top, order, axis=1)
        squares[block] = np.maximum(2 - 2 * np.take_along_axis(found, order, axis=1).astype(np.float64), 0.0)
    return _Nearest(squares=squares, places=places)


def _float32(rows: UnitRows, tick: Tick) -> NDArray[np.float32]:
    found = np.empty(rows.shape, dtype=np.float32)
    for block in each(rows.blocks(), tick):
        found[block] = rows[block]
    return found


def _dimension(inner: Float64Array, outer: Float64Array) -> float:
    """Dimensions in which the k-th and the 2k-th nearest usually lie so: halving the number divides D/2 powers by 2."""
    ratio = float(np.median(inner / np.maximum(outer, np.finfo(np.float32).tiny)))
    return 2 * math.log(2) / -math.log(ratio) if 0 < ratio < 1 else 0.0
