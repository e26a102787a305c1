"""The alarm for two coordinate systems: when it speaks, when it is silent, and its blind spot."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.alarm import coordinate_alarm, map_gain
from core.alike_rows import neighbours_alike
from core.procrustes import fit_map
from core.rows import UnitRows
from tests.arrays import random_rotation
from tests.oracle import exact, unit

NOISE = 0.5


def turned(kind, a, noise, rng):
    """The second side: noisy rows in other, or the same, axes."""
    n, dim = a.shape
    noisy = a + noise * rng.standard_normal(a.shape)
    return {
        "rotated": lambda: noisy @ random_rotation(rng, dim),
        "shuffled": lambda: noisy[:, rng.permutation(dim)],
        "signs": lambda: noisy * rng.choice([-1.0, 1.0], dim),
        "same": lambda: noisy,
        "unrelated": lambda: rng.standard_normal((n, dim)),
    }[kind]()


def alarms(kind, n, dim, *, noise=NOISE, seeds=5, drift=0.0):
    found = []
    for seed in range(seeds):
        rng = np.random.default_rng([seed, n, dim])
        a = rng.standard_normal((n, dim))
        b = turned(kind, a, noise, rng)
        found.append(coordinate_alarm(a + drift, b + drift, rng=rng))
    return found


@pytest.mark.parametrize(("n", "dim"), [(60, 128), (120, 200)])
@pytest.mark.parametrize("kind", ["rotated", "shuffled", "signs"])
def test_other_axes_raise_a_strong_alarm(kind, n, dim):
    found = alarms(kind, n, dim, drift=1.0)
    assert [alarm.strength for alarm in found].count("strong") >= 4
    mapped = np.median([alarm.gain.mapped for alarm in found])
    plain = np.median([alarm.gain.plain for alarm in found])
    # The map reaches n/2 of d dimensions, and there the partners score what noise leaves.
    assert_allclose(mapped, n / 2 / dim * 0.86, atol=0.05)
    assert abs(plain) < 0.08


def test_a_weak_link_in_other_axes_is_strong_as_well():
    found = alarms("rotated", 300, 100, noise=1.7, seeds=3)
    assert [alarm.strength for alarm in found] == ["strong"] * 3
    assert max(alarm.gain.mapped for alarm in found) < 0.4


@pytest.mark.parametrize("kind", ["same", "unrelated"])
@pytest.mark.parametrize("noise", [0.5, 2.0])
def test_the_same_space_and_unrelated_rows_are_silent(kind, noise):
    for n, dim in ((60, 128), (150, 64), (200, 32)):
        assert {alarm.strength for alarm in alarms(kind, n, dim, noise=noise)} == {"silent"}


def test_a_mild_stretch_is_silent():
    """B = A (I + .4 G) + noise: a map helps a little, but the spaces are the same."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        a = rng.standard_normal((500, 32))
        b = a + 0.4 * a @ rng.standard_normal((32, 32)) / 32**0.5 + 0.3 * rng.standard_normal(a.shape)
        assert coordinate_alarm(a, b, rng=rng).strength == "silent"


