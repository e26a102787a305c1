"""The folder of this machine whose files the page offers beside its upload boxes.

Off unless whoever starts the dashboard names a folder in `COSINE_FLOOR_DATA_DIR`.
"""

from __future__ import annotations

from app import cache, environment
from core.data_folder import DataFolder
from core.formats import READERS

__all__ = ["VARIABLE", "is_on", "names", "opened"]

VARIABLE = environment.DATA_DIR


def is_on() -> bool:
    """True if a folder is named."""
    return bool(environment.data_folder())


def names() -> tuple[str, ...]:
    """Relative names of the files offered.

    Raises
    ------
    AuditError
        The folder cannot be read.
    """
    folder = _folder()
    return cache.listed_files(folder, str(folder.root))


def opened(name: str) -> memoryview:
    """The bytes of an offered file, memory-mapped.

    Raises
    ------
    AuditError
        The folder cannot be read, or the file is not (or no longer) in it.
    """
    return _folder().opened(name)


def _folder() -> DataFolder:
    suffixes = tuple(suffix for reader in READERS for suffix in reader.suffixes)
    return DataFolder.at(environment.data_folder(), suffixes)
