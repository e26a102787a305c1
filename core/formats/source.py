"""Bytes or a path to one read-only buffer, its size and its SHA-256.

A path is mapped, not read: an array that is a view of the buffer then costs no memory
of its own. Everything the operating system can say against a path becomes an
`AuditError` that names the file and never the folder it is in.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

from core.errors import AuditError
from core.formats.mapped import FileMap

#: Opened without waiting, so that a pipe without a writer cannot hold anybody up.
READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

#: What the operating system says, in words a person can act on. Everything else is
#: "could not be read" with the system's own phrase.
_OS_WORDS = {
    errno.ENOENT: "does not exist",
    errno.ENOTDIR: "does not exist",
    errno.EACCES: "may not be read: permission denied",
    errno.EPERM: "may not be read: permission denied",
    errno.ENAMETOOLONG: "does not exist: the name is too long",
    errno.ELOOP: "does not exist: the link points at itself",
}


def open_buffer(source: bytes | memoryview | Path, name: str) -> memoryview:
    """Return the whole file as a read-only buffer; a path is memory-mapped.

    Parameters
    ----------
    source
        Uploaded bytes (viewed, never copied) or a path.
    name
        Name for messages.

    Raises
    ------
    AuditError
        No such file, a folder, no permission, not an ordinary file, or empty.
    """
    if isinstance(source, Path):
        buffer = _map_file(source, name)
    else:
        buffer = memoryview(source).cast("B").toreadonly()
    if len(buffer) == 0:
        raise _empty(name)
    return buffer


def sha256_of(buffer: memoryview) -> str:
    """SHA-256 of the buffer, hexadecimal; reads it once and copies nothing."""
    return hashlib.sha256(buffer).hexdigest()


def _map_file(path: Path, name: str) -> memoryview:
    if not name:  # "", "." and "/" name no file
        raise AuditError(
            "the name of the file is empty: it is that of a folder, or none at all", remedy="Give the path of a file."
        )
    try:
        return map_descriptor(os.open(path, READ_FLAGS), name)
    except AuditError:  # itself a ValueError
        raise
    except ValueError as error:  # a NUL character in the path
        raise AuditError(
            f"{name} does not exist: no file name holds a NUL character", remedy="Check the path."
        ) from error
    except OSError as error:
        words = _OS_WORDS.get(error.errno or 0, f"could not be read: {os.strerror(error.errno or 0)}")
        raise AuditError(f"{name} {words}", remedy="Check the path and its permissions.") from error


def map_descriptor(descriptor: int, name: str) -> memoryview:
    """Map an open file and close its descriptor; what was opened is looked at, not what has its name.

    Raises
    ------
    AuditError
        A folder, not an ordinary file, or empty.
    OSError
        Whatever the system says.
    """
    try:
        held = os.fstat(descriptor)
        if stat.S_ISDIR(held.st_mode):
            raise AuditError(f"{name} is a folder, not a file", remedy="Give one of the files inside it.")
        if not stat.S_ISREG(held.st_mode):
            raise AuditError(f"{name} is not an ordinary file", remedy="Copy its content into a file first.")
        if held.st_size == 0:
            raise _empty(name)
        return memoryview(FileMap.of(descriptor))
    finally:
        os.close(descriptor)


def _empty(name: str) -> AuditError:
    return AuditError(
        f"{name} is empty (0 bytes)",
        remedy="The program that wrote it may have been stopped; write it again.",
    )
