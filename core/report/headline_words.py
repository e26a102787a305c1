"""The first line of a report: what was found, in words that need no glossary, with gap and interval.

Tests, power and margins in full stand in `inference_words.verdict_sentence`, which follows it.
"""

from __future__ import annotations

from core.audit import Audit
from core.evidence import Evidence
from core.inference import Outcome, Verdict
from core.prose import capital
from core.report.inference_words import CEILING, CORRECTED, interval_words, readings_of, unit_words
from core.report.numbers import fixed

__all__ = ["headline"]

_NO_VERDICT = "whether matched pairs score above unrelated ones was not tested"


def headline(audit: Audit) -> str:
    """Two short sentences, centred before raw: what was found, then matched minus unrelated."""
    if audit.evidence_missing:
        return f"No verdict: {audit.evidence_missing}."
    parts = [f"{_found(audit)}.", *_sizes(audit)]
    if audit.centred is None:
        parts.append("The centred reading is undefined.")
    verdict = audit.raw.evidence.verdict
    if verdict is not None and verdict.exploratory:
        parts.append(f"Exploratory only: {unit_words(audit)}.")
    if audit.at_ceiling:
        parts.append(CEILING)
    return " ".join(parts)


def _found(audit: Audit) -> str:
    """What was found, once where both readings found the same."""
    found = [(name, _outcome(reading.evidence.verdict, audit.margin_declared)) for name, reading in readings_of(audit)]
    if len({text for _, text in found}) == 1:
        return capital(found[0][1])
    return capital("; ".join(f"{name}, {text}" for name, text in found))


def _outcome(verdict: Verdict | None, declared: str) -> str:
    if verdict is None or verdict.outcome is None:
        return _NO_VERDICT
    margin = "" if verdict.margin is None else f"{verdict.margin:.15g}, the margin {declared}"
    way = "below" if verdict.wrong_way else "above"
    return {
        Outcome.SEPARATES: "matched pairs score above unrelated ones",
        Outcome.WRONG_WAY: "matched pairs score below unrelated ones, the wrong way round",
        Outcome.NO_LARGER_GAP: f"matched and unrelated pairs differ by no more than {margin}",
        Outcome.REAL_BUT_SMALL: f"matched pairs score {way} unrelated ones, but by less than {margin}",
        Outcome.UNDERPOWERED: "this comparison cannot tell matched pairs from unrelated ones",
    }[verdict.outcome]


def _sizes(audit: Audit) -> list[str]:
    """The sentence with both gaps, each with its interval where it has one."""
    sizes = [_size(name, reading.evidence) for name, reading in readings_of(audit)]
    known = "; ".join(size for size in sizes if size)
    return [f"Matched minus unrelated: {known}."] if known else []


def _size(name: str, evidence: Evidence) -> str:
    if evidence.verdict is None or evidence.intervals is None:
        return ""
    gap = evidence.intervals.gap
    corrected = "" if evidence.intervals.correction.factor == 1 else CORRECTED
    said = ", ".join(part for part in (corrected, "" if gap.low is None else interval_words(gap)) if part)
    return f"{fixed(evidence.verdict.gap)} {name}" + (f" ({said})" if said else "")
