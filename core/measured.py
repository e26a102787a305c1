"""Measuring: from a finished sweep to both readings and the facts about both sides.

The raw reading comes first, so that its scatter matrices are gone before the centred
ones are made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import closed_floor_of
from core.closeness import NEARLY_SAME, Closeness, SameRows, closeness, half_squared_distances, same_rows
from core.evidence import evidence, group_floor, infer_reading, prepared_rows, without_own_group
from core.floor import ExactFloor, PermutedFloor, exact_floor, permuted_floor
from core.formats.loaded import RealArray
from core.group_ids import GroupIds, GroupRecord
from core.groups import Groups, WithinGroups, naive_floor_inflation
from core.inference import Inference, at_ceiling
from core.inspection import Inspection
from core.limits import FULL_MATRIX_PAIRS, SCATTER_COLUMNS
from core.mean_shares import ComparedAmong
from core.means import FittedMean, Means
from core.ranks import partner_ranks
from core.reading import Reading, take_reading
from core.rows import UnitRows
from core.scatter import Scatter, scatter
from core.settings import AuditSettings
from core.side_facts import SideFacts, side_facts
from core.sweep import CENTRED, RAW, Progress, ReadingSweep, ReadySide, ReadySides, Sweep
from core.ticks import Tick, no_tick, step_of

__all__ = ["TOO_WIDE", "Measured", "Run", "both_at_ceiling", "closeness_of", "group_record", "measure"]

Float64Array = NDArray[np.float64]

#: Facts about the sides, and two readings.
STEPS = 3

#: What is said meanwhile.
TAKING = "Taking intervals"


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What all readings of one audit share.

    Attributes
    ----------
    precision
        Spacing at 1 of the coarser of the two stored types; 0 for whole numbers.
    numbers
        (n,) the row of the files that each compared pair is.
    kinds
        For each compared row of A, and of B, the first that has its direction.
    """

    sides: ReadySides
    means: Means
    settings: AuditSettings
    groups: Groups | None
    pool: NDArray[np.int64] | None
    precision: float
    progress: Progress | None
    numbers: NDArray[np.intp]
    kinds: tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """One reading, and what it was made from."""

    reading: Reading
    inference: Inference | None
    within: WithinGroups | None


#: Why there may be no intervals, test and verdict.
TOO_WIDE = (
    f"intervals, test and verdict of more than {FULL_MATRIX_PAIRS:,} pairs need a matrix of columns by columns, "
    f"which is made for up to {SCATTER_COLUMNS:,} columns"
)


def measure(
    run: Run,
    found: tuple[Inspection, Inspection],
    fits: tuple[RealArray | None, RealArray | None],
    among: tuple[ComparedAmong, ComparedAmong],
    swept: Sweep,
    paired: tuple[Float64Array, Float64Array],
) -> tuple[SideFacts, SideFacts, Measured, Measured | None]:
    """Facts about A and B, and both readings; the centred one is `None` where it is undefined.

    Parameters
    ----------
    run : Run
        What all share.
    found, fits
        Files, and arrays the means were fitted on, of A and of B.
    among
        Compared rows among those arrays.
    swept : Sweep
        The pass over all scores.
    paired : (2, m) float64, twice
        Sums of the derangements, from `core.sweep.pairing_sums`.
    """
    n, _ = run.sides.shape
    tick = step_of(run.progress, 0, STEPS, TAKING)
    tick()
    scatters = _scatters(run, tick)
    sides, fitted = (run.sides.a, run.sides.b), (run.means.fitted_a, run.means.fitted_b)
    gathered = zip((0, 1), found, sides, fits, among, fitted, scatters, (tick, tick), strict=True)
    facts = [_side_facts(run, *each) for each in gathered]
    del gathered  # it keeps what it gave last, a matrix
    chance = None if run.pool is None else float(np.mean(1.0 / (1.0 + swept.n_others)))
    measured = []
    for reading, counted in ((RAW, swept.raw), (CENTRED, swept.centred)):
        tick = step_of(run.progress, 1 + reading, STEPS, TAKING)
        tick()
        if counted is not None:
            floor = permuted_floor(run.sides.floors[reading], paired[0][reading], paired[1][reading], n)
            measured.append(_measure(run, reading, counted, floor, chance, scatters, tick))
        scatters = (None, None)
    step_of(run.progress, STEPS, STEPS, TAKING)()
    return facts[0], facts[1], measured[RAW], measured[CENTRED] if swept.centred else None


def _scatters(run: Run, tick: Tick) -> tuple[Scatter | None, Scatter | None]:
    """Scatter matrices of the raw sides, where more than one measure needs them."""
    n, dim = run.sides.shape
    if n <= FULL_MATRIX_PAIRS or dim > SCATTER_COLUMNS:
        return None, None
    a, b = run.sides.a, run.sides.b
    return scatter(prepared_rows(a, RAW), a.unit_mean, tick), scatter(prepared_rows(b, RAW), b.unit_mean, tick)


