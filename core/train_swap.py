"""Do the train files belong to the other models: the train rows of A to B, and those of B to A?

With equal widths such a swap passes every check of shapes, the train rows are linked as
well as the right ones, and the map is worth nothing. Two things tell it: the mean of each
train file is that of the other side's compared rows; or, where means say nothing, a map
fitted on the exchanged files carries what this one does not.
"""

from __future__ import annotations

import numpy as np

from core.errors import Notice
from core.formats.loaded import RealArray
from core.gap_values import gap_values
from core.partners_first import partners_lead
from core.procrustes import fit_map
from core.rows import UnitRows
from core.ticks import Tick, no_tick
from core.train_split import TrainSplit

__all__ = ["swapped_by_map", "swapped_by_means"]

#: How many times farther a train mean must be from its own side than from the other.
FARTHER = 2.0

#: And from its own side, in multiples of what two samples of one file differ by.
BEYOND_SAMPLING = 3.0

#: Standard errors of the gap after the exchanged map.
SURE_ERRORS = 4.0


def swapped_by_means(rows: TrainSplit, tick: Tick = no_tick) -> list[Notice]:
    """Ask whether the train files are swapped, if the means of both say so. Time O((n + m) d).

    Parameters
    ----------
    rows : TrainSplit
        Given train rows and compared rows; halves of the same pairs, or sides of different
        widths, cannot be swapped and get no word.
    """
    return _notices(_told_by_means(rows, tick)) if _exchangeable(rows) else []


def swapped_by_map(rows: TrainSplit, tick: Tick = no_tick) -> list[Notice]:
    """Ask whether the train files are swapped, if a map fitted on the exchanged files carries.

    Parameters
    ----------
    rows : TrainSplit
        Given train rows and compared rows after whose map ranks are at chance, both of them
        linked within both models: maps of mispaired train rows are turns at random.

    Notes
    -----
    Time that of `core.procrustes.fit_map` and `core.partners_first.partners_lead`.
    """
    return _notices(_told_by_map(rows, tick)) if _exchangeable(rows) else []


def _exchangeable(rows: TrainSplit) -> bool:
    return not rows.split and rows.a.shape[1] == rows.b.shape[1]


def _notices(why: str) -> list[Notice]:
    if not why:
        return []
    text = f"Do the train files belong to the other models? {why} If so, exchange the two train files."
    return [Notice(code="train_swap", side="pair", text=text)]


def _told_by_means(rows: TrainSplit, tick: Tick) -> str:
    (train_a, off_train_a), (train_b, off_train_b) = _mean(rows.train_a, tick), _mean(rows.train_b, tick)
    (a, off_a), (b, off_b) = _mean(rows.a, tick), _mean(rows.b, tick)
    (own_a, other_a), (own_b, other_b) = (
        (float(np.linalg.norm(train - own)), float(np.linalg.norm(train - other)))
        for train, own, other in ((train_a, a, b), (train_b, b, a))
    )
    noise_a, noise_b = np.hypot(off_train_a, off_a), np.hypot(off_train_b, off_b)
    if own_a <= max(FARTHER * other_a, BEYOND_SAMPLING * noise_a):
        return ""
    if own_b <= max(FARTHER * other_b, BEYOND_SAMPLING * noise_b):
        return ""
    return (
        f"The mean unit row of the train rows of A is {other_a:.3f} away from that of B and {own_a:.3f} from that of "
        f"A, and the mean of the train rows of B is {other_b:.3f} away from that of A and {own_b:.3f} from that of B."
    )


def _mean(rows: RealArray, tick: Tick) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], float]:
    """Mean of the unit rows, and how far it lies from the true one by sampling."""
    mean = UnitRows(rows).mean_row(tick).mean
    return mean, float(np.sqrt(max(1 - float(mean @ mean), 0.0) / len(rows)))


def _told_by_map(rows: TrainSplit, tick: Tick) -> str:
    a, b = fit_map(rows.train_b, rows.train_a, tick).mapped(rows.a, rows.b, tick)
    found = gap_values(a, b, tick)
    if found.gap <= SURE_ERRORS * found.error or not partners_lead(a, b):
        return ""
    return (
        f"The map fitted on them carries nothing; with the two exchanged the compared rows have a gap of "
        f"{found.gap:.4f}, and partners rank first beyond luck."
    )
