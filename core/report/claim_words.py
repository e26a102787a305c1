"""A claimed number, placed and answered in sentences: for the page and for a review comment.

What is said of the evidence is the audit's own wording (`core.report.inference_words`); here
is only what a claim adds. No number is called high or low.
"""

from __future__ import annotations

import math

from core.audit import Audit
from core.claim_review import ReadingName, ReviewedClaim, Says
from core.claims import Cutoffs, Reach
from core.prose import agreed
from core.ranks import TIE
from core.report.audit_figures import CONVENTION
from core.report.claim_conclusion import conclusion as worded_conclusion
from core.report.claim_conclusion import finding
from core.report.inference_words import UNCORRECTED, is_corrected, verdict_sentence
from core.report.names import shown_name
from core.report.numbers import count, fixed, percent
from core.typed_cosine import decimals

__all__ = [
    "SAID",
    "asked",
    "centring_sentence",
    "claimed",
    "conclusion",
    "cutoff_sentence",
    "cutoff_sentences",
    "figure_sentence",
    "is_matched_mean",
    "notices_for",
    "number",
    "opening",
    "place_sentence",
    "separation_sentence",
    "shared_direction",
    "suggestion",
    "supported",
    "title",
    "weighed",
]

#: What the number is said to show, as a choice and inside a sentence.
SAID: dict[Says, str] = {
    "high": "it is high",
    "agree": "the two agree",
    "nothing": "the difference is nothing",
}

#: Notices that change what a claimed cosine can mean; the report has the others.
_NOTICES = (
    "check_failed",
    "identical_files",
    "identical_rows",
    "integer_codes",
    "few_pairs",
    "at_chance",
    "other_axes",
    "no_spread",
    "offset_between_sides",
    "spread_both_ways",
    "centred_floor_not_zero",
    "anisotropy_after_centring",
    "mean_off",
    "few_fit_rows",
    "fit_rows_compared",
    "candidate_pool",
    "dropped_rows",
    "dropped_fit_rows",
)

#: Nobody rounds a cosine to less than one decimal: "1" is not said of 0.6.
_ROUNDED = 0.05

#: Raw floors within this of 1 leave no distance to measure by.
_NO_DISTANCE = 1e-9


def number(written: str) -> str:
    """A number as it was typed, with a true minus sign."""
    return written.replace("-", "−")


def claimed(reviewed: ReviewedClaim) -> str:
    """The claimed number as it was typed, with a true minus sign."""
    return number(reviewed.claim.written[0])


def title(reviewed: ReviewedClaim) -> str:
    """``A cosine of 0.91, said to show that the two agree``."""
    return f"{_kind(reviewed.claim.reading)} of {claimed(reviewed)}, said to show that {_said(reviewed)}"


def _kind(reading: ReadingName) -> str:
    return "A cosine" if reading == "raw" else "A centred cosine"


def _said(reviewed: ReviewedClaim) -> str:
    return SAID[reviewed.claim.says]


def conclusion(reviewed: ReviewedClaim) -> str:
    """What the claim is worth, in one plain sentence."""
    return worded_conclusion(reviewed, claimed(reviewed))


def opening(reviewed: ReviewedClaim) -> str:
    """What was done."""
    audit = reviewed.audit
    which = " of different groups" if audit.groups else ""
    return (
        f"The number was placed among the pairs of the same two files, {shown_name(audit.a.name)} and "
        f"{shown_name(audit.b.name)}: {count(audit.n)} matched pairs, and all {count(reviewed.counted.n_unrelated)} "
        f"unrelated ones{which}."
    )


def place_sentence(reviewed: ReviewedClaim) -> str:
    """Where the number lies among the unrelated pairs, and among the matched ones."""
    reach, name = reviewed.place.reached, reviewed.claim.reading
    return (
        f"{claimed(reviewed)} is{_against_floor(reviewed)} unrelated pairs score on average ({name}). "
        f"Singly, {percent(reach.unrelated_share)} of the unrelated pairs ({count(reach.unrelated)} of "
        f"{count(reach.n_unrelated)}) score it or more, as do {percent(reach.matched_share)} of the matched "
        f"ones ({count(reach.matched)} of {count(reach.n)}); the matched pairs score "
        f"{fixed(reviewed.reading.matched_mean)} on average."
    )


