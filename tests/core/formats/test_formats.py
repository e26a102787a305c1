"""The table of formats as a whole: which reader is chosen, and that no byte can hurt."""

import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import AuditError
from core.formats import READERS, read_array
from tests.core.formats.verdicts import outcome
from tests.hostile import ARCHIVE, GOOD, NPY, csv_text, described, header, npy, vectors_json, zipped
from tests.hostile_tables import ARROW, SAFETENSORS

SOUND = {
    "a.npy": npy(GOOD),
    "a.npz": zipped(zipfile.ZIP_STORED, x=npy(GOOD), y=npy(GOOD[0])),
    "b.npz": zipped(x=npy(GOOD)),
    "a.npy.gz": ARCHIVE["gzipped.npy.gz"].build(),
    "a.csv": csv_text(GOOD, ["a", "b", "c", "d", "e"]),
    "a.json": json.dumps(vectors_json(GOOD)).encode(),
    "a.parquet": ARROW["lists.parquet"].build(),
    "a.arrow": ARROW["lists.arrow"].build(),
    "a.safetensors": SAFETENSORS["one.safetensors"].build(),
}
QUICK = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


def only_audit_errors(data: bytes, name: str) -> None:
    try:
        loaded = read_array(data, name)
    except AuditError:
        return
    assert loaded.array.ndim == 2
    assert loaded.array.dtype.kind in "fiu"


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("other", ["x.npy", "x.npz", "x.csv", "x.json", "x.parquet", "x", "x.safetensors"])
@pytest.mark.usefixtures("in_process")
def test_the_content_decides_and_the_name_is_said_to_be_wrong(name, other):
    loaded = read_array(SOUND[name], other)
    assert loaded.shape == GOOD.shape
    promised = next((row for row in READERS if other.endswith(row.suffixes)), None)
    holds = next(row for row in READERS if name.endswith(row.suffixes))
    surprised = [word.code for word in loaded.words].count("other_format")
    assert surprised == (promised not in (None, holds))


@pytest.mark.parametrize("name", ["/srv/secret/a.npy", "secret/a.npy"])
def test_only_the_last_part_of_a_name_is_shown(name):
    assert read_array(npy(GOOD), name).name == "a.npy"
    assert "secret" not in outcome(b"", "a.npy")[1]


#: Read in a process of their own, half a second each: see test_apart.
APART = {"a.parquet", "a.arrow"}


@pytest.mark.parametrize("name", sorted(SOUND.keys() - APART))
@QUICK
@given(data=st.data())
def test_bytes_changed_at_random_raise_nothing_but_audit_errors(name, data):
    changed = bytearray(SOUND[name])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(changed)))
    only_audit_errors(bytes(changed), name)
    only_audit_errors(bytes(changed[:cut]), name)


@QUICK
@given(
    text=st.text("(){}[],:'\" 0123456789-LTrueFalsdcpnhmo_<|>=fiuV\\\n", max_size=80),
    version=st.integers(1, 3),
    data=st.binary(max_size=80),
)
def test_headers_made_of_their_own_letters_raise_nothing_but_audit_errors(text, version, data):
    only_audit_errors(header(text, data, version), "a.npy")
    only_audit_errors(header(described(shape=text), data, version), "a.npy")
    only_audit_errors(header(described(descr=repr(text)), data, version), "a.npy")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=30,
)


@QUICK
@given(value=JSON_VALUES, more=JSON_VALUES)
def test_any_json_raises_nothing_but_audit_errors(value, more):
    only_audit_errors(json.dumps(value).encode(), "a.json")
    only_audit_errors((json.dumps(value) + "\n" + json.dumps(more)).encode(), "a.jsonl")
    only_audit_errors(json.dumps({"data": [value, more], "embedding": more}).encode(), "a.json")


@QUICK
@given(text=st.text("0123456789.,;\t \n\r\"'[]()-+eE#_naif", max_size=200))
def test_any_table_of_text_raises_nothing_but_audit_errors(text):
    only_audit_errors(text.encode(), "a.csv")
    only_audit_errors(text.encode("utf-16"), "a.tsv")


def test_the_tests_can_fail():
    """The table of decisions is not satisfied by a reader that takes everything."""
    assert {case.decision for case in NPY.values()} == {"take", "refuse"}
