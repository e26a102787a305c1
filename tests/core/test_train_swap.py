"""Train files that belong to the other model are asked about, and right ones never."""

from __future__ import annotations

import numpy as np
import pytest

from core.report import two_models_document
from core.two_models import audit_two_models
from tests.arrays import inspected, random_rotation


def models(seed, offset, n=150, m=200, dim=24, noise=0.5):
    """Two models of equal width: a, b, train a, train b; their means lie `offset` away from 0."""
    rng = np.random.default_rng(seed)
    things = rng.standard_normal((n + m, 12))
    a, b = (
        things @ rng.standard_normal((12, dim))
        + offset * rng.standard_normal(dim)
        + noise * rng.standard_normal((n + m, dim))
        for _ in "ab"
    )
    return a[:n], b[:n], a[n:], b[n:]


def codes(found):
    return [one.code for one in found.notices]


def compared(*rows):
    return audit_two_models(*(inspected(one, f"{name}.npy") for name, one in zip("abtu", rows, strict=True)))


@pytest.mark.parametrize(("offset", "words"), [(2, "is 0."), (0, "the two exchanged the compared rows have a gap")])
@pytest.mark.parametrize("seed", range(3))
def test_train_files_of_the_other_models_are_asked_about(seed, offset, words):
    a, b, train_a, train_b = models(seed, offset)
    found = compared(a, b, train_b, train_a)
    assert found.found.mapped.a_to_b.expected < 0.05
    (text,) = [one.text for one in found.notices if one.code == "train_swap"]
    assert text.startswith("Do the train files belong to the other models?")
    assert words in text
    assert text in two_models_document(found).warning
    assert not {"train_order", "compared_order", "map_loses"} & set(codes(found))


@pytest.mark.parametrize("offset", [0, 0.3, 2])
def test_train_files_in_their_places_are_not_asked_about(offset):
    for seed in range(4):
        a, b, train_a, train_b = models(seed, offset)
        shuffled = np.random.default_rng(seed).permutation(train_b)
        for rows in ((a, b, train_a, train_b), (a, b, train_a, shuffled)):
            assert "train_swap" not in codes(compared(*rows))


def test_train_rows_of_other_subjects_are_not_called_swapped():
    """The means of the train rows lie elsewhere, but not where those of the other model lie."""
    a, b, train_a, train_b = models(1, 2)
    moved = 2 * np.random.default_rng(0).standard_normal((2, a.shape[1]))
    assert "train_swap" not in codes(compared(a, b, train_a + moved[0], train_b + moved[1]))


def test_unrelated_rows_and_rows_of_one_space_are_not_called_swapped(rng):
    for _ in range(3):
        rows = [rng.standard_normal((n, 20)) for n in (150, 150, 200, 200)]
        assert "train_swap" not in codes(compared(*rows))
    things = rng.standard_normal((350, 20)) @ random_rotation(rng, 20)
    noisy = things + 0.3 * rng.standard_normal(things.shape)
    assert "train_swap" not in codes(compared(things[:150], noisy[:150], things[150:], noisy[150:]))
