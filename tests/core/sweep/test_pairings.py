"""Scores of derangements, against the score matrix."""

import numpy as np
import pytest

from core.sweep import make_ready, pairing_sums
from tests.core.sweep.cases import collapsed, half_precision, plain, related, wide_norms
from tests.core.sweep.whole import Whole, own_means


@pytest.fixture
def rng():
    return np.random.default_rng(22)


@pytest.mark.parametrize("in_float32", [True, False])
@pytest.mark.parametrize("case", [plain, collapsed, half_precision, wide_norms], ids=lambda case: case.__name__)
def test_pooled_scores_have_the_digits_of_the_score_matrix(rng, case, in_float32):
    a, b = case(rng)
    n = len(a)
    means = own_means(a, b)
    sides = make_ready(a, b, *means, in_float32=in_float32)
    pairings = [rng.permutation(n) for _ in range(7)]
    sums, squares = pairing_sums(sides, pairings)
    for reading, whole in enumerate((Whole.of(a, b), Whole.of(a, b, means))):
        scores = np.array([whole.scores[np.arange(n), pairing] for pairing in pairings])
        deviations = scores - sides.floors[reading]
        close = 1e-8 * deviations.std() + 2 * whole.rounding
        np.testing.assert_allclose(sums[reading] / n, deviations.mean(axis=1), rtol=0, atol=close)
        pooled = np.sqrt(squares[reading].sum() / (7 * n) - (sums[reading].sum() / (7 * n)) ** 2)
        assert pooled == pytest.approx(scores.std(), abs=close)


def test_scores_do_not_depend_on_what_is_kept_in_memory(rng, monkeypatch):
    a, b = related(rng, 90, 11)
    sides = make_ready(a, b, *own_means(a, b))
    pairings = [rng.permutation(90) for _ in range(3)]
    expected = pairing_sums(sides, pairings)
    assert sides.scores is not None
    monkeypatch.setattr("core.sweep.sides.WHOLE_SCORES_ROWS", 10)
    sides = make_ready(a, b, *own_means(a, b))
    assert sides.scores is None
    np.testing.assert_allclose(pairing_sums(sides, pairings), expected, rtol=1e-12, atol=1e-12)
    monkeypatch.setattr("core.sweep.sides.ROW_BLOCK_ELEMENTS", 100)
    sides = make_ready(a, b, *own_means(a, b), in_float32=False)
    assert sides.a.kept is None
    monkeypatch.setattr("core.sweep.pairings.READY_BLOCK_ELEMENTS", 100)
    np.testing.assert_allclose(pairing_sums(sides, pairings), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_workers", [1, 3])
def test_no_digit_depends_on_the_number_of_workers(rng, n_workers):
    a, b = related(rng, 2500, 64)
    sides = make_ready(a, b, *own_means(a, b))
    pairings = [rng.permutation(2500) for _ in range(30)]
    np.testing.assert_array_equal(
        pairing_sums(sides, pairings, n_workers=n_workers), pairing_sums(sides, pairings, n_workers=2)
    )
