"""What an audit's numbers can bear, in words: the verdict, its limits, the results table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from core.audit import Audit
from core.evidence import Evidence
from core.inference import EXPLORATORY, LEVEL, Outcome, Verdict
from core.intervals import Interval
from core.permutation import PermutationTest
from core.prose import capital, counted
from core.reading import Reading
from core.report.document import Row, Table
from core.report.numbers import UNDEFINED, count, fixed

__all__ = [
    "CEILING",
    "CORRECTED",
    "UNCORRECTED",
    "distortion_table",
    "interval_words",
    "is_corrected",
    "mean_rank_without_interval",
    "pool_scope",
    "power_words",
    "rank_scope",
    "readings_of",
    "results_table",
    "undecided_words",
    "unit_words",
    "verdict_sentence",
]

CEILING = "At ceiling on both readings: this comparison cannot show a difference."

#: Beside every figure of a gap that has two: what centring on the compared rows adds is taken off, or not.
CORRECTED = "corrected for centring"
UNCORRECTED = "not corrected for centring"

#: Below it a p-value is rounding of the tail; floats end near 1e-308.
_SMALLEST_SHOWN = 1e-300

_FIRED = {True: "found", False: "clean", None: "not looked for"}


def verdict_sentence(audit: Audit) -> str:
    """One sentence with its numbers, centred first, then raw; and the ceiling where it applies."""
    if audit.evidence_missing:
        return f"No verdict: {audit.evidence_missing}."
    parts = [f"{name}, {_clause(reading.evidence)}" for name, reading in readings_of(audit)]
    sentence = f"{capital('; '.join(parts))}."
    if audit.centred is None:
        sentence = f"{sentence[:-1]}; the centred reading is undefined."
    verdict = audit.raw.evidence.verdict
    if verdict is not None and verdict.exploratory:
        sentence += f" Exploratory: {unit_words(audit)}, fewer than 20."
    sentence += _clash(audit)
    return f"{sentence} {CEILING}" if audit.at_ceiling else sentence


def _clash(audit: Audit) -> str:
    """What each of p and interval says, where one tells the gap from 0 and the other does not."""
    differ = []
    for name, reading in readings_of(audit):
        verdict, intervals = reading.evidence.verdict, reading.evidence.intervals
        if verdict is None or verdict.outcome is None or intervals is None or intervals.gap.low is None:
            continue
        if (verdict.pvalue <= LEVEL) != (intervals.gap.low > 0 or (intervals.gap.high or 0.0) < 0):
            differ.append(name)
    if not differ:
        return ""
    return (
        f" Test and interval ({' and '.join(differ)}) answer two questions and need not agree: p says how often rows "
        "paired at random would score as far from the floor, and decides whether matched separates; the interval "
        f"says how far the gap itself is known, from a spread that {unit_words(audit)} estimate."
    )


def readings_of(audit: Audit) -> Iterator[tuple[str, Reading]]:
    if audit.centred is not None:
        yield "centred", audit.centred
    yield "raw", audit.raw


def _clause(evidence: Evidence) -> str:
    """What one reading's verdict says."""
    verdict, test, intervals = evidence.verdict, evidence.test, evidence.intervals
    if verdict is None or test is None or intervals is None:
        return "there is no verdict"
    corrected = f" {CORRECTED}" if intervals.correction.factor != 1 else ""
    gap = f"gap {fixed(verdict.gap)}{corrected}{_reach(intervals.gap)}"
    gap += f", {_pvalue(test)}" if test.has_permutations else ""
    left = "" if verdict.largest_gap_left is None else f"the data rule out gaps above {largest_gap_words(verdict)}"
    margin = "" if verdict.margin is None else f"{verdict.margin:.15g}"
    if verdict.outcome is None:
        return f"no verdict, because {verdict.undefined} ({'; '.join(part for part in (gap, left) if part)})"
    if verdict.outcome is Outcome.SEPARATES:
        return f"matched separates from the floor ({gap})"
    if verdict.outcome is Outcome.WRONG_WAY:
        return f"it separates the wrong way: matched pairs score below unrelated ones ({gap})"
    if verdict.outcome is Outcome.NO_LARGER_GAP:
        return f"no gap larger than {margin} ({gap}; {left})"
    if verdict.outcome is Outcome.REAL_BUT_SMALL:
        way = ", and the wrong way" if verdict.wrong_way else ""
        return f"the gap is real but smaller than {margin}{way} ({gap}; {left})"
    undecided = undecided_words(verdict)
    return f"underpowered ({'; '.join(part for part in (gap, power_words(verdict, test), left, undecided) if part)})"


def undecided_words(verdict: Verdict) -> str:
    """What an underpowered comparison says of the declared margin; nothing without one."""
    if verdict.margin is None:
        return ""
    return f"a gap above the declared {verdict.margin:.15g} could be neither shown nor ruled out"


