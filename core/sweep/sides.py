"""Both sides made ready for the sweep: one pass over the stored rows.

The sweep multiplies *centred* rows c = u - mu in float32. A strong shared direction would
otherwise use up float32's seven digits: of two cosines of 0.99990 and 0.99991 the centred
product keeps the difference to seven digits, the plain one to three. The raw score comes
back through

    S_ij = u_i . v_j = |ca_i| |cb_j| Q_ij + ca_i . mu_b + cb_j . mu_a + mu_a . mu_b

with Q_ij the centred score, all but Q in float64. This holds for any mu_a and mu_b.

Memory: one float32 copy of both sides, and a block of float64 rows per worker. Small inputs,
which are swept in float64, keep their float64 rows instead of making them four times.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from core.formats.loaded import RealArray
from core.limits import EXACT_SWEEP_ROWS, READY_BLOCK_ELEMENTS, ROW_BLOCK_ELEMENTS, WHOLE_SCORES_ROWS
from core.rows import NO_LENGTH, MeanRow, row_blocks
from core.sweep.workers import Progress, Steps, blas_on_one_thread, in_order, usable_cores

__all__ = ["CENTRED", "RAW", "ReadySide", "ReadySides", "make_ready"]

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

#: First index of every array that holds both readings.
RAW, CENTRED = 0, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySide:
    """One side, and what the sweep must know of each of its rows.

    Attributes
    ----------
    stored
        (n, d) rows as read.
    mean
        (d,) mu, what the unit rows are centred on.
    exponents, scales
        (n,) a unit row is ``ldexp(x, -exponent) * scale``.
    lengths
        (n,) |c|; at most `NO_LENGTH` where centring leaves no direction.
    parts
        (n,) c times the *other* side's mean: the row's own part of its raw scores.
    centred_rows
        (n, d) float32 c / |c|, zero where c is zero; `None` unless asked for.
    unit_mean, centred_mean
        Means of the unit rows, and of the centred unit rows.
    kept
        (2, n, d) float64 unit rows and centred unit rows of a small side, not to be written
        to; `None` for others, whose rows are made again when needed.
    """

    stored: RealArray
    mean: Float64Array
    exponents: NDArray[np.intc]
    scales: Float64Array
    lengths: Float64Array
    parts: Float64Array
    centred_rows: Float32Array | None
    unit_mean: MeanRow
    centred_mean: MeanRow
    kept: Float64Array | None

    @property
    def lost(self) -> NDArray[np.intp]:
        """Row numbers that centring leaves without a direction."""
        return np.flatnonzero(self.lengths <= NO_LENGTH)

    def scaled(self, rows: slice | Int64Array) -> Float64Array:
        """(m, d) float64 stored rows times a power of two each, so that nothing overflows."""
        scaled = self.stored[rows].astype(np.float64, order="C")
        np.ldexp(scaled, -self.exponents[rows, None], out=scaled)
        return scaled

    def units(self, rows: slice | Int64Array) -> Float64Array:
        """(m, d) float64 unit rows; not to be written to."""
        if self.kept is not None:
            return self.kept[RAW, rows]
        units = self.scaled(rows)
        units *= self.scales[rows, None]
        return units

    def centred(self, units: Float64Array, rows: slice | Int64Array) -> Float64Array:
        """(m, d) float64 centred unit rows, from the unit rows of the same `rows`; not to be written to."""
        if self.kept is not None:
            return self.kept[CENTRED, rows]
        centred = units - self.mean
        centred /= np.where(self.lengths[rows] > 0, self.lengths[rows], 1.0)[:, None]
        return centred


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySides:
    """Both sides, and the own cosines.

    Attributes
    ----------
    a, b
        The sides.
    own
        (2, n) float64 own cosines s_i, raw and centred, not clipped.
    constant
        mu_a . mu_b, the constant of every raw score.
    scores
        (2, n, n) all scores of small sides, raw and centred, not to be written to; `None`
        for others, whose scores exist one tile at a time.
    """

    a: ReadySide
    b: ReadySide
    own: Float64Array
    constant: float
    scores: Float64Array | None

    @property
    def shape(self) -> tuple[int, int]:
        n, dim = self.a.stored.shape
        return int(n), int(dim)

    @property
    def floors(self) -> tuple[float, float]:
        """Mean of all unrelated cosines, raw and centred, from sums alone."""
        n, _ = self.shape
        means = ((self.a.unit_mean, self.b.unit_mean), (self.a.centred_mean, self.b.centred_mean))
        products = [float(one.mean @ other.mean) for one, other in means]
        raw, centred = (k - float((own - k).sum()) / (n * (n - 1)) for k, own in zip(products, self.own, strict=True))
        return raw, centred


@dataclass(slots=True)
class _Draft:
    """A side under construction; each block of rows is filled in by one worker."""

    stored: RealArray
    mean: Float64Array
    other_mean: Float64Array
    exponents: NDArray[np.intc]
    scales: Float64Array
    lengths: Float64Array
    parts: Float64Array
    centred_rows: Float32Array | None
    kept: Float64Array | None

    @classmethod
    def of(cls, stored: RealArray, mean: Float64Array, other_mean: Float64Array, *, keep_rows: bool) -> _Draft:
        n, dim = stored.shape
        return cls(
            stored=stored,
            mean=mean,
            other_mean=other_mean,
            exponents=np.empty(n, np.intc),
            scales=np.empty(n),
            lengths=np.empty(n),
            parts=np.empty(n),
            centred_rows=np.empty((n, dim), np.float32) if keep_rows else None,
            kept=None if keep_rows or n * dim > ROW_BLOCK_ELEMENTS else np.empty((2, n, dim)),
        )

    def fill(self, rows: slice) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Make a block of rows ready; return its unit rows, its centred rows and its sum of c."""
        units, centred = self._places(rows)
        units[...] = self.stored[rows]
        largest = np.maximum(units.max(axis=1, initial=0.0), -units.min(axis=1, initial=0.0))
        exponents = np.frexp(largest)[1]
        np.ldexp(units, -exponents[:, None], out=units)
        scales = 1.0 / np.sqrt(np.einsum("ij,ij->i", units, units))
        units *= scales[:, None]
        np.subtract(units, self.mean, out=centred)
        total = centred.sum(axis=0)
        lengths = np.sqrt(np.einsum("ij,ij->i", centred, centred))
        self.parts[rows] = centred @ self.other_mean
        centred /= np.where(lengths > 0, lengths, 1.0)[:, None]
        self.exponents[rows], self.scales[rows], self.lengths[rows] = exponents, scales, lengths
        if self.centred_rows is not None:
            self.centred_rows[rows] = centred
        return units, centred, total

    def _places(self, rows: slice) -> tuple[Float64Array, Float64Array]:
        """Where unit rows and centred rows are made: where they are kept, if they are."""
        if self.kept is not None:
            return self.kept[RAW, rows], self.kept[CENTRED, rows]
        shape = (rows.stop - rows.start, self.stored.shape[1])
        return np.empty(shape), np.empty(shape)

    def first_direction(self) -> Float64Array:
        """(d,) the first centred row, against which the centred rows are summed."""
        direction: Float64Array = self.fill(slice(0, 1))[1][0].copy()
        return direction

    def finish(self, total: Float64Array, first: Float64Array, total_about_first: Float64Array) -> ReadySide:
        n = len(self.stored)
        return ReadySide(
            stored=self.stored,
            mean=self.mean,
            exponents=self.exponents,
            scales=self.scales,
            lengths=self.lengths,
            parts=self.parts,
            centred_rows=self.centred_rows,
            unit_mean=MeanRow(mean=self.mean + total / n, n_rows=n),
            centred_mean=MeanRow(mean=first + total_about_first / n, n_rows=n),
            kept=_read_only(self.kept),
        )


