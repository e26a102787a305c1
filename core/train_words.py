"""What the train rows of two models are, in words: halves, parts of the file, repeats, too few."""

from __future__ import annotations

from core.alike_rows import STILL_ALIKE, rows_apart
from core.errors import Notice, Side
from core.intervals import Interval
from core.permutation_null import PermutationNull
from core.procrustes import OrthogonalMap
from core.prose import agreed, capital, counted, signed
from core.train_split import TrainSplit, named_rows

__all__ = ["GOOD_TRAIN_RATIO", "contradiction", "train_notices"]

#: Train rows, in multiples of the wider side's columns, from which a map is about as good
#: as it gets: on related spaces the compared cosine reaches 95 % of its limit there.
GOOD_TRAIN_RATIO = 2

#: A map that finds a gap g within a geometry that both models share leaves a CKA near the square of g, or more:
#: (sum of singular values of A'B)^2 <= d |A'B|^2. What is missing of it is clear at so many null spreads.
EXPECTED_ERRORS = 4.0

#: p above which a measure within each model has found nothing.
CHANCE_LEVEL = 0.05


def train_notices(fitted: OrthogonalMap, rows: TrainSplit, *, found: bool) -> list[Notice]:
    """What the train rows are, and whether they are enough.

    Parameters
    ----------
    found : bool
        True if the interval of the gap after the map is above 0, and nothing says that the map knows the rows.
    """
    said = []
    if rows.file_order != "any":
        said.append(_series_notice(rows))
    elif rows.split:
        said.append(
            _pair(
                "split_in_halves",
                f"No train rows were given: half of the pairs ({fitted.n_train:,}), drawn with the seed, train the "
                f"map, and every figure after the map is from the other {len(rows.a):,}.",
            )
        )
    said.extend(_seen_on_one_side(rows))
    if rows.many_near:
        said.append(_pair("near_train_rows", _near(rows)))
    if rows.n_sharing:
        said.append(_pair("repeated_pairs", _repeated(rows)))
    good = GOOD_TRAIN_RATIO * fitted.width
    if fitted.n_train < good:
        few = fitted.n_train < fitted.width
        knows, much = ("knows only part of the space", "") if few else ("is rough", "somewhat ")
        what = f"the map {knows}, so what the compared rows score " + (
            f"is {much}too low" if found and not rows.many_near else f"would be {much}too low, if the rows are linked"
        )
        columns = counted(fitted.width, "column")
        text = f"{fitted.n_train:,} train pairs for {columns}: {what}. {good:,} or more are good."
        said.append(_pair("few_train_rows", text))
    return said


def _seen_on_one_side(rows: TrainSplit) -> list[Notice]:
    """Compared rows of one side that the map was fitted on, with another partner."""
    said = []
    sides: tuple[tuple[Side, Side, tuple[int, ...], tuple[int, ...]], ...] = (
        ("a", "b", rows.seen_a, rows.seen_b),
        ("b", "a", rows.seen_b, rows.seen_a),
    )
    for side, other, seen, others in sides:
        if not seen:
            continue
        both = len(set(seen) & set(others))
        text = (
            f"{counted(len(seen), 'compared row')} of {side.upper()} also {agreed(len(seen), 'stands', 'stand')} among "
            f"the train rows of {side.upper()}, with another partner: row {named_rows(seen)} (counting from 0). Of "
            f"their rows of {other.upper()} {both or 'none'} {agreed(both or 2, 'stands', 'stand')} among the train "
            f"rows of {other.upper()}. The map knows these rows of {side.upper()}, so "
            "what they score is not all held out: train on other items, and check that train rows are paired."
        )
        said.append(Notice(code="train_rows_compared", side=side, text=text))
    return said


def _near(rows: TrainSplit) -> str:
    """That the map has learnt compared rows by heart."""
    both, either = set(rows.near_a) & set(rows.near_b), sorted(set(rows.near_a) | set(rows.near_b))
    sides = f"{len(rows.near_a) or 'none'} in A, {len(rows.near_b) or 'none'} in B, {len(both) or 'none'} in both"
    remedy = "Train on other items and classes: no train row may be a version, a part or a view of a compared item."
    if rows.split and rows.grouped_by == "rows":
        remedy = "Give ids that say which rows belong together (--groups), or train rows of other items."
    return (
        f"{len(either):,} of {len(rows.a):,} compared rows have a near copy among the train rows ({sides}), far nearer "
        f"than train rows usually are to each other: row {named_rows(either)} (counting from 0). They may be versions "
        "of one item, or close relatives of one class. Where they are versions, the figures after the map, the gap "
        "and the ranks, show memory of the train rows, whether or not the models share a geometry: unrelated files "
        f"can score as high. {remedy}"
    )


