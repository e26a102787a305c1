"""How long the sweep takes beside one bare float32 product of the same shape, and how much memory.

    python benchmarks/sweep.py [--rows 20000] [--columns 768] [--workers N] [--repeats 5]

The bare product and the sweep take turns, so that whatever else the machine does slows
both; the ratio of the medians is the figure to look at. The product is computed the way the
sweep computes it: the same tiles, threads and BLAS. Two kinds of rows: *related* ones, whose
partners mostly rank first, and *unrelated* ones, where every rank is near the middle and
many float32 scores are too close to call. Memory is that of a fresh process.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.limits import SWEEP_TILE_COLUMNS, SWEEP_TILE_ROWS
from core.rows import UnitRows
from core.sweep import make_ready, pairing_sums, sweep
from core.sweep.workers import blas_on_one_thread, usable_cores


def rows_of(kind: str, n: int, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Float32 unit rows with an uneven spectrum and a shared direction, as embeddings have."""
    rng = np.random.default_rng(0)
    spread = (5 / np.sqrt(1 + np.arange(dim))).astype(np.float32)
    a = rng.standard_normal((n, dim), dtype=np.float32) * spread
    b = rng.standard_normal((n, dim), dtype=np.float32) * spread
    if kind == "related":
        b += a
    for side in (a, b):
        side += np.float32(0.5)
        side /= np.linalg.norm(side, axis=1, keepdims=True)
    return a, b


def bare_product(a: np.ndarray, b: np.ndarray, workers: int) -> None:
    def across(start: int) -> None:
        space = np.empty(SWEEP_TILE_ROWS * SWEEP_TILE_COLUMNS, np.float32)
        rows = a[start : start + SWEEP_TILE_ROWS]
        for first in range(0, len(b), SWEEP_TILE_COLUMNS):
            columns = b[first : first + SWEEP_TILE_COLUMNS]
            np.matmul(rows, columns.T, out=space[: len(rows) * len(columns)].reshape(len(rows), len(columns)))

    with blas_on_one_thread, ThreadPoolExecutor(workers) as pool:
        list(pool.map(across, range(0, len(a), SWEEP_TILE_ROWS)))


def timed(work) -> tuple[float, float]:
    """Seconds by the clock, and of processor time over all threads."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def compare(kind: str, n: int, dim: int, workers: int, repeats: int) -> None:
    a, b = rows_of(kind, n, dim)
    means = [UnitRows(rows).mean_row().mean for rows in (a, b)]
    orders = [np.random.default_rng(k).permutation(n) for k in range(20)]
    sides = make_ready(a, b, *means, n_workers=workers)
    steps = {
        "bare product": lambda: bare_product(a, b, workers),
        "make_ready": lambda: make_ready(a, b, *means, n_workers=workers),
        "sweep": lambda: sweep(sides, n_workers=workers),
        "20 pairings": lambda: pairing_sums(sides, orders, n_workers=workers),
    }
    for work in steps.values():
        work()  # compiles, and warms the caches
    times = np.array([[timed(work) for work in steps.values()] for _ in range(repeats)])
    clock, processor = np.median(times, axis=0).T
    print(f"\n{kind} rows, n = {n:,}, d = {dim}, {workers} workers, medians of {repeats} in turns")
    for name, seconds, busy in zip(steps, clock, processor, strict=True):
        print(
            f"  {name:13} {seconds:7.3f} s  {seconds / clock[0]:5.2f} x product"
            f"   processor {busy:7.3f} s  {busy / processor[0]:5.2f} x"
        )
    print(f"  ready + sweep {clock[1] + clock[2]:7.3f} s  {(clock[1] + clock[2]) / clock[0]:5.2f} x product")


def peak_memory(n: int, dim: int, workers: int) -> None:
    """Peak resident memory of a process that reads both sides and sweeps them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in zip("ab", rows_of("related", n, dim), strict=True):
            np.save(f"{folder}/{name}.npy", rows)
        command = [sys.executable, __file__, "--rows", str(n), "--workers", str(workers), "--sweep-only", folder]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
    peak, inputs = float(found.stdout), 2 * n * dim * 4 / 2**20
    print(f"\npeak memory {peak:,.0f} MB; inputs {inputs:,.0f} MB; 2.5 x inputs + 300 = {2.5 * inputs + 300:,.0f} MB")


def sweep_only(folder: str, workers: int) -> None:
    a, b = (np.load(f"{folder}/{name}.npy") for name in "ab")
    means = [UnitRows(rows).mean_row().mean for rows in (a, b)]
    sweep(make_ready(a, b, *means, n_workers=workers), n_workers=workers)
    print(peak_of_this_process() / 2**20)


def peak_of_this_process() -> float:
    """In bytes. On Linux `getrusage` would count what the parent held when it started us."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return float(line.split()[1]) * 2**10
    import resource  # not on Windows

    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def print_environment() -> None:
    """Machine, versions, BLAS, and how busy the machine is already: ratios bear some load, seconds do not."""
    print(f"{platform.platform()}, Python {platform.python_version()}, numpy {np.__version__}, {usable_cores()} cores")
    models = Path("/proc/cpuinfo")
    if models.exists():
        lines = models.read_text().splitlines()
        print(next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"))
    if hasattr(os, "getloadavg"):
        print(f"load average before: {os.getloadavg()[0]:.1f}")
    for pool in threadpool_info():
        if pool["user_api"] == "blas":
            library = Path(pool["filepath"]).name
            print(f"{pool['internal_api']} {pool['version']}, kernel {pool.get('architecture')} ({library})")
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        if name in os.environ:
            print(f"{name}={os.environ[name]}: unset it for figures that compare")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=768)
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sweep-only", metavar="FOLDER", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.sweep_only:
        sweep_only(chosen.sweep_only, chosen.workers)
        return
    print_environment()
    for kind in ("related", "unrelated"):
        compare(kind, chosen.rows, chosen.columns, chosen.workers, chosen.repeats)
    peak_memory(chosen.rows, chosen.columns, chosen.workers)


if __name__ == "__main__":
    main()
