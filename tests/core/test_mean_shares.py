"""Means made of compared rows: found wherever they come from, and what they do undone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.intervals import reading_intervals
from core.mean_shares import Kin, MeanShares, compared_among
from core.means import fit_means
from core.rows import UnitRows
from tests import refit
from tests.arrays import audited, related_pair
from tests.oracle import unit
from tests.readings import Reading, clustered

OWN = MeanShares(a=(1.0, 0.0), b=(0.0, 1.0))
SHARED = MeanShares(a=(0.5, 0.5), b=(0.5, 0.5))
PAIRS = Kin(a=1.0, b=1.0, ab=0.7)


def notices(found):
    return {notice.side: notice.text for notice in found.notices if notice.code == "fit_rows_compared"}


def test_own_and_shared_means_are_cases_of_one_formula():
    """(n-1)/n and -m/(n-1); 1 - (1+m)/(2n) and -(1+m)/(2(n-1)); the matched mean low by (1-m^2)/(2n)."""
    assert_allclose((OWN.shortened(PAIRS), OWN.forced(PAIRS)), (1, 0.7), rtol=1e-14)
    assert_allclose((SHARED.shortened(PAIRS), SHARED.forced(PAIRS)), (0.85, 0.85), rtol=1e-14)
    assert_allclose(SHARED.forced(PAIRS) - 0.7 * SHARED.shortened(PAIRS), (1 - 0.49) / 2, rtol=1e-14)
    assert not MeanShares(a=(0.0, 0.0), b=(0.0, 0.0)).any


def test_compared_rows_are_found_in_whole_copies_and_in_part(rng):
    a, b, other = (rng.standard_normal((20, 3)) for _ in range(3))
    pool = np.vstack([b[::-1], a, other]).astype("f4")
    of_pool, of_part = compared_among((a.astype("f4"), b.astype("f4")), pool, np.vstack([b[:4], b[:4], other]))
    assert (of_pool.copies, of_pool.others, of_pool.found) == ((1, 1), (0, 0), (20, 20))
    assert (of_part.copies, of_part.others, of_part.found) == ((0, 0), (0, 4), (0, 4))  # float32 is a row too
    twice, part = compared_among((a, b), np.vstack([a, a, a[:3]]), np.vstack([b[:4], b[:4], other]))
    assert (twice.copies, twice.others) == ((2, 0), (3, 0))
    assert (part.copies, part.others, part.found) == ((0, 0), (0, 4), (0, 4))


def test_a_fit_array_of_equal_sides_is_first_of_all_its_own(rng):
    a = rng.standard_normal((9, 2))
    of_a, of_b = compared_among((a, a), a, a)
    assert (of_a.copies, of_b.copies) == ((1, 0), (0, 1))
    nothing, of_nothing = compared_among((a, a), None, a + 1)
    assert nothing.found == of_nothing.found == (0, 0)


def test_a_duplicated_row_must_stand_among_the_fit_rows_as_often(rng):
    a, b = rng.standard_normal((8, 2)), rng.standard_normal((8, 2))
    a[1] = a[0]
    assert compared_among((a, b), a[1:], None)[0].copies == (0, 0)
    assert compared_among((a, b), np.vstack([a[1:], a[:1]]), None)[0].copies == (1, 0)


@pytest.mark.parametrize("given", ["pool for both", "pool for A, shared", "A for B, shared"])
def test_a_mean_of_both_sides_is_corrected_however_it_is_given(rng, given):
    """One mean over all compared rows is the shared mean, whatever files and flags it comes from."""
    a, b = related_pair(rng, n=20, dim=6)
    pool = np.vstack([b, a])
    expected = audited(a, b, shared_mean=True).centred
    if given == "pool for both":
        found = audited(a, b, pool, pool)
    elif given == "pool for A, shared":
        found = audited(a, b, np.vstack([a, a, b]), b, shared_mean=True)
    else:
        found = audited(a, b, b, a, shared_mean=True)
    got = found.centred
    for name in ("matched", "gap", "gap_over_floor_sd", "cohens_d"):
        one, two = (getattr(each.evidence.intervals, name) for each in (got, expected))
        assert_allclose((one.estimate, one.low, one.high), (two.estimate, two.low, two.high), rtol=1e-9)
    assert got.evidence.intervals.floor.low is None
    assert_allclose(found.forced_centred_floor, -(1 + got.matched_mean) / 38, rtol=1e-9)
    assert "corrected for them" in notices(found)["a"]
    assert "not corrected" not in notices(found)["a"]


def test_part_of_the_compared_rows_among_the_fit_rows_is_said_not_to_be_corrected_for(rng):
    a, b = related_pair(rng, n=30, dim=6)
    other = related_pair(rng, n=60, dim=6)[0]
    found = audited(a, b, np.vstack([a[:7], b[:5], other]), other)
    assert found.centred.evidence.intervals.correction.factor == 1
    assert set(notices(found)) == {"a"}
    assert "7 of the 30 compared rows of A and 5 of the 30 compared rows of B" in notices(found)["a"]
    assert "Intervals and verdict are not corrected for that" in notices(found)["a"]
    (line,) = (each for each in found.distortions if each.code == "fit_rows_compared")
    assert line.fired
    assert "of A 7 and of B 5 in those of A, of A 0 and of B 0 in those of B" in line.text


def swapped(a, b, other):
    return {"fit_a": b, "fit_b": other}


def pooled(a, b, other):
    return {"fit_a": np.vstack([a, b]), "fit_b": other}


@pytest.mark.parametrize("kind", ["own", "shared"])
@pytest.mark.parametrize("fits", [swapped, pooled], ids=lambda fits: fits.__name__)
def test_errors_follow_a_refit_where_a_fit_file_holds_compared_rows(rng, fits, kind):
    """The literal refit leaves a pair out of the fit file too."""
    a, b = clustered(rng, 80)
    other = clustered(rng, 50)[0]
    units = UnitRows(a).mean_row(), UnitRows(b).mean_row()
    fit = fits(a, b, other)
    means = fit_means(
        *units, fit["fit_a"], fit["fit_b"], shared=kind == "shared", among=compared_among((a, b), *fit.values())
    )
    values = []
    for left in range(-1, 80):
        kept = np.arange(80) != left
        values.append(refit.figures(a[kept], b[kept], kind, **fits(a[kept], b[kept], other)))
    values = np.array(values)[:, [0, 2, 3, 4]]
    spread = values[1:] - values[1:].mean(axis=0)
    expected = np.sqrt(79 / 80 * (spread**2).sum(axis=0))
    reading = Reading(a, b, kind, means=means)
    found = reading_intervals(reading.sums, reading.shifts, means)
    names = ("matched", "gap", "gap_over_floor_sd", "cohens_d")
    factors = np.array([1, *[found.correction.factor] * 3])
    errors = np.array([getattr(found, name).error for name in names])
    assert_allclose(errors / factors, expected, rtol=0.03)


def drawn(rng, n, dim=24):
    a = rng.standard_normal((n, dim)) + 0.25
    return a, a + 0.6 * rng.standard_normal((n, dim))


@pytest.mark.parametrize("case", ["one side's own mean", "one shared mean and one fit file", "B is the fit file of A"])
def test_corrected_figures_are_those_about_the_means_they_estimate(case):
    """Without the correction matched or gap is more than 6 standard errors of this simulation off."""
    rng = np.random.default_rng(31)
    n, shared = 15, case.startswith("one shared")
    other = drawn(rng, 20)[0]
    many = [unit(rows) for rows in drawn(rng, 200_000)]
    mean_a, mean_b = (rows.mean(axis=0) for rows in many)
    file, share = unit(other).mean(axis=0), n / (n + 20)
    mean = {
        "one side's own mean": (mean_a, file),
        "one shared mean and one fit file": (share * mean_b + (1 - share) * file,) * 2,
        "B is the fit file of A": (mean_b, mean_b),
    }[case]
    one, two = (unit(rows - about) for rows, about in zip(many, mean, strict=True))
    matched = np.einsum("ij,ij->i", one, two).mean()
    truth = np.array([matched, matched - one.mean(axis=0) @ two.mean(axis=0)])

    plain, found = [], []
    for _ in range(300):
        a, b = drawn(rng, n)
        fits = (None, other) if case.startswith("one side") else (other if shared else b, None)
        units = UnitRows(a).mean_row(), UnitRows(b).mean_row()
        means = fit_means(*units, *fits, shared=shared, among=compared_among((a, b), *fits))
        reading = Reading(a, b, "own", means=means)
        intervals = reading_intervals(reading.sums, reading.shifts, means)
        figures = np.array([intervals.matched.estimate, intervals.gap.estimate])
        found.append(figures)
        plain.append((figures - (intervals.correction.matched, 0)) / (1, intervals.correction.factor))
    error = np.std(found, axis=0) / np.sqrt(300)
    assert np.all(np.abs(np.mean(found, axis=0) - truth) < 4 * error + 0.003)
    assert np.any(np.abs(np.mean(plain, axis=0) - truth) > 6 * error)


def test_rows_are_found_by_value_whatever_their_type_and_the_sign_of_a_zero(rng):
    a, b = rng.standard_normal((2, 9, 3)).astype("f4")
    a[:, 0] = 0.0
    fit = np.vstack([a, rng.standard_normal((4, 3))]).astype("f8")
    fit[:, 0] *= -1.0
    assert compared_among((a, b), fit, None)[0].copies == (1, 0)
    assert compared_among((a[:, 1:2], b[:, 1:2]), None, b[:, 1:2])[1].copies == (0, 1)


def test_fit_rows_that_are_nearly_the_compared_ones_are_noticed_by_their_mean(rng):
    """They differ by more than a float16 does, so none is found; their mean is nearer than other rows' would be."""
    a, b = rng.standard_normal((2, 60, 64)) + 0.3
    copy = unit(a) + 0.001 * rng.standard_normal((60, 64))
    found = audited(a, b, copy, rng.standard_normal((60, 64)) + 0.3)
    assert found.side_a.fit_overlap == 0
    assert set(notices(found)) == {"a"}
    assert "not corrected" in notices(found)["a"]


