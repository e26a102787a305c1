"""Milliseconds of an audit of few rows, in a process that has everything imported.

    python benchmarks/small_inputs.py [--repeats 15]

Whole: reading both files, auditing them, writing the JSON: what a click on the page waits
for. Floors and ranks: reading and auditing without intervals, test, verdict and the look
at the axes; a target of 50 ms up to 500 rows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.inference import nothing_taken
from benchmarks.sweep import print_environment, timed
from benchmarks.whole_command import files, whole_command
from core import audit, load

SIZES = (3, 10, 30, 100, 200, 300, 400, 500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    chosen = parser.parse_args()
    print_environment()
    print(f"\nMedian (least) of {chosen.repeats}, ms\n\n| d | n | floors and ranks | whole |\n" + "| ---: " * 4 + "|")
    for dim in (384, 768):
        for n in SIZES:
            with files("related", n, dim) as paths:
                with nothing_taken():
                    little = milliseconds(lambda: audit(load(paths[0]), load(paths[1])), chosen.repeats)
                whole = milliseconds(lambda: whole_command(paths), chosen.repeats)
            print(f"| {dim} | {n} | {little} | {whole} |", flush=True)


def milliseconds(work: Callable[[], object], repeats: int) -> str:
    work()
    times = [1e3 * timed(work)[0] for _ in range(repeats)]
    return f"{np.median(times):.1f} ({min(times):.1f})"


if __name__ == "__main__":
    main()
