"""Two files are asked for the same item by what calls their rows, alike in every format, under every name and type.

One file lacks its last twenty rows and the other twenty in the middle, so that both have the
same shape.
"""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import core
from core.errors import PairingError
from core.formats.loaded import ReadChoices
from core.paired_ids import refuse_other_rows
from core.pairs import pair_up

N, D = 100, 8


@pytest.fixture
def sides(rng):
    a = rng.normal(size=(N, D)).round(6)
    return a, (a + 0.3 * rng.normal(size=(N, D))).round(6)


def load(content, name, choices=None):
    return core.load(content if isinstance(content, bytes) else content.encode(), name, choices)


def kept(sides, dropped):
    """Which rows each side keeps: the first lacks its last twenty, the second twenty in the middle."""
    last, middle = np.arange(N - 20, N), np.arange(40, 60)
    rows = [np.delete(np.arange(N), some) if dropped else np.arange(N) for some in (last, middle)]
    return tuple((side[kept], kept) for side, kept in zip(sides, rows, strict=True))


def under(kind, name, rows, ids):
    """The rows with their ids under this name, as one kind of file."""
    vectors = [row.tolist() for row in rows]
    if kind == "csv":
        numbers = [",".join(map(repr, vector)) for vector in vectors]
        head = ",".join([*(f"e{at}" for at in range(D)), name])
        return load("\n".join([head, *(f"{n},{i}" for n, i in zip(numbers, ids, strict=True))]), "x.csv")
    if kind == "jsonl":
        return load("\n".join(json.dumps({name: i, "emb": v}) for i, v in zip(ids, vectors, strict=True)), "x.jsonl")
    if kind == "lists":
        return load(json.dumps({"embeddings": vectors, name: ids}), "x.json")
    if kind == "split":
        table = [[i, *v] for i, v in zip(ids, vectors, strict=True)]
        return load(json.dumps({"columns": [name, *(f"e{at}" for at in range(D))], "data": table}), "x.json")
    stream = io.BytesIO()
    if kind == "npz":
        np.savez(stream, x=rows, **{name: np.array(ids)})
    elif kind == "parquet":
        pq.write_table(pa.table({"emb": vectors, name: ids}), stream)
    return load(stream.getvalue(), f"x.{kind}")


READERS = ("csv", "jsonl", "lists", "split", "npz", "parquet")
NAMES = (
    "files",
    "filenames",
    "image_paths",
    "urls",
    "uuids",
    "doc_ids",
    "keys",
    "names",
    "word",
)
TEXTS = ("tokens", "remark", "title")


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in READERS for name in (NAMES if kind in ("jsonl", "lists", "npz") else NAMES[-2:])],
)
def test_text_under_one_name_is_compared_in_every_format(kind, name, sides):
    a, b = (under(kind, name, rows, [f"a {i} thing" for i in ids]) for rows, ids in kept(sides, True))
    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(a, b)
    pair_up(*(under(kind, name, rows, [f"a {i} thing" for i in ids]) for rows, ids in kept(sides, False)))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("kind", READERS)
def test_other_texts_that_stand_elsewhere_are_said_since_row_i_may_be_the_next_sentence(kind, name, sides):
    given = [under(kind, name, rows, [f"a {i} thing" for i in ids]) for rows, ids in kept(sides, True)]
    notices = [notice for notice in pair_up(*given).notices if notice.code == "texts_elsewhere"]
    assert len(notices) == 1
    assert "row 40 (counting from 0) of" in notices[0].text
    assert f"by the texts in {name}" in notices[0].text
    with pytest.raises(PairingError, match="does not have the same rows"):
        refuse_other_rows(*(one.loaded for one in given), texts=True)
    given = [under(kind, name, rows, [f"a {i} thing" for i in ids]) for rows, ids in kept(sides, False)]
    assert "texts_elsewhere" not in {notice.code for notice in pair_up(*given).notices}


@pytest.mark.parametrize("kind", READERS)
def test_texts_that_repeat_or_stand_under_other_names_are_not_compared(kind, sides):
    pair_up(*(under(kind, "remark", rows, [f"class {i % 7}" for i in ids]) for rows, ids in kept(sides, True)))
    texts = [(rows, [f"a {i} thing" for i in ids]) for rows, ids in kept(sides, True)]
    pair_up(under(kind, "remark", *texts[0]), under(kind, "speaker", *texts[1]))


@pytest.mark.parametrize(("one", "other"), [(k, k) for k in READERS] + [("csv", "parquet"), ("jsonl", "npz")])
def test_ids_of_more_than_eight_bytes_are_compared(one, other, sides):
    sets = [(rows, [2**63 + 5 * int(i) for i in ids]) for rows, ids in kept(sides, True)]
    typed = {"parquet": lambda ids: pa.array(ids, pa.uint64()), "npz": lambda ids: np.array(ids, np.uint64)}
    files = [
        under(kind, "id", rows, typed.get(kind, list)(ids))
        for kind, (rows, ids) in zip((one, other), sets, strict=True)
    ]
    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(*files)