def test_other_rows_of_the_same_population_are_not_taken_for_the_compared_ones(rng):
    for _ in range(60):
        a, b, fit_a, fit_b = rng.standard_normal((4, 30, 64)) + 0.3
        assert not notices(audited(a, b, fit_a, fit_b, n_derangements=1))


@pytest.mark.parametrize("dim", [2, 5, 24, 300])
@pytest.mark.parametrize("stored", ["f4", "scaled", "f4 permuted"])
def test_a_fit_file_of_the_compared_rows_in_another_type_or_scale_is_seen(rng, dim, stored):
    a, b = related_pair(rng, n=60, dim=dim, drift=0.8)
    a[7], b[7] = 2 * a[3], 2 * b[3]  # a row twice, to scale
    change = {
        "f4": lambda x: x.astype("f4"),
        "scaled": lambda x: x * 7.7,
        "f4 permuted": lambda x: x[::-1].astype("f4"),
    }
    of_a, of_b = compared_among((a, b), change[stored](a), change[stored](b))
    assert (of_a.copies, of_b.copies) == ((1, 0), (0, 1))
    assert of_a.others == of_b.others == (0, 0)


def test_compared_rows_in_float16_are_seen_whole_and_in_part(rng):
    a, b = related_pair(rng, n=60, dim=24, drift=0.8)
    other = rng.standard_normal((60, 24))
    whole, part = compared_among((a, b), a.astype("f2"), np.vstack([b[:30], other]).astype("f2"))
    assert (whole.copies, part.copies) == ((1, 0), (0, 0))
    assert (part.others, part.found) == ((0, 30), (0, 30))


