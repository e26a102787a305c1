"""Is item i the same item in every run? Asked before anything is measured.

Differences are taken item by item. A run whose two sides are in one order, but another than
the first run's, is sound by itself and gives the same gap; only the pairing with the other
runs is lost, and with it the error. Three things tell, the surest first: ids in the files
(`core.paired_ids`), rows that are equal number for number and stand elsewhere, and, of runs
that differ by rounding (int8 against fp32), rows whose nearest row is elsewhere, is named
back more often than by chance, and leaves a stranger in place (as in `core.pairing`). The
first two are refused, the last is said. Runs of other models (another seed of the training)
have other axes and say nothing of each other's order; then the first run with the same seed
is asked, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.conditions import run_name
from core.digests import value_digests
from core.errors import PairingError
from core.formats.loaded import RealArray
from core.inspection import Inspection
from core.kept_rows import kept_rows
from core.limits import PAIRING_ROWS
from core.paired_ids import refuse_other_rows
from core.pairing import STRANGERS_BELOW, above_chance
from core.products import product
from core.ranks import TIE
from core.rivals import NAMED_BLOCK_ELEMENTS, candidates_below, named_back, take_best
from core.rows import UnitRows, row_blocks
from core.sweep import Progress
from core.ticks import Tick, each, step_of

__all__ = ["ItemOrder", "OtherIds", "Reordered", "item_order", "moved_rows", "refuse_other_ids"]

Index = NDArray[np.intp]
Side = Literal["A", "B"]

SIDES: tuple[Side, Side] = ("A", "B")

#: Rows at other places that are no accident.
MIN_MOVED = 2

#: Share of rows nearest to their own place from which two files share their axes, so that no other run need be asked.
LINKED_SHARE = 0.1

#: Seed of the draw of rows that are asked.
ORDER_SEED = 6

#: What is said meanwhile.
ASKING = "Looking whether all runs hold the same items in one order"

_REMEDY = (
    "Put the items of every run in the order of the first; where the order was changed on purpose, as a control, leave "
    "that run out: the floor is what unpaired rows score"
)


class _Run(Protocol):
    """A run of `core.comparison`."""

    @property
    def label(self) -> str: ...
    @property
    def seed(self) -> str | None: ...
    @property
    def a(self) -> Inspection: ...
    @property
    def b(self) -> Inspection: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered:
    """One side of a run that looks to be in another order than the same side of another run.

    Attributes
    ----------
    run, other
        Names of the two runs, hostile text.
    side
        Which side of both.
    asked, moved
        Rows asked, and how many of them name a row elsewhere that names them back.
    row, place
        The first of those in the other run, and its place in this one: rows of the files, from 0.
    """

    run: str
    other: str
    side: Side
    asked: int
    moved: int
    row: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherIds:
    """One side of a run whose file calls most of its rows otherwise than the first run's, under the same name.

    Attributes
    ----------
    run, other, column
        Names of the two runs and of the ids, hostile text.
    side
        Which side of both.
    shared, n
        Ids that both have, of how many.
    """

    run: str
    other: str
    column: str
    side: Side
    shared: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOrder:
    """What is known of the items across runs.

    Attributes
    ----------
    other_ids
        Sides whose ids are mostly others: other items, or names of each file's own.
    reordered
        Sides that look to be in another order; exact cases are refused.
    not_compared
        Names of the runs of which a side has other columns than the first run's, so that rows cannot be held
        against each other.
    """

    other_ids: tuple[OtherIds, ...] = ()
    reordered: tuple[Reordered, ...] = ()
    not_compared: tuple[str, ...] = ()


def refuse_other_ids(runs: Sequence[_Run]) -> None:
    """Refuse runs whose files call their rows otherwise than the first run's. Time O(runs n log n).

    Raises
    ------
    PairingError
        Another order, or other rows: which condition, and the files.
    """
    first = runs[0]
    for run in runs[1:]:
        for one, other in zip(_sides(first), _sides(run), strict=True):
            if one is other:
                continue
            try:
                refuse_other_rows(one.loaded, other.loaded, texts=True)
            except PairingError as error:
                raise PairingError(
                    f"condition {_named(run)} against {_named(first)}: {error}", remedy=error.remedy
                ) from error


def item_order(runs: Sequence[_Run], left_out: Index, progress: Progress | None = None) -> ItemOrder:
    """Look whether every run holds the items of the first in the same order.

    Parameters
    ----------
    runs : sequence of Run
        Comparable, as many rows each.
    left_out : (k,) intp
        Rows of the files that no run compares.

    Raises
    ------
    PairingError
        A side of a run has rows of the first run, equal number for number, at other places.

    Notes
    -----
    A side of a run that is another file: time O(n d) for fingerprints, and O(`PAIRING_ROWS` n d) where they differ,
    once more for the seed's first run. Memory: a block of scores and about 50 bytes a row.
    """
    tick = step_of(progress, 0, 1, ASKING)
    kept = kept_rows(runs[0].a.loaded.shape[0] - len(left_out), left_out)
    reordered: list[Reordered] = []
    narrow: list[str] = []
    for run in runs[1:]:
        for k, side in enumerate(SIDES):
            for reference in _references(runs, run):
                tick()
                one, its = (_sides(each_of)[k] for each_of in (reference, run))
                if _same_file(one, its):
                    break
                if one.loaded.shape[1] != its.loaded.shape[1]:
                    narrow.append(_named(run))
                    continue
                link = _Link(one=one, other=its, kept=kept, names=(_named(reference), _named(run)), side=side)
                linked, found = link.followed(tick)
                reordered += [] if found is None else [found]
                if linked:
                    break
    step_of(progress, 1, 1, ASKING)()
    return ItemOrder(
        other_ids=tuple(_other_ids(runs)), reordered=tuple(reordered), not_compared=tuple(dict.fromkeys(narrow))
    )


def _other_ids(runs: Sequence[_Run]) -> Iterator[OtherIds]:
    """Texts under one name that are mostly others; numbers may be each file's own count."""
    for run in runs[1:]:
        for side, one, other in zip(SIDES, _sides(runs[0]), _sides(run), strict=True):
            known = {ids.name: ids.values for ids in one.loaded.row_ids if ids.is_text}
            pairs = [(ids.name, known[ids.name], ids.values) for ids in other.loaded.row_ids if ids.name in known]
            if any(np.array_equal(first, its) for _, first, its in pairs):
                continue
            for column, first, its in pairs:
                shared = int(np.isin(first, its).sum())
                if 2 * shared <= len(first):
                    names = {"run": _named(run), "other": _named(runs[0]), "column": column}
                    yield OtherIds(**names, side=side, shared=shared, n=len(first))
                    break


