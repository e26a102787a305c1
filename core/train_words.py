"""What the train rows of two models are, in words: halves, parts of the file, repeats, too few."""

from __future__ import annotations

from core.alike_rows import STILL_ALIKE, rows_apart
from core.errors import Notice, Side
from core.procrustes import OrthogonalMap
from core.prose import agreed, capital, counted
from core.train_split import TrainSplit, named_rows

__all__ = ["GOOD_TRAIN_RATIO", "train_notices"]

#: Train rows, in multiples of the wider side's columns, from which a map is about as good
#: as it gets: on related spaces the compared cosine reaches 95 % of its limit there.
GOOD_TRAIN_RATIO = 2


def train_notices(fitted: OrthogonalMap, rows: TrainSplit) -> list[Notice]:
    """What the train rows are, and whether they are enough."""
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
    if rows.n_sharing:
        said.append(_pair("repeated_pairs", _repeated(rows)))
    good = GOOD_TRAIN_RATIO * fitted.width
    if fitted.n_train < good:
        what = (
            "the map knows only part of the space, so what the compared rows score is too low"
            if fitted.n_train < fitted.width
            else "the map is rough, and the compared rows score somewhat too low"
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


def _repeated(rows: TrainSplit) -> str:
    """That pairs share rows, and what was done about it."""
    share = f"{counted(rows.n_sharing, 'pair')} share a row of A or of B with another pair"
    if rows.file_order != "any":
        return f"{share}: one of each group is used, {rows.n_groups:,} pairs in all."
    halves = " and stand in the same half with it" if rows.split else ""
    drawn = "the halves are drawn from" if rows.split else "there are"
    return (
        f"{share}{halves}: {drawn} {counted(rows.n_groups, 'group')}. The interval of "
        "the gap leaves out a whole group at a time. CKA and the neighbours are taken from one pair of each group, "
        f"{rows.n_groups:,} in all."
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
