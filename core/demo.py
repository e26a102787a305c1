"""The two controls of the demo: pair every row with a stranger, or add a shared direction.

Shuffling keeps every row and breaks every pair. The raw mean cosine hardly moves where
anisotropy is high; the gap, the centred mean and the ranks fall to chance.

Adding a direction puts one more coordinate of size c on every unit row, the same for all,
and makes the rows unit length again. Every cosine s becomes (s + c^2) / (1 + c^2): matched
and unrelated ones climb together towards 1, in the same order. All rows are stretched
alike and the new coordinate is the same everywhere, so subtracting the mean takes it out
whole: ranks and the centred reading stay exactly as they were.

`compare` scores all n^2 pairs of the demo's few hundred rows once; after that neither
control costs more than O(n), because a shuffle only picks other scores out of the same
table, and a direction moves all of them by one straight line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.anisotropy import anisotropy
from core.errors import SettingsError
from core.floor import derangements
from core.formats.loaded import RealArray
from core.histogram import Histogram, cosine_counts
from core.ranks import TIE
from core.rows import UnitRows, row_blocks

__all__ = [
    "Comparison",
    "PairedUp",
    "ScoreTable",
    "Standing",
    "add_direction",
    "compare",
    "raised",
    "score_table",
    "strangers",
]

Float64Array = NDArray[np.float64]

#: Bins that are to cover the cosines of a table, about: 400 matched pairs still fill them.
_BINS_DRAWN = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedUp:
    """One reading under one pairing of the rows.

    Attributes
    ----------
    matched_mean
        Mean cosine of the n pairs as they are lined up.
    floor_mean
        Mean cosine of all other n(n-1) pairs.
    partner_first
        Expected share of rows of A whose partner of this pairing ranks first.
    edges
        (k + 1,) bin edges, equally spaced.
    matched, unrelated
        (k,) share of the n, and of the n(n-1), cosines in each bin.
    """

    matched_mean: float
    floor_mean: float
    partner_first: float
    edges: Float64Array
    matched: Float64Array
    unrelated: Float64Array

    @property
    def centres(self) -> Float64Array:
        """(k,) middles of the bins."""
        return (self.edges[:-1] + self.edges[1:]) / 2

    def with_direction(self, size: float) -> PairedUp:
        """The same once every row has a shared direction: a bin moves with its cosines. O(k)."""
        return replace(
            self,
            matched_mean=float(raised(np.array(self.matched_mean), size)),
            floor_mean=float(raised(np.array(self.floor_mean), size)),
            edges=raised(self.edges, size),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable:
    """Every cosine of one reading, and the sums that let a shuffle answer in O(n).

    Attributes
    ----------
    scores
        (n, n) float64, row i of A against row j of B.
    best
        (n,) highest score of each row.
    total
        Sum of all scores.
    histogram
        Counts with row i paired with row i, in bins wide enough to be drawn.
    """

    scores: Float64Array
    best: Float64Array
    total: float
    histogram: Histogram

    def paired_up(self, order: NDArray[np.int64]) -> PairedUp:
        """The reading with row i of A beside row ``order[i]`` of B, as an audit of those files has it."""
        n = len(order)
        own = self.scores[np.arange(n), order]
        matched = _counts(own, len(self.histogram.matched))
        unrelated = self.histogram.matched + self.histogram.unrelated - matched
        return PairedUp(
            matched_mean=float(own.mean()),
            floor_mean=(self.total - float(own.sum())) / (n * (n - 1)),
            partner_first=self._first(own),
            edges=self.histogram.edges,
            matched=matched / n,
            unrelated=unrelated / (n * (n - 1)),
        )

    def _first(self, own: Float64Array) -> float:
        """Share of rows that nothing beats, ties given their expected credit; only these rows are read."""
        first = np.flatnonzero(self.best <= own + TIE)
        level = np.abs(self.scores[first] - own[first, None]) <= TIE
        return float(np.sum(1 / np.count_nonzero(level, axis=1))) / len(own)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standing:
    """Everything the demo shows for one setting of its controls.

    Attributes
    ----------
    raw, centred
        The two readings.
    anisotropy
        Of A, the shared direction included.
    chance
        Share of partners ranked first by luck alone.
    """

    raw: PairedUp
    centred: PairedUp
    anisotropy: float
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Both readings of a small comparison, scored once.

    Attributes
    ----------
    raw, centred
        All scores; each side is centred on the mean of its own rows.
    anisotropy
        Of A.
    """

    raw: ScoreTable
    centred: ScoreTable
    anisotropy: float

    @property
    def n(self) -> int:
        return len(self.raw.best)

    def standing(self, *, shuffle: int = 0, size: float = 0.0) -> Standing:
        """The figures under the demo's controls, in O(n).

        Parameters
        ----------
        shuffle : int
            0 for the true pairs, else the seed of a pairing of strangers.
        size : float
            Of the added direction, against rows of length 1; 0 for none. It moves the raw
            cosines and the anisotropy. The centred reading and the ranks are those without
            it: the audit of the widened rows has the same.

        Raises
        ------
        SettingsError
            A negative or infinite size.
        """
        order = strangers(self.n, np.random.default_rng(shuffle)) if shuffle else np.arange(self.n)
        return Standing(
            raw=self.raw.paired_up(order).with_direction(size),
            centred=self.centred.paired_up(order),
            anisotropy=float(raised(np.array(self.anisotropy), size)),
            chance=1 / self.n,
        )


