"""Whether item i is the same item in every run, and what is said or refused where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.audit import AuditSettings
from core.comparison import ComparisonSettings, Run, compare, refuse_runs
from core.errors import PairingError
from core.formats.loaded import RowIds
from core.report import conditions_document
from tests.arrays import inspected


def run(label, a, b, seed=None):
    name = label if seed is None else f"{label}{seed}"
    return Run(label=label, seed=seed, a=inspected(a, f"{name}_a.npy"), b=inspected(b, f"{name}_b.npy"))


def named(found, texts, column="id"):
    values = np.array([hash_of(text) for text in texts])
    ids = RowIds(name=column, values=values, is_text=True, is_index=False)
    return replace(found, loaded=replace(found.loaded, row_ids=(ids,)))


def hash_of(text):
    return int.from_bytes(text.encode().ljust(8, b"\0")[:8], "little", signed=True)


@pytest.fixture
def linked(rng):
    a = rng.standard_normal((120, 24))
    return a, a + 0.7 * rng.standard_normal(a.shape)


def rounded(rows, step=0.05):
    return np.round(rows / step) * step


def refusal(*runs, **settings):
    with pytest.raises(PairingError) as caught:
        compare(runs, settings=ComparisonSettings(audit=AuditSettings(**settings)))
    return str(caught.value)


def test_a_run_in_another_order_on_both_sides_is_refused_with_the_first_row_that_moved(linked, rng):
    a, b = linked
    order = np.roll(np.arange(120), 1)
    order[:5] = [0, 1, 2, 119, 3]
    told = refusal(run("fp32", a, b), run("int8", a[order], b[order]))
    assert told.startswith("condition int8 has ")
    first = next(i for i in range(120) if order[i] != i)
    place = list(order).index(first)
    assert f"row {first} (counting from 0) of fp32_a.npy is row {place} of int8_a.npy" in told


def test_one_side_in_another_order_is_refused_under_one_a(linked, rng):
    a, b = linked
    side_a = inspected(a, "A.npy")
    runs = [Run(label=name, a=side_a, b=inspected(x, f"{name}.npy")) for name, x in (("x", b), ("y", b[::-1]))]
    assert "row 0 (counting from 0) of x.npy is row 119 of y.npy" in refusal(*runs)


def test_the_rows_of_a_seed_in_another_order_are_refused(linked, rng):
    a, b = linked
    runs = []
    for seed in "123":
        order = rng.permutation(120) if seed == "2" else np.arange(120)
        for label, noise in (("fp32", 0.01), ("int8", 0.1)):
            runs.append(run(label, a[order], (b + noise * rng.standard_normal(b.shape))[order], seed))
    assert "condition fp32 (seed 2) has" in refusal(*runs)


def test_rows_of_the_files_are_named_where_some_are_left_out(linked):
    a, b = (x.copy() for x in linked)
    moved = np.arange(120)
    moved[[40, 90]] = [90, 40]
    a2, b2 = a[moved], b[moved]
    a[3] = np.nan
    told = refusal(run("x", a, b), run("y", a2, b2), drop_bad_rows=True)
    assert "row 40 (counting from 0) of x_a.npy is row 90 of y_a.npy" in told


@pytest.mark.parametrize("copies", [1, 5])
def test_rounded_rows_in_another_order_are_warned_of(linked, rng, copies):
    a, b = (np.repeat(x[: 120 // copies], copies, axis=0) for x in linked)
    order = rng.permutation(120)
    words = conditions_document(compare([run("fp32", a, b), run("int8", rounded(a[order]), rounded(b[order]))]))
    assert words.warning.startswith("The items look to be in another order in int8, side A (of ")
    assert "int8, side B" in words.warning
    (first, _) = words.data["item_order"]["reordered"]
    assert np.array_equal(a[first["row"]], a[order][first["place"]])
    assert words.data["warning"] == words.warning


def test_a_tenth_of_rounded_rows_in_another_order_is_warned_of(linked, rng):
    a, b = linked
    order = np.arange(120)
    order[20:44] = 20 + rng.permutation(24)
    found = compare([run("fp32", a, b), run("int8", rounded(a[order]), rounded(b[order]))])
    assert [one.side for one in found.order.reordered] == ["A", "B"]


def test_seeds_in_other_axes_are_held_against_the_first_run_of_their_seed(linked, rng):
    a, b = linked
    runs = []
    for seed in "123":
        turn = np.linalg.qr(rng.standard_normal((24, 24)))[0]
        order = rng.permutation(120) if seed == "3" else np.arange(120)
        runs.append(run("fp32", a @ turn, b @ turn, seed))
        runs.append(run("int8", rounded(a @ turn)[order], rounded(b @ turn)[order], seed))
    found = compare(runs).order.reordered
    assert [(one.run, one.other, one.side) for one in found] == [
        ("int8 (seed 3)", "fp32 (seed 3)", "A"),
        ("int8 (seed 3)", "fp32 (seed 3)", "B"),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_runs_in_order_are_said_nothing_about_whatever_differs(seed):
    rng = np.random.default_rng(seed)
    topics = rng.standard_normal((6, 16))[rng.integers(0, 6, 150)]
    a = topics + 0.4 * rng.standard_normal((150, 16))
    b = a + 0.3 * rng.standard_normal(a.shape)
    drift = np.cumsum(rng.standard_normal((150, 16)), axis=0)
    damaged = a + 2.0 * rng.standard_normal(a.shape)
    turned = a @ np.linalg.qr(rng.standard_normal((16, 16)))[0]
    empty = a.copy()
    empty[::9] = a[4]
    runs = [run("first", a, b)]
    for name, x in {"drift": drift, "damaged": damaged, "turned": turned, "empty": empty, "scaled": 3 * a}.items():
        runs.append(run(name, x, x + 0.3 * rng.standard_normal(x.shape)))
    assert compare(runs).order.reordered == ()


def test_files_of_other_widths_are_said_not_to_have_been_held_against_each_other(linked):
    a, b = linked
    words = conditions_document(compare([run("full", a, b), run("short", a[:, :12], b[:, :12])]))
    assert "not looked for in short, whose files have other columns" in " ".join(words.note)
    assert words.data["item_order"]["not_compared"] == ["short"]


def test_ids_of_another_order_are_refused_across_runs_before_anything_is_measured(linked):
    a, b = linked
    texts = [f"doc{i}" for i in range(120)]
    one, other = run("fp32", a, b), run("int8", rounded(a), rounded(b))
    one = replace(one, a=named(one.a, texts))
    other = replace(other, a=named(other.a, texts[::-1]))
    with pytest.raises(PairingError, match=r"condition int8 against fp32: int8_a.npy has the rows of fp32_a.npy in an"):
        refuse_runs([one, other])


def test_ids_of_other_items_are_warned_of(linked):
    a, b = linked
    one, other = run("fp32", a, b), run("int8", rounded(a), rounded(b))
    one = replace(one, b=named(one.b, [f"doc{i}" for i in range(120)]))
    other = replace(other, b=named(other.b, [f"new{i}" for i in range(120)]))
    warned = conditions_document(compare([one, other])).warning
    assert "The files name other items (int8 against fp32, side B: 0 of 120 ids in common under id)" in warned


def test_items_that_occur_several_times_are_said_to_be_fewer_independent_ones(linked):
    a, b = (np.repeat(x[:24], 5, axis=0) for x in linked)
    words = conditions_document(compare([run("fp32", a, b), run("int8", a, rounded(b))]))
    (said,) = [text for text in words.note if "independent pairs" in text]
    assert "taken as groups they are 24, not 120 independent pairs" in said
    assert words.data["note"] == list(words.note)
    assert words.data["limits"] == list(words.limits) != []
    once = conditions_document(compare([run("fp32", *linked), run("int8", linked[0], rounded(linked[1]))]))
    assert not any("independent" in text for text in once.note)
    assert once.data["limits"] == list(once.limits) == []
