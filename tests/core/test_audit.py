"""The audit end to end, against the plain n×n oracle; and what it leaves out when it must."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import AuditSettings, Cancelled, audit
from core.errors import SettingsError
from core.limits import MAX_DERANGEMENTS
from core.rows import row_blocks
from tests.arrays import audited, inspected, related_pair
from tests.oracle import (
    centred_sides,
    drawn_derangements,
    exact,
    first_shares,
    mean_cosine_between_rows,
    permuted,
    unit,
)


def fit_rows(rng, n, dim=8):
    rows = rng.standard_normal((n, dim))
    rows[:, 0] += 1.2
    return rows


def assert_compares(found, expected, rtol=1e-11):
    assert_allclose(
        [found.floor_mean, found.floor_sd, found.gap, found.gap_over_floor_sd, found.cohens_d],
        [expected[key] for key in ("floor", "floor_sd", "gap", "gap_over_floor_sd", "cohens_d")],
        rtol=rtol,
        atol=1e-15,
    )


def assert_reads(reading, ua, ub, orders):
    scores = ua @ ub.T
    own = np.diag(scores)
    assert_allclose(
        [reading.matched_mean, reading.matched_min, reading.matched_max],
        [own.mean(), own.min(), own.max()],
        rtol=1e-12,
    )
    assert_compares(reading.exact, exact(ua, ub))
    assert_compares(reading.permuted, permuted(ua, ub, orders))
    for ranks, matrix in ((reading.a_to_b, scores), (reading.b_to_a, scores.T)):
        shares = first_shares(matrix)
        assert_allclose([ranks.optimistic, ranks.expected, ranks.pessimistic], list(shares.values())[:3], rtol=1e-14)
        assert ranks.tied == shares["tied"]
        assert ranks.n_candidates == len(scores)


@pytest.mark.parametrize("shared_mean", [False, True], ids=["a mean each", "one mean"])
@pytest.mark.parametrize("fits", [(0, 0), (300, 90), (300, 0), (0, 90)], ids=["own", "both", "fit a", "fit b"])
def test_every_figure_against_the_oracle(rng, pair, fits, shared_mean):
    a, b = pair
    fit_a, fit_b = (fit_rows(rng, n) if n else None for n in fits)

    result = audited(a, b, fit_a, fit_b, shared_mean=shared_mean, seed=4, n_derangements=6)

    orders = drawn_derangements(len(a), 6, 4)
    assert (result.n, result.dim) == a.shape
    assert_reads(result.raw, unit(a), unit(b), orders)
    ca, cb = centred_sides(a, b, fit_a, fit_b, shared=shared_mean)
    assert_reads(result.centred, ca, cb, orders)
    assert_allclose(
        [result.anisotropy_a, result.anisotropy_b], [mean_cosine_between_rows(unit(x)) for x in pair], atol=1e-14
    )
    assert_allclose(
        [result.centred_anisotropy_a, result.centred_anisotropy_b],
        [mean_cosine_between_rows(x) for x in (ca, cb)],
        atol=1e-14,
    )
    assert [source.from_fit_file for source in (result.mean_a, result.mean_b)] == [n > 0 for n in fits]
    assert [source.n_rows for source in (result.mean_a, result.mean_b)] == [n or len(a) for n in fits]


@pytest.mark.parametrize("dtype", ["<f2", ">f4", ">f8", "i1", "<i4", ">i8"])
def test_any_stored_type_is_measured_as_its_numbers(rng, dtype):
    a, b = ((8 * side + 40).astype(dtype) for side in related_pair(rng, n=30))
    result = audited(np.asfortranarray(a), b)
    assert_reads(result.raw, unit(a), unit(b), drawn_derangements(30, 20, 0))
    assert_reads(result.centred, *centred_sides(a, b), drawn_derangements(30, 20, 0))


@pytest.mark.parametrize(("n", "dim"), [(3, 2), (3, 5), (4, 50), (70, 2)])
def test_small_and_flat_shapes(rng, n, dim):
    a, b = related_pair(rng, n=n, dim=dim)
    result = audited(a, b)
    assert_reads(result.raw, unit(a), unit(b), drawn_derangements(n, 20, 0))
    assert_reads(result.centred, *centred_sides(a, b), drawn_derangements(n, 20, 0))


@pytest.mark.parametrize("elements", [1, 50, 10_000_000])
def test_the_result_does_not_depend_on_blocks_of_rows(pair, monkeypatch, elements):
    usual = audited(*pair)
    monkeypatch.setitem(row_blocks.__kwdefaults__, "elements", elements)
    monkeypatch.setattr("core.rows.READY_BLOCK_ELEMENTS", elements)
    other = audited(*pair)
    for reading, expected in ((other.raw, usual.raw), (other.centred, usual.centred)):
        for floor in ("exact", "permuted"):
            found, wanted = (dataclasses.astuple(getattr(which, floor)) for which in (reading, expected))
            assert_allclose(found, wanted, rtol=1e-12)
        assert (reading.a_to_b, reading.b_to_a) == (expected.a_to_b, expected.b_to_a)


def test_the_same_input_gives_the_same_bits_again(pair):
    first, second = audited(*pair), audited(*pair)
    assert dataclasses.astuple(first.raw.exact) == dataclasses.astuple(second.raw.exact)
    assert dataclasses.astuple(first.centred.permuted) == dataclasses.astuple(second.centred.permuted)


def test_the_seed_changes_the_permuted_floor_and_nothing_else(pair):
    one, other = audited(*pair, seed=1), audited(*pair, seed=2)
    assert one.raw.permuted.floor_mean != other.raw.permuted.floor_mean
    assert one.raw.exact == other.raw.exact
    assert one.centred.a_to_b == other.centred.a_to_b


def test_more_rows_than_one_block_of_scores(rng):
    """Floors and histograms of 2,300 rows, summed over several blocks of float32 scores."""
    a, b = related_pair(rng, n=2_300, dim=3)
    raw = audited(a, b, n_derangements=1).raw
    scores = unit(a) @ unit(b).T
    assert_compares(raw.exact, exact(unit(a), unit(b)), rtol=1e-8)
    edges = np.linspace(-1, 1, 401)
    counts = np.histogram(scores, edges)[0] - np.histogram(np.diag(scores), edges)[0]
    # A cosine within float32 rounding of a bin edge may fall on either side of it.
    places = (scores + 1) * 200
    near_an_edge = np.count_nonzero(np.abs(places - np.rint(places)) < 200 * 1e-6)
    assert 0 < near_an_edge < 0.001 * scores.size
    assert np.abs(raw.histogram.unrelated - counts).sum() <= 2 * near_an_edge
    assert raw.histogram.unrelated.sum() == 2_300 * 2_299


# ---------------------------------------------------------------- centring undefined


@pytest.mark.parametrize("side", ["A", "B"])
def test_when_a_row_equals_the_fitted_mean_the_raw_reading_stands(pair, side):
    a, b = pair
    fit = 3 * (a if side == "A" else b)[2:3]  # one fit row: its direction is the mean
    result = audited(a, b, fit, None) if side == "A" else audited(a, b, None, fit)

    assert result.centred is None
    assert (result.centred_anisotropy_a, result.centred_anisotropy_b) == (None, None)
    said = f"1 of 40 rows of {side} equals the fitted mean (first at row 2, counting from 0)"
    assert said in result.centred_undefined
    assert_reads(result.raw, unit(a), unit(b), drawn_derangements(40, 20, 0))
    assert [notice.code for notice in result.notices].count("centring_undefined") == 1


def test_a_collapsed_side_has_a_raw_reading_only(rng, pair):
    collapsed = np.tile(rng.standard_normal(8), (40, 1)) * rng.uniform(0.1, 10, (40, 1))
    result = audited(pair[0], collapsed)
    assert result.centred is None
    assert "40 of 40 rows of B" in result.centred_undefined
    assert_allclose(result.anisotropy_b, 1, rtol=1e-14)


def test_nothing_is_undefined_about_an_ordinary_pair(ordinary):
    assert ordinary.centred is not None
    assert ordinary.centred_undefined == ""


# ---------------------------------------------------------------- what follows from the figures


def test_the_squared_offset_is_that_between_the_two_means(rng):
    """Unbiased: over many draws it averages to the true distance, 0 for one population.

    Before the cut at 0, hence with an offset large enough never to be cut.
    """
    offsets = []
    for _ in range(200):
        a, b = related_pair(rng, n=30)
        b[:, 1] += 3
        offsets.append(audited(a, b, n_derangements=1).squared_offset)
    many_a, many_b = related_pair(rng, n=200_000)
    many_b[:, 1] += 3
    true = np.sum((unit(many_a).mean(axis=0) - unit(many_b).mean(axis=0)) ** 2)
    assert_allclose(np.mean(offsets), true, rtol=0.03)


def test_without_an_offset_the_squared_offset_is_never_negative(pair):
    a, _ = pair
    assert audited(a, a).squared_offset >= 0


@pytest.mark.parametrize("n", [5, 20, 100])
def test_own_means_force_the_floor_of_orthonormal_rows(n):
    """A = B = I: the centred floor is exactly -1/(n-1), all of it forced."""
    result = audited(np.eye(n), np.eye(n))
    assert_allclose(result.forced_centred_floor, -1 / (n - 1), rtol=1e-13)
    assert_allclose(result.centred_floor_residual, 0, atol=1e-13)


def test_the_residual_floor_with_own_means_is_the_product_of_the_centred_means(pair):
    """f = -m/(n-1) + n/(n-1) U·V, with U and V the means of the centred unit rows."""
    result = audited(*pair)
    ca, cb = centred_sides(*pair)
    n = len(ca)
    assert_allclose(result.centred_floor_residual, n / (n - 1) * ca.mean(axis=0) @ cb.mean(axis=0), atol=1e-14)


def test_the_forced_floor_of_a_shared_mean_counts_both_sides(pair):
    result = audited(*pair, shared_mean=True)
    assert_allclose(result.forced_centred_floor, -(1 + result.centred.matched_mean) / 78, rtol=1e-13)


@pytest.mark.parametrize("shared_mean", [False, True])
def test_fit_rows_on_both_sides_force_nothing(rng, pair, shared_mean):
    result = audited(*pair, fit_rows(rng, 100), fit_rows(rng, 100), shared_mean=shared_mean)
    assert result.forced_centred_floor == 0
    assert result.centred_floor_residual == result.centred.exact.floor_mean


def test_one_side_centred_on_its_own_rows_is_enough_to_force_the_floor(rng):
    """Its centred rows sum to zero. Over 150 draws the floor averages to -m/(n-1)."""
    floors, forced = [], []
    for _ in range(150):
        a, b = related_pair(rng, n=12, dim=30, noise=0.5)
        result = audited(a, b, None, fit_rows(rng, 1_000, 30), n_derangements=1)
        floors.append(result.centred.exact.floor_mean)
        forced.append(result.forced_centred_floor)
    assert_allclose(np.mean(floors), np.mean(forced), rtol=0.1)


def test_anisotropy_left_is_measured_from_what_sampling_leaves(rng, pair):
    result = audited(*pair, fit_rows(rng, 250), None)
    assert_allclose(result.anisotropy_left_a, result.centred_anisotropy_a - 1 / 250, rtol=1e-12)
    assert_allclose(result.anisotropy_left_b, result.centred_anisotropy_b + 1 / 39, rtol=1e-12)


def test_what_follows_from_an_undefined_reading_is_undefined(pair):
    result = audited(*pair, pair[0][:1])
    assert result.centred_floor_residual is None
    assert (result.anisotropy_left_a, result.anisotropy_left_b) == (None, None)
    assert result.forced_centred_floor == 0


# ---------------------------------------------------------------- running


def test_progress_climbs_to_its_total_in_each_step(pair):
    seen = []
    audited(*pair, progress=lambda done, total, message: seen.append((message, done, total)))
    messages = list(dict.fromkeys(message for message, _, _ in seen))
    assert len(messages) >= 2
    for message in messages:
        steps = [(done, total) for which, done, total in seen if which == message]
        assert [done for done, _ in steps] == sorted(done for done, _ in steps)
        assert steps[-1][0] == steps[-1][1]


def test_a_progress_callback_can_cancel(pair):
    calls = []

    def stop(done, total, message):
        calls.append(message)
        raise Cancelled

    with pytest.raises(Cancelled):
        audited(*pair, progress=stop)
    assert len(calls) == 1, "nothing goes on after the cancellation"


def test_settings_default_to_the_reference(pair):
    assert AuditSettings() == AuditSettings(shared_mean=False, n_derangements=20, seed=0, drop_bad_rows=False)
    plain = audit(inspected(pair[0]), inspected(pair[1], "b.npy"))
    assert plain.settings == AuditSettings()


@pytest.mark.parametrize("count", [0, -1, MAX_DERANGEMENTS + 1])
def test_a_number_of_derangements_out_of_range_is_refused(count):
    with pytest.raises(SettingsError, match=rf"--perms\) is {count:,}; it must be between 1 and 10,000"):
        AuditSettings(n_derangements=count)


@pytest.mark.parametrize("count", [2, 1, 0, -5])
def test_too_few_candidates_are_refused(count):
    with pytest.raises(SettingsError, match=rf"--candidates\) is {count}; it must be 3 or more"):
        AuditSettings(candidates=count)


def test_a_negative_seed_is_refused():
    with pytest.raises(SettingsError, match=r"--seed\) is -1; it must be 0 or more"):
        AuditSettings(seed=-1)


def test_the_largest_settings_are_accepted():
    AuditSettings(n_derangements=MAX_DERANGEMENTS, seed=2**200)


def test_the_result_is_frozen_and_holds_no_input(ordinary):
    with pytest.raises(dataclasses.FrozenInstanceError):
        ordinary.n = 3

    def arrays(value):
        if isinstance(value, np.ndarray):
            yield value
        elif dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                yield from arrays(getattr(value, field.name))

    assert all(array.ndim == 1 and len(array) != ordinary.n for array in arrays(ordinary))


def test_pairs_left_out_are_left_out_of_everything(pair):
    a, b = (side.copy() for side in pair)
    a[3, 0], b[8] = np.nan, 0
    kept = np.delete(np.arange(40), [3, 8])

    result = audited(a, b, drop_bad_rows=True)

    assert (result.n, result.dropped_rows) == (38, 2)
    assert_reads(result.raw, unit(a[kept]), unit(b[kept]), drawn_derangements(38, 20, 0))
    assert_reads(result.centred, *centred_sides(a[kept], b[kept]), drawn_derangements(38, 20, 0))
    assert result.a.shape == (40, 8), "the fingerprint speaks of the file"


# ---------------------------------------------------------------- a pool of candidates


def drawn_pool(n, count, seed, n_derangements):
    """The rows numpy draws next from the generator that has drawn the derangements."""
    rng = np.random.default_rng(seed)
    kept = 0
    while kept < n_derangements:
        order = rng.permutation(n)
        kept += not np.any(order == np.arange(n))
    return np.sort(rng.choice(n, size=count - 1, replace=False))


@pytest.mark.parametrize("count", [3, 12, 39])
def test_a_pool_changes_ranks_histogram_and_hubs_and_nothing_else(pair, count):
    a, b = pair
    whole, result = audited(a, b, seed=6), audited(a, b, seed=6, candidates=count)
    pool = drawn_pool(40, count, 6, 20)
    meet = np.zeros((40, 40), dtype=bool)
    meet[:, pool] = True
    np.fill_diagonal(meet, True)
    for found, full, (ua, ub) in (
        (result.raw, whole.raw, (unit(a), unit(b))),
        (result.centred, whole.centred, centred_sides(a, b)),
    ):
        assert found.permuted == full.permuted, "the derangements stay the reference's"
        assert_compares(found.exact, exact(ua, ub))
        scores = ua @ ub.T
        for ranks, matrix in ((found.a_to_b, scores), (found.b_to_a, scores.T)):
            seen = np.where(meet, matrix, -2.0)
            shares = first_shares(seen)
            assert [ranks.optimistic, ranks.expected, ranks.tied] == [
                shares["optimistic"],
                pytest.approx(shares["expected"]),
                shares["tied"],
            ]
            assert (ranks.n_candidates, ranks.chance) == (count, pytest.approx(np.mean(1 / meet.sum(axis=1))))
        unrelated = scores[meet & ~np.eye(40, dtype=bool)]
        assert found.histogram.unrelated.tolist() == np.histogram(unrelated, np.linspace(-1, 1, 401))[0].tolist()
        tops = np.bincount(np.where(meet, scores, -2.0).argmax(axis=1), minlength=40)
        assert (found.hubs.most, found.hubs.never) == (tops[pool].max(), pytest.approx(np.mean(tops[pool] == 0)))
        assert tops[found.hubs.row] == found.hubs.most
    assert (result.anisotropy_a, result.anisotropy_b) == (whole.anisotropy_a, whole.anisotropy_b)
    assert result.has_pool
    assert all(check.passed for check in result.checks)


@pytest.mark.parametrize("count", [40, 41, 10**9])
def test_as_many_candidates_as_rows_are_all_rows(pair, count):
    whole, result = audited(*pair), audited(*pair, candidates=count)
    assert not result.has_pool
    assert (result.raw.a_to_b, result.raw.exact) == (whole.raw.a_to_b, whole.raw.exact)
    assert result.raw.a_to_b.chance == 1 / 40


def test_the_pool_is_that_of_the_seed(pair):
    first, again, other = (audited(*pair, candidates=8, seed=seed) for seed in (1, 1, 2))
    assert first.raw.histogram.unrelated.tolist() == again.raw.histogram.unrelated.tolist()
    assert first.raw.histogram.unrelated.tolist() != other.raw.histogram.unrelated.tolist()


def test_hubs_of_all_rows(pair):
    tops = np.bincount((unit(pair[0]) @ unit(pair[1]).T).argmax(axis=1), minlength=40)
    hubs = audited(*pair).raw.hubs
    assert (hubs.most, hubs.row, hubs.never) == (tops.max(), tops.argmax(), pytest.approx(np.mean(tops == 0)))


@pytest.mark.parametrize("wrong", [{"seed": 1.5}, {"seed": "3"}, {"seed": True}, {"n_derangements": 2.5}])
def test_a_setting_that_is_no_whole_number_is_refused(wrong):
    with pytest.raises(SettingsError, match="must be a whole number"):
        AuditSettings(**wrong)
