"""Results in words: the right figures, in the right sentence, under the right condition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.report.audit_document import CONVENTION, document, input_records
from core.report.numbers import ascii_minus, fixed
from core.report.to_markdown import to_markdown
from tests.arrays import audited, random_rotation, related_pair


@pytest.fixture
def worded(ordinary):
    return document(ordinary)


def table(worded, start):
    (found,) = [table for table in worded.tables if table.title.startswith(start)]
    return found


def cells(worded, start):
    return {row.label: row.cells for row in table(worded, start).rows}


def test_the_reading_states_the_exact_floor_not_the_derangements(ordinary, worded):
    raw, centred = ordinary.raw, ordinary.centred
    assert fixed(raw.exact.floor_mean) != fixed(raw.permuted.floor_mean)
    share = round(100 * raw.exact.floor_mean / raw.matched_mean)
    assert worded.reading == (
        f"All 3,540 unrelated pairs score {raw.exact.floor_mean:.4f} raw on average, {share}% of the matched "
        f"{raw.matched_mean:.4f}; centred, matched pairs score {centred.matched_mean:.4f} against a floor of "
        f"−{-centred.exact.floor_mean:.4f}, {centred.exact.gap_over_floor_sd:.2f} floor standard deviations above it "
        "(not corrected for centring)."
    )


def test_the_reading_of_matched_pairs_below_their_floor(rng, pair):
    found = document(audited(pair[0], -pair[0] + 0.01))
    assert "floor standard deviations below it (not corrected for centring)." in found.reading


def test_the_reading_names_no_share_of_a_negative_floor(pair):
    assert "% of" not in document(audited(pair[0], -pair[0])).reading


def test_the_reading_of_a_floor_without_spread_is_the_plain_gap(rng):
    rows = random_rotation(rng, 10)
    assert document(audited(rows, rows)).reading.endswith(
        "a gap of 1.1111 (not corrected for centring); the floor has no spread to measure it by."
    )


def test_the_reading_says_when_the_centred_reading_is_undefined(pair):
    worded = document(audited(*pair, pair[0][:1]))
    assert worded.reading.endswith("; the centred reading is undefined.")
    assert "nan" not in worded.reading.lower()


@pytest.mark.parametrize(
    ("a", "b", "named"),
    [
        (CONVENTION, CONVENTION, None),
        (0.3001, 0.1, "A (0.3001)"),
        (0.1, 0.3001, "B (0.3001)"),
        (0.5, 0.9, "A (0.5000) and B (0.9000)"),
        (-0.9, 0.0, None),
    ],
)
def test_the_warning_names_each_side_above_the_convention(ordinary, a, b, named):
    warning = document(replace(ordinary, anisotropy_a=a, anisotropy_b=b)).warning
    if named is None:
        assert warning == ""
    else:
        assert f"on {named}: raw cosines" in warning
        assert "a convention" in warning
        assert "raw and the centred reading together" in warning


def fitted(audit, *, a, b, rows=60):
    return replace(
        audit,
        mean_a=replace(audit.mean_a, from_fit_file=a, n_rows=rows, shares=(float(not a), 0.0)),
        mean_b=replace(audit.mean_b, from_fit_file=b, n_rows=rows, shares=(0.0, float(not b))),
    )


@pytest.mark.parametrize(
    ("a", "b", "start"),
    [
        (False, False, "The means of A and B are fitted on the 60 compared rows"),
        (True, False, "The mean of B is fitted"),
        (False, True, "The mean of A is fitted"),
    ],
)
def test_the_note_names_the_sides_fitted_on_few_compared_rows(ordinary, a, b, start):
    (note,) = document(fitted(ordinary, a=a, b=b)).note
    assert note.startswith(start)
    assert "train split of the same population" in note


def test_no_note_when_both_means_come_from_fit_rows(ordinary):
    assert document(fitted(ordinary, a=True, b=True)).note == ()


@pytest.mark.parametrize(("rows", "notes"), [(999, 1), (1_000, 0)])
def test_a_thousand_compared_rows_need_no_note(ordinary, rows, notes):
    assert len(document(fitted(ordinary, a=False, b=False, rows=rows)).note) == notes


def test_the_note_states_the_offset_that_own_means_force(ordinary, worded):
    forced = -ordinary.centred.matched_mean / 59
    assert f"about −{-forced:.4f} (−m/(n−1)" in worded.note[0]


def test_the_note_states_the_offset_that_a_shared_mean_forces(pair):
    result = audited(*pair, shared_mean=True)
    forced = (1 + result.centred.matched_mean) / 78
    assert f"about −{forced:.4f} (−(1+m)/(2(n−1))" in document(result).note[0]


def test_every_table_is_rectangular(worded):
    for found in worded.tables:
        assert found.rows
        assert {len(row.cells) for row in found.rows} == {len(found.columns)}


def test_the_exact_table_holds_the_exact_floor(ordinary, worded):
    raw = ordinary.raw
    assert cells(worded, "Exact floor, all 3,540 unrelated pairs")["raw cosine"] == (
        fixed(raw.matched_mean),
        fixed(raw.exact.floor_mean),
        fixed(raw.exact.gap),
        fixed(raw.exact.floor_sd),
        fixed(raw.exact.gap_over_floor_sd, 2),
        fixed(raw.exact.cohens_d, 2),
    )


def test_the_reference_table_holds_the_derangements_and_says_so(ordinary, worded):
    found = table(worded, "Reference format")
    assert "20 seeded derangements (seed 0" in found.title
    assert fixed(ordinary.raw.monte_carlo_error) in found.title
    centred = cells(worded, "Reference format")["centred cosine"]
    assert centred[1] == fixed(ordinary.centred.permuted.floor_mean)


def test_both_directions_stand_beside_chance(ordinary, worded):
    raw = ordinary.raw
    assert cells(worded, "Partner ranked first")["raw cosine"] == (
        fixed(raw.a_to_b.expected),
        fixed(raw.b_to_a.expected),
        f"{raw.a_to_b.tied} / {raw.b_to_a.tied}",
        str(raw.hubs.most),
        fixed(raw.hubs.never),
        fixed(1 / 60),
    )
    assert table(worded, "Partner ranked first").columns[-1] == "chance, 1/60"


def test_a_pool_of_candidates_is_named_wherever_ranks_are_shown(pair):
    worded = document(audited(*pair, candidates=10))
    scope = "ranked among 10 of 40 rows, chance 1/10"
    assert scope in table(worded, "Partner ranked first").title
    assert table(worded, "Partner ranked first").columns[-1] == "chance, 1/10"
    assert cells(worded, "How it was measured")["candidates"] == (scope,)
    assert any("ranked among 10 of 40 rows" in notice and "over all rows" in notice for notice in worded.notices)
    assert table(worded, "Exact floor").title == "Exact floor, all 1,560 unrelated pairs"


def test_without_a_pool_none_is_named(worded):
    assert table(worded, "Partner ranked first").title == "Partner ranked first (ties share their credit)"
    assert "candidates" not in cells(worded, "How it was measured")


def test_the_checks_that_ran_are_listed_with_their_bounds(ordinary, worded):
    rows = cells(worded, "Checks that ran")
    assert list(rows) == [f"{name} {what}" for name in ("raw", "centred") for what in ("mean", "spread", "histogram")]
    assert {outcome for outcome, _ in rows.values()} == {"passed"}
    assert all("bound" in rows[f"raw {what}"][1] for what in ("mean", "spread"))
    assert "of an edge may be on either side" in rows["raw histogram"][1]


def test_a_check_that_failed_is_not_hidden(ordinary):
    failed = replace(ordinary.checks[1], passed=False)
    worded = document(replace(ordinary, checks=(ordinary.checks[0], failed)))
    assert cells(worded, "Checks that ran")["raw spread"][0] == "FAILED"


def test_anisotropy_before_and_after(ordinary, worded):
    assert cells(worded, "Anisotropy") == {
        "A": (fixed(ordinary.anisotropy_a), fixed(ordinary.centred_anisotropy_a)),
        "B": (fixed(ordinary.anisotropy_b), fixed(ordinary.centred_anisotropy_b)),
    }


def test_undefined_figures_are_called_so_in_every_table(pair):
    worded = document(audited(*pair, pair[0][:1]))
    for start in ("Exact floor", "Reference format", "Partner ranked first"):
        assert set(cells(worded, start)["centred cosine"]) == {"undefined"}
    assert cells(worded, "Anisotropy")["A"][1] == "undefined"


def test_how_it_was_measured(ordinary, worded):
    rows = cells(worded, "How it was measured")
    assert rows["pairs (n)"] == ("60",)
    assert rows["dimensions (d)"] == ("16",)
    assert rows["mean of A"] == ("the 60 compared rows",)
    assert rows["seed"] == ("0",)
    assert rows["numpy"] == (np.__version__,)
    assert "pairs left out" not in rows


def test_fit_files_are_named_as_the_source_of_the_means(rng, pair):
    fit = related_pair(rng, n=1_500)[0]
    rows = cells(document(audited(*pair, fit, None)), "How it was measured")
    assert rows["mean of A"] == ("1,500 rows of fit_a.npy",)
    assert rows["mean of B"] == ("the 40 compared rows",)
    rows = cells(document(audited(*pair, fit, None, shared_mean=True)), "How it was measured")
    assert rows["one mean for both sides"] == ("1,500 rows of fit_a.npy, and the 40 compared rows",)


def test_pairs_left_out_are_counted(pair):
    pair[0][3] = 0
    rows = cells(document(audited(*pair, drop_bad_rows=True)), "How it was measured")
    assert rows["pairs left out"] == ("1",)


def test_fit_rows_left_out_are_counted_where_there_are_fit_files(rng, pair):
    fit = rng.normal(size=(1_500, pair[0].shape[1]))
    fit[7] = 0
    rows = cells(document(audited(*pair, None, fit, drop_bad_rows=True)), "How it was measured")
    assert rows["fit rows left out"] == ("B: 1",)
    assert "fit rows left out" not in cells(document(audited(*pair, drop_bad_rows=True)), "How it was measured")


def test_the_inputs_are_named_with_a_short_hash(ordinary, worded):
    assert cells(worded, "Inputs") == {
        "A": ("a.npy", "60 × 16", "float64", ordinary.a.sha256[:12]),
        "B": ("b.npy", "60 × 16", "float64", ordinary.b.sha256[:12]),
    }
    assert [label for label, _ in input_records(ordinary)] == ["A", "B"]


def test_sources_of_the_means_in_the_words_of_the_reference(rng, pair):
    fit = related_pair(rng, n=1_500)[0]
    assert document(audited(*pair, fit, None)).data["means"] == {
        "a": "fitted on --fit-a, 1500 rows",
        "b": "fitted on the compared rows, 40",
    }
    assert document(audited(*pair, fit, fit, shared_mean=True)).data["means"] == {
        "shared": "one mean over both sides' fit rows (--fit-a, 1500 rows; --fit-b, 1500 rows)"
    }


def test_the_same_audit_is_worded_the_same_again(ordinary):
    assert document(ordinary) == document(ordinary)


def test_a_shared_mean_with_one_fit_file_is_said_to_be_fitted_in_part(rng):
    a, b = related_pair(rng)
    fit = rng.standard_normal((50, a.shape[1]))
    (note,) = document(audited(a, b, fit_b=fit, shared_mean=True)).note
    assert "fitted in part" in note
    assert "−(1+m)" not in note


def test_without_a_centred_reading_nothing_is_said_of_its_floor(rng):
    a = np.tile(rng.standard_normal(8), (40, 1))
    worded = document(audited(a, rng.standard_normal((40, 8))))
    assert worded.note == ()
    assert "standard deviations below" not in worded.reading


def test_every_figure_of_a_gap_that_has_two_says_which_it_is(worded, ordinary):
    """Own rows give the mean: the centred gap stands corrected and uncorrected, and differs in its last digits."""
    corrected, bare = ordinary.centred.evidence.intervals.gap.estimate, ordinary.centred.exact.gap
    assert fixed(corrected) != fixed(bare)
    text = to_markdown(worded)
    for line in text.splitlines():
        if ascii_minus(fixed(bare)) in line.replace("\\", ""):
            assert "not corrected for centring" in line
        if ascii_minus(fixed(corrected)) in line:
            assert "corrected for centring" in line
            assert "not corrected for centring" not in line


def test_a_mean_of_other_rows_has_one_gap_and_no_word_of_correction(pair, rng):
    fits = rng.standard_normal((60, pair[0].shape[1])), rng.standard_normal((60, pair[0].shape[1]))
    found = document(audited(*pair, *fits))
    tables = [row.label for table in found.tables for row in table.rows]
    assert not [label for label in tables if "corrected" in label]
    assert "corrected" not in found.verdict + found.reading
