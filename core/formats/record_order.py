"""The order of JSON records that number themselves: an embeddings API's ``index``.

An answer's records may arrive in any order, and their ``index`` says which input each
belongs to. Written out one a line, several answers follow each other, each counting from 0
again; those are in order as they stand.
"""

from __future__ import annotations

import re
from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import FormatError
from core.formats import written
from core.formats.listing import shortened
from core.formats.loaded import RowIds, Word
from core.formats.row_ids import IdColumn, callers, calls_rows, is_index_name, order_words
from core.prose import counted

_FIELD = "index"

#: Whole numbers as some programs write them: "3", "3.0".
_WHOLE_TEXT = re.compile(r"\d{1,15}(?:\.0{1,3})?")

#: Objects in a record that say what it is, as vector stores and search engines write them.
_BESIDE = ("metadata", "payload", "_source")

#: Fields of each that are looked at.
_MOST_FIELDS = 1_000

_REMEDY = "Put the records into the order you mean and take the field index out."


class RecordOrder:
    """Collects the ``index`` of each record, and says in which order the rows belong.

    One answer of an API holds each index once; a list of records may hold several answers.
    """

    def __init__(self, name: str, *, one_answer: bool) -> None:
        self._name = name
        self._one_answer = one_answer
        self._numbers = array("q")
        self._without: int | None = None
        self._label: tuple[int, str] | None = None
        self._ids: list[tuple[str, IdColumn]] = []  # with the object inside the record that holds it

    def add(self, record: Any) -> None:
        """Note the next record, or anything else that is a row."""
        value = record.get(_FIELD) if isinstance(record, dict) else None
        number = _whole(value)
        if number is None and value is not None and self._label is None:
            self._label = (len(self._numbers), str(value)[:100])
        if number is None and self._without is None:
            self._without = len(self._numbers)
        if not self._numbers and isinstance(record, dict):
            self._ids = [(part, IdColumn(key, is_index=is_index_name(key))) for part, key in _id_fields(record)]
        for part, ids in self._ids:
            holder = record.get(part) if part and isinstance(record, dict) else record
            ids.add(holder.get(ids.name) if isinstance(holder, dict) else None)
        self._numbers.append(-1 if number is None else number)

    @property
    def row_ids(self) -> tuple[RowIds, ...]:
        """What the records call themselves, in the order they were added."""
        index = IdColumn(_FIELD, is_index=True)
        index.add_numbers(np.frombuffer(self._numbers, dtype=np.int64) if self._numbers else np.empty(0, np.int64))
        found = (
            index.ids() if self._without is None else None,
            *(ids.refuse_summaries(self._name).ids() for _, ids in self._ids),
        )
        return tuple(ids for ids in found if ids is not None)

    def rows(self) -> tuple[NDArray[np.intp] | None, tuple[Word, ...]]:
        """(n,) the rows in their order, `None` for the order they stand in, and words about it.

        Raises
        ------
        FormatError
            Out of order, and not every number from the first to the last occurs once.
        """
        numbers = np.frombuffer(self._numbers, dtype=np.int64) if self._numbers else np.empty(0, np.int64)
        known = numbers[numbers >= 0]
        if not len(known):
            return None, self._labels()
        if np.all(np.diff(known) > 0) and self._label is None:
            return None, self._gap_words()
        if self._without is not None:
            raise self._odd_one()
        if not self._one_answer and _starts_again(known):
            text = "The field index counts from 0 several times, as answers written one after the other; "
            return None, (Word(code="index_repeats", text=f"{text}the records were read in the order they stand in."),)
        order = np.argsort(known, kind="stable")
        first = int(known[order[0]])
        if first > 1 or not np.array_equal(known[order], np.arange(first, first + len(known))):
            raise self._no_order(known)
        text = "The records were put in the order of their index field."
        return order, (Word(code="index_order", text=text),)

    def _gap_words(self) -> tuple[Word, ...]:
        """About an index in ascending order: records it leaves out, or that are without it."""
        if self._without is not None:
            without = counted(self._numbers.count(-1), "record")
            text = f"{without} of {len(self._numbers):,} without the field index, the first is record "
            text += f"{self._without:,} (counting from 0); the records were read in the order they stand in."
            return (Word(code="index_missing", text=text),)
        return order_words(self.row_ids[0], "the field index")

    def _labels(self) -> tuple[Word, ...]:
        if self._label is None:
            return ()
        text = f"The field index holds labels ({shortened(self._label[1])}), no row numbers, and was not used as order."
        return (Word(code="index_labels", text=text),)

    def _odd_one(self) -> FormatError:
        row, shown = self._label or (self._without or 0, "")
        what = f"holds {shortened(shown)!r}" if self._label else "is missing"
        return FormatError(
            f"{self._name}: the field index of record {row:,} (counting from 0) {what}, where others hold a number, "
            "so the order of the records cannot be told",
            remedy=_REMEDY,
        )

    def _no_order(self, known: NDArray[np.int64]) -> FormatError:
        values, counts = np.unique(known, return_counts=True)
        if counts.max() > 1:
            found = f"has two records with the same index, {int(values[np.argmax(counts > 1)]):,}"
        else:
            records = counted(len(known), "record")
            found = f"has {records} whose index runs from {values[0]:,} to {values[-1]:,} with gaps"
        return FormatError(f"{self._name} {found}, and they are out of order", remedy=_REMEDY)


def _id_fields(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields that may call a record, each with the object inside it that holds it; its own are called ``""``."""
    held: dict[str, tuple[str, Any]] = {}
    for part in ("", *_BESIDE):
        holder = record.get(part) if part else record
        for name, value in list(holder.items())[:_MOST_FIELDS] if isinstance(holder, dict) else ():
            if type(value) in (int, float, str) and name != _FIELD:
                held.setdefault(name, (part, value))
    fields = list(held)
    found = callers((name, _is_text(name, held[name][1])) for name in fields)
    return [(held[fields[at]][0], fields[at]) for at in found]


def _is_text(name: str, value: Any) -> bool:
    """True for text that is no vector, unless its name says what it is."""
    return isinstance(value, str) and (calls_rows(name, is_text=True) or not written.may_be_packed(value))


def numbered_order(names: list[str]) -> list[int] | None:
    """Positions of the names in the order of the row numbers they are, or `None` where they are others."""
    numbers = [_whole(name) for name in names]
    known = [number for number in numbers if number is not None]
    first = min(known, default=-1)
    if len(known) < len(names) or sorted(known) != list(range(first, first + len(names))) or first > 1:
        return None
    order = sorted(range(len(names)), key=known.__getitem__)
    return None if order == list(range(len(names))) else order


def _whole(value: Any) -> int | None:
    """The row number written in a value, if it is one below 2**62."""
    if isinstance(value, str) and _WHOLE_TEXT.fullmatch(value):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < 2**62 else None


def _starts_again(numbers: NDArray[np.int64]) -> bool:
    """True for 0, 1, 2, 0, 1, 0, 1, 2, …: several counts from 0, each without a gap."""
    begins = numbers == 0
    counts_on = np.diff(numbers, prepend=-1) == 1
    return bool(begins[0] and begins.sum() > 1 and np.all(begins | counts_on))
