"""Is this text, and in which encoding? From the first bytes alone."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from core import limits
from core.errors import LimitError

#: Byte order mark -> codec, longest first: UTF-32's begins with UTF-16's.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

#: Bytes that text does not hold and numbers nearly always do.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

#: Letters, digits and marks of ASCII, and what ends a line.
_PLAIN = re.compile(rb"[\t\r\n\x20-\x7e]*")

#: Fewest bytes at which text of two bytes a letter is no accident.
_SURE_BYTES = 16


def encoding_of(buffer: memoryview) -> str | None:
    """Codec of a text file, or `None` when the first bytes are not text.

    A byte order mark decides; without one, text is UTF-8 and holds no control bytes, or
    UTF-16 of plain letters and digits.
    """
    head = bytes(buffer[: limits.TEXT_SAMPLE_BYTES])
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec
    if not head or not _CONTROL.search(head):
        return "utf-8" if head else None
    return _unmarked_utf16(head)


def _unmarked_utf16(head: bytes) -> str | None:
    """The codec of UTF-16 without a byte order mark: every other byte is 0, and the rest is plain text.

    Small whole numbers of two bytes look alike; hardly ever are they all letters, digits and marks.
    """
    for codec, zeros, letters in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if len(head) >= _SURE_BYTES and not zeros.strip(b"\x00") and _PLAIN.fullmatch(letters):
            return codec
    return None


class BufferStream(io.RawIOBase):
    """A buffer as a binary stream, without copying it."""

    def __init__(self, buffer: memoryview) -> None:
        self._buffer, self._at = buffer, 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._buffer[self._at : self._at + len(target)]
        target[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def lines_of(buffer: memoryview, codec: str, name: str) -> Iterator[str]:
    """The lines of the text one by one; see `line_blocks`."""
    for lines in line_blocks(buffer, codec, name):
        yield from lines


def line_blocks(buffer: memoryview, codec: str, name: str) -> Iterator[list[str]]:
    r"""The lines of the text, each ending in ``\n``, many at a time, decoded as they are read.

    Blank lines at the end are left out. Bytes that are not valid become the replacement
    character: in a number it is refused where the number is read, anywhere else it does not matter.

    Raises
    ------
    LimitError
        A line longer than `limits.MAX_LINE_CHARS`, whose cells would cost many times its size,
        or more than `limits.MAX_BLANK_LINES` without anything in them.
    """
    if codec in ("utf-8", "cp1252"):
        buffer = buffer[: _end_of_text(buffer)]
    stream = io.BufferedReader(BufferStream(buffer), buffer_size=2**18)
    text = io.TextIOWrapper(stream, encoding=codec, errors="replace")
    blank = 0
    while piece := text.read(limits.TEXT_BLOCK_CHARS):
        piece += text.readline(limits.MAX_LINE_CHARS + 1)
        lines = io.StringIO(piece).readlines()
        if len(piece) > limits.MAX_LINE_CHARS and len(max(lines, key=len)) > limits.MAX_LINE_CHARS:
            raise LimitError(
                f"{name} has a line of more than {limits.MAX_LINE_CHARS:,} characters",
                remedy="Save one vector a line, or the array with np.save.",
            )
        blank += lines.count("\n")
        if blank > limits.MAX_BLANK_LINES:
            raise LimitError(
                f"{name} has more than {limits.MAX_BLANK_LINES:,} blank lines",
                remedy="Take them out, or save the array with np.save.",
            )
        yield lines


def _end_of_text(buffer: memoryview) -> int:
    """Where the blank lines at the end begin, in bytes."""
    end = len(buffer)
    while end:
        start = max(0, end - limits.INFLATE_CHUNK_BYTES)
        if piece := bytes(buffer[start:end]).rstrip(b" \r\n"):
            return start + len(piece)
        end = start
    return 0
