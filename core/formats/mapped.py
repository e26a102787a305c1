"""A file that stays mapped, and whether anybody has written to it since.

A mapping shows what the file holds *now*. Figures would then no longer be those of the
fingerprint beside them, and a read behind the end of a file that was shortened ends the
whole process. So whoever reads rows for long asks now and then (`core.unchanged`), and stops.
"""

from __future__ import annotations

import mmap
import os
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FileMap", "file_under"]


class FileMap(mmap.mmap):
    """A read-only mapping that keeps its file open, to look at its size and time of change."""

    _opened_as: tuple[int, int]
    _descriptor: int

    @classmethod
    def of(cls, descriptor: int) -> FileMap:
        """Map an open file that is not empty; the caller may close its descriptor.

        Raises
        ------
        OSError
            Whatever the system says.
        """
        mapped = cls(descriptor, 0, access=mmap.ACCESS_READ)
        mapped._descriptor = os.dup(descriptor)
        weakref.finalize(mapped, os.close, mapped._descriptor)
        mapped._opened_as = mapped._stands_as()
        return mapped

    @property
    def changed(self) -> bool:
        """True if the file was written to since; a new file under its name is no change of this one."""
        return self._stands_as() != self._opened_as

    def _stands_as(self) -> tuple[int, int]:
        held = os.fstat(self._descriptor)
        return held.st_size, held.st_mtime_ns


def file_under(buffer: memoryview, array: NDArray[Any]) -> FileMap | None:
    """The mapped file that `array` is a view of; `None` for bytes, and for numbers copied out of the file."""
    mapped = buffer.obj
    if isinstance(mapped, FileMap) and np.may_share_memory(array, np.frombuffer(buffer, np.uint8)):
        return mapped
    return None
