"""The command line as scripts meet it: exit codes, streams, one-line errors, whole files.

Most tests call `main` as ``python -m core`` does; those about processes start one.
"""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import core.command.audit
import core.command.before
import core.command.files
from core import command
from core.provenance import VERSION
from core.report import RENDERERS
from tests.arrays import npy_bytes, related_pair

ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(tmp_path, pair):
    """A.npy and B.npy of an ordinary pair, in a folder of their own."""
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path, array in zip(paths, pair, strict=True):
        path.write_bytes(npy_bytes(array))
    return [str(path) for path in paths]


def process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "core", *map(str, arguments)], cwd=ROOT, capture_output=True, timeout=60, **options
    )


def assert_refused(outcome, *words):
    """Exit code 2, nothing on stdout, one line on stderr that says these words."""
    code, out, err = outcome
    assert code == 2
    assert out == ""
    assert re.fullmatch(r"error: [^\n]+\n", err)
    for word in words:
        assert word in err


# ---------------------------------------------------------------- what it prints


def test_the_bare_form_prints_the_audit_as_json(files, run):
    code, out, err = run(*files)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["n"], found["dim"]) == (40, 8)
    assert [found["inputs"][side]["name"] for side in "ab"] == ["A.npy", "B.npy"]


@pytest.mark.parametrize("name", RENDERERS)
def test_each_format(files, run, name):
    code, out, err = run(*files, "--format", name)
    assert (code, err) == (0, "")
    starts = {
        "json": "{\n",
        "markdown": "**Cosine audit",
        "latex": "% Cosine audit",
        "csv": "table,row,column,value\n",
        "html": "<!DOCTYPE html>\n",
    }
    assert out.startswith(starts[name])
    assert out.endswith("\n")
    if name == "csv":
        assert all(len(line) == 4 for line in csv.reader(io.StringIO(out), strict=True))


def test_options_reach_the_audit(files, run, tmp_path, rng):
    fit = tmp_path / "F.npy"
    fit.write_bytes(npy_bytes(related_pair(rng, n=90)[0]))
    _, out, _ = run(*files, "--fit-a", fit, "--fit-b", fit, "--shared", "--perms", "3", "--seed", "9")
    found = json.loads(out)
    assert found["means"] == {"shared": "one mean over both sides' fit rows (--fit-a, 90 rows; --fit-b, 90 rows)"}
    assert (found["settings"]["n_derangements"], found["settings"]["seed"]) == (3, 9)
    assert found["settings"]["shared_mean"] is True


@pytest.mark.parametrize("name", ["ids.npy", "ids.csv", "ids.txt"])
def test_groups_and_a_margin_reach_the_audit(files, run, tmp_path, name):
    labels = np.arange(40) // 4
    data = npy_bytes(labels) if name.endswith("npy") else "".join(f"item {label}\n" for label in labels).encode()
    (tmp_path / name).write_bytes(data)
    code, out, _ = run(*files, "--groups", tmp_path / name, "--margin", "0.25")
    found = json.loads(out)
    assert code == 0
    assert (found["groups"]["name"], found["groups"]["count"]) == (name, 10)
    assert found["intervals"]["raw"]["n_groups"] == 10
    assert found["settings"]["margin"] == found["verdict"]["raw"]["margin"] == 0.25


def test_a_wrong_file_of_ids_is_one_line(files, run, tmp_path):
    (tmp_path / "ids.txt").write_text("a\nb\nc\n")
    assert_refused(run(*files, "--groups", tmp_path / "ids.txt"), "ids.txt", "3 ids", "40 rows")
    assert_refused(run(*files, "--groups", tmp_path / "none.txt"), "none.txt", "does not exist")
    assert_refused(run(*files, "--margin", "0"), "--margin")
    ids = tmp_path / "ids.npy"
    ids.write_bytes(npy_bytes(np.arange(40)))
    assert_refused(run(*files, "--groups", ids, "--output", ids), "ids.npy")
    assert ids.read_bytes() == npy_bytes(np.arange(40))


