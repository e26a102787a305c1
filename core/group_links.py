"""Scores of whole groups with whole groups: what the permutation test with groups permutes.

Groups of one size are a *stratum*: only they can change places.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.groups import Groups
from core.pair_sums import CentredScores
from core.prepared import Rows
from core.rows import MeanRow
from core.ticks import Tick, each, no_tick

__all__ = ["group_links", "group_links_by_blocks", "stratum"]

Float64Array = NDArray[np.float64]

#: Numbers of a block of groups' rows laid end to end (16 MB), and most groups of a block: those of a side with
#: those of the other are a block of sums, of the same size.
_BLOCK_NUMBERS = 2_000_000
_BLOCK_GROUPS = 1_414


def group_links(scores: CentredScores, groups: Groups) -> list[Float64Array]:
    """For each size of group, summed scores of groups with groups, rows in file order.

    Parameters
    ----------
    scores : CentredScores
        All scores about both means.
    groups : Groups
        Of the pairs.

    Returns
    -------
    list of (G_s, G_s) float64
        About row and column means, so that each has permutation mean zero. Groups whose
        size no other group has cannot be permuted and add a (1, 1) zero.
    """
    if groups.are_pairs:
        return [scores.link]
    order = np.argsort(groups.labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(groups.sizes)[:-1]))
    whole = scores.link + scores.p[:, None] + scores.q[None, :]
    links = []
    for size in np.unique(groups.sizes):
        first = starts[groups.sizes == size]
        places = [order[first + step] for step in range(int(size))]
        links.append(_twice_centred(sum((whole[np.ix_(place, place)] for place in places), np.zeros(1))))
    return links


def group_links_by_blocks(
    a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups, tick: Tick = no_tick
) -> list[Float64Array]:
    """`group_links` without the matrix of all scores: few groups of many rows.

    Parameters
    ----------
    a, b, mean_a, mean_b, groups
        As for `core.permutation.group_normal_test`.
    tick : callable
        Called between blocks.

    Notes
    -----
    Time O(n^2 d / n_g) in float64; memory a number for every two groups of one size, and two
    blocks of rows.
    """
    links = []
    for size in np.unique(groups.sizes):
        count = int(np.count_nonzero(groups.sizes == size))
        link = np.zeros((count, count))
        for rows, columns, block in _stratum_blocks(a, b, mean_a, mean_b, groups, int(size), tick):
            link[rows, columns] = block
        links.append(_twice_centred(link))
    return links


def stratum(
    a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups, size: int, tick: Tick = no_tick
) -> tuple[float, float, int]:
    """Statistic, permutation variance and number of the groups of one size."""
    count = int(np.count_nonzero(groups.sizes == size))
    statistic = squares = 0.0
    for rows, columns, link in _stratum_blocks(a, b, mean_a, mean_b, groups, size, tick):
        squares += float(np.vdot(link, link))
        if rows == columns:
            statistic += float(np.trace(link))
    return statistic, squares / max(count - 1, 1), count


def _stratum_blocks(
    a: Rows, b: Rows, mean_a: MeanRow, mean_b: MeanRow, groups: Groups, size: int, tick: Tick
) -> Iterator[tuple[slice, slice, Float64Array]]:
    """Scores of groups of one size with each other, about row and column means; none for a single group."""
    order = np.argsort(groups.labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(groups.sizes)[:-1]))
    members = order[starts[groups.sizes == size][:, None] + np.arange(size)]
    count, dim = len(members), a.shape[1]
    if count == 1:
        return
    step = max(1, min(_BLOCK_GROUPS, _BLOCK_NUMBERS // (size * dim)))
    blocks = [slice(start, min(start + step, count)) for start in range(0, count, step)]

    def flat(side: Rows, mean: Float64Array, block: slice) -> Float64Array:
        """A group's rows end to end: a dot product of two such rows sums scores in file order."""
        rows = side[members[block].ravel()] - mean
        return rows.reshape(-1, size * dim)

    centre_a = sum((flat(a, mean_a.mean, block).sum(axis=0) for block in each(blocks, tick)), np.zeros(1)) / count
    centre_b = sum((flat(b, mean_b.mean, block).sum(axis=0) for block in each(blocks, tick)), np.zeros(1)) / count
    for rows in blocks:
        left = flat(a, mean_a.mean, rows) - centre_a
        for columns in each(blocks, tick):
            yield rows, columns, left @ (flat(b, mean_b.mean, columns) - centre_b).T


def _twice_centred(matrix: Float64Array) -> Float64Array:
    """A matrix about its row and column means."""
    rows = matrix - matrix.mean(axis=1, keepdims=True)
    return np.asarray(rows - rows.mean(axis=0, keepdims=True))
