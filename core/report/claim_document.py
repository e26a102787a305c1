"""A reviewed claim as a review comment, and as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.claim_review import ReviewedClaim
from core.claims import Reach
from core.reading import Reading
from core.report import claim_words as words
from core.report.audit_document import cosine_label, document, input_records
from core.report.command_line import claim_command
from core.report.document import Document, Row, Table
from core.report.names import shown_name, visible
from core.report.numbers import count, fixed, percent
from core.report.to_markdown import to_markdown

__all__ = ["claim_document", "review_comment"]

#: Keys of the audit's JSON that stand here too.
_SHARED = ("n", "dim", "anisotropy", "exact", "ranks", "inputs", "settings", "versions")


def review_comment(reviewed: ReviewedClaim) -> str:
    """The comment as Markdown, ready to paste: what a reviewer would write, and one table."""
    whole = claim_document(reviewed)
    notes = (
        words.weighed(reviewed) if reviewed.claim.says == "nothing" else "",
        words.centring_sentence(reviewed.audit) if reviewed.claim.reading == "centred" else "",
        *words.cutoff_sentences(reviewed.counted, reviewed.cutoffs, reviewed.claim.written[1:]),
        words.asked(),
    )
    comment = replace(
        whole,
        headline=f"Thank you for the figure. {whole.headline}",
        reading=" ".join(part for part in (words.place_sentence(reviewed), words.figure_sentence(reviewed)) if part),
        warning=words.shared_direction(reviewed.audit),
        note=tuple(note for note in notes if note),
        tables=(_floor_table(reviewed),),
    )
    return to_markdown(comment)


def claim_document(reviewed: ReviewedClaim) -> Document:
    """Word a reviewed claim. Pure."""
    audit = reviewed.audit
    whole = document(audit)
    notes = (
        words.figure_sentence(reviewed),
        words.weighed(reviewed),
        words.supported(audit),
        words.suggestion(audit),
        words.centring_sentence(audit),
        *words.cutoff_sentences(reviewed.counted, reviewed.cutoffs, reviewed.claim.written[1:]),
        words.asked(),
    )
    return Document(
        title=words.title(reviewed),
        headline=words.conclusion(reviewed),
        reading=f"{words.opening(reviewed)} {words.place_sentence(reviewed)}",
        warning=whole.warning,
        note=tuple(note for note in notes if note),
        tables=(_floor_table(reviewed), _reach_table(reviewed)),
        notices=tuple(map(visible, words.notices_for(audit))),
        data=_data(reviewed, whole),
        subject=f"{shown_name(audit.a.name)} against {shown_name(audit.b.name)}",
        command=claim_command(reviewed),
        fingerprints=tuple((label, found.sha256) for label, found in input_records(audit)),
    )


def _floor_table(reviewed: ReviewedClaim) -> Table:
    return Table(
        title="Matched pairs against their floor",
        columns=("matched", "floor", "gap", "gap over floor sd", "partner ranked first", "chance"),
        rows=tuple(
            Row(label=cosine_label(name, reading), cells=_floor_cells(reading)) for name, reading in _readings(reviewed)
        ),
    )


def _readings(reviewed: ReviewedClaim) -> list[tuple[str, Reading | None]]:
    return [("raw", reviewed.audit.raw), ("centred", reviewed.audit.centred)]


def _floor_cells(reading: Reading | None) -> tuple[str, ...]:
    if reading is None:
        return (fixed(None),) * 6
    exact, first = reading.exact, reading.a_to_b
    return (
        fixed(reading.matched_mean),
        fixed(exact.floor_mean),
        fixed(exact.gap),
        fixed(exact.gap_over_floor_sd, 2),
        fixed(first.expected),
        fixed(first.chance),
    )


def _reach_table(reviewed: ReviewedClaim) -> Table:
    rows = (
        Row(
            label=f"{words.number(written)}{'' if place else ' (claimed)'}",
            cells=(
                f"{percent(reach.matched_share)} ({count(reach.matched)} of {count(reach.n)})",
                f"{percent(reach.unrelated_share)} ({count(reach.unrelated)} of {count(reach.n_unrelated)})",
            ),
        )
        for place, (reach, written) in enumerate(
            zip(reviewed.counted.reached, reviewed.claim.written, strict=True)
        )
        if place == 0 or reach.threshold != reviewed.claim.claimed
    )
    return Table(
        title=f"Pairs at or above it ({reviewed.claim.reading}), counted one by one, for these files only",
        columns=("matched pairs", "unrelated pairs"),
        rows=tuple(rows),
        numeric=False,
    )


def _data(reviewed: ReviewedClaim, whole: Document) -> dict[str, Any]:
    claim, place, counted, audit = reviewed.claim, reviewed.place, reviewed.counted, reviewed.audit
    return {
        "schema": "cosine-floor-claim/1",
        "claim": {"claimed": claim.claimed, "typed": claim.written[0], "says": claim.says, "reading": claim.reading},
        "place": {
            **_reach_data(place.reached),
            "above_floor": place.above_floor,
            "above_floor_in_sd": place.above_floor_in_sd,
            "off_matched_mean": place.off_matched,
        },
        "cutoffs": [_reach_data(reach) for reach in reviewed.cutoffs],
        "separation": {
            "separable": counted.separable,
            "lowest_matched": counted.lowest_matched,
            "highest_unrelated": counted.highest_unrelated,
            "unrelated_reaching_lowest_matched": counted.unrelated_reaching_lowest_matched,
        },
        "sentences": {
            "conclusion": words.conclusion(reviewed),
            "place": words.place_sentence(reviewed),
            "weighed": words.weighed(reviewed),
            "supported": words.supported(audit),
            "suggestion": words.suggestion(audit) or None,
            "warning": whole.warning or None,
            "notices": list(words.notices_for(audit)),
        },
        **{key: whole.data[key] for key in _SHARED},
    }


def _reach_data(reach: Reach) -> dict[str, float | int]:
    return {
        "threshold": reach.threshold,
        "matched": reach.matched,
        "matched_share": reach.matched_share,
        "unrelated": reach.unrelated,
        "unrelated_share": reach.unrelated_share,
    }
