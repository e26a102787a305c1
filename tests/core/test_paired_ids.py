"""Two files that call their rows differently are never paired in silence, whatever they are written in.

The rows are random, so that any mispairing shows in the matched cosine; here it must not even
be measured.
"""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save

import core
from core.errors import PairingError
from core.pairs import pair_up

N, D = 100, 8


@pytest.fixture
def sides(rng):
    a = rng.normal(size=(N, D)).round(6)
    return a, (a + 0.3 * rng.normal(size=(N, D))).round(6)


def load(content, name):
    return core.load(content if isinstance(content, bytes) else content.encode(), name)


def written(how, rows, numbers):
    """The rows under these numbers, as one kind of file."""
    vectors = [row.tolist() for row in rows]
    numbers = [int(number) for number in numbers]
    records = [{"index": number, "embedding": vector} for number, vector in zip(numbers, vectors, strict=True)]
    if how == "lines":
        return load("\n".join(map(json.dumps, records)), "x.jsonl")
    if how == "records":
        return load(json.dumps(records), "x.json")
    if how == "answer":
        return load(json.dumps({"object": "list", "data": records}), "x.json")
    if how == "names":
        return load(json.dumps(dict(zip(map(str, numbers), vectors, strict=True))), "x.json")
    if how == "records by name":
        return load(json.dumps({str(n): {"embedding": v} for n, v in zip(numbers, vectors, strict=True)}), "x.json")
    if how == "split":
        names = [f"e{at}" for at in range(D)]
        return load(json.dumps({"columns": names, "index": numbers, "data": vectors}), "x.json")
    if how == "ids beside":
        return load(json.dumps({"ids": numbers, "embeddings": vectors}), "x.json")
    if how == "ids as text":
        records = [{"doc_id": f"d{number}", "embedding": v} for number, v in zip(numbers, vectors, strict=True)]
        return load("\n".join(map(json.dumps, records)), "x.jsonl")
    if how == "csv":
        lines = [f"{number},{','.join(map(repr, vector))}" for number, vector in zip(numbers, vectors, strict=True)]
        return load("\n".join([",".join(["", *map(str, range(D))]), *lines]), "x.csv")
    if how == "csv of vectors":
        return load("\n".join(["id,emb", *(f'{n},"{v}"' for n, v in zip(numbers, vectors, strict=True))]), "x.csv")
    if how in TEXTS_IN_ARCHIVES:
        stream = io.BytesIO()
        np.savez(stream, x=rows, doc_ids=TEXTS_IN_ARCHIVES[how]([f"d{number}" for number in numbers]))
        return load(stream.getvalue(), "x.npz")
    if how == "tensors and ids":
        return load(save({"x": rows, "ids": np.array(numbers)}), "x.safetensors")
    if how == "archive with a column of ids":
        stream = io.BytesIO()
        np.savez(stream, x=rows, ids=np.array(numbers)[:, None])
        return load(stream.getvalue(), "x.npz")
    if how.startswith("archive"):
        stream = io.BytesIO()
        np.savez(stream, x=rows, **{how.split()[-1]: numbers})
        return load(stream.getvalue(), "x.npz")
    name = {"parquet": "__index_level_0__", "parquet of ids": "doc_id"}[how]
    stream = io.BytesIO()
    pq.write_table(pa.table({"emb": vectors, name: numbers}), stream)
    return load(stream.getvalue(), "x.parquet")


#: Text of a fixed width, as np.savez writes it, by how it is made.
TEXTS_IN_ARCHIVES = {
    "archive of text": np.array,
    "archive of bytes": lambda ids: np.array(ids, dtype="S"),
    "archive of big-endian text": lambda ids: np.array(ids, dtype=">U9"),
    "archive with a column of text": lambda ids: np.array(ids)[:, None],
}
TEXTS = ("ids as text", *TEXTS_IN_ARCHIVES)

