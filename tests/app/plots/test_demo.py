import numpy as np
import pytest

from app.demo import ENCODERS
from app.plots.demo import LOWEST, cosines_alt, cosines_over_their_bins, found_alt, partners_found
from core.demo import compare


@pytest.fixture
def scored(pair):
    return compare(*pair)


@pytest.fixture
def figure(scored):
    reading = scored.standing().raw
    return cosines_over_their_bins(reading, paired="matched", others="unrelated")


def test_the_histograms_are_shares_that_sum_to_one_around_the_bars(scored, figure):
    bars, *histograms = figure.data
    assert list(bars.y) == ["matched", "unrelated"]
    means = dict(zip(bars.y, bars.x, strict=True))
    for histogram in histograms:
        assert sum(histogram.y) == pytest.approx(1, abs=1e-4)
        assert float(np.dot(histogram.x, histogram.y)) == pytest.approx(means[histogram.name], abs=0.03)


def test_a_bar_and_the_histogram_of_the_same_pairs_have_one_colour(figure):
    bars, *histograms = figure.data
    colours = dict(zip(bars.y, bars.marker.color, strict=True))
    assert {one.name: one.line.color for one in histograms} == colours


def test_the_axis_is_the_same_for_all_and_ends_at_one(figure):
    low, high = figure.layout.xaxis.range
    assert low == LOWEST
    assert 1 <= high < 1.05


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_one_axis_holds_all_shipped_cosines_but_a_tail_nobody_sees(encoder):
    shipped = compare(*(np.load(path) for path in encoder.files))
    for table in (shipped.raw, shipped.centred):
        assert np.mean(table.scores < LOWEST) <= 0.004
        assert table.scores.diagonal().min() > LOWEST


def test_chance_is_a_line_with_its_number(scored):
    figure = partners_found(scored.standing())
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == 1 / 40
    assert figure.layout.annotations[0].text == "chance 2.5%"


def test_the_words_name_every_number(scored):
    now = scored.standing(shuffle=1)
    words = cosines_alt("Raw", now.raw, paired="shuffled", others="all others")
    assert f"shuffled around {now.raw.matched_mean:.4f}" in words
    assert f"all others around {now.raw.floor_mean:.4f}" in words
    assert "by chance 2.5%" in found_alt(now, who="stranger")


def test_a_figure_is_sent_in_a_few_kilobytes(figure):
    assert len(figure.to_json()) < 20_000