def test_bad_rows_are_left_out_only_on_request(tmp_path, pair, run):
    pair[0][7, 2] = np.nan
    for name, array in zip(("A.npy", "B.npy"), pair, strict=True):
        (tmp_path / name).write_bytes(npy_bytes(array))
    files = tmp_path / "A.npy", tmp_path / "B.npy"
    assert_refused(run(*files), "A.npy (side A): 1 of 40 rows holds NaN: row 7 (counting from 0)")
    code, out, _ = run(*files, "--drop-bad-rows")
    assert code == 0
    assert json.loads(out)["n"] == 39


def test_version(capsys):
    with pytest.raises(SystemExit) as left:
        command.main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"cosine-floor {VERSION}\n"


def test_help_has_an_example_that_works(capsys, run, monkeypatch):
    with pytest.raises(SystemExit) as left:
        command.main(["--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    (example,) = re.findall(r"python -m core (sample_data.*)", shown)
    for option in ("--fit-a", "--fit-b", "--shared", "--perms", "--seed", "--format", "--output", "--version"):
        assert option in shown
    monkeypatch.chdir(ROOT)
    assert run(*example.split())[0] == 0


# ---------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unknown"], ["unrecognized arguments: --unknown", "python -m core --help"]),
        (["--perm", "3"], ["--perm"]),
        (["--perms", "0"], ["(--perms) is 0; it must be between 1 and 10,000"]),
        (["--perms", "-5"], ["(--perms) is -5"]),
        (["--perms", "10001"], ["(--perms) is 10,001"]),
        (["--perms", "many"], ["--perms", "many"]),
        (["--perms", "2.5"], ["--perms", "2.5"]),
        (["--perms"], ["--perms", "expected one argument"]),
        (["--seed", "-1"], ["(--seed) is -1; it must be 0 or more"]),
        (["--format", "pdf"], ["--format", "pdf"]),
        (["third.npy"], ["third.npy"]),
        (["--unknown\nerror: forged"], [r"\u000a"]),
    ],
    ids=lambda value: " ".join(value)[:30],
)
def test_a_wrong_option_is_one_line(files, run, options, words):
    assert_refused(run(*files, *options), *words)


def test_missing_arguments_are_one_line(run, files):
    assert_refused(run(), "required", "A.npy")
    assert_refused(run(files[0]), "required", "B.npy")


@pytest.mark.parametrize("place", range(4), ids=["a", "b", "fit a", "fit b"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("missing.npy", "missing.npy does not exist"), ("folder.npy", "folder.npy is a folder"), ("none.npy", "empty")],
)
def test_a_file_that_cannot_be_read_is_named_with_its_side(files, run, tmp_path, place, name, words):
    (tmp_path / "folder.npy").mkdir()
    (tmp_path / "none.npy").touch()
    arguments = [*files, "--fit-a", files[0], "--fit-b", files[1]]
    arguments[(0, 1, 3, 5)[place]] = str(tmp_path / name)
    outcome = run(*arguments)
    assert_refused(outcome, words, ("side A", "side B", "fit array of A", "fit array of B")[place])
    assert str(tmp_path) not in outcome[2], "the folder is nobody's concern"


def test_a_pair_that_does_not_match_is_one_line(files, run, tmp_path):
    (tmp_path / "short.npy").write_bytes(npy_bytes(np.ones((7, 8))))
    assert_refused(run(files[0], tmp_path / "short.npy"), "short.npy has 7 rows and A.npy has 40")


def test_pickled_objects_are_refused_and_never_opened(files, run, tmp_path):
    path = tmp_path / "objects.npy"
    with path.open("wb") as out:
        np.save(out, np.array([{}, []], dtype=object), allow_pickle=True)
    outcome = run(path, files[1])
    assert_refused(outcome, "objects.npy")
    assert "allow_pickle" not in outcome[2]


