"""Many conditions brought together: what is compared with what, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.conditions import Condition, compare_conditions, holm
from core.errors import PairingError
from tests.core.test_gap_differences import mean_as_gap


def run(label, rng, *, seed=None, n=20, shift=0.0):
    return Condition(label=label, seed=seed, values=mean_as_gap(rng.standard_normal(n) + shift))


def seeded(rng, labels=("x", "y"), seeds=("0", "1", "2")):
    return [run(label, rng, seed=seed) for label in labels for seed in seeds]


def test_every_pair_is_compared_and_the_family_adjusted(rng):
    found = compare_conditions([run("x", rng), run("y", rng, shift=3), run("z", rng)])
    assert [(x.first, x.second) for x in found] == [("y", "x"), ("z", "x"), ("z", "y")]
    assert_allclose([x.holm_pvalue for x in found], holm([x.pvalue for x in found]))
    assert found[0].mean > 2
    assert found[2].mean < -2


def test_with_a_baseline_each_other_condition_is_compared_with_it(rng):
    found = compare_conditions([run("x", rng), run("y", rng), run("z", rng)], baseline="y")
    assert [(x.first, x.second) for x in found] == [("x", "y"), ("z", "y")]


def test_seeds_make_the_design_crossed(rng):
    (found,) = compare_conditions(seeded(rng))
    assert (found.design, len(found.by_seed), found.n_items) == ("crossed", 3, 20)


def test_seeds_are_matched_by_name_not_by_order(rng):
    runs = seeded(rng)
    (plain,), (mixed,) = compare_conditions(runs), compare_conditions(runs[:3] + runs[5:2:-1])
    assert_allclose(mixed.by_seed, plain.by_seed)


def test_one_seed_is_a_paired_comparison(rng):
    (found,) = compare_conditions(seeded(rng, seeds=("7",)))
    assert found.design == "paired"


def test_separation_heeds_the_family():
    items = np.random.default_rng(2).standard_normal(30)
    items = (items - items.mean()) / items.std(ddof=1)
    barely = Condition(label="barely", seed=None, values=mean_as_gap(items + 2.1 / np.sqrt(30)))
    base = Condition(label="base", seed=None, values=mean_as_gap(np.zeros(30)))
    other = Condition(label="other", seed=None, values=mean_as_gap(items))
    (alone,) = compare_conditions([base, barely], baseline="base")
    among, _ = compare_conditions([base, barely, other], baseline="base")
    assert alone.separates
    assert not among.separates
    assert among.interval == alone.interval


@pytest.mark.parametrize(
    ("pvalues", "adjusted"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02, None, 0.01], [0.02, None, 0.02]),
        ([None], [None]),
        ([], []),
    ],
)
def test_holm_by_hand(pvalues, adjusted):
    assert holm(pvalues) == pytest.approx(adjusted)


def test_holm_never_finds_more_in_a_larger_family(rng):
    pvalues = rng.uniform(0, 0.1, 6).tolist()
    assert np.all(np.array(holm([*pvalues, 0.5])[:6]) >= np.array(holm(pvalues)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda runs, rng: runs[:3], "at least two conditions"),
        (lambda runs, rng: [*runs, runs[0]], "condition x is given twice with seed 0"),
        (lambda runs, rng: runs[:-1], "condition y lacks seed 2, unlike x"),
        (lambda runs, rng: [*runs, run("y", rng, seed="9")], "condition y also has seed 9, unlike x"),
        (
            lambda runs, rng: [*runs[:-1], run("y", rng, seed="2", n=19)],
            r"condition y \(seed 2\) has 19 items and x \(seed 0\) has 20",
        ),
        (lambda runs, rng: [run("x", rng), run("x", rng), run("y", rng)], "condition x is given twice"),
    ],
)
def test_runs_that_cannot_be_compared_are_named(rng, change, words):
    with pytest.raises(PairingError, match=words):
        compare_conditions(change(seeded(rng), rng))


def test_an_unknown_baseline_is_refused_with_the_choices(rng):
    with pytest.raises(PairingError, match="no condition called q") as refused:
        compare_conditions(seeded(rng), baseline="q")
    assert "x, y" in refused.value.remedy
