"""Rows of numbers, gathered one by one from decoded JSON into one (n, d) array."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import FormatError
from core.formats import written
from core.formats.json_text import LISTS
from core.formats.loaded import Word
from core.formats.missing import Missing
from core.prose import counted


def is_vector(value: Any) -> bool:
    """True for a list that begins with a number."""
    return isinstance(value, list) and bool(value) and type(value[0]) in (int, float)


class VectorRows:
    """Vectors of one length, 8 bytes a number, with the checks that name the offender."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._values = array("d")
        self._rows = 0
        self._dims: int | None = None
        self._first = 0
        self._outer: Sequence[Any] | None = None
        self._dropped = False
        self._as_text = False
        self._missing = Missing()

    def add(self, row: Any) -> None:
        """Append one vector: a list of numbers, perhaps inside one more list or written as text.

        `None`, and `None` among the numbers, is a missing value and becomes NaN.

        Raises
        ------
        FormatError
            Not a list of numbers, or of another length than the rows before.
        """
        if self._outer is not None:
            raise self._too_deep()
        if isinstance(row, LISTS) and row and isinstance(row[0], list):
            if len(row) > 1 and self._rows == 0:
                self._outer = row  # fine if nothing follows: (1, n, d)
                return
            if len(row) > 1:
                raise self._too_deep()
            row, self._dropped = row[0], True
        self._append(row)

    @property
    def words(self) -> tuple[Word, ...]:
        """What is worth saying, once `array` has been called."""
        words = self._missing.words
        if self._as_text:
            text = "The vectors are written as text inside the JSON; the numbers in it were read."
            words += (Word(code="vectors_as_text", text=text),)
        if self._dropped:
            text = "The vectors stood in one more list each, or all in one; that axis of length 1 was dropped."
            words += (Word(code="axis_dropped", text=text),)
        return words

    def array(self) -> NDArray[np.float64]:
        """All rows as (n, d) float64; shares the memory they were gathered in."""
        if self._outer is not None:
            self._dropped = True
            for row in self._outer:
                self._append(row)
        if not self._values:
            return np.empty((self._rows, 0))
        return np.frombuffer(self._values, dtype=np.float64).reshape(self._rows, -1)

    def _append(self, row: Any) -> None:
        if row is None:
            self._missing.add(self._rows, "null in place of a vector")
            self._values.extend([math.nan] * (self._dims or 0))
            self._rows += 1
            return
        numbers = self._numbers(row)
        if self._dims is None:
            self._first = self._rows
            self._values.extend([math.nan] * (self._rows * len(numbers)))  # rows without a vector so far
        if self._dims == 0 and numbers:
            raise FormatError(
                f"{self._name}: row {self._first:,} (counting from 0) has no numbers, "
                f"where row {self._rows:,} has {len(numbers):,}",
                remedy="Mend or remove that row, on the other side too.",
            )
        if self._dims not in (None, len(numbers)):
            raise FormatError(
                f"{self._name}: row {self._rows:,} (counting from 0) has {counted(len(numbers), 'number')}, "
                f"where the rows before have {self._dims:,}",
                remedy="Mend or remove that row, on the other side too.",
            )
        try:
            self._values.extend(numbers)
        except OverflowError as error:
            raise self._no_vector("a number too large for float64") from error
        self._dims = len(numbers)
        self._rows += 1

    def _numbers(self, row: Any) -> list[Any]:
        """The numbers of a vector, NaN for null."""
        if isinstance(row, str) and written.is_vector(row):
            self._as_text = True
            try:
                return written.vector(row)
            except written.CommaError as error:
                raise self._no_vector("text with decimal commas, each number of which would be read as two") from error
            except ValueError as error:
                raise self._no_vector("text that is no vector of numbers") from error
        if not isinstance(row, list):
            raise self._no_vector("no list")
        kinds = set(map(type, row))
        if not kinds <= {int, float, type(None)}:
            bad = next(value for value in row if type(value) not in (int, float, type(None)))
            raise self._no_vector(_json_name(bad))
        if type(None) not in kinds:
            return row
        self._missing.add(self._rows, "null among its numbers", row.count(None))
        return [math.nan if value is None else value for value in row]

    def _no_vector(self, what: str) -> FormatError:
        return FormatError(
            f"{self._name}: row {self._rows:,} (counting from 0) holds {what}; a list of numbers is needed",
            remedy="Mend or remove that row, on the other side too.",
        )

    def _too_deep(self) -> FormatError:
        return FormatError(
            f"{self._name} holds lists of lists of lists, so several vectors a row; (n, d) is needed",
            remedy="Pool what belongs to one row, or save one layer; if each vector is a row of its own, put them all "
            "in one list.",
        )


def _json_name(value: Any) -> str:
    return {bool: "true or false", str: "a string", dict: "an object", list: "a list"}.get(type(value), "a value")
