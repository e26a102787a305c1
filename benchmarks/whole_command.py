"""What the whole command costs: beside one bare float32 product, and beside the script people use now.

    python benchmarks/whole_command.py [--rows 20000] [--columns 768] [--repeats 5]
    python benchmarks/whole_command.py --table [--sizes 5000 10000 20000] [--widths 384 768 1536]

The command runs in this process, after imports and after the compiled loops are loaded:
reading both files, auditing them, writing the JSON. Beside it stands the same without
intervals, test, verdict and the look at the axes: means, floors, ranks and histograms of both
readings, which is what the bounds are about. `baseline` is the reference format
written down plainly: float64, two blocked products with argmax, 20 gathered derangements.
All take turns, and the ratios of the medians are the figures to look at.

With ``--table``, each size runs in a process of its own, which also tells its peak memory.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.inference import nothing_taken
from benchmarks.sweep import bare_product, peak_of_this_process, print_environment, rows_of, timed
from core import audit, load
from core.command import main as command
from core.sweep.workers import usable_cores

#: Rows of a block of the baseline: 160 MB of scores at 20,000 rows.
BASELINE_ROWS = 1_000


@contextmanager
def files(kind: str, n: int, dim: int) -> Iterator[list[str]]:
    """Both sides on disk, and so in the page cache."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}.npy" for name in "ab"]
        for path, rows in zip(paths, rows_of(kind, n, dim), strict=True):
            np.save(path, rows)
        yield paths


def whole_command(paths: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        code = command([*paths, "--output", f"{folder}/report.json"])
    if code:
        raise RuntimeError(f"the command ended with exit code {code}")


def floors_and_ranks(paths: list[str]) -> None:
    """The command without intervals, test, verdict, the look at the axes, and the JSON."""
    with nothing_taken():
        audit(load(paths[0]), load(paths[1]))


def load_compiled_loops() -> None:
    """So that the first timed run does not wait for them: a small audit that takes the fast way."""
    with files("related", 2_500, 32) as paths:
        whole_command(paths)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def share_first(a: np.ndarray, b: np.ndarray) -> float:
    tops = [(a[k : k + BASELINE_ROWS] @ b.T).argmax(axis=1) for k in range(0, len(a), BASELINE_ROWS)]
    return float(np.mean(np.concatenate(tops) == np.arange(len(a))))


def orders_of(n: int, count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    orders = []
    while len(orders) < count:
        order = rng.permutation(n)
        if not np.any(order == np.arange(n)):
            orders.append(order)
    return orders


def figures(a: np.ndarray, b: np.ndarray, orders: list[np.ndarray]) -> dict[str, float | None]:
    matched = np.einsum("ij,ij->i", a, b)
    floor = np.concatenate([np.einsum("ij,ij->i", a, b[order]) for order in orders])
    gap, pooled = matched.mean() - floor.mean(), np.sqrt((matched.var() + floor.var()) / 2)
    return {
        "matched": round(float(matched.mean()), 4),
        "floor": round(float(floor.mean()), 4),
        "gap": round(float(gap), 4),
        "floor_sd": round(float(floor.std()), 4),
        "gap_over_floor_sd": round(float(gap / floor.std()), 2) if floor.std() > 1e-9 else None,
        "cohens_d": round(float(gap / pooled), 2) if pooled > 1e-9 else None,
        "partner_ranked_first": round(share_first(a, b), 4),
    }


def baseline(paths: list[str]) -> str:
    """The reference format in float64, as a careful user would write it with numpy alone."""
    a, b = (unit(np.load(path).astype(np.float64)) for path in paths)
    n = len(a)
    orders = orders_of(n, 20)
    sides = [(np.linalg.norm(rows.sum(axis=0)) ** 2 - n) / (n * (n - 1)) for rows in (a, b)]
    raw = figures(a, b, orders)
    centred = figures(unit(a - a.mean(axis=0)), unit(b - b.mean(axis=0)), orders)
    return json.dumps({"anisotropy": [round(float(side), 4) for side in sides], "raw": raw, "centred": centred})


def compare(kind: str, n: int, dim: int, repeats: int) -> None:
    workers = usable_cores()
    with files(kind, n, dim) as paths:
        a, b = (np.load(path) for path in paths)
        steps = {
            "bare product": lambda: bare_product(a, b, workers),
            "whole command": lambda: whole_command(paths),
            "floors and ranks": lambda: floors_and_ranks(paths),
            "baseline": lambda: baseline(paths),
        }
        bare_product(a, b, workers)
        times = np.array([[timed(work)[0] for work in steps.values()] for _ in range(repeats)])
    product, whole, plain, script = np.median(times, axis=0)
    print(f"\n{kind} rows, n = {n:,}, d = {dim}, {workers} threads, medians of {repeats} in turns")
    print(f"  bare float32 product {product:7.2f} s")
    print(f"  whole command        {whole:7.2f} s  {whole / product:.2f} x product")
    print(f"  without intervals    {plain:7.2f} s  {plain / product:.2f} x product (bound 1.7)")
    print(
        f"  float64 baseline     {script:7.2f} s  {script / whole:.2f} x the command, "
        f"{script / plain:.2f} x without intervals (bound 2.8)",
        flush=True,
    )


def one_size(n: int, dim: int, paths: list[str], repeats: int) -> None:
    """Print the medians of command and product, and the peak memory after the command alone."""
    load_compiled_loops()
    first = timed(lambda: whole_command(paths))[0]
    peak = peak_of_this_process()
    a, b = (np.load(path) for path in paths)
    times = [[first, timed(lambda: bare_product(a, b, usable_cores()))[0]]]
    for _ in range(repeats - 1):
        times.append(
            [timed(work)[0] for work in (lambda: whole_command(paths), lambda: bare_product(a, b, usable_cores()))]
        )
    print(json.dumps({"seconds": np.median(times, axis=0).tolist(), "peak": peak}))


def table(sizes: list[int], widths: list[int], repeats: int) -> None:
    print("\n| d | n | command, s | x product | ns per score | peak, MB | bound, MB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for dim in widths:
        for n in sizes:
            with files("related", n, dim) as paths:
                script = [sys.executable, __file__, "--repeats", str(repeats), "--one-size", str(n), str(dim), *paths]
                done = subprocess.run(script, check=True, capture_output=True, text=True)
            found = json.loads(done.stdout)
            whole, product = found["seconds"]
            bound = (2.5 * 2 * n * dim * 4 + 300e6) / 1e6
            print(
                f"| {dim:,} | {n:,} | {whole:.2f} | {whole / product:.2f} | {1e9 * whole / n**2:.2f} "
                f"| {found['peak'] / 1e6:,.0f} | {bound:,.0f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=768)
    parser.add_argument("--kinds", nargs="+", default=["related", "unrelated"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--table", action="store_true", help="time and memory by size instead")
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 10_000, 20_000, 40_000])
    parser.add_argument("--widths", type=int, nargs="+", default=[384, 768, 1_536])
    parser.add_argument("--one-size", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one_size:
        n, dim, *paths = chosen.one_size
        one_size(int(n), int(dim), paths, chosen.repeats)
        return
    print_environment()
    if chosen.table:
        table(chosen.sizes, chosen.widths, chosen.repeats)
        return
    load_compiled_loops()
    for kind in chosen.kinds:
        compare(kind, chosen.rows, chosen.columns, chosen.repeats)


if __name__ == "__main__":
    main()
