"""A held-out orthogonal map from one model's coordinates to another's.

Rows of two models cannot be compared cosine by cosine: their coordinates have nothing to
do with each other. An orthogonal map, fitted on paired *train* rows, turns one space onto
the other without stretching it; what the compared rows then score is evidence. What the
train rows score is not: with as many train rows as columns, unrelated data reach a train
cosine of 3/4.

Symbols: A, B centred unit train rows, (m, d_a) and (m, d_b), made equally wide by zeros;
A'B = U S V'; the map is R = U V'. With fewer train rows than columns R is known only on
the span of the train rows. A row's part outside that span is sent to a direction of its
own, orthogonal to everything: it keeps its length and adds nothing to any cosine.

Memory O(m d) and O(min(m, d)^2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import PairingError
from core.formats.loaded import RealArray
from core.prose import agreed, counted
from core.rows import UnitRows
from core.ticks import Tick, each, no_tick

__all__ = ["MIN_TRAIN_ROWS", "OrthogonalMap", "fit_map", "half_split"]

Float64Array = NDArray[np.float64]

#: Two centred rows are opposite each other and say nothing about a map.
MIN_TRAIN_ROWS = 3

#: Singular values up to this share of the largest are rounding, not a direction.
RANK_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrthogonalMap:
    """Means and map of two models, from train rows alone.

    Attributes
    ----------
    mean_a, mean_b
        (d_a,), (d_b,) means of the unit train rows.
    left, right
        (d_a, k), (d_b, k) with orthonormal columns: both sides' centred rows times these
        lie in one space of k dimensions; the map is ``left @ right.T``.
    n_train
        Train pairs.
    """

    mean_a: Float64Array
    mean_b: Float64Array
    left: Float64Array
    right: Float64Array
    n_train: int

    @property
    def width(self) -> int:
        """Columns of the wider side: train rows are counted against it."""
        return max(len(self.mean_a), len(self.mean_b))

    def mapped(self, a: RealArray, b: RealArray, tick: Tick = no_tick) -> tuple[UnitRows, UnitRows]:
        """Compared rows in one space, as unit rows of k + 2 columns.

        Parameters
        ----------
        a, b : (n, d_a), (n, d_b) real arrays
            Stored rows, none of them train rows.
        tick : callable
            Called between blocks.

        Returns
        -------
        UnitRows, UnitRows
            (n, k + 2) each. The last two columns hold what the map does not reach, of A
            and of B apart, so that rows keep unit length and cosines between the sides
            are exactly those of the mapped rows.
        """
        return (
            _with_rest(UnitRows(a, self.mean_a), self.left, place=0, tick=tick),
            _with_rest(UnitRows(b, self.mean_b), self.right, place=1, tick=tick),
        )


def half_split(n: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Split ``range(n)`` at random into train and compared rows, n // 2 and the rest, sorted."""
    order = rng.permutation(n)
    return np.sort(order[: n // 2]), np.sort(order[n // 2 :])


def fit_map(train_a: RealArray, train_b: RealArray, tick: Tick = no_tick) -> OrthogonalMap:
    """Fit the orthogonal map that turns centred train rows of A onto those of B.

    Parameters
    ----------
    train_a, train_b : (m, d_a), (m, d_b) real arrays
        Stored rows, finite and not zero; row i belongs with row i.
    tick : callable
        Called between blocks and decompositions.

    Raises
    ------
    PairingError
        Unequal counts, fewer than `MIN_TRAIN_ROWS` rows, or a side without any spread.

    Notes
    -----
    Time O(m d^2) for m > d, O(m^2 d) otherwise; float64. The singular value decomposition is one
    call, which cannot be stopped: half a second for 1,000 rows of
    1,536 columns, or 768 columns of more rows, and more as the cube of that.

    References
    ----------
    Schoenemann 1966, "A generalized solution of the orthogonal Procrustes problem".
    """
    m = len(train_a)
    if len(train_b) != m:
        raise PairingError(
            f"the train rows of A are {m:,} and those of B {len(train_b):,}; "
            "row i of one belongs with row i of the other, so the counts must match",
            remedy="Give both sides the rows of the same items, in the same order",
        )
    if m < MIN_TRAIN_ROWS:
        raise PairingError(
            f"there {agreed(m, 'is', 'are')} {counted(m, 'train pair')}, and a map needs at least {MIN_TRAIN_ROWS}",
            remedy="Give more paired train rows; twice as many as columns is a good number",
        )
    mean_a, mean_b = UnitRows(train_a).mean_row(tick).mean, UnitRows(train_b).mean_row(tick).mean
    a, b = UnitRows(train_a, mean_a)[:], UnitRows(train_b, mean_b)[:]
    left, right = _turn(a, b, tick)
    return OrthogonalMap(mean_a=mean_a, mean_b=mean_b, left=left, right=right, n_train=m)


def _turn(a: Float64Array, b: Float64Array, tick: Tick) -> tuple[Float64Array, Float64Array]:
    """(d_a, k), (d_b, k) factors of the map between centred unit rows.

    Singular directions at rounding level are left out: there the train rows say nothing,
    and which way a library turns them is chance.
    """
    m = len(a)
    tick()
    if m <= max(a.shape[1], b.shape[1]):
        basis_a, inner_a = np.linalg.qr(a.T)
        tick()
        basis_b, inner_b = np.linalg.qr(b.T)
        tick()
        u, size, vt = np.linalg.svd(inner_a @ inner_b.T, full_matrices=False)
        tick()
        left, right = basis_a @ u, basis_b @ vt.T
    else:
        inner = a.T @ b
        tick()
        left, size, vt = np.linalg.svd(inner, full_matrices=False)
        right = vt.T
    # Unit rows have |A|, |B| <= sqrt(m), so m is the scale that singular values are held against.
    kept = int(np.count_nonzero(size > RANK_TOLERANCE * max(float(size[0]), RANK_TOLERANCE * m)))
    if kept == 0:
        side = "A" if not a.any() else "B" if not b.any() else "A and B together"
        raise PairingError(
            f"the train rows of {side} have no spread left after centring, so there is nothing to map",
            remedy="Use train rows of different items",
        )
    return left[:, :kept], right[:, :kept]


def _with_rest(rows: UnitRows, basis: Float64Array, *, place: int, tick: Tick) -> UnitRows:
    """Centred rows in the common space, their unmapped length in a column of its own."""
    n, k = rows.shape[0], basis.shape[1]
    found = np.zeros((n, k + 2))
    for block in each(rows.blocks(), tick):
        inside = rows[block] @ basis
        found[block, :k] = inside
        rest = 1 - np.einsum("ij,ij->i", inside, inside)
        found[block, k + place] = np.sqrt(np.maximum(rest, 0.0))
    return UnitRows(found)
