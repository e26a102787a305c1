"""What is worth a word about a result: raised here, carried with it, shown beside it.

None of these stops an audit. Each has a stable code and states a fact with its number;
the bounds are conventions that only decide when to speak, never what is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.centring_check import CentringFit, MeanCheck
from core.distortions import ANISOTROPY_LEFT, FEW_ROWS_PART, SQUARED_OFFSET
from core.errors import Notice, Side
from core.lineup_words import axes_sentence, which_way
from core.prose import agreed, counted, signed
from core.ranks import at_chance

if TYPE_CHECKING:
    from core.audit import Audit, MeanSource
    from core.ranks import PartnerRanks
    from core.reading import Reading
    from core.side_facts import SideFacts

__all__ = ["result_notices"]

_FIT_SIDES: tuple[Side, Side] = ("fit_a", "fit_b")

#: Fewer pairs than this: every figure moves a lot with each pair.
FEW_PAIRS = 20

#: Rounding of centred cosines worth a word: a ten-thousandth of their last printed digit.
CENTRED_ROUNDING = 1e-8

#: Residual of the centred floor worth a word, in standard deviations of that floor.
FLOOR_RESIDUAL = 0.2

#: What centring on the right mean leaves: centred rows sum to zero only before they are made unit length again.
_UNEVEN = (
    "the rows lie unevenly about it (clusters of uneven size, or a few rows far off), which making centred rows unit "
    "length again turns into a shared direction"
)


def result_notices(result: Audit) -> tuple[Notice, ...]:
    """Notices about a finished audit, in the order a reader needs them."""
    return (
        *_about_the_run(result),
        *_about_groups(result),
        *_about_inputs(result),
        *_about_pairing(result),
        *_about_centring(result),
        *_about_sides(result),
    )


def _about_the_run(result: Audit) -> Iterator[Notice]:
    failed = [check.name for check in result.checks if not check.passed]
    if failed:
        yield _pair(
            "check_failed",
            f"The audit's checks of its own figures did not all hold ({', '.join(failed)}): do not use these figures, "
            "and report the fault. The checks that ran say by how much.",
        )
    if result.settings.candidates is not None and not result.has_pool:
        yield _pair(
            "no_pool",
            f"The {result.settings.candidates:,} candidates asked for are no fewer than the {result.n:,} rows: each "
            "row was ranked among all of them, without a pool.",
        )
    if result.has_pool:
        ranks = result.raw.a_to_b
        yield _pair(
            "candidate_pool",
            f"Each row was ranked among {ranks.n_candidates:,} of {result.n:,} rows (its own partner and one seeded "
            f"pool), chance 1/{ranks.n_candidates:,}; histograms and hubs are of that pool too. Floors, gaps and "
            "anisotropy are over all rows.",
        )


def _about_groups(result: Audit) -> Iterator[Notice]:
    groups = result.groups
    if groups is None:
        return
    if groups.count == result.n:
        yield _pair(
            "groups_of_one",
            f"Every one of the {result.n:,} group ids is different, so grouping does nothing: each pair counts as "
            "independent, as without ids. Give rows that belong together one id.",
        )
    if groups.trimmed:
        yield _pair(
            "ids_trimmed",
            f"{counted(groups.trimmed, 'group id')} had blanks at an end, which were taken off: "
            '"cat " and "cat" are one group.',
        )


def _about_inputs(result: Audit) -> Iterator[Notice]:
    if result.dropped_rows:
        yield _pair(
            "dropped_rows",
            f"{counted(result.dropped_rows, 'pair')} with NaN, infinite or zero rows "
            f"{agreed(result.dropped_rows, 'was', 'were')} left out on both sides, as asked; "
            f"{result.n:,} pairs remain.",
        )
    for side, fit, dropped in zip(_FIT_SIDES, (result.fit_a, result.fit_b), result.dropped_fit_rows, strict=True):
        if fit is not None and dropped:
            yield Notice(
                code="dropped_fit_rows",
                side=side,
                text=f"{fit.name}: {counted(dropped, 'row')} with NaN, infinity or only zeros "
                f"{agreed(dropped, 'was', 'were')} left out of the fit of the mean, as asked; "
                f"{fit.shape[0] - dropped:,} of {fit.shape[0]:,} remain.",
            )
    if result.a.sha256 == result.b.sha256 and result.same_rows:
        yield _pair(
            "identical_files",
            "A and B are the same file, byte for byte: every matched cosine is 1 whatever the embeddings are like.",
        )
    elif result.same_rows:
        how = "to rounding" if result.same_rows == "to rounding" else "to the precision of the stored numbers"
        yield _pair(
            "identical_rows",
            f"Every row of B has the same direction as its row of A, {how}: "
            "the two sides are equal, so matched is 1 whatever the embeddings are like.",
        )
    if result.dim == 1:
        yield _pair(
            "one_dimension",
            "The rows have 1 dimension, so every cosine is exactly 1 or −1 and ranks are decided by ties.",
        )
    if result.n < FEW_PAIRS:
        yield _pair(
            "few_pairs",
            f"n = {result.n}: with so few pairs every figure moves a lot with each pair. "
            "Read this as exploratory, or bring more rows.",
        )


def _about_pairing(result: Audit) -> Iterator[Notice]:
    best = result.centred or result.raw
    name = "centred" if result.centred else "raw"
    if _below_floor(best, result.n):
        yield _pair(
            "negative_gap",
            f"The {name} gap is negative ({signed(best.exact.gap)}): matched pairs score "
            "below unrelated ones. Check the row order and whether one side is reversed.",
        )
    if result.raw.exact.floor_sd == 0:
        yield _pair(
            "no_spread",
            "All unrelated pairs have the same raw cosine: the floor has no spread, so the gap over it is undefined.",
        )
    tied = next(_tied_ranks(result), None)
    if tied is not None:
        rows, reading_name, ranks = tied
        yield _pair(
            "ties",
            f"{ranks.tied:,} of {result.n:,} rows of {rows} {agreed(ranks.tied, 'has', 'have')} a partner that ties "
            f"for first place "
            f"({reading_name}); partner ranked first is {ranks.pessimistic:.4f} if ties lose, {ranks.optimistic:.4f} "
            f"if they win, {ranks.expected:.4f} in expectation.",
        )
    first = f"Partner ranked first ({name}) is {best.a_to_b.expected:.4f}"
    if at_chance(best.a_to_b, result.n):
        chance = f"no better than the chance of 1/{best.a_to_b.n_candidates:,}"
        yield _pair("at_chance", f"{first}, {chance}: {which_way(result)}")
    elif result.pairing is not None and result.pairing.pairing_order is not None:
        yield _pair("other_order", f"{first}, and matched is at its floor: {which_way(result)}")
    axes = axes_sentence(result.alarm)
    if axes:
        yield _pair("other_axes", axes)


def _about_centring(result: Audit) -> Iterator[Notice]:
    offset = result.squared_offset
    if offset > SQUARED_OFFSET:
        shared, left = "", result.shared_offset_floor
        if result.settings.shared_mean:
            end = "." if left is None else f" and makes up about {signed(left)} of the centred floor: it is no bias."
            shared = f" With one shared mean this offset stays in every centred cosine{end}"
        yield _pair(
            "offset_between_sides",
            f"The means of the two sides lie {offset**0.5:.2f} apart (unit rows): "
            "A and B sit in different places, as two modalities do. Separate means, one for each side, "
            "take that offset out." + shared,
        )
    if result.centred is None:
        yield _pair("centring_undefined", result.centred_undefined)
        return
    if result.centred_rounding > CENTRED_ROUNDING:
        yield _pair(
            "centred_rounding",
            f"Rows lie so near their mean that rounding shows: float64 leaves about {result.centred_rounding:.0e} of "
            "each centred cosine open, so centred ranks, ties and rivals that hang on less are those of the rounding. "
            "The raw figures are not touched.",
        )
    residual = result.centred_floor_residual
    if residual is not None and abs(residual) > FLOOR_RESIDUAL * result.centred.exact.floor_sd:
        yield _pair(
            "centred_floor_not_zero",
            f"The centred floor is {signed(result.centred.exact.floor_mean)}, "
            f"not near 0: after centring, unrelated rows still share something. {_why_not_zero(result)}",
        )
    sides: tuple[tuple[Side, float | None, float | None], ...] = (
        ("a", result.centred_anisotropy_a, result.anisotropy_left_a),
        ("b", result.centred_anisotropy_b, result.anisotropy_left_b),
    )
    for side, after, left in sides:
        if after is not None and left is not None and left > ANISOTROPY_LEFT and after > 0:
            yield Notice(
                code="anisotropy_after_centring",
                side=side,
                text=f"Side {side.upper()} still has anisotropy {signed(after)} after centring: the mean "
                f"that was subtracted {_what_remains(result, side)}.",
            )


def _is_own(result: Audit, side: Side) -> bool:
    """True if the mean subtracted from a side is that of its compared rows and nothing else."""
    source, place = (result.mean_a, 0) if side == "a" else (result.mean_b, 1)
    return source.shares[place] > 1 - 1e-12


def _why_not_zero(result: Audit) -> str:
    """What can leave a centred floor, by where the means come from."""
    if _is_own(result, "a") and _is_own(result, "b"):
        return f"The means are those of these very rows: {_UNEVEN}."
    if result.settings.shared_mean and result.mean_shares.all:
        return f"The shared mean is that of these very rows: the two sides lie apart, or {_UNEVEN}."
    return "The fitted means do not fit these rows, or the rows fall into uneven clusters."


def _what_remains(result: Audit, side: Side) -> str:
    """What a mean is that leaves anisotropy, and why it does: on the side's own rows it is no wrong mean."""
    source, check = (
        (result.mean_a, result.side_a.mean_check) if side == "a" else (result.mean_b, result.side_b.mean_check)
    )
    if _is_own(result, side):
        return f"is that of these very rows, and {_UNEVEN}"
    if result.settings.shared_mean:
        of = "compared" if result.mean_shares.all else "fit"
        apart = f", {result.squared_offset**0.5:.2f} apart" if result.squared_offset > SQUARED_OFFSET else ""
        return (
            f"is the shared mean of the {of} rows of both sides, so what remains is how far that is from the mean of "
            f"{side.upper()} alone (offset between the sides{apart}), or {_UNEVEN}"
        )
    if check is None or check.verdict is None:
        return f"is that of {counted(source.n_rows, 'other row')}, so a shared direction remains, or {_UNEVEN}"
    if check.verdict is CentringFit.FITS:
        return f"fits these rows, and {_UNEVEN}"
    adds = check.verdict is CentringFit.ADDS_A_DIRECTION
    remains = "centring added a direction that they do not share" if adds else "a shared direction remains"
    return f"is not the mean of these rows, so {remains}"