def _read_only(array: Float64Array | None) -> Float64Array | None:
    if array is not None:
        array.flags.writeable = False
    return array


def worth_float32(n: int, dim: int) -> bool:
    """Whether the fast way saves more than loading the compiled loops takes, and can be taken."""
    small = n <= EXACT_SWEEP_ROWS and n * dim <= ROW_BLOCK_ELEMENTS
    return not small and find_spec("numba") is not None


def make_ready(
    a: RealArray,
    b: RealArray,
    mean_a: Float64Array,
    mean_b: Float64Array,
    *,
    n_workers: int | None = None,
    progress: Progress | None = None,
    in_float32: bool | None = None,
) -> ReadySides:
    """Normalise and centre both sides once.

    Parameters
    ----------
    a, b : (n, d) real arrays
        Finite, no row all zero (`core.pairs` has checked).
    mean_a, mean_b : (d,) float64
        Means of unit rows to centre on, of these rows or of fit rows.
    n_workers : int, optional
        Threads, by default the cores this process may use; no figure depends on it.
    progress : callable, optional
        Called with (done, total, message); may raise to stop.
    in_float32 : bool, optional
        Whether to keep centred unit rows in float32, with which the sweep takes the fast
        way; by default where that is worth it.

    Notes
    -----
    Time O(n d). Sums are taken as differences from the mean, or from the first centred
    row, block after block in order: equal rows then have exactly that row as their mean.
    """
    n, dim = a.shape
    keep_rows = worth_float32(n, dim) if in_float32 is None else in_float32
    drafts = (
        _Draft.of(a, mean_a, mean_b, keep_rows=keep_rows),
        _Draft.of(b, mean_b, mean_a, keep_rows=keep_rows),
    )
    own = np.empty((2, n))
    firsts = [draft.first_direction() for draft in drafts]

    def fill(rows: slice) -> Float64Array:
        steps.step()
        units_a, centred_a, total_a = drafts[0].fill(rows)
        units_b, centred_b, total_b = drafts[1].fill(rows)
        np.einsum("ij,ij->i", units_a, units_b, out=own[RAW, rows])
        np.einsum("ij,ij->i", centred_a, centred_b, out=own[CENTRED, rows])
        count = len(units_a)
        about_a, about_b = (
            each.sum(axis=0) - count * first for each, first in zip((centred_a, centred_b), firsts, strict=True)
        )
        return np.stack((total_a, total_b, about_a, about_b))

    sums = np.zeros((4, dim))
    blocks = list(row_blocks(n, dim, elements=READY_BLOCK_ELEMENTS))
    steps = Steps(len(blocks), progress, "Centring rows")
    for block in in_order(blocks, fill, operations=200 * n * dim, n_workers=n_workers or usable_cores(), steps=steps):
        sums += block
    side_a, side_b = (draft.finish(sums[k], firsts[k], sums[2 + k]) for k, draft in enumerate(drafts))
    constant = float(mean_a @ mean_b)
    return ReadySides(a=side_a, b=side_b, own=own, constant=constant, scores=_all_scores(side_a, side_b, constant))


def _all_scores(a: ReadySide, b: ReadySide, constant: float) -> Float64Array | None:
    """Every score of few rows, for both the pass and the derangements to read.

    One product gives both readings, as in the module's docstring; in float64 the raw scores
    lose nothing by it. BLAS on one thread: where other programs want the cores too, its own
    threads wait for each other many times as long as the product takes.
    """
    n, _ = a.stored.shape
    if a.kept is None or b.kept is None or n > WHOLE_SCORES_ROWS:
        return None
    scores = np.empty((2, n, n))
    with blas_on_one_thread:
        np.matmul(a.kept[CENTRED], b.kept[CENTRED].T, out=scores[CENTRED])
    np.multiply(scores[CENTRED], a.lengths[:, None], out=scores[RAW])
    scores[RAW] *= b.lengths
    scores[RAW] += a.parts[:, None]
    scores[RAW] += b.parts + constant
    return _read_only(scores)