INDEXES = ("lines", "records", "answer", "names", "records by name", "split", "csv", "parquet", "archive of index")
IDS = (
    *("ids beside", "csv of vectors", "parquet of ids", "archive of ids", "archive with a column of ids"),
    *("tensors and ids", *TEXTS),
)
KINDS = INDEXES + IDS
#: Kinds whose rows stand as they were written, whatever their numbers.
UNSORTED = ("split", "csv", "parquet", "archive of index", *IDS)


@pytest.mark.parametrize("how", KINDS)
def test_a_row_missing_on_each_side_is_refused(how, sides):
    kept_a, kept_b = (np.delete(np.arange(N), row) for row in (10, 90))
    a, b = written(how, sides[0][kept_a], kept_a), written(how, sides[1][kept_b], kept_b)
    with pytest.raises(PairingError, match="does not have the same rows") as caught:
        pair_up(a, b)
    if how not in TEXTS:
        assert "number 90 is only in" in str(caught.value)
        assert "number 10 only in" in str(caught.value)
    else:
        assert "row 89 (counting from 0)" in str(caught.value)


@pytest.mark.parametrize("how", KINDS)
def test_rows_missing_on_both_sides_alike_are_paired(how, sides):
    kept = np.delete(np.arange(N), [10, 90])
    pairs = pair_up(*(written(how, side[kept], kept) for side in sides))
    np.testing.assert_array_equal(pairs.a, sides[0][kept])
    np.testing.assert_array_equal(pairs.b, sides[1][kept])


@pytest.mark.parametrize("how", INDEXES)
def test_a_gap_is_said_with_its_first_number(how, sides):
    kept = np.delete(np.arange(N), [10, 90])
    words = written(how, sides[0][kept], kept).loaded.words
    gaps = [word.text for word in words if word.code == "index_gaps"]
    assert len(gaps) == 1
    assert "from 0 to 99 2 numbers are missing, the first is 10;" in gaps[0]


@pytest.mark.parametrize("how", UNSORTED)
def test_two_different_orders_are_refused(how, sides, rng):
    a, b = (written(how, side[order], order) for side, order in ((s, rng.permutation(N)) for s in sides))
    with pytest.raises(PairingError, match="in another order: row 0"):
        pair_up(a, b)


@pytest.mark.parametrize("how", UNSORTED)
def test_one_order_on_both_sides_is_paired(how, sides, rng):
    order = rng.permutation(N)
    pairs = pair_up(*(written(how, side[order], order) for side in sides))
    np.testing.assert_array_equal(pairs.a, sides[0][order])


@pytest.mark.parametrize("how", ["split", "csv", "parquet"])
def test_an_index_out_of_order_is_said(how, sides, rng):
    order = rng.permutation(N)
    words = {word.code: word.text for word in written(how, sides[0][order], order).loaded.words}
    assert "out of order" in words["index_out_of_order"]


def test_rows_left_out_of_both_do_not_spoil_the_comparison(sides):
    kept = np.delete(np.arange(N), 10)
    a, b = (side[kept].copy() for side in sides)
    a[5] = 0
    pairs = pair_up(written("lines", a, kept), written("lines", b, kept), drop_bad_rows=True)
    np.testing.assert_array_equal(pairs.b, np.delete(b, 5, axis=0))


def test_each_file_may_have_ids_of_its_own(sides):
    a, b = (written("ids beside", side, first + np.arange(N)) for side, first in zip(sides, (0, 5_000), strict=True))
    assert len(pair_up(a, b).a) == N


def test_equal_ids_outweigh_an_index(sides, rng):
    def lines(side, index):
        records = (
            {"index": int(number), "id": f"d{row}", "embedding": side[row].tolist()} for row, number in enumerate(index)
        )
        return load("\n".join(map(json.dumps, records)), "x.jsonl")

    a, b = lines(sides[0], range(N)), lines(sides[1], np.delete(np.arange(N + 1), 10))
    np.testing.assert_array_equal(pair_up(a, b).b, sides[1])


