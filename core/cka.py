"""Debiased linear CKA: do two sets of rows have the same inner geometry?

It compares the cosines *within* A to the cosines *within* B, so it needs no map between
the spaces and no common width. 1 for rotated copies of the same rows, 0 in expectation
for unrelated rows. The usual (biased) CKA is not built: it reads .89 on unrelated rows
when there are fewer rows than columns.

Symbols: X, Y unit rows less their column means, (n, d_a) and (n, d_b); k_i = |x_i|^2,
l_i = |y_i|^2. The unbiased HSIC with linear kernels is

    h(X, Y) = [ |X'Y|^2 - n/(n-2) sum k_i l_i + (sum k)(sum l) / ((n-1)(n-2)) ] / (n (n-3))

(Song et al. 2012, "Feature selection via dependence maximization", eq. 5, where centring
leaves the kernels' row sums at -k and -l) and CKA = h(X, Y) / sqrt(h(X, X) h(Y, Y)).
|X'Y|^2 is <XX', YY'> as well: whichever of d_a d_b and n^2 is smaller decides, and the
n-by-n form is taken in blocks.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.floor import NO_SPREAD
from core.formats.loaded import RealArray
from core.limits import GRAM_ROWS, SCORE_BLOCK_ELEMENTS
from core.permutation_null import PermutationNull, orders, permutation_null
from core.products import product
from core.rows import UnitRows, row_blocks
from core.sweep import Progress
from core.ticks import Tick, each, no_tick, step_of

__all__ = ["MIN_CKA_ROWS", "cka_null", "debiased_cka"]

Float64Array = NDArray[np.float64]

#: The unbiased HSIC divides by n - 3.
MIN_CKA_ROWS = 4

#: h(X, X) below this share of the terms it is left of is their rounding: all rows of the
#: side are equally far apart, and there is no geometry to compare.
NO_GEOMETRY = 64 * float(np.finfo(np.float64).eps)


def debiased_cka(
    a: RealArray, b: RealArray, *, block_elements: int = SCORE_BLOCK_ELEMENTS, tick: Tick = no_tick
) -> float | None:
    """Debiased linear CKA of two sides.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        Stored rows, finite and not zero, n >= 4; row i belongs with row i.
    block_elements : int
        Inner products held at a time in the n-by-n form; the result does not depend on it.

    Returns
    -------
    float or None
        In [-1, 1]; `None` where a side has no geometry: all its rows are equally far apart.

    Notes
    -----
    Time O(n d_a d_b) or O(n^2 d), memory O(n d). float64.
    """
    x, y = _centred(a, tick), _centred(b, tick)
    own_x, own_y = _own_hsic(x, block_elements, tick), _own_hsic(y, block_elements, tick)
    if own_x == 0 or own_y == 0:
        return None
    return min(max(_hsic(x, y, block_elements, tick) / math.sqrt(own_x * own_y), -1.0), 1.0)


def cka_null(
    a: RealArray,
    b: RealArray,
    *,
    n_permutations: int,
    rng: np.random.Generator,
    n_rows: int = GRAM_ROWS,
    apart: float = 0.0,
    progress: Progress | None = None,
) -> PermutationNull | None:
    """Debiased CKA when the rows of one side are shuffled.

    Parameters
    ----------
    a, b : (n, d_a), (n, d_b) real arrays
        As for `debiased_cka`.
    n_permutations : int
        Shuffles drawn.
    n_rows : int
        At most so many rows, drawn from `rng`, are used.
    apart : float
        Share of the file. Above 0 the rows of one side are not shuffled but moved along together round the end,
        by every amount (or `n_permutations` of them), and only pairs of rows at least so far apart, round the end,
        are held against each other: nearer ones are alike on both sides whatever links them.
    progress : callable, optional
        Called with (done, total, message) before the first and each shuffle.

    Returns
    -------
    PermutationNull or None
        `None` where CKA is undefined on those rows.

    Notes
    -----
    The U-centred inner products U, V of both sides are formed once; a shuffle reorders V,
    and the sum of their products is all that changes. Time O(n_rows^2 (d + n_permutations)).
    """
    if len(a) > n_rows:
        chosen = np.sort(rng.choice(len(a), size=n_rows, replace=False))
        a, b = a[chosen], b[chosen]
    tick = step_of(progress, 0, n_permutations, "Shuffling CKA")
    x, y = _centred(a, tick), _centred(b, tick)
    if _own_hsic(x, SCORE_BLOCK_ELEMENTS, tick) == 0 or _own_hsic(y, SCORE_BLOCK_ELEMENTS, tick) == 0:
        return None
    n = len(x)
    tick()
    far = max(1, int(n * apart))
    u, v = (_u_centred(x), _u_centred(y)) if apart == 0 else (_centred_far_apart(x, far), _centred_far_apart(y, far))
    scale = float(np.linalg.norm(u) * np.linalg.norm(v))
    if scale <= NO_SPREAD:
        return None
    count, drawn = orders(n, n_permutations, rng, moved=apart > 0)
    shuffled, by_row, reordered = np.empty(count), np.empty_like(v), np.empty_like(v)
    for k, order in enumerate(drawn):
        if progress is not None:
            progress(k, count, "Shuffling CKA")
        # Into the same memory each time: fresh arrays take more than twice as long.
        v.take(order, axis=0, out=by_row, mode="clip")
        by_row.take(order, axis=1, out=reordered, mode="clip")
        shuffled[k] = float(np.vdot(u, reordered)) / scale
    return permutation_null(float(np.vdot(u, v)) / scale, shuffled, n_rows=n)


def _centred(rows: RealArray, tick: Tick) -> Float64Array:
    """(n, d) unit rows less their column means."""
    units = UnitRows(rows)
    tick()
    whole = units[:]
    whole -= units.mean_row(tick).mean
    return whole


def _hsic(x: Float64Array, y: Float64Array, block_elements: int, tick: Tick) -> float:
    """h(X, Y) above."""
    n = len(x)
    k, m = np.einsum("ij,ij->i", x, x), np.einsum("ij,ij->i", y, y)
    rest = float(k.sum()) * float(m.sum()) / ((n - 1) * (n - 2)) - n / (n - 2) * float(k @ m)
    return (_cross_square(x, y, block_elements, tick) + rest) / (n * (n - 3))


def _own_hsic(x: Float64Array, block_elements: int, tick: Tick) -> float:
    """h(X, X), exactly 0 where only rounding is left of it."""
    n = len(x)
    lengths = np.einsum("ij,ij->i", x, x)
    if float(lengths.max()) <= NO_SPREAD**2:
        return 0.0
    terms = _cross_square(x, x, block_elements, tick) + float(lengths @ lengths)
    own = _hsic(x, x, block_elements, tick)
    return own if own * n * (n - 3) > NO_GEOMETRY * terms else 0.0


def _cross_square(x: Float64Array, y: Float64Array, block_elements: int, tick: Tick) -> float:
    """|X'Y|^2 in the cheaper of its two forms."""
    n = len(x)
    tick()
    if x.shape[1] * y.shape[1] <= n * (x.shape[1] + y.shape[1]):
        cross = product(x.T, y, tick)
        return float(np.vdot(cross, cross))
    blocks = each(row_blocks(n, n, elements=block_elements), tick)
    return sum(float(np.vdot(product(x[block], x.T), product(y[block], y.T))) for block in blocks)


def _centred_far_apart(x: Float64Array, apart: int) -> Float64Array:
    """(n, n) inner products of rows at least `apart` from each other round the end, less row and column effects.

    The others are 0, and rows sum to 0 over what is left: the least squares fit of one number a row.
    """
    n = len(x)
    steps = (np.arange(n)[:, None] - np.arange(n)[None, :]) % n
    kept = np.minimum(steps, n - steps) >= apart
    inner = (x @ x.T) * kept
    effects = np.linalg.solve(np.diag(kept.sum(axis=1)) + kept, inner.sum(axis=1))
    inner -= effects[:, None]
    inner -= effects[None, :]
    inner *= kept
    return np.asarray(inner, dtype=np.float64)


def _u_centred(x: Float64Array) -> Float64Array:
    """(n, n) U-centred inner products (Székely & Rizzo 2014): zero diagonal, rows sum to 0."""
    n = len(x)
    inner = x @ x.T
    np.fill_diagonal(inner, 0.0)
    sums = inner.sum(axis=1)
    inner -= (sums / (n - 2))[:, None]
    inner -= (sums / (n - 2))[None, :]
    inner += sums.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(inner, 0.0)
    return inner
