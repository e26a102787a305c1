"""Several conditions measured alike and compared: files in, one result out.

Every run, one condition with one seed, is an ordinary audit with the same settings: the
same derangements, the same kind of means, the same floors. What differs between runs is
then the files. Differences of their gaps come from `core.conditions`, in both readings,
adjusted as the one family in which they are shown. The layers of two stacks are runs too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.audit import Audit, AuditSettings, audit
from core.conditions import Condition, adjusted, compare_conditions, refuse_incomparable, run_name
from core.errors import AuditError, Notice, PairingError, SettingsError
from core.gap_differences import GapDifference
from core.gap_values import BothGaps, GapValues, both_gaps
from core.inspection import Inspection
from core.limits import MIN_PAIRS
from core.pairs import NO_ROWS, pair_up, refuse_other_shapes, refuse_too_few
from core.prose import agreed, counted
from core.run_items import ItemOrder, item_order, refuse_other_ids
from core.sweep import Progress
from core.ticks import step_of
from core.unchanged import refuse_changed

__all__ = [
    "Comparison",
    "ComparisonSettings",
    "MeasuredRun",
    "Run",
    "bad_items",
    "compare",
    "condition_of",
    "layer_runs",
    "more_layers_than_items",
    "refuse_runs",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """One comparison of files: a condition, with one seed.

    Attributes
    ----------
    label
        Name of the condition: ``"int8"``. Hostile text, escape before showing.
    seed
        Name of the seed; `None` where there are no seeds.
    a, b
        The two sides; row i of one belongs with row i of the other.
    """

    label: str
    seed: str | None = None
    a: Inspection
    b: Inspection


#: Of two gaps, each at most 2.
LARGEST_DIFFERENCE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSettings:
    """What holds for every run.

    Attributes
    ----------
    audit
        Of each run; where bad rows are left out, items bad in any run are left out of all, so that items match.
    margin
        Largest difference of gaps that would not matter, declared before looking.
    baseline
        Condition that each other one is compared with; by default the first that has a centred reading.
    all_pairs
        Compare every two conditions instead.
    """

    audit: AuditSettings = field(default_factory=AuditSettings)
    margin: float | None = None
    baseline: str | None = None
    all_pairs: bool = False

    def __post_init__(self) -> None:
        if self.margin is not None and not 0 < self.margin <= LARGEST_DIFFERENCE:
            raise SettingsError(
                f"the margin (--margin) is {self.margin:g}; it must be above 0 and at most {LARGEST_DIFFERENCE:g}",
                remedy="Give the largest difference of gaps that would not matter, or leave it out.",
            )
        if self.all_pairs and self.baseline is not None:
            raise SettingsError(
                "every two conditions are to be compared (--all-pairs), and a baseline is given too",
                remedy="Leave one of them out.",
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredRun:
    """One run and what it scores.

    Attributes
    ----------
    label, seed
        As in `Run`.
    audit
        Its figures.
    gaps
        Its corrected gaps with their delete-one values.
    """

    label: str
    seed: str | None
    audit: Audit
    gaps: BothGaps

    @property
    def at_floor(self) -> bool:
        """True if the gap, centred where that is defined, is not above zero by its own interval."""
        gap = self.gaps.centred or self.gaps.raw
        low = gap.gap if gap.interval is None else gap.interval[0]
        return low <= 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Runs measured alike and their signed differences; holds no input array.

    Attributes
    ----------
    settings
        What held for every run; `baseline` is filled in unless all pairs were compared.
    layers
        True if the conditions are the layers of two stacks, in order.
    runs
        In the order given.
    raw, centred
        Differences between conditions, adjusted together; `centred` holds those of conditions that
        have a centred reading in every run.
    order
        Whether the runs hold the items in one order, as far as was seen.
    margin_after_look
        As in `core.result.Audit`.
    """

    settings: ComparisonSettings
    layers: bool
    runs: tuple[MeasuredRun, ...]
    raw: tuple[GapDifference, ...]
    centred: tuple[GapDifference, ...]
    order: ItemOrder = field(default_factory=ItemOrder)
    margin_after_look: bool = False

    @property
    def margin_declared(self) -> str:
        """When the margin was declared, as a sentence says it; empty without one."""
        if self.settings.margin is None:
            return ""
        return "declared after a first look" if self.margin_after_look else "declared with the run"

    @property
    def n(self) -> int:
        """Items, the same in every run."""
        return self.runs[0].audit.n

    @property
    def seeds(self) -> tuple[str | None, ...]:
        """Seeds of every condition, in the order of the first; ``(None,)`` without seeds."""
        return tuple(run.seed for run in self.runs if run.label == self.runs[0].label)


