"""Two models compared: what a map may say, and what it must not be asked."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.cka import debiased_cka
from core.errors import PairingError
from core.spaces import compare_models
from core.train_split import divide
from tests.arrays import random_rotation
from tests.oracle import exact, first_shares, unit


def two_models(rng, n=90, dim_a=10, dim_b=14, noise=0.4):
    """The same things seen by two encoders of different widths."""
    things = rng.standard_normal((n, 10))
    a = things @ rng.standard_normal((10, dim_a)) + 1
    b = things @ rng.standard_normal((10, dim_b)) - 2
    return a + noise * rng.standard_normal(a.shape), b + noise * rng.standard_normal(b.shape)


def compared(*rows, seed=1, **choices):
    return compare_models(*rows, rng=np.random.default_rng(seed), n_permutations=49, **choices)


def test_the_mapped_reading_is_of_the_compared_rows_alone(rng):
    a, b = two_models(rng)
    found = compared(a[:30], b[:30], a[30:], b[30:])
    mean_a, mean_b = unit(a[30:]).mean(axis=0), unit(b[30:]).mean(axis=0)
    train = [unit(unit(x) - m) for x, m in ((a[30:], mean_a), (b[30:], mean_b))]
    u, _, vt = np.linalg.svd(train[0].T @ train[1], full_matrices=False)
    x, y = unit(unit(a[:30]) - mean_a) @ u, unit(unit(b[:30]) - mean_b) @ vt.T
    expected = exact(x, y)

    assert_allclose(found.mapped.matched_mean, expected["matched"], rtol=1e-10)
    assert_allclose(found.mapped.exact.floor_mean, expected["floor"], atol=1e-12)
    assert_allclose(found.mapped_gap.gap, expected["gap"], rtol=1e-10)
    assert_allclose(found.mapped.a_to_b.expected, first_shares(x @ y.T)["expected"])
    assert (found.n_compared, found.n_train, found.rank, found.split) == (30, 60, 10, False)
    assert found.unmapped is None  # the widths differ


def test_measures_without_a_map_use_every_given_pair(rng):
    a, b = two_models(rng)
    found = compared(a, b)
    assert_allclose(found.cka, debiased_cka(a, b))
    assert found.neighbours.n_rows == 90
    assert found.cka_null.n_rows == 90


def test_without_train_rows_half_of_the_pairs_train_and_that_is_said(rng):
    found = compared(*two_models(rng, n=91))
    assert (found.n_given, found.n_train, found.n_compared, found.split) == (91, 45, 46, True)
    said = {notice.code: notice.text for notice in found.notices}
    assert "half of the pairs (45), drawn with the seed, train the map" in said["split_in_halves"]
    assert "other 46" in said["split_in_halves"]


@pytest.mark.parametrize(("n_train", "words"), [(13, "only part of the space"), (20, "rough"), (28, None)])
def test_few_train_rows_are_worth_a_word(rng, n_train, words):
    a, b = two_models(rng)
    found = compared(a[:40], b[:40], a[40 : 40 + n_train], b[40 : 40 + n_train])
    said = [notice.text for notice in found.notices if notice.code == "few_train_rows"]
    assert [words in text for text in said] == ([True] if words else [])
    assert all("28 or more" in text for text in said)


def test_swapping_the_models_swaps_directions_only(rng):
    a, b = two_models(rng)
    there = compared(a[:30], b[:30], a[30:], b[30:])
    back = compared(b[:30], a[:30], b[30:], a[30:])
    assert_allclose(back.mapped.matched_mean, there.mapped.matched_mean, rtol=1e-10)
    assert_allclose(back.mapped_gap.error, there.mapped_gap.error, rtol=1e-10)
    assert back.mapped.a_to_b == there.mapped.b_to_a
    assert_allclose([back.cka, back.neighbours.overlap], [there.cka, there.neighbours.overlap], rtol=1e-10)


def test_turning_one_model_changes_nothing(rng):
    a, b = two_models(rng)
    turned = b @ random_rotation(rng, b.shape[1])
    plain, other = compared(a, b), compared(a, turned)
    assert_allclose(other.mapped.matched_mean, plain.mapped.matched_mean, rtol=1e-9)
    assert_allclose(other.cka, plain.cka, rtol=1e-9)


def test_unrelated_models_score_nothing_although_their_train_rows_would(rng):
    a, b = rng.standard_normal((200, 100)), rng.standard_normal((200, 100))
    found = compared(a, b)
    assert abs(found.mapped.matched_mean) < 0.05
    assert found.mapped.a_to_b.expected < 0.06
    assert found.cka_null.pvalue > 0.05
    assert found.neighbours.null.pvalue > 0.05
    assert not any("train" in name and name != "n_train" for name in found.__slots__)


def test_equal_widths_show_what_the_map_did(rng):
    a, b = two_models(rng, dim_a=12, dim_b=12, n=120)
    found = compared(a, b)
    assert_allclose(found.unmapped.mapped, found.mapped_gap.gap, rtol=1e-12)
    assert found.unmapped.gain > 5 * found.unmapped.error


def test_large_files_are_cut_and_the_cut_is_said(rng):
    found = compared(*two_models(rng), max_pairs=50)
    assert (found.n_given, found.n_compared + found.n_train) == (90, 50)
    assert "50 of 90 pairs" in next(x.text for x in found.notices if x.code == "subset_of_pairs")


@pytest.mark.parametrize(
    "step", ["Fitting the map", "Centring rows", "Shuffling CKA", "Finding neighbours", "Shuffling neighbours"]
)
def test_a_cancelled_comparison_stops_at_every_long_step(rng, step):
    def stop(done, total, message):
        assert 0 <= done <= total
        if message == step:
            raise KeyboardInterrupt(message)

    with pytest.raises(KeyboardInterrupt, match=step):
        compared(*two_models(rng), progress=stop)


def test_many_train_rows_are_cut_and_the_cut_is_said(rng):
    a, b = two_models(rng)
    found = compared(a[:30], b[:30], a[30:], b[30:], max_train=40)
    assert (found.n_compared, found.n_train) == (30, 40)
    assert "40 of 60 train pairs" in next(x.text for x in found.notices if x.code == "subset_of_train_pairs")


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (((20, 4), (19, 4), None, None), "A has 20 rows and B has 19"),
        (((20, 4), (20, 5), (20, 4), None), "train rows for A but none for B"),
        (((20, 4), (20, 5), None, (20, 5)), "train rows for B but none for A"),
        (((20, 4), (20, 5), (20, 5), (20, 5)), "train rows of A have 5 columns and the compared rows 4"),
        (((20, 4), (20, 5), (20, 4), (19, 5)), "train rows of A are 20 and those of B 19"),
        (((5, 4), (5, 4), None, None), "5 pairs, and two models need at least 7"),
        (((3, 4), (3, 4), (9, 4), (9, 4)), "3 pairs, and two models need at least 4"),
    ],
)
def test_rows_that_cannot_be_compared_are_refused(rng, sizes, words):
    with pytest.raises(PairingError, match=words):
        compared(*(None if size is None else rng.standard_normal(size) for size in sizes))


def test_pairs_that_the_map_has_seen_are_refused_by_number(rng):
    a, b = two_models(rng)
    with pytest.raises(PairingError, match=r"2 of 32 compared pairs also stand among the train pairs: row 30, 31 "):
        compared(a[:32], b[:32], a[30:], b[30:])


def test_one_shared_side_is_not_a_shared_pair(rng):
    """Two captions of one image: the pair is new although the image is not."""
    a, b = two_models(rng)
    train_a = a[30:].copy()
    train_a[0] = a[0]
    assert compared(a[:30], b[:30], train_a, b[30:]).n_compared == 30


@pytest.mark.parametrize("several", ["a", "b"])
def test_unrelated_rows_that_repeat_on_one_side_score_nothing_in_halves(rng, several):
    """Five texts of each image: a map fitted on some of them knows the image of the others."""
    images, texts = rng.standard_normal((40, 64)), rng.standard_normal((40, 64)).repeat(5, axis=0)
    texts = texts + 0.5 * rng.standard_normal(texts.shape)
    rows = (images.repeat(5, axis=0), texts)
    found = compared(*(rows if several == "a" else rows[::-1]))
    assert found.n_train == found.n_compared == 100
    # Twenty images are left to choose from, with five equal rows each: chance is 1/100.
    assert found.mapped.a_to_b.expected < 0.06
    assert abs(found.mapped_gap.gap) < 0.06
    said = {notice.code: notice.text for notice in found.notices}
    assert said["repeated_pairs"].startswith("200 pairs share a row of A or of B with another pair")
    assert "drawn from 40 groups" in said["repeated_pairs"]


def test_the_interval_of_unrelated_groups_holds_0_about_as_often_as_it_says():
    """Texts of one image are alike: with each pair left out by itself .4 of these intervals miss 0."""
    missed = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        texts = rng.standard_normal((40, 16)).repeat(5, axis=0)
        rows = rng.standard_normal((40, 16)).repeat(5, axis=0), texts + 0.3 * rng.standard_normal(texts.shape)
        found = compare_models(*rows, rng=rng, n_permutations=1, n_derangements=1).interval
        missed += not found.low <= 0 <= found.high
    assert missed <= 14, "14 of 100 at 5 % have a probability below .001"


def test_pairs_that_repeat_stand_in_one_half(rng):
    a, b = two_models(rng, n=60)
    a[30:40], b[30:40] = a[:10], b[:10]
    rows = divide(a, b, None, None, rng)
    train, left = ({row.tobytes() for row in side} for side in (rows.train_a, rows.a))
    assert not train & left
    assert (len(rows.a) + len(rows.train_a), rows.n_sharing, rows.n_groups) == (60, 20, 50)
    assert abs(len(rows.a) - 30) <= 1


def test_too_few_groups_to_halve_are_refused(rng):
    a, b = rng.standard_normal((6, 8)).repeat(20, axis=0), rng.standard_normal((120, 8))
    with pytest.raises(PairingError, match=r"only 6 groups of pairs without a shared row are left"):
        compared(a, b)
    assert compared(np.vstack([a, rng.standard_normal((1, 8))]), rng.standard_normal((121, 8))).n_compared >= 4


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda rng, train: np.roll(train, 1, axis=0),
        lambda rng, train: rng.permutation(train),
        lambda rng, train: -train,
        lambda rng, train: rng.standard_normal(train.shape),
    ],
    ids=["shifted", "shuffled", "negated", "of another model"],
)
def test_two_models_are_not_called_one_space_because_their_train_files_are_wrong(spoilt):
    losing = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        a, b = two_models(rng, n=300, dim_a=14, dim_b=14)
        found = compared(a[:100], b[:100], a[100:], spoilt(rng, b[100:]))
        losing += found.unmapped.gain < -2 * found.unmapped.error
        assert "map_loses" not in [notice.code for notice in found.notices]
    assert losing > 0, "in none of them the map loses, so nothing is tested"


@pytest.mark.parametrize("noise", [0.3, 1])
def test_rows_of_one_space_that_a_rough_map_spoils_are_called_so(rng, noise):
    a = rng.standard_normal((200, 60))
    found = compared(a, a + noise * rng.standard_normal(a.shape))
    assert "map_loses" in [notice.code for notice in found.notices]
