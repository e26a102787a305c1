"""What an audit will need in memory, and what there is: refused before the run, not in it.

A process that asks for too much is killed by the operating system without a word, and
with it every other page of the same server. So the sum is made first. It is an estimate
from above; the inputs themselves are held already and do not count. Every worker holds blocks
of its own, so on a machine of many cores fewer of them run than there are cores; no figure
depends on how many do.
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
    CLOSED_FORM_ELEMENTS,
    FULL_MATRIX_PAIRS,
    READY_BLOCK_ELEMENTS,
    ROW_BLOCK_ELEMENTS,
    SCATTER_COLUMNS,
    SWEEP_TILE_COLUMNS,
    SWEEP_TILE_ELEMENTS,
    SWEEP_TILE_ROWS,
    WORKER_BLOCK_BYTES_PER_NUMBER,
    WORKER_BYTES_PER_COLUMN_PAIR,
    WORKER_BYTES_PER_ROW,
    WORKER_TILE_BYTES,
    WORKERS_BYTES,
    WORKERS_BYTES_OF_A_POOL,
    WORKERS_BYTES_PER_ROW,
    WORKERS_INPUT_PART,
    WORKERS_LEFT,
)
from core.sweep.workers import at_most, usable_cores

__all__ = [
    "available_bytes",
    "leave_room",
    "memory_words",
    "needed_bytes",
    "refuse_what_will_not_fit",
    "workers_with_room",
]

FLOAT32_BYTES, INT64_BYTES, FLOAT64_BYTES = 4, 8, 8

#: Rows of the blocks that go through a scatter matrix at least, in `core.closed_form`.
SCATTERED_ROWS = 128

#: Matrices of a tile's scores that stand beside each other where it is done in float64.
EXACT_COPIES = 3

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
    pooled: bool = False,
) -> None:
    """Check, before anything is allocated, that an audit of these files has room, and with how many workers.

    Inside of `core.sweep.workers.workers` no more of them run from here on than `workers_with_room`.

    Parameters
    ----------
    drop_bad_rows, more_left_out : bool
        Whether bad rows, or others, are left out: what stays is then a copy.
    pooled : bool
        Whether rows are ranked among a pool of candidates.

    Raises
    ------
    LimitError
        It has not; the sentence holds both sizes. Where the free memory cannot be known
        nothing is refused.
    """
    n, dim = a.loaded.shape
    leave_room(n, dim, pooled=pooled)
    copied = _copied_bytes(a, b, fit_a, fit_b, both=more_left_out) if drop_bad_rows else 0
    needed = needed_bytes(n, dim, copied=copied, pooled=pooled)
    available = available_bytes()
    if available is not None and needed > available:  # fewer workers hold less
        at_most(WORKERS_LEFT)
        needed = needed_bytes(n, dim, copied=copied, pooled=pooled)
    if available is None or needed <= available:
        return
    raise LimitError(
        f"comparing {a.loaded.name} and {b.loaded.name} ({n:,} rows of {dim:,}) needs about {memory_words(needed)} of "
        f"memory, and {memory_words(available)} are free",
        remedy="Close other programs, use a machine with more memory, or compare fewer rows.",
    )


def leave_room(n: int, dim: int, *, pooled: bool = False) -> None:
    """Let no more workers run, in the surrounding `core.sweep.workers.workers`, than `workers_with_room`."""
    at_most(workers_with_room(n, dim, pooled=pooled))


def workers_with_room(n: int, dim: int, *, pooled: bool = False) -> int:
    """Workers whose own memory stays within what an audit of n pairs may take for them.

    Notes
    -----
    Tiles that must be done in float64 are not counted here, as they are few in most files, but
    are in `needed_bytes`.
    """
    least = WORKERS_BYTES_OF_A_POOL if pooled else WORKERS_BYTES
    room = max(least, 2 * FLOAT32_BYTES * n * dim // WORKERS_INPUT_PART, WORKERS_BYTES_PER_ROW * n)
    return max(WORKERS_LEFT, room // _worker_bytes(n, dim, pooled=pooled))


def _worker_bytes(n: int, dim: int, *, pooled: bool) -> int:
    """Bytes one worker holds in the hungriest step: the pass, sums over rows, or the closed form of a pool."""
    block = min(n * dim, max(READY_BLOCK_ELEMENTS, SCATTERED_ROWS * dim))
    ready = WORKER_BLOCK_BYTES_PER_NUMBER * block
    closed = WORKER_BYTES_PER_COLUMN_PAIR * min(dim**2, max(CLOSED_FORM_ELEMENTS, dim)) if pooled else 0
    return max(WORKER_TILE_BYTES + WORKER_BYTES_PER_ROW * n, ready + closed)


def _exact_tile_bytes(n: int, dim: int) -> int:
    """Bytes of a tile done in float64: rows of both sides in both readings, and scores."""
    height, width = min(n, SWEEP_TILE_ROWS, max(1, SWEEP_TILE_ELEMENTS // dim)), min(n, SWEEP_TILE_COLUMNS)
    return FLOAT64_BYTES * (2 * (height + width) * dim + EXACT_COPIES * height * width)


def needed_bytes(n: int, dim: int, *, copied: int = 0, pooled: bool = False) -> int:
    """Bytes an audit of n pairs of `dim` columns takes at most, beyond its inputs, with the workers there are.

    Parameters
    ----------
    n, dim : int
        Rows and columns of each side.
    copied : int
        Bytes of the inputs that are copied because rows are left out.
    pooled : bool
        Whether rows are ranked among a pool of candidates.
    """
    both_sides = 2 * FLOAT32_BYTES * n * dim
    pairings = INT64_BYTES * n * (usable_cores() + WAITING_PAIRINGS)
    blocks = AUDIT_BLOCK_BYTES_PER_NUMBER * min(n * dim, ROW_BLOCK_ELEMENTS)
    evidence = AUDIT_MATRIX_BYTES_PER_NUMBER * min(n, FULL_MATRIX_PAIRS) ** 2
    if n > FULL_MATRIX_PAIRS:
        evidence = AUDIT_SCATTER_BYTES_PER_NUMBER * dim**2 if dim <= SCATTER_COLUMNS else 0
    lines = AUDIT_BYTES_PER_ROW * n + AUDIT_BYTES_PER_COLUMN * dim
    workers = usable_cores() * (_worker_bytes(n, dim, pooled=pooled) + _exact_tile_bytes(n, dim))
    return evidence + AUDIT_BASE_BYTES + both_sides + pairings + lines + max(blocks, workers) + copied


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
