"""How long an audit will take on this machine, before it starts.

Two things are known: how many multiplications there are, and how fast this machine does
them, which one small product tells. The estimate is right within a factor of two on an
idle machine; it is there to choose between waiting and a pool of candidates.

Symbols: n rows of d columns, M candidates, v multiplications and additions a second.
"""

from __future__ import annotations

import math
import time
from functools import cache

import numpy as np

from core.alarm import pairs_looked_at
from core.limits import (
    ALARM_MAX_DIM,
    DRAWN_PERMUTATIONS,
    EXACT_SWEEP_ROWS,
    FULL_MATRIX_PAIRS,
    GRAM_ROWS,
    MAX_TRAIN_PAIRS,
    MAX_TWO_MODEL_PAIRS,
    ROW_BLOCK_ELEMENTS,
    SCATTER_COLUMNS,
)
from core.neighbours import N_NEIGHBOURS
from core.spaces import N_PERMUTATIONS
from core.sweep.workers import blas_on_one_thread, cores, usable_cores

__all__ = ["expected_seconds", "expected_two_models_seconds", "speed"]

#: Rows and columns of the square product that is timed (about half a millisecond), and the
#: seconds after which no other is begun. The fastest counts: the first ones wake BLAS up,
#: and others may share the core.
_SIZE = 256
_CALIBRATION_SECONDS = 0.03

#: What a score costs beside its product, in operations: comparing, binning, summing.
_PER_SCORE = 400

#: What a number of a row costs to be read, made unit length, centred and gone over by all that
#: is linear in the rows, in operations.
_PER_NUMBER = 4_500

#: The same to be fetched for a derangement.
_PER_PAIRED_NUMBER = 60

#: Intervals: operations for each row and square of columns (scatter matrices, their eigenvalue,
#: sums by pair), or of few rows for each score and column; a number of a permutation drawn, in
#: seconds, for one reading: it waits for memory, not for products.
_PER_SCATTERED = 16
_PER_SMALL_SCORE = 18
_PER_DRAWN = 4e-8

#: The search for other axes, which one core does: for each singular value cubed, and for each
#: number of a row and singular value.
_PER_CUBED_VALUE = 80
_PER_TURNED_NUMBER = 27

#: Reading memory, waiting for the last block, other programs: nothing runs at the speed of
#: a product in cache.
_OVERHEAD = 1.5

#: Passes over the matrix of all scores of few pairs: both readings, scores and pulls
#: of both means, each with copies.
_MATRIX_PASSES = 8

#: Up to so many columns what is done to each score, as measured, includes them.
_USUAL_COLUMNS = 16_384

#: A float64 product and plain numpy passes instead of one fast pass.
_EXACT_FACTOR = 4

#: Rows of one column all tie: every score is done in float64, and every row has many best rivals.
_TIED_FACTOR = 16

#: Two models: seconds of one shuffle for each neighbour of a row, and for each entry of the
#: matrix that CKA is shuffled on; operations of a map for each column cubed.
_PER_LINK_SHUFFLED = 8e-8
_PER_ENTRY_SHUFFLED = 5e-9
_PER_CUBED_COLUMN = 60

#: Loading the compiled loops.
_LOADING_SECONDS = 0.6


def speed() -> float:
    """Operations a second of float32 products here: of one core, times the cores that workers will run on."""
    return min(usable_cores(), cores()) * _speed_of_a_core()


@cache
def _speed_of_a_core() -> float:
    """Timed once in this process."""
    square = np.ones((_SIZE, _SIZE), np.float32)
    best = np.inf
    with blas_on_one_thread:
        begun = time.perf_counter()
        while (started := time.perf_counter()) < begun + _CALIBRATION_SECONDS:
            square @ square
            best = min(best, time.perf_counter() - started)
    return 2 * _SIZE**3 / max(best, 1e-9)


