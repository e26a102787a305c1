"""The oracle of the sweep's tests: both n by n score matrices, formed whole in float64."""

from dataclasses import dataclass

import numpy as np

TIE = 1e-12

#: A float64 margin this close to the tie bound may fall either way.
LEEWAY = 1e-14


def unit(rows):
    """Unit rows, by another route than the product's."""
    rows = np.asarray(rows, dtype=np.float64)
    rows = rows / np.abs(rows).max(axis=1, keepdims=True)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def own_means(a, b):
    return unit(a).mean(axis=0), unit(b).mean(axis=0)


@dataclass
class Whole:
    """All scores of one reading. `rounding` is what rounding of the unit rows leaves of one."""

    scores: np.ndarray
    rounding: float

    @classmethod
    def of(cls, a, b, means=None):
        u, v = unit(a), unit(b)
        if means is None:
            return cls(u @ v.T, 5e-15)
        u, v = u - means[0], v - means[1]
        shortest = min(np.linalg.norm(u, axis=1).min(), np.linalg.norm(v, axis=1).min())
        return cls(unit(u) @ unit(v).T, 5e-15 / shortest)

    @property
    def own(self):
        return np.diag(self.scores)

    @property
    def others(self):
        return ~np.eye(len(self.scores), dtype=bool)

    @property
    def unrelated(self):
        return self.scores[self.others]

    def better(self, axis, shift=0.0, meet=True):
        """Others above the own cosine by more than TIE + shift: along rows (1) or columns (0)."""
        own = self.own[:, None] if axis == 1 else self.own[None, :]
        return ((self.scores - own > TIE + shift) & self.others & meet).sum(axis=axis)

    def near(self, axis, shift=0.0, meet=True):
        own = self.own[:, None] if axis == 1 else self.own[None, :]
        return ((np.abs(self.scores - own) <= TIE + shift) & self.others & meet).sum(axis=axis)

    def best_others(self, meet=True):
        scores = np.where(self.others & meet, self.scores, -np.inf)
        best = scores.max(axis=1)
        return best, (scores >= best[:, None] - TIE).argmax(axis=1)


def assert_counts(found, whole, meet=True):
    """Better and tied counts of a reading are those of the whole matrix, within its leeway."""
    for axis, better, tied in (
        (1, found.better_a_to_b, found.tied_a_to_b),
        (0, found.better_b_to_a, found.tied_b_to_a),
    ):
        meet_here = meet if axis == 1 or meet is True else meet.T
        assert np.all(whole.better(axis, LEEWAY, meet_here) <= better)
        assert np.all(better <= whole.better(axis, -LEEWAY, meet_here))
        assert np.all(whole.near(axis, -LEEWAY, meet_here) <= tied)
        assert np.all(tied <= whole.near(axis, LEEWAY, meet_here))
