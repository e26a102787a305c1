"""Tables written as JSON, by column or by row: what pandas and dataframes in other languages make.

``{"dim_0": [...], "dim_1": [...]}`` holds columns, ``{"doc_0": [...], "doc_1": [...]}`` rows:
the names are all that tells them apart, and where they do not, it is asked. Which columns
hold the vectors is decided by `core.formats.columns`, as in CSV and Parquet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core import limits
from core.errors import ChoiceNeeded, FormatError
from core.formats import written
from core.formats.column_kinds import Column, id_columns, with_row_numbers
from core.formats.columns import Selection, coordinate_names, numbered_runs, select, too_many_columns
from core.formats.json_text import LISTS
from core.formats.label_columns import ask_about_labels
from core.formats.listing import shortened
from core.formats.loaded import RowIds, Word
from core.formats.record_order import numbered_order
from core.formats.row_ids import IdColumn, callers, is_index_name, is_summary, order_words
from core.formats.vectors import is_vector
from core.prose import counted

#: What to choose where each name is a row.
ROWS = "rows"

#: Stems that number coordinates, those that number either, and those that number items.
_COORDINATES = frozenset(
    ("dim", "dims", "dimension", "d", "feature", "feat", "f", "component", "comp", "pc", "col", "column", "c", "axis")
)
_EITHER = frozenset(
    ("e", "emb", "embed", "embedding", "embeddings", "v", "vec", "vector", "x", "y", "z", "h", "u", "w")
)
_ITEMS = frozenset(
    (
        "doc",
        "document",
        "id",
        "item",
        "row",
        "text",
        "sentence",
        "sample",
        "chunk",
        "image",
        "img",
        "word",
        "token",
        "n",
    )
)


class Found(NamedTuple):
    """Items, words about them, the choice of columns still to be honoured, what items and coordinates are called."""

    items: Iterable[Any]
    words: tuple[Word, ...]
    wanted: str | None
    row_ids: tuple[RowIds, ...] = ()
    columns: tuple[str, ...] = ()


#: Names of lists that may call the rows of the list of vectors beside them.
_LISTS_OF_NAMES = ("index", "names", "labels", "words")


def table_in(value: dict[str, Any], name: str, wanted: str | None) -> Found | None:
    """The rows of a table in a JSON object, `None` where it is no table.

    Raises
    ------
    ChoiceNeeded
        Names that may number columns or rows, or several sets of columns.
    FormatError
        Columns without numbers; a table with an object for each column.
    """
    return _split(value, name, wanted) or _by_column(value, name, wanted) or _by_row(value, name, wanted)


def under_names(things: dict[str, Any], name: str, wanted: str | None) -> Found:
    """Things that stand under their rows' names or numbers, in their order."""
    order, word = _named_order(list(things))
    names, values = list(things), list(things.values())
    found = IdColumn("", is_index=True).extend(names[place] for place in order).refuse_summaries(name).ids()
    words = order_words(found, "the rows")
    row_ids = () if found is None else (found,)
    return Found([values[place] for place in order], (word, *words), wanted, row_ids)


def names_beside(value: dict[str, Any], rows: int, name: str) -> tuple[RowIds, ...]:
    """The ids in the lists of an object that are as long as its list of vectors: ``{"ids": [...], ...}``."""
    lists = {key: item for key, item in value.items() if isinstance(item, list) and len(item) == rows > 0}
    named = [key for key in lists if key in _LISTS_OF_NAMES and not isinstance(lists[key][0], (list, dict))]
    others = [key for key in lists if key not in named and type(lists[key][0]) in (int, float, str)]
    called = callers((key, isinstance(lists[key][0], str)) for key in others)
    found = [
        IdColumn(key, is_index=is_index_name(key)).extend(lists[key]).refuse_summaries(name).ids()
        for key in (*named, *(others[at] for at in called))
    ]
    return tuple(ids for ids in found if ids is not None)


def _named_order(names: Sequence[str]) -> tuple[list[int], Word]:
    """Positions of things under these names in their order, and the word that says which it is."""
    order = numbered_order(list(names))
    if order is not None:
        text = f"The vectors stand under the numbers of {counted(len(names), 'row')}, and were put in that order."
        return order, Word(code="index_order", text=text)
    text = f"The vectors stand under {counted(len(names), 'name')}; their order is the file's order of the names."
    return list(range(len(names))), Word(code="named_vectors", text=text)


