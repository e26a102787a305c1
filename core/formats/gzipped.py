"""Read a gzipped file: ``.npy.gz``, and text that was compressed the same way.

A gzip stream ends with its unpacked size. That is a claim; see `core.formats.inflate`.

Reference: RFC 1952, section 2.3.
"""

from __future__ import annotations

from core.errors import FormatError, LimitError
from core.formats import inflate, json, npy, text
from core.formats.inflate import GZIP, GZIP_MAGIC, check_expansion, inflated, unpacked_size
from core.formats.loaded import Decoded, ReadChoices
from core.formats.refused import refuse_by_content

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
    raise FormatError(
        f"{name} is compressed by gzip and holds neither a .npy array nor a table of numbers",
        remedy="Unpack it and use the file inside.",
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
