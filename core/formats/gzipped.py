"""Read a gzipped file: ``.npy.gz``, and text that was compressed the same way.

A gzip stream ends with its unpacked size. That is a claim; see `core.formats.inflate`.

Reference: RFC 1952, section 2.3.
"""

from __future__ import annotations

import re

from core.errors import FormatError, LimitError
from core.formats import inflate, json, npy, text
from core.formats.inflate import GZIP, GZIP_MAGIC, check_expansion, inflated, unpacked_size
from core.formats.loaded import Decoded, ReadChoices
from core.formats.refused import refuse_by_content, refuse_by_name

#: Header and trailer of the shortest gzip stream.
_LEAST_BYTES = 18

#: Deflate cannot shrink further than 1,032 to 1 (zlib's technical notes).
_MOST_DEFLATE = 1032

#: What is looked for inside, in this order; what it is called, and what can be chosen in it.
_INSIDE = (
    (npy.recognises, npy.read, "a .npy array", frozenset[str]()),
    (json.recognises, json.read, "JSON text", frozenset({"columns", "key"})),
    (text.recognises, text.read, "a table of text", frozenset({"columns"})),
)


_GUNZIP = "Unpack it and give the file inside: gunzip -k old.gz."

#: First bytes of what is read only when it is not compressed again; what it is, and what helps.
_KINDS = (
    (GZIP_MAGIC, "a gzip file", "Unpack it once and give the .gz inside: gunzip -c old.gz > new.gz."),
    (b"PAR1", "a Parquet table", _GUNZIP),
    ((b"ARROW1", b"\xff\xff\xff\xff"), "an Arrow table", _GUNZIP),
    (b"PK\x03\x04", "a zip archive (.npz)", _GUNZIP),
)


def recognises(buffer: memoryview) -> bool:
    """True when the bytes begin as a gzip stream does."""
    return bytes(buffer[:3]) == GZIP_MAGIC


def read(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Unpack a gzip file, of one member or several, and read the array or the table inside.

    Memory: the unpacked size, at most `limits.MAX_UNPACKED_BYTES`.

    Raises
    ------
    FormatError, LimitError
        Not gzip, damaged, too large, or holding none of the formats that are looked for.
    """
    if not recognises(buffer) or len(buffer) < _LEAST_BYTES:
        raise FormatError(f"{name} is not a whole gzip file", remedy="Copy or download it again.")
    beginning = inflate.beginning(buffer, name, wbits=GZIP, size=npy.MOST_HEADER_BYTES)
    npy.refuse_outsized_by_header(beginning, name)
    inner = _unpacked(buffer, name)
    if not len(inner):
        raise FormatError(f"{name} is compressed by gzip and holds nothing", remedy="Write it again.")
    refuse_by_content(inner, name)
    for recognises_inner, read_inner, title, uses in _INSIDE:
        if recognises_inner(inner):
            for field, word in (("columns", "are no columns"), ("key", "is no key")):
                if field not in uses and getattr(choices, field) is not None:
                    raise FormatError(
                        f"{name} holds {title}; there {word} to choose in it",
                        remedy="Leave that choice out for this file.",
                    )
            return read_inner(inner, name, choices)
    raise _unread(inner, name)


def _unread(inner: memoryview, name: str) -> FormatError:
    """The refusal of what is inside, by its kind where its first bytes or the name in front of ``.gz`` tell it."""
    for starts, what, remedy in _KINDS:
        if bytes(inner[:8]).startswith(starts):
            return FormatError(f"{name} holds {what}, compressed by gzip on top, which is not read", remedy=remedy)
    plain = re.sub(r"\.gz(?:ip)?$", "", name, flags=re.IGNORECASE)
    try:
        refuse_by_name(inner, plain)
    except FormatError as error:
        return FormatError(f"{name} is compressed by gzip; {error.sentence}", remedy=error.remedy)
    return FormatError(
        f"{name} is compressed by gzip, and what is inside is in no format that is read: its first bytes are those "
        "of none",
        remedy="Unpack it (gunzip -k) and look what it is; if it is an array, save it: np.save('new.npy', x).",
    )


def shape_of(buffer: memoryview, name: str, choices: ReadChoices) -> tuple[int, ...] | None:
    """The shape that a ``.npy`` inside declares; `None` for anything else."""
    start = inflate.beginning(buffer, name, wbits=GZIP, size=npy.MOST_HEADER_BYTES)
    return npy.declared_shape(start, name) if npy.recognises(start) else None


def _unpacked(buffer: memoryview, name: str) -> memoryview:
    """The bytes inside, of one size held against the limits before they are.

    The last four bytes declare the size of the last member. Where they cannot (the file was cut
    short, or something was appended), or that is not all (files put together from several,
    padded ones), the size is counted first, under the same limits.
    """
    size = int.from_bytes(buffer[-4:], "little")
    if size > _MOST_DEFLATE * len(buffer):
        size = unpacked_size(buffer, name, wbits=GZIP)
    try:
        check_expansion(name, packed=len(buffer), unpacked=size)
    except LimitError as too_large:
        size = _counted(buffer, name, too_large)
    try:
        return inflated(buffer, name, wbits=GZIP, size=size)
    except FormatError:
        return inflated(buffer, name, wbits=GZIP, size=unpacked_size(buffer, name, wbits=GZIP))


def _counted(buffer: memoryview, name: str, too_large: LimitError) -> int:
    """The size found by unpacking, where the declared one is `too_large` and may be no size at all."""
    try:
        return unpacked_size(buffer, name, wbits=GZIP)
    except LimitError:
        raise too_large from None
