"""One reading of plain arrays, as the measures of inference take it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.groups import groups_from_ids
from core.mean_shift import mean_shifts
from core.means import fit_means
from core.pair_sums import pair_sums
from core.rows import UnitRows

VECTORS = Path(__file__).parent / "vectors"

#: Both ways to the same sums: from the score matrix, and in closed form.
WAYS = {"score matrix": 10_000, "closed form": 0}


def vector(name):
    """Both sides of a stored test vector."""
    return np.load(VECTORS / f"{name}_a.npy"), np.load(VECTORS / f"{name}_b.npy")


class Reading:
    """Sides, their means, and the sums of one reading."""

    def __init__(
        self, a, b, kind="raw", *, fit_a=None, fit_b=None, means=None, labels=None, way="score matrix", **options
    ):
        raw_a, raw_b = UnitRows(np.asarray(a)), UnitRows(np.asarray(b))
        self.a, self.b, self.means = raw_a, raw_b, means
        if kind != "raw":
            self.means = means or fit_means(raw_a.mean_row(), raw_b.mean_row(), fit_a, fit_b, shared=kind == "shared")
            self.a, self.b = UnitRows(raw_a.stored, self.means.a), UnitRows(raw_b.stored, self.means.b)
        self.mean_a, self.mean_b = self.a.mean_row(), self.b.mean_row()
        self.groups = None if labels is None else groups_from_ids(labels, len(a))
        self.sums = pair_sums(
            self.a,
            self.b,
            self.mean_a,
            self.mean_b,
            groups=self.groups,
            pull=kind != "raw",
            full_matrix_pairs=WAYS[way],
            **options,
        )
        self.shifts = mean_shifts(self.a, self.b, self.means, self.sums) if self.means else None


def clustered(rng, n, dim=8, *, clusters=3, spread=0.5):
    """A pair in uneven clusters, away from the origin: where a moving mean matters most."""
    centres = 3 * rng.standard_normal((clusters, dim))
    shares = np.arange(clusters, 0, -1.0)
    labels = rng.choice(clusters, size=n, p=shares / shares.sum())
    a = centres[labels] + spread * rng.standard_normal((n, dim)) + 1
    return a, a + spread * rng.standard_normal((n, dim))
