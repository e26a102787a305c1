"""JSON people have and JSON that means harm; see `tests.hostile` for what a case is."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from tests.hostile import GOOD, ROW, ROWS, ask, refuse, take, vectors_json

VECTORS = vectors_json(GOOD)
NAN = float("nan")


def numbered(number: Callable[[int], object]) -> list[dict[str, object]]:
    """Records of an API, each with its number, last first."""
    return [{"index": number(k), "embedding": row} for k, row in enumerate(VECTORS)][::-1]


def by_column(stem: str, **others: object) -> dict[str, object]:
    """The good rows as pandas' ``to_dict("list")`` gives them."""
    return {**others, **{f"{stem}{k}": column for k, column in enumerate(ROW.T.tolist())}}


def as_answers(rows: list[list[float]]) -> list[dict[str, object]]:
    """Answers of an API to four inputs each, their records last first."""
    return [
        {"data": [{"index": k, "embedding": rows[start + k]} for k in range(4)][::-1], "model": "m"}
        for start in range(0, ROWS, 4)
    ]


TABLES = {
    "columns.json": take(lambda: json.dumps(by_column("dim_")).encode(), ("12 rows of 5 numbers",), array=ROW),
    "columns_backwards.json": take(
        lambda: json.dumps(dict(reversed(by_column("feature ").items()))).encode(), ("order of the numbers",), array=ROW
    ),
    "columns_and_others.json": take(
        lambda: json.dumps(by_column("emb_", id=list(range(ROWS)), score=[0.5] * ROWS, text=["a"] * ROWS)).encode(),
        ("score, text were left out",),
        array=ROW,
    ),
    "columns_inside.json": take(lambda: json.dumps({"data": by_column("dim_")}).encode(), ("12 rows",), array=ROW),
    "columns_or_rows.json": ask(lambda: json.dumps(by_column("emb_")).encode(), ("emb_*",), ("rows",)),
    "few_numbers_of_rows.json": ask(lambda: json.dumps(by_column("")).encode(), ("*",), ("rows",)),
    "few_documents.json": take(
        lambda: json.dumps({f"doc{k}": row for k, row in enumerate(VECTORS[:3])}).encode(), ("names",), array=ROW[:3]
    ),
    "columns_unequal.json": refuse(lambda: b'{"dim_0": [1, 2], "dim_1": [1, 2, 3]}', ("row 1",)),
    "split.json": take(
        lambda: json.dumps(
            {
                "columns": ["id", "embedding"],
                "index": [5] * ROWS,
                "data": [[k, row] for k, row in enumerate(VECTORS)],
            }
        ).encode(),
        ("id was left out",),
        array=ROW,
    ),
    "split_wide.json": take(
        lambda: json.dumps(
            {"columns": ["score", *range(5)], "index": [], "data": [[0.5, *row] for row in VECTORS]}
        ).encode(),
        ("score was left out",),
        array=ROW,
    ),
    "split_ragged.json": refuse(
        lambda: b'{"columns": ["x0", "x1"], "data": [[0.5, 1.5], [0.5]]}', ("row 1",), ("1 value",)
    ),
    "by_index.json": take(
        lambda: json.dumps({str(k): {"embedding": row, "id": k} for k, row in enumerate(VECTORS)}).encode(),
        ("order",),
        array=ROW,
    ),
    "object_a_column.json": refuse(
        lambda: json.dumps({f"dim_{k}": dict(enumerate(ROW[:, k].tolist())) for k in range(3)}).encode(), ("read_json",)
    ),
    "wide_records.jsonl": take(
        lambda: "\n".join(
            json.dumps({"score": 0.5, **{f"dim_{k}": v for k, v in enumerate(row)}}) for row in VECTORS
        ).encode(),
        ("score was left out",),
        array=ROW,
    ),
    "wide_record_without_one.jsonl": refuse(
        lambda: b'{"x0": 0.5, "x1": 1.5}\n{"x0": 0.5}', ("record 1",), ("field x1",)
    ),
    "answers.jsonl": take(
        lambda: "\n".join(map(json.dumps, as_answers(VECTORS))).encode(), ("order of its index",), array=ROW
    ),
    "answers.json": take(lambda: json.dumps(as_answers(VECTORS)).encode(), ("order of its index",), array=ROW),
    "answers_and_an_error.jsonl": refuse(
        lambda: "\n".join(map(json.dumps, [*as_answers(VECTORS), {"error": "rate limit"}])).encode(), ("answer 3",)
    ),
    "answers_without_order.jsonl": refuse(
        lambda: json.dumps([{"data": [{"index": 1, "embedding": [1, 2]}]}] * 2).encode(), ("answer 0",), ("index",)
    ),
    "batch.jsonl": refuse(
        lambda: "\n".join(
            json.dumps({"custom_id": f"r{k}", "response": {"body": {"data": [{"embedding": row}]}}})
            for k, row in enumerate(VECTORS)
        ).encode(),
        ("response.body.data[0].embedding",),
        ("custom_id",),
        ("for x in r['response']['body']['data']",),
    ),
    "deeper.jsonl": take(
        lambda: "\n".join(json.dumps({"id": 1, "meta": {"embedding": row}}) for row in VECTORS).encode(),
        ("meta.embedding",),
        array=ROW,
    ),
    "hits.json": take(
        lambda: json.dumps(
            {"hits": {"total": 9, "hits": [{"_source": {"embedding": row}} for row in VECTORS]}}
        ).encode(),
        ("_source.embedding",),
        array=ROW,
    ),
    "named_vectors.json": ask(
        lambda: json.dumps([{"id": 1, "vector": {"text": row, "image": row}} for row in VECTORS]).encode(),
        ("vector.text, vector.image",),
    ),
    "sparse_inside.json": refuse(
        lambda: json.dumps([{"vector": {"s": {"indices": [1, 2], "values": [0.5, 1.5]}}}] * 3).encode(),
        ("without a list",),
    ),
}

