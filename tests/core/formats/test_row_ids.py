"""Columns that call the rows: known by value, left out with a word, and carried beside the vectors."""

import io
import json
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats import ReadChoices, read_array

N, D = 60, 6
LETTERS = [*"abcdef"]


@pytest.fixture
def vectors(rng):
    return rng.normal(size=(N, D)).round(6)


def savetxt(table, **options):
    stream = io.StringIO()
    np.savetxt(stream, table, **options)
    return stream.getvalue().encode()


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def arrow(**columns):
    stream = io.BytesIO()
    table = pa.table(columns)
    with pa.ipc.new_file(stream, table.schema) as file:
        file.write_table(table)
    return stream.getvalue()


def table(how, first, vectors, *, title="id", names=LETTERS):
    """The rows with one more column in front, as one kind of file, and its name."""
    if how == "csv":
        lines = [",".join([title, *names])]
        lines += [",".join(map(repr, [float(one), *row.tolist()])) for one, row in zip(first, vectors, strict=True)]
        return "\n".join(lines).encode(), "x.csv"
    if how == "savetxt":
        return savetxt(np.c_[first, vectors]), "x.txt"
    if how == "savetxt commas":
        return savetxt(np.c_[first, vectors], delimiter=","), "x.csv"
    if how == "savetxt tabs":
        return savetxt(np.c_[first, vectors], delimiter="\t"), "x.tsv"
    if how == "split":
        rows = np.c_[first, vectors].tolist()
        return json.dumps({"columns": [title, *names], "data": rows}).encode(), "x.json"
    columns = {title: np.asarray(first, dtype=np.float64), **dict(zip(names, vectors.T, strict=True))}
    return (parquet(**columns), "x.parquet") if how == "parquet" else (arrow(**columns), "x.arrow")


KINDS = ("csv", "savetxt", "savetxt commas", "savetxt tabs", "split", "parquet", "arrow")


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("how", KINDS)
def test_row_numbers_written_as_floats_are_left_out_with_a_word(how, start, vectors):
    loaded = read_array(*table(how, start + np.arange(N), vectors))
    np.testing.assert_array_equal(loaded.array, vectors)
    assert "index_column" in {word.code for word in loaded.words}
    np.testing.assert_array_equal(loaded.row_ids[0].values, start + np.arange(N))


@pytest.mark.parametrize("how", KINDS)
def test_whole_numbers_that_do_not_count_are_asked(how, vectors, rng):
    with pytest.raises(ChoiceNeeded, match="Which hold the vectors"):
        read_array(*table(how, rng.permutation(N) * 7 + 3, vectors))


@pytest.mark.parametrize("how", KINDS)
@pytest.mark.parametrize("first", ["fractions", "steps of a half", "whole at the top", "zeros"])
def test_a_first_coordinate_is_not_lost(how, first, vectors):
    values = {
        "fractions": vectors[:, 0] * 2,
        "steps of a half": np.arange(N) / 2,
        "whole at the top": np.where(np.arange(N) < 40, np.arange(N) % 3, 0.5),
        "zeros": np.zeros(N),
    }[first]
    loaded = read_array(*table(how, values, vectors))
    np.testing.assert_array_equal(loaded.array, np.c_[values, vectors])


NUMBERED = [[f"e{k}" for k in range(1, D + 1)], [f"e[{k}]" for k in range(1, D + 1)], list("123456")]


@pytest.mark.parametrize("how", ["csv", "whole csv", "split", "parquet", "arrow"])
@pytest.mark.parametrize("names", NUMBERED, ids=["e", "brackets", "bare"])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.usefixtures("in_process")
def test_numbers_that_count_under_a_name_of_the_coordinates_are_asked_about(how, names, start, vectors):
    first = start + np.arange(N)
    data, name = table(how.removeprefix("whole "), first, vectors, title=names[0].replace("1", "0"), names=names)
    if how == "whole csv":
        data = "\n".join(
            f"{line.partition(',')[0].removesuffix('.0')},{line.partition(',')[2]}"
            for line in data.decode().split("\n")
        ).encode()
    with pytest.raises(ChoiceNeeded, match="Which hold the vectors") as question:
        read_array(data, name)
    without, both = question.value.options
    np.testing.assert_array_equal(read_array(data, name, ReadChoices(columns=without)).array, vectors)
    np.testing.assert_array_equal(read_array(data, name, ReadChoices(columns=both)).array, np.c_[first, vectors])


@pytest.mark.parametrize("title", ["row", "x0", "index"])
@pytest.mark.usefixtures("in_process")
def test_numbers_that_count_under_another_name_are_still_row_numbers(title, vectors):
    for how in ("csv", "split", "parquet"):
        loaded = read_array(*table(how, np.arange(N), vectors, title=title, names=NUMBERED[0]))
        np.testing.assert_array_equal(loaded.array, vectors)
        assert "index_column" in {word.code for word in loaded.words}


def test_whole_coordinates_are_no_ids_beside_whole_ones(rng):
    codes = rng.permutation(120).reshape(20, 6) - 60
    np.testing.assert_array_equal(read_array(savetxt(codes), "x.txt").array, codes)


def test_all_columns_can_still_be_asked_for(vectors):
    data, name = table("parquet", np.arange(N), vectors)
    loaded = read_array(data, name, ReadChoices(columns=",".join(["id", *LETTERS])))
    assert loaded.shape == (N, D + 1)