def _references(runs: Sequence[_Run], run: _Run) -> Iterator[_Run]:
    """The first run, and the first with the same seed: other seeds may have other axes."""
    yield runs[0]
    same = next(one for one in runs if one.seed == run.seed)
    if same is not run and same is not runs[0]:
        yield same


def _sides(run: _Run) -> tuple[Inspection, Inspection]:
    return run.a, run.b


def _named(run: _Run) -> str:
    return run_name(run.label, run.seed)


def _same_file(one: Inspection, other: Inspection) -> bool:
    if one.loaded is other.loaded:
        return True
    return one.loaded.sha256 == other.loaded.sha256 and one.loaded.choices == other.loaded.choices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Link:
    """The same side of two runs, to be held against each other row by row."""

    one: Inspection
    other: Inspection
    kept: Index
    names: tuple[str, str]
    side: Side

    def followed(self, tick: Tick) -> tuple[bool, Reordered | None]:
        """Whether the rows are linked, in place or elsewhere, and what to say of that; refuses what is certain."""
        rows = self._rows(self.one), self._rows(self.other)
        kinds = _kinds(*rows, tick)
        if np.array_equal(*kinds):
            return True, None
        moved = moved_rows(*kinds)
        if len(moved):
            self._refuse(int(moved[0]), int(np.flatnonzero(kinds[1] == kinds[0][moved[0]])[0]), len(moved))
        asked, best, named = _asked(*rows, kinds, tick)
        in_place = kinds[1][best] == kinds[1][asked]
        if not _elsewhere(rows, kinds, (asked, best, named), in_place, tick):
            return int(np.count_nonzero(in_place)) > LINKED_SHARE * len(asked), None
        mutual = np.flatnonzero(named & ~in_place)
        return True, Reordered(
            run=self.names[1],
            other=self.names[0],
            side=self.side,
            asked=len(asked),
            moved=len(mutual),
            row=int(self.kept[asked[mutual[0]]]),
            place=int(self.kept[best[mutual[0]]]),
        )

    def _rows(self, found: Inspection) -> RealArray:
        stored = found.loaded.array
        return stored if len(self.kept) == len(stored) else stored[self.kept]

    def _refuse(self, row: int, place: int, count: int) -> None:
        (first, run), (one, other) = self.names, (self.one.loaded.name, self.other.loaded.name)
        row, place = int(self.kept[row]), int(self.kept[place])
        raise PairingError(
            f"condition {run} has {count:,} rows of condition {first} at other places: row {row:,} (counting from 0) "
            f"of {one} is row {place:,} of {other}, number for number. Differences are taken item by item, so every "
            "run needs one order",
            remedy=_REMEDY,
        )


