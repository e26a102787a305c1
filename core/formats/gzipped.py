"""Read a gzipped file: ``.npy.gz``, and text that was compressed the same way.

A gzip stream ends with its unpacked size. That is a claim; see `core.formats.inflate`.

Reference: RFC 1952, section 2.3.
"""

from __future__ import annotations

from core.errors import FormatError
from core.formats import inflate, json, npy, text
from core.formats.inflate import GZIP, check_expansion, inflated, unpacked_size
from core.formats.loaded import Decoded, ReadChoices
from core.formats.refused import refuse_by_content

_MAGIC = b"\x1f\x8b\x08"

#: Header and trailer of the shortest gzip stream.
_LEAST_BYTES = 18

#: Deflate cannot shrink further than 1,032 to 1 (zlib's technical notes).
_MOST_DEFLATE = 1032

#: What is looked for inside, in this order.
_INSIDE = ((npy.recognises, npy.read), (json.recognises, json.read), (text.recognises, text.read))


def recognises(buffer: memoryview) -> bool:
    """True when the bytes begin as a gzip stream does."""
    return bytes(buffer[:3]) == _MAGIC


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
    for recognises_inner, read_inner in _INSIDE:
        if recognises_inner(inner):
            if recognises_inner is npy.recognises and choices.columns is not None:
                raise FormatError(
                    f"{name} holds a .npy array; there are no columns to choose in it",
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

    The last four bytes declare the size of the last member; where that is not all (files put
    together from several, padded ones) the size is counted first.
    """
    size = int.from_bytes(buffer[-4:], "little")
    if size > _MOST_DEFLATE * len(buffer):
        raise FormatError(
            f"{name} declares {size:,} bytes unpacked, more than {len(buffer):,} compressed bytes can hold: "
            "it was cut short or damaged",
            remedy="Copy or download it again.",
        )
    check_expansion(name, packed=len(buffer), unpacked=size)
    try:
        return inflated(buffer, name, wbits=GZIP, size=size)
    except FormatError:
        return inflated(buffer, name, wbits=GZIP, size=unpacked_size(buffer, name, wbits=GZIP))
