"""How often Two models says "linked": of files whose neighbouring rows are alike, and where rows repeat.

    python benchmarks/two_models_rates.py --seeds 100

Prints Markdown tables for core/METHODS.md. "Linked" is an interval of the gap above 0, or p up to .05 of CKA and of the
neighbours. Series are AR(1) rows; linked ones are noisy turned copies. Of a gap's two-sided interval 2.5 % should lie
above 0 by chance, of each p 5 %.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from core.spaces import compare_models

LEVEL = 0.05


def series(rng, n, dim, carried):
    """AR(1) rows from their stationary state."""
    rows = rng.standard_normal((n, dim))
    rows[0] /= (1 - carried**2) ** 0.5
    for row in range(1, n):
        rows[row] += carried * rows[row - 1]
    return rows


def turned(rows, noise, rng):
    rotation = np.linalg.qr(rng.standard_normal((rows.shape[1],) * 2))[0]
    return (rows + noise * rows.std() * rng.standard_normal(rows.shape)) @ rotation


def said(found):
    nulls = (found.cka_null, found.neighbours.null)
    p = [null is not None and null.pvalue <= LEVEL for null in nulls]
    return [found.file_order == "alike", found.file_order == "drifting", (found.interval.low or 0) > 0, *p]


def of_series(seeds, n):
    print("| rows | n, d | carried | read as a series | drifting | gap | CKA | neighbours |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for link in ("unrelated", "linked, noise .5"):
        for dim in (24, 64):
            for carried in (0.0, 0.5, 0.9, 0.97):
                counts = np.zeros(5)
                for seed in range(seeds):
                    rng = np.random.default_rng([seed, dim])
                    a = series(rng, n, dim, carried)
                    b = series(rng, n, dim, carried) if link == "unrelated" else turned(a, 0.5, rng)
                    counts += said(compare_models(a, b, rng=rng, n_permutations=199))
                cells = " | ".join(f"{share:.3f}" for share in counts / seeds)
                print(f"| {link} | {n}, {dim} | {carried:g} | {cells} |", flush=True)


def of_repeats(seeds, n):
    """Unrelated pairs, each of n / 4 different ones occurring four times, exactly or nearly."""
    print("\n| unrelated pairs, each four times | d | gap | CKA | neighbours |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, size in (("exact copies", 0.0), ("copies to 1e-4", 1e-4)):
        for dim in (24, 64):
            counts = np.zeros(5)
            for seed in range(seeds):
                rng = np.random.default_rng([seed, dim])
                order = rng.permutation(np.repeat(np.arange(n // 4), 4))
                a, b = (rng.standard_normal((n // 4, dim))[order] for _ in range(2))
                a, b = (rows * (1 + size * rng.standard_normal(rows.shape)) for rows in (a, b))
                counts += said(compare_models(a, b, rng=rng, n_permutations=199))
            shares = " | ".join(f"{share:.3f}" for share in counts[2:] / seeds)
            print(f"| {name} | {dim} | {shares} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--rows", type=int, default=400)
    chosen = parser.parse_args()
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores, {chosen.seeds} seeds\n")
    of_repeats(chosen.seeds, chosen.rows)
    print()
    of_series(chosen.seeds, chosen.rows)


if __name__ == "__main__":
    main()
