"""Was the right mean subtracted? The distance between a fitted mean and the compared rows' own.

A mean fitted on other rows helps only as far as it *is* the mean of the compared rows.
The centred floor cannot show it when one side alone is off; this can:

    T = |ubar - mu|^2 - tr(S_u)/n - tr(S_f)/m

is an unbiased estimate of the squared distance between the two populations' means, 0 when
they are one. z tells it from sampling noise; because many rows tell any trifle from noise,
a warning also asks how large T is beside what it spoils.

Symbols: ubar, S_u mean and covariance (ddof 1) of the n compared unit rows; mu, S_f of
the m fit rows; A_u, A_f anisotropy.
Source: Chen and Qin 2010, "A two-sample test for high-dimensional data".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.anisotropy import anisotropy
from core.isotropy import SideMoments, anisotropy_between, anisotropy_interval, squared_offset, unbiased_traces
from core.limits import FULL_MATRIX_PAIRS, SCATTER_COLUMNS
from core.prepared import Rows
from core.scatter import Scatter, scatter
from core.ticks import Tick, each, no_tick

__all__ = ["CentringFit", "MeanCheck", "check_mean", "cross_trace", "shared_mean_floor"]

Float64Array = NDArray[np.float64]

#: z from which a distance is told from sampling noise.
CLEAR_Z = 3.0

#: Residual share of the floor, and share of the common direction left, worth a word.
RESIDUAL, STRONG_RESIDUAL, STRONG_LEFT = 0.02, 0.1, 0.2


class CentringFit(StrEnum):
    """How well a fitted mean fits the compared rows, from best to worst."""

    FITS = "fits"
    OFF = "off"
    FAR_OFF = "far_off"
    ADDS_A_DIRECTION = "adds_a_direction"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanCheck:
    """A mean fitted on other rows, against the mean of the compared rows.

    Attributes
    ----------
    squared_distance
        T above, unbiased; about 0 for one population.
    z
        T over its standard error when the means are equal; `None` if that is undefined.
    floor_shift
        T / (1 - A_u): about what centring leaves in the floor if both sides share the error;
        `None` if all compared rows are equal.
    direction_left
        T / A_u: share of the compared rows' common direction that stays; above 1, centring
        added a direction. `None` if the rows have no common direction to speak of.
    mean_cosine, expected_cosine
        Between the two means, and what sampling alone would leave of 1; `None` if either
        side's anisotropy is below twice its error.
    verdict
        From z and size together; `None` without a z, as with 2 or 3 rows.
    """

    squared_distance: float
    z: float | None
    floor_shift: float | None
    direction_left: float | None
    mean_cosine: float | None
    expected_cosine: float | None
    verdict: CentringFit | None


def check_mean(compared: SideMoments, fit: SideMoments, cross: float | None) -> MeanCheck | None:
    """Compare a fit mean with the compared rows' own mean.

    Parameters
    ----------
    compared, fit : SideMoments
        Of the raw unit rows of the side, and of its fit rows.
    cross : float or None
        tr(S_u S_f), from `cross_trace`.

    Returns
    -------
    MeanCheck or None
        `None` for a single fit row, which has no spread to judge a distance by.

    Notes
    -----
    Under equal means z is about standard normal (P(z > 1.645) = .05 to .07). Cost O(d).
    """
    n, m = compared.mean.n_rows, fit.mean.n_rows
    if m < 2:
        return None
    apart = compared.mean.mean - fit.mean.mean
    value = anisotropy_between(compared)
    if compared.groups.are_pairs:
        distance = float(apart @ apart) - compared.trace / ((n - 1) * n) - fit.trace / ((m - 1) * m)
        error = _null_error(compared, fit, cross)
    else:  # rows of one group are no independent draws: their spread is not that of their mean
        distance = squared_offset(value, anisotropy(fit.mean), float(compared.mean.mean @ fit.mean.mean))
        error = None
    shift = distance / (1 - value) if 1 - value > 1e-12 else None
    interval = anisotropy_interval(compared)
    visible = interval.error is not None and value > 2 * interval.error
    left = distance / value if visible else None
    cosines = _mean_cosines(compared, fit) if visible else None
    z = distance / error if error is not None and error > 1e-14 else None
    return MeanCheck(
        squared_distance=distance,
        z=z,
        floor_shift=shift,
        direction_left=left,
        mean_cosine=cosines[0] if cosines else None,
        expected_cosine=cosines[1] if cosines else None,
        verdict=_verdict(z, shift, left, adds=_adds(distance, value, interval.error, left)),
    )


def _adds(distance: float, value: float, error: float | None, left: float | None) -> bool:
    """True if the mean is farther from the rows' own than that is from 0.

    Where the rows have no common direction to speak of there is no share left of it; the
    distance is then compared with the largest one they could have.
    """
    if left is not None:
        return left > 1
    return error is not None and distance > max(value, 0.0) + 2 * error


def _null_error(compared: SideMoments, fit: SideMoments, cross: float | None) -> float | None:
    """Standard error of T when the means are equal."""
    of_compared, of_fit = unbiased_traces(compared), unbiased_traces(fit)
    if of_compared is None or of_fit is None or cross is None:
        return None
    n, m = compared.mean.n_rows, fit.mean.n_rows
    variance = 2 * of_compared[0] / (n * (n - 1)) + 2 * of_fit[0] / (m * (m - 1)) + 4 * cross / (n * m)
    return math.sqrt(max(variance, 0.0))


def _mean_cosines(compared: SideMoments, fit: SideMoments) -> tuple[float, float] | None:
    of_fit, interval = anisotropy(fit.mean), anisotropy_interval(fit)
    if interval.error is None or of_fit <= 2 * interval.error:
        return None
    value = anisotropy(compared.mean)
    n, m = compared.mean.n_rows, fit.mean.n_rows
    lengths = float(np.linalg.norm(compared.mean.mean)) * float(np.linalg.norm(fit.mean.mean))
    noise = (1 + (1 - value) / (n * value)) * (1 + (1 - of_fit) / (m * of_fit))
    return float(compared.mean.mean @ fit.mean.mean) / lengths, 1 / math.sqrt(noise)


def _verdict(z: float | None, shift: float | None, left: float | None, *, adds: bool) -> CentringFit | None:
    """Gated on size: a clear z alone is no reason to warn."""
    if z is None:
        return None
    if z <= CLEAR_Z or shift is None:
        return CentringFit.FITS
    if adds and (left is not None or shift > RESIDUAL):
        return CentringFit.ADDS_A_DIRECTION
    if shift > STRONG_RESIDUAL or (left is not None and left > STRONG_LEFT):
        return CentringFit.FAR_OFF
    return CentringFit.OFF if shift > RESIDUAL else CentringFit.FITS


def cross_trace(
    compared: Rows,
    fit: Rows,
    of_compared: SideMoments,
    of_fit: SideMoments,
    *,
    scatter_compared: Scatter | None = None,
    scatter_fit: Scatter | None = None,
    tick: Tick = no_tick,
) -> float | None:
    """tr(S_u S_f), the overlap of two covariances; `None` where too large to make.

    Parameters
    ----------
    compared, fit : Rows
        (n, d) and (m, d), both raw.
    of_compared, of_fit : SideMoments
        Of the same rows.
    scatter_compared, scatter_fit : Scatter, optional
        If at hand already.

    Notes
    -----
    Time O((n + m) d^2), or O(n m d) for few rows of many columns.
    """
    (n, dim), (m, _) = compared.shape, fit.shape
    if m < 2:
        return None
    if max(n, m) <= FULL_MATRIX_PAIRS and n * m <= (n + m) * dim:
        total = 0.0
        for rows in compared.blocks():
            left = compared[rows] - of_compared.mean.mean
            for columns in each(fit.blocks(), tick):
                link = left @ (fit[columns] - of_fit.mean.mean).T
                total += float(np.vdot(link, link))
        return total / ((n - 1) * (m - 1))
    if dim > SCATTER_COLUMNS:
        return None
    if scatter_compared is None:
        scatter_compared = scatter(compared, of_compared.mean, tick)
    if scatter_fit is None:
        scatter_fit = scatter(fit, of_fit.mean, tick)
    return scatter_compared.dot(scatter_fit, tick) / ((n - 1) * (m - 1))


def shared_mean_floor(squared_offset: float, mean_length_product: float, n: int) -> float:
    """What one shared mean leaves in the centred floor when the two sides sit apart.

    Parameters
    ----------
    squared_offset : float
        |abar - bbar|^2 of the compared unit rows, or its unbiased estimate: then what comes on
        top of the forced part of that floor.
    mean_length_product : float
        Mean product of the lengths |a_i - mu| |b_i - mu| before rows are made unit again.
    n : int
        Pairs; the means are fitted on the compared rows.

    Returns
    -------
    float
        -n/(n-1) |abar - bbar|^2 / 4 over that product: a real offset, not a bias.
    """
    return -n / (n - 1) * squared_offset / 4 / mean_length_product
