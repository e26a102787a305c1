"""Writing a report to a file, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from core.errors import AuditError

__all__ = ["write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write text as UTF-8; the file appears complete, or stays as it was.

    A link is followed. A pipe or a device is written to as it is: putting a file in the
    place of ``/dev/null`` would break the machine.

    Raises
    ------
    AuditError
        The folder does not exist or may not be written to.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="")
        else:
            _replace(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise AuditError(
            f"{path.name} could not be written: {error.strerror}",
            remedy="Choose a file in a folder you can write to.",
        ) from error


def _replace(path: Path, text: str) -> None:
    """Write beside the file, then put the finished whole in its place."""
    handle, partial = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.chmod(partial, _usual_mode())
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise


def _usual_mode() -> int:
    """What a plain ``open`` would give a new file: mkstemp makes it private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