def expected_seconds(
    n: int,
    dim: int,
    *,
    n_candidates: int | None = None,
    n_derangements: int = 20,
    repeated: float = 0.0,
    operations_per_second: float | None = None,
) -> float:
    """Seconds an audit of two (n, dim) files is expected to take.

    Parameters
    ----------
    n_candidates : int, optional
        Candidates of each row; `None`, or n and more, for all rows.
    repeated : float
        Share of the rows of a side that occurred before, from `core.inspection`: their scores
        tie, and float32 cannot tell them apart.
    operations_per_second : float, optional
        By default `speed` of this machine.

    Notes
    -----
    (2 d + c) n^2 operations for all scores, twice (2 d + c) n M with a pool and 8 n d^2 more
    for the closed-form spread in float64 (twice as slow); O(n d^2) for intervals, or O(n^2 d) and
    the permutations of few rows; the singular values of a few hundred rows; O(n d) for the rest.
    """
    per_second = speed() if operations_per_second is None else operations_per_second
    whole = n_candidates is None or n_candidates >= n
    per_score = 2 * dim + _PER_SCORE
    scores = n * n if whole or n_candidates is None else 2 * n * n_candidates
    small = n <= EXACT_SWEEP_ROWS
    slower = _EXACT_FACTOR if small else _TIED_FACTOR if dim == 1 else 1
    operations: float = (1.0 + repeated) * scores * per_score * slower
    operations += 0 if whole else 16 * n * dim**2
    operations += _inference(n, dim)
    operations += n * dim * (_PER_NUMBER + n_derangements * _PER_PAIRED_NUMBER)
    if n <= FULL_MATRIX_PAIRS and dim > _USUAL_COLUMNS:  # rows are made ready again for each block of the other side
        again = math.ceil(n / max(1, ROW_BLOCK_ELEMENTS // dim)) - 1
        operations += _MATRIX_PASSES * again * n * dim * _PER_NUMBER
    alone = _OVERHEAD * min(usable_cores(), cores()) * _axes(n, dim) / per_second
    drawn = 2 * _PER_DRAWN * DRAWN_PERMUTATIONS * n if n <= FULL_MATRIX_PAIRS else 0.0
    return _OVERHEAD * operations / per_second + alone + drawn + (0.0 if small else _LOADING_SECONDS)


def _inference(n: int, dim: int) -> float:
    """Operations of intervals, test and verdict, but for permutations drawn."""
    if n <= FULL_MATRIX_PAIRS:
        return _PER_SMALL_SCORE * n * n * dim
    return _PER_SCATTERED * n * dim**2 if dim <= SCATTER_COLUMNS else 0


def _axes(n: int, dim: int) -> float:
    """Operations of the search for other axes, on the pairs it looks at."""
    if dim > ALARM_MAX_DIM:
        return 0
    pairs = pairs_looked_at(n, dim)
    values = min(pairs // 2, dim)
    return _PER_CUBED_VALUE * values**3 + _PER_TURNED_NUMBER * pairs * dim * values


def expected_two_models_seconds(
    n: int, dim_a: int, dim_b: int, *, n_train: int = 0, operations_per_second: float | None = None
) -> float:
    """Seconds a comparison of two models is expected to take.

    Parameters
    ----------
    n, dim_a, dim_b : int
        Pairs, and columns of each side.
    n_train : int
        Train pairs; 0 where half of the pairs train the map.
    operations_per_second : float, optional
        By default `speed` of this machine.

    Notes
    -----
    An audit of the compared pairs, 4 (d_a + d_b) n^2 operations in float64 for the nearest
    rows, the singular values of the map, and the shuffles.
    """
    per_second = speed() if operations_per_second is None else operations_per_second
    n = min(n, MAX_TWO_MODEL_PAIRS)
    train = min(n_train, MAX_TRAIN_PAIRS) or n // 2
    compared = n if n_train else n - train
    reading = expected_seconds(compared, max(dim_a, dim_b), operations_per_second=per_second)
    near = n * n * (4 * (dim_a + dim_b) + _PER_SCORE)
    fitted = _PER_CUBED_COLUMN * min(max(dim_a, dim_b), train) ** 3 + 4 * train * dim_a * dim_b
    shuffles = _PER_LINK_SHUFFLED * n * N_NEIGHBOURS + _PER_ENTRY_SHUFFLED * min(n, GRAM_ROWS) ** 2
    return reading + _OVERHEAD * (near + fitted) / per_second + N_PERMUTATIONS * shuffles