def numeric_columns(names: Sequence[str], sample: Sequence[Sequence[Any]]) -> list[Column]:
    """The columns whose first values are `sample`, one sequence a column."""
    columns = [_column(name, values) for name, values in zip(names, sample, strict=True)]
    numbers = [values for values, column in zip(sample, columns, strict=True) if column.kind == "number"]
    if not columns or not all(type(value) in (int, float) for value in sample[0]):
        return columns
    fractions = any(type(value) is float and not value.is_integer() for values in numbers[1:] for value in values)
    return with_row_numbers(columns, list(sample[0]), beside_fractions=fractions)


def wide_fields(records: Sequence[dict[str, Any]], name: str, wanted: str | None) -> tuple[list[str], tuple[Word, ...]]:
    """The fields whose numbers are the coordinates, of records with one number a field; none where they are others.

    Raises
    ------
    ChoiceNeeded
        Several sets of fields could be meant.
    """
    records = records[: limits.TABLE_SAMPLE_ROWS]
    fields = list(dict.fromkeys(chain(*records)))
    columns = numeric_columns(fields, [[record.get(field) for record in records] for field in fields])
    if not numbered_runs(columns):
        return [], ()
    selection = select(columns, name, wanted)
    return [fields[position] for position in selection.positions], selection.words


def _column(name: str, values: Sequence[Any]) -> Column:
    held = [value for value in values if value is not None]
    kinds = set(map(type, held))
    if held and all(map(is_vector, held)):
        return Column(name=name, kind="vector")
    if not held or 2 * sum(type(value) in (int, float) for value in held) < len(held):
        return Column(name=name, kind="other", packed=bool(held) and may_be_packed(held[0]))
    return Column(name=name, kind="number", whole=kinds == {int})


def may_be_packed(value: Any) -> bool:
    """True for what may hold a vector in a way that is not read: a list of others than numbers, text that packs one."""
    if isinstance(value, str):
        return written.may_be_packed(value)
    if isinstance(value, dict):
        numbered = len(value) > 1 and all(map(str.isdecimal, value))
        return numbered or any(isinstance(item, (list, str)) and may_be_packed(item) for item in value.values())
    return isinstance(value, list) and bool(value)


def _split(value: dict[str, Any], name: str, wanted: str | None) -> Found | None:
    """pandas' ``orient="split"``: column names, and rows without them."""
    names, rows = value.get("columns"), value.get("data")
    if not (isinstance(names, list) and isinstance(rows, LISTS) and rows and isinstance(rows[0], list)):
        return None
    names = [str(column) for column in names]
    if len(names) != len(rows[0]):
        return None
    sample = [row for row in rows[: limits.TABLE_SAMPLE_ROWS] if isinstance(row, list) and len(row) == len(names)]
    columns = numeric_columns(names, list(zip(*sample, strict=True)))
    selection = select(columns, name, wanted)
    places = selection.positions
    ask_about_labels(
        columns, selection, name, lambda place, most: _floats(_cell(row, places[place]) for row in rows[:most])
    )
    word = Word(code="json_field", text="The vectors were read from the field data.")
    beside = names_beside({"index": value.get("index")}, len(rows), name)
    row_ids = (*beside, *_left_out_ids(columns, selection, rows, name))
    words = (word, *selection.words, *_index_order_words(row_ids))
    items, called = _chosen(rows, selection, len(names), name), coordinate_names(columns, selection)
    return Found(items, words, None, row_ids, called)


def _cell(row: Any, at: int) -> Any:
    return row[at] if isinstance(row, list) and at < len(row) else None


def _floats(values: Iterable[Any]) -> NDArray[np.float64]:
    """Numbers as float64, NaN for anything else, and for whole numbers that no float holds."""
    held = (
        value if type(value) is float or (type(value) is int and abs(value) < 2**63) else np.nan for value in values
    )
    return np.fromiter(held, np.float64)


def _chosen(rows: Sequence[Any], selection: Selection, width: int, name: str) -> Iterator[Any]:
    for index, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != width:
            held = f"{counted(len(row), 'value')}" if isinstance(row, list) else "no list"
            raise FormatError(
                f"{name}: row {index:,} (counting from 0) has {held}; {counted(width, 'column')} are named",
                remedy="Mend or remove that row, on the other side too.",
            )
        yield row[selection.positions[0]] if selection.is_vector else [row[at] for at in selection.positions]


