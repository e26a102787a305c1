"""The sweep counts what the whole float64 score matrix counts, whatever way it takes."""

import dataclasses
import threading
import time

import numpy as np
import pytest

from core.errors import Cancelled
from core.limits import HISTOGRAM_BINS
from core.ranks import TIE
from core.sweep import make_ready, sweep
from core.sweep.sides import worth_float32
from tests.core.sweep.cases import (
    CASES,
    TOO_CLOSE,
    a_stretch_of_near_copies,
    copies_on_both_sides,
    few_rows_many_times,
    plain,
    related,
    unrelated,
)
from tests.core.sweep.whole import Whole, assert_counts, own_means, unit


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def run(a, b, means=None, *, fast=True, n_workers=2, tile=(64, 600), **options):
    sides = make_ready(a, b, *(means or own_means(a, b)), in_float32=fast)
    return sweep(sides, n_workers=n_workers, tile=tile, **options)


def readings(found, a, b, means=None):
    """Each reading of a sweep beside its whole matrix."""
    yield found.raw, Whole.of(a, b)
    yield found.centred, Whole.of(a, b, means or own_means(a, b))


def every_field(found):
    for name, reading in (("raw", found.raw), ("centred", found.centred)):
        for field in dataclasses.fields(reading):
            yield f"{name}.{field.name}", getattr(reading, field.name)


ways = pytest.mark.parametrize("fast", [True, False], ids=["float32", "float64"])
cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)


@ways
@cases
def test_better_and_tied_candidates_are_those_of_the_whole_matrix(rng, case, fast):
    a, b = case(rng)
    found = run(a, b, fast=fast)
    for reading, whole in readings(found, a, b):
        np.testing.assert_allclose(reading.own, whole.own, rtol=0, atol=whole.rounding)
        assert_counts(reading, whole)
        if case not in TOO_CLOSE:
            np.testing.assert_array_equal(reading.better_a_to_b, whole.better(1))
            np.testing.assert_array_equal(reading.tied_a_to_b, whole.near(1))
            np.testing.assert_array_equal(reading.better_b_to_a, whole.better(0))
            np.testing.assert_array_equal(reading.tied_b_to_a, whole.near(0))


@ways
@cases
def test_the_rival_is_the_first_of_the_best_others(rng, case, fast):
    a, b = case(rng)
    for reading, whole in readings(run(a, b, fast=fast), a, b):
        best, first = whole.best_others()
        np.testing.assert_allclose(reading.rival_margin_a_to_b, whole.own - best, rtol=0, atol=2 * whole.rounding)
        if case not in TOO_CLOSE:
            np.testing.assert_array_equal(reading.rival_a_to_b, first)


@ways
@cases
def test_the_histogram_holds_each_unrelated_score_once_and_in_its_place(rng, case, fast):
    a, b = case(rng)
    for reading, whole in readings(run(a, b, fast=fast), a, b):
        scores = np.sort(whole.unrelated)
        assert reading.unrelated_counts.sum() == len(scores) == reading.n_unrelated
        edges = np.linspace(-1, 1, HISTOGRAM_BINS + 1)[1:-1]
        below = np.cumsum(reading.unrelated_counts)[:-1]
        reach = reading.edge_error + whole.rounding
        assert np.all(np.searchsorted(scores, edges - reach) <= below)
        assert np.all(below <= np.searchsorted(scores, edges + reach, side="right"))


@ways
@cases
def test_the_spread_of_unrelated_scores_is_right_to_the_printed_digits(rng, case, fast):
    a, b = case(rng)
    for reading, whole in readings(run(a, b, fast=fast), a, b):
        deviations = np.where(whole.others, whole.scores - whole.unrelated.mean(), 0.0)
        sd = whole.unrelated.std()
        assert abs(reading.sd - sd) <= 1e-6 * sd + 2 * whole.rounding
        assert abs(reading.sum_about) <= reading.sum_error
        assert abs(reading.sum_about) <= reading.n_unrelated * (2e-7 * sd + whole.rounding)
        room = 1e-5 * len(deviations) * sd**2 + len(deviations) * whole.rounding * (4 * sd + whole.rounding)
        np.testing.assert_allclose(reading.row_squares, (deviations**2).sum(axis=1), rtol=1e-5, atol=room)
        np.testing.assert_allclose(reading.column_squares, (deviations**2).sum(axis=0), rtol=1e-5, atol=room)


@ways
@cases
def test_each_row_puts_one_candidate_on_top(rng, case, fast):
    a, b = case(rng)
    for reading, whole in readings(run(a, b, fast=fast), a, b):
        assert reading.top_counts.sum() == len(a)
        best = whole.scores.max(axis=1)
        clear = (whole.scores >= best[:, None] - 1e-9).sum(axis=1) == 1
        sure = np.bincount(whole.scores[clear].argmax(axis=1), minlength=len(a))
        assert np.all(reading.top_counts >= sure)
        assert reading.top_counts.sum() - sure.sum() == np.count_nonzero(~clear)


