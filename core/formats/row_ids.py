"""Numbers and names a file gives its rows: an index column, a field ``id``, the names of vectors.

They are no coordinates, but they say which item a row is. A reader gathers them beside the
numbers, at 8 bytes a row, so that two files can be asked whether row i is the same item in
both (`core.pairs`): an export that lost a row, or was shuffled, is seen by nothing else.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import FormatError
from core.formats import written
from core.formats.listing import shortened
from core.formats.loaded import RealArray, RowIds, Word
from core.prose import counted

__all__ = [
    "IdColumn",
    "callers",
    "calls_rows",
    "counting_words",
    "is_id_name",
    "is_index_name",
    "is_item_name",
    "joined",
    "order_words",
    "whole_number",
]

#: Names pandas gives an index column it writes or reads back, and what people call row numbers; lower case.
_INDEX_NAMES = frozenset({"", "unnamed: 0", "index", "row", "row_index", "row_number", "row_num", "row_no", "rownum"})
_INDEX_LEVEL = "__index_level_"

#: ``id``, ``_id``, ``doc_id``, ``docId``, ``custom_id``, ``uuid``, ``key``, and several of them; not a tokenizer's.
_ID_NAME = re.compile(
    r"(?!(?:input|token|token_type|position)_ids$)"
    r"(?:_?ids?|idx|uuids?|guids?|keys?|.{1,60}[_\-. ](?:ids?|idx|uuids?|keys?)|[a-z]{1,60}I[dD]s?)"
)

#: What else tells items apart, where it stands beside the vectors: names of files, digests, addresses.
_ITEM_NAME = re.compile(
    r"(?:file|image|img|audio|doc|document)?[_\-. ]?(?:name|path|uri|url)s?|files?"
    r"|sha[_\-]?(?:1|256|512)?|md5|hash|digest|checksum"
)

#: Columns of text that are looked at first, of those called neither: what was embedded.
_TEXT_NAME = re.compile(r"(?:text|title|sentence|word|token|label|caption|query|question|document|content|chunk)s?")

#: Columns of ids that are kept, of those a file has, and columns of other text.
_MOST_IDS, _MOST_TEXTS = 4, 4

#: Whole numbers as most programs write them: "3", "3.0"; "3e+00" is left to float.
_WHOLE_TEXT = re.compile(r"[+-]?\d{1,19}(?:\.0{0,30})?")

#: What a row that sums up the others is called, and most of them in a table: describe() of pandas has eight.
_SUMMARIES = frozenset(
    (
        *("mean", "average", "avg", "median", "mode", "total", "sum", "count", "std", "stdev", "sd", "var", "sem"),
        *("min", "max", "25%", "50%", "75%", "nan", "all", "overall"),
    )
)
_MOST_SUMMARIES = 8

#: Fewest numbers beside words that show what the words are among.
_FEWEST_BESIDE = 3

#: Fewest rows at which numbers that count are no accident.
_FEWEST_COUNTED = 5

#: Fewest rows, and widest range for each, at which whole numbers that are all different are no accident.
_FEWEST_SHUFFLED, _MOST_SPREAD = 20, 1.25

#: Longest text that is looked at as a float.
_NUMBER_CHARS = 40

#: What a number begins with: a digit, a sign, a point, nan or infinity.
_BEGINS_NUMBER = tuple("0123456789+-.nNiI")

#: From here on a float may have been another whole number.
_FLOAT_WHOLE = 2.0**53

#: What is kept as a number: eight bytes with a sign.
_WHOLE_BOUND = 2**63


class IdColumn:
    """Gathers the cells of a column that may call the rows; 8 bytes each."""

    def __init__(self, name: str, *, is_index: bool) -> None:
        self.name = name
        self._is_index = is_index
        self._values = array("q")
        self._texts = 0
        self._words: list[tuple[int, str]] = []  # the first ones
        #: Row and value of the first cell that is neither a whole number nor a text.
        self.odd: tuple[int, Any] | None = None

    def __len__(self) -> int:
        return len(self._values)

    def add(self, value: Any) -> None:
        """Note the next row's cell."""
        text = value.strip() if isinstance(value, str) else ""
        number = whole_number(value)
        if number is None and type(value) is int:
            text = str(value)  # more than eight bytes hold: as a text of the same digits
        if number is None and text and len(self._words) <= _MOST_SUMMARIES:
            self._words.append((len(self._values), text))
        if number is None and text and not _is_odd(text):
            number = int.from_bytes(blake2b(text.encode(errors="replace"), digest_size=8).digest(), signed=True)
            self._texts += 1
        if number is None and self.odd is None:
            self.odd = len(self._values), value
        self._values.append(number or 0)

    def extend(self, values: Iterable[Any]) -> IdColumn:
        """Note the cells of several rows."""
        for value in values:
            self.add(value)
        return self

    def add_numbers(self, values: NDArray[Any]) -> None:
        """Note the cells of several rows that are numbers."""
        if values.dtype.kind == "u" and len(values) and int(values.max()) >= _WHOLE_BOUND:
            self.extend(values.tolist())
            return
        most = _FLOAT_WHOLE if values.dtype.kind == "f" else _WHOLE_BOUND
        with np.errstate(invalid="ignore"):
            fine = (values > -most) & (values < most) & (values == np.floor(values))
        if self.odd is None and not fine.all():
            bad = int(np.argmin(fine))
            self.odd = len(self._values) + bad, values[bad].item()
        self._values.frombytes(np.where(fine, values, 0).astype(np.int64).tobytes())

    def refuse_summaries(self, name: str) -> IdColumn:
        """Refuse words among numbers that count the rows: column means under a table, say, which are no item.

        Raises
        ------
        FormatError
            A few cells are words and the others count in steps of one, or the words are those for summaries.
        """
        if not self._words or len(self._words) > _MOST_SUMMARIES:
            return self
        if self.odd is not None and not (isinstance(self.odd[1], str) and written.is_missing(self.odd[1])):
            return self
        numbers = np.delete(self._numbers(), [row for row, _ in self._words])
        counts = len(numbers) > len(self._words) and bool(np.all(np.diff(numbers) == 1))
        if len(numbers) < _FEWEST_BESIDE or not (counts or all(is_summary(word) for _, word in self._words)):
            return self
        row, word = self._words[0]
        where = f"of column {shortened(self.name)}" if self.name else "that number the rows"
        several = f" (one of {len(self._words)} such rows)" if len(self._words) > 1 else ""
        raise FormatError(
            f"{name}: the cells {where} are whole numbers, and row {row:,} (counting from 0) has {shortened(word)!r} "
            f"there{several}: a summary of the other rows, most likely, which would be read as one more vector",
            remedy="Take such rows out, on the other side too; if one is an item, give it a number as the others have.",
        )

    def ids(self) -> RowIds | None:
        """The ids, unless a row has none or two rows have one."""
        values = self._numbers()
        if self.odd is not None or not len(values) or self.repeats():
            return None
        return RowIds(name=self.name, values=values, is_text=self._texts > 0, is_index=self._is_index)

    def repeats(self) -> bool:
        """True where every row has one and two have the same."""
        if self.odd is not None:
            return False
        ordered = np.sort(self._numbers())
        return bool(np.any(ordered[1:] == ordered[:-1]))

    def whole_column(self, rows: int) -> NDArray[np.int64] | None:
        """(rows,) what stands in the cells, repeated or not; `None` where one is neither a whole number nor a text."""
        return self._numbers() if self.odd is None and len(self._values) == rows else None

    def _numbers(self) -> NDArray[np.int64]:
        return np.frombuffer(self._values, dtype=np.int64) if self._values else np.empty(0, np.int64)