def half_turned(n, seed=0):
    """Half of the columns rotated, half left alone."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, 96))
    b = a + 0.3 * rng.standard_normal(a.shape)
    b[:, :36] = b[:, :36] @ random_rotation(rng, 36)
    return coordinate_alarm(a, b, rng=rng)


def test_partly_turned_spaces_are_missed_with_few_rows_and_called_weak_with_many():
    missed, caught = half_turned(100), half_turned(600)
    assert missed.strength == "silent"
    assert missed.gain.mapped < missed.gain.plain
    assert caught.strength == "weak"
    assert caught.gain.plain > caught.gain.mapped / 2


def test_gain_is_that_of_held_out_rows_on_train_means(rng):
    a = rng.standard_normal((60, 10)) + 1
    b = (a + 0.3 * rng.standard_normal(a.shape)) @ random_rotation(rng, 10)
    fitted = fit_map(a[:30], b[:30])
    gain = map_gain(fitted, a[30:], b[30:])
    mean_a, mean_b = unit(a[:30]).mean(axis=0), unit(b[:30]).mean(axis=0)
    x, y = unit(unit(a[30:]) - mean_a), unit(unit(b[30:]) - mean_b)
    left_out = []
    for i in range(30):
        keep = np.arange(30) != i
        turn = fitted.left @ fitted.right.T
        left_out.append(exact(x[keep] @ turn, y[keep])["gap"] - exact(x[keep], y[keep])["gap"])

    assert_allclose(gain.plain, exact(x, y)["gap"], rtol=1e-11)
    assert_allclose(gain.mapped, exact(x @ turn, y)["gap"], rtol=1e-11)
    assert_allclose(gain.error, np.sqrt(29 / 30 * np.sum((left_out - np.mean(left_out)) ** 2)), rtol=1e-10)
    assert_allclose(gain.gain, gain.mapped - gain.plain)


def test_large_files_are_looked_at_in_part_and_the_part_is_said(rng):
    a = rng.standard_normal((3000, 16))
    found = coordinate_alarm(a, a @ random_rotation(rng, 16), rng=rng)
    assert (found.n_pairs, found.n_train, found.n_compared) == (2000, 1000, 1000)
    assert found.strength == "strong"
    assert found.cka.n_rows == 400
    assert found.cka.pvalue == 1 / 200


def test_the_same_seed_gives_the_same_answer(rng):
    a, b = rng.standard_normal((100, 16)), rng.standard_normal((100, 16))
    first, second = (coordinate_alarm(a, b, rng=np.random.default_rng(3)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (np.eye(19), np.eye(19), "19 independent pairs: fewer than 20"),
        (np.ones((40, 4)), np.eye(40)[:, :4] + 1, "no spread left"),
        (np.ones((20, 3000)), np.ones((20, 3000)), "3,000 columns"),
    ],
)
def test_where_it_cannot_look_it_says_why_and_is_silent(rng, a, b, why):
    found = coordinate_alarm(a, b, rng=rng)
    assert why in found.not_run
    assert found.strength == "silent"
    assert found.gain is None


def test_equal_sides_are_silent(rng):
    a = rng.standard_normal((100, 8))
    assert coordinate_alarm(a, a, rng=rng).strength == "silent"


def test_an_undefined_error_is_silent(rng, monkeypatch):
    """Gain without error would pass any multiple of it."""
    from core import alarm

    gain = alarm.MapGain(plain=0.0, mapped=0.5, error=0.0, plain_error=0.0)
    monkeypatch.setattr(alarm, "map_gain", lambda *_: gain)
    a = rng.standard_normal((100, 8))
    assert coordinate_alarm(a, a @ random_rotation(rng, 8), rng=rng).strength == "silent"


@pytest.mark.parametrize(("pvalue", "strength"), [(0.01, "strong"), (0.015, "silent")])
def test_a_gain_without_shared_geometry_is_silent(rng, monkeypatch, pvalue, strength):
    from core import alarm
    from core.permutation_null import PermutationNull

    null = PermutationNull(observed=0.3, mean=0.0, sd=0.1, pvalue=pvalue, n_permutations=199, n_rows=100)
    monkeypatch.setattr(alarm, "cka_null", lambda *_, **__: null)
    a = rng.standard_normal((100, 8))
    assert coordinate_alarm(a, a @ random_rotation(rng, 8), rng=rng).strength == strength


def test_rows_are_taken_as_stored(rng):
    a = (rng.standard_normal((80, 6)) * 50).astype(np.int16) | 1
    assert UnitRows(a).shape == (80, 6)
    assert coordinate_alarm(a, a[:, ::-1], rng=rng).strength == "strong"


def series(rng, n, dim, carried):
    """Rows each of which holds a share of the one before: AR(1), from its stationary state."""
    rows = rng.standard_normal((n + 50, dim))
    for row in range(1, len(rows)):
        rows[row] += carried * rows[row - 1]
    return rows[50:]


@pytest.mark.parametrize("carried", [0.5, 0.8, 0.95])
def test_unrelated_series_are_not_taken_for_other_axes(carried):
    """With a random split and shuffled rows every one of these would be a strong alarm."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        found = coordinate_alarm(series(rng, 300, 32, carried), series(rng, 300, 32, carried), rng=rng)
        assert found.strength == "silent"
        if found.gain is None:
            assert "neighbouring rows of A are alike" in found.not_run


def test_unrelated_chunks_of_items_are_not_taken_for_other_axes_above_the_rows_that_are_moved():
    """Two rows of each item, independent files: of rows drawn at random only the given order keeps neighbours beside
    each other, so moved rows would be no null."""
    for seed in range(1000, 1030):
        rng = np.random.default_rng(seed)
        a, b = (np.repeat(rng.standard_normal((250, 32)), 2, axis=0) for _ in range(2))
        a, b = (rows + 0.5 * rng.standard_normal(rows.shape) for rows in (a, b))
        assert coordinate_alarm(a, b, rng=rng).strength == "silent", seed


