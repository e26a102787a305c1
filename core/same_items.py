"""Which rows are the same item, whatever precision or scale they were saved in.

A map sees directions only: a file saved anew as float32, made unit length or multiplied by
a number is the same file to it. So rows are compared as unit rows, and two of them are one
item if their squared distance is below a small share of what two rows of the file usually
have. Saving as float16 or bfloat16 moves rows less than that.

To find candidates without looking at all pairs of rows, each side is projected onto a few
fixed random orthonormal directions, which never lengthens a distance, and the nearest
projected neighbours are checked in full. Time O(n d + n log n), memory O(n).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.near_rows import chains, fixed_axes, squared_distances
from core.rows import NO_LENGTH, UnitRows, row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["item_groups", "seen_pairs"]

Float64Array = NDArray[np.float64]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]

#: Directions each side is projected onto.
N_DIRECTIONS = 4

#: Squared distance, as a share of that of two usual rows, up to which rows are one item:
#: bfloat16 moves rows by 1e-6 of it, and by 3e-5 where rows have a mean cosine of .96. Rows of few columns come that
#: close by chance, so there only rounding of float32 is allowed for.
SAME_SHARE = 1e-4
SAME_SHARE_NARROW = 1e-12
NARROW = 8

#: A unit row of one or two columns is a sign or an angle, which other items share; there
#: the length of the row counts as well.
NO_DIRECTION = 2

#: Projections, in units of the largest distance of one item, that agree to so many decimals are one point.
POINT_DECIMALS = 6

#: Nearest points that are checked in full, the row's own point included.
N_CHECKED = 5

#: Numbers of the points that are searched for between two ticks.
SEARCHED_ELEMENTS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """Unit rows, with the mean and the usual distance of a reference file."""

    units: UnitRows
    mean: Float64Array
    usual: float

    @property
    def most(self) -> float:
        """Largest squared distance of two rows that are one item."""
        share = SAME_SHARE if self.units.shape[1] >= NARROW else SAME_SHARE_NARROW
        return share * self.usual**2

    def points(self, tick: Tick) -> Float64Array:
        """(n, k) projected rows, in units of `most` under the root: one item lies within 1."""
        n, dim = self.units.shape
        turned = fixed_axes(dim, N_DIRECTIONS)
        found = np.empty((n, turned.shape[1]))
        for block in each(row_blocks(n, dim), tick):
            found[block] = (self.units[block] - self.mean) @ turned
        return np.asarray(found / np.sqrt(self.most), dtype=np.float64)

    def same(self, other: _Side, rows: NDArray[np.intp], others: NDArray[np.intp], tick: Tick) -> NDArray[np.bool_]:
        """(m,) whether ``rows[i]`` of this side and ``others[i]`` of the other are one item."""
        within: NDArray[np.bool_] = squared_distances(self.units, rows, other.units, others, tick) <= self.most
        return within


def seen_pairs(a: RealArray, b: RealArray, train_a: RealArray, train_b: RealArray, tick: Tick = no_tick) -> list[int]:
    """Numbers of the pairs that a map fitted on the train pairs has seen.

    Parameters
    ----------
    a, b, train_a, train_b : (n, d_a), (n, d_b), (m, d_a), (m, d_b) real arrays
        Stored rows, finite and not zero.

    Returns
    -------
    list of int
        Pairs of which both rows are those of one train pair, up to precision and scale.
    """
    trained = [_side(rows, rows, tick) for rows in (train_a, train_b)]
    asked = [_side(rows, train, tick) for rows, train in ((a, train_a), (b, train_b))]
    points = np.hstack([side.points(tick) for side in trained])
    where = np.hstack([side.points(tick) for side in asked])
    rows, others = _near(where, points, radius=float(np.sqrt(2.0)), tick=tick)
    for one, other in zip(asked, trained, strict=True):
        kept = one.same(other, rows, others, tick)
        rows, others = rows[kept], others[kept]
    return [int(row) for row in np.unique(rows)]


def item_groups(a: RealArray, b: RealArray, tick: Tick = no_tick) -> NDArray[np.intp]:
    """Number the groups of pairs that are connected through one item on either side.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        Stored rows, finite and not zero.

    Returns
    -------
    (n,) intp
        Group of each pair, from 0; n groups where no row occurs twice.
    """
    links = [_repeats(_side(rows, rows, tick), tick) for rows in (a, b)]
    rows, others = (np.concatenate([link[end] for link in links]) for end in (0, 1))
    return chains(len(a), rows, others)


def _side(rows: RealArray, reference: RealArray, tick: Tick) -> _Side:
    if rows.shape[1] <= NO_DIRECTION:
        largest = float(np.abs(np.asarray(reference, dtype=np.float64)).max(initial=0.0)) or 1.0
        rows, reference = (np.column_stack([x, np.full(len(x), largest)]) for x in (rows, reference))
    mean = UnitRows(reference).mean_row(tick).mean
    spread = float(np.sqrt(max(1 - float(mean @ mean), 0.0)))
    return _Side(units=UnitRows(rows), mean=mean, usual=np.sqrt(2.0) * max(spread, NO_LENGTH))


def _repeats(side: _Side, tick: Tick) -> Pairs:
    """Rows of one side, and other rows of it, that are the same item."""
    points = side.points(tick)
    rows, others = _near(points, points, radius=1.0, tick=tick)
    rows, others = rows[rows != others], others[rows != others]
    kept = side.same(side, rows, others, tick)
    return rows[kept], others[kept]


def _near(asked: Float64Array, points: Float64Array, *, radius: float, tick: Tick) -> Pairs:
    """For each asked point the rows of its nearest points within `radius`, equal points once."""
    from scipy.spatial import cKDTree

    _, first = np.unique(np.round(points, POINT_DECIMALS), axis=0, return_index=True)
    n_checked = min(N_CHECKED, len(first))
    tree = cKDTree(points[first])
    distances, nearest = np.empty((len(asked), n_checked)), np.empty((len(asked), n_checked), dtype=np.intp)
    for block in each(row_blocks(*asked.shape, elements=SEARCHED_ELEMENTS), tick):
        distances[block], nearest[block] = tree.query(
            asked[block], k=np.arange(1, n_checked + 1), distance_upper_bound=radius * (1 + 1e-9)
        )
    rows, order = np.nonzero(np.isfinite(distances))
    return rows, first[nearest[rows, order]].astype(np.intp)
