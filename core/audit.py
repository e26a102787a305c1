"""The audit: what is measured, in which order, and the one result it leaves.

`audit` is the only function that knows the order of things. Every number of the result
is computed once, here or in the measure it calls; the page and the reports only show it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.alarm import CoordinateAlarm
from core.anisotropy import anisotropy
from core.checks import checks
from core.distortions import distortions
from core.errors import LimitError
from core.floor import Derangements
from core.formats.loaded import RealArray
from core.group_ids import GroupIds, declared_groups, proposed_groups, said_ids, tied_by_duplicates
from core.groups import Groups
from core.inspection import Inspection
from core.isotropy import SideShape
from core.limits import FULL_MATRIX_PAIRS, SCATTER_COLUMNS
from core.lineup import in_the_files, line_up, same_axes
from core.mean_shares import ComparedAmong, compared_among
from core.means import FittedMean, Means, fit_means
from core.measured import TOO_WIDE, Run, both_at_ceiling, closeness_of, group_record, measure
from core.memory import refuse_what_will_not_fit
from core.notices import result_notices
from core.pairs import NO_ROWS, Pairs, pair_up
from core.prose import agreed
from core.provenance import InputRecord, record, versions
from core.ranks import seeded_pool
from core.reading import clipped
from core.result import Audit, MeanSource
from core.row_scores import pair_rows
from core.rows import FLOAT64_SPACING, NO_LENGTH, UnitRows
from core.same_direction import direction_kinds
from core.settings import AuditSettings, refuse_groups_in_a_pool
from core.sweep import Progress, ReadySides, make_ready, pairing_sums, sweep
from core.sweep.workers import steady
from core.ticks import step_of
from core.unchanged import watched

__all__ = ["Audit", "AuditSettings", "GroupIds", "MeanSource", "audit"]

Float64Array = NDArray[np.float64]

#: A and B, and the rows their means are fitted on.
Files = tuple[Inspection, Inspection, Inspection | None, Inspection | None]

#: What is said before the sweep, and at the end.
FITTING, ALIGNING, CHECKING = "Fitting the means", "Comparing the axes", "Checking the figures"


def audit(
    a: Inspection,
    b: Inspection,
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    settings: AuditSettings | None = None,
    groups: GroupIds | ArrayLike | None = None,
    keep_rows: bool = False,
    n_workers: int | None = None,
    left_out: NDArray[np.intp] = NO_ROWS,
    progress: Progress | None = None,
) -> Audit:
    """Audit a cosine comparison of A and B, row by row.

    Parameters
    ----------
    a, b : Inspection
        The two sides, (n, d) each; row i of one belongs with row i of the other.
    fit_a, fit_b : Inspection, optional
        Rows to fit the means on, of the same width; any number of rows.
    settings : AuditSettings, optional
        The defaults are the reference's.
    groups : GroupIds or (n,) whole numbers or text, optional
        Which pairs belong together, one id for each row of the files: rows of one group do not
        count as unrelated, and intervals leave out whole groups.
    keep_rows : bool
        Keep what the pass found for each pair (80 bytes), for a table of the worst; own group or not.
    n_workers : int, optional
        Threads; by default one on each core this process may use. No figure depends on it.
    left_out : (k,) intp
        With ``settings.drop_bad_rows``: pairs to leave out beside those that are bad here.
    progress : callable, optional
        Called with (done, total, message) between blocks; raise `Cancelled` to stop.

    Raises
    ------
    PairingError
        The files cannot be compared row by row.
    SettingsError
        Groups together with a pool of candidates, or not a number of workers.
    AuditError
        A mapped file was changed meanwhile.
    LimitError
        There is not enough free memory for it, or groups of rows too wide for their floor.

    Notes
    -----
    Time O(n^2 d) for the ranks, or O(n M d + n d^2) with a pool of M candidates; O(n d^2) for
    what the numbers can bear; everything else O(n d) or O(n_derangements n d).
    One call of a library cannot be stopped: see `core.procrustes.fit_map`.
    Memory: one float32 copy of the two sides, a few blocks, and a few (d, d) matrices, or
    (n, n) ones up to 2,000 pairs (`core.limits`).
    """
    given = settings or AuditSettings()
    with steady(n_workers):
        return _audit(
            (a, b, fit_a, fit_b), given, groups=groups, keep_rows=keep_rows, left_out=left_out, progress=progress
        )


def _audit(
    files: Files,
    settings: AuditSettings,
    *,
    groups: GroupIds | ArrayLike | None,
    keep_rows: bool,
    left_out: NDArray[np.intp],
    progress: Progress | None,
) -> Audit:
    """The audit, step by step."""
    a, b, fit_a, fit_b = files
    progress = watched(files, progress)
    pairs = _fitting_pairs(files, settings, left_out)
    ids = None if groups is None else said_ids(groups)
    declared = None if ids is None else _usable_groups(ids, settings, a, pairs)
    others = _other_rows(pairs, (a, b), (fit_a, fit_b))
    among, means = _fitted(pairs, others, progress, shared=settings.shared_mean)
    kinds, ties, alarm = _aligned(pairs, declared, progress, seed=settings.seed)
    sides = make_ready(pairs.a, pairs.b, means.a, means.b, progress=progress)
    paired, pool = _paired(sides, settings, progress)
    swept = sweep(sides, candidates=pool, progress=progress)
    run = Run(sides, means, settings, declared, pool, max(_spacing(a), _spacing(b)), progress, pairs.numbers, kinds)
    side_a, side_b, raw, centred = measure(run, (a, b), (pairs.fit_a, pairs.fit_b), among, swept, paired)
    n_files = len(pairs.numbers) + pairs.dropped.count
    alarm, pairing = line_up(run, swept, (centred or raw).reading, declared or ties, alarm, n_files=n_files)
    tick = step_of(progress, 0, 1, CHECKING)
    near, same = closeness_of(run, raw, tick)
    result = Audit(
        settings=settings,
        n=len(pairs.a),
        dim=pairs.a.shape[1],
        **_records(a, b, fit_a, fit_b),
        side_a=side_a,
        side_b=side_b,
        raw=raw.reading,
        centred=centred.reading if centred else None,
        closeness=near,
        same_rows=same,
        evidence_missing="" if raw.inference else TOO_WIDE,
        at_ceiling=centred is not None and both_at_ceiling(raw.reading, centred.reading),
        groups=None if ids is None or declared is None else group_record(ids, declared, sides, raw, centred),
        proposed_groups=None if ties is None else proposed_groups(ties),
        alarm=alarm,
        pairing=in_the_files(pairing, pairs.dropped.rows),
        dropped_rows=pairs.dropped.count,
        dropped_fit_rows=(_left_out(fit_a, settings), _left_out(fit_b, settings)),
        notices=(),
        distortions=(),
        checks=checks(sides, swept, pool, progress=progress, tick=tick),
        versions=versions(),
        rows=pair_rows(swept, pairs.dropped.rows) if keep_rows else None,
        **_about_means(run, side_a.shape, side_b.shape),
    )
    step_of(progress, 1, 1, CHECKING)()
    result = replace(result, notices=pairs.notices + result_notices(result))
    return replace(result, distortions=distortions(result))


def _fitted(
    pairs: Pairs, others: list[RealArray | None], progress: Progress, *, shared: bool
) -> tuple[tuple[ComparedAmong, ComparedAmong], Means]:
    """Compared rows among the fit rows, and what both sides are centred on."""
    tick = step_of(progress, 0, 1, FITTING)
    known = (UnitRows(pairs.a).mean_row(tick), UnitRows(pairs.b).mean_row(tick))
    among = compared_among((pairs.a, pairs.b), pairs.fit_a, pairs.fit_b, means=known, tick=tick)
    means = fit_means(*known, *others, shared=shared, among=among, tick=tick)
    step_of(progress, 1, 1, FITTING)()
    return among, means


def _aligned(
    pairs: Pairs, declared: Groups | None, progress: Progress, *, seed: int
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], Groups | None, CoordinateAlarm]:
    """Rows of one direction, pairs tied by them where no groups are declared, and the alarm, one pair of each group."""
    tick = step_of(progress, 0, 1, ALIGNING)
    kinds = direction_kinds(pairs.a, tick), direction_kinds(pairs.b, tick)
    ties = tied_by_duplicates(*kinds) if declared is None else None
    alarm = same_axes(pairs.a, pairs.b, seed, declared or ties, tick).at(pairs.numbers)
    step_of(progress, 1, 1, ALIGNING)()
    return kinds, ties, alarm


def _fitting_pairs(
    files: Files,
    settings: AuditSettings,
    left_out: NDArray[np.intp],
) -> Pairs:
    """The rows to compare, where there is memory for it."""
    drop, pooled = settings.drop_bad_rows, settings.pooled(files[0].loaded.shape[0])
    refuse_what_will_not_fit(*files, drop_bad_rows=drop, more_left_out=len(left_out) > 0, pooled=pooled)
    return pair_up(*files, drop_bad_rows=drop, left_out=left_out)


def _other_rows(
    pairs: Pairs, sides: tuple[Inspection, Inspection], fits: tuple[Inspection | None, Inspection | None]
) -> list[RealArray | None]:
    """Rows to fit the means on: a fit file that is the compared file again is no other rows."""
    found: list[RealArray | None] = []
    for side, fit, compared, rows in zip(sides, fits, (pairs.a, pairs.b), (pairs.fit_a, pairs.fit_b), strict=True):
        again = fit is not None and rows is not None and fit.loaded.sha256 == side.loaded.sha256
        found.append(None if again and rows is not None and rows.shape == compared.shape else rows)
    return found


class _Records(TypedDict):
    a: InputRecord
    b: InputRecord
    fit_a: InputRecord | None
    fit_b: InputRecord | None


def _records(a: Inspection, b: Inspection, fit_a: Inspection | None, fit_b: Inspection | None) -> _Records:
    return {
        "a": record(a),
        "b": record(b),
        "fit_a": record(fit_a) if fit_a else None,
        "fit_b": record(fit_b) if fit_b else None,
    }


def _left_out(fit: Inspection | None, settings: AuditSettings) -> int:
    """Rows of a fit file that its mean was fitted without, as asked."""
    return len(fit.unusable) if fit is not None and settings.drop_bad_rows else 0


def _paired(
    sides: ReadySides, settings: AuditSettings, progress: Progress
) -> tuple[tuple[Float64Array, Float64Array], NDArray[np.int64] | None]:
    """Sums of the derangements, then a pool, from one generator: in this order, so that they stay the reference's."""
    n, rng = sides.shape[0], np.random.default_rng(settings.seed)
    paired = pairing_sums(sides, Derangements(n, settings.n_derangements, rng), progress=progress)
    return paired, seeded_pool(n, settings.candidates, rng)