@pytest.mark.parametrize(
    "name",
    ["a\nb.npy", "evil\u202egpj.npy", "\x1b[31mred.npy", os.fsdecode(b"caf\xe9.npy"), "x" * 200 + ".npy"],
    ids=["newline", "right to left", "terminal colours", "no utf-8", "long"],
)
def test_a_hostile_name_is_one_visible_line(files, run, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"no array")
    outcome = run(path, files[1])
    assert_refused(outcome)
    assert not set(outcome[2][:-1]) & {"\u202e", "\x1b", "\udce9"}


@pytest.mark.parametrize("name", RENDERERS)
def test_a_name_that_is_no_utf8_is_reported(files, tmp_path, name):
    path = tmp_path / os.fsdecode(b"caf\xe9.npy")
    path.write_bytes(Path(files[0]).read_bytes())
    done = process(path, files[1], "--format", name)
    assert done.returncode == 0
    done.stdout.decode("utf-8")
    assert rb"\udce9" in done.stdout.replace(rb"\textbackslash{}", b"\\").replace(rb"\\", b"\\")


def test_running_out_of_memory_is_one_line(files, run, monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr(core.command.audit, "audit", exhausted)
    assert_refused(run(*files), "not enough memory")


# ---------------------------------------------------------------- where it writes


def test_output_goes_to_the_file_and_nothing_to_stdout(files, run, tmp_path):
    path = tmp_path / "report.json"
    assert run(*files, "--output", path) == (0, "", "")
    _, out, _ = run(*files)
    assert path.read_text() == out


@pytest.mark.parametrize("where", ["nowhere/report.json", "folder", "A.npy/report.json"])
def test_an_output_that_cannot_be_written_is_one_line(files, run, tmp_path, where):
    (tmp_path / "folder").mkdir()
    assert_refused(run(*files, "--output", tmp_path / where), "could not be written")


@pytest.mark.parametrize("side", [0, 1])
def test_an_output_never_overwrites_an_input(files, run, side):
    before = Path(files[side]).read_bytes()
    assert_refused(run(*files, "--output", files[side]), "one of the inputs")
    assert Path(files[side]).read_bytes() == before


def test_an_output_that_cannot_be_written_is_refused_before_the_audit(files, run, tmp_path, monkeypatch):
    monkeypatch.setattr(core.command.audit, "audit", lambda *_, **__: pytest.fail("the audit ran"))
    assert_refused(run(*files, "--output", tmp_path / "nowhere" / "report.json"), "could not be written")


def test_a_replaced_report_keeps_its_permissions(files, run, tmp_path):
    path = tmp_path / "report.json"
    path.write_text("earlier")
    path.chmod(0o600)
    assert run(*files, "--output", path)[0] == 0
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("flag", ["--key-fit-a", "--columns-fit-b", "--layer-fit-a", "--read-fit-b-as"])
def test_a_flag_about_a_file_that_is_not_given_is_refused(files, run, flag):
    assert_refused(run(*files, flag, "1"), flag, "which is not given")


def test_a_closed_stdout_is_one_line(files):
    closed = subprocess.run(
        ["sh", "-c", '"$0" -m core "$1" "$2" >&-', sys.executable, *files], cwd=ROOT, capture_output=True, timeout=60
    )
    assert closed.returncode == 2
    assert closed.stderr.count(b"\n") == 1
    assert closed.stderr.startswith(b"error: ")


def test_the_report_says_which_layer_was_read(files, run, tmp_path, pair):
    stack = tmp_path / "stack.npy"
    stack.write_bytes(npy_bytes(np.stack([pair[0], pair[0] + 1])))
    code, out, _ = run(stack, files[1], "--layer-a", 1)
    assert code == 0
    assert json.loads(out)["inputs"]["a"]["choices"] == {"layer": 1}
    assert "(layer 1)" in run(stack, files[1], "--layer-a", 1, "--format", "markdown")[1]


def test_an_error_leaves_an_earlier_report_alone(files, run, tmp_path):
    path = tmp_path / "report.json"
    path.write_text("earlier")
    assert_refused(run(files[0], tmp_path / "missing.npy", "--output", path))
    assert path.read_text() == "earlier"


@pytest.mark.parametrize("moment", ["audit", "rendering"])
def test_a_bug_leaves_an_earlier_report_alone_and_shows_itself(files, tmp_path, monkeypatch, moment):
    path = tmp_path / "report.json"
    path.write_text("earlier")

    def bug(*_, **__):
        raise ZeroDivisionError

    if moment == "audit":
        monkeypatch.setattr(core.command.audit, "audit", bug)
    else:
        monkeypatch.setitem(RENDERERS, "json", bug)
    with pytest.raises(ZeroDivisionError):
        command.main([*files, "--output", str(path)])
    assert path.read_text() == "earlier"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["A.npy", "B.npy", "report.json"]


# ---------------------------------------------------------------- as a process


def test_as_a_process_with_no_terminal_there_is_no_progress(files):
    done = process(*files)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["n"] == 40


def test_as_a_process_an_error_is_exit_code_2(files):
    done = process(files[0], "missing.npy")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: side B: missing.npy does not exist")


def test_a_bug_of_ours_is_exit_code_1_with_its_traceback(files):
    program = (
        "import sys, core.command as c\n"
        "def bug(*a, **k): raise ZeroDivisionError\n"
        "c.audit.audit = bug\n"
        "sys.exit(c.main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", program, *files], cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" in done.stderr


def test_utf8_whatever_the_locale(files):
    done = process(*files, "--format", "latex", env=os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    done.stdout.decode("utf-8")


def test_a_reader_that_goes_away_is_no_error(files):
    """As ``| head`` does: no traceback, nothing on stderr."""
    started = subprocess.Popen(
        [sys.executable, "-m", "core", *files], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    started.stdout.close()
    assert started.stderr.read() == b""
    started.stderr.close()
    assert started.wait(60) in {0, 141}


def test_a_full_disk_behind_stdout_is_one_line(files):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "core", *files], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert done.returncode == 2
    assert re.fullmatch(rb"error: [^\n]*No space left on device[^\n]*\n", done.stderr)


@pytest.fixture
def long_running(tmp_path, rng):
    """Files whose audit takes seconds: time to interrupt it."""
    for name in ("A.npy", "B.npy"):
        (tmp_path / name).write_bytes(npy_bytes(rng.standard_normal((24_000, 24)).astype(np.float32)))
    return [str(tmp_path / "A.npy"), str(tmp_path / "B.npy")]


def test_ctrl_c_is_exit_code_130_and_leaves_no_file(long_running, tmp_path):
    """Sent once progress shows on the terminal, so the audit is under way."""
    terminal, seen_by_process = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "core", *long_running, "--output", str(tmp_path / "report.json")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=seen_by_process,
        # Where the tests run in the background, they and whatever they start ignore an interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(seen_by_process)
    shown = b""
    while b"%" not in shown:
        shown += os.read(terminal, 1_000)
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=30)
    os.close(terminal)
    assert started.returncode == 130
    assert out == b""
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["A.npy", "B.npy"]
    assert b"Traceback" not in shown
    assert re.search(rb"\w[^\r]*: \d+%", shown)


def test_an_interrupt_anywhere_is_130(files, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(core.command.files, "read_array", interrupted)
    assert command.main(files) == 130


# ---------------------------------------------------------------- large files


def test_candidates_are_asked_for_by_flag(files, run):
    code, out, _ = run(*files, "--candidates", "10")
    assert code == 0
    assert json.loads(out)["settings"]["candidates"] == 10
    assert json.loads(out)["ranks"]["n_candidates"] == 10


def test_too_few_candidates_are_one_line(files, run):
    assert_refused(run(*files, "--candidates", "2"), "--candidates", "3 or more")


def expecting(seconds, monkeypatch, *, watched=True):
    """An audit said to take so long; stderr a terminal or not."""
    monkeypatch.setattr(core.command.before, "expected_audit_seconds", lambda *_, **__: seconds)
    monkeypatch.setattr("sys.stderr.isatty", lambda: watched, raising=False)


@pytest.mark.parametrize(
    ("seconds", "words"), [(9.9, ""), (25, "40 rows: about 25 s on this machine"), (300, "about 5 min")]
)
def test_a_long_audit_says_so_to_a_person_who_watches(files, monkeypatch, run, seconds, words):
    expecting(seconds, monkeypatch)
    code, _, err = run(*files)
    assert code == 0
    assert words in err
    assert ("on this machine" in err) is (words != "")
    assert "--candidates" not in err, "40 rows have no use for a pool of 20,000"


def test_a_very_long_audit_says_what_to_do_instead(files, monkeypatch, run):
    expecting(300, monkeypatch)
    monkeypatch.setattr(core.command.before, "pool_pays", lambda *_: True)
    monkeypatch.setattr(core.command.before, "OFFERED_CANDIDATES", 30)
    assert "; --candidates 30 ranks against a seeded pool instead" in run(*files)[2]
    assert "instead" not in run(*files, "--candidates", "20")[2]


def test_a_script_is_told_nothing(files, monkeypatch, run):
    expecting(300, monkeypatch, watched=False)
    assert run(*files)[2] == ""


# ---------------------------------------------------------------- the order that pairs the rows


@pytest.fixture
def mixed(tmp_path, rng):
    """A.npy and a B.npy in another order, and which."""
    a, b = related_pair(rng, n=80, dim=16, noise=0.3)
    true = rng.permutation(80)
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path, array in zip(paths, (a, b[true]), strict=True):
        path.write_bytes(npy_bytes(array))
    return [str(path) for path in paths], true


def test_the_order_of_permuted_rows_is_written_and_said_in_one_line(mixed, run, tmp_path):
    files, true = mixed
    code, out, err = run(*files, "--order", tmp_path / "order.npy")
    assert code == 0
    assert json.loads(out)["pairing"]["kind"] == "permuted"
    assert err == "order.npy: row i of A.npy goes with row order[i] of B.npy, rows counted from 0\n"
    order = np.load(tmp_path / "order.npy", allow_pickle=False)
    assert order.dtype == np.int64
    assert np.mean(true[order] == np.arange(80)) > 0.97


def test_an_order_is_refused_where_none_was_found(files, run, tmp_path):
    refused = run(*files, "--order", tmp_path / "order.npy")
    assert_refused(refused, "no order to write to order.npy", "Leave out --order")
    assert not (tmp_path / "order.npy").exists()


def test_an_order_may_not_take_the_place_of_an_input_or_of_the_report(mixed, run, tmp_path):
    files, _ = mixed
    assert_refused(run(*files, "--order", files[1]), "--order B.npy is one of the inputs")
    report = tmp_path / "r.json"
    assert_refused(run(*files, "--order", report, "--output", report), "--order and --output name one file")


def test_an_order_that_cannot_be_written_is_refused_before_the_audit(mixed, run, tmp_path):
    assert_refused(run(*mixed[0], "--order", tmp_path / "no" / "order.npy"), "its folder does not exist")


def test_different_widths_name_the_command_for_two_models(tmp_path, run, rng):
    paths = tmp_path / "A.npy", tmp_path / "B.npy"
    for path, dim in zip(paths, (8, 9), strict=True):
        path.write_bytes(npy_bytes(rng.standard_normal((20, dim))))
    assert_refused(run(*paths), "python -m core two-models", "page Two models")


@pytest.mark.parametrize("member", ["-x", "--help", "- a'b"])
def test_the_flag_that_a_question_advises_can_be_typed_whatever_the_member_is_called(
    member, files, pair, tmp_path, run
):
    archive = tmp_path / "several.npz"
    np.savez(archive, **{member: pair[0], "~": pair[0] + 1})
    code, _, err = run(str(archive), files[1])
    advised = shlex.split(err.partition("for example ")[2].strip().removesuffix("."))
    assert (code, advised) == (2, [f"--key-a={member}"])
    assert run(str(archive), files[1], *advised)[0] == 0