@pytest.mark.parametrize("tile", [(64, 100), (700, 150), (33, 600)])
@pytest.mark.parametrize(
    "case", [a_stretch_of_near_copies, copies_on_both_sides, few_rows_many_times], ids=lambda case: case.__name__
)
def test_float64_tiles_beside_float32_ones_change_no_rival(rng, case, tile):
    a, b = case(rng)
    for reading, whole in readings(run(a, b, tile=tile), a, b):
        best, first = whole.best_others()
        np.testing.assert_allclose(reading.rival_margin_a_to_b, whole.own - best, rtol=0, atol=2 * whole.rounding)
        np.testing.assert_array_equal(reading.rival_a_to_b, first)


def test_many_candidates_are_narrowed_down_on_the_way(rng, monkeypatch):
    """Every tile notes more than a candidate a row: without memory for them nothing is lost."""
    monkeypatch.setattr("core.sweep.rivals.NOTED_PER_ROW", 1)
    a, b = a_stretch_of_near_copies(rng)
    for reading, whole in readings(run(a, b, tile=(64, 40)), a, b):
        best, first = whole.best_others()
        np.testing.assert_allclose(reading.rival_margin_a_to_b, whole.own - best, rtol=0, atol=2 * whole.rounding)
        np.testing.assert_array_equal(reading.rival_a_to_b, first)


@ways
def test_a_candidate_that_ties_with_a_rival_but_not_with_the_partner_is_not_on_top(fast):
    """Row 2 scores its partner 1, candidate 1 less by 0.9 TIE and 0 by 1.5 TIE: 1 is the first of the equals."""
    angles = np.array([np.sqrt(2 * 1.5 * TIE), np.sqrt(2 * 0.9 * TIE), 0.0, 3.0, 2.0])
    b = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    a = np.array([[-1.0, 0.2], [-1.0, 0.3], [1.0, 0.0], [-1.0, 0.4], [-0.3, 1.0]])
    scores = a / np.linalg.norm(a, axis=1, keepdims=True) @ b.T
    first = (scores >= scores.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
    assert first[2] == 1
    found = run(a, b, fast=fast).raw
    assert found.top_counts.tolist() == np.bincount(first, minlength=5).tolist()
    assert found.rival_a_to_b[2] == 0


def test_of_equal_top_candidates_the_lowest_number_counts():
    rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])
    found = run(rows, rows)
    assert found.raw.top_counts.tolist() == [2, 0, 1, 1]
    assert found.raw.rival_a_to_b.tolist()[:2] == [1, 0]


@pytest.mark.parametrize("tile", [(1, 1), (13, 17), (700, 3), (512, 1024)])
def test_no_count_depends_on_the_tile(rng, tile):
    a, b = plain(rng)
    a, b = a[:90], b[:90]
    if tile == (512, 1024):
        a, b = unrelated(rng)
    for (name, ours), (_, theirs) in zip(
        every_field(run(a, b, tile=tile)), every_field(run(a, b, tile=(50, 60))), strict=True
    ):
        if np.asarray(ours).dtype.kind == "i" and not name.endswith("unrelated_counts"):
            np.testing.assert_array_equal(ours, theirs, err_msg=name)
        elif not name.endswith(("sum_about", "score_error", "edge_error")):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=3, err_msg=name)