def test_two_models_are_asked_too(sides):
    from core.two_models import audit_two_models

    kept_a, kept_b = (np.delete(np.arange(N), row) for row in (10, 90))
    with pytest.raises(PairingError, match="does not have the same rows"):
        audit_two_models(written("lines", sides[0][kept_a], kept_a), written("lines", sides[1][kept_b], kept_b))


def test_records_of_which_some_have_no_index_are_said(sides):
    lines = [json.dumps({"index": row, "embedding": sides[0][row].tolist()}) for row in range(5)]
    lines[2] = json.dumps({"embedding": sides[0][2].tolist()})
    words = [word.text for word in load("\n".join(lines), "x.jsonl").loaded.words]
    assert any("1 record of 5 without the field index, the first is record 2" in text for text in words)


@pytest.mark.parametrize("how", ["csv", "lines"])
def test_an_index_is_compared_across_kinds_of_files(how, sides, rng):
    order = rng.permutation(N)
    with pytest.raises(PairingError, match="in another order"):
        pair_up(written("parquet", sides[0][order], order), written(how, sides[1], range(N)))


def called(title, how, rows, numbers):
    """The rows with a column or a field of that name for their numbers."""
    if how == "lines":
        records = [{title: int(n), "embedding": row.tolist()} for n, row in zip(numbers, rows, strict=True)]
        return load("\n".join(map(json.dumps, records)), "x.jsonl")
    if how == "parquet":
        vectors = {f"e{at}": column for at, column in enumerate(rows.T)}
        stream = io.BytesIO()
        pq.write_table(pa.table({title: np.asarray(numbers), **vectors}), stream)
        return load(stream.getvalue(), "x.parquet")
    lines = [",".join([str(n), *map(repr, row.tolist())]) for n, row in zip(numbers, rows, strict=True)]
    return load("\n".join([",".join([title, *(f"e{at}" for at in range(D))]), *lines]), "x.csv")


TITLES = [
    ("Index", "index"),
    ("INDEX", "Index"),
    ("row", "row"),
    ("row_number", "Index"),
    ("doc_id", "id"),
    ("Id", "id"),
]


@pytest.mark.parametrize("how", ["csv", "lines", "parquet"])
@pytest.mark.parametrize("titles", TITLES)
def test_numbers_that_disagree_are_refused_whatever_they_are_called(titles, how, sides, rng):
    a, b = sides
    numbers, order = rng.permutation(N), rng.permutation(N)
    left = called(titles[0], how, a[numbers], numbers)
    with pytest.raises(PairingError):
        pair_up(left, called(titles[1], "csv", b[order], order))
    assert pair_up(left, called(titles[1], "csv", b[numbers], numbers)).a.shape == (N, D)


def test_counts_of_the_rows_under_two_names_may_begin_where_they_like(sides):
    a, b = sides
    pair_up(called("doc_id", "csv", a, np.arange(N)), called("id", "lines", b, np.arange(1, N + 1)))


def glove(rows, numbers, *, counts):
    """Words and vectors between blanks, under word2vec's line of counts or not."""
    lines = [f"w{number} {' '.join(map(repr, row))}" for number, row in zip(numbers, rows.tolist(), strict=True)]
    return load("\n".join([*([f"{len(rows)} {D}"] if counts else []), *lines]), "x.txt")


def kept_rows(row):
    return np.delete(np.arange(N), row)


@pytest.mark.parametrize("counts", [(True, False), (False, True), (False, False), (True, True)])
def test_words_are_compared_whether_or_not_a_line_of_counts_stands_above_them(counts, sides):
    a, b = (
        glove(side[kept_rows(row)], kept_rows(row), counts=one)
        for side, row, one in zip(sides, (10, 90), counts, strict=True)
    )
    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(a, b)
    pairs = pair_up(*(glove(side, range(N), counts=one) for side, one in zip(sides, counts, strict=True)))
    np.testing.assert_array_equal(pairs.b, sides[1])