def _kinds(one: RealArray, other: RealArray, tick: Tick) -> tuple[Index, Index]:
    """(n,) twice: the same number for rows that are equal number for number, in either file."""
    digests = np.concatenate([value_digests(one, tick), value_digests(other, tick)])
    kinds = np.unique(digests, return_inverse=True)[1].reshape(-1)
    return kinds[: len(one)], kinds[len(one) :]


def moved_rows(one: Index, other: Index) -> Index:
    """Rows of one file that stand elsewhere in another; none where that may be chance.

    Parameters
    ----------
    one, other : (n,) intp
        The same number for equal rows, in either file.

    Returns
    -------
    (m,) intp
        Rows of the first, where both files hold the same rows as often, or most of the rows that differ in place
        are rows that both files hold once. A few rows that became alike (empty texts) are none.
    """
    n_kinds = int(max(one.max(), other.max())) + 1
    count, in_other = np.bincount(one, minlength=n_kinds), np.bincount(other, minlength=n_kinds)
    differ: Index = np.flatnonzero(one != other)
    if np.array_equal(count, in_other):
        return differ
    moved: Index = differ[((count == 1) & (in_other == 1))[one[differ]]]
    return moved if len(moved) >= MIN_MOVED and 2 * len(moved) > len(differ) else moved[:0]


def _asked(
    one: RealArray, other: RealArray, kinds: tuple[Index, Index], tick: Tick
) -> tuple[Index, Index, NDArray[np.bool_]]:
    """Some rows of one file, their nearest in the other (in place unless beaten), and whether that names them back."""
    rng = np.random.default_rng(ORDER_SEED)
    first = np.unique(kinds[0], return_index=True)[1]
    asked = np.sort(rng.choice(first, size=min(len(first), PAIRING_ROWS), replace=False))
    a, b = (UnitRows(rows, UnitRows(rows).mean_row(tick).mean) for rows in (one, other))
    best = np.arange(len(one))
    units = a[asked]
    own = np.einsum("ij,ij->i", units, b[asked])
    places, highest = asked.copy(), own + TIE
    for block in each(row_blocks(len(other), max(len(asked), one.shape[1]), elements=NAMED_BLOCK_ELEMENTS), tick):
        take_best(product(units, b[block].T, tick), places, highest, block.start)
    best[asked] = places
    return asked, places, named_back(a, b, best, asked, alike=kinds[0], tick=tick)


def _elsewhere(
    rows: tuple[RealArray, RealArray],
    kinds: tuple[Index, Index],
    found: tuple[Index, Index, NDArray[np.bool_]],
    in_place: NDArray[np.bool_],
    tick: Tick,
) -> bool:
    """True if rows that are not nearest in place are linked elsewhere, and have a stranger in place."""
    asked, _, named = found
    p, q = (len(np.unique(part)) for part in kinds)
    away = asked[~in_place]
    if not above_chance(named[~in_place], q / (p + q - 1)):
        return False
    a, b = (UnitRows(side, UnitRows(side).mean_row(tick).mean) for side in rows)
    below = candidates_below(a, b, away, away, tick=tick)
    return float(np.mean(below < 0.5)) >= STRANGERS_BELOW
