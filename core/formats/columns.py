"""Which columns of a table hold the vectors.

One column of vectors is taken. Else the numeric columns are the coordinates: all of them,
or the one numbered run (``emb_0 … emb_767``) with the others named in a word. What stays
open is asked. The same rules serve CSV and Parquet.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import ChoiceNeeded, FormatError
from core.formats.listing import listed, shortened
from core.formats.loaded import Word

_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<index>\d{1,9})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name
        Its name: hostile text.
    kind
        ``"vector"`` (a list of numbers a row), ``"number"``, ``"index"`` (row numbers,
        never coordinates) or ``"other"``.
    whole
        True when all numbers seen are whole: an id or a label rather than a coordinate.
    """

    name: str
    kind: Literal["vector", "number", "index", "other"]
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Positions of the chosen columns, in the order of the coordinates.

    Attributes
    ----------
    positions
        Indices into the table's columns.
    is_vector
        True for one column of vectors, False for one number a column.
    words
        What is worth saying about the choice.
    """

    positions: tuple[int, ...]
    is_vector: bool
    words: tuple[Word, ...] = ()


def select(columns: Sequence[Column], name: str, wanted: str | None) -> Selection:
    """Choose the columns that hold the vectors.

    Parameters
    ----------
    wanted
        ``ReadChoices.columns``: names with commas between, ``emb_*`` for a numbered run.

    Raises
    ------
    ChoiceNeeded
        More than one reading, or a wanted column is not there.
    FormatError
        No column holds numbers.
    """
    if wanted is not None:
        return _wanted(columns, name, wanted)
    vectors = _of_kind(columns, "vector")
    if len(vectors) == 1:
        return Selection(positions=tuple(vectors), is_vector=True)
    if vectors:
        raise _ask(columns, name, [_quoted([columns[position].name]) for position in vectors])
    numbers = _of_kind(columns, "number")
    if not numbers:
        described = listed([f"{column.name} ({column.kind})" for column in columns])
        raise FormatError(
            f"{name} has no column of numbers or vectors; its columns are: {described}",
            remedy="Save the embeddings alone: np.save('new.npy', np.stack(list(table['embedding']))).",
        )
    return _coordinates(columns, name, numbers)


def _coordinates(columns: Sequence[Column], name: str, numbers: list[int]) -> Selection:
    """Choose among the numeric columns of a wide table."""
    runs = _runs(columns, numbers)
    if len(runs) > 1:
        raise _ask(columns, name, [f"{stem}*" for stem in runs])
    words = _index_words(columns)
    for run in runs.values():
        others = [position for position in numbers if position not in set(run)]
        if not others:
            return Selection(positions=tuple(run), is_vector=False, words=_order_words(run) + words)
        if not _fills_the_gaps(columns, run, others):
            words = (_left_out(columns, run, others), *words)
            return Selection(positions=tuple(run), is_vector=False, words=words)
    rest = [columns[position].name for position in numbers if not columns[position].whole]
    if 0 < len(rest) < len(numbers):
        raise _ask(columns, name, [_quoted(rest), _quoted([columns[position].name for position in numbers])])
    return Selection(positions=tuple(numbers), is_vector=False, words=words)


def _runs(columns: Sequence[Column], numbers: list[int]) -> dict[str, list[int]]:
    """Stem -> positions in numeric order, for names numbered without a gap from 0 or 1.

    Bare numbers are the positions every table has, and no sign of what belongs together.
    """
    stems: dict[str, dict[int, int]] = defaultdict(dict)
    for position in numbers:
        match = _NUMBERED.fullmatch(columns[position].name)
        if match and match["stem"]:
            stems[match["stem"]][int(match["index"])] = position
    runs = {}
    for stem, by_index in stems.items():
        indices = sorted(by_index)
        if len(indices) > 1 and indices[0] in (0, 1) and indices[-1] - indices[0] == len(indices) - 1:
            runs[stem] = [by_index[index] for index in indices]
    return runs


def _fills_the_gaps(columns: Sequence[Column], run: list[int], others: list[int]) -> bool:
    """True when the names count the table's columns, so that the others are coordinates too.

    In ``x, c1, c2, c3`` the run starts at 1 in column 1: the column before is number 0
    under another name. Whole numbers there are an id or a label.
    """
    counts_columns = all(int(re.findall(r"\d+", columns[position].name)[-1]) == position for position in run)
    return counts_columns and not any(columns[position].whole for position in others)


def _wanted(columns: Sequence[Column], name: str, wanted: str) -> Selection:
    positions: list[int] = []
    for part in next(csv.reader(io.StringIO(wanted), skipinitialspace=True), []):
        found = [position for position, column in enumerate(columns) if column.name == part]
        if not found and part.endswith("*"):
            found = _runs(columns, _of_kind(columns, "number")).get(part[:-1], [])
        if len(found) != 1 and not (found and part.endswith("*")):
            count = f"{len(found)} columns" if found else "no column"
            problem = f"has {count} called {shortened(part)}"
            raise _ask(columns, name, _selectable(columns), f"{name} {problem}")
        positions += found
    kinds = {columns[position].kind for position in positions}
    if kinds == {"vector"} and len(positions) == 1:
        return Selection(positions=tuple(positions), is_vector=True)
    if not kinds or not kinds <= {"number", "index"}:
        raise _ask(
            columns, name, _selectable(columns), f"{name}: {shortened(wanted)} is not one vector column or numbers"
        )
    return Selection(positions=tuple(positions), is_vector=False)


def _ask(columns: Sequence[Column], name: str, options: list[str], found: str | None = None) -> ChoiceNeeded:
    names = listed([column.name for column in columns])
    return ChoiceNeeded(
        f"{found or f'{name} can be read in {len(options)} ways'}; its columns are: {names}. "
        f"Which hold the vectors? {' | '.join(shortened(option) for option in options)}",
        choice="columns",
        options=tuple(options),
        remedy="Give the names with commas between; emb_* stands for emb_0, emb_1 and so on.",
    )


def _selectable(columns: Sequence[Column]) -> list[str]:
    vectors = [_quoted([columns[position].name]) for position in _of_kind(columns, "vector")]
    numbers = _of_kind(columns, "number")
    runs = [f"{stem}*" for stem in _runs(columns, numbers)]
    return vectors + runs or [_quoted([columns[position].name for position in numbers])]


def _of_kind(columns: Sequence[Column], kind: str) -> list[int]:
    return [position for position, column in enumerate(columns) if column.kind == kind]


def _left_out(columns: Sequence[Column], run: list[int], others: list[int]) -> Word:
    names = listed([columns[position].name for position in others])
    first, last = (shortened(columns[position].name) for position in (run[0], run[-1]))
    return Word(
        code="columns_left_out",
        text=f"The {len(run):,} columns {first} to {last} were read as coordinates; "
        f"the numeric column{'s' if len(others) > 1 else ''} {names} "
        f"{'were' if len(others) > 1 else 'was'} left out.",
    )


def _order_words(run: list[int]) -> tuple[Word, ...]:
    if run == sorted(run):
        return ()
    return (Word(code="columns_reordered", text="The columns were read in the order of the numbers in their names."),)


def _index_words(columns: Sequence[Column]) -> tuple[Word, ...]:
    names = [columns[position].name for position in _of_kind(columns, "index")]
    if not names:
        return ()
    called = f" ({listed(names)})" if any(names) else ""
    return (
        Word(
            code="index_column",
            text=f"The index column{called} holds row numbers, not a coordinate, and was left out.",
        ),
    )


def _quoted(names: Sequence[str]) -> str:
    """The names as `_wanted` reads them back."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
