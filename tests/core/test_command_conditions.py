"""``python -m core conditions`` as scripts meet it: three ways to give files, one line for each mistake."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core import command
from core.report import RENDERERS
from tests.arrays import npy_bytes, related_pair

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(run):
    """Run the command in this process: exit code, stdout, stderr."""
    return partial(run, "conditions")


@pytest.fixture
def folder(tmp_path, pair, rng, monkeypatch):
    """A folder one works in: A.npy, three B and two stacks."""
    a, b = pair
    arrays = {
        "A": a,
        "fp32": b,
        "bf16": b + 0.01 * rng.standard_normal(b.shape),
        "int8": b + 0.5 * rng.standard_normal(b.shape),
        "short": b[:-2],
        "stack_a": np.stack([a, a + 1]),
        "stack_b": np.stack([b, b + 1]),
        "fit": related_pair(rng, n=90)[0],
    }
    for name, array in arrays.items():
        (tmp_path / f"{name}.npy").write_bytes(npy_bytes(array))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(outcome):
    code, out, err = outcome
    assert (code, err) == (0, "")
    return json.loads(out)


def assert_refused(outcome, *words):
    """Exit code 2, nothing on stdout, one line on stderr that says these words."""
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert re.fullmatch(r"error: [^\n]+\n", err)
    for word in words:
        assert word in err


def pairs_of(found):
    return [(one["first"], one["second"]) for one in found["differences"]["raw"]]


def test_one_a_against_several_b_by_name_or_by_stem(folder, run):
    found = said(run("A.npy", "fp32.npy", "half=bf16.npy", "int8.npy"))
    assert pairs_of(found) == [("half", "fp32"), ("int8", "fp32")]
    assert [one["inputs"]["b"]["name"] for one in found["conditions"]] == ["fp32.npy", "bf16.npy", "int8.npy"]
    assert {one["inputs"]["a"]["name"] for one in found["conditions"]} == {"A.npy"}


def test_pairs_of_files_for_conditions_and_seeds(folder, run):
    given = [("--run", f"{name}@{seed}", "A.npy", f"{name}.npy") for seed in "123" for name in ("fp32", "int8")]
    found = said(run(*(word for words in given for word in words)))
    assert found["seeds"] == ["1", "2", "3"]
    (one,) = found["differences"]["raw"]
    assert (one["design"], [x["seed"] for x in one["by_seed"]]) == ("crossed", ["1", "2", "3"])


def test_seeds_of_one_a(folder, run):
    found = said(run("A.npy", "x@1=fp32.npy", "x@2=bf16.npy", "y@1=int8.npy", "y@2=int8.npy"))
    assert found["differences"]["raw"][0]["no_interval"].startswith("2 seeds only describe")


def test_layers_of_two_stacks(folder, run):
    found = said(run("--layers", "stack_a.npy", "stack_b.npy"))
    assert found["layers"] is True
    assert pairs_of(found) == [("layer 1", "layer 0")]
    assert [one["inputs"]["a"]["choices"] for one in found["conditions"]] == [{"layer": 0}, {"layer": 1}]


def test_more_layers_than_items_are_asked_about(folder, run):
    """Saved as (items, layers, columns): 40 items of 5 layers were compared as 40 layers of 5 items without a word."""
    stacks = [np.random.default_rng(seed).standard_normal((40, 5, 6)) for seed in (1, 2)]
    for name, stack in zip("AB", stacks, strict=True):
        np.save(folder / f"turned_{name}.npy", stack)
        np.save(folder / f"right_{name}.npy", np.moveaxis(stack, 1, 0))
    warning = said(run("--layers", "turned_A.npy", "turned_B.npy"))["warning"]
    assert warning.startswith("Are the axes in order? The stack of shape (40, 5, 6) was read as 40 layers of 5 items.")
    assert "np.moveaxis(x, 1, 0)" in warning
    assert "axes" not in (said(run("--layers", "right_A.npy", "right_B.npy"))["warning"] or "")


@pytest.mark.parametrize(
    ("names", "complaint", "read"),
    [
        (("fp32", "we@ird"), "condition fp32 has a run without a seed, and we has seeds", "we@ird as we with seed ird"),
        (("fo@o", "we@ird"), "condition we lacks seed o, unlike fo", "we@ird as we with seed ird"),
        (("we@ird", "we@ther"), "a comparison needs at least two conditions", "we@ther as we with seed ther"),
    ],
)
def test_a_seed_that_was_read_from_a_file_name_is_said_to_be(folder, run, names, complaint, read):
    for name in names:
        (folder / f"{name}.npy").write_bytes((folder / "bf16.npy").read_bytes())
    assert_refused(run("A.npy", *(f"{name}.npy" for name in names)), complaint, read, "NAME=FILE")
    named = [f"run{place}={name}.npy" for place, name in enumerate(names)]
    assert pairs_of(said(run("A.npy", *named))) == [("run1", "run0")]


def test_one_layer_of_every_stack(folder, run):
    found = said(run("stack_a.npy", "x=stack_b.npy", "y=stack_a.npy", "--layer", "1"))
    assert [one["inputs"]["b"]["choices"] for one in found["conditions"]] == [{"layer": 1}] * 2


def test_a_file_whose_name_has_an_equals_sign_is_that_file(folder, run):
    (folder / "x=y.npy").write_bytes((folder / "bf16.npy").read_bytes())
    assert pairs_of(said(run("A.npy", "fp32.npy", "x=y.npy"))) == [("x=y", "fp32")]


@pytest.mark.parametrize(
    ("word", "name"),
    [("k=4=bf16.npy", "k=4"), ("half=x=y.npy", "half"), ("k=4=x=y.npy", "k=4"), ("k=4@1=bf16.npy", "k=4")],
)
def test_of_several_equals_signs_the_one_before_a_file_counts(folder, run, word, name):
    (folder / "x=y.npy").write_bytes((folder / "bf16.npy").read_bytes())
    seeded = "fp32@1=fp32.npy" if "@" in word else "fp32.npy"
    assert pairs_of(said(run("A.npy", seeded, word))) == [(name, "fp32")]


def test_an_equals_sign_in_a_name_comes_back_with_the_command_of_the_report(folder, run):
    html = run("A.npy", "fp32.npy", "k=4=bf16.npy", "--format", "html")[1]
    assert "--run k=4 A.npy bf16.npy" in html or "--run &#x27;k=4&#x27; A.npy bf16.npy" in html


def test_several_files_after_equals_signs_are_refused_with_the_way_out(folder, run):
    (folder / "4=bf16.npy").write_bytes((folder / "bf16.npy").read_bytes())
    refused = run("A.npy", "fp32.npy", "k=4=bf16.npy")
    assert_refused(refused, "has several =, and 4=bf16.npy or bf16.npy are files", "--run NAME")


def test_settings_reach_every_run(folder, run):
    flags = ("--perms", 3, "--seed", 9, "--shared", "--margin", 0.5, "--baseline", "int8", "--fit-a", "fit.npy")
    found = said(run("A.npy", "fp32.npy", "int8.npy", *flags, "--fit-b", "fit.npy"))
    assert found["settings"] == {
        "baseline": "int8",
        "margin": 0.5,
        "margin_declared": "declared with the run",
        "shared_mean": True,
        "n_derangements": 3,
        "seed": 9,
        "candidates": None,
        "drop_bad_rows": False,
        "dropped_rows": 0,
        "dropped_fit_rows": {"a": 0, "b": 0},
    }
    assert all(one["inputs"]["fit_a"]["name"] == "fit.npy" for one in found["conditions"])
    assert pairs_of(said(run("A.npy", "fp32.npy", "bf16.npy", "int8.npy", "--all-pairs"))) == [
        ("bf16", "fp32"),
        ("int8", "fp32"),
        ("int8", "bf16"),
    ]


@pytest.mark.parametrize("name", RENDERERS)
def test_each_format_to_a_file(folder, run, name):
    code, out, err = run("A.npy", "fp32.npy", "int8.npy", "--format", name, "--output", "report")
    assert (code, out, err) == (0, "", "")
    assert "int8" in (folder / "report").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["A.npy", "fp32.npy"], "one A and at least two B"),
        ([], "one A and at least two B"),
        (["A.npy", "fp32.npy", "gone.npy"], "condition gone: gone.npy"),
        (["A.npy", "fp32.npy", "int8=gone.npy"], "condition int8: gone.npy"),
        (["gone.npy", "fp32.npy", "int8.npy"], "side A: gone.npy"),
        (["A.npy", "fp32.npy", "short.npy"], "condition short: short.npy has 38 rows and A.npy has 40"),
        (["A.npy", "x@1=fp32.npy", "x@2=bf16.npy", "y@1=int8.npy"], "condition y lacks seed 2, unlike x"),
        (["A.npy", "x=fp32.npy", "x=bf16.npy"], "condition x is given twice"),
        (["A.npy", "=fp32.npy", "int8.npy"], "=fp32.npy is no NAME=FILE"),
        (["A.npy", "k=4=gone.npy", "int8.npy"], "k=4=gone.npy has several =, and none of them has a file after it"),
        (["A.npy", "int8=", "fp32.npy"], "int8= is no NAME=FILE"),
        (["A.npy", "@1=fp32.npy", "int8.npy"], "@1 is no NAME@SEED"),
        (["A.npy", "--run", "x", "A.npy", "fp32.npy"], "pairs of files are given with --run, and A.npy"),
        (["A.npy", "fp32.npy", "int8.npy", "--margin", "0"], "margin (--margin) is 0"),
        (["A.npy", "fp32.npy", "int8.npy", "--perms", "0"], "derangements (--perms) is 0"),
        (["A.npy", "fp32.npy", "int8.npy", "--baseline", "q"], "no condition called q"),
        (["A.npy", "fp32.npy", "int8.npy", "--baseline", "int8", "--all-pairs"], "a baseline is given too"),
        (["A.npy", "fp32.npy", "int8.npy", "--output", "int8.npy"], "int8.npy"),
        (["A.npy", "fp32.npy", "stack_b.npy"], "0, 1. Say which with --layer, for example --layer 0."),
        (["--layers", "A.npy"], "--layers compares two stacks, and 1 file is given"),
        (["--layers", "A.npy", "fp32.npy"], "side A: A.npy has shape (40, 8); a stack of layers has three axes"),
        (["--layers", "stack_a.npy", "stack_b.npy", "--layer", "1"], "--layer is for one of them"),
        (["A.npy", "fp32.npy", "int8.npy", "--frobnicate"], "unrecognized arguments"),
    ],
)
def test_every_mistake_is_one_line_that_names_it(folder, run, words, complaint):
    before = (folder / "int8.npy").read_bytes()
    assert_refused(run(*words), complaint)
    assert (folder / "int8.npy").read_bytes() == before


def test_help_tells_the_three_ways(capsys):
    with pytest.raises(SystemExit) as left:
        command.main(["conditions", "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    for word in ("NAME=FILE", "--run", "--layers", "--margin", "--baseline", "--all-pairs"):
        assert word in shown


def test_items_with_bad_rows_are_left_out_where_asked(folder, run):
    bad = np.load(folder / "int8.npy")
    bad[4] = 0
    np.save(folder / "bad.npy", bad)
    assert_refused(run("A.npy", "fp32.npy", "bad.npy"), "is zero", "--drop-bad-rows")
    found = said(run("A.npy", "fp32.npy", "bad.npy", "--drop-bad-rows"))
    assert (found["settings"]["drop_bad_rows"], found["settings"]["dropped_rows"]) == (True, 1)
    assert found["n"] == len(bad) - 1
    fitted = said(run("A.npy", "fp32.npy", "int8.npy", "--drop-bad-rows", "--fit-b", "bad.npy"))
    assert (fitted["settings"]["dropped_rows"], fitted["settings"]["dropped_fit_rows"]) == (0, {"a": 0, "b": 1})
