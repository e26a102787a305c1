"""The expected time: how it grows, never how long anything takes."""

from __future__ import annotations

import numpy as np
import pytest

from core.estimate import (
    expected_audit_seconds,
    expected_count_seconds,
    expected_seconds,
    pool_pays,
    speed,
    too_close,
)
from core.formats.ids import GroupIds
from core.settings import AuditSettings
from core.sweep.workers import cores, usable_cores, workers
from tests.arrays import inspected, related_pair


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


def one_hot(rng, n, dim):
    return np.eye(dim)[rng.integers(0, dim, n)]


def clusters(rng, n, dim, width):
    return rng.standard_normal((4, dim))[rng.integers(0, 4, n)] + width * rng.standard_normal((n, dim))


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("few clusters", lambda rng, n, dim: clusters(rng, n, dim, 5e-7)),
        ("signs", lambda rng, n, dim: np.sign(rng.standard_normal((n, dim)))),
        ("one of d", one_hot),
    ],
)
@pytest.mark.parametrize("dim", [16, 256])
def test_rows_whose_scores_float32_cannot_tell_apart_are_recognised(name, rows, dim, rng):
    a, b = (inspected(rows(rng, 3_000, dim).astype(np.float32)) for _ in "ab")
    assert too_close(a, b), name
    settings = AuditSettings()
    assert expected_audit_seconds(a, b, settings) > 1.2 * expected_audit_seconds(a, b, settings, close=False)


def test_ordinary_rows_and_repeats_of_one_side_are_not_too_close(rng):
    a, b = related_pair(rng, n=3_000, dim=64)
    shared = related_pair(rng, n=3_000, dim=64, drift=100.0)
    one, other, few = inspected(a), inspected(b), inspected(b[rng.integers(0, 40, 3_000)])
    assert not too_close(one, other)
    assert not too_close(one, few)
    assert not too_close(*map(inspected, shared))


def test_rows_without_a_direction_and_files_of_other_shapes_are_no_matter(rng):
    a, b = related_pair(rng, n=300, dim=8)
    a[::2] = 0.0
    b[1::2] = np.nan
    assert not too_close(inspected(a), inspected(b))
    assert not too_close(inspected(a), inspected(b[:-1]))


@pytest.mark.parametrize(("n", "dim", "measured"), [(12_000, 16, 7.0), (12_000, 256, 9.0)], ids=["narrow", "wide"])
def test_close_scores_are_estimated_within_a_factor_of_three_of_what_was_measured(n, dim, measured):
    """Seconds on two cores at 2.55e11 operations a second, other programs running: they take less without."""
    found = expected_seconds(n, dim, close=True, operations_per_second=2.55e11)
    assert measured / 3 < found < 3 * measured


def test_repeats_of_either_side_count(rng):
    a, b = related_pair(rng, n=2_500, dim=16)
    few = inspected(b[rng.integers(0, 40, 2_500)])
    plain, settings = inspected(a), AuditSettings()
    none = expected_audit_seconds(plain, inspected(b), settings, close=False)
    one, other = (expected_audit_seconds(*sides, settings, close=False) for sides in ((few, plain), (plain, few)))
    assert one == pytest.approx(other)
    assert other > none


@pytest.mark.parametrize(("n", "dim", "measured"), [(6_000, 64, 0.7), (6_000, 768, 2.2), (10_000, 256, 1.6)])
def test_a_count_of_all_pairs_is_estimated_within_a_factor_of_two_of_what_was_measured(n, dim, measured):
    """Seconds of one core at 1.28e11 operations a second."""
    assert measured / 2 < expected_count_seconds(n, dim, operations_per_second=1.28e11) < 2 * measured


def test_a_pool_of_nearly_all_rows_does_not_pay():
    for n, pays in ((25_000, False), (60_000, False), (400_000, True)):
        assert pool_pays(expected(n), expected(n, n_candidates=20_000)) is pays


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


def test_an_audit_is_expected_to_take_as_long_as_the_workers_it_has_room_for_take(rng, monkeypatch):
    a, b = (inspected(side) for side in related_pair(rng, n=2_100, dim=400))
    pool = AuditSettings(candidates=1_000)
    for place in ("core.sweep.workers.cores", "core.estimate.cores"):
        monkeypatch.setattr(place, lambda: 64)
    found = []
    for room in (1, 64):
        monkeypatch.setattr("core.memory.workers_with_room", lambda n, dim, *, pooled, room=room: room)
        found.append(expected_audit_seconds(a, b, pool, close=False))
        assert usable_cores() == 64
    assert found[0] > 1.2 * found[1]


def test_rows_of_one_group_are_scored_once_more(rng):
    a = inspected(rng.normal(size=(3_000, 8)))
    alone = expected_audit_seconds(a, a, AuditSettings(), close=False)
    ids = [np.arange(3_000), np.arange(3_000) // 5, np.maximum(np.arange(3_000) - 2_900, 0)]
    one, few, most = (
        expected_audit_seconds(a, a, AuditSettings(), close=False, groups=GroupIds.of(values)) for values in ids
    )
    assert one == pytest.approx(alone)
    assert alone < few < 1.5 * alone
    assert most > 1.5 * alone
