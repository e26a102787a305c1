"""JSON records, and the field of each that holds its vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from core import limits
from core.errors import ChoiceNeeded, FormatError
from core.formats import written
from core.formats.column_kinds import VECTOR_FIELDS, is_vector_name
from core.formats.json_nested import Path, at_path, dotted, nested_refusal, vector_paths
from core.formats.json_tables import may_be_packed, wide_fields
from core.formats.json_text import LISTS
from core.formats.listing import listed, shortened
from core.formats.loaded import Word
from core.formats.record_order import RecordOrder
from core.formats.vectors import VectorRows, is_vector

#: Fields an API puts beside every vector; ``index`` is the order.
_API_FIELDS = ("object", "index")

#: What a line of a bulk request asks for.
_ACTIONS = frozenset({"index", "create", "update", "delete"})

_Record = dict[str, Any]


def holds_vectors(value: Any) -> bool:
    """True for a list of lists or records, and for an object with one in it."""
    if isinstance(value, LISTS):
        return bool(value) and isinstance(value[0], (list, dict))
    return isinstance(value, dict) and any(is_vector(item) or holds_vectors(item) for item in value.values())


def collect(
    items: Iterable[Any], rows: VectorRows, order: RecordOrder, name: str, wanted: str | None
) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """Put every item's vector into `rows` and its index into `order`.

    Returns
    -------
    words, columns
        About the field, and the names of the fields that hold a coordinate each; none where one holds a vector.

    Raises
    ------
    ChoiceNeeded
        Records with several vectors and no field chosen.
    FormatError
        No vectors, a record without its own, or a field chosen where there are none.
    """
    if wanted is not None and not wanted.strip():
        raise FormatError(f"{name}: the choice of a field names none", remedy="Leave it out, or give a name.")
    items = iter(items)
    head = _leading(items, wanted)
    record = next((item for item in reversed(head) if isinstance(item, dict)), None)
    _refuse_actions(head, name)
    if record is None:
        if wanted is not None:
            raise FormatError(
                f"{name} is a list of vectors; there is no field {shortened(wanted)} to choose in it",
                remedy="Leave that choice out for this file.",
            )
        paths, words = list[Path](), tuple[Word, ...]()
    else:
        paths, words = _paths([item for item in head if isinstance(item, dict)], name, wanted)
    for index, item in enumerate(chain(head, items)):
        order.add(item)
        if isinstance(item, dict) and record is None:
            raise FormatError(
                f"{name}: row {index:,} (counting from 0) is a record, where the rows before are lists",
                remedy="Write all rows alike.",
            )
        try:
            rows.add(_vector(item, paths) if isinstance(item, dict) else item)
        except KeyError as error:
            raise FormatError(
                f"{name}: record {index:,} (counting from 0) has no field {shortened(str(error.args[0]))}",
                remedy="Mend or remove that record, on the other side too.",
            ) from error
    return words, tuple(map(dotted, paths)) if len(paths) > 1 else ()


def _refuse_actions(head: list[Any], name: str) -> None:
    """Refuse a file of bulk requests, in which a line of what to do stands before each record."""
    if head and isinstance(head[0], dict) and len(head[0]) == 1:
        action, what = next(iter(head[0].items()))
        if action in _ACTIONS and isinstance(what, dict) and not vector_paths(what):
            raise FormatError(
                f"{name} is a file of bulk requests (Elasticsearch, OpenSearch): before each record stands a line that "
                f"says what to do ({action})",
                remedy="Keep every second line: open('new.jsonl', 'w').writelines(list(open('old.jsonl'))[1::2]).",
            )


def _leading(items: Iterator[Any], wanted: str | None) -> list[Any]:
    """The first items, up to the first record that shows which field holds the vector."""
    head = []
    for item in islice(items, limits.MAX_LEADING_RECORDS):
        head.append(item)
        if not isinstance(item, dict):
            if isinstance(item, list):
                break
        elif wanted is not None or vector_paths(item):
            break
    return head


def _paths(records: list[_Record], name: str, wanted: str | None) -> tuple[list[Path], tuple[Word, ...]]:
    """Where the vector stands: at one path, or one number at each of several."""
    record = records[-1]
    if not vector_paths(record) and wanted not in record:
        fields, words = wide_fields(records, name, wanted)
        if fields:
            return [(field,) for field in fields], words
    path, words = _vector_path(record, name, wanted)
    return [path], words


def _vector(record: _Record, paths: list[Path]) -> Any:
    """The vector of a record; raises KeyError where a part of it is missing."""
    if len(paths) == 1:
        value = at_path(record, paths[0])
        return [value] if type(value) in (int, float) else value
    return [at_path(record, path) for path in paths]


def _vector_path(record: _Record, name: str, wanted: str | None) -> tuple[Path, tuple[Word, ...]]:
    """Where in a record its vector stands, and the word about what was left out."""
    if wanted is not None and wanted in record:
        return (wanted,), ()
    paths = vector_paths(record)
    if wanted is not None and (chosen := [path for path in paths if dotted(path) == wanted]):
        return chosen[0], ()
    if not paths and {"indices", "values"} <= record.keys() and wanted is None:
        raise FormatError(
            f"{name} holds sparse vectors (indices and values), which are not rows of numbers",
            remedy="Write each out in full, zeros included, or save the dense vectors.",
        )
    if wanted is None and (path := _only_one(paths)):
        _ask_beside_packed(record, path, name)
        return path, _left_out(record, path)
    if paths:
        found = f"has no field {shortened(wanted)}" if wanted else "has records with several lists of numbers"
        raise ChoiceNeeded(
            f"{name} {found}; which holds the vectors? {listed(map(dotted, paths))}",
            choice="columns",
            options=tuple(map(dotted, paths)),
            remedy="Give the name of one.",
        )
    texts = [key for key in VECTOR_FIELDS if isinstance(record.get(key), str)]
    if texts and written.is_vector(record[texts[0]]):
        return (texts[0],), _left_out(record, (texts[0],))
    raise nested_refusal(record, name) or _no_vector(record, texts, name)


def _ask_beside_packed(record: _Record, path: Path, name: str) -> None:
    """Ask where another field is called as vectors are, and holds them in a way that is not read."""
    packed = [key for key in record if is_vector_name(key) and key != path[0] and may_be_packed(record[key])]
    if packed and not is_vector_name(path[-1]):
        options = (dotted(path), *packed)
        raise ChoiceNeeded(
            f"{name} has records with numbers in the field {shortened(options[0])}, and a field that cannot be read as "
            f"numbers and is called as vectors are; which holds the vectors? {listed(options)}",
            choice="columns",
            options=options,
            remedy="Give the name of one.",
        )


def _only_one(paths: list[Path]) -> Path | None:
    """The path to take where one alone is left: of the usual names, those that stand outermost first."""
    usual = [path for path in paths if is_vector_name(path[-1])]
    outer = [path for path in usual if len(path) == 1]
    return next((some[0] for some in (usual, outer, paths) if len(some) == 1), None)


def _no_vector(record: _Record, texts: list[str], name: str) -> FormatError:
    if texts:
        return FormatError(
            f"{name} holds its vectors as text in the field {texts[0]}, base64 most likely",
            remedy="Ask for numbers, or decode each: np.frombuffer(base64.b64decode(x), '<f4').",
        )
    empty = [key for key in VECTOR_FIELDS if key in record and record[key] is None]
    if empty:
        return FormatError(
            f"{name} has records whose field {empty[0]} is empty (null) in all that were looked at",
            remedy="Look at the step before: it had no vectors to write.",
        )
    return FormatError(
        f"{name} has records without a list of numbers; their fields are: {listed(list(record)) or 'none'}",
        remedy="Give each record its vector in a field called embedding.",
    )


def _left_out(record: _Record, path: Path) -> tuple[Word, ...]:
    others = [key for key in record if key != path[0] and key not in _API_FIELDS]
    if not others and len(path) == 1 and is_vector_name(path[0]):
        return ()
    text = f"The vectors were read from the field {shortened(dotted(path))}"
    if others:
        text += f"; the field {listed(others)} was" if len(others) == 1 else f"; the fields {listed(others)} were"
        text += " left out"
    return (Word(code="columns_left_out" if others else "json_field", text=f"{text}."),)