@pytest.mark.parametrize("cone", [1.0, 1e-3], ids=["all round", "narrow cone"])
def test_rows_of_other_items_are_not_taken_for_compared_ones(rng, cone):
    a, b, other = (1 + cone * rng.standard_normal((400, 16)) for _ in range(3))
    assert compared_among((a, b), other, None)[0].found == (0, 0)


def test_sides_in_two_precisions_keep_their_own_fit_rows(rng):
    a = rng.standard_normal((40, 32))
    of_a, of_b = compared_among((a, a.astype("f4")), 3 * a, 3 * a)
    assert (of_a.copies, of_b.copies) == ((1, 0), (0, 1))


def test_fit_rows_in_float32_are_corrected_for_and_said(rng):
    a, b = related_pair(rng, n=60, dim=24, drift=0.8)
    own, again = audited(a, b), audited(a, b, fit_a=a.astype("f4"), fit_b=b.astype("f4"))
    assert_allclose(again.forced_centred_floor, own.forced_centred_floor, rtol=1e-5)
    assert again.centred.evidence.intervals.floor.low is None
    assert_allclose(again.centred.evidence.intervals.correction.factor, 59 / 60, rtol=1e-12)
    assert set(notices(again)) == {"a", "b"}
    line = next(each for each in again.distortions if each.code == "mean_off")
    assert "fits" not in line.text


