"""``python -m core claim`` and ``rows``: what they print, and what they refuse before reading a file."""

from __future__ import annotations

import csv
import io
import json
import shlex

import numpy as np
import pytest

from tests import oracle
from tests.arrays import npy_bytes
from tests.oracle import off_diagonal


def test_a_claim_is_answered_with_a_comment_in_markdown(run, files, pair):
    code, text, errors = run("claim", *files, "--claim", "0.5", "--says", "agree", "--cutoff", "0.2")
    scores = oracle.unit(pair[0]) @ oracle.unit(pair[1]).T
    others = scores[off_diagonal(40)]
    assert (code, errors) == (0, "")
    assert text.startswith("**A cosine of 0.5, said to show that the two agree**")
    for number in (0.5, 0.2):
        assert f"({np.sum(others >= number):,} of 1,560)" in text


def test_the_command_in_the_json_gives_the_same_json_again(run, files, tmp_path, monkeypatch):
    flags = ("--claim=-0.1", "--says", "nothing", "--reading", "centred", "--cutoff=0.3", "--cutoff=-0.2", "--shared")
    html = run("claim", *files, *flags, "--format", "html")[1]
    told = html[html.index("python -m core claim") :].split("<")[0].replace("&#x27;", "'")
    monkeypatch.chdir(tmp_path)
    again = run(*shlex.split(told)[3:], "--format", "json")
    assert again == run("claim", *files, *flags, "--format", "json")
    data = json.loads(again[1])
    assert data["schema"] == "cosine-floor-claim/1"
    assert [cutoff["threshold"] for cutoff in data["cutoffs"]] == [0.3, -0.2]


def test_groups_leave_their_own_pairs_out(run, files, tmp_path, pair):
    ids = np.arange(40) % 8
    (tmp_path / "ids.npy").write_bytes(npy_bytes(ids))
    text = run("claim", *files, "--claim", "0.5", "--groups", tmp_path / "ids.npy")[1]
    scores = oracle.unit(pair[0]) @ oracle.unit(pair[1]).T
    apart = ids[:, None] != ids
    assert f"({np.sum(scores[apart] >= 0.5):,} of {apart.sum():,})" in text


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("claim", "--claim", "1.5"), "is not a cosine"),
        (("claim", "--claim", "0.5", "--cutoff", "nan"), "is not a cosine"),
        (("claim",), "--claim"),
        (("claim", "--claim", "0.5", "--says", "much"), "invalid choice"),
        (("rows", "--count", "0"), "1 or more"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(run, tmp_path, flags, words):
    code, text, errors = run(flags[0], tmp_path / "none.npy", tmp_path / "none.npy", *flags[1:])
    assert (code, text) == (2, "")
    assert words in errors
    assert errors.count("\n") == 1


def test_rows_are_listed_worst_first_with_their_texts(run, files, tmp_path):
    labels = tmp_path / "texts.json"
    labels.write_text(json.dumps([f"text {row}" for row in range(40)]))
    code, text, _ = run("rows", *files, "--count", 3, "--by", "own_cosine", "--labels-b", labels, "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert code == 0
    assert len(lines) == 3
    assert sorted(lines, key=lambda line: float(line["own_cosine"])) == lines
    assert all(line["text_of_its_partner"] == f"text {line['row']}" for line in lines)


def test_an_undefined_reading_has_no_rows_to_list(run, tmp_path):
    for name in "AB":
        (tmp_path / f"{name}.npy").write_bytes(npy_bytes(np.ones((5, 3))))
    code, _, errors = run("rows", tmp_path / "A.npy", tmp_path / "B.npy", "--reading", "centred")
    assert code == 2
    assert "undefined" in errors


def test_a_report_never_overwrites_its_labels(run, files, tmp_path):
    labels = tmp_path / "texts.txt"
    labels.write_text("x\n" * 40)
    code, _, errors = run("rows", *files, "--labels-a", labels, "--output", labels)
    assert code == 2
    assert "overwrite" in errors
