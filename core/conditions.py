"""Many conditions: does the gap differ between them, on the same items?

One A against several B (bf16, int8, 4-bit), or pairs of files for several conditions and
seeds. Each comparison is one of `core.gap_differences`; here runs are brought together,
checked to be comparable, and adjusted as one family. `core.comparison` does it for files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import PairingError
from core.gap_differences import GapDifference, crossed_difference, paired_difference
from core.gap_values import GapValues

__all__ = ["Condition", "adjusted", "compare_conditions", "holm", "refuse_incomparable", "run_name", "side_by_side"]


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
    refuse_incomparable([(run.label, run.seed, run.values.n) for run in conditions], baseline=baseline)
    runs: dict[str, dict[str | None, GapValues]] = {}
    for run in conditions:
        runs.setdefault(run.label, {})[run.seed] = run.values
    labels = list(runs)
    if baseline is None:
        pairs = [(first, second) for k, second in enumerate(labels) for first in labels[k + 1 :]]
    else:
        pairs = [(label, baseline) for label in labels if label != baseline]
    return adjusted([_difference(first, second, runs) for first, second in pairs])


def adjusted(family: Sequence[GapDifference]) -> tuple[GapDifference, ...]:
    """The same differences, their p-values adjusted for being looked at together."""
    pvalues = holm([difference.pvalue for difference in family])
    return tuple(replace(difference, holm_pvalue=pvalue) for difference, pvalue in zip(family, pvalues, strict=True))


def holm(pvalues: Sequence[float | None]) -> tuple[float | None, ...]:
    """p-values adjusted for being looked at together (Holm 1979); `None` stays out of the family."""
    known = sorted((pvalue, k) for k, pvalue in enumerate(pvalues) if pvalue is not None)
    adjusted: list[float | None] = [None] * len(pvalues)
    largest = 0.0
    for place, (pvalue, k) in enumerate(known):
        largest = max(largest, min((len(known) - place) * pvalue, 1.0))
        adjusted[k] = largest
    return tuple(adjusted)


def side_by_side(
    raw: Sequence[GapDifference], centred: Sequence[GapDifference]
) -> tuple[tuple[GapDifference, GapDifference | None], ...]:
    """Each raw difference with that of the same two conditions centred; `None` where that is undefined."""
    known = {(one.first, one.second): one for one in centred}
    return tuple((one, known.get((one.first, one.second))) for one in raw)


def refuse_incomparable(runs: Sequence[tuple[str, str | None, int]], *, baseline: str | None = None) -> None:
    """Check that runs can be compared, before anything is measured.

    Parameters
    ----------
    runs : sequence of (label, seed, number of items)
        As for `compare_conditions`.

    Raises
    ------
    PairingError
        As `compare_conditions` does.
    """
    seeds: dict[str, list[str | None]] = {}
    for label, seed, _ in runs:
        known = seeds.setdefault(label, [])
        if seed in known:
            what = "twice" if seed is None else f"twice with seed {seed}"
            raise PairingError(f"condition {label} is given {what}", remedy="Give each run a label or seed of its own")
        known.append(seed)
    if len(seeds) < 2:
        raise PairingError(
            "a comparison needs at least two conditions", remedy=f"Add a second condition{_seeds_read(seeds)}"
        )
    _same_items(runs)
    _same_seeds(seeds)
    if baseline is not None and baseline not in seeds:
        raise PairingError(
            f"there is no condition called {baseline} to compare with", remedy=f"Choose one of: {', '.join(seeds)}"
        )


def _same_items(runs: Sequence[tuple[str, str | None, int]]) -> None:
    (label, seed, n), *others = runs
    for other, its_seed, items in others:
        if items != n:
            named = run_name(other, its_seed)
            raise PairingError(
                f"condition {named} has {items:,} items and {run_name(label, seed)} has {n:,}; "
                "differences are taken item by item, so the counts must match",
                remedy=f"Run {named} again on the same items, or leave it out",
            )


def _same_seeds(seeds: Mapping[str, Sequence[str | None]]) -> None:
    (first, expected), *others = seeds.items()
    for label, given in others:
        missing = [seed for seed in expected if seed not in given]
        extra = [seed for seed in given if seed not in expected]
        if missing or extra:
            if None in missing or None in extra:
                one, other = (label, first) if None in given else (first, label)
                raise PairingError(
                    f"condition {one} has a run without a seed, and {other} has seeds; seeds are compared one by one",
                    remedy=f"Give every run a seed, or none{_seeds_read(seeds, numbers=True)}",
                )
            verb = "lacks" if missing else "also has"
            raise PairingError(
                f"condition {label} {verb} seed {', '.join(sorted(map(str, missing or extra)))}, unlike {first}; "
                "seeds are compared one by one",
                remedy=f"Give every condition the same seeds{_seeds_read(seeds)}",
            )


def _seeds_read(seeds: Mapping[str, Sequence[str | None]], *, numbers: bool = False) -> str:
    """Where a seed came from, for people whose names hold an @ for another reason; one that is a number is a seed."""
    named = [(label, seed) for label, given in seeds.items() for seed in given if seed is not None]
    odd = [(label, seed) for label, seed in named if numbers or not seed.isdecimal()]
    if not odd:
        return ""
    label, seed = odd[-1]
    return (
        f". What follows the @ in a name is read as its seed ({label}@{seed} as {label} with seed {seed}); where that "
        "is not meant, name the file otherwise: NAME=FILE on the command line, its boxes on the page"
    )


def run_name(label: str, seed: str | None) -> str:
    """What a run is called: its condition, and its seed where it has one."""
    return label if seed is None else f"{label} (seed {seed})"


def _difference(first: str, second: str, runs: Mapping[str, Mapping[str | None, GapValues]]) -> GapDifference:
    seeds = list(next(iter(runs.values())))  # as listed for the first condition, whatever the pair
    if len(seeds) == 1:
        return paired_difference(first, second, runs[first][seeds[0]], runs[second][seeds[0]])
    return crossed_difference(
        first, second, [runs[first][seed] for seed in seeds], [runs[second][seed] for seed in seeds]
    )