class _AboutMeans(TypedDict):
    mean_a: MeanSource
    mean_b: MeanSource
    anisotropy_a: float
    anisotropy_b: float
    centred_anisotropy_a: float | None
    centred_anisotropy_b: float | None
    centred_undefined: str
    length_product: float
    centred_rounding: float


def _about_means(run: Run, *shapes: SideShape) -> _AboutMeans:
    """What centring does, and to what: anisotropy before and after."""
    sides, undefined = run.sides, _why_undefined(run)
    return {
        "mean_a": _source(run.means.fitted_a, run.means.shares.a),
        "mean_b": _source(run.means.fitted_b, run.means.shares.b),
        "anisotropy_a": clipped(float(shapes[0].anisotropy.estimate or 0.0)),
        "anisotropy_b": clipped(float(shapes[1].anisotropy.estimate or 0.0)),
        "centred_anisotropy_a": None if undefined else clipped(anisotropy(sides.a.centred_mean)),
        "centred_anisotropy_b": None if undefined else clipped(anisotropy(sides.b.centred_mean)),
        "centred_undefined": undefined,
        "length_product": float(np.mean(sides.a.lengths * sides.b.lengths)),
        "centred_rounding": max(map(_rounding, (sides.a.lengths, sides.b.lengths))),
    }


