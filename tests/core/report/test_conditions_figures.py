"""The differences as a figure: every point in its place, zero in sight, names that fit."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from core.comparison import ComparisonSettings, Run, compare
from core.report.conditions_figures import difference_intervals
from core.report.svg import to_svg
from tests.arrays import inspected, related_pair


def compared(*noises, names="xyz", **settings):
    rng = np.random.default_rng(6)
    a, b = related_pair(rng)
    runs = [
        Run(label=name, a=inspected(a), b=inspected(b + noise * rng.standard_normal(b.shape), "b.npy"))
        for name, noise in zip(names, noises, strict=True)
    ]
    return compare(runs, settings=ComparisonSettings(**settings))


def test_points_and_intervals_are_those_of_the_comparison():
    found = compared(0.1, 0.5, 0.9)
    groups = difference_intervals(found).groups
    assert [group.label for group in groups] == [("y", "− x"), ("z", "− x")]
    for place, group in enumerate(groups):
        for point, one in zip(group.points, (found.raw[place], found.centred[place]), strict=True):
            assert (point.value, (point.low, point.high)) == (one.mean, one.interval)


def test_zero_and_every_interval_are_in_sight():
    figure = difference_intervals(compared(0.1, 0.5, 0.9))
    ends = [end for group in figure.groups for point in group.points for end in (point.low, point.high)]
    assert figure.low < min(0, *ends)
    assert figure.high > max(0, *ends)


def test_equal_conditions_still_have_an_axis():
    figure = difference_intervals(compared(0.0, 0.0, names="xy"))
    assert figure.low < 0 < figure.high
    assert figure.groups[0].points[0].low is None


def test_a_margin_is_a_band_and_none_is_not():
    assert difference_intervals(compared(0.1, 0.5, names="xy", margin=0.2)).band == (-0.2, 0.2)
    assert difference_intervals(compared(0.1, 0.5, names="xy")).band is None


def test_the_drawing_puts_points_in_order_of_their_values():
    figure = difference_intervals(compared(0.1, 0.5, 0.9))
    drawn = [float(x) for x in re.findall(r'<circle[^>]* cx="([\d.]+)"', to_svg(figure))]
    values = [point.value for group in figure.groups for point in group.points]
    assert len(drawn) == len(values) == 4
    assert np.argsort(drawn).tolist() == np.argsort(values).tolist()
    slope = np.diff(drawn) / np.diff(values)
    assert slope == pytest.approx([slope[0]] * 3, rel=0.02)


@pytest.mark.parametrize("margin", [None, 0.05, 2.0])
def test_the_drawing_is_one_sound_element_whatever_the_names(margin):
    names = ["<script>&\u202e", "n" * 80]
    figure = difference_intervals(compared(0.1, 0.5, names=names, margin=margin))
    root = ET.fromstring(to_svg(figure, alone=True))  # noqa: S314 - our own text
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "n" * 25 not in "".join(text for text in root.itertext() if "95%" not in text)
    boxes = [element.attrib for element in root.iter() if element.tag.endswith("rect")]
    assert all(float(box["x"]) >= 0 and float(box["x"]) + float(box["width"]) <= 640 for box in boxes)