def _left_out_ids(
    columns: Sequence[Column], selection: Selection, rows: Sequence[Any], name: str
) -> tuple[RowIds, ...]:
    """The ids in columns of a table that are no coordinates."""
    found = []
    called = id_columns(columns, selection.positions)
    for place in [*called, *({0} - {*called, *selection.positions})]:
        cells = (_cell(row, place) for row in rows)
        column = columns[place].name
        ids = IdColumn(column, is_index=is_index_name(column)).extend(cells).refuse_summaries(name)
        if place in called:  # another first column may only name a summary of the rows
            found.append(ids.ids())
    return tuple(ids for ids in found if ids is not None)


def _index_order_words(row_ids: Iterable[RowIds]) -> tuple[Word, ...]:
    return next((order_words(ids, "the index") for ids in row_ids if ids.is_index), ())


def _by_column(value: dict[str, Any], name: str, wanted: str | None) -> Found | None:
    """``{"dim_0": [...], ...}``, one list a column, all of one length."""
    lists = {key: item for key, item in value.items() if isinstance(item, LISTS)}
    sizes = set(map(len, lists.values()))
    if len(lists) < 2 or len(sizes) > 1 or sizes == {0}:
        return None
    if len(lists) > limits.MAX_TABLE_COLUMNS:  # so many can only be rows, unless they are called otherwise
        if wanted != ROWS and re.sub(r"[\W\d_]", "", next(iter(lists))).lower() in _COORDINATES:
            raise too_many_columns(len(lists), name)
        return None
    columns = numeric_columns(list(lists), [item[: limits.TABLE_SAMPLE_ROWS] for item in lists.values()])
    runs = numbered_runs(columns)
    if not runs or any(column.kind == "vector" for column in columns):
        return None
    if wanted == ROWS:
        return under_names(lists, name, None)
    if wanted is None and any(map(is_summary, lists)):  # rows under their numbers, and what sums them up
        IdColumn("", is_index=True).extend(lists).refuse_summaries(name)
    if wanted is None and not _are_columns(runs, (len(value), sizes.pop()), name):
        return None
    selection = select(columns, name, wanted)
    chosen_names = [columns[position].name for position in selection.positions]
    chosen = [lists[column] for column in chosen_names]
    ask_about_labels(columns, selection, name, lambda place, most: _floats(chosen[place][:most]))
    rows = len(chosen[0])
    first, last = (shortened(columns[selection.positions[place]].name) for place in (0, -1))
    text = f"Each of the names {first} to {last} was read as a column: {rows:,} rows of {len(chosen):,} numbers."
    coordinates = frozenset(chosen_names)
    row_ids = names_beside({key: item for key, item in lists.items() if key not in coordinates}, rows, name)
    words = (Word(code="json_columns", text=text), *selection.words, *_index_order_words(row_ids))
    return Found(map(list, zip(*chosen, strict=True)), words, None, row_ids, tuple(chosen_names))


def _are_columns(runs: dict[str, list[int]], shape: tuple[int, int], name: str) -> bool:
    """Whether the numbered names are columns; `shape` is how many names there are, and numbers under each.

    Raises
    ------
    ChoiceNeeded
        They may be columns or rows.
    """
    stems = {re.sub(r"[\W_]", "", glob).lower() for glob in runs}
    names, size = shape
    if stems & _COORDINATES or sum(map(len, runs.values())) < names:
        return not stems <= _ITEMS
    if stems <= _ITEMS or (names >= size and not stems & _EITHER):
        return False
    glob = ",".join(runs)
    raise ChoiceNeeded(
        f"{name} holds {names:,} lists of {counted(size, 'number')} under numbered names: "
        f"as columns they are {counted(size, 'vector')} of {counted(names, 'number')}, as rows the other way round. "
        f"Which? {shortened(glob)} for columns | {ROWS}",
        choice="columns",
        options=(glob, ROWS),
        remedy="Only whoever wrote it knows.",
    )


def _by_row(value: dict[str, Any], name: str, wanted: str | None) -> Found | None:
    """``{"0": {"embedding": [...]}, ...}``, one record a name."""
    records = list(value.values())
    if len(records) < 2 or not all(isinstance(record, dict) and record for record in records):
        return None
    if all(any(map(is_vector, record.values())) for record in (records[0], records[-1])):
        return under_names(value, name, wanted)
    alike = all(record.keys() == records[0].keys() for record in records)
    if alike and all(
        type(item) in (int, float, type(None)) for item in chain(*(record.values() for record in records))
    ):
        raise FormatError(
            f"{name} is a table with an object for each column or row, as pandas writes it, and no list of numbers",
            remedy="Save its numbers: np.save('new.npy', pd.read_json('old.json').to_numpy()); "
            "if it was written with orient='index', give read_json that too.",
        )
    return None
