"""Figures of a reading and their jackknife errors, refitted from scratch without each group.

Everything from the score matrix of the rows that are left, means fitted anew: O(n^3 d) in
all, and no line of `core` in it.
"""

from __future__ import annotations

import numpy as np

from tests.oracle import unit


def centred(a, b, kind, fit_a=None, fit_b=None):
    """Unit rows of both sides; `kind` is "raw", "own" or "shared"."""
    ua, ub = unit(a), unit(b)
    if kind == "raw":
        return ua, ub
    rows_a = ua if fit_a is None else unit(fit_a)
    rows_b = ub if fit_b is None else unit(fit_b)
    if kind == "shared":
        rows_a = rows_b = np.vstack([rows_a, rows_b])
    return unit(ua - rows_a.mean(axis=0)), unit(ub - rows_b.mean(axis=0))


def figures(a, b, kind="raw", labels=None, **fit):
    """matched, floor, gap, gap/sd, d, with the floor over pairs of different groups."""
    ua, ub = centred(a, b, kind, **fit)
    scores = ua @ ub.T
    labels = np.arange(len(a)) if labels is None else np.asarray(labels)
    floor = scores[labels[:, None] != labels[None, :]]
    own = np.diag(scores)
    gap = own.mean() - floor.mean()
    return np.array([own.mean(), floor.mean(), gap, gap / floor.std(), gap / np.sqrt((own.var() + floor.var()) / 2)])


def figures_without(a, b, kind="raw", labels=None, **fit):
    """(G, 5) the same without each group."""
    labels = np.arange(len(a)) if labels is None else np.asarray(labels)
    return np.array(
        [
            figures(a[labels != group], b[labels != group], kind, labels[labels != group], **fit)
            for group in dict.fromkeys(labels.tolist())
        ]
    )


def errors(a, b, kind="raw", labels=None, **fit):
    """(5,) jackknife standard errors."""
    values = figures_without(a, b, kind, labels, **fit)
    count = len(values)
    return np.sqrt((count - 1) / count * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
