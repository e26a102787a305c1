"""Do the intervals cover? Prints the tables of core/METHODS.md.

    python -m benchmarks.interval_coverage [repetitions]

Populations of unit rows in 32 columns with a shared direction: Gaussian, heavy tails
(entries of Student's t with 3 degrees of freedom) and ten uneven clusters. The truth of
each figure comes from a million rows; of ranks, whose meaning depends on n and which
are taken from noisier rows of B, from the mean over the repetitions. Seeds are fixed.
One process, one thread, low priority.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

if __name__ == "__main__":  # before numpy loads its BLAS
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.nice(10)

import numpy as np

from core.groups import Groups, groups_from_ids
from core.inference import LEVEL, Inference, infer
from core.intervals import Interval, share_interval
from core.isotropy import anisotropy_interval, side_moments
from core.mean_rank import mean_rank_index
from core.means import fit_means
from core.rows import UnitRows, centre, unit_rows

DIM = 32
SIZES = (20, 50, 100, 300)
#: Columns at which unrelated cosines are so near 0 that a few equal pairs are all there is of a gap.
WIDE = 512
CLASS_SIZES = (50, 200, 1_000)
READINGS = ("raw", "own means", "shared mean")
FIGURES = ("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d")
TRUTH_ROWS = 1_000_000

#: Noise added to B before ranking, so that ranks are neither perfect nor chance.
RANK_NOISE = 2.5

Draw = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Population:
    """Rows that belong together, and how they are drawn."""

    name: str
    things: Callable[[np.random.Generator, int], np.ndarray]
    noise: float = 1.0

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        things = self.things(rng, n)
        sides = [things + self.noise * rng.standard_normal((n, DIM)) for _ in range(2)]
        for side in sides:
            side[:, 0] += 3.0
        return sides[0], sides[1]

    def draw_unrelated(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        return self.draw(rng, n)[0], self.draw(rng, n)[1]


def gaussian(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal((n, DIM))


def heavy(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_t(3, (n, DIM))


_CENTRES = 1.5 * np.random.default_rng(1).standard_normal((10, DIM))


def clustered(rng: np.random.Generator, n: int) -> np.ndarray:
    shares = np.arange(10, 0, -1.0)
    return _CENTRES[rng.choice(10, size=n, p=shares / shares.sum())] + 0.7 * rng.standard_normal((n, DIM))


POPULATIONS = (
    Population("Gaussian", gaussian),
    Population("heavy tails", heavy),
    Population("clusters", clustered, noise=0.7),
)


def truths(population: Population, rows: int = TRUTH_ROWS) -> dict[str, dict[str, float]]:
    """Figures of the population itself, by reading; centred on the population's own means."""
    rng, totals, count = np.random.default_rng(99), np.zeros((2, DIM)), 0
    for a, b in _chunks(population.draw, rng, rows):
        totals += unit_rows(a).sum(axis=0), unit_rows(b).sum(axis=0)
        count += len(a)
    means = totals / count
    centres = {"raw": means * 0, "own means": means, "shared mean": np.tile(means.mean(axis=0), (2, 1))}
    sums = {reading: _Moments() for reading in READINGS}
    for a, b in _chunks(population.draw, np.random.default_rng(99), rows):
        for reading, (mean_a, mean_b) in centres.items():
            sums[reading].add(centre(unit_rows(a), mean_a)[0], centre(unit_rows(b), mean_b)[0])
    found = {reading: moments.figures() for reading, moments in sums.items()}
    found["raw"]["anisotropy"] = float(means[0] @ means[0])
    return found


