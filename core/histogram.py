"""Counts of cosines in equal bins over [-1, 1]: the data of the overlaid histograms.

The page and the reports draw from these counts; they never receive the cosines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.limits import HISTOGRAM_BINS

__all__ = ["Histogram", "bin_places", "cosine_counts", "nearest_edge"]

#: Cosines binned at a time: what is made of them stays in cache (256 kB).
COUNTED_AT_ONCE = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Matched and unrelated cosines of one reading, counted in the same bins.

    Attributes
    ----------
    matched
        (k,) counts of the n matched cosines; they sum to n.
    unrelated
        (k,) counts of the n(n-1) unrelated cosines; they sum to n(n-1), or to
        the pairs scored with a pool of candidates.
    """

    matched: NDArray[np.int64]
    unrelated: NDArray[np.int64]

    @property
    def edges(self) -> NDArray[np.float64]:
        """(k + 1,) bin edges, equally spaced from -1 to 1."""
        return np.linspace(-1.0, 1.0, len(self.matched) + 1)

    @property
    def bin_width(self) -> float:
        """Width of each bin."""
        return 2.0 / len(self.matched)

    def merged(self, factor: int) -> Histogram:
        """The same counts in bins `factor` times as wide; `factor` divides the bins."""
        return Histogram(
            matched=self.matched.reshape(-1, factor).sum(axis=1),
            unrelated=self.unrelated.reshape(-1, factor).sum(axis=1),
        )

    @property
    def occupied(self) -> tuple[float, float]:
        """Lowest and highest edge of the bins that hold any cosine."""
        used = np.flatnonzero(self.matched + self.unrelated)
        return float(self.edges[used[0]]), float(self.edges[used[-1] + 1])


def cosine_counts(cosines: NDArray[np.float64]) -> NDArray[np.int64]:
    """Counts of cosines in `HISTOGRAM_BINS` bins; rounding above 1 falls in the last bin."""
    counts = np.zeros(HISTOGRAM_BINS, np.int64)
    flat = cosines.ravel()
    for start in range(0, len(flat), COUNTED_AT_ONCE):
        counts += np.bincount(bin_places(flat[start : start + COUNTED_AT_ONCE]), minlength=HISTOGRAM_BINS)
    return counts


def bin_places(cosines: NDArray[np.float64]) -> NDArray[np.int64]:
    """The bin of each cosine, from 0."""
    places = cosines + 1.0
    places *= HISTOGRAM_BINS / 2
    np.floor(places, out=places)
    np.clip(places, 0, HISTOGRAM_BINS - 1, out=places)
    return places.astype(np.int64)


def nearest_edge(cosine: float) -> int:
    """The bin that begins at an edge; the number of bins for 1."""
    return round((cosine + 1.0) * HISTOGRAM_BINS / 2)
