import json

import numpy as np
import pytest

from app.demo import ENCODERS
from app.plots.demo import LOWEST, cosines_over_their_bins, partners_found
from core.demo import compare


@pytest.fixture
def scored(pair):
    return compare(*pair)


@pytest.fixture
def figure(scored):
    reading = scored.standing().raw
    return cosines_over_their_bins("Raw", reading, paired="matched", others="unrelated")


def test_the_histograms_are_shares_that_sum_to_one_around_the_bars(figure):
    means = {bar["name"]: bar["value"] for bar in figure["bars"]}
    assert list(means) == ["matched", "unrelated"]
    for outline in figure["curves"]:
        middles = outline["left"] + outline["width"] * (np.arange(len(outline["shares"])) + 0.5)
        assert sum(outline["shares"]) == pytest.approx(1, abs=1e-4)
        assert float(np.dot(middles, outline["shares"])) == pytest.approx(means[outline["name"]], abs=0.03)


def test_a_bar_and_the_histogram_of_the_same_pairs_have_one_colour(figure):
    colours = {bar["name"]: bar["colour"] for bar in figure["bars"]}
    assert {one["name"]: one["colour"] for one in figure["curves"]} == colours


def test_the_axis_is_the_same_for_all_and_ends_at_one(figure):
    assert figure["low"] == LOWEST
    assert 1 <= figure["high"] < 1.05
    assert all(label.replace("−", "-") == f"{value:g}" for value, label in figure["ticks"])


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_one_axis_holds_all_shipped_cosines_but_a_tail_nobody_sees(encoder):
    shipped = compare(*(np.load(path) for path in encoder.files))
    for table in (shipped.raw, shipped.centred):
        assert np.mean(table.scores < LOWEST) <= 0.004
        assert table.scores.diagonal().min() > LOWEST


def test_a_shared_direction_moves_the_outline_with_the_bars(scored):
    lifted = cosines_over_their_bins("Raw", scored.standing(size=2.0).raw, paired="matched", others="unrelated")
    for outline, bar in zip(reversed(lifted["curves"]), lifted["bars"], strict=True):
        middles = outline["left"] + outline["width"] * (np.arange(len(outline["shares"])) + 0.5)
        assert float(np.dot(middles, outline["shares"])) == pytest.approx(bar["value"], abs=0.01)


def test_chance_is_a_line_with_its_number(scored):
    figure = partners_found(scored.standing(), who="partner")
    assert figure["mark"]["value"] == 1 / 40
    assert figure["mark"]["label"] == "chance 2.5%"


def test_the_words_name_every_number(scored):
    now = scored.standing(shuffle=1)
    words = cosines_over_their_bins("Raw", now.raw, paired="shuffled", others="all others")["alt"]
    assert f"shuffled around {now.raw.matched_mean:.4f}" in words
    assert f"all others around {now.raw.floor_mean:.4f}" in words
    assert "by chance 2.5%" in partners_found(now, who="stranger")["alt"]


def test_a_figure_is_sent_in_a_few_kilobytes(figure):
    assert len(json.dumps(figure)) < 5_000
