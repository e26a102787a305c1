"""The demo: every control changes exactly the numbers it should.

Expected figures come from full matrices of the shipped rows (`tests.oracle`).
"""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from core.demo import strangers
from tests.oracle import centred_sides, exact, first_shares, mean_cosine_between_rows, unit

SAMPLE_DATA = Path(__file__).parents[3] / "sample_data"
RAW = ("raw matched", "raw floor")
STEADY = ("centred matched", "centred floor", "raw first", "centred first")


@pytest.fixture
def demo(page):
    return page.open("demo.py")


def four(value):
    return f"{round(value, 4) + 0.0:.4f}".replace("-", "−")


def share(value):
    places = 2 if 0 < value < 1 else 1
    return f"{math.floor(value * 10**places + 0.5 + 1e-9) / 10**places:.{places}f}%"


def expected(encoder="e5_small", shuffle=0, size=0.0):
    """The six large numbers, from the definitions."""
    a, b = (unit(np.load(SAMPLE_DATA / encoder / f"{side}.npy")) for side in "ab")
    if shuffle:
        b = b[strangers(len(b), np.random.default_rng(shuffle))]
    a, b = (unit(np.column_stack([side, np.full(len(side), size)])) for side in (a, b))
    centred = centred_sides(a, b)
    raw_cosines, centred_cosines = exact(a, b), exact(*centred)
    shares = [100 * first_shares(x @ y.T)["expected"] for x, y in ((a, b), centred)]
    return {
        "raw matched": four(raw_cosines["matched"]),
        "raw floor": four(raw_cosines["floor"]),
        "centred matched": four(centred_cosines["matched"]),
        "centred floor": four(centred_cosines["floor"]),
        "raw first": share(shares[0]),
        "centred first": share(shares[1]),
    }


def shown(page):
    """The six large numbers on the page."""
    values = [metric.value for metric in page.app.metric]
    return dict(zip((*RAW, *STEADY), values, strict=True))


def sentence(page):
    """What the live line says."""
    (line,) = [one for one in page.app.get("bidi_component") if one.proto.component_name.endswith("announcement")]
    return json.loads(line.proto.json)["text"]


def figures(page):
    """What the three drawings were given, by their keys."""
    drawn = [one for one in page.app.get("bidi_component") if one.proto.component_name.endswith("bar_figure")]
    return {re.search(r"demo_(\w+)_figure", one.proto.id)[1]: json.loads(one.proto.json) for one in drawn}


def bars(page, name):
    return [bar["value"] for bar in figures(page)[name]["bars"]]


def slide(page, size):
    page.app.slider(key="demo_size").set_value(size).run()
    return page


def choose(page, encoder):
    page.app.get("button_group")[0].set_value(encoder).run()
    return page


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def test_the_page_opens_with_the_claim_the_true_pairs_and_nothing_to_load(demo):
    assert demo.app.title[0].value == "Why 0.9 means little"
    assert "score **0.90**" in demo.text
    assert "**anisotropy**" in demo.text
    assert shown(demo) == expected()
    assert not demo.app.file_uploader
    assert "Start with Shuffle" in sentence(demo)
    assert not demo.app.button(key="demo_put_back").disabled, "a disabled button loses the focus"


def test_shuffle_hardly_moves_raw_and_takes_centred_and_ranks_to_chance(demo):
    before = shown(demo)
    demo.press("demo_shuffle")
    after = shown(demo)
    assert after == expected(shuffle=1)
    assert float(after["raw matched"]) > 0.9 * float(before["raw matched"])
    assert abs(float(after["centred matched"].replace("−", "-"))) < 0.02
    assert float(after["raw first"].rstrip("%")) < 1 < float(before["raw first"].rstrip("%"))
    moved = (before["raw matched"], after["raw matched"])
    assert all(number in sentence(demo) for number in (*moved, "1 of 400 rows", "280 of 400 rows"))


