"""A map that carries nothing: whose rows are out of order, and one file in two places."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.cka import cka_null
from core.report import two_models_document
from core.spaces import compare_models
from core.two_models import audit_two_models
from tests.arrays import inspected, random_rotation


def compared(*rows):
    """Two models' rows compared: a, b and, where given, train rows of both."""
    return audit_two_models(*(inspected(one, f"{name}.npy") for name, one in zip("abtu", rows, strict=False)))


@pytest.fixture
def linked():
    """Compared and train rows of two models of one set of things: a, b, train a, train b."""
    rng = np.random.default_rng(12)
    things = rng.standard_normal((400, 20)) / np.sqrt(1 + np.arange(20) / 4)
    a, b = (things @ random_rotation(rng, 20) + 0.1 * rng.standard_normal(things.shape) for _ in "ab")
    return a[:150], b[:150], a[150:], b[150:]


def asked(found):
    """Notices that ask about an order, by code."""
    return {one.code: one.text for one in found.notices if one.code in ("train_order", "compared_order")}


def test_rows_in_order_are_not_asked_about(linked):
    assert asked(compared(*linked)) == {}


@pytest.mark.parametrize("order", ["shuffled", "shifted"])
def test_train_rows_in_another_order_are_asked_about(linked, order):
    a, b, train_a, train_b = linked
    moved = np.random.default_rng(1).permutation(train_b) if order == "shuffled" else np.roll(train_b, 1, axis=0)
    found = compared(a, b, train_a, moved)
    assert found.found.mapped.a_to_b.expected < 0.05
    assert found.found.cka_null.pvalue == 0.001
    (text,) = asked(found).values()
    assert text.startswith("Are the train rows of A and of B in the same order?")
    assert text in two_models_document(found).warning


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        (lambda b: np.roll(b, 3, axis=0), "row i + 3 for 1"),
        (lambda b: np.random.default_rng(1).permutation(b), "they look out of order"),
        (lambda b: np.random.default_rng(1).standard_normal(b.shape), "no other order was found"),
    ],
)
def test_compared_rows_in_another_order_are_asked_about(linked, moved, words):
    a, b, train_a, train_b = linked
    found = compared(a, moved(b), train_a, train_b)
    assert list(asked(found)) == ["compared_order"]
    assert asked(found)["compared_order"].startswith("Are the compared rows of A and of B in the same order?")
    assert words in asked(found)["compared_order"]
    assert asked(found)["compared_order"] in two_models_document(found).warning


def test_unrelated_rows_on_both_sides_of_the_split_are_not_asked_about():
    rng = np.random.default_rng(3)
    assert asked(compared(*(rng.standard_normal((n, 20)) for n in (150, 150, 250, 250)))) == {}


def weakly_linked(seed, n, m, noise):
    """Two models of one set of things that see little of it: a, b, train a, train b, in order."""
    rng = np.random.default_rng(seed)
    things = rng.standard_normal((n + m, 12))
    a, b = (things @ rng.standard_normal((12, 16)) + noise * rng.standard_normal((n + m, 16)) for _ in "ab")
    return a[:n], b[:n], a[n:], b[n:]


@pytest.mark.parametrize(
    ("n", "m", "noise"), [(4, 100, 0.5), (10, 100, 0.5), (100, 10, 0.5), (30, 100, 8), (100, 40, 8)]
)
def test_few_rows_and_weak_links_in_order_are_never_asked_about(n, m, noise):
    for seed in range(6):
        rows = weakly_linked(seed, n, m, noise)
        found = compare_models(*rows, rng=np.random.default_rng(0), n_permutations=199)
        assert asked(found) == {}


def test_one_cka_significant_and_the_other_not_is_no_difference():
    """Both are about .05 here, and the p of the two stand on either side of the level in some draws."""
    draws = [weakly_linked(seed, 60, 60, 6) for seed in range(40)]
    levels = [
        [cka_null(x, y, n_permutations=199, rng=np.random.default_rng(0)).pvalue <= 0.01 for x, y in (d[:2], d[2:])]
        for d in draws
    ]
    split = [draw for draw, (one, other) in zip(draws, levels, strict=True) if one != other]
    assert len(split) >= 5
    for draw in split:
        assert asked(compare_models(*draw, rng=np.random.default_rng(0), n_permutations=199)) == {}


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ("aa", "A and B are the same file, byte for byte: this compares a model with itself."),
        ("abtt", "The train rows of A and the train rows of B are the same file"),
        ("abau", "A and the train rows of A are the same file, byte for byte: train rows must be other items"),
        ("abtb", "B and the train rows of B are the same file"),
        ("abta", "A and the train rows of B are the same file, byte for byte: the train rows of B must come"),
        ("abbu", "B and the train rows of A are the same file"),
    ],
)
def test_one_file_given_in_two_places_is_said(rng, places, words):
    files = {name: rng.standard_normal((60, 8)) for name in "abtu"}
    found = compared(*(files[place] for place in places))
    (text,) = [one.text for one in found.notices if one.code == "same_file"]
    assert text.startswith(words)
    assert text in two_models_document(found).warning


def test_two_arrays_of_one_archive_are_not_called_one_file(rng, tmp_path):
    archive = tmp_path / "both.npz"
    np.savez(archive, first=rng.standard_normal((40, 6)), second=rng.standard_normal((40, 6)))
    a, b = (core.load(archive, "both.npz", core.ReadChoices(key=key)) for key in ("first", "second"))
    assert "same_file" not in [one.code for one in audit_two_models(a, b).notices]
