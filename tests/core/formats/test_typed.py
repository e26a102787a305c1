"""Numbers that say their type, and int16 that is or is not bfloat16."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats import read_array

WRITTEN = {
    "DynamoDB": lambda row: {"Item": {"embedding": {"L": [{"N": str(value)} for value in row]}}},
    "MongoDB": lambda row: {"embedding": [{"$numberDouble": str(value)} for value in row]},
    "Firestore": lambda row: {
        "fields": {"embedding": {"arrayValue": {"values": [{"doubleValue": value} for value in row]}}}
    },
}


@pytest.mark.parametrize("writer", WRITTEN)
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "list"])
def test_typed_json_is_named_with_a_line_that_mends_it(writer, lines, rng):
    vectors = rng.normal(size=(300, 128)).round(3)
    records = [WRITTEN[writer](row) for row in vectors.tolist()]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    with pytest.raises(FormatError, match=writer) as caught:
        read_array(text.encode(), "x.jsonl" if lines else "x.json")
    assert "np.save('new.npy', [[" in caught.value.remedy


@pytest.mark.parametrize("precision", [3, 8])
def test_a_printed_array_is_named_as_such(precision, rng):
    printed = np.array2string(rng.normal(size=(30, 12)), precision=precision)
    with pytest.raises(FormatError, match="as print shows it"):
        read_array(printed.encode(), "x.txt")


def test_lists_of_tokens_beside_the_vectors_are_left_out_with_a_word(rng):
    vectors = rng.normal(size=(20, 4))
    tokens = rng.integers(0, 900, size=(20, 4)).tolist()
    stream = io.BytesIO()
    pq.write_table(pa.table({"input_ids": tokens, "attention_mask": tokens, "vec": vectors.tolist()}), stream)
    loaded = read_array(stream.getvalue(), "x.parquet")
    np.testing.assert_array_equal(loaded.array, vectors)
    assert any("input_ids" in word.text and "attention_mask" in word.text for word in loaded.words)


def test_arrays_of_tokens_beside_the_vectors_are_left_out_with_a_word(rng):
    vectors, tokens = rng.normal(size=(20, 4)), rng.integers(0, 900, size=(20, 9))
    stream = io.BytesIO()
    np.savez(stream, input_ids=tokens, attention_mask=tokens, vec=vectors)
    loaded = read_array(stream.getvalue(), "x.npz")
    np.testing.assert_array_equal(loaded.array, vectors)
    assert any("input_ids" in word.text and "attention_mask" in word.text for word in loaded.words)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.mark.parametrize("bounds", [(-127, 128), (0, 9), (-32768, 32768)])
def test_int16_codes_are_read_as_they_are_without_a_question(bounds, rng):
    codes = rng.integers(*bounds, size=(60, 16)).astype(np.int16)
    np.testing.assert_array_equal(read_array(npy(codes), "x.npy").array, codes)


@pytest.mark.parametrize("scale", [1e-4, 1, 300])
@pytest.mark.parametrize("sparse", [False, True])
def test_int16_that_is_plausible_as_bfloat16_is_asked_about(scale, sparse, rng):
    values = (scale * rng.normal(size=(60, 16))).astype(np.float32)
    values[:, 1:] *= not sparse
    bits = (values.view(np.uint32) >> 16).astype(np.uint16).view(np.int16)
    with pytest.raises(ChoiceNeeded, match="bfloat16"):
        read_array(npy(bits), "x.npy")
