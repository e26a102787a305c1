"""The whole corpus through the command line: one decision each, and rules that no file may break.

Oracle for the figures: `tests.oracle`, from the definitions, in extended precision.
"""

from __future__ import annotations

import json
import math
import os
import re
import resource
import sys

import numpy as np
import pytest

import core.__main__ as command
from core.report.names import visible
from tests import hostile, hostile_tables, oracle
from tests.hostile_pairs import PAIRS
from tests.hostile_pairs import A as GOOD_A
from tests.hostile_pairs import B as GOOD_B

FILES = {
    f"{table}/{name}": case
    for module, tables in (
        (hostile, ("NPY", "DTYPE", "SHAPE", "ARCHIVE", "PICKLES", "OTHERS")),
        (hostile_tables, ("TEXT", "JSON", "ARROW", "SAFETENSORS")),
    )
    for table in tables
    for name, case in getattr(module, table).items()
}

#: Names that would act on a page, a table or a shell.
NAMES = [
    "**bold** [link](javascript:alert(1)) `code`.npy",
    "![](http:..example.org.x.png).npy",
    "<img src=x onerror=alert(1)>.npy",
    "&lt;b&gt; &amp; \"quotes\" 'single'.npy",
    ":warning: :material_delete: :red[x] $x^2$.npy",
    "evil\u202eypn.exe.npy",
    "tab\tand\u0007bell\nline.npy",
    ".npy",
    "no_extension",
    "100%25 %s %d {0} {x}.npy",
    "=cmd|' calc'!A0.npy",
    "é" * 120 + ".npy",
    "\\input{x} \\write18{y} 50% & #1 _^~.npy",
]

#: A pair small enough for the oracle's loops over all scores.
RANKED_ROWS = 64

MOST_SECONDS, MOST_BYTES = 5.0, 500e6


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command line on files; the rules that hold for each of them are checked here."""
    home = tmp_path / "one" / "two" / "three"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)

    def ran(*arguments):
        spent, peak = _processor_seconds(), _peak_bytes()
        code = command.main([str(argument) for argument in arguments])
        assert _processor_seconds() - spent < MOST_SECONDS
        assert _peak_bytes() - peak < MOST_BYTES
        assert not list(tmp_path.rglob("*PWNED*"))
        out, err = capsys.readouterr()
        if code == 0:
            assert err == ""
            return code, _sound_json(out)
        assert code == 2
        assert out == ""
        assert re.fullmatch(r"error: [^\n]+\n", err)
        assert str(tmp_path) not in err
        assert not re.search(r"Traceback|\w(Error|Exception)\b|allow_pickle=True|/(tmp|home|root|usr)/", err)
        return code, err

    return ran


def _processor_seconds():
    """Of this process and its children; the clock would count a busy machine too."""
    return sum(os.times()[:4])


def _peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _sound_json(text):
    """The report as a dictionary, every figure in it in its range."""

    def no_constant(word):
        raise AssertionError(f"{word} in the report")

    found = json.loads(text, parse_constant=no_constant)
    for prose in (found["reading"], *(notice["text"] for notice in found["notices"])):
        ours = prose.replace("'None'", "")  # a cell of the file, quoted
        assert not re.search(r"\bNone\b|\b(nan|inf)\b(?!ite)", ours), prose
    for exact in (found["exact"]["raw"], found["exact"]["centred"]):
        for figure in ("matched_mean", "matched_min", "matched_max", "floor_mean"):
            assert exact[figure] is None or -1 <= exact[figure] <= 1, figure
        assert exact["floor_sd"] is None or 0 <= exact["floor_sd"] <= 1
    for ranks in (found["ranks"]["raw"], found["ranks"]["centred"]):
        for direction in (ranks["a_to_b"], ranks["b_to_a"]):
            for share in ("pessimistic", "expected", "optimistic"):
                assert direction[share] is None or 0 <= direction[share] <= 1
    assert all(math.isfinite(number) for number in _numbers(found))
    return found


def _numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float):
        yield value


def _said(found):
    """What a reader is told besides the figures, without the files' names."""
    words = [notice["text"] for notice in found["notices"]]
    words += [
        found["reading"],
        found.get("warning", ""),
        *found.get("note", []),
        found["exact"]["centred_undefined"] or "",
    ]
    return " ".join(words).lower()