def largest_gap_words(verdict: Verdict) -> str:
    """U, with as many digits as it takes to stand on its own side of the margin: rounding must not turn the verdict."""
    largest, margin = verdict.largest_gap_left, verdict.margin
    if largest is None or margin is None or largest == margin:
        return fixed(largest)
    return fixed(largest, min(max(4, 1 + math.ceil(-math.log10(abs(largest - margin)))), 17))


def power_words(verdict: Verdict, test: PermutationTest) -> str:
    if not test.can_reach(LEVEL):
        return f"with the {count(test.n_permutations)} permutations no gap could come out significant"
    if verdict.detectable is None:
        return "so few pairs, or so much spread, that no possible gap would reliably be told from 0"
    return f"a gap of {fixed(verdict.detectable)} or more would have been found in 80% of such audits"


def is_corrected(reading: Reading) -> bool:
    """True if the gap of this reading has a corrected figure beside matched less floor."""
    intervals = reading.evidence.intervals
    return intervals is not None and intervals.correction.factor != 1


def interval_words(interval: Interval | None) -> str:
    """The interval of a figure, or why it has none."""
    if interval is None:
        return "no interval"
    if interval.low is None:
        return f"no interval: {interval.reason}"
    return f"95% interval {fixed(interval.low)} to {fixed(interval.high)}"


def _reach(interval: Interval) -> str:
    return "" if interval.low is None else f", {interval_words(interval)}"


def _pvalue(test: PermutationTest) -> str:
    """The p-value, how it was got, and the z beside it."""
    how = {
        "enumerated": f"all {count(test.n_permutations)} permutations",
        "drawn": f"{count(test.n_permutations)} permutations",
        "normal": "normal tail of z",
        "gathered": f"{count(test.n_permutations)} permutations, for few scores decide and z has no normal tail",
    }[test.method]
    z = "" if test.z is None else f", z {fixed(test.z, 2)}"
    return f"p {_p(test)} ({how}{z})"


def _p(test: PermutationTest) -> str:
    if test.pvalue < _SMALLEST_SHOWN:
        return f"<{_SMALLEST_SHOWN:.0e}".replace("-", "−")
    return f"{test.pvalue:.4f}" if test.pvalue >= 0.0001 else f"{test.pvalue:.1e}".replace("-", "−")


def rank_scope(audit: Audit) -> str:
    """Among whom rows were ranked, where that is not all of them; else empty."""
    if audit.groups:
        return f"among rows of the other {counted(audit.groups.count - 1, 'group')} and the partner"
    return pool_scope(audit)


def pool_scope(audit: Audit) -> str:
    """The same where rows were ranked among a pool of candidates; else empty."""
    if not audit.has_pool:
        return ""
    among = count(audit.raw.a_to_b.n_candidates)
    return f"ranked among {among} of {count(audit.n)} rows, chance 1/{among}"


def unit_words(audit: Audit) -> str:
    if audit.groups is None:
        return f"n = {count(audit.n)}"
    groups, weight = audit.groups.count, audit.groups.effective_count
    alike = "" if weight >= max(groups / 2, min(groups, EXPLORATORY)) else f" (that count as {weight:.1f} equal ones)"
    return f"{count(groups)} groups{alike}"


def mean_rank_without_interval(audit: Audit) -> Iterator[tuple[str, str]]:
    """The readings whose adjusted mean rank index has no interval in one direction at least, and why."""
    named: dict[str, list[str]] = {}
    for name, reading in readings_of(audit):
        for index in (reading.evidence.mean_rank_a_to_b, reading.evidence.mean_rank_b_to_a):
            if index.low is None and name not in named.setdefault(index.reason, []):
                named[index.reason].append(name)
    for reason, names in named.items():
        yield " and ".join(names), reason


