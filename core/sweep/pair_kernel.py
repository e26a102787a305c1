"""The compiled sums over pairs of rows: to settle what a tile of float32 scores leaves open.

Each step is sharper and slower than the one before: float64 sums over float32 rows, then
float64 sums over the stored rows.
"""

# mypy: allow-untyped-defs

from __future__ import annotations

import numpy as np

from core.sweep.compiled import compiled, sums_compiled

__all__ = ["exact_pairs", "paired_dots", "settle"]

RAW, CENTRED = 0, 1


@sums_compiled
def _dot(x, y):
    """Inner product of two float32 rows, summed in float64."""
    total = 0.0
    for k in range(x.shape[0]):
        total += np.float64(x[k]) * np.float64(y[k])
    return total


@compiled
def paired_dots(rows_a, rows_b, pairs):
    """(p,) float64 inner products of float32 rows ``rows_a[pairs[:, 0]], rows_b[pairs[:, 1]]``."""
    products = np.empty(pairs.shape[0])
    for p in range(pairs.shape[0]):
        products[p] = _dot(rows_a[pairs[p, 0]], rows_b[pairs[p, 1]])
    return products


@compiled
def settle(questions, kinds, found, rows_a, rows_b, row_facts, column_facts, bounds, better_row, better_column, left):
    """Answer the open questions of a tile with float64 sums over the float32 rows.

    Parameters
    ----------
    questions, kinds, found
        As `core.sweep.tile_kernel.tally_tile` left them.
    rows_a, rows_b : (m, d), (w, d) float32
        Centred unit rows of the tile.
    row_facts, column_facts : (m, 4), (w, 4) float64
        As for `core.sweep.tile_kernel.set_thresholds`.
    bounds : (4,) float64
        Constant of the raw score; error bound of a centred score, and of a raw one beyond
        the centred one times both lengths; the tie bound.
    better_row, better_column : (2, m), (2, w) int64
        Written to.
    left : (l, 3) int64
        Written to: row, column and kinds of what is still open.

    Returns
    -------
    int
        Questions in `left`, or -1 if it ran full.
    """
    constant, error_centred, error_raw, tie = bounds
    n_left = 0
    for at in range(found[0]):
        i, j, kind = questions[at, 0], questions[at, 1], kinds[at]
        product = _dot(rows_a[i], rows_b[j])
        scale = row_facts[i, 0] * column_facts[j, 0]
        raw = product * scale + row_facts[i, 1] + column_facts[j, 1] + constant
        still = 0
        for reading in range(2):
            score = raw if reading == RAW else product
            error = scale * error_centred + error_raw if reading == RAW else error_centred
            for side in range(2):
                bit = 1 << (reading + 2 * side)
                if kind & bit:
                    own = row_facts[i, 2 + reading] if side == 0 else column_facts[j, 2 + reading]
                    if score - own > tie + error:
                        if side == 0:
                            better_row[reading, i] += 1
                        else:
                            better_column[reading, j] += 1
                    elif score - own >= -(tie + error):
                        still |= bit
        if still:
            if n_left >= left.shape[0]:
                return -1
            left[n_left, 0], left[n_left, 1], left[n_left, 2] = i, j, still
            n_left += 1
    return n_left


@sums_compiled
def _exact_pair(x, y, scale_x, scale_y, mean_x, mean_y):
    raw, centred = 0.0, 0.0
    for k in range(x.shape[0]):
        u, v = x[k] * scale_x, y[k] * scale_y
        raw += u * v
        centred += (u - mean_x[k]) * (v - mean_y[k])
    return raw, centred


@compiled
def exact_pairs(x, y, scale_x, scale_y, mean_x, mean_y, lengths):
    """(p, 2) float64 raw and centred cosines of rows ``x[p]`` and ``y[p]``.

    Parameters
    ----------
    x, y : (p, d) float64
        Stored rows, scaled by a power of two so that nothing overflows.
    scale_x, scale_y : (p,) float64
        One over their norms.
    mean_x, mean_y : (d,) float64
        What the unit rows are centred on.
    lengths : (p,) float64
        Product of the lengths the two rows have after centring.
    """
    cosines = np.empty((x.shape[0], 2))
    for p in range(x.shape[0]):
        raw, centred = _exact_pair(x[p], y[p], scale_x[p], scale_y[p], mean_x, mean_y)
        cosines[p, RAW] = raw
        cosines[p, CENTRED] = centred / lengths[p]
    return cosines
