"""What an audit says of axes and order: the sentences of its notices and of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.alarm import CKA_LEVEL, GAIN_ERRORS, NEIGHBOURS_ALIKE, WEAK_GAIN, CoordinateAlarm, MapGain
from core.prose import agreed, counted, signed

if TYPE_CHECKING:
    from core.pairing import Pairing
    from core.result import Audit

__all__ = ["axes_line", "axes_sentence", "order_line", "ties_alone", "which_way"]

_WHERE = "the page Two models, or python -m core two-models, reads such files"


def axes_sentence(alarm: CoordinateAlarm) -> str:
    """What the alarm says; empty where it is silent."""
    if alarm.gain is None or alarm.cka is None or alarm.strength == "silent":
        return ""
    halves = f"half of {alarm.n_pairs:,} pairs takes the centred gap of the other half"
    if alarm.neighbours_alike:
        halves = f"the first {alarm.n_train:,} of {alarm.n_pairs:,} pairs takes the centred gap of the last ones"
    found = (
        f"a map fitted on {halves} from "
        f"{signed(alarm.gain.plain)} to {signed(alarm.gain.mapped)}, {_sure(alarm.gain)}, and debiased CKA is above "
        f"its null (p {alarm.cka.pvalue:.3f})"
    )
    if alarm.strength == "strong":
        return (
            f"A and B look like different coordinate systems: {found}. Then cosines between them are no evidence, high "
            f"or low; {_WHERE}."
        )
    if alarm.strength == "few_rows" and alarm.gain.middle is not None:
        middle = f"in the middle four fifths of them it adds {signed(alarm.gain.middle)} of {signed(alarm.gain.gain)}"
        return (
            f"A map from A to B helps few rows alone: {found}, but {middle}. So this is no sign of different "
            f"coordinate systems: rows that are alike on each side (empty texts, boilerplate) do it. Look at rows "
            f"{', '.join(f'{row:,}' for row in alarm.few_rows)} (counting from 0), which gain most."
        )
    return (
        f"A and B look partly turned against each other: {found}. The cosines are low for how well the rows belong "
        f"together; {_WHERE}."
    )


def axes_line(alarm: CoordinateAlarm, dim: int) -> tuple[bool | None, str]:
    """Whether different coordinate systems were found, and the numbers."""
    if alarm.gain is None:
        drift = "; blind here to other axes of rows that drift along the file" * (alarm.not_run == NEIGHBOURS_ALIKE)
        return None, alarm.not_run + drift
    cka = "" if alarm.cka is None else f", CKA p {alarm.cka.pvalue:.3f}"
    how = f"{alarm.n_train:,} pairs, drawn with the seed, takes the centred gap of {alarm.n_compared:,} others"
    if alarm.neighbours_alike:
        how = (
            f"the first {alarm.n_train:,} of {alarm.n_pairs:,} pairs, since neighbouring rows are alike, takes the "
            f"centred gap of the last {alarm.n_compared:,}"
        )
    blind = ""
    if alarm.n_train < dim:
        blind = f"; blind to partly turned spaces here, with {alarm.n_train:,} train pairs for {dim:,} columns"
    if alarm.neighbours_alike:
        blind += "; blind to rows that drift along the file, whose first part says little about the last"
    return alarm.strength != "silent", (
        f"a map fitted on {how} from {signed(alarm.gain.plain)} to {signed(alarm.gain.mapped)}{cka}; a word when it "
        f"adds more than {GAIN_ERRORS:.0f} errors, and doubles the gap or adds {WEAK_GAIN:g}, with CKA p up to "
        f"{CKA_LEVEL:g}{blind}{_few(alarm)}"
    )


def _few(alarm: CoordinateAlarm) -> str:
    return "; few rows carry it, which is no sign of other axes" if alarm.strength == "few_rows" else ""


def which_way(result: Audit) -> str:
    """Why partners rank first no more often than by chance, as far as it can be told."""
    found = result.pairing
    if ties_alone(result):
        return _tied(result)
    if result.has_pool:
        return (
            "the ranks do not show that row i of A belongs with row i of B. No other order was looked for, since each "
            "row met a pool of candidates only. Check the row order, and that both files come from the same model, or "
            "rank among all rows: then an order is looked for."
        )
    if found is None or found.kind == "in_order":
        return (
            "the ranks do not show that row i of A belongs with row i of B. Check the row order, and that both files "
            "come from the same model."
        )
    if found.kind == "shifted":
        return _shifted(found, result.dropped_rows)
    if found.kind == "permuted":
        return _permuted(found, result.dropped_rows)
    if found.kind == "different_spaces":
        return "in these axes the ranks cannot show that row i of A belongs with row i of B, and no other order does."
    return _unrelated(found, result.alarm)


def ties_alone(result: Audit) -> bool:
    """True if every row's partner is on top, tied: no mismatch of the files, but rows that are alike."""
    ranks = (result.centred or result.raw).a_to_b
    return ranks.optimistic == 1.0 and ranks.tied > 0


def _tied(result: Audit) -> str:
    equal = result.side_b.n_same_direction
    rows = f"{counted(equal, 'row')} of B {agreed(equal, 'has', 'have')} the direction of an earlier one"
    cause = rows if equal else "different rows of B score alike"
    return (
        f"every row's partner is on top, but ties with others there, since {cause}. Ties alone hold the share down, "
        "not a mismatch of the files. Leave repeated rows out, or say which rows belong together (groups)."
    )


