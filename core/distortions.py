"""What a mean cosine does not show: looked for in every audit, and said, found or not.

A reader of a report must be able to tell "looked for and clean" from "not looked for". So
each thing has a line with its number and the bound from which it is worth a word. The
bounds are conventions that only decide when to speak, never what is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.centring_check import CLEAR_Z, CentringFit, MeanCheck
from core.closeness import NEARLY_SAME
from core.isotropy import TOP_DIMENSIONS
from core.lineup_words import axes_line, order_line
from core.norms import TOO_LARGE
from core.prose import capital, counted, signed
from core.ranks import at_chance

if TYPE_CHECKING:
    from core.result import Audit
    from core.side_facts import SideFacts

__all__ = ["ANISOTROPY_LEFT", "FEW_ROWS_PART", "SQUARED_OFFSET", "Distortion", "distortions"]

#: Anisotropy left after centring worth a word, beyond what sampling leaves.
ANISOTROPY_LEFT = 0.05

#: Squared distance between the two sides' means worth a word; unit rows are 2 apart at most.
SQUARED_OFFSET = 0.05

#: Largest over median norm worth a word: a few rows would rule any mean that is not of unit rows.
NORM_RATIO = 10.0

#: How far from alike in all d dimensions, 3/d, to all of it in three the share of the three largest is worth a word.
TOP_SHARE = 0.5

#: A hub is worth a word from so many rows of A with the same row of B on top, and so large a share of A.
HUB_ROWS, HUB_SHARE = 5, 0.05

#: Share of 1 - A by which sampling alone misplaces a mean that is worth a word: 20 fit rows or fewer.
FEW_ROWS_PART = 0.05

_MISFIT = {
    CentringFit.FITS: "fits",
    CentringFit.OFF: "is off",
    CentringFit.FAR_OFF: "is far off",
    CentringFit.ADDS_A_DIRECTION: "adds a direction instead of taking one out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Distortion:
    """One thing that was looked for.

    Attributes
    ----------
    code
        Stable, for scripts: ``"both_ways"``.
    name
        What it is called.
    fired
        True if found, False if clean, `None` if it could not be looked for.
    text
        With the numbers, and the bound where there is one.
    """

    code: str
    name: str
    fired: bool | None
    text: str


def distortions(result: Audit) -> tuple[Distortion, ...]:
    """Everything that was looked for, in the order a reader needs it."""
    sides = (("A", result.side_a), ("B", result.side_b))
    return (
        _line("other_axes", "different coordinate systems", *axes_line(result.alarm, result.dim)),
        _row_order(result),
        _anisotropy_left(result),
        _mean_fit(result, sides),
        _fit_overlap(sides),
        _offset(result),
        _both_ways(sides),
        _top_dimensions(sides, result.dim),
        _norms(sides),
        _duplicates(sides),
        _ties(result),
        _proposed(result),
        _hubs(result),
        _rounding(result),
        _near_identical(result),
    )


def _row_order(result: Audit) -> Distortion:
    by_chance = at_chance((result.centred or result.raw).a_to_b, result.n)
    return _line("row_order", "rows shifted or out of order", *order_line(result, by_chance))


def _anisotropy_left(result: Audit) -> Distortion:
    sides = (("A", result.anisotropy_left_a), ("B", result.anisotropy_left_b))
    known = [(name, left) for name, left in sides if left is not None]
    if not known:
        return _line("anisotropy_after_centring", "anisotropy after centring", None, "there is no centred reading")
    left_over = ", ".join(f"{name} {signed(left)}" for name, left in known)
    text = f"beyond what sampling leaves: {left_over}; flagged above {ANISOTROPY_LEFT}"
    few = [(name, result.sampled_part("AB".index(name))) for name, _ in known]
    few = [(name, part) for name, part in few if part >= FEW_ROWS_PART]
    if few:  # this alone is found, however little stands beyond it
        parts = " and ".join(f"{part:.2f} in {name}" for name, part in few)
        text = f"too few fit rows: sampling alone leaves {parts}, flagged from {FEW_ROWS_PART}; {text}"
    fired = bool(few) or any(left > ANISOTROPY_LEFT for _, left in known)
    return _line("anisotropy_after_centring", "anisotropy after centring", fired, text)


def _mean_fit(result: Audit, sides: tuple[tuple[str, SideFacts], ...]) -> Distortion:
    code, name = "mean_off", "fit mean against the mean of the compared rows"
    known = [(side, facts.mean_check, facts) for side, facts in sides if facts.mean_check is not None]
    if not known:
        return _line(code, name, None, "no mean comes from separate fit rows, or from a single one")
    texts = [
        f"{side} {_misfit(result, side, check, facts)}: squared distance {signed(check.squared_distance)}"
        + ("" if check.z is None else f", z {check.z:.1f}".replace("-", "−"))
        for side, check, facts in known
        if check is not None
    ]
    fired = any(check is not None and check.verdict not in (CentringFit.FITS, None) for _, check, _ in known)
    return _line(code, name, fired, f"{'; '.join(texts)}; a word when z is above 3 and the distance matters")


def _misfit(result: Audit, side: str, check: MeanCheck, facts: SideFacts) -> str:
    """How the mean fits; on compared rows a small distance is no sign of it."""
    compared = facts.fit_among is not None and any(facts.fit_among.found)
    if check.verdict is CentringFit.FITS and (compared or (check.z is not None and check.z < -CLEAR_Z)):
        return "is fitted on compared rows, so its distance says nothing of others"
    if check.verdict in (CentringFit.FITS, None) and result.sampled_part("AB".index(side)) >= FEW_ROWS_PART:
        return "has too few fit rows to place its mean"
    return "has no standard error to judge by" if check.verdict is None else _MISFIT[check.verdict]


def _fit_overlap(sides: tuple[tuple[str, SideFacts], ...]) -> Distortion:
    code, name = "fit_rows_compared", "compared rows among the fit rows"
    known = [(side, facts.fit_among.found) for side, facts in sides if facts.fit_among is not None]
    if not known:
        return _line(code, name, None, "no separate fit rows were given")
    text = ", ".join(f"of A {of_a:,} and of B {of_b:,} in those of {side}" for side, (of_a, of_b) in known)
    nearer = [side for side, facts in sides if facts.fit_rows_look_compared]
    if nearer:
        text += (
            f"; but the fit mean of {' and of '.join(nearer)} is nearer to that of the compared rows than other rows' "
            "would be: they look like the compared rows in coarser numbers"
        )
    fired = bool(nearer) or any(max(found) for _, found in known)
    return _line(code, name, fired, f"rows that stand in both: {text}")


def _offset(result: Audit) -> Distortion:
    offset = result.squared_offset
    return _line(
        "offset_between_sides",
        "offset between the two sides' means",
        offset > SQUARED_OFFSET,
        f"{offset**0.5:.3f} between mean unit rows; flagged above {SQUARED_OFFSET**0.5:.2f}",
    )


def _both_ways(sides: tuple[tuple[str, SideFacts], ...]) -> Distortion:
    code, name = "both_ways", "rows spread both ways along one axis"
    known = [(side, facts.shape) for side, facts in sides if facts.shape.top_share is not None]
    if not known:
        return _line(code, name, None, "the rows do not vary, or are too wide for their principal axis")
    text = ", ".join(f"{side} {100 * (shape.top_share or 0):.0f}%" for side, shape in known)
    fired = any(shape.both_ways for _, shape in known)
    return _line(code, name, fired, f"share of the variance along the first axis: {text}; anisotropy cannot see it")


def _top_dimensions(sides: tuple[tuple[str, SideFacts], ...], dim: int) -> Distortion:
    code, name = "top_dimensions", "a few dimensions carry the anisotropy"
    known = [(side, facts.shape.top_dimensions) for side, facts in sides if facts.shape.top_dimensions]
    if not known:
        if all(facts.shape.anisotropy.error is None for _, facts in sides):
            return _line(code, name, None, f"the anisotropy has no error: {sides[0][1].shape.anisotropy.reason}")
        return _line(code, name, False, "no side's anisotropy is above twice its error")
    if dim <= TOP_DIMENSIONS:
        return _line(code, name, None, f"with {counted(dim, 'dimension')} there are no others")
    alike = TOP_DIMENSIONS / dim
    bound = alike + TOP_SHARE * (1 - alike)
    texts = []
    for side, largest in known:
        named = ", ".join(str(each.dimension) for each in largest)
        texts.append(f"{side}: dimensions {named} (from 0) carry {_share_words(sum(each.share for each in largest))}")
    fired = any(sum(each.share for each in largest) > bound for _, largest in known)
    beside = f"alike in all it were {100 * alike:.0f}%, flagged above {100 * bound:.0f}%"
    return _line(code, name, fired, f"{'; '.join(texts)}; {beside}")


def _share_words(share: float) -> str:
    """A share as a percentage; above 100% with what the rest takes away again."""
    whole = round(100 * share)
    return f"{whole}%" if whole <= 100 else f"{whole}% (the others together −{whole - 100}%, for theirs are negative)"


def _norms(sides: tuple[tuple[str, SideFacts], ...]) -> Distortion:
    known = [facts.norm_ratio > NORM_RATIO for _, facts in sides if facts.norm_ratio is not None]
    known += [True for _, facts in sides if facts.norm_ratio_undefined == TOO_LARGE]
    text = ", ".join(
        f"{side} {facts.norm_ratio_undefined if facts.norm_ratio is None else f'{facts.norm_ratio:.3g}'}"
        for side, facts in sides
    )
    fired = any(known) or (False if len(known) == len(sides) else None)
    return _line(
        "norm_ratio",
        "a few rows far longer than the others",
        fired,
        f"largest over median norm: {text}; flagged above {NORM_RATIO:.0f}; no cosine depends on it",
    )


def _duplicates(sides: tuple[tuple[str, SideFacts], ...]) -> Distortion:
    equal = ", ".join(f"{side} {facts.n_duplicates:,}" for side, facts in sides)
    scaled = ", ".join(f"{side} {facts.n_same_direction:,}" for side, facts in sides)
    fired = any(facts.n_duplicates or facts.n_same_direction for _, facts in sides)
    text = f"rows equal to an earlier row: {equal}; compared rows equal to one up to scale: {scaled}"
    return _line("duplicate_rows", "duplicates, exact or up to scale", fired, text)


def _ties(result: Audit) -> Distortion:
    counts = [
        (reading_name, reading.a_to_b.tied, reading.b_to_a.tied)
        for reading_name, reading in (("raw", result.raw), ("centred", result.centred))
        if reading is not None
    ]
    text = ", ".join(f"{reading} {forth:,} and {back:,}" for reading, forth, back in counts)
    fired = any(forth or back for _, forth, back in counts)
    return _line("ties", "partners that tie for first place", fired, f"rows of A and of B: {text}")


def _proposed(result: Audit) -> Distortion:
    code, name = "groups_proposed", "pairs that duplicates tie together"
    if result.groups is not None:
        return _line(code, name, None, f"{result.groups.count:,} groups were declared")
    proposed = result.proposed_groups
    if proposed is None:
        return _line(code, name, False, "no two pairs share a row, whatever its length")
    return _line(
        code,
        name,
        True,
        f"{proposed.n_pairs:,} pairs share a row with another, whatever its length, up to {proposed.largest:,} "
        f"together; taken as groups (--groups) they are {proposed.count:,}, not {result.n:,} independent pairs",
    )


def _hubs(result: Audit) -> Distortion:
    reading = result.centred or result.raw
    most, worth = reading.hubs.most, max(HUB_ROWS, int(HUB_SHARE * result.n) + 1)
    return _line(
        "hubs",
        "hubs, rows that many others find first",
        most >= worth,
        f"one row of B is on top of {counted(most, 'row')} of A, {100 * reading.hubs.never:.0f}% of B on top of none "
        f"({'centred' if result.centred else 'raw'}); flagged from {worth} rows on",
    )


def _rounding(result: Audit) -> Distortion:
    decided = result.raw.evidence.decided_by_rounding
    code, name = "ranks_by_rounding", "ranks decided below the precision of the input"
    if decided is None:
        return _line(code, name, None, "not counted with groups or a pool of candidates")
    return _line(code, name, decided > 0, f"{decided:,} of {result.n:,} rows of A (raw)")


def _near_identical(result: Audit) -> Distortion:
    code, name = "nearly_identical", "sides that are nearly the same"
    near = result.closeness
    if near is None:
        matched = result.raw.matched_mean
        fired = None if matched > NEARLY_SAME else False
        return _line(code, name, fired, f"raw matched is {matched:.4f}; flagged above {NEARLY_SAME}")
    lost = near.distance_lost.estimate
    share = "" if lost is None else f"; {lost:.2e} of the unrelated distance is lost"
    return _line(
        code,
        name,
        True,
        f"1 − cosine is {near.mean_distance:.3e} on average and {near.worst_distance:.3e} at worst (row "
        f"{near.worst_pair:,}, from 0){share}",
    )


def _line(code: str, name: str, fired: bool | None, text: str) -> Distortion:
    return Distortion(code=code, name=name, fired=fired, text=f"{capital(text)}.")
