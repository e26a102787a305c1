"""Each notice speaks when its case is made and keeps silent otherwise."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import core
from core.errors import Notice
from core.notices import result_notices
from tests.arrays import audited, inspected, npy_bytes, random_rotation, related_pair


def codes(result):
    return [notice.code for notice in result.notices]


def said(result, code):
    """The one notice of this code."""
    (notice,) = [notice for notice in result.notices if notice.code == code]
    return notice


@pytest.fixture
def pair(rng):
    """Enough rows that nothing is worth a word."""
    return related_pair(rng, n=80, dim=12)


@pytest.mark.parametrize("shared_mean", [False, True])
def test_an_ordinary_pair_is_worth_no_word(pair, shared_mean):
    assert codes(audited(*pair, shared_mean=shared_mean)) == []


def test_an_ordinary_pair_with_ordinary_fit_rows_is_worth_no_word(rng, pair):
    assert codes(audited(*pair, related_pair(rng, n=2_000, dim=12)[0], related_pair(rng, n=2_000, dim=12)[1])) == []


def test_dropped_rows(pair):
    pair[0][5, 0] = np.nan
    result = audited(*pair, drop_bad_rows=True)
    assert codes(result) == ["dropped_rows"]
    assert said(result, "dropped_rows").text.startswith("1 pair with NaN")
    assert "79 pairs remain" in said(result, "dropped_rows").text


def test_bad_rows_of_fit_files_that_were_left_out_are_counted_side_by_side(rng, pair):
    fit_a, fit_b = (related_pair(rng, n=2_000, dim=12)[0] for _ in "ab")
    fit_a[[3, 10]] = 0
    fit_a[11, 0] = np.nan
    result = audited(*pair, fit_a, fit_b, drop_bad_rows=True)
    assert (result.dropped_rows, result.dropped_fit_rows) == (0, (3, 0))
    assert codes(result) == ["dropped_fit_rows"]
    word = said(result, "dropped_fit_rows")
    assert word.side == "fit_a"
    assert word.text.startswith("fit_a.npy: 3 rows with NaN")
    assert "1,997 of 2,000 remain" in word.text
    fit_b[0, 0] = np.inf
    assert audited(*pair, fit_a[12:], fit_b, drop_bad_rows=True).dropped_fit_rows == (0, 1)


def test_identical_files(pair):
    assert codes(audited(pair[0], pair[0])) == ["identical_files"]


def test_identical_rows_in_different_files(rng, pair):
    a = pair[0]
    assert codes(audited(a, 2.5 * a)) == ["identical_rows"]
    assert codes(audited(a, a + 1e-5 * rng.standard_normal(a.shape))) == []


def test_one_dimension(rng):
    signs = rng.choice([-1.0, 1.0], (60, 1))
    assert "one_dimension" in codes(audited(signs * rng.uniform(1, 2, (60, 1)), signs))


@pytest.mark.parametrize(("n", "spoken"), [(19, True), (20, False)])
def test_few_pairs(rng, n, spoken):
    assert ("few_pairs" in codes(audited(*related_pair(rng, n=n, dim=12)))) is spoken


def test_a_negative_gap(rng, pair):
    result = audited(pair[0], -pair[0] + 0.1 * rng.standard_normal(pair[0].shape))
    text = said(result, "negative_gap").text
    assert "centred gap is negative (−" in text, "with a true minus sign"
    assert "negative_gap" not in codes(audited(*pair))


def test_no_spread(rng):
    rows = random_rotation(rng, 30)
    assert "no_spread" in codes(audited(rows, 2 * rows))


def test_ties(rng, pair):
    b = pair[1]
    a = pair[0]
    b[1], a[1] = b[0], a[0]
    a[0] = a[1] = b[0]
    result = audited(a, b)
    text = said(result, "ties").text
    assert text.startswith("2 of 80 rows of A have a partner that ties")
    assert f"{result.raw.a_to_b.pessimistic:.4f} if ties lose, {result.raw.a_to_b.optimistic:.4f} if they win" in text


def hits(n, k):
    """Orthonormal rows of which the first k meet their partner and the others their neighbour's."""
    order = np.r_[np.arange(k), np.roll(np.arange(k, n), 1)]
    return np.eye(n), np.eye(n)[order]


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 5, 10, 40])
def test_at_chance_is_the_binomial_tail_at_five_percent(k):
    """binom.sf(k - 1, 40, 1/40): 0.080 at 3 hits, 0.018 at 4."""
    assert ("at_chance" in codes(audited(*hits(40, k)))) is bool(binom.sf(k - 1, 40, 1 / 40) > 0.05)


