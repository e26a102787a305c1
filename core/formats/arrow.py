"""Recognise ``.parquet`` and ``.arrow`` files; read them in a process of their own.

Reading is in `core.formats.arrow_tables`, which imports pyarrow. It runs apart
because damaged Parquet can end the process that reads it; see `core.formats.apart`.
"""

from __future__ import annotations

from core.formats.apart import read_apart
from core.formats.loaded import Decoded, ReadChoices

_TABLES = "core.formats.arrow_tables"

_PARQUET = b"PAR1"
_ARROW_FILE = b"ARROW1\x00\x00"

#: An Arrow stream: a continuation mark, then the schema message's length.
_ARROW_STREAM = b"\xff\xff\xff\xff"


def recognises_parquet(buffer: memoryview) -> bool:
    """True when the bytes begin as a Parquet file does."""
    return bytes(buffer[:4]) == _PARQUET


def recognises_arrow(buffer: memoryview) -> bool:
    """True for an Arrow file, and for an Arrow stream that begins with a plausible schema."""
    if bytes(buffer[:8]) == _ARROW_FILE:
        return True
    length = int.from_bytes(buffer[4:8], "little", signed=True)
    return bytes(buffer[:4]) == _ARROW_STREAM and 0 < length <= len(buffer) - 8 and length % 8 == 0


def read_parquet(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of a Parquet file; see `core.formats.arrow_tables.read_parquet`."""
    return read_apart(_TABLES, "read_parquet", buffer, name, choices)


def read_arrow(buffer: memoryview, name: str, choices: ReadChoices) -> Decoded:
    """Return the vectors of an Arrow file or stream; see `core.formats.arrow_tables.read_arrow`."""
    return read_apart(_TABLES, "read_arrow", buffer, name, choices)
