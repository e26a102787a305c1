"""How long an audit will take on this machine, before it starts.

Two things are known: how many multiplications there are, and how fast this machine does
them, which one small product tells. And where scores are so close to each other that float32
cannot tell them apart, which a few rows show, most of the pass is done in float64. The estimate
is right within a factor of two on an idle machine for rows of the usual kind, and within one of
three or so for those; it is there to choose between waiting and a pool of candidates.

Symbols: n rows of d columns, M candidates, v multiplications and additions a second.
"""

from __future__ import annotations

import math
import time
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.alarm import pairs_looked_at
from core.formats.ids import GroupIds
from core.inspection import Inspection
from core.limits import (
    ALARM_MAX_DIM,
    DRAWN_PERMUTATIONS,
    EXACT_SWEEP_ROWS,
    FULL_MATRIX_PAIRS,
    GRAM_ROWS,
    MAX_TRAIN_PAIRS,
    MAX_TWO_MODEL_PAIRS,
    OFFERED_SHARE,
    ROW_BLOCK_ELEMENTS,
    SCATTER_COLUMNS,
)
from core.memory import leave_room
from core.neighbours import N_NEIGHBOURS
from core.rows import UnitRows
from core.settings import AuditSettings
from core.spaces import N_PERMUTATIONS
from core.sweep.bounds import centred_bound, settled_bound
from core.sweep.workers import blas_on_one_thread, cores, usable_cores, workers

__all__ = [
    "expected_audit_seconds",
    "expected_count_seconds",
    "expected_seconds",
    "expected_two_models_seconds",
    "pool_pays",
    "speed",
    "too_close",
]

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

#: A score that is done in float64, and asked about before, beside its products.
_PER_EXACT_SCORE = 6_000

#: Pairs of rows whose scores show whether float32 can tell them apart; the shares of open scores, and of
#: scores that float64 sums leave open too, above which a tile is done in float64 (`core.sweep.fast_tiles`).
_LOOKED_AT = 128
_OPEN_SHARE = 1 / 8
_TIED_SHARE = 1 / 256

#: A pair that is counted for a claim, beside its product: its score is compared a few times, by one core.
_PER_COUNTED = 1_200

