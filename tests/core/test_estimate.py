"""The expected time: how it grows, never how long anything takes."""

from __future__ import annotations

import pytest

from core.estimate import expected_seconds, speed


def expected(n, dim=768, **options):
    return expected_seconds(n, dim, operations_per_second=1e11, **options)


def test_ranking_all_rows_grows_with_the_square_of_the_rows():
    assert expected(800_000) / expected(400_000) == pytest.approx(4, rel=0.02)


def test_a_pool_of_candidates_grows_with_the_rows():
    assert expected(800_000, n_candidates=20_000) / expected(400_000, n_candidates=20_000) == pytest.approx(2, rel=0.02)


def test_a_pool_costs_two_passes_of_its_size():
    whole, pool = expected(1_000_000), expected(1_000_000, n_candidates=20_000)
    assert whole / pool == pytest.approx(1_000_000 / 40_000, rel=0.2)


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


def test_rows_too_wide_for_one_block_are_counted_as_often_as_they_are_made_ready():
    narrow, wide = (expected_seconds(80, dim, operations_per_second=5e10) for dim in (1_000, 200_000))
    assert wide > 5 * 200 * narrow  # far more than in proportion to the columns
    assert wide > 5
    usual = expected_seconds(1_500, 768, operations_per_second=5e10)
    assert usual < 2
