"""A comparison of conditions in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from core.comparison import Comparison, MeasuredRun, more_layers_than_items
from core.conditions import side_by_side
from core.gap_differences import GapDifference
from core.inference import Outcome
from core.prose import TOLD, agreed, counted, told
from core.report.item_words import not_compared, other_ids, reordered, tied, uncentred
from core.report.names import shown_name, visible
from core.report.numbers import ascii_minus, count, fixed

__all__ = [
    "decimals_of",
    "differences_in_words",
    "methods_paragraph",
    "notes",
    "notices",
    "reading_sentence",
    "run_name",
    "signed",
    "title_of",
    "verdict_words",
    "warning",
]

#: Conditions whose raw gaps a shared direction shrinks this differently are worth a note.
_UNEVEN_SHRINKAGE = 0.05


def run_name(run: MeasuredRun) -> str:
    """Condition and seed of a run, as people see it."""
    return shown_name(run.label) if run.seed is None else f"{shown_name(run.label)}, seed {shown_name(run.seed)}"


def title_of(difference: GapDifference) -> str:
    """Which two conditions a difference is between, in order: ``int8 − fp32``."""
    return f"{shown_name(difference.first)} − {shown_name(difference.second)}"


def decimals_of(error: float | None) -> int:
    """Decimals that show an error with two digits, at least four and at most eight."""
    if not error:
        return 4
    return min(max(1 - math.floor(math.log10(error)), 4), 8)


def signed(value: float, decimals: int = 4) -> str:
    """A difference with its sign: +0.0012, −0.0178, 0.0000."""
    text = fixed(value, decimals)
    return text if text.startswith("−") or float(ascii_minus(text)) == 0 else f"+{text}"


def reading_sentence(comparison: Comparison) -> str:
    """The signed differences first, raw and centred; with many of them, how many separate."""
    pairs = side_by_side(comparison.raw, comparison.centred)
    if len(pairs) > TOLD:
        return _summary(comparison)
    return " ".join(_told(raw, centred, comparison.settings.margin) for raw, centred in pairs)


def differences_in_words(differences: Sequence[GapDifference]) -> str:
    """The differences of one reading and their intervals, for those who cannot see a figure."""
    return "; ".join(f"{title_of(one)}: {_with_interval(one)}" for one in differences)


def verdict_words(difference: GapDifference, margin: float | None) -> str:
    """Which of the four things can be said of a difference, or why none."""
    outcome = difference.outcome(margin)
    if outcome is None:
        return f"no test: {difference.no_interval}"
    decimals = decimals_of(difference.error)
    if outcome is Outcome.SEPARATES:
        return "separates"
    if outcome is Outcome.REAL_BUT_SMALL:
        return f"real, but smaller than {margin:.15g}"
    if outcome is Outcome.NO_LARGER_GAP:
        return f"no difference larger than {margin:.15g}"
    return (
        f"underpowered: it could have detected {fixed(difference.detectable, decimals)} and rules out only "
        f"differences above {fixed(difference.excluded_above, decimals)}"
    )


def warning(comparison: Comparison) -> str:
    """What stands beside the reading: axes in doubt, and runs in which nothing about quality can be read."""
    items = (*other_ids(comparison.order), *reordered(comparison.order))
    return " ".join(said for said in (_axes(comparison), _one_row(comparison), _flat(comparison), *items) if said)


def _axes(comparison: Comparison) -> str:
    first = comparison.runs[0].audit
    shape = (first.n + first.dropped_rows, first.dim)
    return more_layers_than_items(len(comparison.runs), shape) if comparison.layers else ""


def _one_row(comparison: Comparison) -> str:
    """Runs in which all rows of a side are alike, so that order and quality cannot be told."""
    alike = [run_name(run) for run in comparison.runs if _is_one_row(run)]
    return (
        f"All rows of a side have one direction in {told(alike, ', ')}, as those of a token "
        "that every text begins with have before the first block. There every pair scores alike: no gap, order or "
        "quality can be read from it."
        if alike
        else ""
    )


def _is_one_row(run: MeasuredRun) -> bool:
    return max(run.audit.side_a.n_same_direction, run.audit.side_b.n_same_direction) >= run.audit.n - 1


def _flat(comparison: Comparison) -> str:
    """Runs whose matched pairs stand no higher than unrelated ones."""
    flat = [run for run in comparison.runs if run.at_floor and not _is_one_row(run)]
    if not flat:
        return ""
    named = [_at_floor(run) for run in flat]
    return (
        f"Matched pairs score no higher than unrelated ones in {told(named)}. That is no loss of precision: either row "
        "i of one file does not belong with row i of the other (another order, other items), or the two sides are not "
        "the same computation. A difference that involves it measures that."
    )


def notes(comparison: Comparison) -> tuple[str, ...]:
    """What qualifies the differences."""
    return tuple(_notes(comparison))


def notices(comparison: Comparison) -> tuple[str, ...]:
    """What is worth a word about the runs, each once, with the runs it is about."""
    about: dict[str, list[str]] = {}
    for run in comparison.runs:
        for notice in run.audit.notices:
            about.setdefault(notice.text, []).append(run_name(run))
    total = len(comparison.runs)
    return tuple(
        visible(text) if len(names) == total else f"{', '.join(names)}: {visible(text)}"
        for text, names in about.items()
    )


def methods_paragraph(comparison: Comparison) -> str:
    """How it was done, to paste into a paper."""
    settings = comparison.settings
    derangements = counted(settings.audit.n_derangements, "derangement")
    mean = "one mean shared by both sides" if settings.audit.shared_mean else "a mean for each side"
    fitted = "the fit rows" if _is_fitted(comparison) else "the compared rows"
    compared = "every two conditions" if settings.baseline is None else f"each with {shown_name(settings.baseline)}"
    family = _family(comparison)
    kinds = len({run.label for run in comparison.runs})
    pairs = count(comparison.n * (comparison.n - 1))
    parts = [
        f"{count(kinds)} {'layers' if comparison.layers else 'conditions'} were compared on the same "
        f"{count(comparison.n)} items, {compared}.",
        f"For each run the gap is the mean cosine of matched rows minus that of all {pairs} unrelated pairs of rows, "
        f"raw and after subtracting {mean} fitted on {fitted} from the unit rows; centred gaps are corrected for "
        "means fitted on compared rows.",
        f"Every run has the same {derangements} (seed {settings.audit.seed}) for the floor of the reference format.",
        _error_words(comparison),
        "Intervals are at 95%, tests two-sided; p-values are adjusted by Holm's method over "
        f"{agreed(family, 'the', 'all')} {counted(family, 'test')} shown. "
        "The smallest detectable difference has 80% power at 5%.",
    ]
    if settings.audit.drop_bad_rows:
        dropped = comparison.runs[0].audit.dropped_rows
        parts.append(
            f"{counted(dropped, 'pair')} with NaN, infinite or zero rows in any condition "
            f"{agreed(dropped, 'was', 'were')} left out of all of them."
        )
    if settings.margin is not None:
        parts.append(f"Differences up to {settings.margin:.15g} were {comparison.margin_declared} not to matter.")
    return " ".join(parts)


def _error_words(comparison: Comparison) -> str:
    seeds = len(comparison.seeds)
    if seeds == 1:
        return "Standard errors: the jackknife over items of the paired differences, with n − 1 degrees of freedom."
    if seeds == 2:
        return "With two seeds the differences are described, not tested."
    return (
        f"Seeds ({count(seeds)}) and items are both taken as random: standard errors are those of the crossed "
        "random-effects model on jackknife pseudo-values, with Satterthwaite's degrees of freedom."
    )


def _told(raw: GapDifference, centred: GapDifference | None, margin: float | None) -> str:
    names = f"{shown_name(raw.first)} minus {shown_name(raw.second)}"
    start = f"{names}: the raw gap differs by {_with_interval(raw)}"
    raw_verdict = verdict_words(raw, margin)
    if centred is None:
        return f"{start}; {raw_verdict}. The centred gap is undefined."
    centred_verdict = verdict_words(centred, margin)
    start = f"{start}, the centred gap by {_with_interval(centred)}"
    if raw_verdict == centred_verdict:
        return f"{start}; {'both separate' if raw_verdict == 'separates' else raw_verdict}."
    return f"{start}. Raw: {raw_verdict}. Centred: {centred_verdict}."


def _with_interval(difference: GapDifference) -> str:
    """The signed mean difference, its interval, and only then its size."""
    decimals = decimals_of(difference.error)
    mean = signed(difference.mean, decimals)
    if difference.interval is None:
        return f"{mean} (no interval)"
    low, high = (signed(end, decimals) for end in difference.interval)
    return f"{mean} (95% interval {low} to {high}, in size {fixed(difference.absolute, decimals)})"


def _summary(comparison: Comparison) -> str:
    best = comparison.centred or comparison.raw
    largest = max(best, key=lambda difference: difference.absolute)
    name = "centred" if comparison.centred else "raw"
    with_what = f" with {shown_name(comparison.settings.baseline)}" if comparison.settings.baseline is not None else ""
    separate = f"{_separate(comparison.raw)} separate raw"
    if comparison.centred:
        separate += f" and {_separate(comparison.centred)} centred"
    return (
        f"Of {count(len(comparison.raw))} comparisons{with_what}, {separate}, adjusted for being looked at together. "
        f"The largest {name} difference: {shown_name(largest.first)} minus {shown_name(largest.second)}, "
        f"{_with_interval(largest)}, not adjusted for having been picked as the largest."
    )


def _separate(differences: Sequence[GapDifference]) -> str:
    return count(sum(bool(difference.separates) for difference in differences))


def _at_floor(run: MeasuredRun) -> str:
    audit = run.audit
    ranks = (audit.centred or audit.raw).a_to_b
    centred = "centred undefined"
    if audit.centred is not None:
        centred = f"centred {fixed(audit.centred.matched_mean)} against {fixed(audit.centred.exact.floor_mean)}"
    return (
        f"{run_name(run)} ({centred}, raw {fixed(audit.raw.matched_mean)} against "
        f"{fixed(audit.raw.exact.floor_mean)}; partner ranked first {fixed(ranks.expected)}, chance "
        f"{fixed(ranks.chance)})"
    )


def _copied_seeds(comparison: Comparison) -> Iterator[str]:
    """Seeds of one condition that are the same two files: another seed should give other rows."""
    same: dict[tuple[str, str, str], list[str]] = {}
    for run in comparison.runs:
        if run.seed is not None:
            same.setdefault((run.label, run.audit.a.sha256, run.audit.b.sha256), []).append(shown_name(run.seed))
    copies = [(label, seeds) for (label, _, _), seeds in same.items() if len(seeds) > 1]
    if copies:
        named = [f"{shown_name(label)}: seeds {', '.join(seeds)}" for label, seeds in copies]
        yield (
            f"The same two files (equal SHA-256) are given as several seeds ({told(named)}). Copies of one run say "
            "nothing of how much seeds differ: errors, intervals and p-values made of them are too small. Give each "
            "seed its own files, or the run once."
        )


def _notes(comparison: Comparison) -> Iterator[str]:
    yield from _copied_seeds(comparison)
    yield from not_compared(comparison.order)
    yield from tied(comparison)
    yield from uncentred(comparison)
    shares = [_left_by_anisotropy(run) for run in comparison.runs]
    if max(shares) - min(shares) > _UNEVEN_SHRINKAGE:
        yield (
            "A direction that all rows share shrinks raw gaps, here to between "
            f"{100 * min(shares):.0f}% and {100 * max(shares):.0f}% of what is left without it, so raw gaps of these "
            "conditions are on different scales."
            f"{' Read the centred differences beside them.' if comparison.centred else ''}"
        )
    if len(comparison.seeds) > 1:
        yield (
            "The difference is the mean of the seeds' signed differences. The mean of their absolute values, shown "
            "seed by seed, is biased: it stays near 0.8 standard deviations of a seed however many seeds there are, "
            "even where nothing differs."
        )
    if comparison.settings.margin is None and any(one.interval for one in comparison.raw):
        yield (
            "No margin was declared, so nothing here says that there is no difference; the tables say "
            "above which size differences are ruled out."
        )


def _left_by_anisotropy(run: MeasuredRun) -> float:
    """Share of a gap that anisotropy leaves: sqrt((1 - A_a) (1 - A_b))."""
    return math.sqrt(max(1 - run.audit.anisotropy_a, 0.0) * max(1 - run.audit.anisotropy_b, 0.0))


def _is_fitted(comparison: Comparison) -> bool:
    audit = comparison.runs[0].audit
    return audit.fit_a is not None and audit.fit_b is not None


def _family(comparison: Comparison) -> int:
    return sum(one.pvalue is not None for one in (*comparison.raw, *comparison.centred))