def in_bfloat16(rows):
    """Rounded to the eight leading bits, as float32."""
    mantissas, exponents = np.frexp(rows)
    return np.ldexp(np.round(mantissas * 256) / 256, exponents).astype("f4")


@pytest.mark.parametrize("dim", [8, 24, 384])
@pytest.mark.parametrize("drift", [0.0, 3.0])
def test_compared_rows_in_bfloat16_are_seen_whole_and_in_part(rng, dim, drift):
    a, b = related_pair(rng, n=60, dim=dim, drift=drift)
    other = rng.standard_normal((60, dim))
    whole, part = compared_among((a, b), in_bfloat16(a), in_bfloat16(np.vstack([b[:30], other])))
    assert (whole.copies, part.copies) == ((1, 0), (0, 0))
    assert (part.others, part.found) == ((0, 30), (0, 30))
    back, _ = compared_among((in_bfloat16(a), in_bfloat16(b)), a, None)
    assert back.copies == (1, 0)


def test_a_fit_file_in_bfloat16_is_corrected_for_and_said_once(rng):
    a, b = related_pair(rng, n=60, dim=24, drift=0.8)
    own = audited(a, b)
    found = audited(a, b, in_bfloat16(a), in_bfloat16(b))
    assert_allclose(found.forced_centred_floor, own.forced_centred_floor, rtol=1e-3)
    assert found.centred.evidence.intervals.floor.low is None
    assert_allclose(found.centred.evidence.intervals.correction.factor, 59 / 60, rtol=1e-12)
    (line,) = (each for each in found.distortions if each.code == "fit_rows_compared")
    assert line.fired
    assert "of A 60" in line.text
    assert set(notices(found)) == {"a", "b"}
    other = related_pair(rng, n=60, dim=24, drift=0.8)[0]
    part = audited(a, b, in_bfloat16(np.vstack([a, other])), in_bfloat16(np.vstack([b, other])))
    assert_allclose(part.forced_centred_floor, 0.75 * own.forced_centred_floor, rtol=0.02)
    assert set(notices(part)) == {"a", "b"}


def test_texts_that_differ_a_little_are_other_rows_in_any_type(rng):
    """Near duplicates at cosine .9999 and .99998: 1 - cos is above what bfloat16 leaves."""
    a = rng.standard_normal((200, 64))
    for change in (0.015, 0.0064):
        near = a + change * rng.standard_normal((200, 64))
        assert compared_among((a, a), near.astype("f4"), in_bfloat16(near))[0].found == (0, 0)
        assert compared_among((a, a), near.astype("f4"), in_bfloat16(near))[1].found == (0, 0)


def test_whole_numbers_are_not_taken_for_bfloat16(rng):
    counts = rng.integers(0, 200, (100, 32)).astype("f8")
    near = counts.copy()
    near[:, 3] += 1
    assert compared_among((counts, counts), near, None)[0].found == (0, 0)


def test_the_notice_the_line_and_the_limits_agree_where_only_the_mean_tells(rng):
    a, b = rng.standard_normal((2, 60, 64)) + 0.3
    copy = unit(a) + 0.001 * rng.standard_normal((60, 64))
    found = audited(a, b, copy, rng.standard_normal((60, 64)) + 0.3)
    (line,) = (each for each in found.distortions if each.code == "fit_rows_compared")
    assert line.fired
    assert "the fit mean of A is nearer" in line.text
    assert "fit rows of A look like the compared rows" in found.unknown_forced_floor
