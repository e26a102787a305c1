"""``python -m core verify``: silent about nothing that differs, and only about what does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import core.command.verify
from core.report.conditions_data import CONDITIONS_SCHEMA
from core.report.two_models_data import SCHEMA as TWO_MODELS_SCHEMA
from tests.arrays import related_pair

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "sample_data"


@pytest.fixture
def report(tmp_path, run, files):
    """The JSON report of the pair."""
    path = tmp_path / "report.json"
    assert run(*files, "--output", path)[0] == 0
    return path


def tamper(report, *path, to):
    data = json.loads(report.read_text())
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    report.write_text(json.dumps(data))


def test_the_right_files_are_equal_in_one_line(run, report, files):
    code, out, err = run("verify", report, *files)
    assert (code, err) == (0, "")
    assert out.startswith("equal: report.json and the audit run again, in 2 fingerprints, ")
    assert out.count("\n") == 1
    assert "made by the same versions" in out


def test_a_renamed_file_is_still_the_same_file(run, report, files, tmp_path):
    files[0].rename(tmp_path / "renamed.bin")
    assert run("verify", report, tmp_path / "renamed.bin", files[1])[0] == 0


def with_two_bad_rows(rows):
    rows = rows.copy()
    rows[3], rows[7, 0] = 0, np.nan
    return rows


def write(folder, rng):
    """Files of every kind that `WAYS` asks for."""
    a, b = related_pair(rng)
    fit = related_pair(rng, n=60)[0]
    arrays = {"a": a, "b": b, "bad": with_two_bad_rows(a), "fit": fit, "stack": np.stack([b, a, a - b])}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    np.savez(folder / "two.npz", first=a, second=b)
    (folder / "ids.txt").write_text("".join(f"text {row // 2}\n" for row in range(len(a))))


#: The files and flags of an audit; those that only say how are taken from the report.
WAYS = {
    "shared mean": (["a.npy", "b.npy"], ["--shared", "--seed", "5", "--perms", "3"]),
    "candidates": (["a.npy", "b.npy"], ["--candidates", "9"]),
    "dropped rows": (["bad.npy", "b.npy"], ["--drop-bad-rows"]),
    "fit arrays": (["a.npy", "b.npy", "--fit-a", "fit.npy", "--fit-b", "fit.npy"], []),
    "one fit array": (["a.npy", "b.npy", "--fit-b", "fit.npy"], ["--shared"]),
    "layer": (["stack.npy", "b.npy"], ["--layer-a", "1"]),
    "member": (["two.npz", "b.npy"], ["--key-a", "second"]),
    "groups": (["a.npy", "b.npy", "--groups", "ids.txt"], []),
    "margin": (["a.npy", "b.npy"], ["--margin", "0.05"]),
    "undefined": (["a.npy", "b.npy", "--fit-a", "a.npy"], []),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_kind_of_audit_is_repeated_from_its_report(tmp_path, rng, run, way):
    write(tmp_path, rng)
    given, flags = WAYS[way]
    files = [word if word.startswith("-") else tmp_path / word for word in given]
    report = tmp_path / "report.json"
    assert run(*files, *flags, "--output", report)[0] == 0
    code, out, err = run("verify", report, *files)
    assert (code, err) == (0, ""), out
    assert out.startswith("equal: ")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("n",), 41, "n: 41 in the report, 40 now"),
        (("exact", "raw", "gap"), 0.5, "exact.raw.gap: 0.5 in the report, 0."),
        (("raw", "matched"), 0.9999, "raw.matched: 0.9999 in the report, 0."),
        (("reading",), "All is well.", "reading: 'All is well.' in the report, 'All 1,560"),
        (("settings", "dropped_rows"), 3, "settings.dropped_rows: 3 in the report, 0 now"),
        (("inputs", "a", "bytes"), 1, "inputs.a.bytes: 1 in the report, "),
        (("praise",), "good", "praise: 'good' in the report, nothing now"),
        (("\u202e\n",), 1, "\\u202e\\u000a: 1 in the report, nothing now"),
        (("settings", "seed"), 1, "raw.floor: "),
    ],
)
def test_a_tampered_value_is_named_with_exit_code_3(run, report, files, path, value, said):
    tamper(report, *path, to=value)
    code, out, err = run("verify", report, *files)
    assert (code, err) == (3, "")
    assert out.startswith("differs: ")
    assert said in out
    assert "made by the same versions" in out


def test_a_figure_taken_out_of_the_report_is_a_difference(run, report, files):
    data = json.loads(report.read_text())
    del data["exact"]["centred"]["floor_mean"], data["settings"]["seed"]
    report.write_text(json.dumps(data))
    code, out, _ = run("verify", report, *files)
    assert code == 3
    assert out.startswith("differs: 2 of ")
    assert "exact.centred.floor_mean: nothing in the report" in out
    assert "settings.seed: nothing in the report, 0 now" in out


def test_other_versions_are_listed_and_no_difference(run, report, files):
    tamper(report, "versions", "numpy", to="1.2\n3")
    code, out, _ = run("verify", report, *files)
    assert code == 0
    assert f"versions, not compared: numpy 1.2\\u000a3 in the report, {np.__version__} now" in out
    assert out.count("\n") == 1


def test_a_long_list_is_cut(run, report, files):
    known = json.loads(report.read_text())["notices"]
    tamper(report, "notices", to=[*known, *({"text": "x" * 5_000} for _ in range(300))])
    code, out, _ = run("verify", report, *files)
    assert code == 3
    assert "  and 250 more\n" in out
    assert len(out) < 20_000


def test_a_wrong_file_is_named_and_nothing_is_run(run, report, files, monkeypatch):
    monkeypatch.setattr(core.command.verify, "audit", None)
    other = files[1].with_name("other.npy")
    other.write_bytes(files[1].read_bytes() + b"x")
    code, out, err = run("verify", report, files[0], other)
    assert (code, err) == (3, "")
    assert out.startswith("differs: 1 of 2 files is not that of report.json; nothing was run\n")
    assert "side B: other.npy has SHA-256 " in out
    assert "side A" not in out


def test_other_groups_are_another_file(run, files, tmp_path):
    ids, other, report = (tmp_path / name for name in ("ids.txt", "other.txt", "report.json"))
    ids.write_text("".join(f"{row // 2}\n" for row in range(40)))
    other.write_text("".join(f"{row // 4}\n" for row in range(40)))
    assert run(*files, "--groups", ids, "--output", report)[0] == 0
    code, out, _ = run("verify", report, *files, "--groups", other)
    assert code == 3
    assert "a file of groups: other.txt has SHA-256" in out
    code, out, err = run("verify", report, *files)
    assert (code, out) == (2, "")
    assert err == "error: report.json was made with a file of groups, which is not given. Give it with --groups.\n"


def test_sides_the_wrong_way_round_are_recognised(run, report, files):
    code, out, _ = run("verify", report, *reversed(files))
    assert code == 3
    assert "side A: B.npy has SHA-256" in out
    assert "(it is side B of the report)" in out


def test_a_fit_array_too_many_or_too_few_is_one_line(run, report, files, tmp_path):
    code, out, err = run("verify", report, *files, "--fit-a", files[0])
    assert (code, out) == (2, "")
    assert err == "error: report.json was made without a fit array of A. Leave out --fit-a.\n"
    assert run(*files, "--fit-b", files[0], "--output", report)[0] == 0
    code, out, err = run("verify", report, *files)
    assert (code, out) == (2, "")
    assert err == "error: report.json was made with a fit array of B, which is not given. Give it with --fit-b.\n"


@pytest.mark.parametrize("content", [b"", b"{", b'{"schema": "cosine-floor/9"}', b"[" * 100_000])
def test_what_is_no_report_is_one_line(run, report, files, content):
    report.write_bytes(content)
    code, out, err = run("verify", report, *files)
    assert (code, out) == (2, "")
    assert err.startswith("error: report.json ")
    assert err.count("\n") == 1


def test_missing_files_are_one_line(run, report):
    code, out, err = run("verify", report)
    assert (code, out) == (2, "")
    assert "A.npy" in err


def test_as_a_process_with_the_shipped_example(tmp_path):
    files = [SAMPLE / "e5_small" / name for name in ("a.npy", "b.npy")]
    python = [sys.executable, "-m", "core"]
    report = tmp_path / "report.json"
    subprocess.run([*python, *files, "--output", report], cwd=ROOT, check=True, timeout=60)
    done = subprocess.run([*python, "verify", report, *files], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    report.write_text(report.read_text().replace('"n": 400', '"n": 401'))
    done = subprocess.run([*python, "verify", report, *files], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (3, "")
    assert "n: 401 in the report, 400 now" in done.stdout


@pytest.mark.parametrize("command", [("claim", "--claim=0.9"), ("rows",)])
def test_a_report_of_another_command_is_said_to_be_one(run, files, tmp_path, command):
    path = tmp_path / "other.json"
    assert run(command[0], *files, *command[1:], "--format", "json", "--output", path)[0] == 0
    code, out, err = run("verify", path, *files)
    assert (code, out) == (2, "")
    assert f"is a report of `{command[0]}`; verify takes that of an audit" in err
    assert "version that wrote it" not in err


@pytest.mark.parametrize("command", ["conditions", "two-models"])
def test_every_schema_of_another_command_is_known_as_one(run, files, tmp_path, command):
    schemas = {"conditions": CONDITIONS_SCHEMA, "two-models": TWO_MODELS_SCHEMA}
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"schema": schemas[command]}))
    assert f"is a report of `{command}`" in run("verify", path, *files)[2]


def test_a_long_sentence_is_shown_from_a_little_before_where_it_differs(run, report, files):
    said = json.loads(report.read_text())["methods"]
    tamper(report, "methods", to=f"{said[:-12]}#{said[-11:]}")
    out = run("verify", report, *files)[1]
    assert f"#{said[-11:-6]}" in out
    assert f"'…{said[-32:-26]}" in out


def test_a_margin_declared_after_a_first_look_is_said_and_repeated(run, tmp_path, files):
    said = json.loads(run(*files, "--margin", "0.1", "--margin-after-look", "--format", "json")[1])
    assert said["verdict"]["margin_declared"] == "declared after a first look"
    page = run(*files, "--margin", "0.1", "--margin-after-look", "--format", "html")[1]
    assert "--margin 0.1 --margin-after-look" in page


@pytest.mark.parametrize("written", ["-1e-3", "-5E-05", "-.5e-1"])
def test_a_negative_number_with_an_exponent_is_a_number(run, files, written):
    code, out, err = run("claim", *files, "--claim", written, "--cutoff", written)
    assert (code, err) == (0, "")
    assert out
