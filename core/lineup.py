"""Do the two files line up: in the same axes, and in the same order?

Asked of every audit. Both questions have an answer that a mean
cosine hides: rows that do belong together score like strangers in other axes
(`core.alarm`) and in another order (`core.pairing`). The second is asked only where
matched is at its floor, or the partners rank first no more often than by chance; which way
such rows are wrong is worth its cost. Rows out of order are no sign of other axes: a
reversed file has every pair in both halves of the alarm, the other way round, and could
raise it; where an order is found, what the alarm says is dropped. The alarm reads stored rows
alone: it is asked before the sweep's rows are made ready, so that their memory and the map's
are never held together.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.alarm import CoordinateAlarm, coordinate_alarm, not_asked
from core.evidence import prepared_rows
from core.formats.loaded import RealArray
from core.groups import Groups
from core.inference import LEVEL
from core.kept_rows import FileRows, kept_rows
from core.measured import Run
from core.pairing import (
    EqualRows,
    Pairing,
    diagnose_pairing,
    matching_order,
    pairs_more,
    shifted_order,
    told_by_alarm,
    with_order,
)
from core.ranks import at_chance
from core.reading import Reading
from core.rivals import best_in_b, best_scores
from core.rows import UnitRows
from core.sweep import CENTRED, RAW, Sweep
from core.ticks import Tick, no_tick, step_of

__all__ = ["in_the_files", "line_up", "same_axes"]

#: Seeds of the alarm and of the diagnosis, beside that of the settings: no other draw of an
#: audit has these.
ALARM_SEED, PAIRING_SEED = 3, 4

#: What is said meanwhile.
ASKING = "Looking for another order"


def same_axes(a: RealArray, b: RealArray, seed: int, tied: Groups | None, tick: Tick = no_tick) -> CoordinateAlarm:
    """Look for two coordinate systems in a seeded subset of the pairs.

    Parameters
    ----------
    a, b : (n, d) real arrays
        Stored rows of the compared pairs.
    seed : int
        That of the settings.
    tied : Groups or None
        Declared groups, or what duplicate rows tie together: one pair of each is drawn from.
    tick : callable
        Called between blocks.

    Notes
    -----
    At most `core.limits.ALARM_PAIRS` pairs; see `core.alarm.coordinate_alarm`.
    """
    rows = None if tied is None else first_of_each(tied)
    return coordinate_alarm(a, b, rng=np.random.default_rng((seed, ALARM_SEED)), rows=rows, tick=tick)


def line_up(
    run: Run, swept: Sweep, reading: Reading, tied: Groups | None, alarm: CoordinateAlarm, *, n_files: int
) -> tuple[CoordinateAlarm, Pairing | None]:
    """Look for another order where the given one shows no link.

    Parameters
    ----------
    run : Run
        What the readings shared.
    swept : Sweep
        The pass over all scores.
    reading : Reading
        The centred one where it is defined.
    tied : Groups or None
        As for `same_axes`.
    alarm : CoordinateAlarm
        What that found.
    n_files : int
        Rows of each file, those that were left out counted.

    Returns
    -------
    CoordinateAlarm, Pairing or None
        The alarm is silent where the rows are in another order. `None` where matched stands off
        its floor and partners rank first more often than by chance, and with a pool of
        candidates, in which most rows' true partners are missing.

    Notes
    -----
    O(`PAIRING_ROWS` n d), and what `core.pairing.matching_order` takes where rows are permuted.
    """
    asks = run.pool is None and (at_chance(reading.a_to_b, run.sides.shape[0]) or _at_floor(reading))
    if not asks:
        return alarm, None
    found = _diagnosed(run, swept, tied, FileRows(places=run.numbers, total=n_files))
    step_of(run.progress, 1, 1, ASKING)()
    if found.reordered:
        return not_asked("the rows are in another order"), found
    return alarm, told_by_alarm(found, alarm)


def _at_floor(reading: Reading) -> bool:
    """True if the permutation test does not tell matched from its floor."""
    test = reading.evidence.test
    return test is not None and test.has_permutations and test.pvalue > LEVEL


def first_of_each(groups: Groups) -> NDArray[np.intp]:
    """Row number of the first pair of each group."""
    return np.unique(groups.labels, return_index=True)[1]


def in_the_files(pairing: Pairing | None, dropped: NDArray[np.intp]) -> Pairing | None:
    """The same with an order of all rows of the files: a shift moves all, else pairs that were left out stay.

    Parameters
    ----------
    pairing : Pairing or None
        Of the compared rows.
    dropped : (k,) intp
        Rows of the files that were left out.
    """
    if pairing is None or not pairing.reordered or len(dropped) == 0:
        return pairing
    if pairing.order is None:
        return replace(pairing, order=tuple(shifted_order(pairing.n + len(dropped), pairing.shift).tolist()))
    order = np.array(pairing.order, dtype=np.int64)
    whole = np.arange(len(order) + len(dropped))
    kept = kept_rows(len(order), dropped)
    whole[kept] = kept[order]
    return replace(pairing, order=tuple(whole.tolist()))


def _alike(kinds: NDArray[np.intp]) -> NDArray[np.int64]:
    """(n,) the same number for rows of one direction, from 0 without gaps."""
    labels: NDArray[np.int64] = np.unique(kinds, return_inverse=True)[1]
    return labels


def _diagnosed(run: Run, swept: Sweep, tied: Groups | None, files: FileRows) -> Pairing:
    tick = step_of(run.progress, 0, 1, ASKING)
    tick()
    equal = None if tied is None else EqualRows(a=_alike(run.kinds[0]), b=_alike(run.kinds[1]))
    counted, which = (swept.raw, RAW) if swept.centred is None else (swept.centred, CENTRED)
    best = best_in_b(counted)
    rng = np.random.default_rng((run.settings.seed, PAIRING_SEED))
    ready = prepared_rows(run.sides.a, which), prepared_rows(run.sides.b, which)
    found = diagnose_pairing(*ready, best, rng=rng, equal=equal, files=files, tick=tick)
    if found.kind == "permuted":
        found = _ordered(run, swept, found, best, equal)
    return found if not found.reordered or pairs_more(found) else replace(found, kind="unrelated", order=None)


def _ordered(run: Run, swept: Sweep, found: Pairing, best: NDArray[np.int64], equal: EqualRows | None) -> Pairing:
    """The same with the order that pairs the rows."""
    a, b = run.sides.a.stored, run.sides.b.stored
    counted = swept.raw if swept.centred is None else swept.centred
    means = (None, None) if swept.centred is None else (run.means.a, run.means.b)
    sides = UnitRows(a, means[0]), UnitRows(b, means[1])
    alike = None if equal is None else equal.b
    order = matching_order(*sides, best, best_scores(counted), alike=alike, progress=run.progress)
    return with_order(found, order, best, alike=alike)
