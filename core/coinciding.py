"""Whether few scores make the permutation statistic, so that its tail is not normal.

Above `core.limits.FULL_MATRIX_PAIRS` pairs p is the normal tail of z. The central limit theorem
behind it needs many of the n^2 scores M_ij = alpha_i . beta_j to share the variance. Where a few
rows of A and a few of B hold it, or where each row has one twin on the other side and nothing in
common with the rest, the statistic counts how often they meet: about a Poisson number. With

    meetings = (sum M_ij^2)^2 / sum M_ij^4 / n,

the participation number of the scores times the chance 1 / n of each, that Poisson number's mean
is `meetings`, and one over it about the statistic's excess kurtosis. Below `FEW_MEETINGS` the
p-value is counted in random pairings, whose rows are gathered one pairing at a time.

No n-by-n matrix is made: r_i = sum_j M_ij^2 is estimated for all rows from random sums of the
beta_j with random signs, and sum_j M_ij^4 is taken exactly for a few rows drawn in proportion
to r_i^2. Then sum M^4 = sum_i r_i^2 times their mean of sum_j M_ij^4 / (sum_j M_ij^2)^2, which
lies between 1 / n and 1: a few rows suffice. O(n d) in all.

Sources: Hoeffding 1951 and Bolthausen 1984 (normal where single scores are small beside the
spread); the measure and its bound are ours, simulated in METHODS.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.contributions import dots
from core.groups import Groups
from core.limits import READY_BLOCK_ELEMENTS
from core.permutation import PermutationTest
from core.prepared import FloatArray, PreparedRows, Rows, distances_from
from core.rows import MeanRow, row_blocks
from core.ticks import Tick, each, no_tick

__all__ = ["FEW_MEETINGS", "counted_if_few", "meetings"]

Float64Array = NDArray[np.float64]
IndexArray = NDArray[np.intp]

#: Below so many, the p-value is counted. Simulated (METHODS.md): from here on the normal tail
#: calls 4 to 7 % of random pairings significant at 5 %.
FEW_MEETINGS = 10.0

#: Random sums that stand for all rows of the other side, and rows whose scores are all taken.
SKETCHES = 32

#: Pairings drawn: so many as gather this many numbers, but never fewer or more than these.
_GATHERED, _LEAST, _MOST = 4e9, 199, 999

#: Row numbers of pairings held at once (32 MB).
_ORDERS = 4_000_000

#: Seed of what is drawn to ask: not the user's, for it is no draw of the test.
_FIXED = 0


def meetings(a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups) -> float:
    """How many scores that matter a random pairing holds, on average; about n / 3 for Gaussian scores.

    Parameters
    ----------
    a, b, mean_a, mean_b : Rows, MeanRow
        Sides of one reading and the means of their unit rows.
    groups : Groups
        Of the pairs: whole groups meet, those of one size.

    Notes
    -----
    Time O(n d), memory a few blocks of rows. The same for the same rows: its draws are fixed.
    """
    squares, excess = [], []
    for members in _strata(groups):
        side_a, side_b = _Stratum.of(a, mean_a, members), _Stratum.of(b, mean_b, members)
        energies = side_a.energies(side_b)
        if energies.sum() > 0:
            count = len(members)
            squares.append(float(energies.sum()) / (count - 1))
            excess.append(count / _participating_scores(side_a, side_b, energies))
    shares = np.array(squares) / (sum(squares) or 1.0)
    return 1.0 / float(shares**2 @ np.array(excess)) if squares else float(groups.n)


def counted_if_few(
    test: PermutationTest,
    a: Rows,
    b: Rows,
    mean_a: MeanRow,
    mean_b: MeanRow,
    groups: Groups,
    rng: np.random.Generator,
    *,
    link_rounding: float = 0.0,
    tick: Tick = no_tick,
) -> PermutationTest:
    """The same test; its p-value counted in random pairings where too few rows make its statistic.

    Parameters
    ----------
    test : PermutationTest
        By the normal tail.
    a, b, mean_a, mean_b, groups
        As for `meetings`.
    rng : Generator
        For the pairings.
    link_rounding : float
        From `core.pair_sums`.
    tick : callable
        Called between blocks, and between pairings.

    Notes
    -----
    Time O(n d) for the question; where it is answered yes, O(m n d) for m pairings, 199 to 999.
    """
    if test.z is None or _surely_many(test, a, b, mean_a, mean_b, groups):
        return test
    if meetings(a, b, mean_a, mean_b, groups) >= FEW_MEETINGS:
        return test
    n, dim = a.shape
    tick()
    drawn = int(min(max(_GATHERED / (n * dim), _LEAST), _MOST))
    statistics = _statistics(a, b, mean_a, mean_b, groups, drawn, rng, tick)
    # The true pairing is gathered in the same way, so that both round alike.
    equal = max(1e-12, link_rounding) * n**0.5
    extreme = int(np.count_nonzero(np.abs(statistics[1:]) >= abs(statistics[0]) - equal))
    return replace(test, pvalue=(extreme + 1) / (drawn + 1), method="gathered", n_permutations=drawn)


def _surely_many(
    test: PermutationTest, a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups
) -> bool:
    """True if the longest rows alone say so: sum M^4 <= sum M^2 max |alpha|^2 max |beta|^2. Time O(n)."""
    if not groups.are_pairs:
        return False
    spread = (test.gap_error * (groups.n - 1)) ** 2  # sum M^2 / (n - 1)
    return spread >= FEW_MEETINGS * (_longest(a, mean_a) * _longest(b, mean_b)) ** 2


def _longest(x: Rows, mean: MeanRow) -> float:
    """No row is farther from the mean than this."""
    if isinstance(x, PreparedRows) and not x.centred:
        return float(x.lengths.max() + np.linalg.norm(x.mean - mean.mean))
    return 1.0 + float(np.linalg.norm(mean.mean))


def _strata(groups: Groups) -> Iterator[IndexArray]:
    """(G_s, s) rows of all groups of one size, in file order; none of a size that no other group has."""
    order = np.argsort(groups.labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(groups.sizes)[:-1]))
    for size in np.unique(groups.sizes):
        members = order[starts[groups.sizes == size][:, None] + np.arange(int(size))]
        if len(members) > 1:
            yield members


@dataclass(frozen=True, slots=True, eq=False)
class _Stratum:
    """All groups of one size of one side, a group's rows end to end, about the mean of such groups."""

    rows: Rows
    mean: MeanRow
    members: IndexArray
    centre: Float64Array

    @classmethod
    def of(cls, rows: Rows, mean: MeanRow, members: IndexArray) -> _Stratum:
        dim = members.shape[1] * rows.shape[1]
        whole = cls(rows, mean, members, np.zeros(dim))
        if whole.are_all_rows:
            return whole
        total = np.zeros(dim)
        for block in whole.blocks():
            total += whole[block].sum(axis=0, dtype=np.float64)
        return cls(rows, mean, members, total / len(members))

    def __getitem__(self, groups: slice | IndexArray) -> FloatArray:
        """(k, s d) rows of some groups."""
        if self.are_all_rows:
            return distances_from(self.rows, groups, self.mean.mean)
        places = self.members[groups]
        flat = distances_from(self.rows, places.ravel(), self.mean.mean).reshape(len(places), -1)
        flat -= self.centre.astype(flat.dtype)
        return flat

    @property
    def are_all_rows(self) -> bool:
        """True if every row is a group: in file order, about their own mean."""
        return self.members.shape[1] == 1 and len(self.members) == self.rows.shape[0]

    def blocks(self) -> Iterator[slice]:
        return row_blocks(len(self.members), len(self.centre), elements=READY_BLOCK_ELEMENTS)

    def energies(self, other: _Stratum) -> Float64Array:
        """(G_s,) estimate of sum_j M_ij^2 for each group."""
        sketch = other._sketch()
        found = np.empty(len(self.members))
        for block in self.blocks():
            rows = self[block]
            seen = rows @ sketch.astype(rows.dtype)
            found[block] = np.einsum("ij,ij->i", seen, seen) / SKETCHES
        return found

    def _sketch(self) -> Float64Array:
        """(s d, SKETCHES) float64 sums of all groups with random signs."""
        rng = np.random.default_rng(_FIXED)
        total = np.zeros((len(self.centre), SKETCHES))
        for block in self.blocks():
            rows = self[block]
            total += rows.T @ rng.choice(np.array([-1, 1], dtype=rows.dtype), size=(len(rows), SKETCHES))
        return total