def _assert_says(text, groups):
    for group in groups:
        assert any(word.lower() in text for word in group), (group, text)


def _assert_figures(found, a, b, *, centred, fit_a=None, fit_b=None):
    """The exact figures against the oracle's."""
    units = oracle.unit(a, np.longdouble), oracle.unit(b, np.longdouble)
    sides = {"raw": units}
    if centred:
        sides["centred"] = oracle.centred_sides(a, b, fit_a, fit_b, dtype=np.longdouble)
    for reading, (one, other) in sides.items():
        expected, shown = oracle.exact(one, other), found["exact"][reading]
        for figure, name in (("matched", "matched_mean"), ("floor", "floor_mean"), ("gap", "gap"), ("floor_sd",) * 2):
            assert shown[name] == pytest.approx(expected[figure], abs=1e-6), (reading, name)
        if len(a) <= RANKED_ROWS:
            ranks = oracle.first_shares((one @ other.T).astype("f8"))
            assert {key: found["ranks"][reading]["a_to_b"][key] for key in ranks} == pytest.approx(ranks)
    for side, one in zip("ab", units, strict=True):
        assert found["exact"]["anisotropy"][side]["before"] == pytest.approx(
            float(oracle.mean_cosine_between_rows(one)), abs=1e-6
        )
    if not centred:
        assert found["exact"]["centred"]["matched_mean"] is None


@pytest.mark.parametrize("name", FILES)
def test_each_file_gets_its_decision(run, tmp_path, name):
    case, given = FILES[name], name.split("/", 1)[1]
    path, partner = tmp_path / given, tmp_path / "partner"
    path.write_bytes(case.build())
    rows = hostile.GOOD if case.array is None else case.array
    other = np.random.default_rng(1).standard_normal(rows.shape)
    partner.write_bytes(hostile.npy(other))
    code, answer = run(path, partner)
    if case.decision == "take" and np.isnan(rows).any():
        _assert_left_out_on_request(run, (path, partner), case, (code, answer), (rows, other))
        return
    if case.decision == "take":
        assert code == 0, answer
        assert answer["inputs"]["a"]["name"] == given
        _assert_says(_said(answer).replace(given.lower(), ""), case.say)
        constant = bool((rows == rows[0]).all())
        _assert_figures(answer, rows, other, centred=not constant)
        return
    assert code == 2
    assert answer.startswith(f"error: side A: {visible(given)}"), answer
    _assert_says(answer.replace(visible(given), "").lower(), case.say)
    flags = re.search(r"--(key|columns|layer)-a|--read-a-as", answer)
    assert bool(flags) == (case.decision == "ask"), answer


def _assert_left_out_on_request(run, paths, case, first, sides):
    """Rows without a number are refused by number, and left out when asked to."""
    code, answer = first
    assert code == 2
    assert "--drop-bad-rows" in answer
    _assert_says(answer.lower(), case.say)
    kept = ~np.isnan(sides[0]).any(axis=1)
    if kept.sum() < 3:
        return
    code, found = run(*paths, "--drop-bad-rows")
    assert code == 0
    assert found["settings"]["dropped_rows"] == (~kept).sum()
    _assert_says(_said(found), case.say)
    _assert_figures(found, *(side[kept] for side in sides), centred=True)


@pytest.mark.parametrize("name", PAIRS)
def test_each_pair_gets_its_decision(run, tmp_path, name):
    case = PAIRS[name]
    given = case.build()
    arguments = []
    for side, rows in given.items():
        path = tmp_path / f"{side}.npy"
        path.write_bytes(hostile.npy(rows))
        arguments += [path] if side in ("a", "b") else [f"--{side.replace('_', '-')}", path]
    code, answer = run(*arguments)
    if case.decision == "take":
        assert code == 0, answer
        _assert_says(_said(answer), case.say)
        _assert_figures(answer, **given, centred=case.centred)
    else:
        assert code == 2
        assert ".npy" in answer
        _assert_says(answer.lower(), case.say)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_changes_nothing_but_itself(run, tmp_path, name):
    for path, rows in ((tmp_path / name, GOOD_A), (tmp_path / "b.npy", GOOD_B)):
        path.write_bytes(hostile.npy(rows))
    code, found = run(tmp_path / name, tmp_path / "b.npy")
    assert code == 0
    assert found["inputs"]["a"]["name"] == name
    _assert_figures(found, GOOD_A, GOOD_B, centred=True)