def _chunks(draw: Draw, rng: np.random.Generator, rows: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for _ in range(max(1, rows // 50_000)):
        yield draw(rng, min(rows, 50_000))


class _Moments:
    """First and second moments of both sides and of own cosines."""

    def __init__(self) -> None:
        self.count, self.own = 0, np.zeros(2)
        self.first, self.second = np.zeros((2, DIM)), np.zeros((2, DIM, DIM))

    def add(self, a: np.ndarray, b: np.ndarray) -> None:
        own = (a * b).sum(axis=1)
        self.count += len(a)
        self.own += own.sum(), own @ own
        self.first += a.sum(axis=0), b.sum(axis=0)
        self.second += a.T @ a, b.T @ b

    def figures(self) -> dict[str, float]:
        own, (first_a, first_b), (second_a, second_b) = (x / self.count for x in (self.own, self.first, self.second))
        floor, matched = float(first_a @ first_b), float(own[0])
        floor_variance = float(np.vdot(second_a, second_b)) - floor**2
        gap, own_variance = matched - floor, float(own[1]) - matched**2
        return {
            "matched": matched,
            "floor": floor,
            "gap": gap,
            "gap_over_floor_sd": gap / floor_variance**0.5,
            "cohens_d": gap / ((own_variance + floor_variance) / 2) ** 0.5,
        }


def inferences(
    a: np.ndarray,
    b: np.ndarray,
    rng: np.random.Generator,
    *,
    permutations: int = 9,
    groups: Groups | None = None,
) -> dict[str, Inference]:
    """All three readings of one sample."""
    raw_a, raw_b = UnitRows(a), UnitRows(b)
    mean_a, mean_b = raw_a.mean_row(), raw_b.mean_row()
    found = {"raw": infer(raw_a, raw_b, mean_a, mean_b, rng=rng, n_permutations=permutations, groups=groups)}
    for reading in READINGS[1:]:
        means = fit_means(mean_a, mean_b, None, None, shared=reading == "shared mean")
        c_a, c_b = UnitRows(a, means.a), UnitRows(b, means.b)
        found[reading] = infer(
            c_a,
            c_b,
            c_a.mean_row(),
            c_b.mean_row(),
            means=means,
            rng=rng,
            n_permutations=permutations,
            groups=groups,
        )
    return {reading: inference for reading, inference in found.items() if inference is not None}


def coverage(population: Population, n: int, repetitions: int, truth: dict[str, dict[str, float]]) -> dict[str, float]:
    """Share of repetitions in which each interval covers the truth, and of false "no gap larger than X".

    X is the true gap itself, the largest margin for which the claim is false.
    """
    rng = np.random.default_rng([n, 6, POPULATIONS.index(population)])
    hits: dict[str, list[bool]] = {}
    ranks: dict[str, list[Interval]] = {"partner first": [], "AMRI": []}
    for _ in range(repetitions):
        a, b = population.draw(rng, n)
        for reading, inference in inferences(a, b, rng).items():
            for figure in FIGURES:
                interval = getattr(inference.intervals, figure)
                if interval.low is not None:
                    hits.setdefault(f"{reading}: {figure}", []).append(_covers(interval, truth[reading][figure]))
            left = inference.verdict.largest_gap_left
            hits.setdefault(f"{reading}: false no gap", []).append(left is not None and left < truth[reading]["gap"])
        side = UnitRows(a)
        anisotropy = anisotropy_interval(side_moments(side, side.mean_row()))
        hits.setdefault("raw: anisotropy", []).append(_covers(anisotropy, truth["raw"]["anisotropy"]))
        for name, interval in _rank_intervals(a, b + RANK_NOISE * rng.standard_normal(b.shape)).items():
            ranks[name].append(interval)
    found = {name: float(np.mean(values)) for name, values in hits.items()}
    for name, intervals in ranks.items():
        middle = float(np.mean([interval.estimate for interval in intervals]))
        given = [interval for interval in intervals if interval.low is not None]
        if len(given) > repetitions / 2:
            found[f"raw: {name}"] = float(np.mean([_covers(interval, middle) for interval in given]))
    return found


def group_coverage(groups: int, size: int, repetitions: int, truth: dict[str, dict[str, float]]) -> dict[str, float]:
    """Coverage for Gaussian things seen `size` times each, leaving out groups, and pairs for contrast."""
    rng, labels = np.random.default_rng([groups, size, 9]), np.repeat(np.arange(groups), size)
    population = Population("seen several times", lambda rng, n: gaussian(rng, groups)[labels])
    hits: dict[str, list[bool]] = {}
    for _ in range(repetitions):
        a, b = population.draw(rng, groups * size)
        for reading, inference in inferences(a, b, rng, groups=groups_from_ids(labels, len(labels))).items():
            for figure in ("matched", "gap", "cohens_d"):
                interval = getattr(inference.intervals, figure)
                hits.setdefault(f"{reading}: {figure}", []).append(_covers(interval, truth[reading][figure]))
        by_pairs = inferences(a, b, rng)["raw"].intervals.gap
        hits.setdefault("raw gap, leaving out pairs", []).append(_covers(by_pairs, truth["raw"]["gap"]))
    return {name: float(np.mean(values)) for name, values in hits.items()}


def _covers(interval: Interval, truth: float) -> bool:
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


def _rank_intervals(a: np.ndarray, b: np.ndarray) -> dict[str, Interval]:
    scores = unit_rows(a) @ unit_rows(b).T
    above = scores > np.diag(scores)[:, None] + 1e-12
    better = above.sum(axis=1)
    first = float(np.mean(better == 0))
    return {
        "partner first": share_interval(first, first, first, len(a)),
        "AMRI": mean_rank_index(better, np.zeros(len(a), np.int64), above.sum(axis=0).astype(float)),
    }


def type_one(population: Population, n: int, repetitions: int, permutations: int = 999) -> dict[str, float]:
    """Share of unrelated samples called significant at 5 %: raw permutation p, centred p, and |z| > 1.96."""
    rng = np.random.default_rng([n, 7, POPULATIONS.index(population)])
    found: dict[str, list[bool]] = {"raw p": [], "centred p": [], "raw z": []}
    for _ in range(repetitions):
        result = inferences(*population.draw_unrelated(rng, n), rng, permutations=permutations)
        found["raw p"].append(result["raw"].test.pvalue <= 0.05)
        found["centred p"].append(result["own means"].test.pvalue <= 0.05)
        found["raw z"].append(abs(result["raw"].test.z or 0.0) > 1.959964)
    return {name: float(np.mean(values)) for name, values in found.items()}


def power(n: int, repetitions: int, permutations: int = 999) -> float:
    """Share of Gaussian samples with a gap of just the detectable size that the test finds."""
    rng = np.random.default_rng([n, 8])

    def sample(weight: float) -> Inference:
        a = rng.standard_normal((n, DIM))
        b = weight * a + (1 - weight**2) ** 0.5 * rng.standard_normal((n, DIM))
        sides = UnitRows(a), UnitRows(b)
        found = infer(*sides, *(side.mean_row() for side in sides), rng=rng, n_permutations=permutations)
        assert found is not None
        return found

    detectable = float(np.mean([sample(0.0).verdict.detectable for _ in range(20)]))
    return float(np.mean([sample(detectable).test.pvalue <= 0.05 for _ in range(repetitions)]))


def coverage_table(repetitions: int) -> Iterator[str]:
    yield "| population | n | reading | " + " | ".join([*FIGURES, "anisotropy", "partner first", "AMRI"]) + " |"
    yield "| --- | ---: | --- |" + " ---: |" * (len(FIGURES) + 3)
    false_claims = []
    for population in POPULATIONS:
        truth = truths(population)
        for n in SIZES:
            found = coverage(population, n, repetitions, truth)
            for reading in READINGS:
                names = [*FIGURES, "anisotropy", "partner first", "AMRI"]
                cells = [found.get(f"{reading}: {name}") for name in names]
                shown = " | ".join("" if cell is None else f"{100 * cell:.1f}" for cell in cells)
                yield f"| {population.name} | {n} | {reading} | {shown} |"
            rates = " | ".join(f"{100 * found[f'{reading}: false no gap']:.1f}" for reading in READINGS)
            false_claims.append(f"| {population.name} | {n} | {rates} |")
    yield ""
    yield 'False "no gap larger than X", in %, X being the true gap:'
    yield ""
    yield "| population | n | " + " | ".join(READINGS) + " |"
    yield "| --- | ---: |" + " ---: |" * len(READINGS)
    yield from false_claims


def group_table(repetitions: int) -> Iterator[str]:
    truth, rows = truths(POPULATIONS[0]), []
    for groups in (20, 50, 100):
        found = group_coverage(groups, 5, repetitions, truth)
        if not rows:
            rows = ["| groups of 5 | " + " | ".join(found) + " |", "| ---: |" + " ---: |" * len(found)]
            yield from rows
        yield f"| {groups} | " + " | ".join(f"{100 * rate:.1f}" for rate in found.values()) + " |"


def type_one_table(repetitions: int) -> Iterator[str]:
    yield "| population | n | raw, permutation | own means, permutation | raw, normal z |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for population in POPULATIONS:
        for n in SIZES:
            found = type_one(population, n, repetitions)
            yield f"| {population.name} | {n} | " + " | ".join(f"{100 * rate:.1f}" for rate in found.values()) + " |"


def power_table(repetitions: int) -> Iterator[str]:
    yield "| n | found |"
    yield "| ---: | ---: |"
    for n in SIZES:
        yield f"| {n} | {100 * power(n, repetitions):.1f} |"


def two_classes(rng: np.random.Generator, n: int, share: float) -> np.ndarray:
    """Unit rows of two tight classes on opposite sides of the origin, the first drawn with chance `share`."""
    rows = rng.standard_normal((n, DIM))
    rows[:, 0] += 6.0 * np.where(rng.random(n) < share, 1, -1)
    return unit_rows(rows)


def two_classes_table(repetitions: int) -> Iterator[str]:
    """Anisotropy where the mean all but vanishes: a square about 0, which no symmetric interval fits."""
    yield "| share of the first class | " + " | ".join(f"n = {n}" for n in CLASS_SIZES) + " |"
    yield "| ---: |" + " ---: |" * len(CLASS_SIZES)
    for share in (0.5, 0.6, 0.7, 0.8):
        rng = np.random.default_rng([int(100 * share), 7])
        one = np.mean([two_classes(rng, 10_000, 1.0).mean(axis=0) for _ in range(TRUTH_ROWS // 10_000)], axis=0)
        other = one * np.where(np.arange(DIM) == 0, -1, 1)
        mean = share * one + (1 - share) * other
        cells = []
        for n in CLASS_SIZES:
            sides = (UnitRows(two_classes(rng, n, share)) for _ in range(repetitions))
            intervals = (anisotropy_interval(side_moments(side, side.mean_row())) for side in sides)
            cells.append(np.mean([_covers(interval, float(mean @ mean)) for interval in intervals]))
        yield f"| {share} | " + " | ".join(f"{100 * rate:.1f}" for rate in cells) + " |"


def rare_table(repetitions: int) -> Iterator[str]:
    """Unrelated rows, but for a share of pairs that are the same row twice: the true gap is that share."""
    yield "| share of equal pairs | n | expected equal pairs | no gap larger than the true one |"
    yield "| ---: | ---: | ---: | ---: |"
    for share, n in ((0.02, 50), (0.03, 100), (0.02, 300), (0.1, 100)):
        rng, false = np.random.default_rng([n, int(1_000 * share)]), 0
        for _ in range(repetitions):
            a, b = rng.standard_normal((2, n, WIDE))
            equal = rng.random(n) < share
            b[equal] = a[equal]
            verdict = inferences(a, b, rng, permutations=199)["raw"].verdict
            left = verdict.largest_gap_left
            false += verdict.pvalue > LEVEL and left is not None and left < share
        yield f"| {share} | {n} | {share * n:.0f} | {100 * false / repetitions:.1f} |"


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    started = time.monotonic()
    print(f"Python {platform.python_version()}, numpy {np.__version__}; {repetitions:,} repetitions a cell\n")
    for title, table in (
        ("Coverage of 95 % intervals, in %", coverage_table),
        ("Coverage of 95 % intervals, leaving out groups, in %", group_table),
        ("Coverage of anisotropy where two tight classes face each other, in %", two_classes_table),
        ('False "no gap larger than X" where few pairs carry the gap, X the true gap, in %', rare_table),
        ("Unrelated samples called significant at 5 %, in %", type_one_table),
        ("Gaussian samples with a gap of the detectable size found significant, in %", power_table),
    ):
        print(f"{title}:\n")
        for line in table(repetitions):
            print(line, flush=True)
        print()
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