def _unrelated(found: Pairing, alarm: CoordinateAlarm) -> str:
    """That nothing pairs the rows, and what was not looked for."""
    map_too = ", and no map from one side to the other"
    look_the_same = ["a wrong order in other axes", "weakly linked rows"]
    if alarm.not_run == NEIGHBOURS_ALIKE:
        map_too = f"; other axes cannot be told: {NEIGHBOURS_ALIKE}"
    elif alarm.gain is None:
        map_too = f"; other axes were not looked for ({alarm.not_run})"
        look_the_same[0] = f"the right order in other axes ({_WHERE}), a wrong one"
    if _is_repeated(found):
        look_the_same.append("rows that occur several times")
    return (
        f"the rows look unrelated, or linked too weakly to tell. No shift and no other order was found to pair "
        f"them{map_too}; {', '.join(look_the_same[:-1])} or {look_the_same[-1]} would look the same. Check that both "
        "files hold the same items, and that the same model made them in the same way."
    )


def order_line(result: Audit, by_chance: bool) -> tuple[bool | None, str]:
    """Whether the rows were found in another order, and the numbers."""
    found = result.pairing
    if found is None:
        if by_chance:
            return None, "each row met a pool of candidates only, so no order was looked for"
        if result.has_pool:
            return False, "partners rank first more often than by chance"
        return False, "matched stands off its floor, and partners rank first more often than by chance"
    numbers = (
        f"the most voted shift ({_signed_shift(found.shift)}) has {found.shift_votes:,} of {found.n:,} rows of A; of "
        f"{found.asked:,} rows of A {found.mutual:,} and their best row of B name each other, where "
        f"{found.mutual_by_chance * found.asked:,.0f} unrelated ones would"
    )
    return found.kind in ("shifted", "permuted"), numbers


def _shifted(found: Pairing, dropped: int) -> str:
    left = " of those left" if dropped else ""
    return (
        f"the rows look shifted. The best row of B for row i of A is row i {_signed_shift(found.shift)} for "
        f"{found.shift_votes:,} of {found.n:,} rows{left}, where luck gives about 1, as where one file lacks rows near "
        f"its start. The order with that shift can be had (--order FILE.npy, or the download on the page). It pairs "
        f"{_with_best(found)}, and joins the file's ends, which no true pair is unless the file was rotated."
        f"{_bad_moves_too(dropped)}"
    )


def _bad_moves_too(dropped: int) -> str:
    """That a shift counts and moves the rows that were left out."""
    if not dropped:
        return ""
    return (
        f" Shift and order are in rows of the files, those of the {counted(dropped, 'pair')} left out counted: in that "
        "order good rows beside a bad one get their partners back, and others stand beside the bad rows."
    )


def _permuted(found: Pairing, dropped: int) -> str:
    return (
        f"the rows look out of order. Of {found.asked:,} rows of A {found.mutual:,} and their best row of B name each "
        f"other, where {found.mutual_by_chance * found.asked:,.0f} unrelated ones would. An order that pairs them can "
        f"be had (--order FILE.npy, or the download on the page). It pairs {_with_best(found)}.{_in_pieces(found)}"
        f"{_beside_bad(dropped)} It is made from the cosines, so it flatters matched: use it to find the mistake, and "
        "take the order itself from "
        f"the items.{_up_to(found)}"
    )


def _beside_bad(dropped: int) -> str:
    """That pairs left out of a file in another order need not be bad on both sides."""
    if not dropped:
        return ""
    return (
        f" The {counted(dropped, 'pair')} left out {agreed(dropped, 'stays', 'stay')} in place, though a good row "
        "beside a bad one has its partner elsewhere: mend the bad rows, and ask again."
    )


def _with_best(found: Pairing) -> str:
    return (
        f"{found.first_choice:,} of {found.n:,} rows with their best row, where {found.in_place:,} "
        f"{agreed(found.in_place, 'stands', 'stand')} so now"
    )


def _in_pieces(found: Pairing) -> str:
    """That an order is made of stretches of rows, each shifted by its own amount."""
    if not found.pieces:
        return ""
    return (
        f" It is made of {counted(found.pieces, 'piece')}, each shifted by an amount of its "
        "own, as where rows are missing in several places or parts of a file were put together in another order."
    )


def _is_repeated(found: Pairing) -> bool:
    return found.repeated_a + found.repeated_b > 0


def _up_to(found: Pairing) -> str:
    """That an order of equal rows is one of several."""
    if not _is_repeated(found):
        return ""
    return (
        f" It is one order of several: {counted(found.repeated_a, 'row')} of A and {found.repeated_b:,} of B "
        f"{agreed(found.repeated_a + found.repeated_b, 'equals', 'equal')} another row of their file, and equal rows "
        "may be interchanged."
    )


def _sure(gain: MapGain) -> str:
    return f"{gain.gain / gain.error:,.0f} standard errors"


def _signed_shift(shift: int) -> str:
    return f"+ {shift:,}" if shift >= 0 else f"− {-shift:,}"
