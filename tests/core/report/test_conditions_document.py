"""A comparison in words: signed first, nothing claimed that the numbers do not bear."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from core.comparison import ComparisonSettings, Run, compare
from core.report import RENDERERS, conditions_document
from core.report.conditions_words import signed
from core.report.numbers import fixed
from tests.arrays import inspected, related_pair
from tests.core.report.hostile_names import HOSTILE_NAMES
from tests.core.test_comparison import conditions, noisy, sorted_against_directory_order, two_runtimes

README = Path(__file__).parents[3] / "README.md"


def compared(noises, *, n=60, settings=None):
    a, b = related_pair(np.random.default_rng(8), n=n)
    sides = {name: noisy(b, noise, place) for place, (name, noise) in enumerate(noises.items())}
    return compare(conditions(a, **sides), settings=settings)


def seeded(seeds=3, labels=("x", "y"), noise=0.4):
    rng = np.random.default_rng(4)
    a, b = related_pair(rng, n=60)
    return compare(
        [
            Run(
                label=label,
                seed=str(seed),
                a=inspected(a, "A.npy"),
                b=inspected(b + noise * rng.standard_normal(b.shape), "B.npy"),
            )
            for label in labels
            for seed in range(seeds)
        ]
    )


@pytest.fixture(scope="module")
def far():
    """int8 far from fp32."""
    return compared({"fp32": 0.0, "int8": 0.8})


@pytest.fixture(scope="module")
def near():
    """Two conditions of one kind."""
    return compared({"one": 0.4, "other": 0.4})


def rows(words, start):
    (table,) = [table for table in words.tables if table.title.startswith(start)]
    return {row.label: dict(zip(table.columns, row.cells, strict=True)) for row in table.rows}


def number(cell):
    return float(cell.replace("−", "-"))


def test_the_headline_is_the_signed_difference_with_its_interval_then_its_size(far):
    reading = conditions_document(far).reading
    found = re.match(
        r"int8 minus fp32: the raw gap differs by (−[\d.]+) \(95% interval (\S+) to (\S+), in size ([\d.]+)\), "
        r"the centred gap by (−[\d.]+) \(.*\); both separate\.$",
        reading,
    )
    mean, low, high, size, centred = map(number, found.groups())
    assert mean == pytest.approx(far.raw[0].mean, abs=1e-4)
    assert (low, high) == pytest.approx(far.raw[0].interval, abs=1e-4)
    assert size == -mean
    assert centred == pytest.approx(far.centred[0].mean, abs=1e-4)


def test_the_difference_table_holds_the_result(far):
    row = rows(conditions_document(far), "Difference of the centred gap")["int8 − fp32"]
    one = far.centred[0]
    expected = {
        "difference": one.mean,
        "95% low": one.interval[0],
        "95% high": one.interval[1],
        "size": abs(one.mean),
        "standard error": one.error,
        "df": 59,
        "detectable at 80%": one.detectable,
        "ruled out above": one.excluded_above,
    }
    assert {name: number(row[name]) for name in expected} == pytest.approx(expected, abs=6e-5)


def test_differences_can_be_checked_against_the_gaps_shown(far):
    gaps = rows(conditions_document(far), "Gap of each run")
    for name, found in (("raw gap", far.raw), ("centred gap", far.centred)):
        shown = number(gaps["int8"][name]) - number(gaps["fp32"][name])
        assert shown == pytest.approx(found[0].mean, abs=2e-4)


def test_every_run_has_a_row_of_its_audits_figures(far):
    words = conditions_document(far)
    for run in far.runs:
        row = rows(words, "Each run, centred")[run.label]
        assert row["matched"] == fixed(run.audit.centred.matched_mean)
        assert row["partner first, A to B"] == fixed(run.audit.centred.a_to_b.expected)
        assert rows(words, "Anisotropy")[run.label]["B"] == fixed(run.audit.anisotropy_b)
        derangements = rows(words, "Reference format")[f"{run.label}, raw"]
        assert derangements["floor"] == fixed(run.audit.raw.permuted.floor_mean)


@pytest.mark.parametrize(
    ("margin", "start"),
    [(None, "underpowered: it could have detected"), (10.0, "no difference larger than 10"), (1e-6, "underpowered")],
)
def test_what_is_said_of_a_difference_that_is_not_told_from_zero(near, margin, start):
    from core.report.conditions_words import verdict_words

    assert verdict_words(near.raw[0], margin).startswith(start)


def test_what_is_said_of_a_real_difference(far):
    from core.report.conditions_words import verdict_words

    assert verdict_words(far.raw[0], 0.001) == "separates"
    assert verdict_words(far.raw[0], 5.0) == "real, but smaller than 5"


def test_without_a_margin_no_report_says_that_nothing_differs(near):
    words = conditions_document(near)
    assert "no difference larger" not in RENDERERS["markdown"](words)
    assert any(note.startswith("No margin was declared") for note in words.note)
    assert "(no margin declared)" in RENDERERS["markdown"](words)


def test_the_mean_of_absolute_values_is_shown_only_to_explain_why_not():
    comparison = seeded()
    words = conditions_document(comparison)
    row = rows(words, "The same, raw, seed by seed")["y − x"]
    assert number(row["mean of absolute values (biased)"]) == pytest.approx(comparison.raw[0].mean_absolute, abs=1e-4)
    assert number(row["mean"]) == pytest.approx(comparison.raw[0].mean, abs=1e-4)
    assert [number(row[f"seed {s}"]) for s in range(3)] == pytest.approx(comparison.raw[0].by_seed, abs=1e-4)
    assert any("biased" in note for note in words.note)
    assert "absolute" not in words.reading
    assert not any("biased" in note for note in conditions_document(compared({"x": 0, "y": 1})).note)


def test_two_seeds_are_described_and_the_table_says_why_no_more():
    words = conditions_document(seeded(2))
    row = rows(words, "Difference of the raw gap")["y − x"]
    assert (row["95% low"], row["df"], row["p (Holm)"]) == ("undefined",) * 3
    assert "2 seeds only describe" in rows(words, "What can be said")["y − x"]["raw"]
    assert "(no interval)" in words.reading
    assert "described, not tested" in words.methods


def test_many_comparisons_are_summed_up_in_the_headline():
    words = conditions_document(compared({"base": 0.0, "q8": 0.1, "q6": 0.2, "q4": 0.4, "q2": 0.8}))
    assert words.reading.startswith("Of 4 comparisons with base, ")
    assert "The largest centred difference: q2 minus base, −" in words.reading


def test_methods_say_design_family_and_derangements(far):
    methods = conditions_document(far).methods
    assert "jackknife over items of the paired differences" in methods
    assert "Holm's method over all 2 tests" in methods
    assert "20 derangements (seed 0)" in methods
    assert "fitted on the compared rows" in methods
    assert "Satterthwaite" in conditions_document(seeded()).methods
    declared = compared({"x": 0, "y": 1}, settings=ComparisonSettings(margin=0.05))
    assert "Differences up to 0.05 were declared" in conditions_document(declared).methods


def test_notices_of_one_run_name_it_and_those_of_all_do_not():
    words = conditions_document(compared({"x": 0.1, "y": 9.0}, n=15))
    assert any(text.startswith("n = 15") for text in words.notices)
    a, healthy, broken = two_runtimes()
    told = conditions_document(compare(conditions(a, healthy=healthy, broken=broken))).notices
    assert any(text.startswith("broken: Partner ranked first") for text in told)


@pytest.mark.parametrize("report", [sorted_against_directory_order, two_runtimes])
def test_a_run_at_its_floor_is_warned_of_before_its_difference_is_read(report):
    a, healthy, broken = report()
    words = conditions_document(compare(conditions(a, healthy=healthy, broken=broken)))
    assert words.warning.startswith("Matched pairs score no higher than unrelated ones in broken (centred ")
    assert "no loss of precision" in words.warning
    assert "another order" in words.warning
    assert "not the same computation" in words.warning
    assert "healthy (centred" not in words.warning
    assert conditions_document(compare(conditions(a, healthy=healthy, same=a))).warning == ""


def test_a_run_without_a_centred_reading_is_not_given_its_raw_figures_twice(rng):
    a, b = related_pair(rng, n=60)
    sides = {"good": b, "constant": np.ones_like(b)}
    words = conditions_document(compare(conditions(a, **sides)))
    assert words.warning.startswith("All rows of a side have one direction in constant, ")
    assert "belong with" not in words.warning


def with_seeds(files):
    """Runs of (condition, seed, a, b)."""
    return [
        Run(label=label, seed=seed, a=inspected(a, f"a{seed}.npy"), b=inspected(b, f"{label}{seed}.npy"))
        for label, seed, a, b in files
    ]


@pytest.mark.parametrize("seeds", ["12", "123"])
def test_the_same_files_as_several_seeds_are_said_to_be_copies(rng, seeds):
    a, b = related_pair(rng, n=60)
    files = [("x", seed, a, b) for seed in seeds] + [("y", seed, a, noisy(b, 0.5, int(seed))) for seed in seeds]
    note = " ".join(conditions_document(compare(with_seeds(files))).note)
    assert f"(x: seeds {', '.join(seeds)})" in note
    assert "equal SHA-256" in note
    assert "Copies of one run" in note


def test_seeds_of_their_own_and_conditions_that_share_files_are_no_copies(rng):
    a, b = related_pair(rng, n=60)
    files = [(label, seed, a, noisy(b, 0.5, int(seed))) for label in "xy" for seed in "123"]
    assert "SHA-256" not in " ".join(conditions_document(compare(with_seeds(files))).note)
    assert "SHA-256" not in " ".join(conditions_document(seeded()).note)


def test_uneven_shared_directions_are_noted(rng):
    a, b = related_pair(rng, n=60, drift=0.0)
    sides = [Run(label=name, a=inspected(a + by), b=inspected(b + by, "b.npy")) for name, by in (("x", 0), ("y", 2))]
    found = compare(sides)
    left = [np.sqrt((1 - run.audit.anisotropy_a) * (1 - run.audit.anisotropy_b)) for run in found.runs]
    (note,) = [note for note in conditions_document(found).note if "different scales" in note]
    assert f"between {100 * left[1]:.0f}% and {100 * left[0]:.0f}% of" in note
    assert not any("different scales" in note for note in conditions_document(compared({"x": 0, "y": 0.1})).note)


@pytest.mark.parametrize("name", RENDERERS)
def test_every_format_carries_reading_figures_and_methods(far, name):
    words = conditions_document(far)
    text = RENDERERS[name](words)
    for part in ("int8", f"{abs(far.raw[0].mean):.4f}"[:6], "jackknife", "derangements"):
        assert part in text


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_a_hostile_name_of_a_condition_adds_no_line(form):
    def lines(name):
        a, b = related_pair(np.random.default_rng(8), n=12)
        runs = [Run(label=name, a=inspected(a), b=inspected(b, name)), Run(label="y", a=inspected(a), b=inspected(a))]
        return RENDERERS[form](conditions_document(compare(runs))).count("\n")

    plain = lines("x")
    assert {name: lines(name) for name in list(HOSTILE_NAMES.values())[:20]} == dict.fromkeys(
        list(HOSTILE_NAMES.values())[:20], plain
    )


def keys_of(value):
    """Every key of nested dictionaries, and of the first entry of lists, by its own name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list) and value:
        yield from keys_of(value[0])


def test_the_json_reads_back_and_the_readme_names_its_keys():
    data = json.loads(RENDERERS["json"](conditions_document(seeded())))
    assert data["schema"] == "cosine-floor-conditions/1"
    section = README.read_text(encoding="utf-8").split("## Conditions")[1].split("\n## ")[0]
    own = {
        *data,
        *data["conditions"][0],
        *keys_of(data["differences"]),
        *keys_of(data["conditions"][0]["corrected_gap"]),
    }
    assert {key for key in own if not re.search(rf"[`.]{key}[`.]", section)} == set()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0012, "+0.0012"), (-0.0178, "−0.0178"), (0.0, "0.0000"), (2.9e-9, "+2.9e−09"), (-2.9e-9, "−2.9e−09")],
)
def test_a_signed_difference_of_any_size_has_its_sign(value, text):
    assert signed(value) == text
