"""Conditions measured alike: what is compared, by which figures, and what is refused before anything runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import inspect, load
from core.audit import AuditSettings
from core.comparison import ComparisonSettings, Run, compare, layer_runs
from core.conditions import holm
from core.errors import Cancelled, PairingError, SettingsError
from core.formats import read_stack
from core.report import conditions_document
from tests import refit
from tests.arrays import audited, inspected, related_pair
from tests.oracle import exact, unit


def conditions(a, **sides):
    """One A against several B, by name."""
    side_a = inspected(a, "A.npy")
    return [Run(label=name, a=side_a, b=inspected(b, f"{name}.npy")) for name, b in sides.items()]


def noisy(a, noise, seed):
    return a + noise * np.random.default_rng(seed).standard_normal(a.shape)


@pytest.fixture
def three(pair):
    """fp32 as given, bf16 a little and int8 a lot further away."""
    a, b = pair
    return conditions(a, fp32=b, bf16=noisy(b, 0.01, 1), int8=noisy(b, 0.5, 2))


def test_every_run_is_the_audit_of_its_files(pair):
    a, b = pair
    settings = AuditSettings(n_derangements=7, seed=3)
    found = compare(conditions(a, x=b, y=noisy(b, 0.3, 1)), settings=ComparisonSettings(audit=settings))
    alone = audited(a, noisy(b, 0.3, 1), n_derangements=7, seed=3)
    for name in ("raw", "centred"):
        assert getattr(found.runs[1].audit, name).exact == getattr(alone, name).exact
        assert getattr(found.runs[1].audit, name).permuted == getattr(alone, name).permuted
    assert found.runs[1].audit.raw.a_to_b == alone.raw.a_to_b


def test_differences_are_those_of_the_gaps_in_both_readings(pair):
    a, b = pair
    c = noisy(b, 0.5, 2)
    found = compare(conditions(a, fp32=b, int8=c))
    assert_allclose(found.raw[0].mean, exact(unit(a), unit(c))["gap"] - exact(unit(a), unit(b))["gap"], rtol=1e-10)
    centred = refit.figures(a, c, "own")[2] - refit.figures(a, b, "own")[2]
    assert_allclose(found.centred[0].mean, 39 / 40 * centred, rtol=1e-9)
    left_out = (refit.figures_without(a, c, "own") - refit.figures_without(a, b, "own"))[:, 2] * 39 / 40
    literal = np.sqrt(39 / 40 * ((left_out - left_out.mean()) ** 2).sum())
    assert_allclose(found.centred[0].error, literal, rtol=0.05)


def test_each_condition_is_compared_with_the_first(three):
    found = compare(three)
    assert [(x.first, x.second) for x in found.raw] == [("bf16", "fp32"), ("int8", "fp32")]
    assert [(x.first, x.second) for x in found.centred] == [("bf16", "fp32"), ("int8", "fp32")]
    assert found.settings.baseline == "fp32"


def test_another_baseline_or_all_pairs_can_be_asked_for(three):
    other = compare(three, settings=ComparisonSettings(baseline="int8"))
    every = compare(three, settings=ComparisonSettings(all_pairs=True))
    assert [(x.first, x.second) for x in other.raw] == [("fp32", "int8"), ("bf16", "int8")]
    assert len(every.raw) == len(every.centred) == 3


def test_the_family_is_all_that_is_shown_raw_and_centred(three):
    found = compare(three)
    family = [*found.raw, *found.centred]
    assert_allclose([x.holm_pvalue for x in family], holm([x.pvalue for x in family]))


def test_seeds_make_the_design_crossed(rng):
    runs = []
    for seed in range(3):
        a, b = related_pair(rng)
        for label, side in (("x", b), ("y", noisy(b, 0.4, seed))):
            runs.append(Run(label=label, seed=str(seed), a=inspected(a), b=inspected(side, "b.npy")))
    found = compare(runs)
    assert (found.raw[0].design, found.seeds, len(found.raw[0].by_seed)) == ("crossed", ("0", "1", "2"), 3)


def test_fit_rows_and_a_shared_mean_hold_for_every_run(rng, pair):
    a, b = pair
    fit_a, fit_b = related_pair(rng, n=70)
    c = noisy(b, 0.5, 2)
    settings = ComparisonSettings(audit=AuditSettings(shared_mean=True))
    found = compare(conditions(a, x=b, y=c), inspected(fit_a), inspected(fit_b), settings=settings)
    gaps = [refit.figures(a, side, "shared", fit_a=fit_a, fit_b=fit_b)[2] for side in (b, c)]
    assert_allclose([run.gaps.centred.gap for run in found.runs], gaps, rtol=1e-9)
    assert_allclose([run.audit.centred.exact.gap for run in found.runs], gaps, rtol=1e-9)


def test_where_centring_is_undefined_for_one_run_only_the_raw_gaps_are_compared(pair):
    a, b = pair
    found = compare(conditions(a, x=b, y=np.ones_like(b)))
    assert found.centred == ()
    assert len(found.raw) == 1


def test_a_layer_without_a_centred_reading_takes_no_other_with_it(rng):
    a, b = (np.stack(layers) for layers in zip(*(related_pair(rng) for _ in range(4)), strict=True))
    a[0], b[0] = a[0, 0], a[0, 0]
    runs = layer_runs(*([inspected(layer, f"{side}.npy") for layer in stack] for side, stack in (("a", a), ("b", b))))
    found = compare(runs, layers=True)
    assert found.settings.baseline == "layer 1"
    assert [(one.first, one.second) for one in found.raw] == [(f"layer {k}", "layer 1") for k in (0, 2, 3)]
    assert [(one.first, one.second) for one in found.centred] == [(f"layer {k}", "layer 1") for k in (2, 3)]
    gaps = [refit.figures(x, y, "own")[2] for x, y in zip(a[1:], b[1:], strict=True)]
    assert_allclose([one.mean for one in found.centred], [39 / 40 * (gap - gaps[0]) for gap in gaps[1:]], rtol=1e-9)
    every = compare(runs, layers=True, settings=ComparisonSettings(all_pairs=True))
    assert (len(every.raw), len(every.centred)) == (6, 3)
    given = compare(runs, layers=True, settings=ComparisonSettings(baseline="layer 0"))
    assert given.centred == ()
    words = conditions_document(found)
    told = " ".join(words.note)
    assert "No centred difference involves layer 0. The centred reading is undefined: 40 of 40 rows" in told
    assert "Each is compared with layer 1, since layer 0 has no centred reading." in told
    assert "belong with" not in words.warning
    told = " ".join(conditions_document(given).note)
    assert '--baseline "layer 1"' in told
    assert "Read the centred differences" not in told


def test_layers_are_runs_in_order(rng):
    a, b = (np.stack(layers) for layers in zip(*(related_pair(rng) for _ in range(3)), strict=True))
    stacks = [[inspected(layer) for layer in stack] for stack in (a, b)]
    found = compare(layer_runs(*stacks), layers=True)
    assert [run.label for run in found.runs] == ["layer 0", "layer 1", "layer 2"]
    assert found.runs[2].audit.raw.exact == audited(a[2], b[2]).raw.exact


def test_progress_says_which_run_it_is_and_can_stop_it(three):
    said = []

    def watch(done, total, message):
        said.append(message)
        if message.startswith("int8"):
            raise Cancelled

    with pytest.raises(Cancelled):
        compare(three, progress=watch)
    assert said[0].startswith("Looking whether all runs hold the same items")
    runs = {message.split(":")[0] for message in said if not message.startswith("Looking whether")}
    assert runs == {"fp32 (1 of 3)", "bf16 (2 of 3)", "int8 (3 of 3)"}


# ---------------------------------------------------------------- refused, before anything is measured


def refused(runs, *fits, **options):
    def never(*_):
        raise AssertionError("something was measured")

    with pytest.raises(PairingError) as caught:
        compare(runs, *fits, progress=never, **options)
    return caught.value


def test_a_condition_with_other_rows_than_a_is_named(three, pair):
    error = refused([*three, *conditions(pair[0], short=pair[1][:-2])])
    assert "condition short: short.npy has 38 rows and A.npy has 40" in str(error)
    assert error.remedy


def test_a_pair_with_other_items_than_the_first_is_named(three, pair):
    a, b = (side[:-2] for side in pair)
    error = refused([*three, *conditions(a, short=b)])
    assert "condition short has 38 items and fp32 has 40" in str(error)
    assert error.remedy == "Run short again on the same items, or leave it out"


def test_a_row_without_direction_is_named_with_its_file_and_condition(three, pair):
    bad = pair[1].copy()
    bad[7] = np.nan
    error = refused([*three, *conditions(pair[0], broken=bad)])
    assert "condition broken: 1 of 40 rows of broken.npy" in str(error)
    assert "row 7 (counting from 0)" in str(error)
    assert "--drop-bad-rows" in error.remedy


def test_another_width_is_named(three, pair):
    assert "condition wide: wide.npy has 9 columns" in str(
        refused([*three, *conditions(pair[0], wide=np.ones((40, 9)))])
    )


def test_unequal_seeds_are_named(pair):
    a, b = (inspected(side) for side in pair)
    runs = [Run(label=x, seed=s, a=a, b=b) for x, s in (("x", "1"), ("x", "2"), ("y", "1"))]
    assert "condition y lacks seed 2, unlike x" in str(refused(runs))
    mixed = [Run(label="x", a=a, b=b), Run(label="y", seed="1", a=a, b=b)]
    assert "condition x has a run without a seed, and y has seeds" in str(refused(mixed))


def test_one_condition_and_an_unknown_baseline_are_refused(three):
    assert "at least two conditions" in str(refused(three[:1]))
    assert "no condition called q" in str(refused(three, settings=ComparisonSettings(baseline="q")))


def test_stacks_of_unequal_depth_are_refused(pair):
    a, b = (inspected(side, f"{name}.npy") for side, name in zip(pair, "AB", strict=True))
    with pytest.raises(PairingError, match=r"A.npy has 2 layers and B.npy has 3 layers"):
        layer_runs([a, a], [b, b, b])


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf")])
def test_a_margin_is_a_size(margin):
    with pytest.raises(SettingsError, match="must be above 0"):
        ComparisonSettings(margin=margin)


def test_settings_that_contradict_each_other_are_refused():
    with pytest.raises(SettingsError, match="--all-pairs"):
        ComparisonSettings(all_pairs=True, baseline="x")


DROPPING = ComparisonSettings(audit=AuditSettings(drop_bad_rows=True, n_derangements=3))


def spoiled(rows, **bad):
    """The rows with some of them NaN, infinite or zero."""
    rows = rows.copy()
    for name, place in bad.items():
        rows[place] = {"nan": np.nan, "infinite": np.inf, "zero": 0.0}[name]
    return rows


def test_items_bad_in_any_condition_are_left_out_of_all(pair):
    a, b = pair
    c = noisy(b, 0.5, 2)
    found = compare(
        conditions(spoiled(a, zero=3), fp32=spoiled(b, nan=7), int8=spoiled(c, infinite=[7, 20])), settings=DROPPING
    )
    kept = np.delete(np.arange(40), [3, 7, 20])
    by_hand = compare(conditions(a[kept], fp32=b[kept], int8=c[kept]), settings=DROPPING)
    assert found.n == by_hand.n == 37
    assert [run.audit.dropped_rows for run in found.runs] == [3, 3]
    for name in ("raw", "centred"):
        assert getattr(found, name) == getattr(by_hand, name)
        for run, other in zip(found.runs, by_hand.runs, strict=True):
            assert getattr(run.audit, name).exact == getattr(other.audit, name).exact
    said = [notice.text for run in found.runs for notice in run.audit.notices if notice.code == "dropped_rows"]
    words = "3 pairs with NaN, infinite or zero rows in any condition were left out of all, on both sides, as asked"
    assert said == [f"{words}; 37 pairs remain."] * 2


def test_bad_fit_rows_are_left_out_with_the_pairs(pair, rng):
    a, b = pair
    fit = rng.standard_normal((50, a.shape[1]))
    bad = np.vstack([fit, np.zeros(a.shape[1])])
    runs = conditions(a, x=b, y=noisy(b, 0.5, 2))
    found = compare(runs, inspected(bad), inspected(bad), settings=DROPPING)
    assert found.centred == compare(runs, inspected(fit), inspected(fit), settings=DROPPING).centred
    assert "fit" in str(refused(runs, inspected(bad, "fit.npy")))


def test_conditions_of_which_too_few_items_are_left_are_refused(pair):
    a, b = pair
    runs = conditions(a, x=spoiled(b, nan=np.arange(20)), y=spoiled(b, nan=np.arange(18, 38)))
    error = refused(runs, settings=DROPPING)
    assert "38 of 40 items have a NaN, infinite or zero row in some condition" in str(error)


def test_files_of_other_shapes_are_refused_though_bad_rows_are_left_out(pair):
    a, b = pair
    assert "has 38 rows" in str(refused(conditions(a, x=spoiled(b, nan=39), y=b[:-2]), settings=DROPPING))


def test_what_is_left_out_stands_in_table_json_methods_and_command(pair):
    a, b = pair
    document = conditions_document(compare(conditions(a, x=spoiled(b, nan=[1, 4]), y=b), settings=DROPPING))
    settings = next(table for table in document.tables if table.title == "How it was measured")
    assert {row.label: row.cells for row in settings.rows}["pairs left out"] == ("2",)
    assert document.data["settings"]["drop_bad_rows"] is True
    assert document.data["settings"]["dropped_rows"] == 2
    assert "2 pairs with NaN, infinite or zero rows in any condition were left out of all of them." in document.methods
    assert "--drop-bad-rows" in document.command
    plain = conditions_document(compare(conditions(a, x=b, y=b)))
    assert (plain.data["settings"]["drop_bad_rows"], plain.data["settings"]["dropped_rows"]) == (False, 0)


# ---------------------------------------------------------------- public reports


def sorted_against_directory_order(n=96, dim=32):
    """ssfgunner/VL-SAE issue 3: one side listed sorted, the other in directory order."""
    rng = np.random.default_rng(10)
    a = rng.standard_normal((n, dim))
    a[:, 0] += 2.7
    b = a + 0.3 * rng.standard_normal(a.shape)
    return a, b, b[rng.permutation(n)] + 1e-3 * rng.standard_normal(b.shape)


def two_runtimes(n=100, dim=48):
    """transformers.js issue 1331: a runtime that agrees, and one that computes something else (cosine .75)."""
    rng = np.random.default_rng(19)
    cone = np.zeros(dim)
    cone[0] = 12.0
    a, other = (cone + rng.standard_normal((n, dim)) for _ in "ab")
    return a, a + 1e-3 * rng.standard_normal(a.shape), other


@pytest.mark.parametrize(("report", "score"), [(sorted_against_directory_order, 0.19), (two_runtimes, 0.75)])
def test_a_run_at_its_floor_is_told_from_a_loss_of_precision(report, score):
    a, healthy, broken = report()
    found = compare(conditions(a, healthy=healthy, broken=broken))
    sound, flat = found.runs
    assert (sound.at_floor, flat.at_floor) == (False, True)
    assert abs(flat.audit.raw.matched_mean - flat.audit.raw.exact.floor_mean) < 0.02
    assert abs(flat.audit.raw.matched_mean - score) < 0.05
    assert sound.audit.raw.a_to_b.expected == 1.0
    assert flat.audit.raw.a_to_b.expected < 0.06
    assert "at_chance" in {notice.code for notice in flat.audit.notices}


# ---------------------------------------------------------------- real data, as sample_data/README.md says

SAMPLES = Path(__file__).parents[2] / "sample_data"


def test_precisions_of_one_encoder():
    side_a, *sides = (
        load(SAMPLES / "minilm_precision" / f"{name}.npy")
        for name in ("fp32", "bf16", "int8_per_channel", "int8_per_tensor")
    )
    found = compare([Run(label=b.loaded.name, a=side_a, b=b) for b in sides])
    assert_allclose([run.gaps.centred.gap for run in found.runs], [0.9998, 0.9782, 0.9484], atol=6e-5)
    assert_allclose([one.mean for one in found.centred], [-0.0216, -0.0514], atol=6e-5)
    assert all(one.separates for one in (*found.raw, *found.centred))


def test_layers_of_one_encoder():
    stacks = (
        [inspect(layer) for layer in read_stack(SAMPLES / "minilm_layers" / f"{side}.npy", f"{side}.npy")]
        for side in "ab"
    )
    found = compare(layer_runs(*stacks), layers=True)
    floors = [run.audit.raw.exact.floor_mean for run in found.runs]
    assert_allclose(floors, [0.5993, 0.7744, 0.7559, 0.7345, 0.7390, 0.7631, 0.1460], atol=6e-5)
    centred = [run.gaps.centred.gap for run in found.runs]
    assert_allclose(centred, [0.4082, 0.4298, 0.4339, 0.4320, 0.4494, 0.4893, 0.5487], atol=6e-5)
    assert all(one.mean < 0 for one in found.raw[:5])
    assert all(one.mean > 0 for one in found.centred)
