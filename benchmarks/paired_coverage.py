"""How often 95 % intervals of gap differences hold the truth, paired and crossed.

    python benchmarks/paired_coverage.py --repetitions 2000

Prints the environment and Markdown tables for core/METHODS.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from scipy.special import stdtrit

from core.gap_differences import crossed_difference, crossed_variance, paired_difference, seeds_difference
from core.gap_values import both_gaps

#: Noise that both conditions share, and that each has of its own.
SHARED, OWN = 0.8, 0.15


def populations(name, n, dim, rng):
    """(n, dim) rows of one of three populations."""
    if name == "Gaussian":
        return rng.standard_normal((n, dim))
    if name == "heavy tails (t3)":
        return rng.standard_t(3, (n, dim))
    centres = np.random.default_rng(99).standard_normal((10, dim))
    return 2 * centres[rng.integers(0, 10, n)] + rng.standard_normal((n, dim))


def two_conditions(a, rng):
    """One A, two B of one noise level: the true difference of the gaps is 0."""
    shared = a + SHARED * rng.standard_normal(a.shape)
    return [both_gaps(a, shared + OWN * rng.standard_normal(a.shape)) for _ in "xy"]


def paired(repetitions):
    print("Paired: one A, two conditions on the same n items, true difference 0, d = 32.\n")
    print("| population | reading | n | paired covers | its error (median) | unpaired error | unpaired covers |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in ("Gaussian", "heavy tails (t3)", "10 clusters"):
        for n in (20, 50, 100, 300):
            rng = np.random.default_rng([n, len(name)])
            rows = {"raw": [], "centred": []}
            for _ in range(repetitions):
                first, second = two_conditions(populations(name, n, 32, rng), rng)
                for reading, found in rows.items():
                    x, y = getattr(first, reading), getattr(second, reading)
                    difference = paired_difference("x", "y", x, y)
                    found.append((difference.mean, difference.error, np.hypot(x.error, y.error)))
            for reading, found in rows.items():
                mean, error, apart = np.array(found).T
                critical = stdtrit(n - 1, 0.975)
                covers = [np.mean(np.abs(mean) <= critical * width) for width in (error, apart)]
                print(
                    f"| {name} | {reading} | {n} | {covers[0]:.3f} | {np.median(error):.5f} "
                    f"| × {np.median(apart / error):.1f} | {covers[1]:.3f} |",
                    flush=True,
                )


def crossed_tables(repetitions):
    print("\nCrossed: S seeds × n items, truth 0, residual sd 1; all three intervals from the same tables.\n")
    print("| S | n | sd of seeds | sd of items | crossed covers | items only | seeds only |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for seeds in (3, 5, 10):
        for n in (50, 200):
            for seed_sd, item_sd in ((0.0, 0.0), (0.3, 0.0), (0.3, 0.5), (0.0, 1.0), (1.0, 1.0)):
                rng = np.random.default_rng([seeds, n, int(10 * seed_sd), int(10 * item_sd)])
                hits = np.zeros(3)
                for _ in range(repetitions):
                    table = (
                        seed_sd * rng.standard_normal((seeds, 1))
                        + item_sd * rng.standard_normal((1, n))
                        + rng.standard_normal((seeds, n))
                    )
                    hits += _covered(table)
                shares = " | ".join(f"{share:.3f}" for share in hits / repetitions)
                print(f"| {seeds} | {n} | {seed_sd} | {item_sd} | {shares} |", flush=True)


def _covered(table):
    """Whether 0 lies within the crossed, the items-only and the seeds-only interval."""
    seeds, n = table.shape
    found = crossed_variance(table)
    errors = (
        np.sqrt(found.variance),
        table.mean(axis=0).std(ddof=1) / np.sqrt(n),
        table.mean(axis=1).std(ddof=1) / np.sqrt(seeds),
    )
    return [
        abs(table.mean()) <= stdtrit(df, 0.975) * error
        for df, error in zip((found.df, n - 1, seeds - 1), errors, strict=True)
    ]


def crossed_gaps(repetitions):
    """Real gaps: every seed of both conditions adds its own shift direction to B."""
    print("\nCrossed, real gaps: 4 seeds, n items, each seed's noise level drawn anew; true difference 0.\n")
    print("| n | crossed covers | over seeds only | over items only |")
    print("| --- | --- | --- | --- |")
    for n in (40, 100):
        rng = np.random.default_rng(n)
        hits = np.zeros(3)
        for _ in range(repetitions):
            a = rng.standard_normal((n, 16))
            values = [[_seed_run(a, rng) for _ in range(4)] for _ in "xy"]
            difference = crossed_difference("x", "y", *values)
            alone = seeds_difference("x", "y", difference.by_seed)
            pseudo = np.mean([x.pseudo_values - y.pseudo_values for x, y in zip(*values, strict=True)], axis=0)
            items = stdtrit(n - 1, 0.975) * pseudo.std(ddof=1) / np.sqrt(n)
            hits += [
                difference.interval[0] <= 0 <= difference.interval[1],
                alone.interval[0] <= 0 <= alone.interval[1],
                abs(pseudo.mean()) <= items,
            ]
        print(f"| {n} | " + " | ".join(f"{share:.3f}" for share in hits / repetitions) + " |", flush=True)


def _seed_run(a, rng):
    noise = 0.6 + 0.1 * rng.standard_normal()
    return both_gaps(a, a + noise * rng.standard_normal(a.shape)).raw


def absolutes(repetitions):
    print("\nNo difference at all, seeds of sd 1: what the two absolute values come to.\n")
    print("| S | absolute value of the signed mean | mean of absolute values |")
    print("| --- | --- | --- |")
    for seeds in (1, 3, 5, 10):
        draws = np.random.default_rng(seeds).standard_normal((20 * repetitions, seeds))
        print(f"| {seeds} | {np.abs(draws.mean(axis=1)).mean():.3f} | {np.abs(draws).mean():.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=2000)
    repetitions = parser.parse_args().repetitions
    environment = f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores"
    print(f"{environment}, {repetitions} repetitions a cell\n")
    paired(repetitions)
    crossed_tables(repetitions)
    crossed_gaps(repetitions // 2)
    absolutes(repetitions)


if __name__ == "__main__":
    main()