def _against_floor(reviewed: ReviewedClaim) -> str:
    """`` 0.0832 (4.21 times their standard deviation) above the 0.8201 that``, or that it rounds to that."""
    place = reviewed.place
    floor = fixed(reviewed.reading.exact.floor_mean)
    if _rounds_to(reviewed, place.above_floor):
        return f", to the digits it was given with, the {floor} that"
    spread = (
        ""
        if place.above_floor_in_sd is None
        else f" ({fixed(abs(place.above_floor_in_sd), 2)} times their standard deviation)"
    )
    way = "above" if place.above_floor > 0 else "below"
    return f" {fixed(abs(place.above_floor))}{spread} {way} the {floor} that"


def is_matched_mean(reviewed: ReviewedClaim) -> bool:
    """True if the matched mean of these files rounds to the number, to the digits it was given with."""
    return _rounds_to(reviewed, reviewed.place.off_matched)


def _rounds_to(reviewed: ReviewedClaim, off: float) -> bool:
    """True if a figure this far from the number rounds to it."""
    half = 0.5 * 10.0 ** -max(decimals(reviewed.claim.written[0]), 0)
    return abs(off) <= min(half, _ROUNDED) + 1e-9


def figure_sentence(reviewed: ReviewedClaim) -> str:
    """That the number is not the matched mean of these files, to its own digits; else nothing."""
    off = reviewed.place.off_matched
    if is_matched_mean(reviewed):
        return ""
    way = "above" if off > 0 else "below"
    return (
        f"The number is not the matched mean of these files: it lies {fixed(abs(off))} {way} it. Was it taken from "
        "other rows, a single pair, or another export?"
    )


def weighed(reviewed: ReviewedClaim) -> str:
    """Why the number alone does not show what it is said to show, and what to set it against."""
    says: Says = reviewed.claim.says
    if says == "high":
        start = "No cosine is high or low by itself, only against what unrelated pairs score."
        return f"{start} {_comparison(reviewed)}"
    if says == "agree":
        return (
            "A cosine alone does not show that two sides agree: agreement shows in matched pairs that stand above "
            f"unrelated ones and in rows that find their own partner. {_comparison(reviewed)}"
        )
    return " ".join(part for part in (_distance(reviewed), _margin(reviewed.audit)) if part)


def _comparison(reviewed: ReviewedClaim) -> str:
    """A mean is weighed by a mean: a share of single pairs can be near 0 or near all of them either way."""
    reading, shown = reviewed.reading, claimed(reviewed)
    if reviewed.place.above_floor <= 0:
        return f"Here {shown} is no more than unrelated pairs score on average."
    spread = "how many unrelated pairs score as much tells how far pairs scatter one by one, not what a mean is worth"
    if is_matched_mean(reviewed):
        return (
            f"{shown} is the matched mean, so the comparison to make is with the floor mean, "
            f"{fixed(reading.exact.floor_mean)}; {spread}."
        )
    return (
        f"If {shown} is a mean, the comparison to make is between means, matched {fixed(reading.matched_mean)} and "
        f"floor {fixed(reading.exact.floor_mean)}; {spread}."
    )


def _distance(reviewed: ReviewedClaim) -> str:
    """A difference on its own scale, from identical rows to unrelated ones."""
    reading, near = reviewed.reading, reviewed.audit.closeness
    apart, strangers = 1.0 - reading.matched_mean, 1.0 - reading.exact.floor_mean
    if near is not None and reviewed.claim.reading == "raw":
        apart = near.mean_distance  # near 1 the cosine has lost these digits
    if strangers <= _NO_DISTANCE:
        return "A cosine near 1 shows no small difference here: unrelated rows score 1 as well."
    return (
        f"On the way from identical rows (1) to unrelated ones ({fixed(reading.exact.floor_mean)} here), matched pairs "
        f"have gone {percent(apart / strangers)}."
    )


def _margin(audit: Audit) -> str:
    margin = audit.settings.margin
    if margin is None:
        return "Whether a difference is nothing depends on a size declared beforehand not to matter; none was declared."
    return f"The gap {audit.margin_declared} not to matter is {margin:.15g}."


def supported(audit: Audit) -> str:
    """What the evidence supports instead, with the audit's own verdict."""
    if audit.same_rows:  # a gap over the floor would say something of the embeddings; these say nothing
        return (
            "What these files support: the two sides are the same rows, and a row scores 1 with itself whatever it is. "
            "That says nothing about the embeddings, nor about another export of them."
        )
    return f"{finding(audit)} {verdict_sentence(audit)}"


