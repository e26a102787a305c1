"""What one file holds, before any result: the facts of the input card.

One pass over the rows, block by block: norms, rows that cannot be used, duplicates.
Nothing is judged here; `core.pairs` decides what is a refusal and what only a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.digests import row_beginnings, row_digests
from core.errors import FormatError
from core.formats.loaded import LoadedArray, RealArray
from core.limits import READY_BLOCK_ELEMENTS
from core.rows import row_blocks

__all__ = ["Inspection", "RowList", "inspect"]

#: Row numbers listed by name; the rest are only counted.
ROWS_NAMED = 5

#: Kinds of rows; a row is the first of NaN, infinite, zero and imprecise that it is.
_ORDINARY, _NAN, _INFINITE, _ZERO, _IMPRECISE = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowList:
    """Some rows of a file: how many, and the first of them, counting from 0."""

    rows: NDArray[np.intp]

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def first(self) -> tuple[int, ...]:
        return tuple(int(row) for row in self.rows[:ROWS_NAMED])

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A loaded array and the facts about its rows.

    Attributes
    ----------
    loaded
        The array, its name, type, size and fingerprint.
    norm_min, norm_median, norm_max
        Euclidean norms of the finite rows; `None` if there are none, infinite above 1.8e308.
    nan, infinite, zero
        Rows holding a NaN, rows holding an infinity, rows of zeros only.
    repeats
        Rows bit-equal to an earlier row. Rows without a cosine (NaN, infinite, zero) are not: no
        partner of theirs ties.
    imprecise
        Rows whose largest entry is subnormal: their direction has few digits.
    never_negative
        True if no entry is below zero.
    """

    loaded: LoadedArray
    norm_min: float | None
    norm_median: float | None
    norm_max: float | None
    nan: RowList
    infinite: RowList
    zero: RowList
    repeats: RowList
    imprecise: RowList
    never_negative: bool

    @property
    def unusable(self) -> NDArray[np.intp]:
        """Numbers of the rows that have no cosine: NaN, infinite or zero."""
        return np.union1d(np.union1d(self.nan.rows, self.infinite.rows), self.zero.rows)


def inspect(loaded: LoadedArray) -> Inspection:
    """Read every row once and note what matters.

    Raises
    ------
    FormatError
        The array has no rows or no columns.

    Notes
    -----
    Time O(n d + n log n), one block of rows in float64, plus about 30 bytes a row. Rows count as
    duplicates by 64 bits of a fingerprint: two that differ share them with probability n^2 / 2^65.
    """
    n, dim = loaded.shape
    if n == 0 or dim == 0:
        raise FormatError(
            f"{loaded.name} holds an array of shape ({n}, {dim}), which has no numbers",
            remedy="Save an array with at least one row and one column.",
        )
    norms, kinds = np.empty(n), np.empty(n, dtype=np.uint8)
    beginnings = np.empty(n, dtype=np.uint64)
    lowest = np.inf
    for block in row_blocks(n, dim, elements=READY_BLOCK_ELEMENTS):
        stored = loaded.array[block]
        beginnings[block] = row_beginnings(stored)
        with np.errstate(invalid="ignore"):  # a signalling NaN would print a warning of its own
            rows = np.array(stored, dtype=np.float64, order="C")
        largest, norms[block] = _lengths(rows)
        kinds[block] = _kinds(rows, largest)
        lowest = min(lowest, float(np.fmin.reduce(rows, axis=None)))
    summary = _summary(norms, kinds)
    del norms  # memory: of very narrow rows a number a row costs as much as the rows
    again = _may_repeat(beginnings)
    del beginnings
    return Inspection(
        loaded=loaded,
        norm_min=summary[0],
        norm_median=summary[1],
        norm_max=summary[2],
        nan=RowList(rows=np.flatnonzero(kinds == _NAN)),
        infinite=RowList(rows=np.flatnonzero(kinds == _INFINITE)),
        zero=RowList(rows=np.flatnonzero(kinds == _ZERO)),
        repeats=RowList(rows=_repeats(loaded.array, again[np.isin(kinds[again], (_ORDINARY, _IMPRECISE))])),
        imprecise=RowList(rows=np.flatnonzero(kinds == _IMPRECISE)),
        never_negative=lowest >= 0,
    )


def _summary(
    norms: NDArray[np.float64], kinds: NDArray[np.uint8]
) -> tuple[float, float, float] | tuple[None, None, None]:
    """Least, median and largest norm of the rows that have one; `norms` is put in another order."""
    unending = (kinds == _NAN) | (kinds == _INFINITE)
    usable = norms[~unending] if unending.any() else norms
    if not len(usable):
        return None, None, None
    least, most = float(usable.min()), float(usable.max())
    with np.errstate(over="ignore"):
        middle = float(np.median(usable, overwrite_input=True))
    if not np.isfinite(middle):  # the sum of two middle norms can overflow where their mean does not
        middle = 2 * float(np.median(usable / 2))
    return least, middle, most


def _lengths(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(m,) largest absolute entry and (m,) norm of each row, safe from overflow."""
    largest = np.abs(rows).max(axis=1)
    finite = np.isfinite(largest)
    exponents = np.where(finite, np.frexp(np.where(finite, largest, 1.0))[1], 0)
    scaled = np.ldexp(rows if finite.all() else np.where(finite[:, None], rows, 0.0), -exponents[:, None])
    norms = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    with np.errstate(over="ignore"):  # a norm above 1.8e308 is shown as infinite
        return largest, np.ldexp(norms, exponents)


def _kinds(rows: NDArray[np.float64], largest: NDArray[np.float64]) -> NDArray[np.uint8]:
    """(m,) what kind of row each is; `largest` is its largest absolute entry."""
    kinds = np.full(len(rows), _ORDINARY, dtype=np.uint8)
    kinds[largest < np.finfo(np.float64).tiny] = _IMPRECISE
    kinds[largest == 0] = _ZERO
    kinds[~np.isfinite(largest)] = _INFINITE
    kinds[np.isnan(rows).any(axis=1)] = _NAN
    return kinds


def _repeats(rows: RealArray, alike: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Numbers of the rows that are bit-equal to an earlier one, of the few that begin alike."""
    digests = np.empty(len(alike), dtype=np.uint64)
    for block in row_blocks(len(alike), rows.shape[1], elements=READY_BLOCK_ELEMENTS):
        digests[block] = row_digests(rows[alike[block]]).view(np.uint64)[::2]
    order, again = _seen_again(digests)
    del digests
    found: NDArray[np.intp] = alike[order[again]].astype(np.intp)
    found.sort()
    return found


def _may_repeat(beginnings: NDArray[np.uint64]) -> NDArray[np.integer[Any]]:
    """Numbers, in ascending order, of the rows that begin like another one."""
    order, again = _seen_again(beginnings)
    again[:-1] |= again[1:].copy()
    found = order[again]
    found.sort()
    return found


def _seen_again(values: NDArray[np.uint64]) -> tuple[NDArray[np.integer[Any]], NDArray[np.bool_]]:
    """Places in ascending order of their values, and which of these hold the value of the one before.

    The earliest of equal values comes first. Places take four bytes where they can.
    """
    order: NDArray[np.integer[Any]] = np.argsort(values, kind="stable")
    if len(values) <= 2**32:
        order = order.astype(np.uint32)
    ordered = values[order]
    again = np.zeros(len(values), dtype=bool)
    again[1:] = ordered[1:] == ordered[:-1]
    return order, again