def _participating_scores(a: _Stratum, b: _Stratum, energies: Float64Array) -> float:
    """(sum M^2)^2 / sum M^4, the fourth powers from a few groups of A, scored with all of B."""
    weights = energies**2
    drawn = np.random.default_rng(_FIXED).choice(len(weights), size=SKETCHES, p=weights / weights.sum())
    left = a[drawn]
    squares, fourths = np.zeros(SKETCHES), np.zeros(SKETCHES)
    for block in b.blocks():
        scores = (left @ b[block].T).astype(np.float64) ** 2
        squares += scores.sum(axis=1)
        fourths += np.einsum("ij,ij->i", scores, scores)
    return float(energies.sum() ** 2 / weights.sum() / np.mean(fourths / squares**2))


def _statistics(
    a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups, drawn: int, rng: np.random.Generator,
    tick: Tick,
) -> Float64Array:
    """(1 + drawn,) the statistic of the pairing as it is, then of random ones."""
    found = np.zeros(1 + drawn)
    for members in _strata(groups):
        side_a, side_b = _Stratum.of(a, mean_a, members), _Stratum.of(b, mean_b, members)
        at_once = max(1, _ORDERS // len(members))
        for start in range(0, 1 + drawn, at_once):
            some = range(start, min(start + at_once, 1 + drawn))
            orders = [rng.permutation(len(members)) if draw else np.arange(len(members)) for draw in some]
            for block in each(side_a.blocks(), tick):
                left = side_a[block]
                for draw, order in zip(some, orders, strict=True):
                    found[draw] += float(dots(left, side_b[order[block]]).sum(dtype=np.float64))
    return found
