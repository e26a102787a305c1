"""Which columns of a table hold the vectors.

One column of vectors is taken. Else the numeric columns are the coordinates: all of them,
or the one numbered run (``emb_0 … emb_767``, ``0 … 767``) that most of them belong to, with
the others named in a word. What stays open is asked. The same rules serve CSV and Parquet.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats.column_kinds import TOKENS, Column, packed_beside
from core.formats.listing import listed, shortened
from core.formats.loaded import Word
from core.formats.numbered import BARE, runs_of

#: What people call a column, unlike markup or a formula that stands where a coordinate's name was.
_PLAIN_NAME = re.compile(r"[\w .:/()%-]*")


def too_many_columns(width: int, name: str) -> LimitError:
    """The refusal of a table with more columns than `limits.MAX_TABLE_COLUMNS`."""
    return LimitError(
        f"{name} has {width:,} columns; {limits.MAX_TABLE_COLUMNS:,} are read at most",
        remedy="Save the array with np.save.",
    )


def coordinate_names(columns: Sequence[Column], chosen: Selection) -> tuple[str, ...]:
    """What a table calls its coordinates, where each has a column of its own and the columns are named."""
    found = [columns[position] for position in chosen.positions]
    return tuple(column.name for column in found if column.named and not chosen.is_vector)


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
    may_hold_labels
        True where no name tells the coordinates from a label or an id beside them.
    """

    positions: tuple[int, ...]
    is_vector: bool
    words: tuple[Word, ...] = ()
    may_hold_labels: bool = False


