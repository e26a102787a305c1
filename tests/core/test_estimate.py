"""The expected time: how it grows, never how long anything takes."""

from __future__ import annotations

import pytest

from core.estimate import expected_seconds, speed
from core.sweep.workers import cores, workers


def expected(n, dim=768, **options):
    return expected_seconds(n, dim, operations_per_second=1e11, **options)


def test_ranking_all_rows_grows_with_the_square_of_the_rows():
    assert expected(800_000) / expected(400_000) == pytest.approx(4, rel=0.02)


def test_a_pool_of_candidates_grows_with_the_rows():
    assert expected(800_000, n_candidates=20_000) / expected(400_000, n_candidates=20_000) == pytest.approx(2, rel=0.02)


def test_a_pool_costs_two_passes_of_its_size():
    whole, pool = expected(1_000_000), expected(1_000_000, n_candidates=20_000)
    assert whole / pool == pytest.approx(1_000_000 / 40_000, rel=0.3)


@pytest.mark.parametrize("candidates", [50_000, 60_000])
def test_as_many_candidates_as_rows_are_all_rows(candidates):
    assert expected(50_000, n_candidates=candidates) == expected(50_000)


def test_wide_rows_and_derangements_cost_more():
    assert expected(20_000, 1_536) > 1.7 * expected(20_000, 768)
    assert expected(20_000, n_derangements=1_000) > expected(20_000)


def test_a_faster_machine_takes_less():
    slow = expected_seconds(100_000, 768, operations_per_second=1e10)
    assert slow / expected_seconds(100_000, 768, operations_per_second=1e11) == pytest.approx(10, rel=0.02)


def test_this_machine_is_timed_once():
    assert speed() == speed()
    assert 1e7 < speed() < 1e14
    assert expected_seconds(300, 64) > 0


@pytest.mark.parametrize(
    ("n", "dim", "measured"),
    [
        (500, 64, 0.25),
        (2_000, 384, 2.8),
        (1_500, 3_072, 3.5),
        (2_500, 768, 1.3),
        (5_000, 3_072, 10.5),
        (2_500, 3_072, 5.0),
        (2_100, 8_192, 41.0),
        (5_000, 4_096, 20.0),
        (20_000, 64, 2.8),
        (20_000, 1_536, 26.0),
    ],
)
def test_the_work_is_estimated_within_a_factor_of_two_of_what_was_measured(n, dim, measured):
    """Seconds of one core whose products run at 1.35e11 operations a second, loops loaded."""
    with workers(1):
        found = expected_seconds(n, dim, operations_per_second=1.35e11) - (0.6 if n > 2_000 else 0)
    assert measured / 2 < found < 2 * measured


def test_rows_of_too_many_columns_have_no_intervals_to_wait_for():
    assert expected(3_000, 8_193) < expected(3_000, 8_192)


def test_repeated_rows_cost_more():
    assert 1.3 < expected(12_000, 256, repeated=0.9) / expected(12_000, 256) < 2


def test_fewer_workers_are_slower():
    with workers(1):
        one = speed()
    with workers(2):
        assert speed() == pytest.approx(min(2, cores()) * one)


def test_rows_too_wide_for_one_block_are_counted_as_often_as_they_are_made_ready():
    narrow, wide = (expected_seconds(80, dim, operations_per_second=5e10) for dim in (1_000, 200_000))
    assert wide > 5 * 200 * narrow  # far more than in proportion to the columns
    assert wide > 5
    usual = expected_seconds(1_500, 768, operations_per_second=5e10)
    assert usual < 4
