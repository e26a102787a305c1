"""The vectors of a JSON object: under one of its names, as its values, or as a table in it.

``{"embeddings": {"float": [...], "int8": [...]}}`` holds several lists of vectors; which is meant
is asked, as it is for the arrays of an archive, and chosen by its names with points between.
"""

from __future__ import annotations

from typing import Any

from core.errors import ChoiceNeeded, FormatError
from core.formats.column_kinds import VECTOR_FIELDS, is_vector_name
from core.formats.json_tables import Found, may_be_packed, names_beside, table_in, under_names
from core.formats.json_text import LISTS
from core.formats.listing import listed, shortened
from core.formats.loaded import ReadChoices, Word
from core.formats.records import holds_vectors
from core.formats.vectors import is_vector
from core.prose import counted

#: Levels of objects looked through for the vectors: {"embeddings": {"float": [...]}}.
_LEVELS = 3

_Object = dict[str, Any]


def inside_object(value: _Object, name: str, choices: ReadChoices) -> Found:
    """Find the vectors of an object: in one of its fields, or as its values.

    Raises
    ------
    ChoiceNeeded
        Several lists of vectors, or none under the key that was chosen.
    FormatError
        No vectors.
    """
    if choices.key is None:
        return _found(value, name, choices.columns, _LEVELS, "")
    holder, key = _at_key(value, choices.key, _LEVELS) or ({}, "")
    item = holder.get(key)
    if isinstance(item, dict) and holds_vectors(item):
        return _found(item, name, choices.columns, _LEVELS, f"{choices.key}.")
    if isinstance(item, LISTS) and (holds_vectors(item) or key in _packed(holder, {})):
        return _read_from(holder, key, choices.key, choices.columns, name)
    lists = _lists(value, _LEVELS)
    if not lists:
        raise FormatError(
            f"{name} holds no lists of vectors under names; there is no key to choose in it",
            remedy="Leave that choice out for this file.",
        )
    raise _ask(lists, name, f"{name} has no list of vectors called {shortened(choices.key)}")


def _found(value: _Object, name: str, wanted: str | None, levels: int, path: str) -> Found:
    if table := table_in(value, name, wanted):
        return table
    if value and all(is_vector(item) for item in value.values()):
        return under_names(value, name, wanted)
    found = {key: item for key, item in value.items() if holds_vectors(item)}
    if len(found) > 1:
        found = {key: found[key] for key in ("data", *VECTOR_FIELDS) if key in found} or found
    if not found and any(is_vector(value.get(key)) for key in VECTOR_FIELDS):
        return Found([value], (), wanted)  # one record, not in a list
    if len(found) > 1:
        lists = _lists(found, levels)
        raise _ask({f"{path}{key}": item for key, item in lists.items()}, name)
    packed = {} if any(map(is_vector_name, found)) else _packed(value, found)
    if found and packed:
        lists = _lists(found, levels) | packed
        text = f"{name} is a JSON object with vectors, beside a list called as they are that cannot be read as numbers"
        raise _ask({f"{path}{key}": item for key, item in lists.items()}, name, text)
    for key, item in found.items():
        if isinstance(item, dict):
            if levels > 1:
                return _found(item, name, wanted, levels - 1, f"{path}{key}.")
            continue
        return _read_from(value, key, f"{path}{key}", wanted, name)
    raise _no_vectors(value, name)


def _packed(value: _Object, found: _Object) -> dict[str, Any]:
    """Lists called as vectors are whose first item may hold one in a way that is not read."""
    others = {key: item for key, item in value.items() if is_vector_name(key) and key not in found}
    return {key: item for key, item in others.items() if isinstance(item, list) and item and may_be_packed(item[0])}


def _read_from(holder: _Object, key: str, path: str, wanted: str | None, name: str) -> Found:
    word = Word(code="json_field", text=f"The vectors were read from the field {shortened(path)}.")
    return Found(holder[key], (word,), wanted, names_beside(holder, len(holder[key]), name))


def _lists(value: _Object, levels: int) -> dict[str, Any]:
    """Path -> what holds vectors there, as far inwards as names lead."""
    found: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(item, LISTS) and holds_vectors(item):
            found[key] = item
        elif isinstance(item, dict) and holds_vectors(item):
            inner = _lists(item, levels - 1) if levels > 1 else {}
            found |= {f"{key}.{path}": held for path, held in inner.items()} or {key: item}
    return found


def _at_key(value: _Object, path: str, levels: int) -> tuple[_Object, str] | None:
    """The object and the name in it that a path leads to; names may hold points themselves."""
    if path in value:
        return value, path
    for key, item in value.items() if levels > 1 else ():
        if isinstance(item, dict) and path.startswith(f"{key}."):
            found = _at_key(item, path[len(key) + 1 :], levels - 1)
            if found is not None:
                return found
    return None


def _ask(lists: dict[str, Any], name: str, found: str | None = None) -> ChoiceNeeded:
    held = listed(f"{shortened(path)} ({counted(len(item), 'row')})" for path, item in lists.items())
    found = found or f"{name} is a JSON object with vectors under several names"
    return ChoiceNeeded(f"{found}; it holds: {held}", choice="key", options=tuple(lists), remedy="Say which one.")


def _no_vectors(value: _Object, name: str) -> FormatError:
    if "zarr_format" in value:
        return FormatError(
            f"{name} describes a zarr array (its shape and type) and holds none of its numbers",
            remedy="Save the array itself: np.save('new.npy', zarr.open('old.zarr')[:]).",
        )
    return FormatError(
        f"{name} is a JSON object without vectors; its fields are: {listed(list(value)) or 'none'}",
        remedy="Save a list of lists of numbers.",
    )
