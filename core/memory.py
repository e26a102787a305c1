"""What an audit will need in memory, and what there is: refused before the run, not in it.

A process that asks for too much is killed by the operating system without a word, and
with it every other page of the same server. So the sum is made first. It is an estimate
from above; the inputs themselves are held already and do not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from core.errors import LimitError
from core.inspection import Inspection
from core.limits import (
    AUDIT_BASE_BYTES,
    AUDIT_BLOCK_BYTES_PER_NUMBER,
    AUDIT_BYTES_PER_COLUMN,
    AUDIT_BYTES_PER_ROW,
    AUDIT_MATRIX_BYTES_PER_NUMBER,
    AUDIT_SCATTER_BYTES_PER_NUMBER,
    FULL_MATRIX_PAIRS,
    ROW_BLOCK_ELEMENTS,
    SCATTER_COLUMNS,
)
from core.sweep.workers import usable_cores

__all__ = ["available_bytes", "memory_words", "needed_bytes", "refuse_what_will_not_fit"]

FLOAT32_BYTES, INT64_BYTES = 4, 8

#: Derangements that stand beside those that the workers score.
WAITING_PAIRINGS = 3


def refuse_what_will_not_fit(
    a: Inspection,
    b: Inspection,
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    drop_bad_rows: bool,
    more_left_out: bool = False,
) -> None:
    """Check, before anything is allocated, that an audit of these files has room.

    Raises
    ------
    LimitError
        It has not; the sentence holds both sizes. Where the free memory cannot be known
        nothing is refused.
    """
    n, dim = a.loaded.shape
    copied = _copied_bytes(a, b, fit_a, fit_b, both=more_left_out) if drop_bad_rows else 0
    needed = needed_bytes(n, dim, copied=copied)
    available = available_bytes()
    if available is None or needed <= available:
        return
    raise LimitError(
        f"comparing {a.loaded.name} and {b.loaded.name} ({n:,} rows of {dim:,}) needs about {memory_words(needed)} of "
        f"memory, and {memory_words(available)} are free",
        remedy="Close other programs, use a machine with more memory, or compare fewer rows.",
    )


def needed_bytes(n: int, dim: int, *, copied: int = 0) -> int:
    """Bytes an audit of n pairs of `dim` columns takes at most, beyond its inputs.

    Parameters
    ----------
    n, dim : int
        Rows and columns of each side.
    copied : int
        Bytes of the inputs that are copied because rows are left out.
    """
    both_sides = 2 * FLOAT32_BYTES * n * dim
    pairings = INT64_BYTES * n * (usable_cores() + WAITING_PAIRINGS)
    blocks = AUDIT_BLOCK_BYTES_PER_NUMBER * min(n * dim, ROW_BLOCK_ELEMENTS)
    evidence = AUDIT_MATRIX_BYTES_PER_NUMBER * min(n, FULL_MATRIX_PAIRS) ** 2
    if n > FULL_MATRIX_PAIRS:
        evidence = AUDIT_SCATTER_BYTES_PER_NUMBER * dim**2 if dim <= SCATTER_COLUMNS else 0
    lines = AUDIT_BYTES_PER_ROW * n + AUDIT_BYTES_PER_COLUMN * dim
    return evidence + AUDIT_BASE_BYTES + both_sides + pairings + lines + blocks + copied


def available_bytes() -> int | None:
    """Bytes this process may still take, or `None` where the system does not say.

    The least of what the machine has free and what its control groups (containers) leave.
    """
    known = [free for free in (_machine_free(), *_group_free()) if free is not None]
    return min(known) if known else None


def _copied_bytes(*found: Inspection | None, both: bool) -> int:
    """Bytes of what is copied when rows are left out: both sides together, a fit array alone."""
    a, b, *fits = found
    sides = [one for one in (a, b) if one is not None]
    copied = sides if both or any(len(one.unusable) for one in sides) else []
    copied += [one for one in fits if one is not None and len(one.unusable)]
    return sum(one.loaded.array.nbytes for one in copied)


def _machine_free() -> int | None:
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):  # not on this system
        return None


def _group_free(groups: Path = Path("/proc/self/cgroup"), mount: Path = Path("/sys/fs/cgroup")) -> Iterator[int | None]:
    """What each control group above this process leaves, in version 2 and version 1."""
    for line in _lines(groups):
        _, controllers, group = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        root = mount / controllers  # version 2 has no controllers in its line
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if controllers else ("memory.max", "memory.current")
        here = root / group.lstrip("/")
        # Inside a container the path may be the host's, which is not mounted: its root then is.
        for folder in (here, *here.parents):
            yield _left_in(folder, *names)
            if folder == root:
                break


def _left_in(folder: Path, limit_name: str, usage_name: str) -> int | None:
    """Limit less usage, not counting cached files: they give way."""
    limit, usage = (next(iter(_lines(folder / name)), "") for name in (limit_name, usage_name))
    if not limit.isdigit() or not usage.isdigit():
        return None
    cached = [int(line.split()[1]) for line in _lines(folder / "memory.stat") if line.startswith("inactive_file ")]
    return max(int(limit) - int(usage) + sum(cached), 0)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []


def memory_words(size: int) -> str:
    """A size in memory for people, in powers of ten."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"
