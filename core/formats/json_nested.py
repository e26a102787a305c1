"""Vectors deeper inside JSON records: under a path of names, in an API's answers, or out of reach.

``{"_source": {"embedding": [...]}}`` and ``{"vector": {"text": [...]}}`` are read by their path.
Answers of an embeddings API one after the other are taken apart. What stands in a list inside
a record is refused with the path and the line that flattens it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from core.errors import FormatError
from core.formats.listing import shortened
from core.formats.loaded import Word
from core.formats.vectors import is_vector

#: Names from a record inwards to its vector.
Path = tuple[str, ...]

#: What stands beside ``embeddings`` in an answer of Ollama or Cohere; a record of one row has other fields.
_BESIDE_EMBEDDINGS = frozenset(
    (
        *("id", "object", "created", "created_at", "model", "usage", "meta", "texts", "images", "response_type"),
        *("total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "embeddings"),
    )
)

#: One of them stands beside the ``id`` of an answer; an id alone calls a row.
_BESIDE_ID = frozenset(("model", "meta", "texts", "images", "response_type", "usage"))

#: Levels of objects looked through, and fields of each.
_LEVELS, _FIELDS = 4, 1_000


def vector_paths(record: dict[str, Any], levels: int = _LEVELS) -> list[Path]:
    """Where in a record there are lists of numbers, or lists of such lists, outermost first."""
    if {"indices", "values"} <= record.keys():  # a sparse vector
        return []
    found: list[Path] = []
    for key, value in list(record.items())[:_FIELDS]:
        if is_vector(value) or (isinstance(value, list) and value and isinstance(value[0], list)):
            found.append((key,))
        elif isinstance(value, dict) and levels > 1:
            found += [(key, *path) for path in vector_paths(value, levels - 1)]
    return sorted(found, key=len)


def at_path(record: dict[str, Any], path: Path) -> Any:
    """What stands there; raises KeyError with the path where nothing does, and gives `None` for null on the way."""
    value: Any = record
    for key in path:
        if value is None:
            return None
        if not isinstance(value, dict) or key not in value:
            raise KeyError(dotted(path))
        value = value[key]
    return value


def dotted(path: Path) -> str:
    """The path as it is written and chosen: ``meta.embedding``."""
    return ".".join(path)


def answers(items: Iterable[Any], name: str) -> tuple[Iterable[Any], tuple[Word, ...]]:
    """Take answers of an API apart: into their records, each answer's in the order of ``index``, or into their vectors.

    Raises
    ------
    FormatError
        While the records are taken: an answer without vectors, or whose ``index`` gives no order.
    """
    items = iter(items)
    head = list(islice(items, 1))
    both = chain(head, items)
    if len((head and _batch(head[0])) or ()) > 1:
        text = "The file holds answers of an API; their vectors follow each other, those of each in its own order."
        return _vectors(both, name), (Word(code="api_answers", text=text),)
    if not head or not _is_answer(head[0]):
        return both, ()
    text = "The file holds answers of an API; their vectors follow each other, those of each in the order of its index."
    return _records(both, name), (Word(code="api_answers", text=text),)


def _is_answer(item: Any) -> bool:
    data = item.get("data") if isinstance(item, dict) else None
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict) and bool(vector_paths(data[0]))


def _batch(item: Any) -> list[Any] | None:
    """The vectors of an answer of Ollama (``embeddings``) or Cohere (``embeddings.float``); `None` where it is none."""
    if not isinstance(item, dict) or not item.keys() <= _BESIDE_EMBEDDINGS:
        return None
    if "id" in item and not item.keys() & _BESIDE_ID:
        return None
    held = item.get("embeddings")
    kinds = [value for value in held.values() if value is not None] if isinstance(held, dict) else [held]
    vectors = kinds[0] if len(kinds) == 1 else None
    return vectors if isinstance(vectors, list) and vectors and is_vector(vectors[0]) else None


def _vectors(items: Iterable[Any], name: str) -> Iterator[Any]:
    for number, item in enumerate(items):
        vectors = _batch(item)
        if vectors is None:
            raise _without_vectors(number, "embeddings", name)
        yield from vectors


def _without_vectors(number: int, field: str, name: str) -> FormatError:
    return FormatError(
        f"{name}: answer {number:,} (counting from 0) has no vectors in its field {field}",
        remedy="Ask for that one again; without it the rows after it would move up.",
    )


def _records(items: Iterable[Any], name: str) -> Iterator[dict[str, Any]]:
    for number, item in enumerate(items):
        if not _is_answer(item):
            raise _without_vectors(number, "data", name)
        data = item["data"]
        places: list[Any] = [record.get("index") if isinstance(record, dict) else None for record in data]
        if places != [None] * len(data):
            if any(type(place) is not int for place in places) or sorted(places) != list(range(len(data))):
                raise FormatError(
                    f"{name}: the field index of answer {number:,} (counting from 0) does not count its records "
                    f"from 0, so their order cannot be told",
                    remedy="Put the records into the order you mean and take the field index out.",
                )
            data = [data[place] for place in sorted(range(len(data)), key=places.__getitem__)]
        for record in data:
            yield (
                {key: value for key, value in record.items() if key != "index"} if isinstance(record, dict) else record
            )


def nested_refusal(record: dict[str, Any], name: str) -> FormatError | None:
    """The refusal of vectors in a list inside each record, with their path, or in an object; `None` without any."""
    steps = _steps(record, _LEVELS + 2)
    if steps is None:
        return _object_refusal(record, name)
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{shortened(step)}" for step in steps).lstrip(".")
    lists = [at for at, step in enumerate(steps) if isinstance(step, int)]
    rows, order = _rows_line(record, name)
    if len(lists) != 1:
        first = "It takes the first of each list. " if lists else ""
        line = f"{first}np.save('new.npy', [r{_brackets(steps)} for r in {rows}])"
        return FormatError(f"{name} holds its vectors inside each record under {shown}", remedy=f"Flatten it: {line}.")
    outer, inner = steps[: lists[0]], steps[lists[0] + 1 :]
    items, by_index = f"r{_brackets(outer)}", ""
    if _are_numbered(record, outer):
        items, by_index = f"sorted({items}, key=lambda x: x['index'])", " by its index"
    line = f"np.save('new.npy', [x{_brackets(inner)} for r in {rows} for x in {items}])"
    return FormatError(
        f"{name} holds its vectors inside each record under {shown}",
        remedy=f"Flatten it, every vector of each record{by_index}, {order}: {line}.",
    )


def _rows_line(record: dict[str, Any], name: str) -> tuple[str, str]:
    """The Python that lists the records in their order, and the order in words."""
    lines = name.lower().endswith((".jsonl", ".ndjson")) or "custom_id" in record
    rows = "[json.loads(line) for line in open('old.jsonl')]" if lines else "json.load(open('old.json'))"
    if not isinstance(record.get("custom_id"), str):
        return rows, "the records in the order of the file"
    key = "[int(s) if s.isdigit() else s for s in re.split('([0-9]+)', r['custom_id'])]"
    return (
        f"sorted({rows}, key=lambda r: {key})",
        "the records sorted by custom_id, 2 before 10 (a batch keeps no order; the other side must stand in this one)",
    )


def _brackets(steps: list[str | int]) -> str:
    inside = "".join(f"[{step!r}]" for step in steps)
    return inside if inside.isprintable() else ""


def _are_numbered(record: dict[str, Any], outer: list[str | int]) -> bool:
    """True where the first item of the list that stands there has a whole number as ``index``."""
    found: Any = record
    for step in outer:
        found = found[step]
    return isinstance(found[0], dict) and type(found[0].get("index")) is int


def _object_refusal(record: dict[str, Any], name: str) -> FormatError | None:
    """The refusal of vectors written as an object of numbers, ``{"0": 0.1, "1": 0.2}``, which has no order."""
    field = next((key for key, value in list(record.items())[:_FIELDS] if _is_numbered_object(value)), None)
    if field is None:
        return None
    rows, _ = _rows_line({}, name)
    line = f"[v for _, v in sorted(r{_brackets([field])}.items(), key=lambda item: int(item[0]))]"
    return FormatError(
        f"{name} holds its vectors in the field {shortened(field)} as objects of numbered values, not as lists",
        remedy=f"Write each as a list, in the order of the numbers: np.save('new.npy', [{line} for r in {rows}]).",
    )


def _is_numbered_object(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and len(value) > 1
        and all(key.isdecimal() for key in value)
        and all(type(number) in (int, float) for number in value.values())
    )


def _steps(value: Any, levels: int) -> list[str | int] | None:
    """Names and places inwards to the first list of numbers."""
    if is_vector(value):
        return []
    inner: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict) and not {"indices", "values"} <= value.keys():
        inner = list(value.items())[:_FIELDS]
    elif isinstance(value, list):
        inner = enumerate(value[:1])
    for step, item in inner if levels else ():
        rest = _steps(item, levels - 1)
        if rest is not None:
            return [step, *rest]
    return None
