"""Which stored types hold real numbers, from the type string of a ``.npy`` header.

The string is matched against numpy's own spelling (byte order, kind, bytes a value) and
never handed to numpy's type parser: that one also knows structures, subarrays, fields
and objects, and none of those is a matrix of numbers.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from core.errors import FormatError
from core.formats.listing import shortened

_TYPE = re.compile(r"(?P<order>[<>|=]?)(?P<kind>[?A-Za-z])(?P<size>\d{0,9})(?P<unit>\[.{0,20}\])?")

#: Kind and bytes a value of everything the audit can read; V2 is asked about later.
_READ = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "V2"}

#: Other spellings numpy knows for those types: full names, and single letters.
_SPELLED = {
    **{np.dtype(name).name: name for name in _READ if name != "V2"},
    **{"half": "f2", "single": "f4", "double": "f8"},
    **{"e": "f2", "f": "f4", "d": "f8", "b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4"},
    **{"q": "i8", "Q": "u8"},
}

_OBJECTS = (
    "holds Python objects (a pickle), which are never loaded: unpickling can run any code",
    "Where you made it, save the numbers alone: np.save('new.npy', np.stack(list(x)).astype('float32')), "
    "or x.item()['embeddings'] if x is a dict.",
)
_TEXT = ("holds text, not numbers", "Convert and save: np.save('new.npy', x.astype('float32')).")

#: Kind -> (what it holds, what to do about it).
_REFUSED = {
    "O": _OBJECTS,
    "[": (
        "holds records with named fields (a structured type), not one matrix",
        "Save the fields of the vectors, by their names: np.save('new.npy', np.stack([x[k] for k in names], 1)).",
    ),
    "b": (
        "holds bool values (true/false, 0/1)",
        "If they are signs of a binary quantisation, save them so: np.save('new.npy', np.where(x, 1, -1)).",
    ),
    "c": (
        "holds complex numbers; a cosine of the real parts alone would drop half of each",
        "Save what you mean: np.save('new.npy', np.hstack([x.real, x.imag])).",
    ),
    "M": ("holds dates and times, not vectors", "Save the array with the embeddings instead."),
    "m": ("holds time differences, not vectors", "Save the array with the embeddings instead."),
    "U": _TEXT,
    "S": _TEXT,
    "a": _TEXT,
    "T": _TEXT,
}
_REFUSED["?"] = _REFUSED["b"]

#: Types that are spelled out, where their kind is refused; others are refused by their names.
_NAMED = {"[": "[", "bool": "b", "object": "O", "str": "U", "complex64": "c", "complex128": "c"}

_FLOAT8 = (
    "holds one-byte values of a type numpy does not know (void V1), most likely float8",
    "Convert before saving: np.save('new.npy', x.astype('float32')).",
)
_LONG_DOUBLE = (
    "holds long double numbers, whose bytes mean different things on different machines",
    "Save float64: np.save('new.npy', x.astype('float64')).",
)


def stored_type(descr: str, name: str, *, field: str = "") -> np.dtype[Any]:
    """Return the numpy type for `descr`: real numbers, or two-byte void.

    Parameters
    ----------
    descr, name
        Type string, and what to call the file.
    field
        Of a structured type, the field that may hold the vectors.

    Raises
    ------
    FormatError
        Any other type, in words that name it.
    """
    if descr.lstrip("<|=") == "bfloat16":  # two bytes by a name numpy has not: asked about, as V2 is
        return np.dtype("V2")
    plain = descr.lstrip("<>|=")
    match = _TYPE.fullmatch(descr[: len(descr) - len(plain)] + _SPELLED.get(plain, plain))
    kind, size = (match["kind"], match["size"]) if match else (_NAMED.get(descr, ""), "")
    if match and not match["unit"] and kind + size in _READ:
        order = match["order"].replace("|", "=") or "="
        return np.dtype(f"{order}{kind}{size}")
    holds, remedy = _why_not(kind, size, descr)
    if kind == "[" and field:
        remedy = f"Save the field with the vectors: np.save('new.npy', x[{shortened(field)!r}])."
    raise FormatError(f"{name} {holds}", remedy=remedy)


def is_object_type(descr: str) -> bool:
    """True for Python objects, which are stored as a pickle."""
    return descr.lstrip("<>|=").rstrip("0123456789") in {"O", "object"}


def _why_not(kind: str, size: str, descr: str) -> tuple[str, str]:
    if kind + size in {"V1", "f1"}:
        return _FLOAT8
    if kind + size in {"f10", "f12", "f16", "g"}:
        return _LONG_DOUBLE
    return _REFUSED.get(
        kind,
        (
            f"holds values of the type {descr[:40]!r}, which are not numbers numpy can read",
            "Convert before saving: np.save('new.npy', x.astype('float32')).",
        ),
    )
