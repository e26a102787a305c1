from dataclasses import replace

import numpy as np
import pytest

from app.plots.histograms import histograms_alt, matched_over_floor
from core.report.numbers import fixed


def test_each_side_of_each_reading_is_drawn_as_shares_that_sum_to_one(audit_result):
    bars = matched_over_floor(audit_result).data
    assert len(bars) == 4
    assert [sum(bar.y) for bar in bars] == pytest.approx([1.0] * 4)


def test_the_bars_stand_where_the_cosines_are(audit_result):
    """The mean of the drawn bars is the exact mean, to half a bin."""
    means = {(bar.xaxis, bar.name): float(np.dot(bar.x, bar.y)) for bar in matched_over_floor(audit_result).data}
    for axis, reading in (("x", audit_result.raw), ("x2", audit_result.centred)):
        assert means[axis, "matched pairs"] == pytest.approx(reading.matched_mean, abs=0.02)
        assert means[axis, "unrelated pairs (floor)"] == pytest.approx(reading.exact.floor_mean, abs=0.02)


def test_raw_and_centred_share_one_axis_that_holds_every_bar(audit_result):
    figure = matched_over_floor(audit_result)
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    low, high = figure.layout.xaxis.range
    for bar in figure.data:
        assert low <= min(bar.x) - bar.width / 2 + 1e-9
        assert max(bar.x) + bar.width / 2 - 1e-9 <= high


def test_the_marks_are_the_matched_mean_and_the_exact_floor(audit_result):
    marks = [shape.x0 for shape in matched_over_floor(audit_result).layout.shapes]
    raw, centred = audit_result.raw, audit_result.centred
    assert marks == [
        raw.exact.floor_mean,
        raw.matched_mean,
        centred.exact.floor_mean,
        centred.matched_mean,
    ]


def test_the_gap_is_in_the_title(audit_result):
    titles = [note.text for note in matched_over_floor(audit_result).layout.annotations]
    assert fixed(audit_result.raw.exact.gap) in titles[0]
    assert fixed(audit_result.centred.exact.gap) in titles[1]


def test_the_figure_is_sent_as_counts_and_stays_small(audit_result):
    assert len(matched_over_floor(audit_result).to_json()) < 60_000


def test_without_a_centred_reading_one_row_is_drawn(audit_result):
    audit = replace(audit_result, centred=None)
    assert len(matched_over_floor(audit).data) == 2
    assert "Centred" not in histograms_alt(audit)