#: Two rows of one group: both are scored and compared in both readings and directions, in float64, by one core;
#: with so many more for each column. Ids that are looked at, in even steps, to know how many such pairs there are.
_PER_KIN, _PER_KIN_COLUMN = 6_000, 40
_IDS_LOOKED_AT = 50_000

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
    close: bool = False,
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
    close : bool
        Whether most scores are so, from `too_close`: the pass is then done in float64.
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
    small = n <= EXACT_SWEEP_ROWS
    per_score = 8 * dim + _PER_EXACT_SCORE if close and not small else 2 * dim + _PER_SCORE
    scores = n * n if whole or n_candidates is None else 2 * n * n_candidates
    slower = _EXACT_FACTOR if small else _TIED_FACTOR if dim == 1 and not close else 1
    operations: float = (1.0 if close else 1.0 + repeated) * scores * per_score * slower
    operations += 0 if whole else 16 * n * dim**2
    operations += _inference(n, dim)
    operations += n * dim * (_PER_NUMBER + n_derangements * _PER_PAIRED_NUMBER)
    if n <= FULL_MATRIX_PAIRS and dim > _USUAL_COLUMNS:  # rows are made ready again for each block of the other side
        again = math.ceil(n / max(1, ROW_BLOCK_ELEMENTS // dim)) - 1
        operations += _MATRIX_PASSES * again * n * dim * _PER_NUMBER
    alone = _OVERHEAD * min(usable_cores(), cores()) * _axes(n, dim) / per_second
    drawn = 2 * _PER_DRAWN * DRAWN_PERMUTATIONS * n if n <= FULL_MATRIX_PAIRS else 0.0
    return _OVERHEAD * operations / per_second + alone + drawn + (0.0 if small else _LOADING_SECONDS)


def expected_audit_seconds(
    a: Inspection,
    b: Inspection,
    settings: AuditSettings,
    *,
    close: bool | None = None,
    groups: GroupIds | None = None,
) -> float:
    """Seconds an audit of these files with these settings is expected to take.

    Parameters
    ----------
    groups : GroupIds, optional
        Which rows belong together: these are scored against each other once more.
    close : bool, optional
        Of `too_close`, where it is known; by default it is looked.
    """
    n, dim = a.loaded.shape
    kin = 0.0 if groups is None else _kin(groups)
    with workers(None):  # as many as this audit will have
        leave_room(n, dim, pooled=settings.pooled(n))
        return _OVERHEAD * kin * (_PER_KIN + _PER_KIN_COLUMN * dim) / _speed_of_a_core() + expected_seconds(
            n,
            dim,
            n_candidates=settings.candidates,
            n_derangements=settings.n_derangements,
            repeated=max(a.repeats.count, b.repeats.count) / max(n, 1),
            close=too_close(a, b) if close is None else close,
        )


def _kin(groups: GroupIds) -> float:
    """About how many ordered pairs of rows share a group, from some of the ids."""
    ids = groups.values
    some = ids[:: max(1, len(ids) // _IDS_LOOKED_AT)]
    _, sizes = np.unique(some, return_counts=True)
    return float(sizes @ sizes - len(some)) * (len(ids) / max(len(some), 1)) ** 2


def expected_count_seconds(n: int, dim: int, *, operations_per_second: float | None = None) -> float:
    """Seconds `core.claims.count_reach` is expected to take for all n^2 pairs: 4 d + c operations each, in float64."""
    per_second = speed() if operations_per_second is None else operations_per_second
    return _OVERHEAD * n * n * (4 * dim + _PER_COUNTED) / per_second


def pool_pays(whole: float, pool: float) -> bool:
    """Whether a pool is expected to take clearly fewer seconds than all rows: else it is a loss, and not offered."""
    return pool <= OFFERED_SHARE * whole


def too_close(a: Inspection, b: Inspection) -> bool:
    """Whether float32 cannot tell most scores of these files apart, as some of their rows show.

    Notes
    -----
    A tile of the pass is done in float64 where more than 1/8 of its scores lie within the bound of float32 of
    the own score of their row or column, or 1/256 within that of float64 sums over float32 rows. Scores of equal
    rows tie without being asked. The same shares are taken here over all scores of `_LOOKED_AT` pairs in
    even steps, centred on their own means. Time O(_LOOKED_AT^2 d); false where the files cannot be paired.
    """
    n, _ = a.loaded.shape
    if a.loaded.shape != b.loaded.shape:
        return False
    some = np.linspace(0, n - 1, min(n, _LOOKED_AT)).astype(np.intp)
    some = np.setdiff1d(some, np.union1d(a.unusable, b.unusable))
    if len(some) < 3:
        return False
    rows_a, rows_b = UnitRows(a.loaded.array)[some], UnitRows(b.loaded.array)[some]
    asked = ~(_equal(rows_a) | _equal(rows_b))
    bounds = centred_bound(a.loaded.shape[1]), settled_bound(a.loaded.shape[1])
    with blas_on_one_thread:
        open_, tied = (float(np.mean(_within(rows_a, rows_b, bound) & asked)) for bound in bounds)
    return open_ > _OPEN_SHARE or tied > _TIED_SHARE


def _equal(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(m, m) which rows are equal, each to itself too."""
    _, kinds = np.unique(rows, axis=0, return_inverse=True)
    return np.asarray(np.equal.outer(kinds.ravel(), kinds.ravel()))


def _within(a: NDArray[np.float64], b: NDArray[np.float64], bound: float) -> NDArray[np.bool_]:
    """(m, m) scores that a bound for unit rows leaves open, in either reading and direction."""
    about_a, about_b = a - a.mean(axis=0), b - b.mean(axis=0)
    lengths = np.multiply.outer(np.linalg.norm(about_a, axis=1), np.linalg.norm(about_b, axis=1))
    centred = about_a @ about_b.T / np.where(lengths > 0, lengths, 1.0)
    found = np.zeros(lengths.shape, dtype=np.bool_)
    for scores, widths in ((a @ b.T, bound * lengths), (centred, bound)):
        own = np.diag(scores)
        found |= np.minimum(np.abs(scores - own[:, None]), np.abs(scores - own)) <= widths
    return found


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
    rows, 2 (d_a + d_b) for each compared and train row in float32, the singular values of the map, and the shuffles.
    """
    per_second = speed() if operations_per_second is None else operations_per_second
    n = min(n, MAX_TWO_MODEL_PAIRS)
    train = min(n_train, MAX_TRAIN_PAIRS) or n // 2
    compared = n if n_train else n - train
    reading = expected_seconds(compared, max(dim_a, dim_b), operations_per_second=per_second)
    near = n * n * (4 * (dim_a + dim_b) + _PER_SCORE)
    near += compared * train * ((dim_a + dim_b) + _PER_SCORE)
    fitted = _PER_CUBED_COLUMN * min(max(dim_a, dim_b), train) ** 3 + 4 * train * dim_a * dim_b
    shuffles = _PER_LINK_SHUFFLED * n * N_NEIGHBOURS + _PER_ENTRY_SHUFFLED * min(n, GRAM_ROWS) ** 2
    return reading + _OVERHEAD * (near + fitted) / per_second + N_PERMUTATIONS * shuffles
