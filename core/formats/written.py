"""Numbers written out as text: one cell, or a whole vector in brackets.

Vectors come as Python or JSON lists ``[0.1, 0.2]``, as numpy prints them
``[0.1 0.2\\n 0.3]``, as ``array([...])`` or ``tensor([...])``, and with numpy 2's
``np.float32(0.1)`` inside. A printed vector that was shortened to ``...`` is gone for good.
"""

from __future__ import annotations

import re

#: numpy 2 prints the numbers of a list so.
_WRAPPED = re.compile(r"np\.float(?:16|32|64)\(([^()]*)\)")

#: One vector: brackets of any kind, perhaps inside the name of an array type. No two
#: repeats meet, so that no cell can make the match slow.
_VECTOR = re.compile(
    r"(?:(?:np\.)?array\(|tensor\()?[\[({]{1,2}(?P<body>[^\[\](){}]*)[\])}]{1,2}"
    r"(?:,\s*d(?:type|evice)=[\w.':]{1,30}){0,2}\)?"
)


#: What programs write where there is no number; ``nan`` is one to Python already.
_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "null", "none", "nan"})

#: Longest of them.
_MISSING_CHARS = 5


#: What stands between the numbers of a vector, where a comma alone may stand inside one.
_BETWEEN = re.compile(r",\s+|\s+|;")

#: 0,3456 and what may stand beside it; a vector of whole numbers never holds -0 or 0821.
_COMMA_INSIDE = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_BESIDE_COMMAS = re.compile(r"[+-]?\d+|nan|none|null|na", re.IGNORECASE)
_NO_WHOLE = re.compile(r"-0|[+-]?0\d+")


#: Bytes written as text, four numbers at least; names of models have marks between their words.
_BASE64 = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}")


class ShortenedError(ValueError):
    """The vector was shortened when it was printed."""


class CommaError(ValueError):
    """Commas stand inside the numbers of the vector, and between them most likely too."""


def is_number(cell: str) -> bool:
    """True for what `number` accepts."""
    try:
        number(cell)
    except ValueError:
        return False
    return True


def is_missing(cell: str) -> bool:
    """True for an empty cell and for the words that stand for a missing value."""
    bare = cell.strip()
    return len(bare) <= _MISSING_CHARS and bare.lower() in _MISSING


def number(cell: str) -> float:
    """The number written in `cell`.

    Raises
    ------
    ValueError
        Anything else, and ``1_000``, which Python would take.
    """
    if "_" in cell:
        raise ValueError(cell)
    return float(cell)


def is_vector(cell: str) -> bool:
    """True when `cell` looks like a vector in brackets, sound or not."""
    start = cell.lstrip()[:8]
    return start[:1] in ("[", "(", "{") or start.startswith(("array(", "np.array", "tensor("))


def may_be_packed(cell: str) -> bool:
    """True for a vector in brackets, sound or not, and for what may be bytes written as base64."""
    bare = cell.strip()
    return is_vector(bare) or (len(bare) % 4 == 0 and _BASE64.fullmatch(bare) is not None)


def vector(cell: str) -> list[float]:
    """The numbers of a vector written in `cell`.

    Raises
    ------
    ShortenedError
        It holds ``...``.
    CommaError
        Its numbers have decimal commas, so that each would be read as two.
    ValueError
        It is not a vector of numbers.
    """
    if "..." in cell or "…" in cell:
        raise ShortenedError(cell)
    if "np.float" in cell:
        cell = _WRAPPED.sub(r"\1", cell)
    match = _VECTOR.fullmatch(cell.strip())
    if match is None or "_" in match["body"]:
        raise ValueError(cell)
    if "," in match["body"] and "." not in match["body"] and _has_decimal_commas(match["body"]):
        raise CommaError(cell)
    return [float(part) for part in match["body"].replace(",", " ").split()]


def _has_decimal_commas(body: str) -> bool:
    """True for ``0,3456, -0,8216``, and for ``0,3456,-0,0821``, where no whole numbers are written so."""
    parts = [part for part in _BETWEEN.split(body) if part]
    inside = [part for part in parts if _COMMA_INSIDE.fullmatch(part)]
    others = (part for part in parts if not _COMMA_INSIDE.fullmatch(part))
    if inside and len(parts) > 1 and all(map(_BESIDE_COMMAS.fullmatch, others)):
        return True
    halves = body.split(",") if len(parts) == 1 else []
    return len(halves) % 2 == 0 and all(map(str.isdigit, halves[1::2])) and any(map(_NO_WHOLE.fullmatch, halves))
