"""Milliseconds of an audit of few rows, in a process that has everything imported.

    python benchmarks/small_inputs.py [--repeats 15]

Reading both files, auditing them, writing the JSON: what a click on the page waits for.
A target of 50 ms up to 500 rows.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.sweep import print_environment, timed
from benchmarks.whole_command import files, whole_command

SIZES = (3, 10, 30, 100, 200, 300, 400, 500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    chosen = parser.parse_args()
    print_environment()
    print(f"\n| d | n | median of {chosen.repeats}, ms | least, ms |\n| ---: | ---: | ---: | ---: |")
    for dim in (384, 768):
        for n in SIZES:
            with files("related", n, dim) as paths:
                whole_command(paths)
                times = [timed(lambda: whole_command(paths))[0] for _ in range(chosen.repeats)]
            print(f"| {dim} | {n} | {1e3 * np.median(times):.1f} | {1e3 * min(times):.1f} |", flush=True)


if __name__ == "__main__":
    main()