def _about_sides(result: Audit) -> Iterator[Notice]:
    """What a mean cosine does not see, where it changes how to read the figures."""
    sides: tuple[tuple[Side, SideFacts, MeanSource, float | None], ...] = (
        ("a", result.side_a, result.mean_a, result.anisotropy_left_a),
        ("b", result.side_b, result.mean_b, result.anisotropy_left_b),
    )
    for side, facts, source, left in sides:
        name = side.upper()
        if result.centred is not None:
            yield from _fit_on_compared(result, side, facts, source)
            yield from _few_fit_rows(result, side, source)
        check = facts.mean_check
        spoken = left is not None and left > ANISOTROPY_LEFT  # anisotropy_after_centring has said it
        if check is not None and check.verdict not in (CentringFit.FITS, None) and not spoken:
            yield Notice(
                code="mean_off",
                side=side,
                text=f"The mean fitted for {name} is not the mean of its compared rows"
                f"{_added(check)}: squared distance {signed(check.squared_distance)}, "
                f"z {signed(check.z or 0.0)}. Fit on rows of the same population.",
            )
        if facts.shape.both_ways:
            yield Notice(
                code="spread_both_ways",
                side=side,
                text=f"The rows of {name} lie both ways along one axis, which carries "
                f"{100 * (facts.shape.top_share or 0):.0f}% of their variance: anisotropy is low because cosines near "
                "1 and −1 cancel, not because cosines are small. Its interval holds the truth less often than 95% "
                "of the time (81 to 94% in simulations).",
            )


