"""Figures as SVG, read back by their own tick labels and compared with counts made anew by numpy."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from core.report.audit_figures import figures
from core.report.figures import Bar, BarChart, BarGroup
from core.report.svg import to_svg
from tests.arrays import audited, related_pair

NAMESPACE = "http://www.w3.org/2000/svg"
HOSTILE = "<script>alert(1)</script> & \"quoted\" 'too' ]]> \u202e\x07"


def drawn(figure, **options):
    return ET.fromstring(to_svg(figure, **options))  # noqa: S314 - our own output


def number(text):
    return float(text.replace("−", "-"))


def place(element, axis):
    return float(element.get(axis))


def scale(points):
    """From places to values, through two labelled ticks."""
    (place_0, value_0), (place_1, value_1) = points[0], points[-1]
    assert place_0 != place_1
    return lambda at: value_0 + (at - place_0) * (value_1 - value_0) / (place_1 - place_0)


def axes(panel):
    """Both axes of one panel, read off its tick labels and the lines beside them."""
    texts = panel.findall("text")
    across = [(place(text, "x"), number(text.text)) for text in texts if re.fullmatch(r"−?[\d.]+", text.text)]
    lines = [float(re.match(r"M\S+ (\S+)H", path.get("d"))[1]) for path in panel if "H" in path.get("d", "")[:14]]
    shares = [number(text.text[:-1]) / 100 for text in texts if text.text.endswith("%")]
    return scale(across), scale(list(zip(lines[: len(shares)], shares, strict=True)))


def bins_of(panel, role):
    """Edges and shares of one area, in the units of the axes."""
    x, y = axes(panel)
    (area,) = [path for path in panel.findall("path") if path.get("class") == f"{role} area"]
    start = float(re.match(r"M(\S+) ", area.get("d"))[1])
    steps = re.findall(r"V([\d.]+)H([\d.]+)", area.get("d"))
    return np.array([x(start), *(x(float(end)) for _, end in steps)]), np.array([y(float(top)) for top, _ in steps])


def cosines(pair):
    """Raw and centred scores of the fixture, by plain numpy."""
    units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in pair]
    yield units[0] @ units[1].T
    shifted = [side - side.mean(axis=0) for side in units]
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in shifted)
    yield a @ b.T


def test_the_areas_are_the_shares_of_cosines_counted_by_numpy(ordinary):
    pair = related_pair(np.random.default_rng(5), n=60, dim=16, drift=2.0)
    panels = drawn(figures(ordinary)[0]).findall("g")
    assert len(panels) == 2
    own = np.eye(60, dtype=bool)
    for panel, scores in zip(panels, cosines(pair), strict=True):
        for role, chosen in (("matched", scores[own]), ("floor", scores[~own])):
            edges, shares = bins_of(panel, role)
            edges = edges.round(3)  # the bins are a whole number of 0.005 wide
            counted, _ = np.histogram(chosen, np.append(edges[:-1], edges[-1] + 1e-9))
            assert counted.sum() == len(chosen)
            np.testing.assert_allclose(shares, counted / len(chosen), atol=2e-5)


def test_each_mean_is_marked_where_it_is(ordinary):
    for panel, reading in zip(drawn(figures(ordinary)[0]).findall("g"), (ordinary.raw, ordinary.centred), strict=True):
        x, _ = axes(panel)
        dotted = [path for path in panel.findall("path") if "mark" in path.get("class", "")]
        marks = {path.get("class"): x(float(path.get("d")[1:].split()[0])) for path in dotted}
        assert marks["matched mark"] == pytest.approx(reading.matched_mean, abs=1e-4)
        assert marks["floor mark"] == pytest.approx(reading.exact.floor_mean, abs=1e-4)
        said = " ".join(text.text for text in panel.findall("text"))
        assert f"matched {reading.matched_mean:.4f}" in said
        assert f"gap {reading.exact.gap:.4f}" in said


def bars_of(figure):
    """Role and value of each bar, by the ticks at 0 and 1."""
    svg = drawn(figure)
    ticks = {text.text: place(text, "x") for text in svg.findall("text") if text.get("text-anchor") == "middle"}
    x = scale([(ticks["0"], 0.0), (ticks["1"], 1.0)])
    bars = []
    for bar in svg.findall("rect"):
        left, right = x(place(bar, "x")), x(place(bar, "x") + place(bar, "width"))
        bars.append((bar.get("class").split()[0], right if right > 1e-4 else left))
    return bars


def test_bars_are_as_long_as_their_numbers(ordinary):
    _, anisotropy, ranks = figures(ordinary)
    raw, centred = ordinary.raw, ordinary.centred
    expected = {
        anisotropy: [
            ("raw", ordinary.anisotropy_a),
            ("centred", ordinary.centred_anisotropy_a),
            ("raw", ordinary.anisotropy_b),
            ("centred", ordinary.centred_anisotropy_b),
        ],
        ranks: [
            ("raw", raw.a_to_b.expected),
            ("centred", centred.a_to_b.expected),
            ("raw", raw.b_to_a.expected),
            ("centred", centred.b_to_a.expected),
        ],
    }
    for figure, values in expected.items():
        assert [role for role, _ in bars_of(figure)] == [role for role, _ in values]
        assert [value for _, value in bars_of(figure)] == pytest.approx([value for _, value in values], abs=1e-5)


def test_a_negative_bar_lies_left_of_zero(ordinary):
    assert ordinary.centred_anisotropy_a < 0
    assert bars_of(figures(ordinary)[1])[1][1] < 0


def test_what_is_undefined_is_a_word_and_no_bar(pair):
    lost = figures(audited(*pair, pair[0][:1]))
    assert len(drawn(lost[0]).findall("g")) == 1
    for figure in lost[1:]:
        svg = drawn(figure)
        assert {bar.get("class") for bar in svg.findall("rect")} == {"raw bar"}
        assert [text.text for text in svg.findall("text")].count("undefined") == 2


@pytest.mark.parametrize("alone", [False, True])
def test_every_figure_is_named_and_described_for_those_who_do_not_see_it(ordinary, alone):
    for figure in figures(ordinary):
        svg = drawn(figure, alone=alone)
        space = f"{{{NAMESPACE}}}" if alone else ""
        assert svg.get("role") == "img"
        held = {element.get("id"): element.text for element in svg if element.tag in (f"{space}title", f"{space}desc")}
        assert [held[name] for name in svg.get("aria-labelledby").split()] == [figure.title, figure.description]


@pytest.mark.parametrize("alone", [False, True])
def test_nothing_runs_and_nothing_is_fetched(ordinary, alone):
    for figure in figures(ordinary):
        text = to_svg(figure, alone=alone).replace(f'xmlns="{NAMESPACE}"', "")
        assert not re.search(r"http|script|href|src=|url\(|@import|\son\w+=|<image|<foreignObject", text)


def test_a_figure_alone_has_its_own_colours_and_the_namespace(ordinary):
    svg = drawn(figures(ordinary)[0], alone=True)
    assert svg.tag == f"{{{NAMESPACE}}}svg"
    assert "prefers-color-scheme" in svg.find(f"{{{NAMESPACE}}}style").text


def test_text_takes_the_colour_of_the_page_unless_it_names_a_kind_of_pair(ordinary):
    svg = drawn(figures(ordinary)[0])
    assert svg.get("fill") == "currentColor"
    painted = [text for text in svg.iter("text") if text.get("fill")]
    assert {text.get("class") for text in painted} == {"matched", "floor"}


def test_hostile_text_stays_text():
    bar = Bar(role="raw", value=0.5, text=HOSTILE)
    figure = BarChart(
        name='x"><script>',
        title=HOSTILE,
        description=HOSTILE,
        low=0.0,
        legend=(("raw", HOSTILE),),
        groups=(BarGroup(label=HOSTILE, bars=(bar,)),),
        mark=None,
    )
    plain = replace(figure, name="x", title="t", description="d", legend=(("raw", "l"),))
    svg = drawn(figure)
    assert [element.tag for element in svg.iter()] == [element.tag for element in drawn(plain).iter()]
    assert svg.find("title").text == HOSTILE.replace("\u202e", r"\u202e").replace("\x07", r"\u0007")


def test_rows_that_all_score_the_same_are_drawn(rng):
    rows = np.tile(rng.standard_normal(4), (5, 1))
    for figure in figures(audited(rows, rows)):
        assert "nan" not in to_svg(figure)
        drawn(figure)
