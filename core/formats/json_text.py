"""JSON decoded a piece at a time: the elements of a list, and the members of an object.

One step of the decoder cannot be interrupted, and makes an object of every number before any is
put away. A long list of vectors is therefore left in its text and decoded again whenever its
elements are asked for, one at a time, wherever in an object it stands.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from core import limits
from core.errors import FormatError, LimitError
from core.formats.listing import shortened

__all__ = ["LISTS", "JsonText", "ListInText"]

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")

#: Bytes of memory for each character of this kind in text that is decoded whole and kept (CPython, 64 bits):
#: a list, an object, half a string, a number.
_KEPT = {"[": 90, "{": 300, '"': 40, ",": 32}

#: And for each member of an object: its place in the object and in the lists of names and values made from it.
_KEPT_MEMBER = 190


class JsonText:
    """The text of a JSON document, and its values from any place on."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self._name = name
        self._kept = 0
        self._decoder: Any = json.JSONDecoder(object_pairs_hook=self._without_repeats)

    def space(self, at: int) -> int:
        """The first place from `at` on that is no space."""
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def has(self, mark: str, at: int) -> bool:
        """Whether this character stands there; false at the end of the text."""
        return self.text.startswith(mark, at)

    def whole(self, at: int) -> tuple[Any, int]:
        """The value at a place, decoded in one step, and where it ends."""
        value, end = self._decoder.raw_decode(self.text, at)
        return value, end

    def value(self, at: int) -> tuple[Any, int]:
        """One of several values that follow each other: a long object by its members, anything else in one step."""
        if not self.has("{", at) or self.text.find("\n", at, at + limits.JSON_LONG_VALUE) >= 0:
            return self.whole(at)
        self._kept = 0  # what was made of the one before has gone
        return self.members(at)

    def elements(self, start: int) -> Iterator[tuple[Any, int]]:
        """Each element of the list that begins at `start`, and where it ends."""
        scan, comma, text = self._decoder.scan_once, _COMMA.match, self.text
        at = self.space(start + 1)
        while True:
            try:
                value, at = scan(text, at)
            except StopIteration as error:
                raise json.JSONDecodeError("a value is missing", text, error.value) from None
            yield value, at
            found = comma(text, at)
            if found is None:
                break
            at = found.end()
        if not self.has("]", at := self.space(at)):
            raise json.JSONDecodeError("the list does not end", self.text, at)

    def members(self, start: int) -> tuple[dict[str, Any], int]:
        """The object that begins at `start`, long lists in it left in the text, and where it ends.

        Raises
        ------
        FormatError
            Two members of one name.
        LimitError
            More is to be kept than `limits.JSON_MEMORY_PER_BYTE` allows.
        """
        found: dict[str, Any] = {}
        at = self.space(start + 1)
        if self.has("}", at):
            return found, at + 1
        while True:
            if not self.has('"', at):
                raise json.JSONDecodeError("a name is missing", self.text, at)
            key, at = self.whole(at)
            at = self.space(at)
            if not self.has(":", at):
                raise json.JSONDecodeError("the value of a name is missing", self.text, at)
            value, at = self._member(self.space(at + 1))
            if key in found:
                raise self._repeated(key)
            found[key] = value
            at = self.space(at)
            if self.has("}", at):
                return found, at + 1
            if not self.has(",", at):
                raise json.JSONDecodeError("the object does not end", self.text, at)
            at = self.space(at + 1)

    def _member(self, at: int) -> tuple[Any, int]:
        self._keep(_KEPT_MEMBER)
        if self.has("{", at):
            return self.members(at)
        inside = self.space(at + 1) if self.has("[", at) else at
        if inside > at and self.text[inside : inside + 1] in ("[", "{"):
            return self._list(at)
        value, end = self.whole(at)
        if isinstance(value, (list, str)):
            self._keep(sum(size * self.text.count(mark, at, end) for mark, size in _KEPT.items()))
        return value, end

    def _list(self, start: int) -> tuple[Any, int]:
        """A list of lists or of objects: a short one as it is, a long one left in the text."""
        first: list[Any] = []
        count, end = 0, start
        for value, end in self.elements(start):  # noqa: B007 - the last end is what counts
            count += 1
            if count <= limits.JSON_LIST_HELD:
                first.append(value)
        end = self.space(end) + 1
        if count <= limits.JSON_LIST_HELD:
            self._keep(sum(size * self.text.count(mark, start, end) for mark, size in _KEPT.items()))
            return first, end
        return ListInText(self, start, count), end

    def _keep(self, size: int) -> None:
        self._kept += size
        if self._kept > max(limits.JSON_MEMORY_PER_BYTE * len(self.text), limits.FREE_JSON_BYTES):
            raise LimitError(
                f"{self._name} would need more than {limits.JSON_MEMORY_PER_BYTE} times its size to be read as JSON: "
                "more nesting than vectors can need",
                remedy="Save a list of lists of numbers.",
            )

    def _without_repeats(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise self._repeated(Counter(key for key, _ in pairs).most_common(1)[0][0])
        return found

    def _repeated(self, key: str) -> FormatError:
        return FormatError(
            f"{self._name} holds a record with two fields called {shortened(key)}", remedy="Keep the one you mean."
        )


class ListInText(Sequence[Any]):
    """A list that is decoded an element at a time, each time it is gone through."""

    def __init__(self, source: JsonText, start: int, count: int) -> None:
        self._source, self._start, self._count = source, start, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return (value for value, _ in self._source.elements(self._start))

    @overload
    def __getitem__(self, place: int) -> Any: ...

    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...

    def __getitem__(self, place: int | slice) -> Any:
        """One element, or those of a slice; time O(place), so for the first ones."""
        if isinstance(place, slice):
            return list(islice(self, *place.indices(self._count)))
        at = range(self._count)[place]  # raises IndexError as a list does
        return next(islice(self, at, None))


#: What a list in a JSON object may be.
LISTS = (list, ListInText)
