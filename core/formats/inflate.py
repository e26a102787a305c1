"""Unpack deflated bytes under a bound that holds whatever the file declares.

Sizes written in a file are claims. They are checked against what `core.limits` allows and
against what so few bytes could sensibly hold before anything is unpacked, and the
unpacking itself stops at the declared size.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress

from core import limits
from core.errors import FormatError, LimitError
from core.prose import counted

#: `wbits` of zlib: a bare deflate stream (zip), one with a gzip header and checksum.
RAW_DEFLATE, GZIP = -15, 31

#: First bytes of a gzip member (RFC 1952): two of its own, and deflate.
GZIP_MAGIC = b"\x1f\x8b\x08"

#: Packed bytes given to zlib at a time: what is left when a member ends is copied.
_GIVEN_BYTES = 2**16

#: Bytes unpacked at a time: also what a file may unpack to beyond its declared size.
_PIECE_BYTES = 2**18


def check_expansion(name: str, *, packed: int, unpacked: int) -> None:
    """Refuse what unpacks to more than the limits allow, from the declared sizes alone.

    Raises
    ------
    LimitError
        More than `limits.MAX_UNPACKED_BYTES`, or more than `limits.MAX_EXPANSION` times
        the packed size.
    """
    if unpacked > limits.MAX_UNPACKED_BYTES:
        why = f"too large: at most {limits.MAX_UNPACKED_BYTES:,} bytes are unpacked"
    elif unpacked > max(limits.FREE_UNPACKED_BYTES, limits.MAX_EXPANSION * packed):
        why = f"more than {limits.MAX_EXPANSION} times its size, as no embeddings do"
    else:
        return
    raise LimitError(
        f"{name} expands from {packed:,} to {unpacked:,} bytes, {why}",
        remedy="If it is sound, unpack it yourself and save the array with np.save.",
    )


def inflated(packed: memoryview, name: str, *, wbits: int, size: int) -> memoryview:
    """Unpack one deflate stream, or the gzip members of a file, of exactly `size` bytes.

    Memory: `size` bytes, touched only as they are filled, and one chunk.

    Raises
    ------
    FormatError
        The stream is damaged, ends early, or holds more than `size` bytes.
    """
    out, filled = bytearray(size), 0
    for piece in _pieces(packed, name, wbits=wbits):
        if filled + len(piece) > size:
            raise _damaged(name, f"holds more than the {size:,} bytes it declares")
        out[filled : filled + len(piece)] = piece
        filled += len(piece)
    if filled < size:
        raise _damaged(name, f"declares {size:,} bytes but unpacks to {filled:,}")
    return memoryview(out).toreadonly()


def beginning(packed: memoryview, name: str, *, wbits: int, size: int) -> memoryview:
    """The first `size` bytes of a stream, or a piece more, or as many as can be unpacked; nothing is refused."""
    held = bytearray()
    with suppress(FormatError, LimitError):  # said when all of it is unpacked
        for piece in _pieces(packed, name, wbits=wbits):
            held += piece
            if len(held) >= size:
                break
    return memoryview(held).toreadonly()


def unpacked_size(packed: memoryview, name: str, *, wbits: int) -> int:
    """Bytes a stream unpacks to, found by unpacking it and keeping nothing.

    For gzip: what its end declares is the size of the last member alone, modulo 2**32.

    Raises
    ------
    FormatError, LimitError
        Damaged, or more than the limits allow; unpacking stops there.
    """
    size = 0
    for piece in _pieces(packed, name, wbits=wbits):
        size += len(piece)
        check_expansion(name, packed=len(packed), unpacked=size)
    return size


def _pieces(packed: memoryview, name: str, *, wbits: int) -> Iterator[bytes]:
    """What a stream unpacks to, a chunk at a time; checksums are verified on the way."""
    stream, at, members = zlib.decompressobj(wbits), 0, 1
    try:
        while at < len(packed):
            given = packed[at : at + _GIVEN_BYTES]
            at += len(given)
            rest: memoryview | bytes = given
            while rest and not stream.eof:
                piece = stream.decompress(rest, _PIECE_BYTES)
                rest = stream.unconsumed_tail
                if piece:
                    yield piece
            if stream.eof:
                at -= len(stream.unused_data)
                if wbits != GZIP or not _another_member(packed[at:], name):
                    return
                stream, members = zlib.decompressobj(wbits), members + 1
                if members > limits.MAX_GZIP_MEMBERS:
                    raise LimitError(
                        f"{name} is put together from more than {limits.MAX_GZIP_MEMBERS:,} gzip members",
                        remedy="Unpack it and use the file inside.",
                    )
    except zlib.error as error:
        raise _damaged(name, "holds compressed bytes that cannot be unpacked") from error
    if not stream.eof:
        raise _damaged(name, "ends in the middle of its compressed bytes")


def _another_member(rest: memoryview, name: str) -> bool:
    """True unless nothing follows, or the zeros that some tools pad with.

    Raises
    ------
    FormatError
        Something else follows, which is no gzip member.
    """
    if not any(bytes(rest[: limits.INFLATE_CHUNK_BYTES])):
        return False
    if bytes(rest[: len(GZIP_MAGIC)]) != GZIP_MAGIC:
        raise FormatError(
            f"{name} has {counted(len(rest), 'trailing byte')} after the end of its gzip stream, which are no gzip: "
            "something was appended, or its next part is damaged",
            remedy="Copy or download it again, or unpack it and use the file inside.",
        )
    return True


def _damaged(name: str, what: str) -> FormatError:
    return FormatError(
        f"{name} {what}: it was cut short or damaged", remedy="Copy or download it again, or write it again."
    )
