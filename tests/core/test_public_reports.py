"""Each public report leads to the reading it calls for: its facts, not its wording.

Oracle for the figures: `tests.oracle`, from the definitions.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.errors import AuditError
from core.inference import Outcome
from core.report import document, to_json
from tests import oracle, public_reports
from tests.arrays import audited, inspected


def outcomes(audit):
    return [reading.evidence.verdict.outcome for reading in (audit.centred, audit.raw)]


def fired(audit):
    return {each.code for each in audit.distortions if each.fired}


def assert_figures(audit, a, b, fit_a=None, fit_b=None):
    sides = {"raw": (oracle.unit(a), oracle.unit(b)), "centred": oracle.centred_sides(a, b, fit_a, fit_b)}
    for name, (one, other) in sides.items():
        found, expected = getattr(audit, name), oracle.exact(one, other)
        assert_allclose(found.matched_mean, expected["matched"], rtol=1e-9)
        assert_allclose(found.exact.floor_mean, expected["floor"], rtol=1e-9, atol=1e-12)


def test_high_scores_of_irrelevant_sentences_are_the_floor():
    a, b = public_reports.irrelevant_sentences_score_high()
    found = audited(a, b)
    assert_figures(found, a, b)
    assert found.raw.exact.floor_mean > 0.7
    assert found.side_a.shape.anisotropy.low > 0.7
    assert document(found).warning
    assert found.centred.evidence.intervals.gap.low > found.raw.evidence.intervals.gap.high
    assert outcomes(found) == [Outcome.SEPARATES] * 2
    assert min(found.raw.a_to_b.expected, found.centred.a_to_b.expected) > 0.9


def test_one_outsize_coordinate_is_named():
    a, b = public_reports.everything_near_one()
    found = audited(a, b)
    assert_figures(found, a, b)
    for side in (found.side_a, found.side_b):
        assert side.shape.anisotropy.estimate > 0.98
        assert side.shape.top_dimensions[0].dimension == 5
        assert side.shape.top_dimensions[0].share > 0.98
    assert "top_dimensions" in fired(found)
    assert found.raw.exact.gap < 0.02
    assert found.centred.evidence.intervals.gap.low > 0.4


def test_a_low_caption_score_stands_above_its_floor_and_a_shared_mean_is_warned_of():
    a, b = public_reports.right_caption_scores_low()
    found, shared = audited(a, b), audited(a, b, shared_mean=True)
    assert_figures(found, a, b)
    assert found.raw.matched_mean < 0.5
    assert outcomes(found) == [Outcome.SEPARATES] * 2
    assert found.centred.evidence.first_a_to_b.low > 1 / 150
    assert abs(found.centred_floor_residual) < 0.02
    assert shared.centred.exact.floor_mean < -0.05
    assert "offset_between_sides" in fired(shared)
    assert any("shared mean" in notice.text for notice in shared.notices if notice.code == "offset_between_sides")


def test_a_file_against_itself_is_at_the_ceiling_and_nothing_exceeds_one():
    found = audited(*public_reports.a_row_with_itself_above_one())
    assert found.raw.matched_max <= 1
    assert found.closeness.identical == 40
    assert found.closeness.worst_distance == 0
    assert found.at_ceiling
    assert "cannot show a difference" in document(found).verdict
    assert "1.0000001" not in to_json(document(found))
    assert "identical_files" in [notice.code for notice in found.notices]


def test_zero_rows_are_refused_by_number_and_left_out_on_request():
    a, b = public_reports.zero_rows()
    with pytest.raises(AuditError, match=r"2 of 30 rows.*row 5, 17") as caught:
        audited(a, b)
    assert caught.value.remedy
    found = audited(a, b, drop_bad_rows=True)
    assert found.n == found.raw.evidence.intervals.n_groups == 28


def test_half_precision_changes_no_verdict():
    scaled_a, scaled_b, a, b = public_reports.float16_norms()
    found, plain = audited(scaled_a, scaled_b), audited(a, b)
    assert_figures(found, scaled_a, scaled_b)
    assert_allclose(found.raw.matched_mean, plain.raw.matched_mean, atol=1e-3)
    assert outcomes(found) == outcomes(plain) == [Outcome.SEPARATES] * 2


def test_codes_in_one_quadrant_are_named_and_repaired_by_centring():
    codes_a, codes_b, a, b = public_reports.one_quadrant_codes()
    found, before = audited(codes_a, codes_b), audited(a, b)
    assert_figures(found, codes_a, codes_b)
    assert "integer_codes" in [notice.code for notice in found.notices]
    assert found.raw.exact.floor_mean > 0.9
    assert_allclose(found.centred.evidence.verdict.gap, before.centred.evidence.verdict.gap, atol=0.02)


def test_answers_that_stand_twice_share_their_first_place():
    a, b = public_reports.answers_twice()
    found = audited(a, b)
    assert_figures(found, a, b)
    ranks = found.raw.a_to_b
    assert ranks.pessimistic == 0
    assert_allclose(ranks.expected, ranks.optimistic / 2)
    assert found.raw.evidence.first_a_to_b.low == 0
    assert found.raw.evidence.first_a_to_b.high == ranks.optimistic == 1
    assert found.side_b.n_duplicates == 20
    assert (found.proposed_groups.count, found.proposed_groups.n_pairs, found.proposed_groups.largest) == (20, 40, 2)
    assert {"duplicate_rows", "ties", "groups_proposed"} <= fired(found)
    grouped = audited(a, b, groups=np.tile(np.arange(20), 2))
    assert grouped.raw.a_to_b.pessimistic > 0.9, "a twin in one's own group is no rival"


def said(audit, code):
    return next(notice.text for notice in audit.notices if notice.code == code)


def test_a_sorted_side_against_directory_order_is_out_of_order_and_can_be_paired():
    a, b = public_reports.sorted_against_directory_order()
    found = audited(a, b)
    assert_figures(found, a, b)
    assert found.raw.evidence.intervals.gap.low < 0 < found.raw.evidence.intervals.gap.high
    assert found.pairing.kind == "permuted"
    assert "out of order" in said(found, "at_chance")
    assert "row_order" in fired(found)
    assert "other_axes" not in fired(found)
    paired = audited(a, b[found.pairing.pairing_order])
    assert paired.centred.a_to_b.expected > 0.95


def test_two_runtimes_that_compute_different_things_have_matched_at_the_floor_and_no_order():
    a, b = public_reports.two_runtimes()
    found, healthy = audited(a, b), audited(a, a + 1e-4)
    assert_figures(found, a, b)
    assert found.raw.matched_mean > 0.7
    assert abs(found.raw.exact.gap) < 0.02
    assert found.pairing.kind == "unrelated"
    assert "look unrelated" in said(found, "at_chance")
    assert "the same model made them in the same way" in said(found, "at_chance")
    assert not {"row_order", "other_axes"} & fired(found)
    assert healthy.centred.a_to_b.expected == 1
    assert healthy.pairing is None
    assert healthy.alarm.strength == "silent"


def test_one_vector_is_no_side():
    with pytest.raises(AuditError, match="one vector"):
        inspected(np.ones(768, dtype="f2"))


def test_a_mean_of_fit_rows_takes_out_what_one_topic_shares():
    a, b, fit_a, fit_b = public_reports.one_topic()
    found = audited(a, b, fit_a, fit_b)
    assert_figures(found, a, b, fit_a, fit_b)
    assert found.raw.exact.floor_mean > 0.4
    floor = found.centred.evidence.intervals.floor
    assert floor.low < 0 < floor.high
    assert found.side_a.mean_check.verdict == found.side_b.mean_check.verdict == "fits"
    assert found.side_a.fit_overlap == found.side_b.fit_overlap == 0
    assert not {"mean_off", "fit_rows_compared", "anisotropy_after_centring"} & fired(found)


def test_matched_falls_with_centring_and_the_gap_does_not():
    a, b = public_reports.centring_lowers_matched()
    found = audited(a, b)
    assert_figures(found, a, b)
    raw, centred = found.raw.evidence.intervals, found.centred.evidence.intervals
    assert centred.matched.high < raw.matched.low
    assert centred.gap.low > raw.gap.estimate
    assert found.centred.a_to_b.expected >= found.raw.a_to_b.expected - 0.02


def test_the_floor_stands_beside_a_changed_light():
    a, b = public_reports.changed_lighting()
    found = audited(a, b)
    assert_figures(found, a, b)
    assert 0.05 < found.raw.exact.floor_mean < 0.3
    assert found.raw.evidence.intervals.gap.low > 0.4
    assert found.raw.a_to_b.expected > 0.95


def test_five_captions_are_refused_and_then_grouped():
    images, captions = public_reports.five_captions()
    with pytest.raises(AuditError, match=r"200 rows.*40") as caught:
        audited(images, captions)
    assert "exactly 5 rows for each" in caught.value.remedy
    repeated, ids = np.repeat(images, 5, axis=0), np.repeat(np.arange(40), 5)
    naive, grouped = audited(repeated, captions), audited(repeated, captions, groups=ids)
    assert naive.proposed_groups.count == 40
    assert grouped.groups.count == grouped.raw.evidence.intervals.n_groups == 40
    assert grouped.raw.exact.floor_mean < naive.raw.exact.floor_mean
    assert_allclose(
        grouped.raw.exact.floor_mean + grouped.groups.raw_inflation, naive.raw.exact.floor_mean, rtol=1e-12
    )
    assert grouped.raw.evidence.intervals.gap.error > 1.3 * naive.raw.evidence.intervals.gap.error
    assert grouped.raw.b_to_a.pessimistic > naive.raw.b_to_a.pessimistic, "copies of the image are no rivals"


def test_ties_leave_a_range():
    found = audited(*public_reports.rounded_scores())
    ranks, interval = found.raw.a_to_b, found.raw.evidence.first_a_to_b
    assert ranks.pessimistic < ranks.expected < ranks.optimistic
    assert interval.low < ranks.pessimistic
    assert interval.high > ranks.optimistic
    assert "ties" in fired(found)
