"""What JSON may cost: refused by counting characters, before any of it is decoded.

Decoding makes an object of every bracket, quote and number, and a list is decoded whole, in one
step that nothing can interrupt. So a file whose lists are longer, or whose brackets are more,
than vectors can need is told by its bytes.
"""

from __future__ import annotations

import re

from core import limits
from core.errors import FormatError, LimitError

__all__ = ["refuse_dense", "refuse_long_lists"]

_BRACKETS = (b"[", b"]", b"{", b"}")


#: Numbers under the name of their type: what gives them away, who writes so, and how to get at them.
_TYPED = (
    (rb'\{\s*"N"\s*:\s*"', "DynamoDB", "[[float(x['N']) for x in row['embedding']['L']] for row in items]"),
    (
        rb'"\$number(?:Double|Decimal|Int)"\s*:',
        "MongoDB (extended JSON)",
        "[[float(next(iter(x.values()))) for x in row['embedding']] for row in documents]",
    ),
    (
        rb'"doubleValue"\s*:',
        "Firestore",
        "[[x['doubleValue'] for x in row['fields']['embedding']['arrayValue']['values']] for row in documents]",
    ),
)


def refuse_typed(head: bytes, name: str) -> None:
    """Refuse, by name, JSON in which each number is an object that says its type; `head` is how it begins.

    Raises
    ------
    FormatError
        It is what DynamoDB, MongoDB or Firestore writes.
    """
    for pattern, writer, rows in _TYPED:
        if re.search(pattern, head):
            raise FormatError(
                f"{name} is JSON as {writer} writes it, each number in an object of its own, which is not read",
                remedy=f"Save the numbers: np.save('new.npy', {rows}).",
            )


def refuse_dense(buffer: memoryview, name: str) -> None:
    """Refuse text with more brackets and quotes than vectors can need. Time O(bytes).

    Raises
    ------
    FormatError
        Numbers under the names of their types.
    LimitError
        A larger share of one of them than `limits.MAX_JSON_DENSITY` allows.
    """
    if len(buffer) < limits.TEXT_SAMPLE_BYTES:
        return
    for mark, share in limits.MAX_JSON_DENSITY.items():
        count = _count(buffer, mark)
        if count > share * len(buffer):
            refuse_typed(bytes(buffer[: limits.TEXT_SAMPLE_BYTES]), name)
            raise LimitError(
                f"{name} has {count:,} times the character {mark} in {len(buffer):,} bytes of JSON: "
                "more nesting than vectors can need",
                remedy="Save a list of lists of numbers.",
            )


def refuse_long_lists(buffer: memoryview, name: str) -> None:
    """Refuse a list of more numbers than a vector, or the column of a table, may have. Time O(bytes).

    What lies between two brackets without another one is one list. In a document that is a list
    it is a vector; an object may hold columns, which are as long as there are rows.

    Raises
    ------
    LimitError
        More commas between two brackets than `limits.MAX_COLUMNS`, or `limits.MAX_NARROW_ROWS` for an object.
    """
    opened = re.search(rb"[\[{]", bytes(buffer[: limits.TEXT_SAMPLE_BYTES]))
    most = limits.MAX_NARROW_ROWS if opened and opened[0] == b"{" else limits.MAX_COLUMNS
    commas, step = 0, limits.MAX_COLUMNS  # no list that is too long fits in so few bytes, so none is inside a block
    for at in range(0, len(buffer), step):
        block = bytes(buffer[at : at + step])
        first = min((place for mark in _BRACKETS if (place := block.find(mark)) >= 0), default=-1)
        commas += block.count(b",", 0, first if first >= 0 else len(block))
        if commas >= most:
            raise LimitError(
                f"{name} has a list of more than {most:,} values; at most {limits.MAX_COLUMNS:,} columns are read",
                remedy="Save a list of lists, one inner list a vector.",
            )
        if first >= 0:
            commas = block.count(b",", max(block.rfind(mark) for mark in _BRACKETS))


def _count(buffer: memoryview, mark: str) -> int:
    step = limits.INFLATE_CHUNK_BYTES
    return sum(bytes(buffer[at : at + step]).count(mark.encode()) for at in range(0, len(buffer), step))
