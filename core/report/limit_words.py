"""What an audit cannot say, in words, in the order a reader needs it."""

from __future__ import annotations

from collections.abc import Iterator

from core.audit import Audit
from core.inference import Outcome
from core.report.inference_words import (
    mean_rank_without_interval,
    power_words,
    readings_of,
    undecided_words,
    unit_words,
)
from core.report.numbers import count, fixed

__all__ = ["limit_sentences"]

#: Of pairs that make up a whole gap: with fewer of them expected, "no gap larger" is false in more than 5 % (METHODS).
_FEW_CARRIERS = 6

#: Outcomes that say which gaps the data rule out.
_RULING_OUT = frozenset({Outcome.NO_LARGER_GAP, Outcome.REAL_BUT_SMALL, Outcome.UNDERPOWERED, None})


def limit_sentences(audit: Audit) -> tuple[str, ...]:
    """What this audit cannot say, in the order a reader needs it."""
    return (*_limits_of_verdict(audit), *_limits_of_figures(audit))


def _limits_of_verdict(audit: Audit) -> Iterator[str]:
    if audit.alarm.strength == "strong":
        yield (
            "Anything about the pairs, high or low: the two sides look like different coordinate systems, and a cosine "
            "between those has no meaning."
        )
    if audit.pairing is not None and audit.pairing.reordered:
        how = "shifted" if audit.pairing.kind == "shifted" else "out of order"
        yield (
            f"Anything about the pairs, high or low: the rows look {how}, so what was compared is not what belongs "
            "together, and no bound on this gap holds for the true pairs."
        )
    if audit.at_ceiling:
        yield "Whether anything makes these sides differ: there is no room left above matched and partner ranked first."
    if audit.evidence_missing:
        yield f"How sure the gap is: {audit.evidence_missing}."
        return
    verdicts = [(name, reading.evidence.verdict) for name, reading in readings_of(audit)]
    for name, reading in readings_of(audit):
        verdict, test = reading.evidence.verdict, reading.evidence.test
        if verdict is not None and test is not None and verdict.outcome is Outcome.UNDERPOWERED:
            yield (
                f"That there is no gap ({name}): an underpowered comparison is not a refutation; "
                f"{power_words(verdict, test)}."
            )
            if verdict.margin is not None:
                yield f"Anything about the margin ({name}): {undecided_words(verdict)}."
    if audit.settings.margin is None:
        ruled_out = any(verdict is not None and verdict.largest_gap_left is not None for _, verdict in verdicts)
        only = "only says above which size the data rule a gap out" if ruled_out else "says nothing of it"
        yield f"That a gap is too small to matter: no margin was declared before looking, so the audit {only}."
    said = (verdict for _, verdict in verdicts if verdict is not None and verdict.largest_gap_left is not None)
    if any(verdict.outcome in _RULING_OUT for verdict in said):
        yield (
            f"A gap that few pairs carry: one that fewer than about {_FEW_CARRIERS} of these would make is missed by "
            "chance, and intervals and gaps ruled out, which take their spread from the pairs at hand, are too small."
        )
    if any(verdict is not None and verdict.exploratory for _, verdict in verdicts):
        yield f"Anything final: with {unit_words(audit)} the result is exploratory."
    yield from _limits_of_groups(audit)
    tests = [(name, reading.evidence.test) for name, reading in readings_of(audit)]
    if any(test is not None and test.method == "normal" for _, test in tests):
        yield "An exact p-value: with so many pairs it is the normal tail of z, not a count of permutations."
    for name, test in tests:
        if test is not None and test.method == "gathered":
            yield (
                f"A p-value below {fixed(1 / (test.n_permutations + 1))} ({name}): so few scores make up its statistic "
                f"that z has no normal tail, so {count(test.n_permutations)} permutations were counted."
            )


def _limits_of_groups(audit: Audit) -> Iterator[str]:
    if audit.groups is None:
        tail = "" if audit.proposed_groups is None else "; duplicate rows here tie some of them together"
        yield (
            "How wide the intervals are if pairs belong together (captions of one image, chunks of one text): every "
            f"pair is taken as independent unless groups are given{tail}."
        )
    if audit.groups is not None and audit.groups.effective_count < audit.groups.count / 2:
        yield (
            f"As much as {count(audit.groups.count)} groups of one size could: the largest holds "
            f"{count(audit.groups.largest)} of {count(audit.n)} pairs, so the groups count as "
            f"{audit.groups.effective_count:.1f} equal ones, and intervals and verdict take them so."
        )
    if audit.groups is not None and audit.groups.largest > 1:
        yield (
            "How many directions a side fills, and whether a mean fitted on other rows is that of the compared ones: "
            "rows of one group are no independent draws, so the participation ratio, IsoScore and z are left out."
        )


def _limits_of_figures(audit: Audit) -> Iterator[str]:
    shares = audit.mean_shares
    if audit.unknown_forced_floor:
        yield (
            f"How much of the centred floor centring forces: {audit.unknown_forced_floor}, so intervals and verdict of "
            "the centred reading are not corrected for it."
        )
    elif audit.centred is not None and shares.any:
        residual = audit.centred_floor_residual
        moved = [(name, sum(of_side)) for name, of_side in (("A", shares.a), ("B", shares.b)) if any(of_side)]
        fitted = "fitted" if all(share > 1 - 1e-12 for _, share in moved) else "fitted in part"
        yield (
            f"How high the centred floor is on other rows: the mean of {' and '.join(name for name, _ in moved)} is "
            f"{fitted} on the compared rows, which forces {fixed(audit.forced_centred_floor)} of it (left over: "
            f"{fixed(residual)}), so it has no interval."
        )
    if audit.centred is not None and not shares.all:
        yield "How the centred figures would move with other fit rows: their intervals hold for these means."
    if audit.has_pool:
        yield "How partners rank among all rows: they were ranked among a pool of candidates."
    yield (
        "How partners would rank among more rows: partner ranked first falls as candidates are added, so it compares "
        "only at equal n; the adjusted mean rank index does not depend on n."
    )
    yield from _limits_of_mean_rank(audit)
    yield (
        "Whether the gap is significant, from gap over floor sd, Cohen's d, or the seeded derangements: the first two "
        "are effect sizes, and the derangements display the floor; the test is over all permutations."
    )
    yield "Whether the embeddings are good for a task: a gap says that these pairs score above unrelated ones here."


def _limits_of_mean_rank(audit: Audit) -> Iterator[str]:
    for names, reason in mean_rank_without_interval(audit):
        yield f"How sure the adjusted mean rank index is ({names}): it has no interval, because {reason}."