def test_every_press_makes_other_strangers_and_the_way_back_is_exact(demo):
    start = shown(demo)
    first = shown(demo.press("demo_shuffle"))
    assert demo.app.button(key="demo_shuffle").label == "Shuffle again"
    second = shown(demo.press("demo_shuffle"))
    assert second == expected(shuffle=2) != first
    assert shown(demo.press("demo_put_back")) == start
    assert "its own second half again" in sentence(demo)


@pytest.mark.parametrize("size", [0.1, 1.7, 5.0])
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_slider_lifts_both_raw_figures_and_no_other_to_the_digit(demo, size, shuffled):
    choose(demo, "minilm")
    if shuffled:
        demo.press("demo_shuffle")
    before = shown(demo)
    after = shown(slide(demo, size))
    assert changed(before, after) == set(RAW)
    assert after == expected("minilm", shuffle=int(shuffled), size=size)
    assert all(float(after[name]) > float(before[name]) for name in RAW)
    for name in RAW:
        assert f"{before[name]} to {after[name]}" in sentence(demo)
    assert shown(slide(demo, 0.0)) == before
    assert "gone" in sentence(demo)


def test_the_slider_moves_the_raw_figure_and_leaves_the_two_others_bar_for_bar(demo):
    before = figures(demo)
    assert list(before) == ["raw", "centred", "found"]
    slide(demo, 2.0)
    after = figures(demo)
    assert [name for name in before if before[name] != after[name]] == ["raw"]


@pytest.mark.parametrize("encoder", ["minilm", "e5_small", "glove_50d"])
def test_each_encoder_shows_its_own_figures_and_anisotropy(demo, encoder):
    if encoder != "e5_small":
        choose(demo, encoder)
    assert shown(demo) == expected(encoder)
    rows = unit(np.load(SAMPLE_DATA / encoder / "a.npy"))
    assert f"score **{mean_cosine_between_rows(rows):.2f}** on average" in demo.text
    assert f"score **{float(expected(encoder)['raw matched']):.2f}**. They belong" in demo.text


def test_the_encoders_stand_from_nearly_isotropic_to_strongly_anisotropic(demo):
    labels = [option.content for option in demo.app.get("button_group")[0].proto.options]
    figures = [float(label.split()[-1]) for label in labels]
    assert figures == sorted(figures)
    assert figures[0] < 0.2 < 0.9 < figures[-1]


def test_another_encoder_keeps_shuffle_and_size(demo):
    demo.press("demo_shuffle")
    slide(demo, 1.0)
    assert shown(choose(demo, "glove_50d")) == expected("glove_50d", shuffle=1, size=1.0)


def test_the_added_coordinate_makes_the_claim_and_the_anisotropy_of_a_well_behaved_encoder(demo):
    choose(demo, "minilm")
    slide(demo, 1.7)
    assert "score **0.90**" in demo.text
    assert "(0.16 without the extra coordinate)" in demo.text


def test_the_bars_are_the_large_numbers(demo):
    demo.press("demo_shuffle")
    numbers = shown(demo)
    for name in ("raw", "centred"):
        assert [four(value) for value in bars(demo, name)] == [numbers[f"{name} matched"], numbers[f"{name} floor"]]
    assert [f"{100 * share:.2f}%" for share in bars(demo, "found")] == [numbers["raw first"], numbers["centred first"]]


def test_every_figure_has_words_with_its_numbers(demo):
    numbers = shown(demo)
    words = " ".join(figure["alt"] for figure in figures(demo).values())
    assert len(figures(demo)) == 3
    assert all(number in words for number in numbers.values())


def test_the_controls_stand_where_they_were_left_after_another_page(demo):
    choose(demo, "glove_50d")
    demo.press("demo_shuffle")
    slide(demo, 0.5)
    before = shown(demo)
    demo.open("method.py").open("demo.py")
    assert shown(demo) == before
    assert demo.app.slider(key="demo_size").value == 0.5
    assert demo.app.get("button_group")[0].value == "glove_50d"


def test_a_tiny_cosine_is_written_in_as_many_digits_as_the_others(demo):
    demo.press("demo_shuffle")
    assert shown(demo)["centred floor"] == "0.0000"
