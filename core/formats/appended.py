"""Arrow, Parquet and zip files that hold more, or less, than the library that reads them says.

An Arrow stream ends where its mark is or where the bytes end, so one that was cut after a batch
looks whole; pyarrow reads the first of two appended streams, and of two appended files whatever
the last footer points at, which is counted from the wrong beginning; `zipfile` reads the last of two
appended archives. Each loses rows unseen.

References: Arrow columnar format 1.5, "IPC Streaming Format" and "IPC File Format"; Parquet format, "File format";
PKWARE APPNOTE 6.3.10, section 4.3.16 (end of central directory).
"""

from __future__ import annotations

import re

import numpy as np

from core.errors import FormatError
from core.formats.loaded import Word
from core.prose import agreed, counted

#: How a stream says that no batch follows: a continuation mark, and a message of no bytes.
_END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"

#: Where one file ends and another begins: its magic, and before it the size of its footer.
_ARROW_SEAM = re.compile(rb"ARROW1ARROW1\x00\x00")
_PARQUET_SEAM = re.compile(rb"PAR1PAR1")

#: The end of a zip archive's directory: 22 bytes, the length of a comment last, and the comment.
_END_OF_ARCHIVE, _END_BYTES = b"PK\x05\x06", 22

#: A marker that may stand before the first member of an archive.
_MARKER_BYTES = 4

_TOGETHER = "Read each alone and save them together: np.save('new.npy', np.concatenate([first, second]))."


def refuse_appended_files(buffer: memoryview, name: str, title: str) -> None:
    """Refuse two files of one kind put one after the other. Time O(bytes).

    Raises
    ------
    FormatError
        Another file begins where one ends.
    """
    for seam in (_PARQUET_SEAM if title == "Parquet" else _ARROW_SEAM).finditer(buffer):
        footer = int.from_bytes(buffer[seam.start() - 4 : seam.start()], "little")
        if 0 < footer < seam.start():  # text that names the format has letters there, so a number far larger
            more = counted(len(buffer) - seam.start() - len(seam[0].rstrip(b"\x00")) // 2, "byte")
            raise FormatError(
                f"{name} holds several {title} files one after the other: {more} follow the first, "
                "and its rows cannot be told from theirs",
                remedy=_TOGETHER,
            )


def refuse_open_end(buffer: memoryview, end: int, rows: int, name: str) -> None:
    """Refuse an Arrow stream without its end mark, or with more than padding behind it.

    Parameters
    ----------
    buffer
        The whole file.
    end : int
        Where the reader stopped, in bytes from the start.
    rows : int
        How many rows it had read by then.
    name : str
        For the sentence.

    Raises
    ------
    FormatError
        Rows may be missing at the end, or stand behind it.
    """
    if bytes(buffer[end - len(_END_OF_STREAM) : end]) != _END_OF_STREAM:
        raise FormatError(
            f"{name} ends after {counted(rows, 'row')} without the mark that ends an Arrow stream: it was cut short, "
            "or its writer was never closed",
            remedy="Copy or download it again; if no row is missing, write it again: feather.write_feather("
            "pa.ipc.open_stream(open('old.arrow', 'rb')).read_all(), 'new.arrow').",
        )
    rest = buffer[end:]
    if not np.frombuffer(rest, np.uint8).any():  # nothing, or padding
        return
    more = "the rows of another stream" if bytes(rest[:4]) == _END_OF_STREAM[:4] else "rows or something else"
    follow = f"{counted(len(rest), 'byte')} {agreed(len(rest), 'follows', 'follow')}"
    raise FormatError(
        f"{name} is an Arrow stream of {counted(rows, 'row')}, and {follow} its end: {more}",
        remedy=_TOGETHER if more.startswith("the") else "Write it again, or cut off what was appended.",
    )


def refuse_before_archive(first: int, name: str) -> None:
    """Refuse a zip archive whose first member begins so many bytes into the file.

    Raises
    ------
    FormatError
        Another archive, most likely, stands in front.
    """
    if first > _MARKER_BYTES:
        raise FormatError(
            f"{name} has {first:,} bytes before the archive (.npz) that its last bytes describe, two archives one "
            "after the other most likely, and the arrays of the first would not be read",
            remedy=_TOGETHER,
        )


def archive_words(buffer: memoryview) -> tuple[Word, ...]:
    """The word about bytes behind a sound zip archive."""
    tail = bytes(buffer[-(_END_BYTES + 2**16) :])
    at = tail.rfind(_END_OF_ARCHIVE)
    comment = int.from_bytes(tail[at + _END_BYTES - 2 : at + _END_BYTES], "little")
    more = len(tail) - (at + _END_BYTES + comment)
    if at < 0 or more <= 0:
        return ()
    text = f"{counted(more, 'byte')} {agreed(more, 'follows', 'follow')} after the archive, not read; "
    return (Word(code="trailing_bytes", text=f"{text}the file may hold a part of a second archive."),)
