import numpy as np
import pytest

from app.plots.differences import difference_plot, differences_alt
from core.comparison import ComparisonSettings, Run, compare
from tests.arrays import inspected, related_pair


def compared(*noises, names="xyz", **settings):
    rng = np.random.default_rng(6)
    a, b = related_pair(rng)
    runs = [
        Run(label=name, a=inspected(a), b=inspected(b + noise * rng.standard_normal(b.shape), "b.npy"))
        for name, noise in zip(names, noises, strict=True)
    ]
    return compare(runs, settings=ComparisonSettings(**settings))


def test_a_point_and_its_interval_for_each_comparison_and_reading():
    found = compared(0.1, 0.5, 0.9)
    raw, centred = difference_plot(found).data
    for trace, differences in ((raw, found.raw), (centred, found.centred)):
        assert list(trace.x) == pytest.approx([one.mean for one in differences])
        assert list(trace.error_x.array) == pytest.approx([one.interval[1] - one.mean for one in differences])


def test_a_declared_margin_is_shaded_and_none_is_not():
    with_margin, without = (difference_plot(compared(0.1, 0.5, names="xy", margin=m)) for m in (0.2, None))
    assert [(shape.x0, shape.x1) for shape in with_margin.layout.shapes if shape.type == "rect"] == [(-0.2, 0.2)]
    assert not [shape for shape in without.layout.shapes if shape.type == "rect"]


def test_a_difference_without_an_interval_is_a_bare_point():
    found = compared(0.0, 0.0, names="xy")
    assert found.raw[0].interval is None
    assert list(difference_plot(found).data[0].error_x.array) == [0.0]
    assert "(no interval)" in differences_alt(found)


def test_long_names_are_cut_and_marks_are_shown_as_they_are():
    found = compared(0.1, 0.5, names=["a" * 60, "<b>bold</b>"])
    (label,) = difference_plot(found).layout.yaxis.ticktext
    assert label == "&lt;b&gt;bold&lt;/b&gt;<br>− " + "a" * 25 + "…"


def test_the_alternative_text_holds_every_mean():
    found = compared(0.1, 0.5, 0.9)
    text = differences_alt(found)
    assert text.count("(95% interval") == 2 * len(found.raw)
    assert "y − x: −" in text
    assert "raw: " in text
    assert "centred: " in text