def _rounding(lengths: Float64Array) -> float:
    """Rounding of a unit row over the median length that centring leaves."""
    return FLOAT64_SPACING / max(float(np.median(lengths)), NO_LENGTH)


def _usable_groups(ids: GroupIds, settings: AuditSettings, a: Inspection, pairs: Pairs) -> Groups:
    """Groups of the compared pairs. They decide the floor and the ranks: no audit without what they need."""
    n, dim = pairs.a.shape
    refuse_groups_in_a_pool(settings.candidates, n)
    if n > FULL_MATRIX_PAIRS and dim > SCATTER_COLUMNS:
        raise LimitError(
            f"the floor over different groups of {n:,} pairs needs a matrix of {dim:,} by {dim:,} columns; "
            f"{SCATTER_COLUMNS:,} are the limit above {FULL_MATRIX_PAIRS:,} pairs",
            remedy="Leave the groups out, or compare fewer pairs.",
        )
    return declared_groups(ids, a.loaded.shape[0], pairs.dropped.rows)


def _spacing(found: Inspection) -> float:
    """Distance from 1 to the next number of the stored type; 0 for whole numbers, which are exact."""
    kind = found.loaded.array.dtype
    return float(np.finfo(kind).eps) if kind.kind == "f" else 0.0


def _source(fitted: FittedMean, shares: tuple[float, float]) -> MeanSource:
    return MeanSource(n_rows=fitted.row.n_rows, from_fit_file=fitted.from_fit_file, shares=shares)


def _why_undefined(run: Run) -> str:
    """Why some row has no direction after centring, or an empty string."""
    for side, ready in (("A", run.sides.a), ("B", run.sides.b)):
        lost = ready.lost
        if len(lost):
            return (
                f"The centred reading is undefined: {len(lost):,} of {run.sides.shape[0]:,} rows of {side} "
                f"{agreed(len(lost), 'equals', 'equal')} the "
                f"fitted mean (first at row {run.numbers[lost[0]]:,}, counting from 0), so nothing is left of "
                f"{agreed(len(lost), 'it', 'them')} after "
                "centring. The raw figures stand. Fit the mean on more or other rows."
            )
    return ""