def beside_lists(name, called, rows):
    """A table of text with this column and one of bracketed lists."""
    lines = [f'{one},"{row}"' for one, row in zip(called, rows.tolist(), strict=True)]
    return load("\n".join([f"{name},emb", *lines]), "x.csv")


def test_one_column_of_texts_each_is_compared_whatever_it_is_called(sides):
    words = [f"w{number}" for number in range(N)]
    a = beside_lists("doc_id", words, sides[0])
    with pytest.raises(PairingError, match=r"another order.*in the columns doc_id and filename"):
        pair_up(a, beside_lists("filename", [*words[1:], words[0]], sides[1]))
    assert len(pair_up(a, beside_lists("filename", [f"other {word}" for word in words], sides[1])).a) == N


def dated(rows, days, *, unit="us", name="__index_level_0__"):
    """A frame whose index is dates, as pandas writes it."""
    stamps = np.datetime64("2020-01-01", "D") + np.asarray(days)
    index = pa.array(stamps.astype("M8[us]"), pa.timestamp(unit))
    table = pa.table({"emb": [row.tolist() for row in rows], name: index})
    described = {"index_columns": [name], "columns": []}
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"pandas": json.dumps(described)}), stream)
    return load(stream.getvalue(), "x.parquet")


@pytest.mark.parametrize("name", ["__index_level_0__", "day"])
def test_an_index_of_dates_is_compared(sides, name):
    kept = kept_rows(10)
    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(dated(sides[0][kept], kept, name=name), dated(sides[1][:-1], kept_rows(90), name=name))
    a, b = (dated(side, range(N), unit=unit, name=name) for side, unit in zip(sides, ("us", "ms"), strict=True))
    assert len(pair_up(a, b).a) == N
    assert {word.code for word in a.loaded.words} <= {"index_column"}


@pytest.mark.parametrize("field", ["filename", "path", "name", "sha", "image_url", "file_name"])
@pytest.mark.parametrize("how", ["lines", "csv", "beside"])
def test_names_of_items_beside_the_vectors_are_compared(sides, field, how):
    def file_of(rows, numbers):
        called = [f"a{number}.png" for number in numbers]
        if how == "csv":
            return beside_lists(field, called, rows)
        if how == "beside":
            return load(json.dumps({field: called, "embeddings": rows.tolist()}), "x.json")
        records = [{"n": 1, field: name, "embedding": v.tolist()} for name, v in zip(called, rows, strict=True)]
        return load("\n".join(map(json.dumps, records)), "x.jsonl")

    a, b = (file_of(side[kept_rows(row)], kept_rows(row)) for side, row in zip(sides, (10, 90), strict=True))
    with pytest.raises(PairingError, match=f"does not have the same rows.*by their ids in the column {field}"):
        pair_up(a, b)
    assert len(pair_up(*(file_of(side, range(N)) for side in sides)).a) == N


def test_ids_that_agree_settle_it_beside_names_that_repeat(sides):
    def file_of(rows):
        records = [{"id": n, "name": f"n{n // 2}", "embedding": v.tolist()} for n, v in enumerate(rows)]
        return load("\n".join(map(json.dumps, records)), "x.jsonl")

    assert [ids.name for ids in file_of(sides[0]).loaded.row_ids] == ["id"]
    assert len(pair_up(*map(file_of, sides)).a) == N


@pytest.mark.parametrize(("one", "other"), [("doc_id", "doc_ids"), ("docId", "doc_id"), ("DOC-ID", "doc id")])
def test_one_name_of_ids_in_two_spellings_is_one(one, other, sides):
    tables = []
    for name, side, order in zip((one, other), sides, (range(N), range(N)[::-1]), strict=True):
        rows = (f"d{at},{','.join(map(str, side[at]))}" for at in order)
        heading = ",".join([name, *(f"e{at}" for at in range(D))])
        tables.append(load("\n".join([heading, *rows]), f"{len(tables)}.csv"))
    with pytest.raises(PairingError, match="in another order"):
        pair_up(*tables)
