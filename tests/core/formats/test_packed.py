"""Vectors that cannot be read beside numbers that can: by its name, the column left out would be the one meant."""

import base64
import json

import numpy as np
import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats import ReadChoices, read_array
from tests.hostile import GOOD
from tests.hostile_arrow import arrow, lists, parquet

pytestmark = pytest.mark.usefixtures("in_process")

ROWS = GOOD.tolist()
COORDS = GOOD[:, :2].astype("float64")
SIGNS = (GOOD > 0).tolist()
BASE64 = [base64.b64encode(row.tobytes()).decode() for row in GOOD]
COMPLEX = [[f"{value}+1j" for value in row] for row in ROWS]

#: What a row holds in place of its numbers, and what is said of it once it is chosen.
CELLS = {
    "signs": (SIGNS, "true"),
    "base64": (BASE64, "holds|text"),
    "complex": (COMPLEX, "string|text"),
    "structures": ([{"re": row, "im": row} for row in ROWS], "structure"),
    "bytes": ([row.tobytes() for row in GOOD], "bytes"),
    "lists": ([[row, row] for row in ROWS], "lists of lists"),
}


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("save", [parquet, arrow])
def test_a_column_called_emb_that_cannot_be_read_is_asked_about(kind, save):
    cells, reason = CELLS[kind]
    for beside in ({"coords": lists(COORDS)}, {"x": COORDS[:, 0], "y": COORDS[:, 1]}):
        data = save(id=[f"d{k}" for k in range(len(GOOD))], emb=cells, **beside)
        with pytest.raises(ChoiceNeeded, match=r"emb\) that cannot be read") as question:
            read_array(data, "a.parquet")
        assert question.value.options == ("emb", ",".join(beside))
        chosen = read_array(data, "a.parquet", ReadChoices(columns=",".join(beside)))
        np.testing.assert_array_equal(chosen.array, COORDS)
        with pytest.raises(FormatError, match=reason):
            read_array(data, "a.parquet", ReadChoices(columns="emb"))


@pytest.mark.parametrize(("kind", "said"), [("signs", "true or false"), ("base64", "no list"), ("complex", "a string")])
def test_a_field_called_emb_that_cannot_be_read_is_asked_about(kind, said):
    cells = CELLS[kind][0]
    records = [{"emb": cell, "coords": row} for cell, row in zip(cells, COORDS.tolist(), strict=True)]
    for data in (json.dumps(records), "\n".join(map(json.dumps, records))):
        with pytest.raises(ChoiceNeeded) as question:
            read_array(data.encode(), "a.json")
        assert question.value.options == ("coords", "emb")
        chosen = read_array(data.encode(), "a.json", ReadChoices(columns="coords"))
        np.testing.assert_array_equal(chosen.array, COORDS)
        with pytest.raises(FormatError, match=said):
            read_array(data.encode(), "a.json", ReadChoices(columns="emb"))


def test_a_list_called_emb_that_cannot_be_read_is_asked_about():
    data = json.dumps({"emb": BASE64, "coords": COORDS.tolist()}).encode()
    with pytest.raises(ChoiceNeeded) as question:
        read_array(data, "a.json")
    assert question.value.choice == "key"
    assert question.value.options == ("coords", "emb")
    np.testing.assert_array_equal(read_array(data, "a.json", ReadChoices(key="coords")).array, COORDS)
    with pytest.raises(FormatError, match=r"row 0 .* holds no list"):
        read_array(data, "a.json", ReadChoices(key="emb"))


def test_a_list_called_embeddings_written_as_text_is_offered_and_read():
    data = json.dumps({"embeddings": [str(row) for row in ROWS], "coords": COORDS.tolist()}).encode()
    with pytest.raises(ChoiceNeeded):
        read_array(data, "a.json")
    np.testing.assert_array_equal(read_array(data, "a.json", ReadChoices(key="embeddings")).array, GOOD)


def test_a_column_of_base64_in_text_is_asked_about():
    lines = ["emb,x,y", *(f"{cell},{x},{y}" for cell, (x, y) in zip(BASE64, COORDS.tolist(), strict=True))]
    with pytest.raises(ChoiceNeeded) as question:
        read_array("\n".join(lines).encode(), "a.csv")
    assert question.value.options == ("emb", "x,y")


@pytest.mark.parametrize(
    "beside",
    [
        {"embedding": ["text-embedding-3-small"] * len(GOOD)},  # the model
        {"image": [{"bytes": b"x", "path": "a"}] * len(GOOD)},
        {"tags": [["a", "b"]] * len(GOOD), "tokens": [["w"]] * len(GOOD)},
        {"vector": [True] * len(GOOD)},
    ],
    ids=["model", "image", "tags", "flag"],
)
def test_what_holds_no_vectors_beside_them_is_left_out_as_before(beside):
    np.testing.assert_array_equal(read_array(parquet(v=lists(GOOD), **beside), "a.parquet").array, GOOD)


def test_a_column_called_emb_that_can_be_read_needs_no_question():
    data = parquet(emb=lists(GOOD), values=[{"a": 1}] * len(GOOD))
    np.testing.assert_array_equal(read_array(data, "a.parquet").array, GOOD)
