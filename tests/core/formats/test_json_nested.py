"""Vectors deep inside records: the line a refusal gives is run as it stands."""

import json
import re

import numpy as np
import pytest

from core.errors import FormatError
from core.formats import read_array


def flattened(text, name, monkeypatch, folder):
    """What the line of the refusal saves when it is run as it stands, and the refusal."""
    with pytest.raises(FormatError) as caught:
        read_array(text.encode(), name)
    (folder / f"old.{name.rpartition('.')[2]}").write_text(text)
    monkeypatch.chdir(folder)
    remedy = caught.value.remedy
    exec(remedy[remedy.index("np.save") : -1], {"np": np, "json": json, "re": re})  # noqa: S102 - of our own writing
    return np.load(folder / "new.npy"), caught.value


@pytest.mark.parametrize("how", ["one a request", "several a request"])
def test_the_line_for_a_batch_takes_every_vector_in_order(how, rng, monkeypatch, tmp_path):
    vectors = rng.normal(size=(24, 5)).round(4)
    size = 1 if how == "one a request" else 2
    requests = [
        {
            "custom_id": f"request-{start // size}",
            "response": {
                "body": {"data": [{"index": at, "embedding": vectors[start + at].tolist()} for at in range(size)[::-1]]}
            },
        }
        for start in range(0, 24, size)
    ]
    text = "\n".join(json.dumps(requests[at]) for at in rng.permutation(len(requests)))
    saved, refusal = flattened(text, "x.jsonl", monkeypatch, tmp_path)
    np.testing.assert_array_equal(saved, vectors)
    assert "every vector of each record by its index" in refusal.remedy
    assert "sorted by custom_id, 2 before 10" in refusal.remedy


def test_the_line_for_lists_without_numbers_keeps_the_order_of_the_file(rng, monkeypatch, tmp_path):
    vectors = rng.normal(size=(12, 5)).round(4)
    records = [{"out": {"parts": [{"emb": row.tolist()} for row in vectors[at : at + 3]]}} for at in range(0, 12, 3)]
    saved, refusal = flattened(json.dumps(records), "x.json", monkeypatch, tmp_path)
    np.testing.assert_array_equal(saved, vectors)
    assert "the order of the file" in refusal.remedy


def test_vectors_written_as_objects_are_refused_as_that_with_a_line_that_orders_them(rng, monkeypatch, tmp_path):
    vectors = rng.normal(size=(6, 12)).round(4)
    names = sorted(map(str, range(12)))  # "10" before "2"
    records = [{"id": k, "embedding": {at: row[int(at)] for at in names}} for k, row in enumerate(vectors)]
    text = "\n".join(map(json.dumps, records))
    saved, refusal = flattened(text, "x.jsonl", monkeypatch, tmp_path)
    np.testing.assert_array_equal(saved, vectors)
    assert "in the field embedding as objects" in refusal.sentence


BATCHES = {
    "ollama": lambda rows: {"model": "m", "embeddings": rows, "total_duration": 7},
    "cohere": lambda rows: {"id": "u", "embeddings": {"float": rows}, "texts": ["t"] * len(rows), "meta": {}},
    "cohere, other types null": lambda rows: {"embeddings": {"float": rows, "int8": None}},
}


@pytest.mark.parametrize("layout", ["lines", "list"])
@pytest.mark.parametrize("api", BATCHES)
def test_answers_of_several_vectors_each_follow_each_other(api, layout, rng):
    vectors = rng.normal(size=(13, 5)).round(4)  # the last answer holds one
    answers = [json.dumps(BATCHES[api](vectors[at : at + 4].tolist())) for at in range(0, 13, 4)]
    text = "\n".join(answers) if layout == "lines" else f"[{','.join(answers)}]"
    loaded = read_array(text.encode(), "x.jsonl" if layout == "lines" else "x.json")
    np.testing.assert_array_equal(loaded.array, vectors)
    assert [word.code for word in loaded.words] == ["api_answers"]


@pytest.mark.parametrize("beside", [{"doc_id": 7}, {"text": "some words"}, {"id": "doc7"}])
def test_records_of_one_row_with_several_vectors_each_are_no_answers(beside, rng):
    records = [{**beside, "embeddings": rng.normal(size=(3, 5)).tolist()} for _ in range(4)]
    with pytest.raises(FormatError, match="several vectors a row") as refusal:
        read_array("\n".join(map(json.dumps, records)).encode(), "x.jsonl")
    assert "a row of its own" in refusal.value.remedy


def test_an_answer_without_vectors_among_others_is_named():
    answers = [{"embeddings": [[1.5, 2], [3, 4]]}, {"embeddings": []}, {"embeddings": [[5, 6]]}]
    with pytest.raises(FormatError, match=r"answer 1 \(counting from 0\) has no vectors in its field embeddings"):
        read_array("\n".join(map(json.dumps, answers)).encode(), "x.jsonl")


@pytest.mark.parametrize("action", ["index", "create"])
def test_bulk_requests_are_named_with_the_line_that_makes_records_of_them(action):
    lines = [{action: {"_id": "1"}}, {"title": "a", "embedding": [0.5, 1.5]}] * 3
    with pytest.raises(FormatError, match="a file of bulk requests") as refused:
        read_array("\n".join(map(json.dumps, lines)).encode(), "a.ndjson")
    assert "[1::2]" in refused.value.remedy
    records = [{"index": 3, "embedding": [0.5, 1.5]}, {"index": 4, "embedding": [0.5, 1.0]}]
    assert read_array("\n".join(map(json.dumps, records)).encode(), "a.jsonl").array.shape == (2, 2)