def _side_facts(
    run: Run,
    which: int,
    found: Inspection,
    side: ReadySide,
    fit: RealArray | None,
    among: ComparedAmong,
    fitted: FittedMean,
    about_mean: Scatter | None,
    tick: Tick,
) -> SideFacts:
    rows = prepared_rows(side, RAW)
    return side_facts(
        found,
        rows,
        side.unit_mean,
        fit,
        among,
        fitted.row,
        side=which,
        groups=run.groups,
        about_mean=about_mean,
        kinds=run.kinds[which],
        tick=tick,
    )


def _measure(
    run: Run,
    reading: int,
    counted: ReadingSweep,
    permuted: PermutedFloor,
    chance: float | None,
    scatters: tuple[Scatter | None, Scatter | None],
    tick: Tick,
) -> Measured:
    """One reading: inference, ranks, floors."""
    n, _ = run.sides.shape
    inference, scores = infer_reading(
        run.sides,
        reading,
        counted,
        means=run.means,
        groups=run.groups,
        margin=run.settings.margin,
        rng=np.random.default_rng((run.settings.seed, 1 + reading)),  # apart from the derangements' generator
        has_pool=run.pool is not None,
        scatters=scatters,
        tick=tick,
    )
    within = None
    if run.groups is not None:
        counted, within = without_own_group(run.sides, reading, counted, run.groups, tick)
        chance = run.groups.chance_first
    n_candidates = n if run.pool is None else len(run.pool) + 1
    ranks = (
        partner_ranks(counted.better_a_to_b, counted.tied_a_to_b, n_candidates=n_candidates, chance=chance),
        partner_ranks(counted.better_b_to_a, counted.tied_b_to_a, n_candidates=n_candidates, chance=chance),
    )
    found = evidence(
        counted,
        inference,
        scores,
        ranks,
        groups=run.groups,
        within=within,
        pool=run.pool is not None,
        precision=run.precision,
        tick=tick,
    )
    exact = _exact_floor(run, reading, counted, inference)
    return Measured(
        reading=take_reading(counted, exact, permuted, ranks, found, pool=run.pool, numbers=run.numbers),
        inference=inference,
        within=within,
    )


def _exact_floor(run: Run, reading: int, counted: ReadingSweep, inference: Inference | None) -> ExactFloor:
    """Over different groups; or from the pass over all scores; or in closed form where that met a pool only."""
    if run.groups is not None and inference is not None:
        return group_floor(inference.sums)
    if run.pool is not None:
        return closed_floor_of(run.sides, reading, progress=run.progress).floor
    return exact_floor(run.sides.floors[reading], counted.sum_about, counted.squares_about, counted.n_unrelated)


def closeness_of(run: Run, raw: Measured, tick: Tick = no_tick) -> tuple[Closeness | None, SameRows]:
    """Distances of partners, where 1 - cosine is worth more than the cosine, and whether they are the same rows."""
    if raw.reading.matched_mean <= NEARLY_SAME:
        return None, ""
    halves = half_squared_distances(UnitRows(run.sides.a.stored), UnitRows(run.sides.b.stored), tick)
    same = same_rows(halves, raw.reading.exact.floor_mean, run.sides.shape[1], run.precision)
    near = None if raw.inference is None else closeness(halves, raw.inference.sums, run.numbers, same=same)
    return near, same


def both_at_ceiling(*readings: Reading) -> bool:
    return at_ceiling(
        tuple(reading.matched_mean for reading in readings),
        tuple(ranks.pessimistic for reading in readings for ranks in (reading.a_to_b, reading.b_to_a)),
    )


def group_record(
    ids: GroupIds, groups: Groups, sides: ReadySides, raw: Measured, centred: Measured | None
) -> GroupRecord:
    kin = (0.0, 0.0, 0.0)
    if centred is not None and centred.inference is not None:
        sums = centred.inference.sums
        kin = (sums.kin_a, sums.kin_b, sums.kin_ab)
    return GroupRecord(
        name=ids.file_name,
        sha256=ids.sha256,
        count=groups.count,
        smallest=int(groups.sizes.min()),
        largest=int(groups.sizes.max()),
        n_unrelated=groups.unrelated,
        effective_count=groups.effective_count,
        plain_raw_floor=sides.floors[RAW],
        raw_inflation=naive_floor_inflation(
            groups, raw.within.mean if raw.within else None, raw.reading.exact.floor_mean
        ),
        centred_kin=kin,
        trimmed=ids.trimmed,
    )