@pytest.mark.parametrize("reordered", [lambda b: b[::-1], lambda b: b[np.argsort(b[:, 0])]])
def test_a_series_in_another_order_is_not_taken_for_other_axes(reordered):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        a = series(rng, 300, 32, 0.8)
        b = reordered(a + 0.8 * rng.standard_normal(a.shape))
        assert coordinate_alarm(a, b, rng=rng).strength == "silent"


@pytest.mark.parametrize("carried", [0.5, 0.8])
def test_a_series_in_other_axes_still_raises_the_alarm(carried):
    spoke = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        a = series(rng, 300, 32, carried)
        found = coordinate_alarm(a, turned("rotated", a, 0.7, rng), rng=rng)
        if found.gain is None:  # rows a tenth of the file apart happen to be alike
            continue
        spoke += 1
        assert (found.strength, found.neighbours_alike) == ("strong", True)
        assert (found.n_pairs, found.n_train, found.n_compared) == (300, 135, 135)
    assert spoke >= 8


def test_neighbours_are_alike_in_a_series_and_seldom_in_a_shuffled_one():
    """Two errors on one side: one time in 44; of 60, seven or more would come once in a thousand."""
    beside = far = shuffled = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = series(rng, 120, 8, 0.5)
        beside += neighbours_alike(rows)
        far += neighbours_alike(rows, 12)
        shuffled += neighbours_alike(rng.permutation(rows))
    assert beside == 60
    assert far < 7
    assert shuffled < 7


def test_neighbours_of_one_side_alone_do_no_harm():
    """Then no row of the other side is nearly a train row, and any order is a fair null."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        assert coordinate_alarm(series(rng, 300, 32, 0.8), rng.standard_normal((300, 32)), rng=rng).strength == "silent"


def alike(rng, share, n=2_000, dim=64):
    """Unrelated files, of which the same rows are alike on each side: each side's one text, with noise."""
    where = rng.random(n) < share
    sides = [where[:, None] * 4 * rng.standard_normal(dim) + rng.standard_normal((n, dim)) for _ in "ab"]
    return where, *sides


@pytest.mark.parametrize("share", [0.02, 0.03, 0.05])
def test_a_few_rows_that_are_alike_are_named_and_no_sign_of_other_axes(share):
    strengths = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        where, a, b = alike(rng, share)
        found = coordinate_alarm(a, b, rng=rng)
        strengths.append(found.strength)
        assert (found.strength == "few_rows") is bool(found.few_rows)
        assert all(where[row] for row in found.few_rows)
    assert set(strengths) <= {"silent", "few_rows"}
    assert strengths.count("few_rows") >= 2


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_rotated_copies_of_which_many_are_paired_wrongly_are_other_axes_still(share):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a = rng.standard_normal((1_000, 64))
        b = (a + 0.5 * rng.standard_normal(a.shape)) @ random_rotation(rng, 64)
        wrong = np.flatnonzero(rng.random(1_000) > share)
        b[wrong] = b[rng.permutation(wrong)]
        assert coordinate_alarm(a, b, rng=rng).strength == "strong"


def test_the_middle_gain_is_the_mean_without_a_tenth_at_either_end(rng):
    a = rng.standard_normal((60, 8))
    b = a @ random_rotation(rng, 8)
    fitted = fit_map(a[:30], b[:30])
    found = map_gain(fitted, a[30:], b[30:])
    sides = unit(unit(a[30:]) - fitted.mean_a), unit(unit(b[30:]) - fitted.mean_b)

    def without(pairs, i):
        kept = np.arange(30) != i
        return exact(pairs[0][kept], pairs[1][kept])["gap"]

    both = [
        [30 * exact(*pairs)["gap"] - 29 * without(pairs, i) for i in range(30)]
        for pairs in (sides, [unit(x) for x in fitted_sides(fitted, a[30:], b[30:])])
    ]
    gains = np.sort(np.array(both[1]) - np.array(both[0]))
    assert_allclose(found.middle, gains[3:-3].mean(), rtol=1e-6)


def fitted_sides(fitted, a, b):
    return [side[:] for side in fitted.mapped(a, b)]
