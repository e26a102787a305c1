"""What one condition, or one layer of a stack, scores: the row of a table and a point of a line.

The same figures as the audit's, from sums alone: no ranks and no spread, so that dozens
of layers cost O(n d) each. Every condition is measured with the same means and settings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.anisotropy import anisotropy
from core.errors import PairingError
from core.formats.loaded import RealArray
from core.gap_values import GapValues, centred_gap_values, gap_values
from core.limits import MIN_PAIRS
from core.reading import clipped
from core.rows import UnitRows, own_cosines

__all__ = ["ConditionFigures", "ReadingFigures", "layer_figures", "measure_condition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingFigures:
    """One reading of one condition.

    Attributes
    ----------
    anisotropy_a, anisotropy_b
        Mean cosine between different rows of a side.
    matched, floor
        Mean cosine of the n pairs and of all n(n-1) unrelated pairs, uncorrected.
    values
        Gap and delete-one values; for means of the compared rows the gap is corrected by
        (n - 1) / n, and is then not exactly matched - floor.
    """

    anisotropy_a: float
    anisotropy_b: float
    matched: float
    floor: float
    values: GapValues


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionFigures:
    """Both readings of one condition.

    Attributes
    ----------
    raw
        Always there.
    centred
        `None` where centring leaves a row without direction.
    """

    raw: ReadingFigures
    centred: ReadingFigures | None


def measure_condition(
    a: RealArray, b: RealArray, fit_a: RealArray | None = None, fit_b: RealArray | None = None
) -> ConditionFigures:
    """Figures of one condition, raw and centred.

    Parameters
    ----------
    a, b : (n, d) real arrays
        Stored rows, finite and not zero, n >= 3; row i belongs with row i.
    fit_a, fit_b : (m, d) real arrays, optional
        Rows to fit the means on; both or neither. Errors are then conditional on the means.

    Raises
    ------
    PairingError
        Different shapes, fewer than 3 pairs, or one fit array without the other.

    Notes
    -----
    Time O((n + m) d).
    """
    if a.shape != b.shape:
        raise PairingError(
            f"one side is {a.shape[0]:,} × {a.shape[1]:,} and the other {b.shape[0]:,} × {b.shape[1]:,}; "
            "row i of one belongs with row i of the other, so the shapes must match",
            remedy="give both sides the same items, from the same kind of model",
        )
    if len(a) < MIN_PAIRS:
        raise PairingError(f"there are {len(a)} pairs, and the floor needs at least {MIN_PAIRS}", remedy="add pairs")
    if (fit_a is None) != (fit_b is None):
        raise PairingError("one side has a fit array and the other has none", remedy="give both, or neither")
    raw_a, raw_b = UnitRows(a), UnitRows(b)
    raw = _figures(raw_a, raw_b, gap_values(raw_a, raw_b))
    own_means = fit_a is None
    mean_a = (raw_a if fit_a is None else UnitRows(fit_a)).mean_row().mean
    mean_b = (raw_b if fit_b is None else UnitRows(fit_b)).mean_row().mean
    centred_a, centred_b = UnitRows(a, mean_a), UnitRows(b, mean_b)
    if len(centred_a.lost()) or len(centred_b.lost()):
        return ConditionFigures(raw=raw, centred=None)
    values = (centred_gap_values if own_means else gap_values)(centred_a, centred_b)
    return ConditionFigures(raw=raw, centred=_figures(centred_a, centred_b, values))


def layer_figures(a: RealArray, b: RealArray) -> tuple[ConditionFigures, ...]:
    """Figures layer by layer of two stacks.

    Parameters
    ----------
    a, b : (L, n, d) real arrays
        Layer l of one side belongs with layer l of the other; widths equal in each layer.

    Raises
    ------
    PairingError
        Not stacks, different shapes, or a row that has no direction: which layer.
    """
    if a.ndim != 3 or a.shape != b.shape:
        raise PairingError(
            f"the stacks have shapes {_shape(a)} and {_shape(b)}; two equal (layers, items, columns) are needed",
            remedy="save the same layers of the same items for both sides",
        )
    for layer in range(len(a)):
        for side, rows in (("A", a[layer]), ("B", b[layer])):
            values = np.asarray(rows, dtype=np.float64)
            bad = np.flatnonzero(~np.isfinite(values).all(axis=1) | ~values.any(axis=1))
            if len(bad):
                raise PairingError(
                    f"layer {layer} of {side}: {len(bad):,} rows are zero or hold NaN or infinity, "
                    f"first row {bad[0]:,} (counting from 0)",
                    remedy="leave that layer out, or repair those rows on both sides",
                )
    return tuple(measure_condition(a[layer], b[layer]) for layer in range(len(a)))


def _figures(a: UnitRows, b: UnitRows, values: GapValues) -> ReadingFigures:
    mean_a, mean_b = a.mean_row(), b.mean_row()
    own, n = own_cosines(a, b), a.shape[0]
    k = float(mean_a.mean @ mean_b.mean)
    return ReadingFigures(
        anisotropy_a=clipped(anisotropy(mean_a)),
        anisotropy_b=clipped(anisotropy(mean_b)),
        matched=clipped(float(own.mean())),
        floor=clipped(k - float((own - k).sum()) / (n * (n - 1))),
        values=values,
    )


def _shape(stack: RealArray) -> str:
    return " × ".join(f"{size:,}" for size in stack.shape)