def centring_sentence(audit: Audit) -> str:
    """Where centring lowers matched: what it does to the floor, the gap and the ranks; else nothing."""
    raw, centred = audit.raw, audit.centred
    if centred is None or centred.matched_mean >= raw.matched_mean:
        return ""
    gaps, first = (raw.exact.gap, centred.exact.gap), (raw.a_to_b.expected, centred.a_to_b.expected)
    end, how = ".", f" ({UNCORRECTED})" if is_corrected(centred) else ""
    if gaps[1] >= gaps[0] and first[1] >= first[0]:
        end = ": neither falls, so centring loses nothing."
    return (
        f"Centring lowers matched from {fixed(raw.matched_mean)} to {fixed(centred.matched_mean)} and the floor from "
        f"{fixed(raw.exact.floor_mean)} to {fixed(centred.exact.floor_mean)}. The gap goes from {fixed(gaps[0])} to "
        f"{fixed(gaps[1])}{how}, and partner ranked first from {fixed(first[0])} to {fixed(first[1])}{end}"
    )


def shared_direction(audit: Audit) -> str:
    """That raw and centred belong together, where a side leans one way; else nothing."""
    sides = {"A": audit.anisotropy_a, "B": audit.anisotropy_b}
    high = [f"{name} ({fixed(value)})" for name, value in sides.items() if value > CONVENTION]
    if not high:
        return ""
    return (
        f"Anisotropy is above {CONVENTION} (a convention) on {' and '.join(high)}, so raw and centred belong together."
    )


def suggestion(audit: Audit) -> str:
    """A sentence to put in the claim's place: figures alone, whatever they show; none for a file with itself."""
    if audit.same_rows:
        return ""
    raw, centred = audit.raw, audit.centred
    start = (
        f"Suggested instead: “Matched pairs score {fixed(raw.matched_mean)} on average where unrelated pairs of the "
        f"same files score {fixed(raw.exact.floor_mean)}"
    )
    first = f"a row’s own partner ranks first for {percent(raw.a_to_b.expected)} of rows"
    if centred is not None:
        start += f", and {fixed(centred.matched_mean)} where those score {fixed(centred.exact.floor_mean)} once the "
        start += "mean of each side is taken out" if not audit.settings.shared_mean else "shared mean is taken out"
        first += f" ({percent(centred.a_to_b.expected)} centred)"
    return f"{start}; {first}, by chance for {percent(raw.a_to_b.chance)}.”"


def asked() -> str:
    """What the reviewer asks for."""
    return "Would you give it with its floor, raw and centred, or say what else it should show?"


def cutoff_sentence(reach: Reach, written: str) -> str:
    """What a threshold keeps of both kinds of pairs."""
    return (
        f"At or above {number(written)}, for these files only: {percent(reach.matched_share)} of the matched "
        f"pairs ({count(reach.matched)} of {count(reach.n)}) and {percent(reach.unrelated_share)} of the unrelated "
        f"ones ({count(reach.unrelated)} of {count(reach.n_unrelated)})."
    )


def separation_sentence(counted: Cutoffs) -> str:
    """Whether any cut-off separates these files."""
    if counted.separating is not None:
        above, up_to = _told_apart(*counted.separating)
        return (
            f"For these files only: any cut-off above {above} and up to {up_to} keeps every matched pair and no "
            "unrelated one."
        )
    reaching = counted.unrelated_reaching_lowest_matched
    share = reaching / counted.n_unrelated
    return (
        f"No cut-off separates these: the lowest matched pair scores {fixed(counted.lowest_matched)}, and "
        f"{count(reaching)} unrelated {agreed(reaching, 'pair', 'pairs')} ({percent(share)}) "
        f"{agreed(reaching, 'scores', 'score')} that or more."
    )


def _told_apart(low: float, high: float) -> tuple[str, str]:
    """Two cosines with as many places as tell them apart, at least four, each rounded into the gap.

    As in the count, a pair within `TIE` of a cut-off is at it: rows that are the same score 1, not 0.9999.
    """
    for places in range(4, 16):
        scale = 10.0**places
        up, down = math.ceil(low * scale) / scale, math.floor((high + TIE) * scale) / scale
        if up < down:
            return fixed(up, places), fixed(down, places)
    return number(repr(low)), number(repr(high))


def cutoff_sentences(counted: Cutoffs, cutoffs: tuple[Reach, ...], written: tuple[str, ...]) -> tuple[str, ...]:
    """A sentence for each cut-off, written as typed, then whether any separates; nothing without one."""
    if not cutoffs:
        return ()
    kept = (cutoff_sentence(reach, text) for reach, text in zip(cutoffs, written, strict=True))
    return (*kept, separation_sentence(counted))


def notices_for(audit: Audit) -> tuple[str, ...]:
    """The notices that change what a claimed cosine can mean, each once."""
    return tuple(dict.fromkeys(notice.text for notice in audit.notices if notice.code in _NOTICES))
