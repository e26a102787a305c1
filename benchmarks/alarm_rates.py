"""How often the alarm for two coordinate systems speaks, where it should and where it should not.

    python benchmarks/alarm_rates.py --seeds 200

Prints the environment and Markdown tables for core/METHODS.md. Gaussian rows; "turned"
cases should alarm, the others should not. Medians are of the held-out gap without the map
and with it.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from core.alarm import coordinate_alarm
from core.pairing import diagnose_pairing
from core.rivals import best_rivals
from core.rows import UnitRows

#: Pairs and columns.
SIZES = ((60, 128), (200, 384), (400, 64), (600, 128))

#: Noise of the second side, in standard deviations of the first: partners score 1/sqrt(1 + noise^2).
NOISE = {"clear": 0.5, "weak": 2.0}


def rotation(rng, dim):
    return np.linalg.qr(rng.standard_normal((dim, dim)))[0]


def partly_turned(a, noisy, rng):
    """The first three eighths of the columns rotated among themselves."""
    part = 3 * a.shape[1] // 8
    turned = noisy.copy()
    turned[:, :part] = noisy[:, :part] @ rotation(rng, part)
    return turned


CASES = {
    "rotated": lambda a, noisy, rng: noisy @ rotation(rng, a.shape[1]),
    "columns shuffled": lambda a, noisy, rng: noisy[:, rng.permutation(a.shape[1])],
    "signs flipped": lambda a, noisy, rng: noisy * rng.choice([-1.0, 1.0], a.shape[1]),
    "same space": lambda a, noisy, rng: noisy,
    "stretched, A(I + .4G)": lambda a, noisy, rng: (
        noisy + 0.4 * a @ rng.standard_normal((a.shape[1],) * 2) / a.shape[1] ** 0.5
    ),
    "partly turned (blind spot)": partly_turned,
    "unrelated": lambda a, noisy, rng: rng.standard_normal(a.shape),
}


def one(case, n, dim, noise, seed):
    rng = np.random.default_rng([seed, n, dim])
    a = rng.standard_normal((n, dim))
    b = CASES[case](a, a + noise * rng.standard_normal(a.shape), rng)
    return coordinate_alarm(a + 1, b + 1, rng=rng)


def rates(seeds):
    print("| case | link | n, d | strong | weak | few rows | silent | median gap as it is | after the map |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in CASES:
        for link, noise in NOISE.items():
            if case == "unrelated" and link == "weak":
                continue
            for n, dim in SIZES:
                found = [one(case, n, dim, noise, seed) for seed in range(seeds)]
                counts = Counter(alarm.strength for alarm in found)
                plain = np.median([alarm.gain.plain for alarm in found if alarm.gain])
                mapped = np.median([alarm.gain.mapped for alarm in found if alarm.gain])
                shares = " | ".join(f"{counts[word] / seeds:.3f}" for word in ("strong", "weak", "few_rows", "silent"))
                print(f"| {case} | {link} | {n}, {dim} | {shares} | {plain:.3f} | {mapped:.3f} |", flush=True)


def steps(rng, n, dim, kept):
    """Rows each of which keeps a share of the one before: AR(1)."""
    rows = np.empty((n, dim))
    rows[0] = rng.standard_normal(dim)
    for i in range(1, n):
        rows[i] = kept * rows[i - 1] + (1 - kept**2) ** 0.5 * rng.standard_normal(dim)
    return rows


def chunks(rng, n, dim, size):
    """Rows in blocks of one item each, with half as much noise."""
    return np.repeat(rng.standard_normal((-(-n // size), dim)), size, axis=0)[:n] + 0.5 * rng.standard_normal((n, dim))


SERIES = {
    "AR(1), .5": lambda rng, n, dim: steps(rng, n, dim, 0.5),
    "AR(1), .7": lambda rng, n, dim: steps(rng, n, dim, 0.7),
    "AR(1), .9": lambda rng, n, dim: steps(rng, n, dim, 0.9),
    "blocks of 2": lambda rng, n, dim: chunks(rng, n, dim, 2),
    "blocks of 5": lambda rng, n, dim: chunks(rng, n, dim, 5),
}


def series(seeds):
    """Files whose neighbouring rows are alike: unrelated, and rotated copies with noise."""
    print("\n| rows | n, d | alarms of unrelated | not asked | alarms of rotated | not asked |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind, make in SERIES.items():
        for n, dim in ((300, 32), (500, 32), (1_000, 32), (1_000, 128)):
            found = {"unrelated": [], "rotated": []}
            for seed in range(seeds):
                rng = np.random.default_rng([seed, n, dim])
                a = make(rng, n, dim)
                turned = (a + 0.5 * rng.standard_normal(a.shape)) @ rotation(rng, dim)
                for case, b in (("unrelated", make(rng, n, dim)), ("rotated", turned)):
                    found[case].append(coordinate_alarm(a, b, rng=rng))
            shares = [
                f"{sum(test(alarm) for alarm in found[case]) / seeds:.3f}"
                for case in found
                for test in (lambda alarm: alarm.strength != "silent", lambda alarm: alarm.gain is None)
            ]
            print(f"| {kind} | {n}, {dim} | " + " | ".join(shares) + " |", flush=True)


def few_alike(seeds):
    """Unrelated files in which the same few rows are alike on each side: an empty text, one boilerplate."""
    print("\n| rows alike | strong | weak | few rows | silent |\n| --- | --- | --- | --- | --- |")
    for share in (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2):
        counts = Counter()
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            alike = (rng.random(2_000) < share)[:, None]
            sides = [alike * 4 * rng.standard_normal(64) + rng.standard_normal((2_000, 64)) for _ in "ab"]
            counts[coordinate_alarm(*sides, rng=rng).strength] += 1
        shares = " | ".join(f"{counts[word] / seeds:.3f}" for word in ("strong", "weak", "few_rows", "silent"))
        print(f"| {share:.1%} | {shares} |", flush=True)


def pairings(seeds):
    """What the best rivals say of rows in every state, with the alarm left out."""
    print("\n| rows | link | n | in order | shifted | permuted | unrelated |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    states = {
        "in order": lambda b, rng: b,
        "shifted by 3": lambda b, rng: np.roll(b, 3, axis=0),
        "permuted": lambda b, rng: b[rng.permutation(len(b))],
        "unrelated": lambda b, rng: rng.standard_normal(b.shape),
    }
    for state, change in states.items():
        for link, noise in NOISE.items():
            for n in (30, 100, 400):
                counts = Counter()
                for seed in range(seeds):
                    rng = np.random.default_rng([seed, n])
                    a = rng.standard_normal((n, 64))
                    b = change(a + noise * rng.standard_normal(a.shape), rng)
                    sides = UnitRows(a), UnitRows(b)
                    counts[diagnose_pairing(*sides, best_rivals(*sides).best_b, rng=rng).kind] += 1
                shares = (counts[kind] / seeds for kind in ("in_order", "shifted", "permuted", "unrelated"))
                print(
                    f"| {state} | {link} | {n} | " + " | ".join(f"{share:.3f}" for share in shares) + " |", flush=True
                )


def cost():
    rng = np.random.default_rng(0)
    a = rng.standard_normal((20_000, 768), dtype=np.float32)
    print("\n| 20,000 × 768 | seconds |\n| --- | --- |")
    for name, b in (("silent (same rows, noise)", a + 0.5), ("alarm (columns shuffled)", a[:, rng.permutation(768)])):
        start = time.perf_counter()
        coordinate_alarm(a, b, rng=rng)
        print(f"| {name} | {time.perf_counter() - start:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    seeds = parser.parse_args().seeds
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores, {seeds} seeds a cell\n")
    rates(seeds)
    series(seeds)
    few_alike(seeds)
    pairings(seeds)
    cost()


if __name__ == "__main__":
    main()