@pytest.mark.parametrize("n_workers", [1, 3, 8])
def test_no_figure_depends_on_the_number_of_workers(rng, n_workers):
    a, b = related(rng, 1500, 300)
    for (name, ours), (_, theirs) in zip(
        every_field(run(a, b, n_workers=n_workers)), every_field(run(a, b, n_workers=2)), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


def test_swapping_the_sides_swaps_the_directions(rng):
    a, b = unrelated(rng)
    there, back = run(a, b), run(b, a)
    for one, other in ((there.raw, back.raw), (there.centred, back.centred)):
        np.testing.assert_array_equal(one.better_a_to_b, other.better_b_to_a)
        np.testing.assert_array_equal(one.tied_b_to_a, other.tied_a_to_b)


def test_one_order_for_both_sides_changes_no_row_s_counts(rng):
    a, b = unrelated(rng)
    order = rng.permutation(len(a))
    straight, shuffled = run(a, b), run(a[order], b[order])
    np.testing.assert_array_equal(straight.centred.better_a_to_b[order], shuffled.centred.better_a_to_b)
    np.testing.assert_array_equal(straight.raw.top_counts[order], shuffled.raw.top_counts)


@ways
def test_a_mean_far_from_the_rows_costs_speed_and_no_count(rng, fast):
    a, b = related(rng, 560, 20)
    means = (unit(rng.standard_normal((1, 20)))[0], unit(rng.standard_normal((1, 20)))[0])
    for reading, whole in readings(run(a, b, means, fast=fast), a, b, means):
        assert_counts(reading, whole)


@ways
def test_a_row_that_equals_the_mean_leaves_the_raw_reading(rng, fast):
    a, b = related(rng, 530, 9)
    means = (unit(a)[17], unit(b).mean(axis=0))
    found = run(a, b, means, fast=fast)
    assert found.centred is None
    assert_counts(found.raw, Whole.of(a, b))


@ways
def test_a_spread_far_below_the_float32_bound_is_measured_in_float64(rng, fast):
    """Nearly orthonormal rows: 1 on the diagonal and a true spread of 1e-9 beside it."""
    basis = np.linalg.qr(rng.standard_normal((256, 256)))[0]
    a, b = basis + 1e-9 * rng.standard_normal((256, 256)), basis.copy()
    expected = Whole.of(a, b).unrelated.std()
    assert 1e-10 < expected < 1e-8
    assert run(a, b, fast=fast).raw.sd == pytest.approx(expected, rel=1e-6)


@ways
def test_a_floor_without_spread_has_none(rng, fast):
    """Rows (.8, .6 e_i) in a rotated frame: every unrelated cosine is .64."""
    rows = np.hstack([np.full((40, 1), 0.8), 0.6 * np.eye(40)]) @ np.linalg.qr(rng.standard_normal((41, 41)))[0]
    found = run(rows, rows, fast=fast)
    assert found.raw.sd <= 16 * np.finfo(float).eps
    assert found.centred.sd <= 16 * np.finfo(float).eps


@ways
def test_a_pool_of_candidates_is_met_by_every_row(rng, fast):
    a, b = related(rng, 600, 16, noise=1.5)
    pool = np.sort(rng.choice(600, 90, replace=False))
    found = run(a, b, fast=fast, candidates=pool)
    meet = np.zeros((600, 600), dtype=bool)
    meet[:, pool] = True
    assert found.n_others.tolist() == (meet & ~np.eye(600, dtype=bool)).sum(axis=1).tolist()
    for reading, whole in readings(found, a, b):
        assert_counts(reading, whole, meet)
        best, first = whole.best_others(meet)
        np.testing.assert_array_equal(reading.rival_a_to_b, first)
        np.testing.assert_allclose(reading.rival_margin_a_to_b, whole.own - best, atol=1e-14)
        assert reading.unrelated_counts.sum() == found.n_others.sum() == reading.n_unrelated
        assert reading.sd == pytest.approx(whole.scores[meet & whole.others].std(), rel=1e-5)


def test_a_pool_of_one_candidate_is_refused(rng):
    a, b = plain(rng)
    with pytest.raises(ValueError, match="at least 2"):
        run(a, b, candidates=np.array([3]))


def test_inputs_on_disk_are_read_and_not_written(rng, tmp_path):
    a, b = (rows.astype(np.float16) for rows in related(rng, 700, 10))
    np.save(tmp_path / "a.npy", a)
    on_disk = np.load(tmp_path / "a.npy", mmap_mode="r")
    expected, found = run(a, b), run(on_disk, b)
    np.testing.assert_array_equal(expected.raw.better_a_to_b, found.raw.better_a_to_b)


def test_progress_comes_often_and_from_the_calling_thread(rng):
    a, b = related(rng, 4000, 256)
    calls = []

    def progress(done, total, message):
        calls.append((time.perf_counter(), threading.current_thread(), done, total, message))

    run(a, b, progress=progress, tile=(128, 512))
    times, threads, done, total, messages = zip(*calls, strict=True)
    assert max(np.diff(times)) < 0.3
    assert set(threads) == {threading.current_thread()}
    assert list(done) == sorted(done)
    assert done[-1] == total[-1]
    assert set(messages) == {"Ranking partners"}


@pytest.mark.parametrize("fast", [True, False], ids=["float32", "float64"])
def test_cancelling_stops_every_worker_and_propagates(rng, fast):
    a, b = related(rng, 6000, 256)
    sides = make_ready(a, b, *own_means(a, b), in_float32=fast)
    before = threading.active_count()

    def progress(done, total, message):
        if done:
            raise Cancelled

    started = time.perf_counter()
    with pytest.raises(Cancelled):
        sweep(sides, n_workers=2, progress=progress)
    assert time.perf_counter() - started < 2.0
    assert threading.active_count() == before


def test_without_numba_everything_is_swept_in_float64(rng, monkeypatch):
    assert worth_float32(50_000, 64)
    monkeypatch.setattr("core.sweep.sides.find_spec", lambda name: None)
    assert not worth_float32(50_000, 64)


def test_small_inputs_do_not_load_the_compiler():
    assert not worth_float32(2000, 384)
    assert worth_float32(2001, 384)
    assert worth_float32(2000, 4096)
