"""What a claim is worth, in one plain sentence; and what the evidence supports instead.

Rests on the verdicts of the audit (`core.inference`) and on what was found about the files,
never on the size of the number: no cosine is high or low by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from core.audit import Audit
from core.claim_review import ReviewedClaim, Says
from core.inference import Outcome, Verdict
from core.lineup_words import ties_alone
from core.report.numbers import fixed

__all__ = ["conclusion", "finding"]

#: The claim is not borne out, or nobody can say: how the sentence begins, for `{n}` the number.
_NOT_SHOWN: dict[Says, str] = {
    "high": "Nothing here makes {n} a high cosine",
    "agree": "{n} does not show that the two agree",
    "nothing": "{n} does not show that the difference is nothing",
}
_CANNOT_BE_TOLD: dict[Says, str] = {
    "high": "Whether {n} is high cannot be told from these files",
    "agree": "Whether the two agree cannot be told from these files",
    "nothing": "Whether the difference is nothing cannot be told from these files",
}

#: Matched pairs stand above unrelated ones, on every reading there is.
_ABOVE: dict[Says, str] = {
    "high": "Matched pairs do score above unrelated ones, but {n} by itself does not show it: the gap does, {means}.",
    "agree": (
        "The conclusion holds for these files as far as matched pairs stand above unrelated ones, but {n} is not "
        "the evidence for it: the gap is, {means}."
    ),
    "nothing": (
        "{n} does not show that the difference is nothing: matched pairs stand above unrelated ones, which shows that "
        "they belong together, not that nothing differs."
    ),
}


def conclusion(reviewed: ReviewedClaim, claimed: str) -> str:
    """What the claim is worth, in one sentence.

    Parameters
    ----------
    claimed
        The number as it is shown.
    """
    audit, says = reviewed.audit, reviewed.claim.says
    not_shown, unknown = _NOT_SHOWN[says].format(n=claimed), _CANNOT_BE_TOLD[says].format(n=claimed)
    if audit.same_rows:
        return f"{claimed} shows nothing here: the two files hold the same rows, and a row scores 1 with itself."
    verdicts = _verdicts(audit)
    if audit.alarm.strength == "strong":
        turned = bool(verdicts) and all(verdict.wrong_way for verdict in verdicts.values())
        sign = "; matched pairs score below unrelated ones, so a sign may be turned" if turned else ""
        return (
            f"{unknown}: the two sides look like different coordinate systems, and a cosine between those has no "
            f"meaning{sign}."
        )
    if not verdicts:
        return f"{unknown}: {audit.evidence_missing or 'there is no test'}."
    if any(verdict.wrong_way for verdict in verdicts.values()):
        return f"{not_shown}: matched pairs score below unrelated ones{_on(verdicts, lambda one: one.wrong_way)}."
    if any(verdict.outcome is Outcome.SEPARATES for verdict in verdicts.values()):
        return _above(reviewed, claimed, verdicts)
    why_not = _why_not(audit, verdicts)
    return f"{not_shown}: {why_not}." if why_not else f"{unknown}: {_why_open(verdicts)}."


def _above(reviewed: ReviewedClaim, claimed: str, verdicts: dict[str, Verdict]) -> str:
    """Matched pairs stand above unrelated ones: on all readings, on one by less than matters, or on one alone."""
    says = reviewed.claim.says
    if all(verdict.outcome is Outcome.SEPARATES for verdict in verdicts.values()):
        return _ABOVE[says].format(n=claimed, means=_means(reviewed))
    where = f"matched pairs stand above unrelated ones{_how_far(reviewed.audit, verdicts)}"
    if says == "nothing":
        return f"{_NOT_SHOWN[says].format(n=claimed)}: {where}."
    return f"The conclusion holds in part only: {where}, and {claimed} is not the evidence for it."


def _how_far(audit: Audit, verdicts: dict[str, Verdict]) -> str:
    """On which readings matched pairs stand above unrelated ones, and on which by less than the declared margin."""
    small = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.REAL_BUT_SMALL]
    above = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.SEPARATES or name in small]
    if len(above) < len(verdicts):
        where = f" on the {above[0]} reading alone"
    else:
        where = ", on both readings" if len(above) > 1 else f", on the {above[0]} reading"
    if not small:
        return where
    by = f"by less than the {_margin(audit)} declared not to matter"
    return f"{where}, {by}" if small == above else f", on the {small[0]} reading {by}"


def _margin(audit: Audit) -> str:
    return "" if audit.settings.margin is None else f"{audit.settings.margin:.15g}"


def _means(reviewed: ReviewedClaim) -> str:
    reading = reviewed.reading
    return (
        f"a matched mean of {fixed(reading.matched_mean)} against a floor mean of {fixed(reading.exact.floor_mean)} "
        f"({reviewed.claim.reading})"
    )


def _why_not(audit: Audit, verdicts: dict[str, Verdict]) -> str:
    """Why it is not borne out, where the evidence says so; else empty."""
    outcomes = {verdict.outcome for verdict in verdicts.values()}
    if outcomes == {Outcome.NO_LARGER_GAP}:
        return f"the data rule out that matched pairs stand more than {_margin(audit)} above unrelated ones"
    if Outcome.REAL_BUT_SMALL in outcomes:
        return f"matched pairs stand above unrelated ones{_how_far(audit, verdicts)}"
    if "at_chance" in _codes(audit) and not ties_alone(audit):
        return "matched pairs score no more than unrelated ones"
    return ""


def _why_open(verdicts: dict[str, Verdict]) -> str:
    outcomes = {verdict.outcome for verdict in verdicts.values()}
    if outcomes == {None}:
        return "the test decides nothing about their gap"
    if outcomes == {Outcome.UNDERPOWERED}:
        return "the gap between matched and unrelated pairs is not told from 0, and could be missed"
    return "matched pairs are not told from unrelated ones, and the two readings do not settle it"


def _on(verdicts: dict[str, Verdict], holds: Callable[[Verdict], bool]) -> str:
    """On which reading, where it is one of two."""
    names = [name for name, verdict in verdicts.items() if holds(verdict)]
    return f" on the {names[0]} reading" if len(names) < len(verdicts) else ""


def finding(audit: Audit) -> str:
    """What these files support instead, before the verdict with its numbers."""
    verdicts = _verdicts(audit)
    outcomes = {verdict.outcome for verdict in verdicts.values()}
    if not outcomes:
        return "What these files support is the gap and how often rows find their own partner, without a test."
    if Outcome.WRONG_WAY in outcomes:
        return "What these files support: matched pairs score below unrelated ones. A sign or the row order may be off."
    if outcomes & {Outcome.SEPARATES, Outcome.REAL_BUT_SMALL}:
        return f"What these files do support: matched pairs stand above unrelated ones{_how_far(audit, verdicts)}."
    if "at_chance" in _codes(audit) and not ties_alone(audit):
        return (
            "What these files support: nothing links row i of A with row i of B. Matched pairs score no more than "
            "unrelated ones, and partners are found no more often than by chance. Nothing here shows the same "
            "computation on the same rows."
        )
    return "What these files support is less than that."


def _codes(audit: Audit) -> set[str]:
    return {notice.code for notice in audit.notices}


def _verdicts(audit: Audit) -> dict[str, Verdict]:
    """The verdict on each reading there is; empty without a test."""
    readings = {"raw": audit.raw, "centred": audit.centred}
    return {
        name: reading.evidence.verdict
        for name, reading in readings.items()
        if reading is not None and reading.evidence.verdict is not None
    }