def joined(levels: Sequence[IdColumn]) -> RowIds | None:
    """The ids that several columns are together, as the levels of an index: text, one a row."""
    rows = max(map(len, levels), default=0)
    columns = [level.whole_column(rows) for level in levels]
    held = [column for column in columns if column is not None]
    if len(held) < len(columns):
        return None
    ids = IdColumn(" and ".join(level.name for level in levels), is_index=False)
    return ids.extend(" ".join(map(str, cells)) + " of levels" for cells in zip(*held, strict=True)).ids()


def _spelled(text: str) -> float | None:
    """The number that a text spells, `None` where it is none; most texts are told by their first letter."""
    if len(text) > _NUMBER_CHARS or text[:1] not in _BEGINS_NUMBER or "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _is_odd(text: str) -> bool:
    """True for a number that is not whole: no id."""
    number = _spelled(text)
    return number is not None and not number.is_integer()


def is_summary(name: str) -> bool:
    """True for what a row of sums, means or the like is called."""
    return name.lower() in _SUMMARIES


def is_index_name(name: str) -> bool:
    """True for what pandas calls an index that has no name, and for what people call row numbers."""
    return name.lower() in _INDEX_NAMES or name.startswith(_INDEX_LEVEL)


def is_id_name(name: str) -> bool:
    """True for what people call a column of ids."""
    return _ID_NAME.fullmatch(name) is not None or _ID_NAME.fullmatch(name.lower()) is not None


def is_item_name(name: str) -> bool:
    """True for ``filename``, ``path``, ``name``, ``sha256`` and the like, which may call the rows."""
    return _ITEM_NAME.fullmatch(name.lower()) is not None


def calls_rows(name: str, *, is_text: bool) -> bool:
    """True for a name that says that what stands under it calls the rows."""
    return is_id_name(name) or is_index_name(name) or (is_text and is_item_name(name))