def contradiction(
    rows: TrainSplit, interval: Interval, cka: PermutationNull | None, neighbours: PermutationNull | None
) -> list[Notice]:
    """A word where the map finds partners and neither model's own geometry knows of them.

    Parameters
    ----------
    interval : Interval
        Of the gap after the map.
    cka, neighbours : PermutationNull, optional
        Within each model, of all used pairs; without one of them nothing is said.
    """
    gap = interval.estimate
    if cka is None or neighbours is None or gap is None or interval.low is None or interval.low <= 0:
        return []
    missing = interval.low**2 > cka.observed + EXPECTED_ERRORS * cka.sd
    if min(cka.pvalue, neighbours.pvalue) <= CHANCE_LEVEL or not missing:
        return []
    halves = "in both halves" if rows.split else "among the train rows as well"
    text = (
        f"The figures contradict one another: after the map partners stand out (gap {signed(gap)}), and "
        f"within the models nothing links the same rows (debiased CKA {signed(cka.observed)}, p {cka.pvalue:.3f}; "
        f"shared neighbours p {neighbours.pvalue:.3f}). The usual cause is that the compared items, or versions of "
        f"them, stand {halves}: then the map shows what it has learnt by heart, and nothing about the models."
    )
    return [_pair("map_contradicts", text)]


def _repeated(rows: TrainSplit) -> str:
    """That pairs share rows, and what was done about it."""
    with_another = {
        "rows": "share a row of A or of B with another pair",
        "near copies": "are near copies of another pair, in A or in B,",
        "ids": "share an id, or a row of A or of B, with another pair",
        "ids and near copies": "share an id with another pair, or are near copies of one, in A or in B,",
    }
    share = f"{counted(rows.n_sharing, 'pair')} {with_another[rows.grouped_by]}"
    if rows.file_order != "any":
        return f"{share.rstrip(',')}: one of each group is used, {rows.n_groups:,} pairs in all."
    halves = " and stand in the same half with it" if rows.split else ""
    drawn = "the halves are drawn from" if rows.split else "there are"
    of_compared = rows.grouped_by == "ids" and not rows.split
    if not halves:
        share = share.rstrip(",")
    return (
        f"{share}{halves}: {drawn} {counted(rows.n_groups, 'group')}. The interval of "
        "the gap leaves out a whole group at a time. CKA and the neighbours are taken from one pair of each group, "
        f"{rows.n_groups:,} in all."
        + (" Ids are of the compared rows: no train row is held against them." if of_compared else "")
    )


def _series_notice(rows: TrainSplit) -> Notice:
    """What was done because neighbouring rows are alike, or why nothing is claimed."""
    m, n, far = len(rows.train_a), len(rows.a), rows_apart(len(rows.within_a))
    halves = "No map may be fitted on rows from between the compared ones: take train rows from elsewhere."
    if rows.split:
        left_out = len(rows.within_a) - m - n
        halves = (
            f"No train rows were given: the first {m:,} pairs train the map, the last {n:,} are compared, and "
            f"{left_out:,} between them are left out."
        )
    alike = "Neighbouring rows of A are alike, and so are those of B, as in a video, a text or a series."
    if rows.file_order == "drifting":
        text = f"{alike} {capital(STILL_ALIKE)}: no interval and no p is given, and nothing claimed."
        return _pair("rows_drift", f"{text} {halves}")
    return _pair(
        "neighbours_alike",
        f"{alike} {halves} CKA and the neighbours hold only rows at least {far:,} apart in the file against each "
        "other. Each p is beside the rows of one side moved along the file together, not shuffled, and the interval of "
        "the gap leaves out whole stretches.",
    )


def _pair(code: str, text: str) -> Notice:
    return Notice(code=code, side="pair", text=text)
