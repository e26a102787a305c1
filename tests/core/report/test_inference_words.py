"""What the sentences about the evidence say, from results whose figures are known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.report import document, to_html, to_json, to_markdown
from core.report.inference_words import verdict_sentence
from core.report.limit_words import limit_sentences
from tests.arrays import audited, related_pair

CLASH = "answer two questions and need not agree"


@pytest.mark.parametrize("rows", [60, 2_050], ids=["score matrix", "float32 rows"])
def test_a_side_of_equal_rows_has_no_interval_and_no_verdict_at_any_size(rng, rows):
    """Above 2,000 rows the differences between pairs are the rounding of float32 rows, not a spread."""
    a = np.tile(rng.standard_normal(12), (rows, 1)) * rng.uniform(0.5, 2, (rows, 1))
    fits = rng.standard_normal((2, 40, 12))
    found = audited(a, rng.standard_normal((rows, 12)), *fits, margin=0.1)
    for reading in (found.raw, found.centred):
        intervals = reading.evidence.intervals
        assert intervals.matched.low is not None
        for figure in (intervals.gap, intervals.gap_over_floor_sd, intervals.cohens_d):
            assert figure.low is None
            assert "not certainty" in figure.reason
        assert reading.evidence.test.z is None
        assert reading.evidence.verdict.outcome is None
    sentence = verdict_sentence(found)
    assert "no verdict, because every pairing of these rows gives the same gap" in sentence
    assert "no gap larger" not in sentence
    assert "so few pairs" not in sentence


def test_a_narrow_cone_of_many_rows_keeps_its_interval(rng):
    """Cosines of 1 but for 1e-8: float32 rows are kept about the mean, so their rounding shrinks with the cone."""
    link = rng.standard_normal((2_050, 12))
    axis = rng.standard_normal(12)
    found = audited(axis + 1e-4 * link, axis + 1e-4 * (link + 0.5 * rng.standard_normal(link.shape)))
    gap = found.raw.evidence.intervals.gap
    assert 0 < gap.low < gap.estimate < 1e-7
    assert found.raw.evidence.test.z > 50


def of_five(rng, *, separates):
    """Five pairs whose p and interval disagree in the raw reading."""
    for _ in range(2_000):
        found = audited(*related_pair(rng, n=5, dim=3, drift=0, noise=1.0))
        evidence = found.raw.evidence
        clear = evidence.intervals.gap.low is not None and evidence.intervals.gap.low > 0
        if (evidence.test.pvalue <= 0.05, clear) == (separates, not separates):
            return found
    raise AssertionError("no such sample")


@pytest.mark.parametrize("separates", [True, False], ids=["p alone", "interval alone"])
def test_a_test_and_an_interval_that_seem_to_clash_are_both_explained(rng, separates):
    sentence = verdict_sentence(of_five(rng, separates=separates))
    assert CLASH in sentence
    assert "rows paired at random" in sentence
    assert "n = 5 estimate" in sentence


def test_where_they_agree_nothing_is_explained(rng):
    assert CLASH not in verdict_sentence(audited(*related_pair(rng, n=60, dim=8)))


def test_groups_of_which_no_two_have_one_size_are_not_tested(rng):
    labels = np.repeat(np.arange(6), np.arange(1, 7))
    a, b = related_pair(rng, n=21, dim=6, noise=3.0)
    found = audited(a, b, groups=labels, margin=1.9)
    verdict = found.centred.evidence.verdict
    assert (verdict.outcome, verdict.detectable) == (None, None)
    assert verdict.largest_gap_left < 1.9
    sentence = verdict_sentence(found)
    assert "no verdict, because every group has a size that no other group has" in sentence
    assert "rule out gaps above" in sentence
    assert "no gap larger" not in sentence
    assert "p 1.0000" not in sentence
    assert "permutation p, two-sided | undefined |" in to_markdown(document(found))
    assert "underpowered" not in " ".join(limit_sentences(found))
    written = json.loads(to_json(document(found)))
    assert written["verdict"]["centred"]["outcome"] is None
    assert written["verdict"]["centred"]["undefined"].startswith("every group has a size")
    assert "nothing was tested" in written["methods"]


def test_where_a_gap_is_ruled_out_few_pairs_that_carry_one_are_named(rng):
    ruled_out = " ".join(limit_sentences(audited(*rng.standard_normal((2, 60, 8)))))
    assert "A gap that few pairs carry: one that fewer than about 6 of these would make is missed" in ruled_out
    assert "few pairs carry" not in " ".join(limit_sentences(audited(*related_pair(rng, n=60, dim=8))))  # it separates
    rows = np.eye(4)
    assert "few pairs carry" not in " ".join(limit_sentences(audited(rows, rows)))  # four pairs, no interval


def test_every_end_that_is_missing_from_the_results_has_its_reason_below(rng):
    written = to_markdown(document(audited(*related_pair(rng, n=60, dim=8))))
    assert "No interval for floor (centred): centring on the compared rows forces most of this floor." in written
    few = to_markdown(document(audited(*related_pair(rng, n=4, dim=8))))
    assert "No interval for anisotropy of A, anisotropy of B: fewer than 5 independent rows or groups." in few
    assert "gap (raw), gap over floor sd (raw), Cohen's d (raw): fewer than 5 independent pairs or groups." in few


@pytest.mark.parametrize("n", [60, 200])
def test_no_pvalue_in_a_report_is_zero(rng, n):
    written = json.loads(to_json(document(audited(*related_pair(rng, n=n, dim=6)))))
    for reading in ("raw", "centred"):
        test = written["permutation_test"][reading]
        assert test["pvalue"] > 0
        assert (test["smallest_pvalue"] is None) == (n > 170)
        assert -400 < test["log10_smallest_pvalue"] < -80


def test_a_mean_rank_index_without_interval_says_why(rng):
    few = limit_sentences(audited(*related_pair(rng, n=40, dim=6, noise=2.0)))
    assert "fewer than 50 independent pairs" in one_of(few)
    many = limit_sentences(audited(*related_pair(rng, n=2_050, dim=6, noise=2.0)))
    assert "(centred and raw): it has no interval, because it needs for each candidate the rows" in one_of(many)
    known = limit_sentences(audited(*related_pair(rng, n=80, dim=6, noise=2.0)))
    assert not [text for text in known if "How sure the adjusted mean rank index" in text]


def test_below_the_table_stands_why_a_figure_has_no_interval(rng):
    worded = document(audited(*related_pair(rng, n=40, dim=6, noise=2.0)))
    notes = " ".join(worded.tables[0].notes)
    assert "Adjusted mean rank index (centred and raw): no interval, because fewer than 50 independent pairs" in notes
    for text in (to_html(worded), to_markdown(worded)):
        assert "no interval, because fewer than 50" in text
    assert "<td class=\"number\">—</td>" in to_html(worded)
    assert "<td class=\"number\"></td>" not in to_html(worded)


def one_of(sentences):
    (found,) = [text for text in sentences if "How sure the adjusted mean rank index" in text]
    return found
