"""Two models in words, tables, figures and JSON: complete, undefined where undefined, documented."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.command import main
from core.report import RENDERERS, two_models_document
from core.report.two_models_data import SCHEMA
from core.report.two_models_document import NOT_EVIDENCE
from core.two_models import TwoModelsSettings, audit_two_models
from tests.arrays import inspected
from tests.core.report.hostile_names import HOSTILE_NAMES

README = Path(__file__).parents[3] / "README.md"

NULL = {"observed": float, "mean": float, "sd": float, "pvalue": float, "n_permutations": int, "n_rows": int}
SHARES = {"optimistic": float, "expected": float, "pessimistic": float, "tied": int}
LAYOUT = {
    "schema": str,
    "reading": str,
    "warning": str | None,
    "note": list,
    "methods": str,
    "pairs": {"given": int, "used": int, "compared": int, "train": int, "split_in_halves": bool},
    "series": {"file_order": str, "rows_apart": int, "moved_gap": dict | None},
    "dim": {"a": int, "b": int},
    "map_rank": int,
    "mapped": dict,
    "not_evidence": {"gap_without_map": float, "gap_added_by_map": float, "error_of_added": float},
    "cka": {"debiased": float, "null": NULL},
    "neighbours": {
        "overlap": float,
        "k": int,
        "n": int,
        "chance": float,
        "decided_by_lot": int,
        "null": NULL,
    },
    "notices": list,
    "inputs": dict,
    "groups": dict | None,
    "settings": {
        "seed": int,
        "drop_bad_rows": bool,
        "n_derangements": int,
        "n_permutations": int,
        "dropped_rows": int,
        "dropped_train_rows": int,
    },
    "versions": dict,
}


def compared(*arrays, names=("a.npy", "b.npy", "ta.npy", "tb.npy"), **settings):
    sides = [inspected(array, name) for array, name in zip(arrays, names, strict=False)]
    return audit_two_models(*sides, settings=TwoModelsSettings(**settings))


@pytest.fixture(scope="module")
def result():
    """40 pairs of 6 and 9 columns seen by two encoders."""
    rng = np.random.default_rng(0)
    things = rng.standard_normal((40, 5))
    return compared(*(things @ rng.standard_normal((5, d)) + 0.3 * rng.standard_normal((40, d)) for d in (9, 9)))


def assert_laid_out(found, layout, path="$"):
    assert list(found) == list(layout), path
    for key, kind in layout.items():
        if isinstance(kind, dict):
            assert_laid_out(found[key], kind, f"{path}.{key}")
        else:
            assert isinstance(found[key], kind), f"{path}.{key}"


def test_the_json_has_these_keys_in_this_order(result):
    found = json.loads(RENDERERS["json"](two_models_document(result)))
    assert_laid_out(found, LAYOUT)
    assert found["schema"] == SCHEMA
    assert "train" not in json.dumps(found["mapped"]), "what train rows score is no evidence"


def test_the_readme_documents_every_key():
    section = README.read_text(encoding="utf-8").split("## Two models\n")[1].split("\n## ")[0]
    for key, inner in LAYOUT.items():
        assert f"`{key}`" in section or f"`{key}." in section, key
        for name in inner if isinstance(inner, dict) else ():
            assert f"`{name}`" in section, f"{key}.{name}"
    assert f"`{SCHEMA}`" in section


def test_every_row_has_a_cell_for_each_column_and_every_number_is_one(result):
    for table in two_models_document(result).tables:
        for row in table.rows:
            assert len(row.cells) == len(table.columns)
            if table.numeric:
                assert [float(cell.replace("−", "-").replace(",", "")) for cell in row.cells]


def test_the_reading_without_a_map_is_nowhere_without_its_label(result):
    """Its figure stands in one note and one table, and both say what it is."""
    plain = f"{result.found.unmapped.plain:.4f}".replace("-", "−")
    words = two_models_document(result)
    assert plain not in words.reading
    assert [NOT_EVIDENCE in note for note in words.note if plain in note] == [True]
    holding = [table for table in words.tables if any(plain in row.cells for row in table.rows)]
    assert len(holding) == 1
    assert any(NOT_EVIDENCE in column for column in holding[0].columns)


def test_neighbours_are_never_without_k_n_and_chance(result):
    near = result.found.neighbours
    words = two_models_document(result)
    (row,) = [row for table in words.tables for row in table.rows if "nearest rows" in row.label]
    assert f"k = {near.k}, n = {near.n_rows}" in row.label
    assert row.cells[1] == f"{near.chance:.4f}"
    assert f"chance {100 * near.chance:.1f}% with n = {near.n_rows}" in words.note[1]


def test_figures_say_what_the_tables_say(result):
    histogram, bars = two_models_document(result).figures
    found = result.found
    assert [mark.value for mark in histogram.panels[0].marks] == [
        found.mapped.exact.floor_mean,
        found.mapped.matched_mean,
    ]
    shown = [tuple(bar.value for bar in group.bars) for group in bars.groups]
    assert shown == [
        (found.mapped.a_to_b.expected, found.mapped.a_to_b.chance),
        (found.mapped.b_to_a.expected, found.mapped.b_to_a.chance),
        (found.neighbours.overlap, found.neighbours.chance),
        (found.cka, 0.0),
    ]


def test_sides_without_geometry_have_no_cka_and_say_so(result):
    bare = replace(result, found=replace(result.found, cka=None, cka_null=None))
    words = two_models_document(bare)
    assert "debiased CKA is undefined, because one side has all rows equally far apart" in words.note[1]
    found = json.loads(RENDERERS["json"](words))
    assert found["cka"] == {"debiased": None, "null": None}
    assert all(render(words) for render in RENDERERS.values())


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_every_format_survives_a_hostile_name(result, name):
    under = two_models_document(replace(result, a=replace(result.a, name=name), train_a=replace(result.a, name=name)))
    for render in RENDERERS.values():
        render(under).encode("utf-8")


def test_the_command_repeats_the_result(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(1)
    arrays = {"a.npy": (30, 4), "b.npy": (30, 6), "ta.npy": (20, 4), "tb.npy": (20, 6)}
    rows = {name: rng.standard_normal(shape) for name, shape in arrays.items()}
    rows["a.npy"][3] = np.nan
    for name, array in rows.items():
        np.save(tmp_path / name, array)
    words = two_models_document(compared(*rows.values(), seed=5, drop_bad_rows=True))
    monkeypatch.chdir(tmp_path)
    python, minus_m, core, *arguments = shlex.split(words.command)
    assert (python, minus_m, core) == ("python", "-m", "core")
    assert main(arguments) == 0
    again, first = json.loads(capsys.readouterr().out), json.loads(RENDERERS["json"](words))
    again.pop("versions"), first.pop("versions")
    assert again == first
