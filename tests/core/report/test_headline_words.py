"""The first line of a report, from results whose figures are known."""

from __future__ import annotations

import json
from html import escape

from core.report import document, to_html, to_json
from core.report.headline_words import headline
from core.report.numbers import fixed
from tests.arrays import audited, related_pair

JARGON = ("floor", "permutation", "p 0", " z ", "margin", "separates", "sd")


def test_it_says_what_was_found_with_gap_and_interval_and_no_test_or_jargon(rng):
    found = audited(*related_pair(rng, n=60, dim=8))
    said = headline(found)
    assert said.startswith("Matched pairs score above unrelated ones. Matched minus unrelated: ")
    for name, reading in (("centred (corrected for centring, ", found.centred), ("raw (", found.raw)):
        gap = reading.evidence.intervals.gap
        assert f"{fixed(gap.estimate)} {name}95% interval {fixed(gap.low)} to {fixed(gap.high)})" in said
    assert not [word for word in JARGON if word in said]


def test_pairs_that_score_below_unrelated_ones_are_said_to(rng):
    a, b = related_pair(rng, n=60, dim=8, drift=0)
    assert "Matched pairs score below unrelated ones" in headline(audited(a, -b))


def test_strangers_are_not_told_apart_or_differ_by_no_more_than_the_margin(rng):
    strangers = rng.standard_normal((2, 60, 8))
    assert headline(audited(*strangers)).startswith("This comparison cannot tell matched pairs from unrelated ones.")
    said = headline(audited(*strangers, margin=0.5))
    assert said.startswith("Matched and unrelated pairs differ by no more than 0.5, the margin declared with the run.")


def test_two_readings_with_two_findings_are_named(rng):
    a, b = related_pair(rng, n=400, dim=8)
    said = headline(audited(a, b, margin=1.05 * audited(a, b).raw.exact.gap))
    assert said.startswith("Centred, matched pairs score above unrelated ones; raw, matched pairs score above")


def test_few_pairs_and_a_ceiling_and_a_missing_reading_are_said_at_once(rng):
    assert "Exploratory only: n = 12." in headline(audited(*related_pair(rng, n=12, dim=6)))
    rows = rng.standard_normal((40, 8))
    assert "cannot show a difference" in headline(audited(rows, rows * 2))
    a, b = related_pair(rng, n=30, dim=6)
    assert "The centred reading is undefined." in headline(audited(a, b, a[:1]))


def test_without_a_verdict_the_reason_is_said_once(rng, monkeypatch):
    for module in ("measured", "inference", "isotropy"):
        monkeypatch.setattr(f"core.{module}.SCATTER_COLUMNS", 10)
    worded = document(audited(*related_pair(rng, n=2_050, dim=12)))
    assert worded.verdict.startswith("No verdict")
    assert worded.opening == (worded.verdict, worded.reading)


def test_it_opens_the_report_and_the_tests_follow_the_reading(rng):
    worded = document(audited(*related_pair(rng, n=60, dim=8)))
    text = to_html(worded)
    places = [text.index(escape(part)) for part in (worded.headline, worded.reading, worded.verdict)]
    assert places == sorted(places)
    assert "permutations" in worded.verdict
    assert worded.verdict in json.loads(to_json(worded))["verdict"]["sentence"]