def ask_without(columns: Sequence[Column], chosen: Selection, labels: Sequence[int], name: str) -> ChoiceNeeded:
    """The question whether the columns `labels`, of those chosen, belong to the vectors."""
    rest = [position for position in chosen.positions if position not in frozenset(labels)]
    return _ask(columns, name, [_quoted(_names(columns, rest)), _quoted(_names(columns, chosen.positions))])


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
        No column holds numbers, or one of a numbered run of coordinates holds something else.
    """
    if wanted is not None:
        return _wanted(columns, name, wanted)
    chosen = _unasked(columns, name)
    if packed := packed_beside(columns, chosen.positions):
        read = _quoted(_names(columns, chosen.positions))
        called = listed([columns[position].name for position in packed])
        raise _ask(
            columns,
            name,
            [*(_quoted([columns[position].name]) for position in packed), read],
            f"{name} has numbers beside a column called as vectors are ({called}) that cannot be read as such",
        )
    return chosen


def _unasked(columns: Sequence[Column], name: str) -> Selection:
    """The columns that hold the vectors, of those that can be read."""
    vectors = _without_tokens(columns, _of_kind(columns, "vector"))
    if len(vectors) == 1:
        words = _left_out(columns, vectors) + _index_words(columns)
        return Selection(positions=tuple(vectors), is_vector=True, words=words)
    if vectors:
        refuse_one_name([columns[position] for position in vectors], name)
        raise _ask(columns, name, [_quoted([columns[position].name]) for position in vectors])
    numbers = _of_kind(columns, "number")
    if not numbers:
        raise no_numbers(columns, name)
    _refuse_broken_run(columns, name)
    return _coordinates(columns, name, numbers)


def _without_tokens(columns: Sequence[Column], vectors: list[int]) -> list[int]:
    """The one column of vectors of fractions beside what a tokenizer made of the texts; all where it is not so."""
    rest = [at for at in vectors if not (columns[at].whole and columns[at].name in TOKENS)]
    return rest if len(rest) == 1 and not columns[rest[0]].whole else vectors


def numbered_runs(columns: Sequence[Column]) -> dict[str, list[int]]:
    """``emb_*`` -> positions in the order of the numbers, for numeric columns numbered without a gap."""
    return _runs(columns, _of_kind(columns, "number"))


def refuse_one_name(columns: Sequence[Column], name: str) -> None:
    """Refuse two columns of one name: no choice could tell them apart.

    Raises
    ------
    FormatError
        There are such columns.
    """
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice, count = Counter(names).most_common(1)[0]
        raise FormatError(
            f"{name} has {count:,} columns called {shortened(twice) or 'nothing'}, which cannot be told apart",
            remedy="Rename them, or leave the others out of the file.",
        )


def no_numbers(columns: Sequence[Column], name: str) -> FormatError:
    """The refusal of a table none of whose columns holds numbers or vectors."""
    described = listed([f"{column.name} ({column.kind})" for column in columns])
    return FormatError(
        f"{name} has no column of numbers or vectors; its columns are: {described}",
        remedy="Save the embeddings alone: np.save('new.npy', np.stack(list(table['embedding']))).",
    )


def _coordinates(columns: Sequence[Column], name: str, numbers: list[int]) -> Selection:
    """Choose among the numeric columns of a wide table."""
    runs = _runs(columns, numbers)
    if len(runs) > 1:
        raise _ask(columns, name, [_option(columns, glob, run) for glob, run in runs.items()])
    runs = {glob: _with_first(columns, glob, run, name) for glob, run in runs.items()}
    words = _index_words(columns)
    for glob, run in runs.items():
        inside = set(run)
        others = [position for position in numbers if position not in inside]
        if _hides_the_first(columns, run, others) or (glob == BARE and _is_mixed(columns, run)):
            continue
        if columns[0].counts and 0 in inside:
            without = _quoted(_names(columns, [position for position in run if position]))
            raise _ask(columns, name, [without, _option(columns, glob, run)])
        if sum(not columns[position].whole for position in others) >= len(run):
            raise _ask(columns, name, [_option(columns, glob, run), _quoted(_names(columns, numbers))])
        words = _order_words(run) + _left_out(columns, run) + words
        return Selection(positions=tuple(run), is_vector=False, words=words, may_hold_labels=glob == BARE)
    rest = [position for position in numbers if not columns[position].whole]
    if 0 < len(rest) < len(numbers):
        raise _ask(columns, name, [_quoted(_names(columns, rest)), _quoted(_names(columns, numbers))])
    words = _left_out(columns, numbers) + words
    return Selection(positions=tuple(numbers), is_vector=False, words=words, may_hold_labels=True)


def _refuse_broken_run(columns: Sequence[Column], name: str) -> None:
    """Refuse a coordinate that would be lost: a numbered run with something else in its middle."""
    mixed = sorted(_of_kind(columns, "number") + _of_kind(columns, "other"))
    for glob, run in _runs(columns, mixed).items():
        if glob == BARE:  # pandas numbers texts beside the vectors too
            run = _without_odd_ends(columns, run)
        odd = [position for position in run if columns[position].kind == "other"]
        if odd and 2 * len(odd) <= len(run):
            first, last, title = (shortened(columns[at].name) for at in (run[0], run[-1], odd[0]))
            raise FormatError(
                f"{name}: column {title} is one of the coordinates {first} to {last}, but {columns[odd[0]].odd}",
                remedy="Mend that column, or leave it out of the file, on the other side too.",
            )


def _without_odd_ends(columns: Sequence[Column], run: list[int]) -> list[int]:
    held = [place for place, position in enumerate(run) if columns[position].kind != "other"]
    return run[held[0] : held[-1] + 1] if held else []


def _runs(columns: Sequence[Column], numbers: list[int]) -> dict[str, list[int]]:
    """Runs among some columns; a table without names has positions, which are no sign of what belongs together."""
    return runs_of({position: columns[position].name for position in numbers if columns[position].named})


def _hides_the_first(columns: Sequence[Column], run: list[int], others: list[int]) -> bool:
    """True where the one other column is number 0 of the run, its name overwritten by markup or a formula.

    ``score, c1, c2, c3`` has a column more than the vectors; ``<b>x</b>, c1, c2, c3`` has not.
    """
    is_before = others == [0] and run == list(range(1, len(run) + 1)) and _start(columns, run) == 1
    return is_before and not columns[0].whole and not _PLAIN_NAME.fullmatch(columns[0].name)


def _start(columns: Sequence[Column], run: list[int]) -> int:
    """The number that a run begins with, by its last: the first may have none."""
    return int(re.findall(r"\d+", columns[run[-1]].name)[-1]) - len(run) + 1


def _with_first(columns: Sequence[Column], glob: str, run: list[int], name: str) -> list[int]:
    """The run, and before it the coordinate that has its name without a number: ``x, x.1, x.2``; ``v, v2, v3``.

    Raises
    ------
    ChoiceNeeded
        That column may be an id, or a run begins at 2 after a column of fractions called otherwise.
    """
    starts, stem = _start(columns, run), glob.partition("*")[0].rstrip("._- ([{")
    numbers = set(_of_kind(columns, "number")) - set(run)
    called = [position for position in numbers if stem and columns[position].name == stem]
    before = [position for position in numbers if position == run[0] - 1 and not columns[position].whole]
    if starts not in (1, 2) or not (called or (before and starts == 2)):
        return run
    first = (called or before)[0]
    if not called or (columns[first].whole and not all(columns[position].whole for position in run)):
        raise _ask(columns, name, [_quoted(_names(columns, [first, *run])), _option(columns, glob, run)])
    return [first, *run]


def _is_mixed(columns: Sequence[Column], run: list[int]) -> bool:
    """True for whole numbers beside fractions: under bare numbers, an id or a label may be one of the run."""
    return 0 < sum(columns[position].whole for position in run) < len(run)


def _wanted(columns: Sequence[Column], name: str, wanted: str) -> Selection:
    if not wanted.strip():
        raise _ask(columns, name, _selectable(columns), f"{name}: the choice of columns names none")
    positions: list[int] = []
    for part in next(csv.reader(io.StringIO(wanted), skipinitialspace=True), []):
        found = [position for position, column in enumerate(columns) if column.name == part]
        if not found:  # blanks on either side of a name are no part of it
            part = part.strip()
            found = [position for position, column in enumerate(columns) if column.name.strip() == part]
        is_glob = not found and "*" in part
        if is_glob:
            found = _runs(columns, _of_kind(columns, "number")).get(part, [])
        if len(found) > 1 and not is_glob:
            refuse_one_name([columns[position] for position in found], name)
        if not found:
            raise _ask(columns, name, _selectable(columns), f"{name} has no column called {shortened(part)}")
        positions += found
    if len(set(positions)) < len(positions):
        twice = next(position for position in positions if positions.count(position) > 1)
        raise FormatError(
            f"{name}: the column {shortened(columns[twice].name)} is chosen twice",
            remedy="Name each column of the vectors once.",
        )
    if len(positions) == 1 and columns[positions[0]].packed:
        raise FormatError(
            f"{name}: the column {shortened(columns[positions[0]].name)} holds no lists of numbers",
            remedy="Save its vectors as an array: np.save('new.npy', x).",
        )
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
        f"Which hold the vectors? {listed(options, ' | ')}",
        choice="columns",
        options=tuple(options),
        remedy="Give the names with commas between; emb_* stands for emb_0, emb_1 and so on.",
    )


def _selectable(columns: Sequence[Column]) -> list[str]:
    vectors = [_quoted([columns[position].name]) for position in _of_kind(columns, "vector")]
    numbers = _of_kind(columns, "number")
    runs = [_option(columns, glob, run) for glob, run in _runs(columns, numbers).items()]
    return vectors + runs or [_quoted(_names(columns, numbers))]


def _option(columns: Sequence[Column], glob: str, run: list[int]) -> str:
    """How to choose a run: ``emb_*``; a star alone would seem to mean every column."""
    return _quoted([glob] if glob != BARE else _names(columns, run))


def _names(columns: Sequence[Column], positions: Sequence[int]) -> list[str]:
    return [columns[position].name for position in positions]


def _of_kind(columns: Sequence[Column], kind: str) -> list[int]:
    return [position for position, column in enumerate(columns) if column.kind == kind]


def _left_out(columns: Sequence[Column], chosen: list[int]) -> tuple[Word, ...]:
    """The word that names every column which is not read, row numbers aside."""
    inside = set(chosen)
    others = [column for position, column in enumerate(columns) if position not in inside and column.kind != "index"]
    if not others:
        return ()
    first, last = (shortened(columns[position].name) for position in (chosen[0], chosen[-1]))
    if columns[chosen[0]].kind == "vector":
        read = f"The vectors were read from the column {first}"
    elif len(chosen) == 1:
        read = f"The column {first} was read as coordinates"
    else:
        read = f"The {len(chosen):,} columns {first} to {last} were read as coordinates"
    names = listed([column.name or "without a name" for column in others])
    out = f"the column {names} was" if len(others) == 1 else f"the columns {names} were"
    return (Word(code="columns_left_out", text=f"{read}; {out} left out."),)


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
            text=f"The index column{called} numbers or names the rows, is no coordinate, and was left out.",
        ),
    )


def _quoted(names: Sequence[str]) -> str:
    """The names as `_wanted` reads them back."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
