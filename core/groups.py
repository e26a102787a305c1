"""Groups of pairs that belong together: five captions of one image, chunks of one text.

Pairs of one group are not independent, and a row scored against another row of its own
group is not unrelated. With groups the floor is taken over pairs of *different* groups,
candidates of a row's own group are left out of its ranking, and intervals leave out one
group at a time. Without groups every pair is a group of its own, and all formulas are
the plain ones.

Symbols: G groups, n_g their sizes, n pairs in all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import PairingError
from core.limits import FULL_MATRIX_PAIRS, READY_BLOCK_ELEMENTS
from core.ranks import TIE
from core.rows import UnitRows
from core.ticks import Tick, each, no_tick

__all__ = [
    "GroupBatch",
    "Groups",
    "WithinGroups",
    "duplicate_groups",
    "groups_from_ids",
    "naive_floor_inflation",
    "within_groups",
]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
IndexArray = NDArray[np.intp]

#: Most scores of groups with themselves that are held at a time (16 MB each time they are copied).
_BATCH_SCORES = FULL_MATRIX_PAIRS**2 // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBatch:
    """Some rows of k groups of one size s, and all members of those groups.

    Attributes
    ----------
    rows : (k, r)
        Row numbers to work on; r = s unless one group is larger than a block.
    members : (k, s)
        Row numbers of the whole groups.
    """

    rows: IndexArray
    members: IndexArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Which group each pair belongs to.

    Attributes
    ----------
    labels : (n,) int64
        0 to G-1, numbered by first appearance.
    sizes : (G,) int64
        Pairs in each group.
    """

    labels: Int64Array
    sizes: Int64Array

    @classmethod
    def alone(cls, n: int) -> Groups:
        """Every pair a group of its own."""
        return cls(labels=np.arange(n), sizes=np.ones(n, dtype=np.int64))

    @property
    def count(self) -> int:
        return len(self.sizes)

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def are_pairs(self) -> bool:
        """True if every group is a single pair."""
        return self.count == self.n

    @property
    def unrelated(self) -> int:
        """Pairs of rows of different groups, n^2 - sum n_g^2."""
        return self.n**2 - int(self.sizes @ self.sizes)

    @property
    def effective_count(self) -> float:
        """n^2 / sum n_g^2: the number of equal groups that would vary as much. G if all are equal."""
        return self.n**2 / float(self.sizes @ self.sizes)

    @property
    def df(self) -> float:
        """Degrees of freedom of a spread over groups: those of the effective count, at least 1."""
        return max(self.effective_count - 1, 1.0)

    @property
    def chance_first(self) -> float:
        """Chance of the partner ranking first among rows of other groups and itself: mean 1/(n - n_g + 1)."""
        return float(np.mean(1.0 / (self.n - self.sizes[self.labels] + 1)))

    def total(self, values: NDArray[np.generic]) -> Float64Array:
        """(G,) sums of an (n,) array over each group."""
        if self.are_pairs:
            return np.asarray(values, dtype=np.float64)
        sums = np.bincount(self.labels, weights=np.asarray(values, dtype=np.float64), minlength=self.count)
        return np.asarray(sums, dtype=np.float64)

    def batches(self, dim: int, *, elements: int = READY_BLOCK_ELEMENTS) -> Iterator[GroupBatch]:
        """All rows once, in batches of equal-sized whole groups of about `elements` numbers."""
        order = np.argsort(self.labels, kind="stable")
        starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1]))
        for size in (int(found) for found in np.unique(self.sizes)):
            first = starts[self.sizes == size]
            at_once = max(1, min(elements // (size * dim), _BATCH_SCORES // size**2))
            rows_at_once = max(1, min(size, elements // dim, _BATCH_SCORES // size))
            for begin in range(0, len(first), at_once):
                members = order[first[begin : begin + at_once, None] + np.arange(size)]
                for row in range(0, size, rows_at_once):
                    yield GroupBatch(rows=members[:, row : row + rows_at_once], members=members)


def groups_from_ids(ids: ArrayLike | Sequence[object], n: int) -> Groups:
    """Groups from one id a pair; equal ids are one group.

    Parameters
    ----------
    ids : (n,) integers or text
        In the order of the pairs.
    n : int
        Pairs compared.

    Raises
    ------
    PairingError
        Not one id a pair, or fewer than 3 different ids.
    """
    found = np.asarray(ids)
    if found.ndim != 1 or len(found) != n:
        given = " × ".join(f"{size:,}" for size in found.shape)
        raise PairingError(
            f"the ids of the groups are {given}, and there are {n:,} pairs; each pair needs one id",
            remedy="Save one id a row, in the order of the rows",
        )
    _, first, labels = np.unique(found, return_index=True, return_inverse=True)
    groups = _in_order_of_appearance(labels, first)
    if groups.count < 3:
        raise PairingError(
            f"the ids name {groups.count} group{'s' if groups.count > 1 else ''}; a floor over pairs of "
            "different groups needs at least 3",
            remedy="Leave the ids out, or give one id to each item that is independent of the others",
        )
    return groups


def duplicate_groups(digests_a: NDArray[np.generic], digests_b: NDArray[np.generic]) -> Groups:
    """Groups that duplicates propose: pairs that share a row of A or a row of B, in chains.

    Parameters
    ----------
    digests_a, digests_b : (n,) fingerprints
        Of each row of A and of B: equal for rows that count as one.
    """
    from scipy.sparse import coo_array  # imported here: `import core` stays light
    from scipy.sparse.csgraph import connected_components

    n = len(digests_a)
    nodes = [np.unique(side, return_inverse=True)[1] for side in (digests_a, digests_b)]
    ones = np.ones(n, dtype=np.int8)
    offset = n + int(nodes[0].max()) + 1
    pairs = np.arange(n)
    size = offset + int(nodes[1].max()) + 1
    links = coo_array(
        (np.concatenate([ones, ones]), (np.tile(pairs, 2), np.concatenate([nodes[0] + n, nodes[1] + offset]))),
        shape=(size, size),
    )
    labels = connected_components(links, directed=False)[1][:n]
    _, first, labels = np.unique(labels, return_index=True, return_inverse=True)
    return _in_order_of_appearance(labels, first)


def _in_order_of_appearance(labels: IndexArray, first: IndexArray) -> Groups:
    """Groups whose label k first appears at row first[k], renumbered from the top."""
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    renumbered = place[labels]
    return Groups(labels=renumbered, sizes=np.bincount(renumbered).astype(np.int64))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WithinGroups:
    """What rows score against other rows of their own group; their own partner not counted.

    Attributes
    ----------
    better_a_to_b, tied_a_to_b, better_b_to_a, tied_b_to_a : (n,) int64
        Candidates to take off the counts of the sweep, so that a row is ranked among
        rows of other groups and its partner.
    beats_a_to_b, beats_b_to_a : (n,) float64
        The same for the counts by candidate that the interval of the AMRI needs.
    mean
        Mean cosine of non-partners within groups; `None` if there are none.
    """

    better_a_to_b: Int64Array
    tied_a_to_b: Int64Array
    better_b_to_a: Int64Array
    tied_b_to_a: Int64Array
    beats_a_to_b: Float64Array
    beats_b_to_a: Float64Array
    mean: float | None


def within_groups(a: UnitRows, b: UnitRows, own: Float64Array, groups: Groups, tick: Tick = no_tick) -> WithinGroups:
    """Score rows against the other rows of their own group.

    Parameters
    ----------
    a, b : UnitRows
        (n, d) sides of one reading.
    own : (n,) float64
        Own cosines.

    Notes
    -----
    Time O(sum n_g^2 d); memory two blocks of rows and one of scores.
    """
    n, dim = a.shape
    better = np.zeros((2, n), dtype=np.int64)
    tied = np.zeros((2, n), dtype=np.int64)
    beats = np.zeros((2, n))
    total = 0.0
    for batch in each(groups.batches(dim), tick):
        count, size = batch.members.shape
        rows = batch.rows.ravel()
        partner = batch.rows[:, :, None] == batch.members[:, None, :]
        for side, (x, y) in enumerate(((a, b), (b, a))):
            x_rows = x[rows].reshape(count, -1, dim)
            y_rows = y[batch.members.ravel()].reshape(count, size, dim)
            scores = np.matmul(x_rows, y_rows.transpose(0, 2, 1))
            # Against the row's own partner, and against the candidate's own partner.
            above, near = _compared(scores, own[batch.rows][:, :, None], partner)
            better[side, rows], tied[side, rows] = above.sum(2).ravel(), near.sum(2).ravel()
            above, near = _compared(scores, own[batch.members][:, None, :], partner)
            beats[1 - side, rows] = (above.sum(2) + near.sum(2) / 2).ravel()
            if side == 0:
                total += float(scores[~partner].sum())
    pairs = int(groups.sizes @ groups.sizes) - n
    return WithinGroups(
        better_a_to_b=better[0],
        tied_a_to_b=tied[0],
        better_b_to_a=better[1],
        tied_b_to_a=tied[1],
        beats_a_to_b=beats[0],
        beats_b_to_a=beats[1],
        mean=total / pairs if pairs else None,
    )


def _compared(
    scores: Float64Array, threshold: Float64Array, partner: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where a score other than the partner's is above the threshold, and where it ties with it."""
    above = (scores > threshold + TIE) & ~partner
    near = (scores >= threshold - TIE) & ~above & ~partner
    return above, near


def naive_floor_inflation(groups: Groups, within_mean: float | None, floor: float) -> float:
    """How far the floor over all i != j lies above the group-aware floor.

    With w the mean cosine of non-partners within groups, that floor is the mean of both
    kinds of pairs, so it is off by (sum n_g^2 - n) / (n(n-1)) times (w - f); for equal
    groups (n_g - 1)/(n - 1) (w - f).
    """
    if within_mean is None:
        return 0.0
    share = (float(groups.sizes @ groups.sizes) - groups.n) / (groups.n * (groups.n - 1))
    return share * (within_mean - floor)
