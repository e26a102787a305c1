"""What is said of a declared margin: when it was declared, and an answer whatever the outcome."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core import command
from core.report import document, to_json, to_markdown
from core.report.inference_words import largest_gap_words, verdict_sentence
from core.report.limit_words import limit_sentences
from tests.arrays import audited, npy_bytes, related_pair


def strangers(rng, **settings):
    return audited(*rng.standard_normal((2, 60, 8)), **settings)


def test_a_margin_is_declared_with_the_run_or_after_a_look(rng):
    found = strangers(rng, margin=0.5)
    for audit, words in (
        (found, "declared with the run"),
        (replace(found, margin_after_look=True), "declared after a first look"),
    ):
        said = document(audit)
        assert f"no more than 0.5, the margin {words}" in to_markdown(said)
        assert f"0.5, {words}" in to_markdown(said)
        assert f"was {words} not to matter" in said.methods
        assert json.loads(to_json(said))["verdict"]["margin_declared"] == words
    assert "beforehand" not in to_markdown(document(found))


def test_without_a_margin_none_was_declared(rng):
    said = document(strangers(rng))
    assert json.loads(to_json(said))["verdict"]["margin_declared"] is None
    assert "No margin was declared" in said.methods


def test_a_report_of_a_later_margin_is_verified_as_it_is(rng, tmp_path, capsys):
    for name in ("a", "b"):
        (tmp_path / f"{name}.npy").write_bytes(npy_bytes(rng.standard_normal((40, 6))))
    files = [str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]
    assert command.main([*files, "--margin", "0.5", "--format", "json"]) == 0
    plain = capsys.readouterr().out
    later = plain.replace("declared with the run", "declared after a first look")
    assert later != plain
    for text in (plain, later):
        (tmp_path / "report.json").write_text(text, encoding="utf-8")
        assert command.main(["verify", str(tmp_path / "report.json"), *files]) == 0, capsys.readouterr().out
        capsys.readouterr()


def test_an_underpowered_comparison_answers_the_margin(rng):
    found = strangers(rng, margin=0.001)
    assert found.raw.evidence.verdict.outcome == "underpowered"
    words = "a gap above the declared 0.001 could be neither shown nor ruled out"
    assert words in verdict_sentence(found)
    assert [words in sentence for sentence in limit_sentences(found)].count(True) == 2
    assert "neither shown nor ruled out" not in verdict_sentence(strangers(rng))


@pytest.mark.parametrize("off", [1e-3, 3e-5, 1e-7, 1e-12, -1e-3, -3e-5, -1e-7, -1e-12])
def test_the_largest_gap_left_never_rounds_to_the_other_side_of_the_margin(rng, off):
    verdict = replace(strangers(rng).raw.evidence.verdict, margin=0.0341366, largest_gap_left=0.0341366 + off)
    shown = float(largest_gap_words(verdict))
    assert np.sign(shown - 0.0341366) == np.sign(off)
    assert abs(shown - verdict.largest_gap_left) <= abs(off) / 2


def test_a_margin_is_printed_whole(rng):
    a, b = rng.standard_normal((2, 60, 8))
    left = audited(a, b).raw.evidence.verdict.largest_gap_left
    for margin, outcome in ((left * (1 + 1e-9), "no_gap_larger_than_margin"), (left * (1 - 1e-9), "underpowered")):
        found = audited(a, b, margin=margin)
        assert found.raw.evidence.verdict.outcome == outcome
        assert f"{margin:.15g}" in verdict_sentence(found)
        assert largest_gap_words(found.raw.evidence.verdict) in verdict_sentence(found)


def test_related_rows_are_said_to_be_larger_than_a_margin_without_more_words(rng):
    found = audited(*related_pair(rng), margin=0.001)
    assert "neither shown" not in verdict_sentence(found)
