"""The gap with one pair left out, against leaving it out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.gap_values import GapValues, both_gaps, gap_values
from core.inference import infer
from core.jackknife import figures_without_each
from core.mean_shift import mean_shifts
from core.means import fit_means
from core.rows import UnitRows
from tests import refit
from tests.arrays import cone, random_rotation, related_pair
from tests.oracle import exact, unit

VECTORS = Path(__file__).parents[1] / "vectors"


def stored(name):
    return tuple(np.load(VECTORS / f"{name}_{side}.npy") for side in "ab")


def without(rows, i):
    return np.delete(rows, i, axis=0)


def test_each_value_is_the_gap_without_that_pair(pair):
    a, b = pair
    values = gap_values(UnitRows(a), UnitRows(b))
    left_out = [exact(unit(without(a, i)), unit(without(b, i)))["gap"] for i in range(len(a))]

    assert_allclose(values.gap, exact(unit(a), unit(b))["gap"], rtol=1e-12)
    assert_allclose(values.delete_one, left_out, rtol=1e-11)


@pytest.mark.parametrize(("name", "error"), [("v7", 0.150214596921), ("v8", 0.00652099229687), ("v6", 0.206983290866)])
def test_raw_errors_of_the_stored_vectors(name, error):
    a, b = stored(name)
    assert_allclose(gap_values(UnitRows(a), UnitRows(b)).error, error, rtol=1e-10)


def test_centred_values_follow_the_means_that_move():
    """V14: error with gradient, uncorrected; the plug-in error would be .0886."""
    a, b = stored("v14")
    values = both_gaps(a, b).centred
    factor = 59 / 60

    assert_allclose(values.gap, factor * 0.7800763647, rtol=1e-9)
    assert_allclose(values.error, factor * 0.0754715823, rtol=1e-8)
    assert abs(values.error / (factor * 0.0742194224) - 1) < 0.03  # the literal refit


def test_centred_values_are_close_to_refitting_each_mean(rng):
    a, b = related_pair(rng, n=80, dim=6)
    values = both_gaps(a, b).centred

    def refitted(x, y):
        u, v = unit(x), unit(y)
        return exact(unit(u - u.mean(axis=0)), unit(v - v.mean(axis=0)))["gap"]

    literal = np.array([refitted(without(a, i), without(b, i)) for i in range(80)]) * 79 / 80
    assert np.corrcoef(literal, values.delete_one)[0, 1] > 0.999


def test_values_are_those_that_the_audits_intervals_are_made_of(pair):
    """The other way to the same values: sums over scores, less what each pair contributes."""
    raw_a, raw_b = map(UnitRows, pair)
    means = fit_means(raw_a.mean_row(), raw_b.mean_row(), None, None, shared=False)
    centred_a, centred_b = UnitRows(pair[0], means.a), UnitRows(pair[1], means.b)
    for a, b, given in ((raw_a, raw_b, None), (centred_a, centred_b, means)):
        found = infer(a, b, a.mean_row(), b.mean_row(), means=given, rng=np.random.default_rng(0), n_permutations=9)
        shifts = None if given is None else mean_shifts(a, b, given, found.sums)
        ours = both_gaps(*pair).raw if given is None else both_gaps(*pair).centred
        without = found.intervals.correction.factor * figures_without_each(found.sums, shifts).gap
        assert_allclose(ours.gap, found.intervals.gap.estimate, rtol=1e-10)
        assert_allclose(ours.error, found.intervals.gap.error, rtol=1e-9)
        assert_allclose(ours.delete_one, without, rtol=1e-9)


def test_pseudo_values_average_to_the_gap_and_spread_to_its_error(pair):
    values = gap_values(*map(UnitRows, pair))
    n = values.n
    assert_allclose(values.pseudo_values.mean(), values.gap, rtol=1e-12)
    assert_allclose(values.pseudo_values.std(ddof=1) / np.sqrt(n), values.error, rtol=1e-12)


def test_values_ignore_a_common_rotation_and_row_lengths(pair, rng):
    a, b = pair
    turn = random_rotation(rng, a.shape[1])
    lengths = rng.uniform(0.1, 9, len(a))[:, None]
    plain = gap_values(UnitRows(a), UnitRows(b))
    turned = gap_values(UnitRows(lengths * a @ turn), UnitRows(b @ turn))
    assert_allclose(turned.delete_one, plain.delete_one, rtol=1e-11)


def test_swapping_the_sides_changes_nothing(pair):
    a, b = pair
    assert_allclose(both_gaps(b, a).centred.delete_one, both_gaps(a, b).centred.delete_one, rtol=1e-12)


def test_a_narrow_cone_keeps_its_digits(rng):
    """Gaps of 1e-10: sums of plain cosines would have lost them to rounding."""
    a = cone(rng, 30, 8, 1e-5)
    b = a + 1e-6 * rng.standard_normal(a.shape)
    precise = exact(unit(a, np.longdouble), unit(b, np.longdouble))["gap"]
    assert precise < 2e-9
    assert_allclose(gap_values(UnitRows(a), UnitRows(b)).gap, precise, rtol=1e-6)


def test_equal_values_have_no_error():
    assert GapValues(gap=0.3, delete_one=np.full(9, 0.3)).error == 0


def test_a_shared_mean_moves_as_one():
    """V14 with one mean: error with gradient, corrected by 1 - (1 + m) / (2 n)."""
    values = both_gaps(*stored("v14"), shared_mean=True).centred
    factor = 1 - (1 + 0.9490822541) / 120
    assert_allclose(values.gap, factor * 0.7797977819, rtol=1e-9)
    assert_allclose(values.error, factor * 0.0755579375, rtol=1e-8)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("fit_a", "fit_b"), [(True, True), (True, False)])
def test_values_with_fit_rows_are_close_to_refitting_the_means_that_move(rng, shared, fit_a, fit_b):
    a, b = related_pair(rng, n=60, dim=6)
    others = related_pair(rng, n=90, dim=6)
    fit = {name: rows for name, rows, given in (("fit_a", others[0], fit_a), ("fit_b", others[1], fit_b)) if given}
    kind = "shared" if shared else "own"
    values = both_gaps(a, b, shared_mean=shared, **fit).centred
    plain = refit.figures(a, b, kind, **fit)
    factor = 1 if fit_b else 119 / 120
    if shared and not fit_b:  # two fifths of the one mean are compared rows of B: 1 - (w (1 + m) - w^2) / n
        factor = 1 - (0.4 * (1 + plain[0]) - 0.16) / 60
    assert_allclose(values.gap, factor * plain[2], rtol=1e-10)
    literal = refit.figures_without(a, b, kind, **fit)[:, 2] * factor
    assert_allclose(values.error, np.sqrt(59 / 60 * ((literal - literal.mean()) ** 2).sum()), rtol=0.03)
    assert np.corrcoef(literal, values.delete_one)[0, 1] > 0.999


def test_rows_without_direction_after_centring_leave_the_raw_gap(rng):
    found = both_gaps(np.ones((5, 3)), rng.standard_normal((5, 3)))
    assert found.centred is None
    assert_allclose(found.raw.gap, 0, atol=1e-15)