def test_at_chance_on_unrelated_rows(rng):
    result = audited(rng.standard_normal((200, 30)), rng.standard_normal((200, 30)))
    assert "no better than the chance of 1/200" in said(result, "at_chance").text


def test_at_chance_speaks_of_the_raw_reading_where_centring_is_undefined(rng):
    a, b = rng.standard_normal((80, 12)), rng.standard_normal((80, 12))
    assert "Partner ranked first (raw)" in said(audited(a, b, a[:1]), "at_chance").text


def test_an_offset_between_the_sides(pair):
    a, b = pair
    b[:, 3] += 8
    result = audited(a, b)
    offset = said(result, "offset_between_sides")
    assert offset.side == "pair"
    assert f"{result.squared_offset**0.5:.2f} apart" in offset.text
    assert "shared mean" not in offset.text
    assert "one shared mean this offset stays" in said(audited(a, b, shared_mean=True), "offset_between_sides").text


def test_centring_undefined(pair):
    assert codes(audited(*pair, pair[0][3:4])) == ["centring_undefined"]


def test_a_centred_floor_that_is_not_zero(rng, pair):
    """Fit rows from elsewhere on both sides: both keep one direction in common."""
    fit = rng.standard_normal((500, 12))
    fit[:, 0] -= 4
    result = audited(*pair, fit, fit)
    assert "centred_floor_not_zero" in codes(result)
    assert f"{result.centred.exact.floor_mean:.4f}" in said(result, "centred_floor_not_zero").text


@pytest.mark.parametrize("side", ["a", "b"])
def test_anisotropy_left_on_the_side_whose_mean_does_not_fit(rng, pair, side):
    """The centred floor does not show it: the other side is centred well."""
    fit = rng.standard_normal((500, 12))
    fit[:, 0] -= 4
    result = audited(*pair, fit, None) if side == "a" else audited(*pair, None, fit)
    assert codes(result) == ["anisotropy_after_centring"]
    notice = said(result, "anisotropy_after_centring")
    assert notice.side == side
    assert f"Side {side.upper()} still has anisotropy" in notice.text


def test_a_notice_about_a_file_comes_before_those_about_the_result(rng):
    a, b = related_pair(rng, n=15, dim=12)
    a[4] = a[2]
    result = audited(a, b)
    assert codes(result)[0] == "duplicate_rows"
    assert codes(result)[-1] == "few_pairs"


def test_a_notice_holds_a_code_a_side_and_a_sentence(rng):
    rows = random_rotation(rng, 10)
    for notice in audited(rows, rows).notices:
        assert isinstance(notice, Notice)
        assert notice.code == notice.code.lower().replace(" ", "_")
        assert notice.side in {"a", "b", "fit_a", "fit_b", "pair"}
        assert notice.text.endswith((".", "like."))


def test_a_word_of_the_reader_reaches_the_result(rng):
    codes_of_integers = rng.integers(1, 100, (60, 5)).astype("i4")
    result = audited(codes_of_integers, codes_of_integers + 1)
    assert [(n.code, n.side) for n in result.notices if n.code == "integer_codes"] == [
        ("integer_codes", "a"),
        ("integer_codes", "b"),
    ]
    assert inspected(codes_of_integers).loaded.words


def with_gap(audit, gap):
    return replace(audit, centred=replace(audit.centred, exact=replace(audit.centred.exact, gap=gap)))


@pytest.mark.parametrize(("deviations", "spoken"), [(-1.9, False), (-2.1, True), (0.5, False)])
def test_a_gap_below_zero_is_noticed_beyond_the_luck_of_n_pairs(ordinary, deviations, spoken):
    gap = deviations * ordinary.centred.exact.floor_sd / np.sqrt(ordinary.n)
    found = [notice.code for notice in result_notices(with_gap(ordinary, gap))]
    assert ("negative_gap" in found) is spoken


@pytest.mark.parametrize(("share", "spoken"), [(0.19, False), (0.21, True), (-0.21, True)])
def test_the_centred_floor_is_measured_by_its_own_spread(ordinary, share, spoken):
    floor = ordinary.forced_centred_floor + share * ordinary.centred.exact.floor_sd
    moved = replace(ordinary.centred, exact=replace(ordinary.centred.exact, floor_mean=floor))
    found = [notice.code for notice in result_notices(replace(ordinary, centred=moved))]
    assert ("centred_floor_not_zero" in found) is spoken


@pytest.mark.parametrize(("left", "spoken"), [(0.049, False), (0.051, True), (-0.5, False)])
def test_anisotropy_left_is_worth_a_word_above_five_hundredths(ordinary, left, spoken):
    found = result_notices(replace(ordinary, centred_anisotropy_b=left - 1 / 59))
    assert [(notice.code, notice.side) for notice in found] == [("anisotropy_after_centring", "b")] * spoken


