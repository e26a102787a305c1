"""The demo's controls change what they say and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.demo import add_direction, compare, raised, strangers
from core.errors import SettingsError
from tests.arrays import audited
from tests.oracle import centred_sides, exact, first_shares, mean_cosine_between_rows, unit

SIZES = [0.0, 0.3, 1.0, 5.0]
SAMPLE_DATA = Path(__file__).parents[2] / "sample_data"
ENCODERS = ["minilm", "e5_small", "glove_50d"]


def sample(encoder):
    return tuple(np.load(SAMPLE_DATA / encoder / f"{side}.npy") for side in "ab")


def order_of(shuffle, n):
    """The pairing a seed stands for; 0 is the true one."""
    if shuffle == 0:
        return np.arange(n)
    return strangers(n, np.random.default_rng(shuffle))


def by_hand(a, b):
    """Raw and centred figures of one comparison, from full matrices."""
    for sides in ((unit(a), unit(b)), centred_sides(a, b)):
        yield exact(*sides), first_shares(sides[0] @ sides[1].T)["expected"]


@pytest.mark.parametrize("size", SIZES)
def test_the_added_direction_leaves_ranks_and_the_centred_reading_as_they_were(pair, size):
    before = audited(*pair)
    after = audited(*(add_direction(unit(side), size) for side in pair))

    for direction in ("a_to_b", "b_to_a"):
        assert getattr(after.raw, direction) == getattr(before.raw, direction)
        assert getattr(after.centred, direction) == getattr(before.centred, direction)
    for name in ("matched_mean", "matched_min", "matched_max", "matched_sd"):
        assert_allclose(getattr(after.centred, name), getattr(before.centred, name), rtol=1e-12)
    assert_allclose(after.centred.exact.floor_mean, before.centred.exact.floor_mean, rtol=1e-10)
    assert_allclose(after.centred_anisotropy_a, before.centred_anisotropy_a, rtol=1e-10)


@pytest.mark.parametrize("size", SIZES)
def test_raw_cosines_climb_together(pair, size):
    sides = [unit(side) for side in pair]
    plain, lifted = exact(*sides), exact(*(add_direction(side, size) for side in sides))
    share = 1 / (1 + size**2)
    assert_allclose(1 - lifted["matched"], share * (1 - plain["matched"]), rtol=1e-12)
    assert_allclose(1 - lifted["floor"], share * (1 - plain["floor"]), rtol=1e-12)
    assert_allclose(lifted["gap"], share * plain["gap"], rtol=1e-10)
    assert_allclose(lifted["gap_over_floor_sd"], plain["gap_over_floor_sd"], rtol=1e-9)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shuffle", [0, 1, 2])
def test_what_the_demo_shows_is_what_the_shuffled_and_widened_rows_score(pair, shuffle, size):
    shown = compare(*pair).standing(shuffle=shuffle, size=size)
    a, b = (add_direction(unit(side), size) for side in pair)
    b = b[order_of(shuffle, 40)]

    for reading, (figures, first) in zip((shown.raw, shown.centred), by_hand(a, b), strict=True):
        assert_allclose(reading.matched_mean, figures["matched"], rtol=1e-12)
        assert_allclose(reading.floor_mean, figures["floor"], atol=1e-13)
        assert_allclose(reading.partner_first, first, rtol=1e-15)
    assert_allclose(shown.anisotropy, mean_cosine_between_rows(a), rtol=1e-12)
    assert shown.chance == 1 / 40


@pytest.mark.parametrize("encoder", ENCODERS)
def test_an_audit_of_the_shuffled_and_widened_sample_files_says_the_same(encoder):
    """The page draws the centred reading and the ranks without computing them anew."""
    a, b = sample(encoder)
    shown = compare(a, b).standing(shuffle=3, size=2.0)
    result = audited(*(add_direction(unit(side), 2.0) for side in (a, b[order_of(3, 400)])))
    for reading, audit in ((shown.raw, result.raw), (shown.centred, result.centred)):
        assert_allclose(reading.matched_mean, audit.matched_mean, rtol=1e-9)
        assert_allclose(reading.floor_mean, audit.exact.floor_mean, atol=1e-11)
        assert reading.partner_first == audit.a_to_b.expected
    assert_allclose(shown.anisotropy, result.anisotropy_a, rtol=1e-12)


@pytest.mark.parametrize("shuffle", [0, 1])
def test_the_bins_hold_the_shares_of_all_cosines_and_move_with_them(pair, shuffle):
    reading = compare(*pair).standing(shuffle=shuffle, size=1.5).raw
    a, b = (add_direction(unit(side), 1.5) for side in pair)
    scores = a @ b[order_of(shuffle, 40)].T
    own = np.diag(scores)
    for values, shares in ((own, reading.matched), (scores[~np.eye(40, dtype=bool)], reading.unrelated)):
        counted, _ = np.histogram(values, bins=reading.edges)
        assert_allclose(shares, counted / len(values), atol=1e-15)
    assert len(reading.centres) == len(reading.matched)
    assert_allclose(np.diff(reading.edges), (reading.edges[-1] - reading.edges[0]) / len(reading.matched))


def test_the_size_changes_the_centred_reading_and_the_ranks_by_not_one_bit(pair):
    scored = compare(*pair)
    still, moved = scored.standing(shuffle=2), scored.standing(shuffle=2, size=3.3)
    assert moved.centred.matched_mean == still.centred.matched_mean
    assert moved.centred.floor_mean == still.centred.floor_mean
    assert moved.centred.edges.tolist() == still.centred.edges.tolist()
    assert moved.raw.partner_first == still.raw.partner_first
    assert moved.raw.floor_mean > still.raw.floor_mean


def test_rows_alike_share_the_first_place():
    """Rows 0 and 1 of B are equal, so each can claim half of the first place."""
    rows = np.eye(3)[[0, 1, 2, 2]]
    a, b = rows + 0.01, np.array([rows[0], rows[0], rows[2], rows[1]]) + 0.01
    shown = compare(a, b).standing()
    assert shown.raw.partner_first == pytest.approx(first_shares(unit(a) @ unit(b).T)["expected"])
    assert shown.raw.partner_first == pytest.approx((0.5 + 0 + 1 + 0) / 4)


def test_every_press_of_shuffle_is_another_pairing_and_the_way_back_is_exact(pair):
    scored = compare(*pair)
    before, first, second, again = (scored.standing(shuffle=seed).raw.matched_mean for seed in (0, 1, 2, 0))
    assert len({before, first, second}) == 3
    assert again == before


def test_raising_keeps_one_at_one_and_every_order(rng):
    cosines = np.sort(rng.uniform(-1, 1, 200))
    assert raised(np.array([1.0]), 7.0)[0] == 1.0
    assert np.all(np.diff(raised(cosines, 3.0)) > 0)
    assert raised(cosines, 0.0).tolist() == cosines.tolist()


def test_added_rows_are_unit_rows(rng):
    rows = add_direction(unit(rng.standard_normal((9, 4))), 2.5)
    assert rows.shape == (9, 5)
    assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("size", [-0.1, float("inf"), float("nan")])
def test_a_size_below_nothing_is_refused(pair, size):
    with pytest.raises(SettingsError, match="0 or more"):
        add_direction(np.eye(3), size)
    with pytest.raises(SettingsError, match="0 or more"):
        compare(*pair).standing(size=size)


def test_strangers_break_every_pair_and_lose_no_row(pair):
    a, b = pair
    order = strangers(40, np.random.default_rng(0))
    assert sorted(order) == list(range(40))
    assert not np.any(order == np.arange(40))
    before, after = audited(a, b), audited(a, b[order])
    assert before.raw.a_to_b.expected > 0.4
    assert after.raw.a_to_b.expected < 0.2
    assert_allclose(after.raw.exact.gap, 0, atol=0.1)


def test_two_rows_have_one_way_to_be_strangers():
    assert strangers(2, np.random.default_rng(0)).tolist() == [1, 0]
