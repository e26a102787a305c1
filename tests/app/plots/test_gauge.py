import pytest

from app.plots.gauge import anisotropy_gauge, gauge_alt


@pytest.mark.parametrize(("value", "low"), [(0.8, -0.1), (0.0, -0.1), (-0.05, -0.1), (-0.4, -0.4)])
def test_the_scale_runs_from_the_lower_of_minus_a_tenth_and_the_value_to_one(value, low):
    gauge = anisotropy_gauge(value).data[0]
    assert list(gauge.gauge.axis.range) == [low, 1]
    assert gauge.value == value


def test_the_convention_is_marked():
    assert anisotropy_gauge(0.5).data[0].gauge.threshold.value == 0.3


def test_the_gauge_in_words_names_side_and_value():
    assert "B is −0.0012" in gauge_alt("B", -0.0012)
