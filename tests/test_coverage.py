"""A short version of benchmarks/interval_coverage.py: do the intervals cover, does the test keep its level?

Bounds are the nominal rate plus or minus four standard errors of the repetitions and a
point or two for what the full study shows; see core/METHODS.md for its table.
"""

from __future__ import annotations

import pytest

from benchmarks.interval_coverage import POPULATIONS, coverage, truths, type_one

REPETITIONS = 80

by_name = {population.name: population for population in POPULATIONS}


@pytest.mark.parametrize("name", by_name)
def test_intervals_cover_and_no_gap_is_seldom_false(name):
    population = by_name[name]
    found = coverage(population, 60, REPETITIONS, truths(population, rows=100_000))
    uncovered = {
        figure: rate
        for figure, rate in found.items()
        if "false no gap" not in figure and rate < (0.79 if "cohens_d" in figure else 0.85)
    }
    assert not uncovered
    assert max(rate for figure, rate in found.items() if "false no gap" in figure) < 0.15


def test_the_permutation_test_keeps_its_level():
    found = type_one(by_name["heavy tails"], 30, 2 * REPETITIONS, permutations=99)
    assert max(found.values()) < 0.11
    assert min(found.values()) > 0.005
