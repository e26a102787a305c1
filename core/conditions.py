"""Many conditions: does the gap differ between them, on the same items?

One A against several B (bf16, int8, 4-bit), or pairs of files for several conditions and
seeds. Each comparison is one of `core.gap_differences`; here runs are brought together,
checked to be comparable, and adjusted as one family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import PairingError
from core.gap_differences import GapDifference, crossed_difference, paired_difference
from core.gap_values import GapValues

__all__ = ["Condition", "compare_conditions", "holm"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Condition:
    """One run to compare: what was run, with which seed, and its gap.

    Attributes
    ----------
    label
        Name of the condition: ``"int8"``.
    seed
        Name of the seed; `None` where there are no seeds.
    values
        Gap and delete-one values, all conditions in the same reading.
    """

    label: str
    seed: str | None
    values: GapValues


def compare_conditions(conditions: Sequence[Condition], *, baseline: str | None = None) -> tuple[GapDifference, ...]:
    """Signed gap differences between conditions, adjusted as one family.

    Parameters
    ----------
    conditions : sequence of Condition
        At least two labels; all on the same n items; every label with the same seeds, or
        none with any.
    baseline : str, optional
        Compare each other label with this one; by default every pair of labels.

    Returns
    -------
    tuple of GapDifference
        In the order given; `holm_pvalue` filled over all that have a p-value.

    Raises
    ------
    PairingError
        Fewer than two labels, an unknown baseline, a run given twice, or a condition with
        other items or other seeds than the first: which one, and what to do.
    """
    runs = _by_label(conditions)
    labels = list(runs)
    if baseline is not None and baseline not in runs:
        raise PairingError(
            f"there is no condition called {baseline} to compare with", remedy=f"choose one of: {', '.join(labels)}"
        )
    if baseline is None:
        pairs = [(first, second) for k, second in enumerate(labels) for first in labels[k + 1 :]]
    else:
        pairs = [(label, baseline) for label in labels if label != baseline]
    found = [_difference(first, second, runs) for first, second in pairs]
    adjusted = holm([difference.pvalue for difference in found])
    return tuple(replace(difference, holm_pvalue=pvalue) for difference, pvalue in zip(found, adjusted, strict=True))


def holm(pvalues: Sequence[float | None]) -> tuple[float | None, ...]:
    """p-values adjusted for being looked at together (Holm 1979); `None` stays out of the family."""
    known = sorted((pvalue, k) for k, pvalue in enumerate(pvalues) if pvalue is not None)
    adjusted: list[float | None] = [None] * len(pvalues)
    largest = 0.0
    for place, (pvalue, k) in enumerate(known):
        largest = max(largest, min((len(known) - place) * pvalue, 1.0))
        adjusted[k] = largest
    return tuple(adjusted)


def _by_label(conditions: Sequence[Condition]) -> dict[str, dict[str | None, GapValues]]:
    """Runs by label and seed, in the order given, checked to be comparable."""
    runs: dict[str, dict[str | None, GapValues]] = {}
    for run in conditions:
        seeds = runs.setdefault(run.label, {})
        if run.seed in seeds:
            what = "twice" if run.seed is None else f"twice with seed {run.seed}"
            raise PairingError(
                f"condition {run.label} is given {what}", remedy="give each run a label or seed of its own"
            )
        seeds[run.seed] = run.values
    if len(runs) < 2:
        raise PairingError("a comparison needs at least two conditions", remedy="add a second condition")
    _same_items(conditions)
    _same_seeds(runs)
    return runs


def _same_items(conditions: Sequence[Condition]) -> None:
    first = conditions[0]
    for run in conditions[1:]:
        if run.values.n != first.values.n:
            raise PairingError(
                f"condition {_named(run)} has {run.values.n:,} items and {_named(first)} has {first.values.n:,}; "
                "differences are taken item by item, so the counts must match",
                remedy=f"run {_named(run)} again on the same items, or leave it out",
            )


def _same_seeds(runs: Mapping[str, Mapping[str | None, GapValues]]) -> None:
    labels = list(runs)
    expected = set(runs[labels[0]])
    for label in labels[1:]:
        missing, extra = expected - set(runs[label]), set(runs[label]) - expected
        if missing or extra:
            seeds = ", ".join(sorted(str(seed) for seed in missing or extra))
            verb = "lacks" if missing else "also has"
            raise PairingError(
                f"condition {label} {verb} seed {seeds}, unlike {labels[0]}; seeds are compared one by one",
                remedy="give every condition the same seeds",
            )


def _named(run: Condition) -> str:
    return run.label if run.seed is None else f"{run.label} (seed {run.seed})"


def _difference(first: str, second: str, runs: Mapping[str, Mapping[str | None, GapValues]]) -> GapDifference:
    seeds = list(next(iter(runs.values())))  # as listed for the first condition, whatever the pair
    if len(seeds) == 1:
        return paired_difference(first, second, runs[first][seeds[0]], runs[second][seeds[0]])
    return crossed_difference(
        first, second, [runs[first][seed] for seed in seeds], [runs[second][seed] for seed in seeds]
    )
