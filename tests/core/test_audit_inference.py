"""What an audit says its numbers can bear, against refits, enumeration and the score matrix.

No figure here is compared with the measure that makes it: `tests.refit` refits without each
pair, and everything else is counted in the full matrix.
"""

from __future__ import annotations

import re
import sys
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from core import measured
from core.errors import LimitError, PairingError, SettingsError
from core.inference import Outcome
from core.report import document, to_json
from tests import refit
from tests.arrays import audited, related_pair
from tests.oracle import centred_sides, off_diagonal, unit

FIGURES = ("matched", "floor", "gap", "gap_over_floor_sd", "cohens_d")


def errors_of(reading):
    return [getattr(reading.evidence.intervals, name).error for name in FIGURES]


def estimates_of(reading):
    return [getattr(reading.evidence.intervals, name).estimate for name in FIGURES]


@pytest.fixture
def noisy(rng):
    """Partners that do not always rank first: (60, 6) each."""
    return related_pair(rng, n=60, dim=6, noise=1.2)


@pytest.mark.parametrize("labels", [None, np.arange(60) // 3], ids=["pairs", "groups"])
def test_raw_errors_are_those_of_leaving_out_each_pair_or_group(noisy, labels):
    found = audited(*noisy, groups=labels).raw
    assert_allclose(errors_of(found), refit.errors(*noisy, labels=labels), rtol=1e-9)
    assert_allclose(estimates_of(found)[:4], refit.figures(*noisy, labels=labels)[:4], rtol=1e-10)
    exact = refit.figures(*noisy, labels=labels)
    assert_allclose([found.exact.floor_mean, found.exact.gap, found.exact.cohens_d], exact[[1, 2, 4]], rtol=1e-10)


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_centred_errors_are_those_of_refitting_the_means(noisy, kind):
    found = audited(*noisy, shared_mean=kind == "shared").centred
    intervals, n = found.evidence.intervals, 60
    expected = refit.errors(*noisy, kind)
    matched = refit.figures(*noisy, kind)[0]
    factor = (n - 1) / n if kind == "own" else 1 - (1 + matched) / (2 * n)
    assert_allclose(intervals.matched.error, expected[0], rtol=0.06)
    assert_allclose(intervals.gap.error, factor * expected[2], rtol=0.06)
    assert_allclose(intervals.gap.estimate, factor * refit.figures(*noisy, kind)[2], rtol=1e-10)
    assert intervals.floor.low is None
    assert intervals.floor.reason
    reach = stats.t.ppf(0.975, n - 1) * intervals.gap.error
    assert_allclose([intervals.gap.low, intervals.gap.high], intervals.gap.estimate + np.array([-reach, reach]))


def test_the_centred_floor_has_an_interval_where_the_means_come_from_elsewhere(rng, noisy):
    fit = dict(zip(("fit_a", "fit_b"), related_pair(rng, n=300, dim=6, noise=1.2), strict=True))
    found = audited(*noisy, *fit.values()).centred
    assert_allclose(errors_of(found), refit.errors(*noisy, "own", **fit), rtol=1e-9)
    assert found.evidence.intervals.correction.factor == 1


@pytest.mark.parametrize("n", range(3, 8))
def test_few_pairs_are_tested_over_every_pairing(rng, n):
    a, b = related_pair(rng, n=n, dim=3)
    found = audited(a, b)
    for reading, (one, other) in ((found.raw, (unit(a), unit(b))), (found.centred, centred_sides(a, b))):
        scores = one @ other.T
        sums = [scores[range(n), order].sum() for order in permutations(range(n))]
        off = np.abs(np.array(sums) - np.mean(sums))
        test = reading.evidence.test
        assert test.method == "enumerated"
        assert_allclose(test.pvalue, np.mean(off >= off[0] - 1e-12))
        assert_allclose(test.z, (sums[0] - np.mean(sums)) / np.std(sums), rtol=1e-9)
        assert reading.evidence.verdict.exploratory
    low = found.raw.evidence.intervals.gap.low
    assert (low is None) is (n < 5)
    assert "Exploratory" in document(found).verdict
    to_json(document(found))


def test_eight_pairs_are_drawn_and_the_same_seed_draws_the_same(rng):
    pair = related_pair(rng, n=8, dim=3)
    one, again = audited(*pair), audited(*pair)
    assert one.raw.evidence == again.raw.evidence
    assert one.raw.evidence.test.method == "drawn"
    assert one.raw.evidence.test.n_permutations == 9_999


def test_one_column_and_no_centred_reading_still_have_a_document(rng):
    signs = rng.choice([-1.0, 1.0], (30, 1))
    found = audited(np.abs(signs), signs)
    assert found.centred is None
    assert not found.at_ceiling
    worded = document(found)
    assert "centred reading is undefined" in worded.verdict
    to_json(worded)


def test_ranks_beyond_the_first_are_counted_in_the_score_matrix(noisy):
    scores = unit(noisy[0]) @ unit(noisy[1]).T
    own, off = np.diag(scores), off_diagonal(60)
    expected = [1 - 2 * (off & (matrix > own[:, None])).sum() / (60 * 59) for matrix in (scores, scores.T)]
    evidence = audited(*noisy).raw.evidence
    assert_allclose([evidence.mean_rank_a_to_b.estimate, evidence.mean_rank_b_to_a.estimate], expected)

    without = []
    for row in range(60):
        kept = np.arange(60) != row
        part = scores[np.ix_(kept, kept)]
        without.append(1 - 2 * (part > np.diag(part)[:, None]).sum() / (59 * 58))
    error = np.sqrt(59 / 60 * ((without - np.mean(without)) ** 2).sum())
    assert_allclose(evidence.mean_rank_a_to_b.error, error, rtol=1e-9)
    hits = round(60 * evidence.first_a_to_b.estimate)
    interval = stats.binomtest(hits, 60).proportion_ci()
    assert_allclose([evidence.first_a_to_b.low, evidence.first_a_to_b.high], interval, rtol=1e-9)


def test_a_row_is_ranked_among_other_groups_and_its_partner(noisy):
    labels = np.arange(60) // 4
    scores = unit(noisy[0]) @ unit(noisy[1]).T
    other = labels[:, None] != labels[None, :]
    found = audited(*noisy, groups=labels)
    for ranks, matrix in ((found.raw.a_to_b, scores), (found.raw.b_to_a, scores.T)):
        first = ~(other & (matrix > np.diag(scores)[:, None])).any(axis=1)
        assert_allclose(ranks.expected, first.mean())
        assert_allclose(ranks.chance, 1 / 57)
    assert_allclose(found.raw.exact.floor_sd, scores[other].std(), rtol=1e-10)
    assert_allclose(found.groups.plain_raw_floor, scores[off_diagonal(60)].mean(), rtol=1e-10)
    one, two = centred_sides(*noisy)
    assert_allclose(
        found.forced_centred_floor + found.centred_floor_residual, (one @ two.T)[other].mean(), rtol=1e-9
    )
    sums = [np.array([side[labels == group].sum(axis=0) for group in range(15)]) for side in (one, two)]
    assert_allclose(found.forced_centred_floor, -(sums[0] * sums[1]).sum() / other.sum(), rtol=1e-9)


def test_groups_of_one_pair_each_change_nothing(noisy):
    plain, alone = audited(*noisy), audited(*noisy, groups=np.arange(60))
    for one, other in ((plain.raw, alone.raw), (plain.centred, alone.centred)):
        assert_allclose(estimates_of(other), estimates_of(one), rtol=1e-12)
        assert other.a_to_b == one.a_to_b
        assert other.evidence.test.pvalue == one.evidence.test.pvalue
    assert_allclose(alone.forced_centred_floor, plain.forced_centred_floor, rtol=1e-9)


def test_ids_follow_the_rows_that_are_left(noisy):
    labels = np.arange(60) // 4
    noisy[0][10] = np.nan
    found = audited(*noisy, groups=labels, drop_bad_rows=True)
    kept = np.arange(60) != 10
    expected = refit.figures(noisy[0][kept], noisy[1][kept], labels=labels[kept])
    assert_allclose(found.raw.exact.floor_mean, expected[1], rtol=1e-10)
    assert (found.groups.smallest, found.groups.largest, found.groups.count) == (3, 4, 15)


def test_ids_that_do_not_fit_are_refused(noisy):
    with pytest.raises(PairingError, match=r"59 ids .* 60 rows"):
        audited(*noisy, groups=np.arange(59))
    with pytest.raises(PairingError, match="at least 3"):
        audited(*noisy, groups=np.arange(60) % 2)
    with pytest.raises(SettingsError, match="pool of candidates"):
        audited(*noisy, groups=np.arange(60), candidates=10)


def test_a_pool_changes_no_interval(noisy):
    whole, pool = audited(*noisy), audited(*noisy, candidates=20)
    for one, other in ((whole.raw, pool.raw), (whole.centred, pool.centred)):
        assert_allclose(errors_of(other)[::2], errors_of(one)[::2], rtol=1e-10)
        assert other.evidence.test.pvalue == one.evidence.test.pvalue
        assert other.evidence.mean_rank_a_to_b.low is None
        assert abs(other.evidence.mean_rank_a_to_b.estimate - one.evidence.mean_rank_a_to_b.estimate) < 0.1


def test_many_pairs_are_inferred_from_the_sweep(rng):
    """Above 2,000 pairs: float32 rows, the sweep's sums and the normal tail, against a matrix of all scores."""
    a, b = related_pair(rng, n=2_100, dim=24, noise=1.5)
    found = audited(a, b)
    scores, n = unit(a) @ unit(b).T, 2_100
    rows, columns = scores.sum(axis=1), scores.sum(axis=0)
    own, total = np.diag(scores), scores.sum()
    left = own.sum() - own
    floors = (total - rows - columns + own - left) / ((n - 1) * (n - 2))
    gaps = left / (n - 1) - floors
    error = np.sqrt((n - 1) / n * ((gaps - gaps.mean()) ** 2).sum())
    evidence = found.raw.evidence
    assert_allclose(evidence.intervals.gap.error, error, rtol=1e-5)
    assert evidence.test.method == "normal"
    alpha, beta = unit(a) - unit(a).mean(axis=0), unit(b) - unit(b).mean(axis=0)
    link = alpha @ beta.T
    z = np.trace(link) / np.sqrt((link**2).sum() / (n - 1))
    assert_allclose(evidence.test.z, z, rtol=1e-5)
    assert evidence.mean_rank_a_to_b.estimate > 0
    assert "normal tail" in document(found).verdict


def test_too_many_columns_leave_the_verdict_out_and_say_so(rng, monkeypatch):
    for module in ("measured", "inference", "isotropy"):
        monkeypatch.setattr(f"core.{module}.SCATTER_COLUMNS", 10)
    a, b = related_pair(rng, n=2_050, dim=12)
    found = audited(a, b)
    assert found.raw.evidence.verdict is None
    assert found.evidence_missing == measured.TOO_WIDE
    assert document(found).verdict.startswith("No verdict")
    assert found.raw.evidence.first_a_to_b.low is not None
    to_json(document(found))


def test_a_declared_margin_makes_no_gap_sayable(rng):
    a, b = rng.standard_normal((300, 16)), rng.standard_normal((300, 16))
    bare, declared = audited(a, b), audited(a, b, margin=0.2)
    assert bare.raw.evidence.verdict.outcome is Outcome.UNDERPOWERED
    assert declared.raw.evidence.verdict.outcome is Outcome.NO_LARGER_GAP
    assert declared.centred.evidence.verdict.outcome is Outcome.NO_LARGER_GAP
    assert "no gap" not in document(bare).verdict.lower()
    assert "rule out gaps above" in document(bare).verdict
    assert "no gap larger than 0.2" in document(declared).verdict
    small = audited(*related_pair(rng, n=300, dim=16, noise=2.5), margin=0.9)
    assert small.raw.evidence.verdict.outcome is Outcome.REAL_BUT_SMALL
    assert audited(a, -a).raw.evidence.verdict.outcome is Outcome.WRONG_WAY


@pytest.mark.parametrize("margin", [0, -0.1, 2.1, float("nan"), "0.1", True])
def test_a_margin_that_is_none_is_refused(margin):
    with pytest.raises(SettingsError, match="margin"):
        audited(np.eye(4), np.eye(4), margin=margin)


def test_nearly_equal_sides_say_how_much_of_the_distance_is_lost(rng):
    a = related_pair(rng, n=50, dim=12)[0]
    b = a + 1e-6 * rng.standard_normal(a.shape)
    wide_a, wide_b = (unit(rows, np.longdouble) for rows in (a, b))
    apart = ((wide_a - wide_b) ** 2).sum(axis=1) / 2
    found = audited(a, b)
    near = found.closeness
    assert_allclose([near.mean_distance, near.worst_distance], [float(apart.mean()), float(apart.max())], rtol=1e-7)
    assert near.worst_pair == int(np.argmax(apart))
    room = 1 - (wide_a @ wide_b.T)[off_diagonal(50)].mean()
    assert_allclose(near.distance_lost.estimate, float(apart.mean() / room), rtol=1e-7)
    assert near.distance_lost.low < near.distance_lost.estimate < near.distance_lost.high
    assert audited(*related_pair(rng)).closeness is None


def test_a_line_through_the_origin_is_found_although_anisotropy_is_low(rng):
    a, b = related_pair(rng, n=80, dim=12, drift=0)
    way = np.where(np.arange(80) % 2, 9.0, -9.0)
    a[:, 2] += way
    b[:, 2] += way
    found = audited(a, b)
    assert abs(found.anisotropy_a) < 0.1
    assert found.side_a.shape.both_ways
    assert {"both_ways"} <= {each.code for each in found.distortions if each.fired}
    assert [notice.side for notice in found.notices if notice.code == "spread_both_ways"] == ["a", "b"]


def test_fit_rows_that_are_compared_are_counted(rng, pair):
    fit = related_pair(rng, n=200)[0]
    fit[:7] = pair[0][3:10]
    found = audited(*pair, fit.astype("f8"), None)
    assert found.side_a.fit_overlap == 7
    assert found.side_b.fit_overlap is None
    assert "fit_rows_compared" in [notice.code for notice in found.notices]


def test_a_mean_of_another_population_is_off(rng):
    a, b = related_pair(rng, n=200, dim=12)
    fit = related_pair(rng, n=2_000, dim=12)[0]
    assert audited(a, b, fit, None).side_a.mean_check.verdict == "fits"
    fit[:, 5] += 1
    found = audited(a, b, fit, None)
    assert found.side_a.mean_check.verdict != "fits"
    assert "mean_off" in {each.code for each in found.distortions if each.fired}
    assert {"mean_off", "anisotropy_after_centring"} & {notice.code for notice in found.notices}


def test_everything_looked_for_has_one_line_with_a_sentence(ordinary):
    codes = [each.code for each in ordinary.distortions]
    assert len(set(codes)) == len(codes) >= 11
    assert all(each.text.endswith(".") and each.name for each in ordinary.distortions)
    assert not {each.code for each in ordinary.distortions if each.fired} - {"top_dimensions"}


def test_the_first_places_that_a_rounding_decides_are_counted(rng):
    a = rng.standard_normal((40, 6)).astype("f4")
    b = a.copy()
    b[1] = b[0] * (1 + 2e-7)
    a[0] = a[1] = b[0]
    assert audited(a, b).raw.evidence.decided_by_rounding >= 1
    assert audited(*related_pair(rng)).raw.evidence.decided_by_rounding == 0


def test_what_no_group_floor_can_be_made_for_is_refused(rng, monkeypatch):
    monkeypatch.setattr(sys.modules["core.audit"], "SCATTER_COLUMNS", 10)
    with pytest.raises(LimitError, match="different groups"):
        audited(*related_pair(rng, n=2_050, dim=12), groups=np.arange(2_050) // 2)


def test_a_fit_file_that_is_the_compared_file_again_is_no_other_rows(rng):
    """Else the factor (n-1)/n would be left out, and the forced floor be given an interval."""
    a, b = related_pair(rng, n=20, dim=6)
    plain, again = audited(a, b), audited(a, b, a, b)
    assert again.centred.evidence.verdict == plain.centred.evidence.verdict
    assert again.centred.evidence.intervals == plain.centred.evidence.intervals
    assert again.forced_centred_floor == plain.forced_centred_floor
    assert [notice.code for notice in again.notices].count("fit_rows_compared") == 2
    assert not again.mean_a.from_fit_file


def test_a_share_of_the_anisotropy_above_all_of_it_is_explained(rng):
    """Shares add up to 1, and those of dimensions whose mean product is negative are below 0."""
    a = rng.standard_normal((200, 12))
    a[:, 3] += 2.5
    found = audited(a, a + 0.3 * rng.standard_normal(a.shape))
    (line,) = [each.text for each in found.distortions if each.code == "top_dimensions"]
    for share, rest in re.findall(r"carry (\d+)% \(the others together −(\d+)%, for theirs are negative\)", line):
        assert int(share) - int(rest) == 100
    for side, facts in (("A", found.side_a), ("B", found.side_b)):
        total = round(100 * sum(each.share for each in facts.shape.top_dimensions))
        assert total > 100
        assert re.search(rf"{side}: dimensions [\d, ]+ \(from 0\) carry {total}% \(the others", line)


CARRIED = [(2, 0, None), (3, 0, None), (4, 0, False), (5, 0, False), (5, 1, True), (40, 3, True)]


@pytest.mark.parametrize(("dim", "carried", "fired"), CARRIED)
def test_three_dimensions_of_few_do_not_carry_the_anisotropy_by_their_number(rng, dim, carried, fired):
    """Three of five even dimensions hold 60 %: no word; where the mean lies along `carried` of them, a word."""
    mean = np.full(dim, 0.8)
    if carried:
        mean[carried:] = 0.0
        mean *= 3
    a = rng.standard_normal((300, dim)) + mean
    found = audited(a, a + rng.standard_normal((300, dim)))
    (line,) = [each for each in found.distortions if each.code == "top_dimensions"]
    assert line.fired is fired


def test_of_three_pairs_nothing_is_called_clean_that_could_not_be_looked_for(rng):
    result = audited(*(rng.normal(size=(3, 8)) for _ in "ab"))
    line = next(one for one in result.distortions if one.code == "top_dimensions")
    assert line.fired is None
    assert "no error" in line.text
    said = " ".join(document(result).limits)
    assert "so the audit says nothing of it." in said
    assert "above which size" not in said
