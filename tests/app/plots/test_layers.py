import numpy as np
import pytest

from app.plots.layers import layer_sweep, layers_alt
from core.comparison import compare, layer_runs
from tests.arrays import inspected, related_pair


@pytest.fixture(scope="module")
def swept():
    """Three layers, each leaning further one way."""
    rng = np.random.default_rng(6)
    pairs = [related_pair(rng, drift=drift) for drift in (0.0, 1.0, 3.0)]
    a, b = zip(*pairs, strict=True)
    return compare(layer_runs([inspected(x) for x in a], [inspected(x, "b.npy") for x in b]), layers=True)


def lines(figure):
    return {(line.name, line.yaxis): list(line.y) for line in figure.data}


def test_every_line_holds_its_figure_raw_above_centred(swept):
    drawn = lines(layer_sweep(swept))
    audits = [run.audit for run in swept.runs]
    for axis, name in (("y", "raw"), ("y2", "centred")):
        readings = [getattr(audit, name) for audit in audits]
        assert drawn["matched", axis] == [reading.matched_mean for reading in readings]
        assert drawn["floor", axis] == [reading.exact.floor_mean for reading in readings]
        assert drawn["gap", axis] == [getattr(run.gaps, name).gap for run in swept.runs]
    assert drawn["anisotropy of A", "y"] == [audit.anisotropy_a for audit in audits]
    assert drawn["anisotropy of B", "y2"] == [audit.centred_anisotropy_b for audit in audits]


def test_each_line_is_named_once_in_the_legend(swept):
    named = [line.name for line in layer_sweep(swept).data if line.showlegend]
    assert sorted(named) == ["anisotropy of A", "anisotropy of B", "floor", "gap", "matched"]


def test_a_layer_without_a_centred_reading_leaves_a_hole(rng):
    a, b = related_pair(rng)
    ones = np.ones_like(a)
    found = compare(layer_runs([inspected(a), inspected(ones)], [inspected(b), inspected(b)]), layers=True)
    assert lines(layer_sweep(found))["gap", "y2"][1] is None
    assert "undefined" in layers_alt(found)


def test_the_alternative_text_tells_first_last_and_most(swept):
    floors = [run.audit.raw.exact.floor_mean for run in swept.runs]
    text = layers_alt(swept)
    assert text.startswith("Lines over 3 layers")
    assert f"floor {floors[0]:.4f} to {floors[2]:.4f}, most {max(floors):.4f}".replace("-", "−") in text
