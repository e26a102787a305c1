"""A claimed number among the pairs it speaks of."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.claims import count_reach, pairs_between, place_claim, worst_pairs
from core.errors import SettingsError
from core.histogram import cosine_counts
from core.rows import UnitRows
from core.sweep import make_ready, sweep
from tests.oracle import off_diagonal, unit


def swept(a, b):
    means = (np.zeros(a.shape[1]),) * 2
    return sweep(make_ready(a, b, *means)).raw


@pytest.mark.parametrize("block_elements", [4_000_000, 100, 1])
def test_shares_are_counted_pair_by_pair(pair, block_elements):
    a, b = pair
    scores = unit(a) @ unit(b).T
    others = scores[off_diagonal(40)]
    thresholds = [-1.0, 0.2, float(scores[3, 5]), float(scores[3, 3]), 1.0]
    found = count_reach(UnitRows(a), UnitRows(b), thresholds, block_elements=block_elements)

    for reach, threshold in zip(found.reached, thresholds, strict=True):
        assert reach.matched == sum(score >= threshold - 1e-12 for score in np.diag(scores))
        assert reach.unrelated == sum(score >= threshold - 1e-12 for score in others)
    assert_allclose([found.lowest_matched, found.highest_unrelated], [np.diag(scores).min(), others.max()], rtol=1e-13)
    assert found.unrelated_reaching_lowest_matched == np.sum(others >= np.diag(scores).min())
    assert found.reached[0].unrelated_share == found.reached[0].matched_share == 1


def test_the_number_itself_is_reached_whatever_the_rounding(rng):
    """Cosines of a row with itself come out at 1 - 2e-16 as well."""
    a = rng.standard_normal((50, 300))
    (reach,) = count_reach(UnitRows(a), UnitRows(a * 3), [1.0]).reached
    assert (reach.matched_share, reach.unrelated) == (1.0, 0)


def test_a_reading_may_be_separable_or_not(pair, rng):
    apart = count_reach(UnitRows(np.eye(5)), UnitRows(np.eye(5) + 0.1), [])
    assert apart.separable
    assert apart.separating == (apart.highest_unrelated, apart.lowest_matched)
    mixed = count_reach(*map(UnitRows, pair), [])
    assert not mixed.separable
    assert mixed.separating is None


def test_equal_rows_are_not_separable():
    same = UnitRows(np.ones((4, 3)))
    assert not count_reach(same, same, []).separable


@pytest.mark.parametrize("bad", [1.01, -2.0, float("nan")])
def test_a_threshold_that_is_no_cosine_is_refused(pair, bad):
    with pytest.raises(SettingsError, match="is not a cosine"):
        count_reach(*map(UnitRows, pair), [bad])


def test_progress_can_stop_the_count(pair):
    def stop(*step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_reach(*map(UnitRows, pair), [0.5], progress=stop)


def test_progress_comes_after_every_block_and_ends_at_the_total(pair):
    said = []
    count_reach(*map(UnitRows, pair), [0.5], progress=lambda *step: said.append(step[:2]), block_elements=100)
    assert said == [(0, 16)] * (len(said) - 16) + [(done, 16) for done in range(1, 17)]


def test_a_claim_is_placed_against_floor_and_matched(pair):
    (reach,) = count_reach(*map(UnitRows, pair), [0.91]).reached
    place = place_claim(reach, matched_mean=0.8, floor_mean=0.5, floor_sd=0.2)
    assert_allclose([place.above_floor, place.above_floor_in_sd, place.off_matched], [0.41, 2.05, 0.11])
    assert place.reached is reach
    assert place_claim(reach, matched_mean=0.8, floor_mean=0.5, floor_sd=0.0).above_floor_in_sd is None


def test_worst_pairs_against_the_sorted_matrix(pair):
    a, b = pair
    scores = unit(a) @ unit(b).T
    table = worst_pairs(swept(a, b), count=40)
    for line in table:
        others = np.delete(scores[line.row], line.row)
        assert_allclose(line.own_cosine, scores[line.row, line.row], rtol=1e-13)
        assert line.rank == 1 + np.sum(others > line.own_cosine + 1e-12)
        assert_allclose(line.winner_cosine, others.max(), rtol=1e-13)
        assert_allclose(scores[line.row, line.winner], others.max(), rtol=1e-13)
        assert line.winner != line.row
        assert (line.margin < 0) == (line.rank > 1)
    assert sorted(line.row for line in table) == list(range(40))


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("margin", lambda line: line.margin),
        ("own_cosine", lambda line: line.own_cosine),
        ("rank", lambda line: -line.rank),
    ],
)
def test_orders_and_pages(pair, order, key):
    found = swept(*pair)
    whole = worst_pairs(found, count=40, order=order)
    assert list(map(key, whole)) == sorted(map(key, whole))
    assert worst_pairs(found, count=7, start=5, order=order) == whole[5:12]
    assert worst_pairs(found, count=7, start=38, order=order) == whole[38:]


def test_ties_are_counted_in_the_table():
    a = np.array([[1.0, 0], [1, 0], [0, 1]])
    table = {line.row: line for line in worst_pairs(swept(a, a), count=3)}
    assert [(table[row].rank, table[row].tied) for row in range(3)] == [(1, 1), (1, 1), (1, 0)]


def test_a_bar_of_the_histogram_lists_its_pairs(pair):
    counted = swept(*pair)
    edges = np.linspace(-1, 1, 401)
    for k, count in enumerate(cosine_counts(counted.own)):
        assert len(pairs_between(counted.own, edges[k], edges[k + 1])) == count
    some = pairs_between(counted.own, 0.5, 0.8)
    listed = worst_pairs(counted, count=99, rows=some)
    assert {line.row for line in listed} == set(some.tolist())


def test_the_last_bar_takes_what_rounding_puts_above_one():
    assert pairs_between(np.array([0.2, 1.0, 1.0 + 1e-15]), 0.995, 1.0).tolist() == [1, 2]