@pytest.mark.parametrize(("offset", "spoken"), [(0.049, False), (0.051, True)])
def test_an_offset_is_worth_a_word_above_five_hundredths(ordinary, offset, spoken):
    anisotropy = offset + 2 * ordinary.raw.exact.floor_mean - ordinary.anisotropy_b
    found = [notice.code for notice in result_notices(replace(ordinary, anisotropy_a=anisotropy))]
    assert ("offset_between_sides" in found) is spoken


def test_a_pool_of_candidates_is_worth_a_word(pair):
    text = said(audited(*pair, candidates=20), "candidate_pool").text
    assert "among 20 of 80 rows" in text
    assert "chance 1/20" in text


def test_a_pool_no_smaller_than_the_rows_is_said_to_be_none(pair):
    assert "80 rows: each row was ranked among all" in said(audited(*pair, candidates=80), "no_pool").text
    assert codes(audited(*pair, candidates=500)) == ["no_pool"]


@pytest.mark.parametrize(("spread", "spoken"), [(1e-5, False), (1e-9, True), (1e-12, True)])
def test_rows_so_near_their_mean_that_rounding_shows(rng, spread, spoken):
    result = audited(*(1 + spread * rng.normal(size=(60, 24)) for _ in "ab"))
    assert ("centred_rounding" in codes(result)) == spoken
    counted = next(check for check in result.checks if check.name == "centred histogram")
    within = float(re.search(r"within (\S+) of an edge", counted.text)[1])
    assert 1e-16 / spread < within < 1e-12 / spread


def test_a_check_that_failed_comes_first(ordinary):
    failed = replace(ordinary, checks=(replace(ordinary.checks[0], passed=False), *ordinary.checks[1:]))
    (notice, *_) = result_notices(failed)
    assert notice.code == "check_failed"
    assert "(raw mean)" in notice.text


def test_one_file_read_two_ways_is_not_called_a_copy(pair):
    """Two layers of one stack: the same bytes, other rows."""
    stack = npy_bytes(np.stack(pair))
    a, b = (core.load(stack, "stack.npy", core.ReadChoices(layer=layer)) for layer in (0, 1))
    assert "identical_files" not in {notice.code for notice in core.audit(a, b).notices}


def test_three_rows_have_no_anisotropy_left_below_zero(rng):
    a, b = related_pair(rng, n=3)
    result = audited(a, b)
    assert result.centred_anisotropy_a < 0
    assert "anisotropy_after_centring" not in {notice.code for notice in result.notices}


def test_ties_only_among_the_rows_of_a_are_noticed(rng):
    b = rng.standard_normal((30, 6))
    a = b + 0.01 * rng.standard_normal((30, 6))
    a[1] = a[0]
    result = audited(a, b)
    assert result.raw.a_to_b.tied == 0 < result.raw.b_to_a.tied
    assert "1 of 30 rows of B has a partner that ties" in next(n.text for n in result.notices if n.code == "ties")


def test_the_readme_lists_every_code():
    """Codes are stable names for scripts, so they are documented where scripts are."""
    root = Path(__file__).parents[2]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (root / "core").rglob("*.py"))
    codes = set(re.findall(r'(?:(?:Word|Notice)\(\s*code=|_pair\(\s*)"([a-z_0-9]+)"', sources))
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert len(codes) > 20
    assert {code for code in codes if f"`{code}`" not in readme} == set()


@pytest.mark.parametrize("m", [1, 2, 3, 10, 20])
def test_few_fit_rows_are_no_reassurance(rng, m):
    """The mean of m rows is off by (1 - A)/m: half of 1 - A for two."""
    a, b, fit_a, fit_b = (rng.standard_normal((rows, 24)) + 0.8 for rows in (60, 60, m, m))
    found = audited(a, b, fit_a, fit_b)
    (notice,) = [each for each in found.notices if each.code == "few_fit_rows" and each.side == "a"]
    assert f"{100 / m:.0f}% of 1 − anisotropy" in notice.text
    lines = {each.code: each for each in found.distortions}
    assert lines["anisotropy_after_centring"].fired
    assert "A fits" not in lines["mean_off"].text
    if m in (2, 3):
        assert found.side_a.mean_check.verdict is None


def test_enough_fit_rows_are_not_called_few(rng):
    a, b, fit_a, fit_b = (rng.standard_normal((rows, 24)) + 0.8 for rows in (60, 60, 21, 400))
    assert "few_fit_rows" not in {each.code for each in audited(a, b, fit_a, fit_b).notices}
    assert "few_fit_rows" not in {each.code for each in audited(a[:12], b[:12]).notices}