def callers(fields: Iterable[tuple[str, bool]]) -> list[int]:
    """Positions of the few fields that may call the rows, in any format; ids before names of files before other text.

    Any text may, one a row: two files are compared by it where both have it under one name and
    each of its texts once (`core.paired_ids`).

    Parameters
    ----------
    fields
        Name of each, and whether it holds text.
    """
    called, texts = [], []
    for at, (name, is_text) in enumerate(fields):
        if calls_rows(name, is_text=is_text):
            called.append((is_item_name(name), at))
        elif is_text and name:
            texts.append((_TEXT_NAME.fullmatch(name.lower()) is None, at))
    return [at for _, at in (*sorted(called)[:_MOST_IDS], *sorted(texts)[:_MOST_TEXTS])]


def whole_number(value: Any) -> int | None:
    """The whole number that a value is or spells, `None` for anything else."""
    if isinstance(value, str):
        text = value.strip()
        if _WHOLE_TEXT.fullmatch(text):
            value = int(text.partition(".")[0])
            return value if abs(value) < _WHOLE_BOUND else None
        value = _spelled(text)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _FLOAT_WHOLE else None
    return value if type(value) is int and abs(value) < _WHOLE_BOUND else None


def order_words(ids: RowIds | None, called: str) -> tuple[Word, ...]:
    """What is worth saying about row numbers: out of order, beginning late, with gaps."""
    if ids is None or ids.is_text or not len(ids.values):
        return ()
    words, values = [], ids.values
    steps = np.diff(values)
    if np.any(steps < 0):
        row = int(np.argmax(steps < 0)) + 1
        text = (
            f"The numbers of {called} are out of order: row {row:,} (counting from 0) is number {values[row]:,}, "
            f"after {values[row - 1]:,}; the rows were read in the order they stand in."
        )
        words.append(Word(code="index_out_of_order", text=text))
    ordered = np.sort(values)
    first, last = int(ordered[0]), int(ordered[-1])
    gaps = np.flatnonzero(np.diff(ordered) > 1)
    if len(gaps):
        lacking = last - first + 1 - len(values)
        text = (
            f"The numbers of {called} have gaps: from {first:,} to {last:,} {counted(lacking, 'number')} "
            f"{'is' if lacking == 1 else 'are'} missing, the first is {ordered[gaps[0]] + 1:,}; "
            "the other side must lack the same rows."
        )
        words.append(Word(code="index_gaps", text=text))
    elif first not in (0, 1):
        text = f"The numbers of {called} begin at {first:,}; the other side must begin with the same row."
        words.append(Word(code="index_begins_late", text=text))
    return tuple(words)


def counting_words(array: RealArray) -> tuple[Word, ...]:
    """The word about vectors whose first or last number numbers the rows, where others are fractions.

    Nothing says that it is no coordinate, as the columns of a table do, so it is not left out.
    Time: a few rows, and a column where those are whole and all different.
    """
    n, dim = array.shape
    if n < _FEWEST_COUNTED or dim < 3 or array.dtype.kind != "f":
        return ()
    with np.errstate(invalid="ignore"):  # NaN, also one that signals when it is cast, is no whole number
        sample = np.asarray(array[: limits.TABLE_SAMPLE_ROWS], dtype=np.float64)
        is_whole = np.all(sample == np.floor(sample), axis=0)
    for place, called, kept in ((0, "first", "1:"), (-1, "last", ":-1")):
        others = np.delete(is_whole, place)
        if others.all() or not is_whole[place] or len(np.unique(sample[:, place])) < len(sample):
            continue
        numbers = _numbering(array[:, place])
        if numbers:
            text = f"The {called} number of each row {numbers} and was read as a coordinate; if it is a row number, "
            return (Word(code="counting_coordinate", text=f"{text}take it out: np.save('new.npy', x[:, {kept}])."),)
    return ()


def _numbering(values: RealArray) -> str:
    """How whole numbers, all different and with few gaps, number the rows, in words; empty for others."""
    with np.errstate(invalid="ignore"):  # a NaN that signals when it is cast
        values = np.asarray(values, dtype=np.float64)
        steps = np.diff(values)
        ordered = np.sort(values)
        if not (np.isfinite(values).all() and np.all(values == np.floor(values)) and np.all(np.diff(ordered) > 0)):
            return ""
    first, last = ordered[0], ordered[-1]
    if np.all(steps == 1):
        return f"counts the rows ({first:.0f}, {first + 1:.0f}, {first + 2:.0f}, …)"
    is_dense = len(values) >= _FEWEST_SHUFFLED and last - first < len(values) * _MOST_SPREAD
    return f"is a whole number of its own from {first:.0f} to {last:.0f}" if is_dense else ""
