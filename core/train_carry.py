"""Does the map of the train rows carry to the compared ones?

Train rows of another checkpoint, layer or sign than the compared rows, or means that are not
theirs (one file centred and its train file not), give a sound map between other spaces: what it
leaves of the compared rows' gap says nothing of the two models. So a map is fitted on as many
compared pairs as there are train pairs, half of them at most, and both maps are asked for the
gap of the other half. Where train rows stand for the compared ones, theirs is the better map or
as good; where its gap falls short by more than an alarm asks of a map, a word says so.
"""

from __future__ import annotations

import numpy as np

from core.alarm import WEAK_GAIN
from core.errors import Notice
from core.gap_values import gap_values
from core.jackknife import jackknife_error
from core.procrustes import OrthogonalMap, fit_map, half_split
from core.prose import counted, signed
from core.ticks import Tick, no_tick
from core.train_split import TrainSplit

__all__ = ["carry_notices"]

#: The shortfall must exceed this many of its standard errors.
_GAIN_ERRORS = 4.0

#: Fewer compared pairs leave halves too small for a map and an error.
_FEWEST = 40


def carry_notices(
    rows: TrainSplit, fitted: OrthogonalMap, rng: np.random.Generator, tick: Tick = no_tick
) -> list[Notice]:
    """The notice that the map of the train rows does not carry to the compared ones, if it does not.

    Parameters
    ----------
    rows : TrainSplit
        With train files; halves of one file stand for each other.
    fitted : OrthogonalMap
        Of the train rows.
    rng : Generator
        Draws the halves of the compared pairs, one of each group.

    Notes
    -----
    Time of a map of n / 2 pairs and O(n d^2); memory O(n d) in float64.
    """
    a, b = rows.within_a, rows.within_b
    if rows.split or rows.file_order != "any" or len(a) < _FEWEST:
        return []
    half, others = half_split(len(a), rng)
    half = half[: len(rows.train_a)]
    own = fit_map(a[half], b[half], tick)
    theirs, its = (gap_values(*each.mapped(a[others], b[others], tick), tick) for each in (fitted, own))
    gain = its.gap - theirs.gap
    error = jackknife_error(its.delete_one - theirs.delete_one)
    if gain <= WEAK_GAIN or gain <= _GAIN_ERRORS * error:
        return []
    text = (
        f"The map of the train rows does not carry to the compared ones: it leaves {counted(len(others), 'pair')} of "
        f"them a gap of {signed(theirs.gap)}, where a map of {counted(len(half), 'other compared pair')} leaves them "
        f"{signed(its.gap)}. Are the train rows of the same two models, layers and preparation (sign, centring, "
        "scaling), and of items like these? Otherwise the figures after the map tell of that mismatch, not of A and B."
    )
    return [Notice(code="train_elsewhere", side="pair", text=text)]