def compare(
    runs: Sequence[Run],
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    settings: ComparisonSettings | None = None,
    layers: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Audit every run alike and compare their gaps.

    Parameters
    ----------
    runs : sequence of Run
        At least two conditions; all on the same n items; every condition with the same
        seeds, or none with any.
    fit_a, fit_b : Inspection, optional
        Rows to fit the means of every run on, instead of its own compared rows.
    settings : ComparisonSettings, optional
        For every run.
    layers : bool
        The runs are layers, in order.
    progress : callable, optional
        Called with (done, total, message) between blocks; raise `Cancelled` to stop.

    Raises
    ------
    PairingError
        Runs that cannot be compared, or a run whose files cannot: which one, before
        anything is measured.

    Notes
    -----
    One audit a run, O(n^2 d), and O(n d) for the differences.
    """
    settings = settings or ComparisonSettings()
    drop = settings.audit.drop_bad_rows
    refuse_runs(runs, fit_a, fit_b, baseline=settings.baseline, drop_bad_rows=drop)
    left_out = bad_items(runs) if drop else NO_ROWS
    order = ItemOrder() if layers else item_order(runs, left_out, progress)
    measured = tuple(
        _measured(run, fit_a, fit_b, settings.audit, left_out, _numbered(progress, place, len(runs), run))
        for place, run in enumerate(runs, start=1)
    )
    uncentred = {run.label for run in measured if run.gaps.centred is None}
    if not settings.all_pairs and settings.baseline is None:
        first = next((run.label for run in runs if run.label not in uncentred), runs[0].label)
        settings = replace(settings, baseline=first)
    raw = _differences([(run, run.gaps.raw) for run in measured], settings.baseline)
    defined = [(run, gap) for run in measured if run.label not in uncentred and (gap := run.gaps.centred) is not None]
    comparable = len({run.label for run, _ in defined}) > 1 and settings.baseline not in uncentred
    centred = _differences(defined, settings.baseline) if comparable else ()
    family = adjusted([*raw, *centred])
    return Comparison(
        settings=settings,
        layers=layers,
        runs=measured,
        raw=family[: len(raw)],
        centred=family[len(raw) :],
        order=order,
    )


def condition_of(name: str) -> tuple[str, str | None]:
    """Condition and seed of a name such as ``int8@1``; without both parts all of it is the condition."""
    label, _, seed = name.rpartition("@")
    return (label, seed) if label and seed else (name, None)


def layer_runs(a: Sequence[Inspection], b: Sequence[Inspection]) -> tuple[Run, ...]:
    """The layers of two stacks as runs, named by their number.

    Raises
    ------
    PairingError
        The stacks have different numbers of layers.
    """
    if len(a) != len(b):
        names = (f"{stack[0].loaded.name} has {len(stack):,} layers" for stack in (a, b))
        raise PairingError(
            f"{' and '.join(names)}; layer l of one belongs with layer l of the other, so the counts must match",
            remedy="Save the same layers of the same items for both sides",
        )
    return tuple(Run(label=f"layer {layer}", a=x, b=y) for layer, (x, y) in enumerate(zip(a, b, strict=True)))


def more_layers_than_items(n_layers: int, shape: tuple[int, int]) -> str:
    """Whether the axes of a stack may stand in another order, as a sentence; empty where layers are fewer than items.

    Parameters
    ----------
    n_layers : int
        Layers of the stack, as it was read.
    shape : (n, d)
        Of one layer.
    """
    n, dim = shape
    if n_layers <= n:
        return ""
    return (
        f"Are the axes in order? The stack of shape ({n_layers:,}, {n:,}, {dim:,}) was read as {n_layers:,} layers of "
        f"{n:,} items. Files of shape (items, layers, columns) are put right by np.moveaxis(x, 1, 0)."
    )


def refuse_runs(
    runs: Sequence[Run],
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    baseline: str | None = None,
    drop_bad_rows: bool = False,
) -> None:
    """Refuse what cannot be compared, before anything is measured. Time O(runs), and O(bad rows).

    Raises
    ------
    PairingError
        As `compare` does.
    """
    for run in runs:
        _refuse_run(run, fit_a, fit_b, drop_bad_rows)
    refuse_incomparable([(run.label, run.seed, run.a.loaded.shape[0]) for run in runs], baseline=baseline)
    refuse_other_ids(runs)
    if drop_bad_rows:
        n, bad = runs[0].a.loaded.shape[0], len(bad_items(runs))
        if n - bad < MIN_PAIRS:
            raise PairingError(
                f"{bad:,} of {counted(n, 'item')} have a NaN, infinite or zero row in some condition, and the floor "
                f"needs at least {MIN_PAIRS} pairs",
                remedy="Leave out the condition that has most of them, or use files with more rows.",
            )


def bad_items(runs: Sequence[Run]) -> NDArray[np.intp]:
    """Numbers of the items with a NaN, infinite or zero row on either side of any run."""
    rows = [found.unusable for run in runs for found in (run.a, run.b)]
    return np.unique(np.concatenate(rows)) if rows else NO_ROWS


def _refuse_run(run: Run, fit_a: Inspection | None, fit_b: Inspection | None, drop_bad_rows: bool) -> None:
    """Refuse files that no audit could compare, naming the condition."""
    named = run_name(run.label, run.seed)
    for found in () if drop_bad_rows else (run.a, run.b, fit_a, fit_b):
        if found is not None and len(found.unusable):
            raise PairingError(
                f"condition {named}: {len(found.unusable):,} of {found.loaded.shape[0]:,} rows of "
                f"{found.loaded.name} {agreed(len(found.unusable), 'is', 'are')} zero or "
                f"{agreed(len(found.unusable), 'holds', 'hold')} NaN or infinity, the first row "
                f"{found.unusable[0]:,} (counting from 0)",
                remedy="Repair them, or leave those items out of every condition (--drop-bad-rows, or the box on the "
                "page)",
            )
    try:
        refuse_other_shapes(run.a, run.b, fit_a, fit_b)
        refuse_too_few(run.a, run.b, run.a.loaded.shape[0])
    except AuditError as error:
        raise PairingError(f"condition {named}: {error}", remedy=error.remedy) from error


def _measured(
    run: Run,
    fit_a: Inspection | None,
    fit_b: Inspection | None,
    settings: AuditSettings,
    left_out: NDArray[np.intp],
    progress: Progress | None,
) -> MeasuredRun:
    sides = (run.a, run.b, fit_a, fit_b)
    audited = audit(*sides, settings=settings, left_out=left_out, progress=progress)
    tick = step_of(progress, 0, 1, "Leaving out pairs")
    pairs = pair_up(*sides, drop_bad_rows=settings.drop_bad_rows, left_out=left_out)
    measured = MeasuredRun(
        label=run.label,
        seed=run.seed,
        audit=replace(audited, notices=tuple(_of_every_run(notice, audited) for notice in audited.notices)),
        gaps=both_gaps(pairs.a, pairs.b, pairs.fit_a, pairs.fit_b, shared_mean=settings.shared_mean, tick=tick),
    )
    refuse_changed((run.a, run.b, fit_a, fit_b))
    step_of(progress, 1, 1, "Leaving out pairs")()
    return measured


def _of_every_run(notice: Notice, audited: Audit) -> Notice:
    """The word about pairs left out, as it holds for a comparison; every other as it is."""
    if notice.code != "dropped_rows":
        return notice
    text = (
        f"{counted(audited.dropped_rows, 'pair')} with NaN, infinite or zero rows in any condition "
        f"{agreed(audited.dropped_rows, 'was', 'were')} left out of all, on both sides, as asked; "
        f"{counted(audited.n, 'pair')} remain."
    )
    return replace(notice, text=text)


def _differences(
    runs: Sequence[tuple[MeasuredRun, GapValues]], baseline: str | None
) -> tuple[GapDifference, ...]:
    conditions = [Condition(label=run.label, seed=run.seed, values=gap) for run, gap in runs]
    return compare_conditions(conditions, baseline=baseline)


def _numbered(progress: Progress | None, place: int, total: int, run: Run) -> Progress | None:
    """Progress that says which run of how many it is."""
    if progress is None:
        return None
    seed = "" if run.seed is None else f", seed {run.seed}"

    def tell(done: int, steps: int, message: str) -> None:
        progress(done, steps, f"{run.label}{seed} ({place} of {total}): {message}")

    return tell
