"""Files whose neighbouring rows are alike: told from others, and then read as series."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.alike_rows import file_order, moved_gaps, parts_of_file, series_interval
from core.cka import cka_null
from core.gap_values import gap_values
from core.neighbours import neighbour_overlap
from core.report import two_models_document
from core.rows import UnitRows
from core.spaces import compare_models
from core.two_models import audit_two_models
from tests.arrays import inspected, random_rotation
from tests.oracle import unit


def series(rng, n, dim, carried):
    """AR(1) rows from their stationary state."""
    rows = rng.standard_normal((n, dim))
    rows[0] /= np.sqrt(1 - carried**2)
    for row in range(1, n):
        rows[row] += carried * rows[row - 1]
    return rows


def drift(rng, n, dim):
    return np.cumsum(rng.standard_normal((n, dim)), axis=0)


def compared(*rows, seed=0):
    return compare_models(*rows, rng=np.random.default_rng(seed), n_permutations=199)


def far_apart(n, apart):
    """Ordered pairs of rows at least so far from each other, going round the end."""
    return [(i, j) for i in range(n) for j in range(n) if min((i - j) % n, (j - i) % n) >= apart]


def test_orders_of_files_are_told_apart(rng):
    alike = [series(rng, 300, 12, 0.8) for _ in "ab"]
    assert file_order(*alike) == "alike"
    assert file_order(drift(rng, 300, 12), drift(rng, 300, 12)) == "drifting"
    assert file_order(alike[0], rng.permutation(alike[1])) == "any"
    assert file_order(*(rows[:19] for rows in alike)) == "any"
    linked = [rng.standard_normal((100, 6)) for _ in range(200)]
    assert all(file_order(rows, rows) == "any" for rows in linked)


def test_moved_gaps_are_those_of_every_shift(rng):
    a, b = (UnitRows(series(rng, 31, 5, 0.5)) for _ in "ab")
    found = moved_gaps(a, b)
    by_hand = []
    for shift in range(31):
        scores = a[:] @ np.roll(b[:], -shift, axis=0).T
        by_hand.append(np.diagonal(scores).mean() - scores[~np.eye(31, dtype=bool)].mean())
    assert_allclose(found.observed, by_hand[0], rtol=1e-12)
    assert found.pvalue == (1 + sum(gap >= by_hand[0] for gap in by_hand[1:])) / 31
    assert_allclose(found.sd, np.sqrt(np.mean(np.square(by_hand[3:29]))), rtol=1e-10)
    assert (found.n_permutations, found.n_rows) == (30, 31)


def test_the_interval_leaves_out_stretches_and_is_never_narrower_than_the_moves(rng):
    a, b = (UnitRows(series(rng, 100, 5, 0.9)) for _ in "ab")
    gap, moved = gap_values(a, b), moved_gaps(a, b)
    own = [gap.gap + sum(gap.delete_one[k : k + 10] - gap.gap) for k in range(0, 100, 10)]
    error = np.sqrt(9 / 10 * np.sum(np.square(own - np.mean(own))))
    found = series_interval(gap, moved)
    assert_allclose(found.error, max(error, moved.sd), rtol=1e-10)
    assert_allclose(found.high - found.low, 2 * 2.2621571628 * found.error, rtol=1e-8)


def test_cka_of_rows_far_apart_against_least_squares(rng):
    a, b = series(rng, 20, 4, 0.6), series(rng, 20, 6, 0.6)
    pairs = far_apart(20, 2)
    design = np.zeros((len(pairs), 20))
    for place, (i, j) in enumerate(pairs):
        design[place, i] += 1
        design[place, j] += 1

    def left(x, order):
        x = unit(x)
        x = (x - x.mean(axis=0))[order]
        inner = np.array([x[i] @ x[j] for i, j in pairs])
        return inner - design @ np.linalg.lstsq(design, inner, rcond=None)[0]

    def cosine(x, y):
        return x @ y / np.linalg.norm(x) / np.linalg.norm(y)

    own = left(a, np.arange(20))
    moved = [cosine(own, left(b, (np.arange(20) + shift) % 20)) for shift in range(20)]
    found = cka_null(a, b, n_permutations=99, rng=rng, apart=0.1)
    assert_allclose(found.observed, moved[0], rtol=1e-9)
    assert_allclose([found.mean, found.sd], [np.mean(moved[1:]), np.std(moved[1:])], rtol=1e-8, atol=1e-12)
    assert found.n_permutations == 19
    assert found.pvalue == (1 + sum(value >= moved[0] for value in moved[1:])) / 20


def test_neighbours_far_apart_against_sets(rng):
    a, b = series(rng, 24, 4, 0.6), series(rng, 24, 6, 0.6)
    allowed = far_apart(24, 3)

    def near(x):
        scores = unit(x) @ unit(x).T
        near = [sorted((j for i, j in allowed if i == row), key=lambda j: -scores[row, j])[:4] for row in range(24)]
        return [set(found) for found in near]

    ours, theirs = near(a), near(b)

    def shared(shift):
        back = [{(j + shift) % 24 for j in ours[(row - shift) % 24]} for row in range(24)]
        return np.mean([len(x & y) / 4 for x, y in zip(back, theirs, strict=True)])

    found = neighbour_overlap(a, b, n_permutations=99, rng=rng, k=4, apart=3)
    assert_allclose(found.overlap, shared(0), rtol=1e-12)
    assert_allclose(found.null.mean, np.mean([shared(shift) for shift in range(1, 24)]), rtol=1e-12)
    assert_allclose(found.chance, 4 / 19)


def test_unrelated_series_are_seldom_called_linked():
    """Halves at random, shuffled rows and single pairs left out call all of them linked, in all three ways."""
    said = np.zeros(3)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        found = compared(series(rng, 300, 16, 0.9), series(rng, 300, 16, 0.9))
        said += [found.interval.low > 0, found.cka_null.pvalue <= 0.01, found.neighbours.null.pvalue <= 0.01]
    assert max(said) <= 2


@pytest.mark.parametrize("given", [False, True])
def test_linked_series_are_still_found_and_it_is_said_how(given):
    rng = np.random.default_rng(4)
    a = series(rng, 600, 16, 0.9)
    b = (a + rng.standard_normal(a.shape)) @ random_rotation(rng, 16)
    files = [a[:300], b[:300]] + ([a[330:], b[330:]] if given else [])
    result = audit_two_models(*(inspected(one, f"{name}.npy") for name, one in zip("abtu", files, strict=False)))
    found, words = result.found, two_models_document(result)
    assert found.interval.low > 0
    assert max(found.moved.pvalue, found.cka_null.pvalue, found.neighbours.null.pvalue) < 0.02
    assert (found.file_order, found.rows_apart, found.split) == ("alike", 30, not given)
    assert "Neighbouring rows of A are alike, and so are those of B" in words.warning
    assert ("the first 135 pairs train the map, the last 135 are compared, and 30" in words.warning) is not given
    assert "299 moves of one side's rows along the file" in words.methods
    assert words.data["series"]["file_order"] == "alike"
    assert words.data["series"]["moved_gap"]["pvalue"] == found.moved.pvalue


def test_of_rows_that_drift_nothing_is_claimed(rng):
    result = audit_two_models(inspected(drift(rng, 200, 8), "a.npy"), inspected(drift(rng, 200, 8), "b.npy"))
    found, words = result.found, two_models_document(result)
    assert (found.interval.low, found.cka_null, found.neighbours.null, found.moved) == (None, None, None, None)
    assert "nothing claimed" in words.warning
    assert "It shows nothing about A and B" in " ".join(words.note)
    assert "no p was taken" in words.methods
    assert words.data["neighbours"]["null"] is None


@pytest.mark.parametrize("side", ["a", "b"])
def test_rows_that_one_side_has_in_both_files_are_named(rng, side):
    a, b, train_a, train_b = (rng.standard_normal((60, 10)) for _ in "abtu")
    mine, train = {"a": (a, train_a), "b": (b, train_b)}[side]
    train[[7, 40]] = (3 * mine[[5, 9]]).astype(np.float32)
    found = compared(a, b, train_a, train_b)
    ((where, text),) = [(one.side, one.text) for one in found.notices if one.code == "train_rows_compared"]
    assert where == side
    assert f"2 compared rows of {side.upper()} also stand among the train rows of {side.upper()}" in text
    assert "row 5, 9 (counting from 0)" in text
    assert f"rows of {'BA'['ab'.index(side)]} none stand" in text


def test_other_items_get_no_word_on_train_rows(rng):
    found = compared(*(rng.standard_normal((60, 10)) for _ in "abtu"))
    assert "train_rows_compared" not in {one.code for one in found.notices}


def test_parts_of_a_file_leave_a_tenth_between_them():
    train, compared_rows = parts_of_file(101)
    assert (train[0], train[-1], compared_rows[0], compared_rows[-1]) == (0, 44, 55, 100)


@pytest.mark.parametrize("given", [False, True])
def test_pairs_that_repeat_count_once_within_each_model(given):
    """Shuffling single copies calls every one of these unrelated files linked."""
    said = np.zeros(2)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        order = rng.permutation(np.repeat(np.arange(40), 4))
        a, b = (rng.standard_normal((40, 8))[order] for _ in "ab")
        train = [rng.standard_normal((50, 8)) for _ in "ab"] if given else []
        found = compared(a, b, *train)
        said += [found.cka_null.pvalue <= 0.01, found.neighbours.null.pvalue <= 0.01]
        assert (found.neighbours.n_rows, found.cka_null.n_rows) == (40, 40)
        (text,) = [one.text for one in found.notices if one.code == "repeated_pairs"]
        assert "one pair of each group, 40 in all" in text
        assert ("same half" in text) is not given
    assert max(said) <= 2
