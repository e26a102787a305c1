"""Train rows that do not stand for the compared ones are asked about, and those that do never."""

from __future__ import annotations

import numpy as np
import pytest

from core.report import two_models_document
from tests.arrays import random_rotation
from tests.core.test_train_swap import codes, compared, models

SPOILT = {
    "other axes": lambda rows, rng: rows @ random_rotation(rng, rows.shape[1]),
    "the other sign": lambda rows, rng: -rows,
    "some columns negated": lambda rows, rng: rows * np.where(np.arange(rows.shape[1]) < 10, -1, 1),
    "moved": lambda rows, rng: rows + 4,
}


@pytest.mark.parametrize("side", [0, 1, 2, 3])
@pytest.mark.parametrize("how", SPOILT)
def test_train_rows_in_other_coordinates_than_the_compared_ones_are_asked_about(how, side, rng):
    rows = list(models(3, 0.3))
    assert "train_elsewhere" not in codes(compared(*rows))
    rows[side] = SPOILT[how](rows[side], rng)
    found = compared(*rows)
    (text,) = [one.text for one in found.notices if one.code == "train_elsewhere"]
    assert text.startswith("The map of the train rows does not carry to the compared ones")
    assert text in two_models_document(found).warning


@pytest.mark.parametrize("m", [20, 60, 200, 1_000])
@pytest.mark.parametrize("noise", [0.1, 1.0, 3.0])
def test_train_rows_that_stand_for_the_compared_ones_are_not_asked_about(m, noise):
    for seed in range(3):
        assert "train_elsewhere" not in codes(compared(*models(seed, 0.5, n=200, m=m, noise=noise)))


def test_unrelated_models_are_not_asked_about(rng):
    a, b, train_a, train_b = (rng.standard_normal((n, 24)) for n in (200, 200, 300, 300))
    assert "train_elsewhere" not in codes(compared(a, b, train_a, train_b))


def test_a_gap_below_zero_after_the_map_is_explained():
    a, b, train_a, train_b = models(3, 0.3)
    assert any("lies below 0" in note for note in two_models_document(compared(-a, b, train_a, train_b)).note)
