"""A report read back is hostile input: refused in one sentence, whatever it holds."""

from __future__ import annotations

import json
import re

import pytest

from core import AuditSettings
from core.errors import AuditError
from core.formats import ReadChoices
from core.limits import MAX_REPORT_BYTES
from core.recorded import read_report
from core.report import document, to_json
from tests.arrays import audited


@pytest.fixture(scope="module")
def data(ordinary):
    return json.loads(to_json(document(ordinary)))


@pytest.fixture
def report(tmp_path):
    """A report file of this text, or of this object."""

    def written(content):
        path = tmp_path / "report.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return written


def edited(data, *path, to):
    copy = json.loads(json.dumps(data))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return copy


def test_what_the_json_says_comes_back(report, ordinary, data):
    found = read_report(report(data))
    assert found.settings == ordinary.settings
    assert found.data == data
    assert list(found.inputs) == ["a", "b"]
    assert found.inputs["a"].sha256 == ordinary.a.sha256
    assert found.inputs["a"].choices == ReadChoices()


def test_every_setting_comes_back(report, rng):
    a = rng.standard_normal((30, 4))
    settings = {"shared_mean": True, "n_derangements": 3, "seed": 2**70, "drop_bad_rows": True, "candidates": 5}
    result = audited(a, a + 1, **settings)
    found = read_report(report(to_json(document(result)).encode()))
    assert found.settings == AuditSettings(**settings)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"**Cosine audit", "not the JSON of a report"),
        (b"[]", "it is no object"),
        (b"{}", "names no schema"),
        (b'{"schema": "cosine-floor/2"}', "'cosine-floor/2', not 'cosine-floor/1'"),
        (b'{"schema": ["cosine-floor/1"]}', "its schema is"),
        (b'{"n": 1, "n": 2}', "a key occurs twice"),
        (b'{"n": NaN}', "NaN is no JSON"),
        (b'{"n": -Infinity}', "no JSON"),
        (b'{"n": 1e999}', "too large"),
        (b'{"n": ' + b"1" * 10_000 + b"}", "not the JSON of a report"),
        (b'{"n": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"n": ' + b'{"a":' * 100_000, "nested too deeply"),
        (b" " * (MAX_REPORT_BYTES + 1), "bytes; a report has"),
    ],
)
def test_what_is_no_report_is_refused(report, content, words):
    with pytest.raises(AuditError, match=re.escape(words)) as refused:
        read_report(report(content))
    assert "\n" not in refused.value.sentence
    assert len(refused.value.sentence) < 400


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("settings",), None, "no 'settings'"),
        (("settings",), [], "no 'settings'"),
        (("settings", "colour"), 1, "a setting 'colour' that this version"),
        (("settings", "x" * 10_000), 1, "a setting 'xxx"),
        (("settings", "shared_mean"), 1, "1 for the setting 'shared_mean'"),
        (("settings", "seed"), True, "True for the setting 'seed'"),
        (("settings", "seed"), 0.0, "0.0 for the setting 'seed'"),
        (("settings", "seed"), -1, "must be 0 or more"),
        (("settings", "n_derangements"), 10**9, "must be between"),
        (("settings", "candidates"), "9", "must be a whole number"),
        (("settings", "candidates"), {}, "{} for the setting 'candidates'"),
        (("inputs",), [], "no 'inputs'"),
        (("inputs", "c"), {}, "an input 'c'"),
        (("inputs", "b"), None, "no 'b'"),
        (("inputs", "a", "name"), 3, "no name and SHA-256"),
        (("inputs", "a", "sha256"), "f" * 63, "no name and SHA-256"),
        (("inputs", "a", "sha256"), "F" * 64, "no name and SHA-256"),
        (("inputs", "a", "choices"), {"layer": "1"}, "'layer' '1'"),
        (("inputs", "a", "choices"), {"layer": True}, "'layer' True"),
        (("inputs", "a", "choices"), {"__class__": 1}, "'__class__' 1"),
        (("versions",), "2", "no 'versions'"),
        (("groups",), 3, "no 'groups'"),
        (("groups",), {"name": "ids.txt"}, "no name and SHA-256 for the input 'groups'"),
        (("groups",), {"name": "", "sha256": ""}, "came from a program"),
        (("settings", "margin"), "wide", "margin (--margin) is 'wide'"),
    ],
)
def test_a_part_that_is_wrong_is_named(report, data, path, value, words):
    with pytest.raises(AuditError, match=re.escape(words)) as refused:
        read_report(report(edited(data, *path, to=value)))
    assert len(refused.value.sentence) < 400


def test_a_missing_side_is_named(report, data):
    copy = json.loads(json.dumps(data))
    del copy["inputs"]["b"]
    with pytest.raises(AuditError, match="no input 'b'"):
        read_report(report(copy))


def test_a_folder_is_no_report(tmp_path):
    with pytest.raises(AuditError, match="is a folder"):
        read_report(tmp_path)