def results_table(audit: Audit) -> Table:
    """Every figure with its interval, raw and centred."""
    how = f" (centred: {CORRECTED})" if audit.centred is not None and is_corrected(audit.centred) else ""
    rows = [
        _side_row("anisotropy of A", audit.side_a.shape.anisotropy, audit.centred_anisotropy_a),
        _side_row("anisotropy of B", audit.side_b.shape.anisotropy, audit.centred_anisotropy_b),
        _interval_row(audit, "matched", _figure("matched"), lambda r: r.matched_mean),
        _interval_row(audit, "floor", _figure("floor"), lambda r: r.exact.floor_mean),
        _interval_row(audit, f"gap{how}", _figure("gap"), lambda r: r.exact.gap),
        _interval_row(
            audit,
            f"gap over floor sd{how}",
            _figure("gap_over_floor_sd"),
            lambda r: r.exact.gap_over_floor_sd,
            decimals=2,
        ),
        _interval_row(audit, f"Cohen's d{how}", _figure("cohens_d"), lambda r: r.exact.cohens_d, decimals=2),
        _interval_row(audit, "partner ranked first, A to B", lambda e: e.first_a_to_b),
        _interval_row(audit, "partner ranked first, B to A", lambda e: e.first_b_to_a),
        _interval_row(audit, "adjusted mean rank index, A to B", lambda e: e.mean_rank_a_to_b),
        _interval_row(audit, "adjusted mean rank index, B to A", lambda e: e.mean_rank_b_to_a),
        _plain_row(
            audit,
            "permutation p, two-sided",
            lambda e: _p(e.test) if e.test and e.test.has_permutations else None,
        ),
        _plain_row(audit, "permutation z", lambda e: fixed(e.test.z, 2) if e.test else None),
        _plain_row(
            audit, "smallest gap found with 80% power", lambda e: fixed(e.verdict.detectable) if e.verdict else None
        ),
        _plain_row(audit, "rules out gaps above", lambda e: largest_gap_words(e.verdict) if e.verdict else None),
    ]
    who = unit_words(audit) + (f"; {pool_scope(audit)}" if audit.has_pool else "")
    return Table(
        title=f"Results with 95% intervals, {who}; corrected for a mean fitted on the compared rows",
        columns=("raw", "raw, low", "raw, high", "centred", "centred, low", "centred, high"),
        rows=tuple(rows),
        notes=(
            "An end that is missing: no interval is made of that figure, or there is none for a reason given here.",
            *_missing_ends(audit),
        ),
    )


def _missing_ends(audit: Audit) -> Iterator[str]:
    """Why figures have no interval, each reason once."""
    named: dict[str, list[str]] = {}
    for side, facts in (("A", audit.side_a), ("B", audit.side_b)):
        if facts.shape.anisotropy.low is None:
            named.setdefault(facts.shape.anisotropy.reason, []).append(f"anisotropy of {side}")
    for name, reading in readings_of(audit):
        for label, field in _WITH_ENDS.items():
            interval = _figure(field)(reading.evidence)
            if interval is not None and interval.low is None:
                named.setdefault(interval.reason, []).append(f"{label} ({name})")
    for reason, labels in named.items():
        yield f"No interval for {', '.join(labels)}: {reason}."
    for names, reason in mean_rank_without_interval(audit):
        yield f"Adjusted mean rank index ({names}): no interval, because {reason}."


#: Figures of a reading that have an interval, by what the table calls them.
_WITH_ENDS = {
    "matched": "matched",
    "floor": "floor",
    "gap": "gap",
    "gap over floor sd": "gap_over_floor_sd",
    "Cohen's d": "cohens_d",
}

#: Cells of an interval there is none of: left empty, because nothing is wrong with the figure.
_NO_ENDS = ("", "")


def _cells(interval: Interval, decimals: int = 4) -> tuple[str, str, str]:
    ends = _NO_ENDS if interval.low is None else (fixed(interval.low, decimals), fixed(interval.high, decimals))
    return fixed(interval.estimate, decimals), *ends


def _side_row(label: str, interval: Interval, after: float | None) -> Row:
    return Row(label=label, cells=(*_cells(interval), fixed(after), *_NO_ENDS))


def _figure(name: str) -> Callable[[Evidence], Interval | None]:
    """One of the intervals of a reading, where it has any."""
    return lambda evidence: None if evidence.intervals is None else getattr(evidence.intervals, name)


def _interval_row(
    audit: Audit,
    label: str,
    interval_of: Callable[[Evidence], Interval | None],
    value_of: Callable[[Reading], float | None] = lambda _: None,
    *,
    decimals: int = 4,
) -> Row:
    """Estimate and interval of both readings; the bare figure where there is no evidence."""
    cells: list[str] = []
    for reading in (audit.raw, audit.centred):
        interval = None if reading is None else interval_of(reading.evidence)
        if interval is not None:
            cells += _cells(interval, decimals)
        else:
            cells += [UNDEFINED if reading is None else fixed(value_of(reading), decimals), *_NO_ENDS]
    return Row(label=label, cells=tuple(cells))


def _plain_row(audit: Audit, label: str, text_of: Callable[[Evidence], str | None]) -> Row:
    cells: list[str] = []
    for reading in (audit.raw, audit.centred):
        cells += [(None if reading is None else text_of(reading.evidence)) or UNDEFINED, *_NO_ENDS]
    return Row(label=label, cells=tuple(cells))


def distortion_table(audit: Audit) -> Table:
    """What was looked for, found or clean."""
    rows = tuple(Row(label=each.name, cells=(_FIRED[each.fired], each.text)) for each in audit.distortions)
    return Table(title="What was looked for", columns=("outcome", "with its numbers"), rows=rows, numeric=False)
