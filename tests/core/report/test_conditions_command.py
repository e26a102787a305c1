"""The command that a report of conditions gives: pasted into a shell, it gives the same report."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import core
from core import command
from core.audit import AuditSettings
from core.comparison import ComparisonSettings, Run, compare, layer_runs
from core.formats import read_stack
from core.report import RENDERERS, conditions_document
from core.report.conditions_command import conditions_command
from tests.arrays import inspected, npy_bytes, related_pair


@pytest.fixture
def folder(tmp_path, rng, monkeypatch):
    a, b = related_pair(rng)
    arrays = {
        "A.npy": a,
        "B one.npy": b,
        "C.npy": b + 0.4 * rng.standard_normal(b.shape),
        "fit.npy": related_pair(rng, n=70)[0],
        "-stack.npy": np.stack([a, a + 1]),
        "stack.npy": np.stack([b, b + 1]),
    }
    for name, array in arrays.items():
        (tmp_path / name).write_bytes(npy_bytes(array))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def given(name, **choices):
    from pathlib import Path

    return core.load(Path(name), choices=core.ReadChoices(**choices))


def assert_gives_itself(comparison, capsys):
    words = shlex.split(conditions_command(comparison))
    assert words[:4] == ["python", "-m", "core", "conditions"]
    assert command.main(words[3:]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again == json.loads(RENDERERS["json"](conditions_document(comparison)))


def test_conditions_seeds_and_settings(folder, capsys):
    a, b, c = (given(name) for name in ("A.npy", "B one.npy", "C.npy"))
    runs = [Run(label=x, seed=s, a=a, b=y) for s in "12" for x, y in (("fp 32", b), ("int8", c))]
    assert_gives_itself(compare(runs), capsys)
    audit = AuditSettings(shared_mean=True, n_derangements=3, seed=7, candidates=9)
    settings = ComparisonSettings(audit=audit, margin=0.05, baseline="int8")
    assert_gives_itself(compare(runs, given("fit.npy"), given("fit.npy"), settings=settings), capsys)
    assert_gives_itself(compare(runs, settings=ComparisonSettings(all_pairs=True)), capsys)


def test_layers(folder, capsys):
    stacks = (
        [core.inspect(x) for x in read_stack((folder / name).read_bytes(), name)]
        for name in ("-stack.npy", "stack.npy")
    )
    assert_gives_itself(compare(layer_runs(*stacks), layers=True), capsys)


def test_one_layer_of_every_file(folder, capsys):
    a, b = (given(name, layer=1) for name in ("-stack.npy", "stack.npy"))
    assert_gives_itself(compare([Run(label="x", a=a, b=b), Run(label="y", a=b, b=a)]), capsys)


def test_where_no_command_says_the_same_there_is_none(folder):
    a, b = given("A.npy"), given("stack.npy", layer=1)
    unlike = compare([Run(label="x", a=a, b=b), Run(label="y", a=a, b=a)])
    assert conditions_command(unlike) == ""
    for label in ("a@b", "-x", "@", "x@"):
        found = compare([Run(label=label, a=a, b=a), Run(label="y", a=a, b=a)])
        assert conditions_command(found) == "", label


def test_a_hostile_name_does_nothing_in_a_shell(pair):
    a, b = (inspected(side, "$(touch x); .npy") for side in pair)
    found = conditions_command(compare([Run(label="`id`", a=a, b=b), Run(label="y", a=a, b=a)]))
    assert shlex.split(found)[5:8] == ["`id`", "$(touch x); .npy", "$(touch x); .npy"]
    assert "'$(touch x); .npy'" in found
