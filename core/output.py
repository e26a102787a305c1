"""Writing a report or an array to a file, whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import AuditError

__all__ = ["check_writable", "npy_bytes", "write_whole"]


def check_writable(path: Path, inputs: list[Path], *, flag: str = "--output") -> None:
    """Refuse an output that cannot be written, before any work is done for it.

    Raises
    ------
    AuditError
        It is one of the inputs, or its folder does not exist or may not be written to.
    """
    for given in inputs:
        if os.path.exists(path) and os.path.exists(given) and os.path.samefile(path, given):
            raise AuditError(
                f"{flag} {path.name} is one of the inputs, which it would overwrite", remedy="Choose another file."
            )
    reason = _why_not(path)
    if reason:
        raise AuditError(
            f"{path.name or 'the output'} could not be written: {reason}",
            remedy="Choose a file in a folder you can write to.",
        )


def _why_not(path: Path) -> str:
    """Why a file cannot be put here, or an empty string."""
    folder = Path(os.path.realpath(path)).parent
    try:
        there = path.exists()  # raises where a name is longer than the file system takes
    except OSError as error:
        return (error.strerror or "it cannot be reached").lower()
    if path.is_dir():
        return "it is a folder"
    if not folder.is_dir():
        return "its folder does not exist"
    if not there and not os.access(folder, os.W_OK):
        return "its folder may not be written to"
    return ""


def npy_bytes(array: NDArray[np.generic]) -> bytes:
    """The bytes of a ``.npy`` file that holds an array."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write bytes, or text as UTF-8; the file appears complete, or stays as it was.

    A link is followed. A pipe or a device is written to as it is: putting a file in the
    place of ``/dev/null`` would break the machine.

    Raises
    ------
    AuditError
        The folder does not exist or may not be written to.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise AuditError(
            f"{path.name} could not be written: {error.strerror}",
            remedy="Choose a file in a folder you can write to.",
        ) from error


def _replace(path: Path, data: bytes) -> None:
    """Write beside the file, then put the finished whole in its place."""
    handle, partial = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(partial, _mode_of(path))
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise


def _mode_of(path: Path) -> int:
    """The mode of the file that is replaced, or what a plain ``open`` would give a new one."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
