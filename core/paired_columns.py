"""Do two files call their columns the same? Asked before anything is measured.

Coordinate j belongs with coordinate j. Where both files name the columns that hold their
coordinates, those names must come in one order: two columns that changed places in a frame,
or a column that another row's NaN took out, leave the right shape and lower every cosine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.errors import PairingError
from core.formats.listing import shortened
from core.formats.loaded import LoadedArray
from core.prose import counted

__all__ = ["refuse_other_columns"]

_REMEDY = (
    "Keep the columns that both have, in one order, by saving both again or with --columns-a and --columns-b; "
    "if column j does belong with column j, save both without names, with np.save."
)

#: Zeros that fill up a number: d007 is d7.
_FILLING = re.compile(r"(?<![\d.])0+(?=\d)")

_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>\d{1,9})(?P<tail>\D?)", re.DOTALL)


def refuse_other_columns(a: LoadedArray, b: LoadedArray) -> None:
    """Refuse two files whose columns have the same names, most of them at least, in other places. Time O(d).

    Names that have little to do with each other are each file's own and say nothing; nor do two
    counts without a gap, of which one begins at 0 and the other at 1.

    Raises
    ------
    PairingError
        Another order of columns, or other columns.
    """
    if not a.columns or len(a.columns) != len(b.columns):
        return
    one, other = ([_plain(name) for name in loaded.columns] for loaded in (a, b))
    if one == other or {_begins_count(one), _begins_count(other)} == {0, 1}:
        return
    shared = (Counter(one) & Counter(other)).total()
    if 2 * shared < len(one):
        return
    place = next(at for at, names in enumerate(zip(one, other, strict=True)) if names[0] != names[1])
    first, second = (shortened(loaded.columns[place]) for loaded in (a, b))
    differ = f"coordinate {place:,} (counting from 0) is column {first} in {a.name} and {second} in {b.name}"
    if shared == len(one):
        raise PairingError(f"{b.name} has the columns of {a.name} in another order: {differ}", remedy=_REMEDY)
    lacking = f"{counted(len(one) - shared, 'column')} of {len(one):,}"
    raise PairingError(f"{b.name} lacks {lacking} of {a.name} and has others instead: {differ}", remedy=_REMEDY)


def _plain(name: str) -> str:
    """A name as it is compared: without capitals, blanks around it, and zeros that fill up a number."""
    return _FILLING.sub("", name.strip().lower())


def _begins_count(names: Sequence[str]) -> int | None:
    """Where names under one stem begin to count on without a gap; `None` where they do not."""
    parts = [_NUMBERED.fullmatch(name) for name in names]
    stems = {(part["stem"], part["tail"]) if part else None for part in parts}
    numbers = [int(part["number"]) for part in parts if part]
    if len(stems) > 1 or not numbers or numbers != list(range(numbers[0], numbers[0] + len(names))):
        return None
    return numbers[0]
