"""A local folder whose files may be opened in place instead of being uploaded.

For data already on the machine and too large to drop in a browser. Off unless the person
who starts the dashboard names a folder; nothing outside that folder can be reached, by
``..``, an absolute path, a link, a device or any odd name: only names that the listing
itself gave are opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import AuditError
from core.formats.source import READ_FLAGS, map_descriptor
from core.limits import DATA_FOLDER_DEPTH, DATA_FOLDER_FILES

__all__ = ["DataFolder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFolder:
    """A folder to choose files from.

    Attributes
    ----------
    root
        Absolute path without links; never shown to a person.
    suffixes
        Lower-case ends of names worth listing.
    """

    root: Path
    suffixes: tuple[str, ...]

    @classmethod
    def at(cls, path: str, suffixes: tuple[str, ...]) -> DataFolder:
        """The folder at a path.

        Raises
        ------
        AuditError
            The path is not a folder that can be read.
        """
        try:
            root = Path(path).resolve(strict=True)
            os.scandir(root).close()  # asks the system; permissions alone do not tell
            may_enter = os.access(root, os.X_OK)
        except (OSError, ValueError, RuntimeError) as error:
            raise _no_folder() from error
        if not may_enter:
            raise _no_folder()
        return cls(root=root, suffixes=suffixes)

    def names(self) -> tuple[str, ...]:
        """Relative names of the readable files, sorted; at most `DATA_FOLDER_FILES`."""
        found = []
        for name in self._walk(self.root, DATA_FOLDER_DEPTH):
            found.append(name)
            if len(found) == DATA_FOLDER_FILES:
                break
        return tuple(sorted(found))

    def opened(self, name: str) -> memoryview:
        """The bytes of a listed file, memory-mapped.

        Every step from the folder down is opened without following links, so that a file or
        folder exchanged after it was listed leads nowhere else.

        Raises
        ------
        AuditError
            The name is not in the listing, or the file is gone; missing and forbidden files are
            one message. Or it is empty, or no longer an ordinary file.
        """
        if name not in self.names():
            raise _not_listed()
        try:
            return map_descriptor(self._descriptor(Path(name).parts), Path(name).name)
        except OSError as error:
            raise _not_listed() from error

    def _descriptor(self, parts: tuple[str, ...]) -> int:
        """Open a file below the folder one step at a time."""
        if os.open not in os.supports_dir_fd:  # Windows
            return os.open(self.root.joinpath(*parts), READ_FLAGS)
        folder = os.open(self.root, READ_FLAGS | os.O_DIRECTORY)
        for place, part in enumerate(parts, start=1):
            kind = 0 if place == len(parts) else os.O_DIRECTORY
            try:
                inner = os.open(part, READ_FLAGS | os.O_NOFOLLOW | kind, dir_fd=folder)
            finally:
                os.close(folder)
            folder = inner
        return folder

    def _walk(self, folder: Path, depth: int) -> Iterator[str]:
        """Names below a folder; links are not followed, devices and hidden files not listed."""
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:  # a subfolder that may not be read is not listed
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            try:
                is_folder, is_listed = entry.is_dir(follow_symlinks=False), self._listed(entry)
            except OSError:  # gone since the folder was read
                continue
            if is_folder and depth > 0:
                yield from self._walk(Path(entry.path), depth - 1)
            elif is_listed:
                yield str(Path(entry.path).relative_to(self.root))

    def _listed(self, entry: os.DirEntry[str]) -> bool:
        return (
            entry.name.lower().endswith(self.suffixes)
            and stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
            and os.access(entry.path, os.R_OK)
        )


def _not_listed() -> AuditError:
    return AuditError("that file is not in the data folder", remedy="Choose one of the files in the list.")


def _no_folder() -> AuditError:
    return AuditError(
        "the data folder named by COSINE_FLOOR_DATA_DIR cannot be read",
        remedy="Start again with the path of a folder that the dashboard may read.",
    )
