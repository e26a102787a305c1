"""What is said before a large file is read: its name, its size, and how long that takes at least."""

from __future__ import annotations

from core.limits import READ_BYTES_PER_SECOND, SAY_READING_BYTES, SAY_SECONDS
from core.memory import memory_words
from core.report.names import visible
from core.report.numbers import duration

__all__ = ["reading_words"]


def reading_words(name: str, size: int) -> str:
    """ "Reading a.npy, 24.0 GB: about 60 s"; empty for a file of `size` bytes that is read at once."""
    if size < SAY_READING_BYTES:
        return ""
    seconds = size / READ_BYTES_PER_SECOND
    wait = f": {duration(seconds)}" if seconds >= SAY_SECONDS else ""
    return f"Reading {visible(name)}, {memory_words(size)}{wait}"