def test_a_column_that_counts_at_the_top_alone_is_refused(vectors):
    first = np.arange(N, dtype=float)
    first[40] = 0.5
    with pytest.raises(FormatError, match=r"row 40 \(counting from 0\) of it holds 0.5"):
        read_array(*table("savetxt commas", first, vectors))


def test_a_pandas_index_of_floats_is_an_index(vectors):
    data, name = table("csv", 100.0 + np.arange(N), vectors, title="", names=[str(at) for at in range(D)])
    loaded = read_array(data, name)
    assert loaded.shape == (N, D)
    assert any("begin at 100" in word.text for word in loaded.words)


@pytest.mark.parametrize("how", ["csv", "parquet", "arrow"])
def test_a_shuffled_index_is_said_to_be_out_of_order(how, vectors, rng):
    order = rng.permutation(N)
    title = "" if how == "csv" else "__index_level_0__"
    loaded = read_array(*table(how, order, vectors, title=title))
    np.testing.assert_array_equal(loaded.array, vectors)
    assert any("out of order" in word.text for word in loaded.words if word.code == "index_out_of_order")
    assert loaded.row_ids[0].is_index
    np.testing.assert_array_equal(loaded.row_ids[0].values, order)


def test_an_index_that_repeats_is_said_and_not_compared(vectors):
    loaded = read_array(*table("csv", np.arange(N) % 30, vectors, title=""))
    assert loaded.row_ids == ()
    assert any(word.code == "index_repeats" for word in loaded.words)


def test_the_range_that_pandas_describes_is_an_index(vectors):
    described = {"index_columns": [{"kind": "range", "name": None, "start": 20, "stop": 80, "step": 1}], "columns": []}
    columns = pa.table(dict(zip(LETTERS, vectors.T, strict=True)))
    stream = io.BytesIO()
    pq.write_table(columns.replace_schema_metadata({"pandas": json.dumps(described)}), stream)
    loaded = read_array(stream.getvalue(), "x.parquet")
    np.testing.assert_array_equal(loaded.row_ids[0].values, np.arange(20, 80))


@pytest.mark.parametrize("how", ["csv", "glove", "parquet"])
def test_ids_as_text_are_carried(how, vectors):
    ids = [f"doc {row}" for row in range(N)]
    if how == "parquet":
        data = parquet(doc_id=ids, emb=[row.tolist() for row in vectors])
    elif how == "csv":
        lines = [f'{one},"{row.tolist()}"' for one, row in zip(ids, vectors, strict=True)]
        data = "\n".join(["doc_id,emb", *lines]).encode()
    else:
        data = "\n".join(f"w{at} {' '.join(map(str, row))}" for at, row in enumerate(vectors.tolist())).encode()
    (found,) = read_array(data, f"x.{'parquet' if how == 'parquet' else 'csv'}").row_ids
    assert found.is_text
    assert not found.is_index
    assert len(set(found.values.tolist())) == N


def stored(array, name):
    if name.endswith(".json"):
        return json.dumps(array.tolist()).encode(), name
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue(), name


@pytest.mark.parametrize("name", ["x.npy", "x.json"])
def test_vectors_that_begin_with_a_row_number_are_said(name, vectors):
    loaded = read_array(*stored(np.c_[np.arange(N), vectors], name))
    assert loaded.shape == (N, D + 1)
    assert any("counts the rows (0, 1, 2, …)" in word.text for word in loaded.words)


@pytest.mark.parametrize("name", ["x.npy", "x.json"])
def test_other_vectors_are_not(name, vectors):
    first = np.arange(N, dtype=float)
    first[-1] = 0
    for array in (vectors, np.c_[first, vectors], np.c_[np.arange(N), np.ones((N, 3))]):
        words = read_array(*stored(array, name)).words
        assert "counting_coordinate" not in {word.code for word in words}


@pytest.mark.parametrize("row", [0, 7])
@pytest.mark.parametrize(("dtype", "bits", "word"), [("f4", "u4", 0x7F800001), ("f2", "u2", 0x7C01)])
def test_a_signalling_nan_is_a_nan_and_no_warning(row, dtype, bits, word, vectors):
    array = np.c_[np.arange(N), vectors].astype(dtype)
    array.view(bits)[row] = word
    held = io.BytesIO()
    np.savez(held, emb=array, ids=array[:, 0])
    for name, data in (("x.npy", stored(array, "x.npy")[0]), ("x.npz", held.getvalue())):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isnan(np.asarray(read_array(data, name).array[row])).all()


def test_long_ids_are_told_apart(vectors):
    """Nineteen digits, as posts are numbered: as floats many of them would be one."""
    ids = [1_790_000_000_000_000_000 + row for row in range(N)]
    lines = [f'{one},"{row.tolist()}"' for one, row in zip(ids, vectors, strict=True)]
    found = {
        "csv": read_array("\n".join(["id,emb", *lines]).encode(), "x.csv"),
        "parquet": read_array(parquet(id=ids, emb=[row.tolist() for row in vectors]), "x.parquet"),
        "json": read_array(json.dumps({"ids": ids, "embeddings": vectors.tolist()}).encode(), "x.json"),
    }
    for loaded in found.values():
        assert loaded.row_ids[0].values.tolist() == ids


@pytest.mark.parametrize("cell", ["", "nan", "0.5", "inf", None])
def test_a_row_without_an_id_leaves_the_column_uncompared(cell, vectors):
    ids = [*(f"d{row}" for row in range(N - 1)), cell]
    data = json.dumps({"ids": ids, "embeddings": vectors.tolist()}).encode()
    assert read_array(data, "x.json").row_ids == ()
