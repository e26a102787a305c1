"""The audit once more, the slow and plain way: one n×n matrix of cosines, written from the
definitions of the reference format and sharing no code with `core`.

Everything is a few lines of numpy that can be checked by eye; `dtype` may be
``numpy.longdouble`` to see spreads that float64 rounds away.
"""

from __future__ import annotations

import numpy as np


def unit(rows, dtype=np.float64):
    rows = np.asarray(rows).astype(dtype)
    return rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))


def mean_cosine_between_rows(units):
    """Anisotropy, from all ordered pairs of different rows."""
    scores = units @ units.T
    return scores[off_diagonal(len(units))].mean()


def off_diagonal(n):
    return ~np.eye(n, dtype=bool)


def drawn_derangements(n, count, seed):
    """``rng.permutation(n)``, redrawn until nobody is at home; one generator for all."""
    rng = np.random.default_rng(seed)
    kept = []
    while len(kept) < count:
        order = rng.permutation(n)
        if all(order[i] != i for i in range(n)):
            kept.append(order)
    return kept


def centred_sides(a, b, fit_a=None, fit_b=None, *, shared=False, dtype=np.float64):
    """Unit rows of both sides, the mean taken off, unit length again."""
    ua, ub = unit(a, dtype), unit(b, dtype)
    rows_a = ua if fit_a is None else unit(fit_a, dtype)
    rows_b = ub if fit_b is None else unit(fit_b, dtype)
    if shared:
        rows_a = rows_b = np.vstack([rows_a, rows_b])
    return unit(ua - rows_a.mean(axis=0), dtype), unit(ub - rows_b.mean(axis=0), dtype)


def against_floor(matched, floor):
    """Mean, gap and effect sizes of matched cosines against floor cosines, ddof 0."""
    gap = matched.mean() - floor.mean()
    pooled = np.sqrt((matched.var() + floor.var()) / 2)
    return {
        "matched": float(matched.mean()),
        "floor": float(floor.mean()),
        "gap": float(gap),
        "floor_sd": float(floor.std()),
        "gap_over_floor_sd": float(gap / floor.std()) if floor.std() > 0 else None,
        "cohens_d": float(gap / pooled) if pooled > 0 else None,
    }


def exact(units_a, units_b):
    """Against all n(n-1) unrelated pairs."""
    scores = units_a @ units_b.T
    return against_floor(np.diag(scores), scores[off_diagonal(len(scores))])


def permuted(units_a, units_b, orders):
    """Against the pooled scores of the given derangements."""
    scores = units_a @ units_b.T
    rows = np.arange(len(scores))
    return against_floor(np.diag(scores), np.concatenate([scores[rows, order] for order in orders]))


def first_shares(scores, tie=1e-12):
    """Optimistic, expected, pessimistic share of rows whose partner is first, and rows tied there."""
    optimistic = expected = pessimistic = tied = 0
    for i, row in enumerate(scores):
        others = [score for j, score in enumerate(row) if j != i]
        if any(score > row[i] + tie for score in others):
            continue
        equal = sum(abs(score - row[i]) <= tie for score in others)
        optimistic += 1
        expected += 1 / (1 + equal)
        pessimistic += equal == 0
        tied += equal > 0
    n = len(scores)
    return {"optimistic": optimistic / n, "expected": expected / n, "pessimistic": pessimistic / n, "tied": tied}
