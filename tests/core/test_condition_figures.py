"""The figures of one condition, against the audit's own definitions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.condition_figures import layer_figures, measure_condition
from core.errors import PairingError
from tests.arrays import related_pair
from tests.oracle import centred_sides, exact, mean_cosine_between_rows, unit


@pytest.mark.parametrize("fitted", [False, True])
def test_figures_against_the_whole_matrix(rng, fitted):
    a, b = related_pair(rng)
    fits = related_pair(rng, n=70) if fitted else ()
    found = measure_condition(a, b, *fits)
    for reading, sides in ((found.raw, (unit(a), unit(b))), (found.centred, centred_sides(a, b, *fits))):
        expected = exact(*sides)
        assert_allclose(
            [reading.anisotropy_a, reading.anisotropy_b, reading.matched, reading.floor],
            [*map(mean_cosine_between_rows, sides), expected["matched"], expected["floor"]],
            rtol=1e-9,
            atol=1e-13,
        )
        corrected = 39 / 40 if reading is found.centred and not fitted else 1
        assert_allclose(reading.values.gap, corrected * expected["gap"], rtol=1e-10)


def test_layers_are_measured_one_by_one(rng):
    stacks = [np.stack(layers) for layers in zip(*(related_pair(rng) for _ in range(3)), strict=True)]
    found = layer_figures(*stacks)
    alone = measure_condition(stacks[0][1], stacks[1][1])
    assert len(found) == 3
    assert found[1].raw.matched == alone.raw.matched
    assert_allclose(found[1].centred.values.delete_one, alone.centred.values.delete_one)


def test_rows_without_direction_after_centring_leave_the_raw_reading(rng):
    found = measure_condition(np.ones((5, 3)), rng.standard_normal((5, 3)))
    assert found.centred is None
    assert_allclose(found.raw.anisotropy_a, 1)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (((5, 3), (6, 3)), "one side is 5 × 3 and the other 6 × 3"),
        (((2, 3), (2, 3)), "2 pairs, and the floor needs at least 3"),
        (((5, 3), (5, 3), (9, 3)), "one side has a fit array"),
    ],
)
def test_conditions_that_are_no_pairs_are_refused(rng, sizes, words):
    with pytest.raises(PairingError, match=words):
        measure_condition(*(rng.standard_normal(size) for size in sizes))


def test_stacks_must_be_alike(rng):
    with pytest.raises(PairingError, match="2 × 5 × 3 and 3 × 5 × 3"):
        layer_figures(rng.standard_normal((2, 5, 3)), rng.standard_normal((3, 5, 3)))


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_a_layer_with_a_row_without_direction_is_named(rng, bad):
    a, b = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 5, 3))
    b[1, 3] = bad
    with pytest.raises(PairingError, match=r"layer 1 of B: 1 rows .* first row 3"):
        layer_figures(a, b)