def _few_fit_rows(result: Audit, side: Side, source: MeanSource) -> Iterator[Notice]:
    """A mean of so few rows that sampling alone puts it far off."""
    part = result.sampled_part("ab".index(side))
    room = 1 - (result.anisotropy_a if side == "a" else result.anisotropy_b)
    if source.from_fit_file and part >= FEW_ROWS_PART:
        yield Notice(
            code="few_fit_rows",
            side=side,
            text=f"{counted(source.n_rows, 'fit row')} of {side.upper()} {agreed(source.n_rows, 'is', 'are')} too few "
            f"to place its mean: sampling alone puts it at a squared distance of about {part * room:.2g} from the "
            f"population's, {100 * part:.0f}% of 1 − anisotropy ({room:.2g}), so centring leaves anisotropy of its "
            "own. Fit on more rows.",
        )


def _fit_on_compared(result: Audit, side: Side, facts: SideFacts, source: MeanSource) -> Iterator[Notice]:
    """Compared rows among a side's fit rows: what the figures are, and what they are not, corrected for."""
    name, among = side.upper(), facts.fit_among
    if among is None:
        return
    if not any(among.found):
        yield from _nearer_than_other_rows(side, facts)
        return
    texts = []
    whole = [of for of, copies in zip("AB", among.copies, strict=True) if copies]
    if not source.from_fit_file:
        texts.append(f"The fit array of {name} is its compared file again: the mean counts as fitted on those rows.")
    elif whole:
        texts.append(
            f"The {counted(source.n_rows, 'fit row')} of {name} hold every compared row of {' and of '.join(whole)}: "
            "the mean counts as fitted on those rows, and the figures are corrected for them."
        )
    some = [
        f"{count:,} of the {result.n:,} compared rows of {of}"
        for of, count in zip("AB", among.others, strict=True)
        if count
    ]
    if some:
        texts.append(
            f"{' and '.join(some)} {agreed(sum(among.others), 'stands', 'stand')} "
            f"{'once more ' if whole else ''}among the {counted(source.n_rows, 'fit row')} of {name}: the mean is "
            "neither of other rows nor of the compared ones, and pulls the centred floor below 0. "
            "Intervals and verdict are not corrected for that."
        )
    texts.append("Fit on rows that are not compared.")
    yield Notice(code="fit_rows_compared", side=side, text=" ".join(texts))


