"""The scores of given pairings: row i of A against row p[i] of B, for a few permutations p.

The permuted floor pools them. What the sweep knows of the rows makes this cheap: a score is
one float64 sum over two float32 rows (error at most 1.2e-7, typically 1e-9, far below the
printed digits), or over float64 rows where the sides are small; of few rows all scores are there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from core.limits import READY_BLOCK_ELEMENTS
from core.rows import row_blocks
from core.sweep.sides import ReadySide, ReadySides
from core.sweep.workers import Progress, Steps, in_order, usable_cores

__all__ = ["pairing_sums"]

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def pairing_sums(
    sides: ReadySides,
    pairings: Collection[Int64Array],
    *,
    about: tuple[float, float] | None = None,
    n_workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[Float64Array, Float64Array]:
    """Sum and sum of squares of the scores of each pairing, raw and centred.

    Parameters
    ----------
    sides : ReadySides
        From `core.sweep.make_ready`.
    pairings : collection of (n,) int64
        Row ``p[i]`` of B for each row i of A; gone over once, so they may be made on the way.
    about : (float, float), optional
        f, subtracted from the scores first, against cancellation; by default ``sides.floors``.
    n_workers, progress
        As for `core.sweep.sweep`.

    Returns
    -------
    sums, squares : (2, len(pairings)) float64
        Of S - f and of (S - f)^2 over the n scores of each pairing. The centred ones mean
        nothing where centring leaves a row without a direction.

    Notes
    -----
    Time O(len(pairings) n d).
    """
    n, dim = sides.shape
    values = np.array(about or sides.floors)[:, None]
    in_float32 = sides.a.centred_rows is not None
    scores_of = _from_float32(sides) if in_float32 else _from_float64(sides)
    steps = Steps(len(pairings), progress, "Scoring derangements")

    def score(pairing: Int64Array) -> tuple[Float64Array, Float64Array]:
        steps.step()
        deviations = scores_of(pairing) - values
        return deviations.sum(axis=1), np.einsum("ri,ri->r", deviations, deviations)

    sums, squares = np.empty((2, len(pairings))), np.empty((2, len(pairings)))
    operations = 20 * len(pairings) * n * dim
    results = in_order(pairings, score, operations=operations, n_workers=n_workers or usable_cores(), steps=steps)
    for k, (total, square) in enumerate(results):
        sums[:, k], squares[:, k] = total, square
    return sums, squares


def _from_float32(sides: ReadySides) -> Callable[[Int64Array], Float64Array]:
    from core.sweep.fast_tiles import paired_scores

    everyone = np.arange(sides.shape[0])
    return lambda pairing: paired_scores(sides, everyone, pairing)[0]


def _from_float64(sides: ReadySides) -> Callable[[Int64Array], Float64Array]:
    n, dim = sides.shape
    everyone = np.arange(n)
    whole = sides.scores
    if whole is not None:
        return lambda pairing: whole[:, everyone, pairing]

    def scores(pairing: Int64Array) -> Float64Array:
        found = np.empty((2, n))
        for block in row_blocks(n, dim, elements=READY_BLOCK_ELEMENTS):
            found[:, block] = _dots(_both_readings(sides.a, everyone[block]), _both_readings(sides.b, pairing[block]))
        return found

    return scores


def _both_readings(side: ReadySide, numbers: Int64Array) -> tuple[Float64Array, Float64Array]:
    units = side.units(numbers)
    return units, side.centred(units, numbers)


def _dots(ones: tuple[Float64Array, ...], others: tuple[Float64Array, ...]) -> Float64Array:
    """(2, m) row-wise products, raw and centred."""
    return np.stack([np.einsum("ij,ij->i", one, other) for one, other in zip(ones, others, strict=True)])
