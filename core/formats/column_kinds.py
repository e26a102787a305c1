"""One column of a table: what it holds, and whether it calls the rows rather than being a coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.formats.numbered import runs_of
from core.formats.row_ids import callers, calls_rows, is_index_name

#: Fields and columns that hold the vector where several could.
VECTOR_FIELDS = ("embedding", "embeddings", "vector", "vectors", "emb", "values")

#: Lists of whole numbers that a tokenizer makes.
TOKENS = frozenset({"input_ids", "attention_mask", "token_type_ids", "special_tokens_mask", "position_ids", "labels"})

#: Levels of an index that are kept.
_MOST_INDEXES = 4


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
    counts
        True where the numbers count the rows, and the name is one of a run of coordinates: row numbers or a coordinate.
    odd
        What it holds that is no number, of a column of kind ``"other"``: ``"row 0 … holds 'a'"``.
    packed
        True for what is no number and may hold vectors in a way that is not read: bytes, structures, lists of others.
    named
        False where the table names no columns, and `name` is the position alone.
    """

    name: str
    kind: Literal["vector", "number", "index", "other"]
    whole: bool = False
    counts: bool = False
    odd: str = "it holds no numbers"
    packed: bool = False
    named: bool = True


def with_row_numbers(columns: Sequence[Column], first: Sequence[float], *, beside_fractions: bool) -> list[Column]:
    """The columns, the first taken for what its numbers say: row numbers, or an id.

    Judged by value: 0.0 and 0e0 are 0. What counts 0, 1, 2, … or 1, 2, 3, … beside fractions
    numbers the rows, but for a column named as one of the coordinates, which may be one; other
    whole numbers beside fractions, all different, may be an id.

    Parameters
    ----------
    first
        Its first numbers.
    beside_fractions
        True where another column of numbers holds others than whole ones.
    """
    column, rest = columns[0], list(columns[1:])
    if column.kind != "number" or not rest or not first or not all(value == value // 1 for value in first):
        return list(columns)
    if column.named and is_index_name(column.name):
        return [replace(column, kind="index"), *rest]
    counts = len(first) > 2 and first[0] in (0, 1) and list(first) == [first[0] + step for step in range(len(first))]
    if counts and beside_fractions:
        return [_row_numbers(columns), *rest]
    if beside_fractions and len(first) > 2 and len(set(first)) == len(first):
        return [replace(column, whole=True), *rest]
    return list(columns)


def without_doubtful_index(columns: Sequence[Column]) -> list[Column]:
    """The columns, the first no index by its numbers alone where its name is one of a run of coordinates."""
    first = columns[0]
    if first.kind == "index" and first.named and not is_index_name(first.name):
        return [_row_numbers(columns), *columns[1:]]
    return list(columns)


def _row_numbers(columns: Sequence[Column]) -> Column:
    """The first column, whose numbers count the rows: an index, unless its name is one of a run of coordinates."""
    first = columns[0]
    numbers = {at: column.name for at, column in enumerate(columns) if column.named and column.kind == "number"}
    if first.named and any(0 in run for run in runs_of({0: first.name, **numbers}).values()):
        return replace(first, kind="number", whole=True, counts=True)
    return replace(first, name=first.name if first.named else "", kind="index")


def is_vector_name(name: str) -> bool:
    """True for what people call the column or field of the vectors."""
    return name.lower() in VECTOR_FIELDS


def packed_beside(columns: Sequence[Column], chosen: Sequence[int]) -> list[int]:
    """Positions of columns that are called as vectors are and cannot be read, beside chosen ones called otherwise."""
    if any(is_vector_name(columns[position].name) for position in chosen):
        return []
    return [at for at, column in enumerate(columns) if column.packed and is_vector_name(column.name)]


def id_columns(columns: Sequence[Column], chosen: Sequence[int]) -> list[int]:
    """Positions of the columns that may call the rows and are no coordinates; a few at most."""
    coordinates = frozenset(chosen)
    first = [0] if columns and 0 not in coordinates and _leads(columns[0]) else []
    indexes = [at for at, column in enumerate(columns) if column.kind == "index" and at not in coordinates]
    others = [at for at, column in enumerate(columns) if column.named and at not in {*coordinates, *first, *indexes}]
    found = callers((columns[at].name if columns[at].name else "-", _holds_text(columns[at])) for at in others)
    return list(dict.fromkeys([*first, *indexes[:_MOST_INDEXES], *(others[at] for at in found)]))


def _leads(column: Column) -> bool:
    """True for a first column that calls the rows by its place: without a name, or word2vec's words."""
    if column.kind == "number":
        return not column.named or not column.name
    return column.kind == "other" and (not column.named or column.name in ("", "word"))


def _holds_text(column: Column) -> bool:
    return column.kind == "other" and (not column.packed or calls_rows(column.name, is_text=True))
