"""Do two files call their rows the same? Asked before anything is measured.

Row i belongs with row i. Where both files number their rows (a pandas index, an API's
``index``) or carry the same column of ids, they must agree on it row by row; an export that
lost a row in the middle, or was shuffled by another seed, has the right shape and is seen by
nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.errors import Notice, PairingError
from core.formats.listing import shortened
from core.formats.loaded import LoadedArray, RowIds
from core.formats.row_ids import calls_rows, is_item_name

__all__ = ["refuse_other_rows", "texts_elsewhere"]

_REMEDY = (
    "Keep the rows that both have, in one order, and save both again; if row i does belong with row i, "
    "save them without those {what}."
)

#: What stands between the words of a name.
_MARKS = re.compile(r"[_\-. ]")

#: What an id is called where nothing says of what.
_BARE_IDS = frozenset({"id", "_id", "ids"})

#: Where word2vec's words stand, and a JSON list of what was embedded.
_WORDS = frozenset({"word", "words", "names", "labels"})


def refuse_other_rows(a: LoadedArray, b: LoadedArray, *, texts: bool = False) -> None:
    """Refuse two files of as many rows that call them differently. Time O(n log n).

    Row numbers that nobody chose must agree; ids under one name must where most of them are
    in both files, as each file may have its own; and so must the texts of two files that hold
    one column of them each. Ids that agree settle it, whatever an index says.

    Parameters
    ----------
    texts
        Ask also texts that need not call the rows (``text``, ``sentence``); of the two sides of a pair
        `texts_elsewhere` speaks, since row i may be a sentence and the next one.

    Raises
    ------
    PairingError
        Another order, or other rows.
    """
    for one, other in _disagreeing(a, b):
        if texts or (_is_called(one) and _is_called(other)):
            raise PairingError(
                f"{_found(a, b, one, other)}, by their {_what(one, other)}",
                remedy=_REMEDY.format(what=_what(one, other)),
            )


def texts_elsewhere(a: LoadedArray, b: LoadedArray) -> tuple[Notice, ...]:
    """The notice about texts under one name most of which stand at other rows of the other file, if there are any."""
    for one, other in _disagreeing(a, b):
        if not (_is_called(one) and _is_called(other)):
            text = (
                f"{_found(a, b, one, other)}, by the texts in {shortened(one.name)}. If row i should be the same text "
                "on both sides, a file lost rows or is out of order, and no figure here holds; if the pairs are meant "
                "so, as a sentence and the next, all is well."
            )
            return (Notice(code="texts_elsewhere", side="pair", text=text),)
    return ()


def _disagreeing(a: LoadedArray, b: LoadedArray) -> Iterator[tuple[RowIds, RowIds]]:
    """Ids of both files that are not the same row by row, though most are in both; none where some agree."""
    if a.shape[0] != b.shape[0]:
        return
    both = [(one, other) for one in a.row_ids for other in b.row_ids if _are_alike(one, other)]
    both += [pair for pair in _alone(a, b) if not _are_alike(*pair)]
    if any(not one.is_index and np.array_equal(one.values, other.values) for one, other in both):
        return
    for one, other in both:
        counts_rows = one.is_index and other.is_index and not one.is_text
        shared = 2 * int(np.isin(one.values, other.values).sum()) > len(one.values)
        if not np.array_equal(one.values, other.values) and (counts_rows or shared):
            yield one, other


def _are_alike(one: RowIds, other: RowIds) -> bool:
    """Row numbers, and ids of one name."""
    same = (one.is_index and other.is_index) or _plain(one.name) == _plain(other.name)
    return same and one.is_text == other.is_text


def _plain(name: str) -> str:
    """A name as any program may spell it: ``doc_id`` for ``doc_ids``, ``doc-id`` and ``docId``."""
    return _MARKS.sub("", name.lower()).removesuffix("s")


def _alone(a: LoadedArray, b: LoadedArray) -> Iterator[tuple[RowIds, RowIds]]:
    """Where each file has but one: texts whatever they are called, and ``id`` with ``doc_id``."""
    called = [[ids for ids in loaded.row_ids if _is_called(ids)] for loaded in (a, b)]
    texts = [[ids for ids in some if ids.is_text] for some in called]
    if len(texts[0]) == len(texts[1]) == 1:
        yield texts[0][0], texts[1][0]
    ids = [[ids for ids in some if not is_item_name(ids.name)] for some in called]
    if len(ids[0]) == len(ids[1]) == 1:
        one, other = ids[0][0], ids[1][0]
        bare = {one.name.lower(), other.name.lower()} & _BARE_IDS and not (one.is_index or other.is_index)
        if bare and one.is_text == other.is_text and not _both_count(one, other):
            yield one, other


def _is_called(ids: RowIds) -> bool:
    """True for what calls the rows by its name, stands first without one, or is declared to."""
    return ids.is_declared or ids.name.lower() in _WORDS or calls_rows(ids.name, is_text=ids.is_text)


def _both_count(one: RowIds, other: RowIds) -> bool:
    """True for two counts of the rows that begin at different numbers, which say nothing of each other."""
    return not one.is_text and all(np.all(np.diff(ids.values) == 1) for ids in (one, other))


def _found(a: LoadedArray, b: LoadedArray, one: RowIds, other: RowIds) -> str:
    """What is different, with the first row that is."""
    in_other, in_one = np.isin(one.values, other.values), np.isin(other.values, one.values)
    if in_other.all():
        row = int(np.argmax(one.values != other.values))
        return f"{b.name} has the rows of {a.name} in another order: {_moved(a, b, one, other, row)}"
    return f"{b.name} does not have the same rows as {a.name}: {_lacking(a, b, (one, other), (in_other, in_one))}"


def _what(one: RowIds, other: RowIds) -> str:
    """What the rows are told apart by."""
    if one.is_index and other.is_index:
        return "names" if one.is_text else "row numbers"
    if one.name and other.name and one.name.lower() != other.name.lower():
        return f"ids in the columns {shortened(one.name)} and {shortened(other.name)}"
    return f"ids in the column {shortened(one.name)}" if one.name and other.name else "names"


def _moved(a: LoadedArray, b: LoadedArray, one: RowIds, other: RowIds, row: int) -> str:
    """Where the first row that differs is found in the other file."""
    place = int(np.flatnonzero(other.values == one.values[row])[0])
    number = "" if one.is_text else f", number {one.values[row]:,},"
    return f"row {row:,} (counting from 0) of {a.name}{number} is row {place:,} of {b.name}"


def _lacking(
    a: LoadedArray, b: LoadedArray, ids: tuple[RowIds, RowIds], shared: tuple[NDArray[np.bool_], NDArray[np.bool_]]
) -> str:
    """The first row of each file that the other has not."""
    rows = [int(np.argmin(within)) for within in shared]
    if ids[0].is_text:
        return f"row {rows[0]:,} (counting from 0) of {a.name} is not in {b.name}"
    first, second = (int(one.values[row]) for one, row in zip(ids, rows, strict=True))
    return f"number {first:,} is only in {a.name} and number {second:,} only in {b.name}"
