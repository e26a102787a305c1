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

from core.limits import (
    EXACT_SWEEP_ROWS,
    FULL_MATRIX_PAIRS,
    GRAM_ROWS,
    MAX_TRAIN_PAIRS,
    MAX_TWO_MODEL_PAIRS,
    ROW_BLOCK_ELEMENTS,
)
from core.neighbours import N_NEIGHBOURS
from core.spaces import N_PERMUTATIONS
from core.sweep.workers import blas_on_one_thread, usable_cores

__all__ = ["expected_seconds", "expected_two_models_seconds", "speed"]

#: Rows and columns of the square product that is timed (about half a millisecond), and the
#: seconds after which no other is begun. The fastest counts: the first ones wake BLAS up,
#: and others may share the core.
_SIZE = 256
_CALIBRATION_SECONDS = 0.03

#: What a score costs beside its product, in operations: comparing, binning, summing.
_PER_SCORE = 400

#: What a number of a row costs to be read, made unit length and centred, in operations.
_PER_NUMBER = 400

#: The same to be fetched for a derangement.
_PER_PAIRED_NUMBER = 30

#: Reading memory, waiting for the last block, other programs: nothing runs at the speed of
#: a product in cache.
_OVERHEAD = 1.5

#: Passes over the matrix of all scores of few pairs: both readings, scores and pulls
#: of both means, each with copies.
_MATRIX_PASSES = 8

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


@cache
def speed() -> float:
    """Operations a second of float32 products here: of one core, timed once in this process, times the cores."""
    square = np.ones((_SIZE, _SIZE), np.float32)
    best = np.inf
    with blas_on_one_thread:
        begun = time.perf_counter()
        while (started := time.perf_counter()) < begun + _CALIBRATION_SECONDS:
            square @ square
            best = min(best, time.perf_counter() - started)
    return usable_cores() * 2 * _SIZE**3 / max(best, 1e-9)


def expected_seconds(
    n: int,
    dim: int,
    *,
    n_candidates: int | None = None,
    n_derangements: int = 20,
    operations_per_second: float | None = None,
) -> float:
    """Seconds an audit of two (n, dim) files is expected to take.

    Parameters
    ----------
    n_candidates : int, optional
        Candidates of each row; `None`, or n and more, for all rows.
    operations_per_second : float, optional
        By default `speed` of this machine.

    Notes
    -----
    (2 d + c) n^2 operations for all scores, twice (2 d + c) n M with a pool and 8 n d^2 more
    for the closed-form spread in float64 (twice as slow); O(n d) for the rest.
    """
    per_second = speed() if operations_per_second is None else operations_per_second
    whole = n_candidates is None or n_candidates >= n
    per_score = 2 * dim + _PER_SCORE
    scores = n * n if whole or n_candidates is None else 2 * n * n_candidates
    small = n <= EXACT_SWEEP_ROWS
    operations = scores * per_score * (_EXACT_FACTOR if small else _TIED_FACTOR if dim == 1 else 1)
    operations += 0 if whole else 16 * n * dim**2
    operations += n * dim * (_PER_NUMBER + n_derangements * _PER_PAIRED_NUMBER)
    if n <= FULL_MATRIX_PAIRS:  # rows too wide for one block are made ready again for each block of the other side
        again = math.ceil(n / max(1, ROW_BLOCK_ELEMENTS // dim)) - 1
        operations += _MATRIX_PASSES * again * n * dim * _PER_NUMBER
    return _OVERHEAD * operations / per_second + (0.0 if small else _LOADING_SECONDS)


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