def test_two_files_of_one_name_are_two_files(run, tmp_path):
    paths = [tmp_path / side / "embeddings.npy" for side in "ab"]
    for path, rows in zip(paths, (GOOD_A, GOOD_B), strict=True):
        path.parent.mkdir()
        path.write_bytes(hostile.npy(rows))
    code, found = run(*paths)
    assert code == 0
    assert "same file" not in _said(found)
    _assert_figures(found, GOOD_A, GOOD_B, centred=True)


def test_a_folder_named_like_a_file_is_refused(run, tmp_path):
    (tmp_path / "folder.npy").mkdir()
    (tmp_path / "b.npy").write_bytes(hostile.npy(GOOD_B))
    code, answer = run(tmp_path / "folder.npy", tmp_path / "b.npy")
    assert code == 2
    assert "folder.npy is a folder" in answer


def test_bad_rows_are_left_out_on_request_and_counted(run, tmp_path):
    rows = GOOD_A.copy()
    rows[17], rows[30] = np.nan, 0
    for name, array in (("a.npy", rows), ("b.npy", GOOD_B)):
        (tmp_path / name).write_bytes(hostile.npy(array))
    code, found = run(tmp_path / "a.npy", tmp_path / "b.npy", "--drop-bad-rows")
    assert code == 0
    assert found["settings"]["dropped_rows"] == 2
    _assert_says(_said(found), (("2 pairs",), ("left out",)))
    kept = np.delete(np.arange(64), [17, 30])
    _assert_figures(found, rows[kept], GOOD_B[kept], centred=True)


@pytest.mark.parametrize("flags", [("--read-a-as", "bfloat16"), ("--read-a-as", "numbers")])
def test_a_choice_made_leads_to_the_audit_of_that_choice(run, tmp_path, flags):
    bits = hostile.bfloat16_bits(hostile.GOOD)
    for name, array in (("a.npy", bits), ("b.npy", hostile.GOOD)):
        (tmp_path / name).write_bytes(hostile.npy(array))
    code, found = run(tmp_path / "a.npy", tmp_path / "b.npy", *flags)
    assert code == 0
    _assert_figures(found, hostile.BF16 if "bfloat16" in flags else bits, hostile.GOOD, centred=True)


@pytest.mark.parametrize(
    ("name", "data", "flag", "value"),
    [
        (
            "a.npz",
            lambda: hostile.zipped(image=hostile.npy(hostile.GOOD * 2 + 1), text=hostile.npy(hostile.GOOD)),
            "--key-a",
            "text",
        ),
        ("a.npy", lambda: hostile.npy(np.stack([hostile.GOOD * 2 + 1, hostile.GOOD])), "--layer-a", "1"),
        (
            "a.parquet",
            lambda: hostile_tables.parquet(
                p=hostile_tables.lists(hostile.GOOD * 2 + 1), q=hostile_tables.lists(hostile.GOOD)
            ),
            "--columns-a",
            "q",
        ),
    ],
)
def test_each_flag_that_a_question_names_answers_it(run, tmp_path, name, data, flag, value):
    (tmp_path / name).write_bytes(data())
    other = np.random.default_rng(1).standard_normal(hostile.GOOD.shape)
    (tmp_path / "b.npy").write_bytes(hostile.npy(other))
    code, answer = run(tmp_path / name, tmp_path / "b.npy")
    assert code == 2
    assert flag in answer
    assert value in answer
    code, found = run(tmp_path / name, tmp_path / "b.npy", flag, value)
    assert code == 0
    _assert_figures(found, hostile.GOOD, other, centred=True)