@pytest.mark.parametrize(
    "typed",
    [
        lambda ids: pa.array([f"d{i}" for i in ids], pa.string_view()),
        lambda ids: pa.array([b"d%d" % i for i in ids], pa.binary()),
        lambda ids: pa.array([b"%016d" % i for i in ids], pa.binary(16)),
        lambda ids: pa.array([b"%016d" % i for i in ids], pa.uuid()),
    ],
)
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_ids_of_every_arrow_type_are_compared(typed, kind, sides):
    def stored(rows, ids):
        table, stream = pa.table({"emb": [row.tolist() for row in rows], "id": typed(ids)}), io.BytesIO()
        if kind == "parquet":
            pq.write_table(table, stream)
        else:
            with pa.ipc.new_file(stream, table.schema) as file:
                file.write_table(table)
        return load(stream.getvalue(), f"x.{kind}")

    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(*(stored(*side) for side in kept(sides, True)))


def test_a_uuid_is_the_same_in_bytes_and_written_out(sides):
    (rows_a, a), (rows_b, b) = kept(sides, True)
    in_bytes = pa.array([bytes([*range(12), *int(i).to_bytes(4, "big")]) for i in a], pa.binary(16))
    spelled = [f"00010203-0405-0607-0809-0a0b{int(i):08x}" for i in b]
    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(under("parquet", "uuid", rows_a, in_bytes), under("csv", "uuid", rows_b, spelled))


@pytest.mark.parametrize("part", ["metadata", "payload", "_source"])
def test_ids_one_level_down_in_a_record_are_compared(part, sides):
    def stored(rows, ids):
        records = []
        for row, i in zip(rows, ids, strict=True):
            inside = {"id": f"d{i}"} | ({"embedding": row.tolist()} if part == "_source" else {})
            records.append({part: inside} | ({} if part == "_source" else {"embedding": row.tolist()}))
        return load("\n".join(map(json.dumps, records)), "x.jsonl")

    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(*(stored(*side) for side in kept(sides, True)))


def test_row_numbers_without_a_heading_are_compared_with_those_of_a_shuffled_file(sides, rng):
    def stored(rows, ids):
        lines = [",".join(map(repr, [int(i), *row.tolist()])) for row, i in zip(rows, ids, strict=True)]
        choices = None if ids[0] == 0 and ids[1] == 1 else ReadChoices(columns="1,2,3,4,5,6,7,8")
        return load("\n".join(lines), "x.csv", choices)

    order = rng.permutation(N)
    with pytest.raises(PairingError, match="another order"):
        pair_up(stored(sides[0], np.arange(N)), stored(sides[1][order], order))


@pytest.mark.parametrize("names", [("shard", "pos"), (None, None)])
def test_the_levels_of_a_pandas_index_are_compared_together(names, sides):
    pd = pytest.importorskip("pandas")

    def stored(rows, ids):
        index = pd.MultiIndex.from_arrays([ids // 10, [f"p{i % 10}" for i in ids]], names=names)
        stream = io.BytesIO()
        pd.DataFrame({"emb": rows.tolist()}, index=index).to_parquet(stream)
        return load(stream.getvalue(), "x.parquet")

    with pytest.raises(PairingError, match="does not have the same rows"):
        pair_up(*(stored(*side) for side in kept(sides, True)))
    assert len(pair_up(*(stored(*side) for side in kept(sides, False))).a) == N


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("order", ["counts", "late", "shuffled", "gaps"])
def test_a_first_or_last_number_that_numbers_the_rows_is_said(place, order, sides, rng):
    numbers = {
        "counts": np.arange(N),
        "late": np.arange(500, 500 + N),
        "shuffled": rng.permutation(N),
        "gaps": np.delete(np.arange(N + 20), np.arange(40, 60)),
    }[order]
    rows = np.insert(sides[0], 0 if place == 0 else D, numbers, axis=1)
    stream = io.BytesIO()
    np.save(stream, rows)
    words = [word.text for word in load(stream.getvalue(), "x.npy").loaded.words if word.code == "counting_coordinate"]
    assert len(words) == 1
    assert ("x[:, 1:]" if place == 0 else "x[:, :-1]") in words[0]


def test_whole_numbers_far_apart_or_repeated_are_no_row_numbers(sides, rng):
    for numbers in (rng.permutation(50 * N)[:N], np.arange(N) % 50):
        stream = io.BytesIO()
        np.save(stream, np.insert(sides[0], D, numbers, axis=1))
        codes = {word.code for word in load(stream.getvalue(), "x.npy").loaded.words}
        assert "counting_coordinate" not in codes
