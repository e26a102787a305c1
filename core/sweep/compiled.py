"""How the inner loops are compiled.

By numba, on first use; the compiled code is kept beside the source, in `__pycache__`, for
the next process. Importing this module costs about half a second, so the modules of
compiled code are imported inside functions.

Compiling took ten seconds where it was measured, loading the copies one: too much to compile in
every process. numba stores a copy as a pickle of machine code, so whoever can write there can run code here; but it
is numba's own directory beside the source, and whoever can write there can change the source as well. Nothing that a
user uploads ever comes near it. Where the source cannot be written to, numba keeps the copies
in the user's own cache directory, and `NUMBA_CACHE_DIR` moves them.

A compiled copy is renewed when its own file changes, and does not notice a change
elsewhere: constants that it uses must stand in the same file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

__all__ = ["compiled", "sums_compiled"]

#: Sums may be reordered and fused, which vector code needs. Infinities stay infinities:
#: they are the thresholds that are never reached.
_SUMS = {"reassoc", "nsz", "nnan", "contract"}


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """`numba.njit` without the interpreter lock, cached on disk where a place can be found."""
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", **options}
    try:
        return numba.njit(cache=True, **settings)(function)
    except RuntimeError:  # no writable place: compile in every process instead
        return numba.njit(**settings)(function)


def sums_compiled(function: Callable[..., Any]) -> Any:
    return compiled(function, fastmath=_SUMS)