JSON = {
    **TABLES,
    "lists.json": take(lambda: json.dumps(VECTORS).encode(), array=ROW),
    "spaced.json": take(lambda: b"\n [ " + json.dumps(VECTORS, indent=1).encode()[1:] + b" \n", array=ROW),
    "records.json": take(
        lambda: json.dumps([{"id": k, "embedding": row} for k, row in enumerate(VECTORS)]).encode(),
        array=ROW,
    ),
    "records.jsonl": take(lambda: "\n".join(json.dumps({"emb": row, "t": "ü"}) for row in VECTORS).encode(), array=ROW),
    "lists.jsonl": take(lambda: "\n".join(map(json.dumps, VECTORS)).encode(), array=ROW),
    "answer.json": take(
        lambda: json.dumps(
            {
                "object": "list",
                "data": [{"index": k, "embedding": row} for k, row in enumerate(VECTORS)][::-1],
            }
        ).encode(),
        ("index",),
        array=ROW,
    ),
    "names.json": take(
        lambda: json.dumps({f"n{k}": row for k, row in enumerate(VECTORS)}).encode(), ("order",), array=ROW
    ),
    "nested.json": take(
        lambda: json.dumps({"id": "x", "embeddings": {"float": VECTORS}}).encode(), ("float",), array=ROW
    ),
    "two_lists.json": take(
        lambda: json.dumps([{"tokens": [1, 2], "vector": row} for row in VECTORS]).encode(),
        ("tokens",),
        array=ROW,
    ),
    "n_1_d.json": take(lambda: json.dumps([[row] for row in VECTORS]).encode(), ("dropped",), array=ROW),
    "1_n_d.json": take(lambda: json.dumps([VECTORS]).encode(), ("dropped",), array=ROW),
    "renamed.npy": take(lambda: json.dumps(VECTORS).encode(), ("JSON",), array=ROW),
    "utf16.json": take(lambda: json.dumps(VECTORS).encode("utf-16"), array=ROW),
    "which.json": ask(lambda: json.dumps([{"x": [1, 2], "y": [3, 4]}] * 3).encode(), ("x, y",)),
    "one_list.json": refuse(lambda: b"[1, 2, 3]", ("1-d",)),
    "deep.json": refuse(lambda: b"[" * 1500 + b"]" * 1500, ("nested",)),
    "deeper.json": refuse(lambda: b"[" * 100_000 + b"]" * 100_000, ("nesting",)),
    "deep_object.json": refuse(lambda: b'{"a":' * 3000 + b"1" + b"}" * 3000, ("nested", "nesting")),
    "three_levels.json": refuse(lambda: json.dumps([[[1, 2], [3, 4]]] * 3).encode(), ("(n, d)",)),
    "ragged.json": refuse(lambda: b"[[1, 2], [1, 2], [3]]", ("row 2",), ("1 number",)),
    "null.json": take(lambda: b"[[1, 2], [1, null]]", ("row 1",), ("null",), array=np.array([[1, 2], [1, NAN]])),
    "null_row.json": take(lambda: b"[[1, 2], null]", ("row 1",), ("null",), array=np.array([[1, 2], [NAN, NAN]])),
    "null_first.json": take(lambda: b"[null, [1, 2]]", ("row 0",), ("null",), array=np.array([[NAN, NAN], [1, 2]])),
    "null_first.jsonl": take(
        lambda: b'{"embedding": null}\n{"embedding": [1, 2]}', ("row 0",), array=np.array([[NAN, NAN], [1, 2]])
    ),
    "all_null.jsonl": refuse(lambda: b'{"embedding": null}\n' * 3, ("null",), ("embedding",)),
    "error_first.jsonl": refuse(lambda: b'{"error": "x"}\n{"embedding": [1, 2]}', ("record 0",), ("embedding",)),
    "record_after_lists.json": refuse(lambda: b'[[1, 2], {"embedding": [1, 2]}]', ("row 1",), ("record",)),
    **{
        f"index_{place}{end}": take(lambda make=make, one=one: make(numbered(one)), ("index field",), array=ROW)
        for place, (one, make) in enumerate(
            [
                (int, lambda rows: json.dumps({"data": rows}).encode()),
                (str, lambda rows: json.dumps({"data": rows}).encode()),
                (float, lambda rows: json.dumps({"data": rows}).encode()),
                (lambda k: k + 1, lambda rows: json.dumps({"data": rows}).encode()),
                (int, lambda rows: json.dumps(rows).encode()),
                (int, lambda rows: "\n".join(map(json.dumps, rows)).encode()),
            ]
        )
        for end in (".json",)
    },
    "index_nested.json": take(
        lambda: json.dumps([{**row, "embedding": [row["embedding"]]} for row in numbered(int)]).encode(),
        ("index field",),
        ("dropped",),
        array=ROW,
    ),
    "index_with_gaps.json": refuse(lambda: json.dumps({"data": numbered(lambda k: 3 * k)}).encode(), ("gaps",)),
    "index_once_missing.json": refuse(
        lambda: json.dumps([{"embedding": VECTORS[0]}, *numbered(int)]).encode(),
        ("record 0",),
        ("index",),
        ("missing",),
    ),
    "index_once_odd.json": refuse(
        lambda: json.dumps([*numbered(int), {"index": "last", "embedding": VECTORS[0]}]).encode(), ("'last'",)
    ),
    "index_labels.json": take(lambda: json.dumps(numbered(lambda k: f"doc{k}")[::-1]).encode(), ("labels",), array=ROW),
    "index_again.jsonl": take(
        lambda: "\n".join(json.dumps({"index": k % 4, "embedding": row}) for k, row in enumerate(VECTORS)).encode(),
        ("several times",),
        array=ROW,
    ),
    "numbered_names.json": take(
        lambda: json.dumps({str(k): VECTORS[k] for k in range(ROWS)[::-1]}).encode(), ("that order",), array=ROW
    ),
    "fields_beside.jsonl": take(
        lambda: "\n".join(json.dumps({"text": "a", "embedding": row}) for row in VECTORS).encode(),
        ("field text was left out",),
        array=ROW,
    ),
    "vector_as_text.jsonl": take(
        lambda: "\n".join(json.dumps({"embedding": str(row)}) for row in VECTORS).encode(), ("as text",), array=ROW
    ),
    "two_fields_of_one_name.json": refuse(
        lambda: b'[{"embedding": [1, 2], "embedding": [3, 4]}, {"embedding": [1, 2]}]', ("two fields",)
    ),
    "zarr.json": refuse(lambda: b'{"zarr_format": 2, "shape": [40, 8], "dtype": "<f4"}', ("zarr",)),
    "shape_is_no_vector.json": refuse(lambda: b'{"shape": [40, 8], "name": "x"}', ("without vectors",), ("shape",)),
    "sparse.json": refuse(lambda: json.dumps([{"indices": [1, 2], "values": [0.1, 0.2]}] * 4).encode(), ("sparse",)),
    "text_number.json": refuse(lambda: b'[[1, 2], [1, "2"]]', ("row 1",), ("string",)),
    "true.json": refuse(lambda: b"[[1, 2], [1, true]]", ("row 1",), ("true",)),
    "huge_number.json": refuse(lambda: b"[[1" + b"0" * 400 + b", 2]]", ("row 0",), ("float64",)),
    "endless_number.json": refuse(lambda: b"[[1" + b"0" * 5000 + b", 2]]", ("too long",)),
    "cut_short.json": refuse(lambda: json.dumps(VECTORS).encode()[:-30], ("cut short",)),
    "missing_comma.json": refuse(lambda: b"[[1, 2]\n [3, 4]]", ("line 2",)),
    "more_after.json": refuse(lambda: b"[[1, 2], [3, 4]] oops", ("line 1",)),
    "base64.json": refuse(lambda: b'{"data": [{"embedding": "AAAAAA=="}]}', ("base64",)),
    "no_vectors.json": refuse(lambda: b'{"error": {"code": 404}}', ("error",)),
    "no_list.jsonl": refuse(lambda: b'{"a": 1}\n{"a": 2}', ("fields are: a",)),
    "missing_field.jsonl": refuse(lambda: b'{"e": [1, 2]}\n{"f": [1, 2]}', ("record 1",)),
    "same_index.json": refuse(
        lambda: b'{"data": [{"index": 0, "e": [1, 2]}, {"index": 0, "e": [1, 2]}]}', ("same index",)
    ),
    "index_with_a_gap.jsonl": take(
        lambda: "\n".join(
            json.dumps({"index": row + (row > 3), "id": f"d{row}", "embedding": vector})
            for row, vector in enumerate(vectors_json(ROW))
        ).encode(),
        ("the first is 4;",),
        array=ROW,
    ),
    "names_with_a_gap.json": take(
        lambda: json.dumps({str(5 * row): vector for row, vector in enumerate(vectors_json(ROW))}).encode(),
        ("the first is 1;",),
        array=ROW,
    ),
    "split_shuffled.json": take(
        lambda: json.dumps(
            {
                "columns": ["id", *"abcde"],
                "index": [5, 1.0, *range(6, 14), 2, 3],
                "data": [[float(row), *vector] for row, vector in enumerate(vectors_json(ROW))],
            }
        ).encode(),
        ("out of order: row 1",),
        ("index column (id)",),
        array=ROW,
    ),
    "ids_beside.json": take(
        lambda: json.dumps({"ids": [f"d{row}" for row in range(ROWS)], "embeddings": vectors_json(ROW)}).encode(),
        array=ROW,
    ),
    "two_keys.json": ask(lambda: b'{"a": [[1, 2]], "b": [[1, 2]]}', ("a (1 row), b (1 row)",)),
    "several_types.json": ask(
        lambda: json.dumps({"id": "x", "embeddings": {"float": vectors_json(GOOD), "int8": [[1, 2]] * ROWS}}).encode(),
        ("embeddings.float (12 rows), embeddings.int8 (12 rows)",),
    ),
    "not_utf8.json": refuse(lambda: b'[[1, 2], "\xff"]', ("UTF-8",)),
}