def compare(a: RealArray, b: RealArray) -> Comparison:
    """Score every pair of a small comparison, raw and centred.

    Parameters
    ----------
    a, b : (n, d) real array
        Sides with rows that have a direction, also less their mean. The result holds
        2 n^2 float64: for the demo's few hundred rows, not for an upload. Time O(n^2 d).
    """
    raw_a, raw_b = UnitRows(a), UnitRows(b)
    mean_a, mean_b = raw_a.mean_row(), raw_b.mean_row()
    return Comparison(
        raw=score_table(raw_a, raw_b),
        centred=score_table(UnitRows(a, mean_a.mean), UnitRows(b, mean_b.mean)),
        anisotropy=anisotropy(mean_a),
    )


def score_table(a: UnitRows, b: UnitRows) -> ScoreTable:
    """Every cosine of one reading, (n, n) float64. Time O(n^2 d)."""
    n, _ = a.shape
    scores = np.empty((n, n))
    for block in row_blocks(n, n):
        scores[block] = a[block] @ b[:].T
    matched, every = cosine_counts(scores.diagonal()), cosine_counts(scores)
    fine = Histogram(matched=matched, unrelated=every - matched)
    return ScoreTable(
        scores=scores,
        best=scores.max(axis=1),
        total=float(scores.sum()),
        histogram=fine.merged(_drawn_factor(fine)),
    )


def strangers(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(n,) an order of B in which no row of A meets its partner; n >= 2."""
    return next(derangements(n, 1, rng))


def add_direction(units: Float64Array, size: float) -> Float64Array:
    """Unit rows with one more coordinate of equal size, unit length again.

    Parameters
    ----------
    units : (n, d) float64
        Unit rows.
    size : float
        c >= 0, against the rows' length of 1.

    Returns
    -------
    (n, d + 1) float64
        ``(u, c) / sqrt(1 + c^2)``: one factor for all rows, so no angle between rows less
        their mean changes.

    Raises
    ------
    SettingsError
        A negative or infinite size.
    """
    _size(size)
    widened = np.empty((len(units), units.shape[1] + 1))
    widened[:, :-1] = units
    widened[:, -1] = size
    widened /= math.sqrt(1 + size * size)
    return widened


def raised(cosines: Float64Array, size: float) -> Float64Array:
    """What cosines become when `add_direction` is applied to both sides: (s + c^2) / (1 + c^2).

    Written as 1 - (1 - s) / (1 + c^2), which keeps 1 at 1 and the order of the cosines.
    A straight line, so a mean of cosines becomes the mean of what they become.
    """
    _size(size)
    if size == 0:
        return cosines  # to the last bit, so that no control at rest changes a figure
    lifted: Float64Array = 1 - (1 - cosines) / (1 + size * size)
    return lifted


def _counts(cosines: Float64Array, n_bins: int) -> NDArray[np.int64]:
    fine = cosine_counts(cosines)
    counts: NDArray[np.int64] = fine.reshape(n_bins, -1).sum(axis=1)
    return counts


def _drawn_factor(fine: Histogram) -> int:
    """How many fine bins make one drawn bin, so that about `_BINS_DRAWN` cover the cosines."""
    low, high = fine.occupied
    occupied = (high - low) / float(fine.edges[1] - fine.edges[0])
    return next(factor for factor in (8, 5, 4, 2, 1) if factor == 1 or occupied / factor >= _BINS_DRAWN)


def _size(size: float) -> None:
    if not (0 <= size < math.inf):
        raise SettingsError(f"the size of the added direction is {size}; it must be 0 or more", remedy="Use 0 for none")