def _nearer_than_other_rows(side: Side, facts: SideFacts) -> Iterator[Notice]:
    """A fit mean so near to that of the compared rows that it must be theirs, though no row is equal."""
    check = facts.mean_check
    if check is not None and check.z is not None and facts.fit_rows_look_compared:
        yield Notice(
            code="fit_rows_compared",
            side=side,
            text=f"The mean fitted for {side.upper()} is nearer to the mean of its compared rows than that of other "
            f"rows would be (z {signed(check.z)}): its fit rows look like the compared rows themselves, in "
            "coarser numbers. Intervals and verdict are not corrected for that. Fit on rows that are not compared.",
        )


def _added(check: MeanCheck) -> str:
    adds = check.verdict is CentringFit.ADDS_A_DIRECTION
    return ", and centring adds a direction that they do not share" if adds else ""


def _tied_ranks(result: Audit) -> Iterator[tuple[str, str, PartnerRanks]]:
    """Every direction of every reading in which partners tie for first place: raw A to B before others."""
    for reading_name, reading in (("raw", result.raw), ("centred", result.centred)):
        if reading is not None:
            for rows, ranks in (("A", reading.a_to_b), ("B", reading.b_to_a)):
                if ranks.tied:
                    yield rows, reading_name, ranks


def _below_floor(reading: Reading, n: int) -> bool:
    """True if matched lies below its floor by more than the luck of n pairs would bring."""
    return not reading.exact.at_floor and reading.exact.gap < -2 * reading.exact.floor_sd / math.sqrt(n)


def _pair(code: str, text: str) -> Notice:
    return Notice(code=code, side="pair", text=text)
