"""What is said of a claim about each public report: facts, not wording.

Oracle for shares: the whole score matrix of `tests.oracle`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.claim_review import SAYS, Claim, count_claim, review, typed_claim
from core.inference import Outcome
from core.report import claim_document, review_comment, to_json, to_markdown
from core.report.claim_words import SAID, conclusion, separation_sentence, supported
from core.report.numbers import ascii_minus, fixed, percent
from core.settings import AuditSettings
from core.typed_cosine import read_cosine
from tests import oracle, public_reports
from tests.arrays import audited, inspected
from tests.oracle import off_diagonal

README = Path(__file__).parents[3] / "README.md"


def reviewed(arrays, claimed, says="agree", *, reading="raw", cutoffs=(), name="a.npy", **settings):
    """A claim reviewed; a text is a number as typed."""
    a, b, *fits = arrays
    if isinstance(claimed, str):
        claim = typed_claim(read_cosine(claimed), says=says, reading=reading, cutoffs=tuple(map(read_cosine, cutoffs)))
    else:
        claim = Claim(claimed=claimed, says=says, reading=reading, cutoffs=cutoffs)
    files = (inspected(a, name), inspected(b, "b.npy"), *(inspected(fit) for fit in fits or ()))
    files += (None,) * (4 - len(files))
    counted = count_claim(files, claim.thresholds, settings=AuditSettings(**settings), reading=reading)
    return review(claim, audited(a, b, *fits, **settings), counted)


def said(found):
    """Everything the answer says, as plain text."""
    return plain(to_markdown(claim_document(found)))


def pasted(found):
    """The comment alone, as plain text."""
    return plain(review_comment(found))


def plain(markdown):
    return markdown.replace("\\", "").replace("&#64;", "@")


def raw_scores(a, b):
    scores = oracle.unit(a) @ oracle.unit(b).T
    return np.diag(scores), scores[off_diagonal(len(scores))]


def share(scores, threshold):
    return percent(float(np.mean(scores >= threshold)))


def assert_figures(found, *values):
    """Each figure stands in the answer and in the comment with the digits of the page."""
    for text in (said(found), pasted(found)):
        for value in values:
            assert ascii_minus(fixed(value)) in text, value


def both_readings(found):
    audit = found.audit
    return (
        audit.raw.matched_mean,
        audit.raw.exact.floor_mean,
        audit.centred.matched_mean,
        audit.centred.exact.floor_mean,
    )


def test_h01_nearly_every_unrelated_pair_reaches_the_number_and_ranks_hold():
    pair = public_reports.irrelevant_sentences_score_high()
    found = reviewed(pair, 0.7)
    _, others = raw_scores(*pair)
    assert np.mean(others >= 0.7) > 0.9
    assert share(others, 0.7) in said(found)
    assert found.place.above_floor < 0
    assert_figures(found, *both_readings(found))
    assert "no more than unrelated pairs score on average" in said(found)
    assert "Anisotropy is above 0.3" in said(found)
    assert "stand above unrelated ones, on both readings" in said(found)


def test_h02_a_pass_mark_keeps_exactly_these_pairs_and_none_separates():
    pair = public_reports.a_pass_mark_lets_everything_through()
    matched, others = raw_scores(*pair)
    found = reviewed(pair, 0.7, "high", cutoffs=(0.7, 0.85))
    text = said(found)
    for reach, cutoff in zip(found.cutoffs, (0.7, 0.85), strict=True):
        assert (reach.matched, reach.unrelated) == (np.sum(matched >= cutoff), np.sum(others >= cutoff))
        assert f"{share(others, cutoff)} of the unrelated ones ({reach.unrelated:,} of 6,320)" in text
        assert f"({reach.matched} of 80)" in text
    assert share(matched, 0.7) == share(matched, 0.85) == "100.0%"
    assert np.mean(others >= 0.7) > 0.95
    assert 0 < np.mean(others >= 0.85) < 0.3
    assert text.count("for these files only") >= 2
    assert "No cut-off separates these" in text
    assert np.sum(others >= matched.min()) == 1
    assert re.search(r"and 1 unrelated pair \(\S+%\) scores that or more", text)


def test_h03_a_difference_that_looks_like_nothing_is_told_on_its_own_scale():
    pair = public_reports.everything_near_one()
    found = reviewed(pair, 0.9963, "nothing")
    matched, others = raw_scores(*pair)
    assert percent((1 - matched.mean()) / (1 - others.mean())) in said(found)
    assert (1 - matched.mean()) / (1 - others.mean()) > 0.2
    assert "none was declared" in said(found)
    assert_figures(found, *both_readings(found))


def test_h04_a_low_number_is_no_bad_one_and_a_shared_mean_is_warned_of():
    pair = public_reports.right_caption_scores_low()
    found, shared = reviewed(pair, 0.25, "high"), reviewed(pair, 0.25, "high", shared_mean=True)
    assert "No cosine is high or low by itself" in said(found)
    assert "stand above unrelated ones, on both readings" in said(found)
    assert percent(found.audit.raw.a_to_b.expected) in said(found)
    assert percent(1 / 150) in said(found)
    assert "With one shared mean this offset stays" in said(shared)
    assert "With one shared mean this offset stays" not in said(found)
    assert "once the shared mean is taken out" in said(shared)


def test_h05_a_file_with_itself_shows_nothing_whatever_it_scores():
    found = reviewed(public_reports.a_row_with_itself_above_one(), 1.0)
    text = said(found)
    assert (found.place.reached.matched, found.place.reached.unrelated) == (40, 0)
    assert "the two sides are the same rows" in text
    assert "same file, byte for byte" in text
    assert "separates from the floor" not in text
    assert "1.0000001" not in text
    assert "Suggested" not in text


def test_h08_codes_are_named_once_and_the_centred_figures_stand_beside():
    codes_a, codes_b, *_ = public_reports.one_quadrant_codes()
    found = reviewed((codes_a, codes_b), 0.99, "nothing")
    assert said(found).count("quantised codes") == 1
    assert "uint8" in said(found)
    assert_figures(found, *both_readings(found))


def test_h17_the_reading_about_the_fitted_mean_is_given():
    arrays = public_reports.one_topic()
    found = reviewed(arrays, 0.89, "high")
    assert found.audit.fit_a is not None
    assert_figures(found, *both_readings(found))
    assert abs(found.audit.centred.exact.floor_mean) < 0.02
    one, other = oracle.centred_sides(*arrays)
    assert ascii_minus(fixed(float(np.mean(np.sum(one * other, axis=1))))) in said(found)


def test_h18_a_centred_cosine_that_fell_has_lost_nothing():
    pair = public_reports.centring_lowers_matched()
    found = reviewed(pair, 0.54, reading="centred")
    audit = found.audit
    assert audit.centred.matched_mean < audit.raw.matched_mean
    assert_figures(found, *both_readings(found), audit.raw.exact.gap, audit.centred.exact.gap)
    first = (audit.raw.a_to_b.expected, audit.centred.a_to_b.expected)
    assert ("neither falls" in said(found)) == (first[1] >= first[0] and audit.centred.exact.gap >= audit.raw.exact.gap)
    one, other = oracle.centred_sides(*pair)
    scores = one @ other.T
    assert found.place.reached.unrelated == np.sum(scores[off_diagonal(120)] >= 0.54)


def test_h19_two_runtimes_at_their_floor_are_not_said_to_agree():
    pair = public_reports.two_runtimes()
    found = reviewed(pair, 0.75)
    matched, others = raw_scores(*pair)
    assert abs(matched.mean() - others.mean()) < 0.02
    assert 0.3 < np.mean(others >= 0.75) < 0.9
    assert "nothing links row i of A with row i of B" in said(found)
    assert "Nothing here shows the same computation" in said(found)
    assert "the rows look unrelated" in said(found), "the audit's own diagnosis stands in the comment"
    assert "stand above unrelated ones," not in said(found)
    assert percent(1 / 100) in said(found)


def test_h20_the_floor_is_given_unasked():
    pair = public_reports.changed_lighting()
    found = reviewed(pair, 0.8)
    _, others = raw_scores(*pair)
    assert_figures(found, others.mean())
    assert share(others, 0.8) in said(found)


def test_a_number_that_is_not_of_these_files_is_asked_about(pair):
    mean = audited(*pair).raw.matched_mean
    assert "not the matched mean" not in said(reviewed(pair, round(mean, 2)))
    assert "not the matched mean" in said(reviewed(pair, round(mean + 0.02, 2)))


@pytest.mark.parametrize(("digits", "away"), [(1, 0.03), (2, 0.003)])
def test_the_digits_as_typed_decide_whether_it_is_the_matched_mean(pair, digits, away):
    mean = audited(*pair).raw.matched_mean
    centre = round(mean, digits)
    near = f"{centre:.{digits}f}"
    assert "not the matched mean" not in said(reviewed(pair, near))
    assert "not the matched mean" in said(reviewed(pair, f"{near}{'0' * 3}")), "zeros typed are digits claimed"
    assert "not the matched mean" in said(reviewed(pair, f"{mean + 2 * away:.{digits}f}"))


def test_numbers_stand_as_they_were_typed(pair):
    found = reviewed(pair, "1", cutoffs=("0.50", "-0"))
    text = said(found)
    assert text.startswith("**A cosine of 1, said")
    assert "At or above 0.50, for" in text
    assert "At or above 0, for" in text
    assert "1.0 " not in text
    assert claim_document(found).command.endswith("--claim=1 --says agree --cutoff=0.50 --cutoff=0")


def test_a_separable_comparison_names_cut_offs_that_do_separate(rng):
    a = np.eye(6) + 0.01 * rng.standard_normal((6, 6))
    found = reviewed((a, a + 0.01 * rng.standard_normal((6, 6))), 0.9, cutoffs=(0.5,))
    matched, others = raw_scores(a, a)
    sentence = separation_sentence(found.counted)
    low, high = (float(word) for word in sentence.replace("−", "-").split() if word.strip("-").startswith(("0.", "1.")))
    assert others.max() - 0.05 < low < high <= 1
    assert found.counted.highest_unrelated <= low < high <= found.counted.lowest_matched
    assert matched.min() > 0.9


def test_rows_below_unrelated_ones_are_said_to_be(rng):
    a = rng.standard_normal((60, 8))
    assert "below unrelated ones" in said(reviewed((a, -a + 0.1 * rng.standard_normal((60, 8))), -0.9))


@pytest.mark.parametrize("says", SAYS)
def test_the_comment_is_polite_says_what_was_claimed_and_holds_no_typographic_minus(pair, says):
    text = pasted(reviewed(pair, -0.2, says))
    assert text.startswith("**A cosine of -0.2")
    assert SAID[says] in text
    assert "Thank you" in text
    assert text.rstrip().count("?") >= 1
    assert "−" not in text


def test_a_hostile_file_name_does_nothing_in_the_comment(pair):
    text = review_comment(reviewed(pair, 0.5, name="<img src=x>](http://evil)|@all.npy"))
    assert "<img" not in text
    assert "@all" not in text
    assert "](http" not in text


def test_the_json_holds_counts_that_are_whole_numbers_and_what_was_asked(pair):
    found = reviewed(pair, 0.5, "nothing", cutoffs=(0.1,))
    data = json.loads(to_json(claim_document(found)))
    matched, others = raw_scores(*pair)
    assert data["claim"] == {"claimed": 0.5, "typed": "0.5", "says": "nothing", "reading": "raw"}
    assert data["place"]["unrelated"] == np.sum(others >= 0.5)
    assert data["cutoffs"][0]["matched"] == np.sum(matched >= 0.1)
    assert data["separation"]["lowest_matched"] == pytest.approx(matched.min())


def test_without_a_centred_reading_nothing_is_said_of_it(pair):
    found = reviewed(pair, 0.5)
    text = said(replace(found, audit=replace(found.audit, centred=None)))
    assert "Centring lowers" not in text
    assert "centred reading is undefined" in text


def test_the_readme_names_every_key_of_the_json(pair):
    section = README.read_text(encoding="utf-8").split("## Review a claim\n")[1].split("\n## ")[0]
    data = json.loads(to_json(claim_document(reviewed(pair, 0.5, cutoffs=(0.1,)))))
    keys = {*data, *data["claim"], *data["place"], *data["separation"], *data["sentences"]}
    assert {key for key in keys if f"`{key}`" not in section} == set()


REPORTS = {
    "H01": (public_reports.irrelevant_sentences_score_high, 0.7, "agree"),
    "H02": (public_reports.a_pass_mark_lets_everything_through, 0.7, "high"),
    "H03": (public_reports.everything_near_one, 0.9963, "nothing"),
    "H04": (public_reports.right_caption_scores_low, 0.25, "high"),
    "H05": (public_reports.a_row_with_itself_above_one, 1.0, "agree"),
    "H17": (public_reports.one_topic, 0.89, "high"),
    "H18": (public_reports.centring_lowers_matched, 0.54, "agree"),
    "H19": (public_reports.two_runtimes, 0.75, "agree"),
    "H20": (public_reports.changed_lighting, 0.8, "agree"),
}


@pytest.mark.parametrize(
    ("name", "worth"),
    [
        ("H01", "The conclusion holds for these files as far as"),
        ("H02", "Matched pairs do score above unrelated ones, but 0.7 by itself does not show it"),
        ("H03", "0.9963 does not show that the difference is nothing"),
        ("H04", "Matched pairs do score above unrelated ones, but 0.25 by itself does not show it"),
        ("H05", "1.0 shows nothing here"),
        ("H17", "Matched pairs do score above unrelated ones, but 0.89 by itself does not show it"),
        ("H19", "0.75 does not show that the two agree: matched pairs score no more than unrelated ones"),
        ("H20", "The conclusion holds for these files as far as"),
    ],
)
def test_what_the_claim_is_worth_comes_first_and_a_comment_is_short(name, worth):
    make, claimed, says = REPORTS[name]
    found = reviewed(make(), claimed, says)
    comment = pasted(found)
    first, second = comment.split("\n\n")[:2]
    assert first.startswith("**A cosine of")
    assert second.startswith(f"Thank you for the figure. {worth}")
    assert said(found).split("\n\n")[1].startswith(worth)
    _, others = raw_scores(*make()[:2])
    if name != "H05":
        assert share(others, claimed) in comment
    prose = comment.split("Worth a word:")[0]
    assert len([word for line in prose.splitlines() if not line.startswith("|") for word in line.split()]) <= 170
    assert comment.count("| --- |") == 1


def _stand_in(found, raw, centred=None, **changes):
    """The same answer with other verdicts: outcomes of the raw and the centred reading."""
    audit = found.audit
    sides = {"raw": raw} if centred is None else {"raw": raw, "centred": centred}
    readings = {}
    for name, outcome in sides.items():
        reading = getattr(audit, name)
        verdict = replace(reading.evidence.verdict, outcome=outcome, wrong_way=outcome is Outcome.WRONG_WAY)
        readings[name] = replace(reading, evidence=replace(reading.evidence, verdict=verdict))
    if centred is None:
        readings["centred"] = None
    return replace(found, audit=replace(audit, **readings, **changes))


@pytest.mark.parametrize("says", SAYS)
@pytest.mark.parametrize(
    ("raw", "centred", "words"),
    [
        (Outcome.SEPARATES, Outcome.SEPARATES, "above unrelated ones"),
        (Outcome.SEPARATES, None, "above unrelated ones"),
        (Outcome.UNDERPOWERED, Outcome.SEPARATES, "on the centred reading alone"),
        (Outcome.WRONG_WAY, Outcome.SEPARATES, "score below unrelated ones on the raw reading"),
        (Outcome.WRONG_WAY, Outcome.WRONG_WAY, "score below unrelated ones."),
        (Outcome.NO_LARGER_GAP, Outcome.NO_LARGER_GAP, "rule out that matched pairs stand more than 0.05 above"),
        (Outcome.REAL_BUT_SMALL, Outcome.NO_LARGER_GAP, "by less than the 0.05 declared not to matter"),
        (Outcome.REAL_BUT_SMALL, Outcome.SEPARATES, "on the raw reading by less than the 0.05 declared not to matter"),
        (Outcome.SEPARATES, Outcome.REAL_BUT_SMALL, "on the centred reading by less than the 0.05 declared not to"),
        (Outcome.REAL_BUT_SMALL, Outcome.REAL_BUT_SMALL, "unrelated ones, on both readings, by less than the 0.05"),
        (Outcome.REAL_BUT_SMALL, None, "above unrelated ones, on the raw reading, by less than the 0.05"),
        (Outcome.UNDERPOWERED, Outcome.REAL_BUT_SMALL, "on the centred reading alone, by less than the 0.05"),
        (Outcome.UNDERPOWERED, Outcome.UNDERPOWERED, "cannot be told from these files: the gap"),
        (Outcome.NO_LARGER_GAP, Outcome.UNDERPOWERED, "cannot be told from these files: matched pairs"),
    ],
)
def test_every_outcome_gives_one_plain_sentence_on_what_the_claim_is_worth(pair, says, raw, centred, words):
    found = _stand_in(
        reviewed(pair, "0.90", says), raw, centred, settings=AuditSettings(margin=0.05), notices=()
    )
    text = conclusion(found)
    assert words in text
    assert text.count(". ") == 0, "one sentence"
    assert ("0.90" in text) or "cannot be told" in text
    if says == "nothing" and Outcome.SEPARATES in (raw, centred):
        assert "does not show that the difference is nothing" in text


@pytest.mark.parametrize("outcomes", [(Outcome.SEPARATES, Outcome.REAL_BUT_SMALL), (Outcome.REAL_BUT_SMALL,) * 2])
def test_a_gap_smaller_than_the_margin_is_a_gap(pair, outcomes):
    found = _stand_in(reviewed(pair, "0.90"), *outcomes, settings=AuditSettings(margin=0.05), notices=())
    for text in (conclusion(found), supported(found.audit)):
        assert "stand above unrelated ones, on" in text
        assert "alone" not in text
        assert "by less than the 0.05 declared not to matter" in text


def test_the_same_rows_can_be_told_from_others_by_any_cut_off_up_to_one(rng):
    a = rng.normal(size=(40, 16))
    found = reviewed((a, a * (1 + 1e-7)), "1", cutoffs=("1",))
    assert "and up to 1.0000 keeps every matched pair and no unrelated one" in separation_sentence(found.counted)


def test_an_undefined_test_and_none_at_all_cannot_tell(pair):
    found = reviewed(pair, "0.90")
    undefined = _stand_in(found, None, None)
    assert "cannot be told from these files: the test decides nothing" in conclusion(undefined)
    bare = replace(found.audit.raw, evidence=replace(found.audit.raw.evidence, verdict=None))
    none = replace(found, audit=replace(found.audit, raw=bare, centred=None, evidence_missing="too few pairs"))
    assert conclusion(none) == "Whether the two agree cannot be told from these files: too few pairs."


def test_a_mean_is_set_against_a_mean_whatever_share_of_single_pairs_reaches_it(pair):
    mean = audited(*pair).raw.matched_mean
    _, others = raw_scores(*pair)
    own, other = said(reviewed(pair, f"{mean:.4f}")), said(reviewed(pair, "1", "high"))
    assert f"is the matched mean, so the comparison to make is with the floor mean, {others.mean():.4f}" in own
    assert f"between means, matched {mean:.4f} and floor {others.mean():.4f}" in other
    for text in (own, other):
        assert "not what a mean is worth" in text
        assert "may score as much" not in text
    assert "the matched pairs score" in own


@pytest.mark.parametrize("digits", [1, 4])
def test_a_number_that_is_the_floor_mean_to_its_digits_is_called_that(digits, rng):
    shared = rng.normal(size=40)
    a, b = (rng.normal(size=(60, 40)) + shared for _ in "ab")
    floor = float(raw_scores(a, b)[1].mean())
    found = reviewed((a, b), f"{floor:.{digits}f}")
    assert f"to the digits it was given with, the {fixed(floor)} that unrelated pairs score" in said(found)
    other = reviewed((a, b), f"{floor + 10.0**-digits:.{digits}f}")
    assert "to the digits it was given with" not in said(other)