def test_ids_that_are_all_different_are_said_to_do_nothing(pair):
    assert "grouping does nothing" in said(audited(*pair, groups=np.arange(80)), "groups_of_one").text
    codes = {notice.code for notice in audited(*pair, groups=np.arange(80) // 2).notices}
    assert not codes & {"groups_of_one", "ids_trimmed"}


def test_blanks_taken_off_ids_are_said(pair):
    ids = [f"{row // 2} " if row % 2 else f"{row // 2}" for row in range(80)]
    found = audited(*pair, groups=ids)
    assert found.groups.count == 40
    assert "40 group ids had blanks at an end" in said(found, "ids_trimmed").text


def lumps(rng, *, apart=0.0):
    """Two clusters of very uneven size: right means leave anisotropy, since rows are made unit length again."""
    rows = 0.001 * rng.standard_normal((2_500, 8)) + np.eye(8)[0]
    rows[-3:] += 40 * np.eye(8)[1]
    other = rows + 0.0005 * rng.standard_normal(rows.shape)
    other[:, 2] += apart
    return rows, other


def left_words(result):
    return {n.side: n.text for n in result.notices if n.code == "anisotropy_after_centring"}


def test_rows_centred_on_their_own_mean_are_not_said_to_have_another(rng):
    words = left_words(audited(*lumps(rng)))
    assert set(words) == {"a", "b"}
    for text in words.values():
        assert "the mean that was subtracted is that of these very rows, and the rows lie unevenly about it" in text
        assert "not the mean" not in text


def test_rows_centred_on_one_mean_of_both_sides_are_said_to_be(rng):
    a, b = lumps(rng)
    near, far = audited(a, b, shared_mean=True), audited(*lumps(rng, apart=0.5), shared_mean=True)
    assert "is the shared mean of the compared rows of both sides" in left_words(near)["a"]
    assert "mean of A alone (offset between the sides), or the rows lie unevenly" in left_words(near)["a"]
    assert f"offset between the sides, {far.squared_offset**0.5:.2f} apart" in left_words(far)["b"]
    fitted = audited(a[::2], b[::2], a[1::2], b[1::2], shared_mean=True)
    assert "is the shared mean of the fit rows of both sides" in left_words(fitted)["a"]


def test_a_fit_file_that_is_the_compared_file_leaves_what_the_own_mean_leaves(rng):
    a, b = lumps(rng)
    assert "is that of these very rows" in left_words(audited(a, b, a, b))["a"]


def test_a_mean_of_other_rows_that_fits_is_not_said_to_be_wrong(rng):
    rows = np.concatenate([lumps(rng)[0] for _ in range(2)])
    a, fit = rows[:2_500], rows[2_500:]
    found = audited(a, a + 0.0005 * rng.standard_normal(a.shape), fit, fit)
    assert found.side_a.mean_check.verdict.name == "FITS"
    assert "the mean that was subtracted fits these rows, and the rows lie unevenly" in left_words(found)["a"]


def test_a_mean_that_does_not_fit_is_still_said_not_to(rng, pair):
    fit = rng.standard_normal((500, 12))
    fit[:, 0] -= 4
    assert "is not the mean of these rows, so " in left_words(audited(*pair, fit, None))["a"]


def test_a_centred_floor_on_own_means_is_not_put_down_to_means_that_do_not_fit(rng):
    labels = np.repeat([0, 1], [140, 60])
    a = np.eye(12)[labels] * 3 + 0.4 * rng.standard_normal((200, 12))
    b = a + 0.3 * rng.standard_normal(a.shape)
    found = audited(a, b)
    moved = replace(found.centred, exact=replace(found.centred.exact, floor_mean=found.centred.exact.floor_sd))
    (own,) = [n.text for n in result_notices(replace(found, centred=moved)) if n.code == "centred_floor_not_zero"]
    assert "The means are those of these very rows: the rows lie unevenly" in own
    assert "do not fit" not in own


@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_check_of_few_fit_rows_names_what_was_found(rng, m):
    """The figures beyond sampling are far below their bound; that is not what is found."""
    a, b, fit_a, fit_b = (rng.standard_normal((rows, 24)) + 0.8 for rows in (60, 60, m, m))
    (line,) = [each for each in audited(a, b, fit_a, fit_b).distortions if each.code == "anisotropy_after_centring"]
    assert line.fired
    part = f"{1 / m:.2f}"
    assert line.text.startswith(
        f"Too few fit rows: sampling alone leaves {part} in A and {part} in B, flagged from 0.05; beyond what sampling"
    )
