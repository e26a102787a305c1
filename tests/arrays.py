"""Small inputs for the tests: arrays wrapped as files, and pairs that look like embeddings."""

from __future__ import annotations

import io

import numpy as np

import core


def npy_bytes(array):
    """The bytes of the .npy file that holds an array."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def inspected(array, name="a.npy"):
    """An array as the audit receives it: saved, read back and inspected."""
    return core.load(npy_bytes(np.asarray(array)), name)


def audited(a, b, fit_a=None, fit_b=None, *, groups=None, keep_rows=False, n_workers=None, progress=None, **settings):
    """Audit plain arrays."""
    return core.audit(
        inspected(a, "a.npy"),
        inspected(b, "b.npy"),
        None if fit_a is None else inspected(fit_a, "fit_a.npy"),
        None if fit_b is None else inspected(fit_b, "fit_b.npy"),
        settings=core.AuditSettings(**settings),
        groups=groups,
        keep_rows=keep_rows,
        n_workers=n_workers,
        progress=progress,
    )


def related_pair(rng, n=40, dim=8, *, drift=1.5, noise=0.7):
    """Two noisy views of the same n things, pushed `drift` along one shared direction."""
    things = rng.standard_normal((n, dim))
    things[:, 0] += drift
    return (
        things + noise * rng.standard_normal((n, dim)),
        things + noise * rng.standard_normal((n, dim)),
    )


def random_rotation(rng, dim):
    """A random orthogonal matrix."""
    return np.linalg.qr(rng.standard_normal((dim, dim)))[0]


def cone(rng, n, dim, width):
    """Rows that all point almost the same way: their cosines differ by about width squared."""
    rows = width * rng.standard_normal((n, dim))
    rows[:, 0] = 1.0
    return rows
