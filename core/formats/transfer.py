"""Binary files that a transfer took for text: line feeds changed, or all bytes written in another encoding.

Such a file often keeps its first bytes and its shape, and holds other numbers. A sound binary
file has line feeds with any byte before them, so that all of them standing behind a carriage
return gives it away; the first one that does not ends the search.
"""

from __future__ import annotations

import re
from typing import Any

from core.errors import FormatError

__all__ = [
    "PARQUET_TAIL_BYTES",
    "changed_line_feeds",
    "line_feeds_doubled",
    "reencoded",
    "refuse_changed",
    "refuse_moved_chunks",
    "refuse_reencoded_start",
]

#: Line feeds that must be there before "all of them" says something of a file that cannot be read.
_FEWEST = 4

#: Footer length and magic at the end of a Parquet file.
PARQUET_TAIL_BYTES = 8

_PIECE_BYTES = 2**20

#: Bytes looked at for another encoding, and characters beyond ASCII among them that make text of it: so many, and
#: so many different ones, or that mark of what could not be taken. The time of day in an archive can be one.
_ENCODED_BYTES, _FEWEST_CHARACTERS, _FEWEST_KINDS = 2**16, 16, 8
_NOT_TAKEN = "\ufffd"

#: How a ``.npy`` begins after its first byte was taken for a character (Latin-1, Windows-1252,
#: unknown), for seven bits, for nothing, or has a mark of UTF-8 before it; then the version.
_NPY_START = re.compile(
    rb"(?:\xef\xbb\xbf\x93|(?:\xef\xbb\xbf)?(?:\xc2\x93|\xe2\x80\x9c|\xef\xbf\xbd|\?|\x13)?)NUMPY[\x01-\x03]\x00"
)
_GZIP_STARTS = (b"\x1f\xc2\x8b\x08", b"\x1f\xe2\x80\xb9\x08", b"\x1f\xef\xbf\xbd\x08")
_WIDE = "NUMPY".encode("utf-16-le")


def line_feeds_doubled(buffer: memoryview) -> int:
    """The line feeds, where a carriage return stands before each one; 0 where one stands alone.

    Time: to the first that stands alone, some hundred bytes into a sound file.
    """
    found, last = 0, b""
    for start in range(0, len(buffer), _PIECE_BYTES):
        piece = last + bytes(buffer[start : start + _PIECE_BYTES])
        pairs = piece.count(b"\r\n")
        if pairs < piece.count(b"\n") - (last == b"\n"):
            return 0
        found += pairs
        last = piece[-1:]
    return found


def refuse_changed(buffer: memoryview, name: str) -> None:
    """Refuse bytes that could not be read, where a transfer as text is the reason; return where it is not.

    Raises
    ------
    FormatError
        Every line feed doubled, or the bytes are UTF-8 throughout.
    """
    if line_feeds_doubled(buffer) >= _FEWEST:
        raise changed_line_feeds(name)
    head = bytes(buffer[:_ENCODED_BYTES])
    foreign = [character for character in _as_utf8(head) or "" if character > "\x7f"]
    kinds = set(foreign)
    if len(foreign) >= _FEWEST_CHARACTERS and (len(kinds) >= _FEWEST_KINDS or _NOT_TAKEN in kinds):
        raise reencoded(name)


def refuse_reencoded_start(buffer: memoryview, name: str) -> None:
    """Refuse the beginnings of a ``.npy`` or a gzip file in another encoding.

    Raises
    ------
    FormatError
        As `reencoded` says.
    """
    head = bytes(buffer[:32])
    if _NPY_START.match(head) or head.startswith(_GZIP_STARTS) or _WIDE in head[:16]:
        raise reencoded(name)


def refuse_moved_chunks(buffer: memoryview, metadata: Any, name: str) -> None:
    """Refuse a Parquet file whose footer stands as many bytes too late as there are doubled line feeds.

    Raises
    ------
    FormatError
        Its columns would be read from the wrong bytes, which need not fail.
    """
    footer = len(buffer) - PARQUET_TAIL_BYTES - int.from_bytes(buffer[-8:-4], "little")
    doubled = line_feeds_doubled(buffer[:footer])
    if not doubled:
        return
    end = 0
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        for column in range(group.num_columns):
            chunk = group.column(column)
            starts = [at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at]
            end = max(end, min(starts) + chunk.total_compressed_size)
    if footer - end == doubled:
        raise changed_line_feeds(name)


def changed_line_feeds(name: str) -> FormatError:
    """The refusal of a file whose line feeds were changed."""
    return FormatError(
        f"{name} was changed by a text-mode transfer: line feeds were turned into other line ends, also where those "
        "bytes are parts of numbers",
        remedy="Copy it again as binary (FTP: type binary; git: *.npy binary in .gitattributes; Python: mode 'wb').",
    )


def reencoded(name: str) -> FormatError:
    """The refusal of a file whose bytes were taken for characters."""
    return FormatError(
        f"{name} was read as text and written again in another encoding, which changes its bytes beyond repair",
        remedy="Copy it again as binary: open it with 'rb' and 'wb', download it as bytes "
        "(response.content, not response.text).",
    )


def _as_utf8(head: bytes) -> str | None:
    """The text, `None` for bytes that are none; up to three at the end may be a part of a character."""
    for cut in range(4):
        try:
            return head[: len(head) - cut].decode("utf-8")
        except UnicodeDecodeError as error:
            if error.start < len(head) - 4:
                return None
    return None
