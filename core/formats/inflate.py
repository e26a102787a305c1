"""Unpack deflated bytes under a bound that holds whatever the file declares.

Sizes written in a file are claims. They are checked against what `core.limits` allows and
against what so few bytes could sensibly hold before anything is unpacked, and the
unpacking itself stops at the declared size.
"""

from __future__ import annotations

import zlib

from core import limits
from core.errors import FormatError, LimitError

#: `wbits` of zlib: a bare deflate stream (zip), one with a gzip header and checksum.
RAW_DEFLATE, GZIP = -15, 31


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
    """Unpack one deflate stream of exactly `size` bytes.

    Memory: `size` bytes, touched only as they are filled, and one chunk.

    Raises
    ------
    FormatError
        The stream is damaged, ends early, or holds more than `size` bytes.
    """
    out, filled = bytearray(size), 0
    stream = zlib.decompressobj(wbits)
    try:
        for start in range(0, len(packed), limits.INFLATE_CHUNK_BYTES):
            rest: memoryview | bytes = packed[start : start + limits.INFLATE_CHUNK_BYTES]
            while rest and not stream.eof:
                # One byte more than fits, so that a longer stream shows itself.
                piece = stream.decompress(rest, min(limits.INFLATE_CHUNK_BYTES, size - filled + 1))
                rest = stream.unconsumed_tail
                if filled + len(piece) > size:
                    raise _damaged(name, f"holds more than the {size:,} bytes it declares")
                out[filled : filled + len(piece)] = piece
                filled += len(piece)
            if stream.eof:
                break
    except zlib.error as error:
        raise _damaged(name, "holds compressed bytes that cannot be unpacked") from error
    if not stream.eof or filled < size:
        raise _damaged(name, f"declares {size:,} bytes but unpacks to {filled:,}")
    return memoryview(out).toreadonly()


def _damaged(name: str, what: str) -> FormatError:
    return FormatError(
        f"{name} {what}: it was cut short or damaged", remedy="Copy or download it again, or write it again."
    )
