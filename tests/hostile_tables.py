"""Tables and tensors people have and such that mean harm: text, JSON, Parquet, Arrow, safetensors.

See `tests.hostile` for what a case is.
"""

from __future__ import annotations

import io
import json
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import safetensors.numpy

from tests.hostile import BF16, DIMS, GOOD, ROW, ROWS, ask, bfloat16_bits, csv_text, refuse, take, vectors_json

VECTORS = vectors_json(GOOD)
NAMES = [f"emb_{k}" for k in range(DIMS)]


def parquet(**columns: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def arrow_file(table: pa.Table, *, stream: bool = False) -> bytes:
    out = io.BytesIO()
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def lists(array: np.ndarray) -> pa.Array:
    return pa.array(array.tolist(), pa.list_(pa.from_numpy_dtype(array.dtype)))


def raw_safetensors(text: str, data: bytes = b"") -> bytes:
    return struct.pack("<Q", len(text)) + text.encode() + data


TEXT = {
    "plain.csv": take(lambda: csv_text(GOOD), array=ROW),
    "header.csv": take(lambda: csv_text(GOOD, NAMES), ("column names",), array=ROW),
    "pandas.csv": take(lambda: csv_text(GOOD, [str(k) for k in range(DIMS)]), ("column names",), array=ROW),
    "index.csv": take(
        lambda: csv_text(GOOD, ["", *(str(k) for k in range(DIMS))], list(range(ROWS))), ("index",), array=ROW
    ),
    "index_alone.csv": take(lambda: csv_text(GOOD, None, list(range(ROWS))), ("index",), array=ROW),
    "total.csv": take(lambda: csv_text(GOOD, ["total", *NAMES], [9] * ROWS), ("total",), ("emb_0",), array=ROW),
    "script.csv": take(
        lambda: csv_text(GOOD, ["<img src=x onerror=alert(1)>", "c1", "c2", "c3", "c4"]), ("<img",), array=ROW
    ),
    "shuffled_names.csv": take(
        lambda: csv_text(GOOD[:, [0, 2, 1, 3, 4]], ["e0", "e2", "e1", "e3", "e4"]), ("order",), array=ROW
    ),
    "tabs.tsv": take(lambda: csv_text(GOOD).replace(b",", b"\t"), array=ROW),
    "savetxt.txt": take(lambda: b"# made by hand\n" + csv_text(GOOD).replace(b",", b" "), ("comment",), array=ROW),
    "glove.txt": take(lambda: csv_text(GOOD, None, ["w"] * ROWS).replace(b",", b" "), array=ROW),
    "word2vec.txt": take(
        lambda: b"12 5\n" + csv_text(GOOD, None, ["w"] * ROWS).replace(b",", b" "), ("word2vec",), array=ROW
    ),
    "european.csv": take(
        lambda: csv_text(GOOD).replace(b",", b";").replace(b".", b","), ("decimal commas",), array=ROW
    ),
    "utf16.csv": take(lambda: csv_text(GOOD).decode().encode("utf-16"), ("UTF-16",), array=ROW),
    "bom.csv": take(lambda: b"\xef\xbb\xbf" + csv_text(GOOD), array=ROW),
    "blank_lines.csv": take(lambda: csv_text(GOOD).replace(b"\n", b"\n\n"), ("11 blank lines",), array=ROW),
    "lists.csv": take(
        lambda: b"id,text,embedding\n" + "".join(f'{k},"a, ""b""","{row}"\n' for k, row in enumerate(VECTORS)).encode(),
        array=ROW,
    ),
    "numpy_repr.csv": take(
        lambda: (
            b"id,embedding\n"
            + "".join(
                f'{k},"{np.array2string(row, max_line_width=30)}"\n' for k, row in enumerate(ROW * 0 + 0.5)
            ).encode()
        ),
        array=ROW * 0 + 0.5,
    ),
    "tensor_repr.csv": take(
        lambda: b"embedding,x\n" + "".join(f"\"tensor({row}, device='cuda:0')\",a\n" for row in VECTORS).encode(),
        array=ROW,
    ),
    "numpy_2_repr.csv": take(
        lambda: b"e,x\n" + "".join(f'"{[np.float64(v) for v in row]}",a\n' for row in ROW).encode(), array=ROW
    ),
    "ellipsis.csv": refuse(lambda: b'id,emb\n0,"[0.1 0.2 ... 0.3]"\n1,"[0.1 ... 0.3]"\n', ("...",), ("row 0",)),
    "ragged.csv": refuse(lambda: csv_text(GOOD) + b"1,2,3\n", ("row 12",), ("line 13",), ("3 cells",)),
    "ragged_lists.csv": refuse(lambda: b'e,x\n"[1, 2]",a\n"[1, 2, 3]",b\n', ("row 1",), ("3 numbers",)),
    "bad_cell.csv": refuse(lambda: csv_text(GOOD) * 2 + b"1,2,x,4,5\n", ("row 24",), ("'x'",), ("'2'",)),
    "empty_cell.csv": refuse(lambda: csv_text(GOOD) * 2 + b"1,2,,4,5\n", ("row 24",), ("nothing",)),
    "empty_row.csv": refuse(lambda: csv_text(GOOD) + b",,,,\n", ("row 12",), ("nothing",)),
    "underscore.csv": refuse(lambda: csv_text(GOOD) * 2 + b"1_0,2,3,4,5\n", ("row 24",), ("1_0",)),
    "open_quote.csv": refuse(lambda: csv_text(GOOD) + b'1,"2,3\n' + b"x" * 500_000, ("quote",)),
    "one_line.csv": refuse(lambda: b"1," * 2_000_000, ("line",)),
    "prose.txt": refuse(lambda: b"Lorem ipsum\ndolor sit\n", ("no column",)),
    "prose.npy": refuse(lambda: b"Not found", ("not a .npy",), ("text",)),
    "blank.csv": refuse(lambda: b"\n\n\n", ("without a row",)),
    "names_alone.csv": refuse(lambda: b"a,b\n", ("no column",)),
    "ids.csv": ask(lambda: csv_text(GOOD, ["id", "x", "y", "z", "u", "v"], [7] * ROWS), ("x,y,z,u,v",)),
    "two_runs.csv": ask(lambda: csv_text(GOOD[:, :4], ["a_0", "a_1", "b_0", "b_1"]), ("a_*",), ("b_*",)),
}

JSON = {
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
    "ragged.json": refuse(lambda: b"[[1, 2], [1, 2], [3]]", ("row 2",), ("1 numbers",)),
    "null.json": refuse(lambda: b"[[1, 2], [1, null]]", ("row 1",), ("null",)),
    "null_row.json": refuse(lambda: b"[[1, 2], null]", ("row 1",), ("null",)),
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
    "two_keys.json": refuse(lambda: b'{"a": [[1, 2]], "b": [[1, 2]]}', ("a, b",)),
    "not_utf8.json": refuse(lambda: b'[[1, 2], "\xff"]', ("UTF-8",)),
}

ARROW = {
    "lists.parquet": take(lambda: parquet(id=list(range(ROWS)), embedding=lists(GOOD), text=["a"] * ROWS)),
    "fixed.parquet": take(
        lambda: parquet(e=pa.FixedSizeListArray.from_arrays(pa.array(GOOD.ravel()), DIMS)), array=GOOD
    ),
    "half.parquet": take(lambda: parquet(e=lists(GOOD.astype("f2"))), array=GOOD.astype("f2")),
    "wide.parquet": take(
        lambda: parquet(total=[1.5] * ROWS, **{n: GOOD[:, k] for k, n in enumerate(NAMES)}), ("total",), ("emb_",)
    ),
    "pandas.parquet": take(
        lambda: parquet(**{n: ROW[:, k] for k, n in enumerate(NAMES)}, __index_level_0__=list(range(ROWS))),
        ("index",),
        array=ROW,
    ),
    "lists.arrow": take(lambda: arrow_file(pa.table({"e": lists(GOOD)}))),
    "stream.arrow": take(lambda: arrow_file(pa.table({"e": lists(GOOD)}), stream=True)),
    "two.parquet": ask(lambda: parquet(a=lists(GOOD), b=lists(GOOD)), ("a",), ("b",)),
    "texts.parquet": refuse(lambda: parquet(a=["x"] * 3), ("no column",)),
    "null.parquet": refuse(lambda: parquet(e=[[1.0, 2.0], None]), ("row 1",), ("null",)),
    "null_inside.parquet": refuse(lambda: parquet(e=[[1.0, 2.0], [1.0, None]]), ("row 1",), ("null",)),
    "null_cell.parquet": refuse(lambda: parquet(x0=[1.0, None], x1=[1.0, 2.0]), ("row 1",), ("x0",)),
    "ragged.parquet": refuse(lambda: parquet(e=[[1.0, 2.0], [1.0]]), ("row 1",), ("1 numbers",)),
    "no_rows.parquet": refuse(lambda: parquet(e=pa.array([], pa.list_(pa.float32()))), ("no rows",)),
    "cut_short.parquet": refuse(lambda: parquet(e=lists(GOOD))[:-20], ("cut short",)),
    "cut_short.arrow": refuse(lambda: arrow_file(pa.table({"e": lists(GOOD)}))[:-200], ("cut short",)),
    "feather_1.feather": refuse(lambda: b"FEA1" + bytes(50), ("Feather",)),
}

_ENTRY = '{"x":{"dtype":"F32","shape":[12,5],"data_offsets":[0,240]}}'
_OTHER = _ENTRY.replace('"x"', '"y"')
SAFETENSORS = {
    "one.safetensors": take(lambda: safetensors.numpy.save({"x": GOOD}, {"format": "np"})),
    "bf16.safetensors": take(
        lambda: raw_safetensors(_ENTRY.replace("F32", "BF16").replace("240", "120"), bfloat16_bits(GOOD).tobytes()),
        ("BF16",),
        array=BF16,
    ),
    "renamed.npy": take(lambda: safetensors.numpy.save({"x": GOOD}), ("safetensors",)),
    "beside_bias.safetensors": take(lambda: safetensors.numpy.save({"bias": GOOD[0], "x": GOOD})),
    "two.safetensors": ask(lambda: safetensors.numpy.save({"a": GOOD, "b": GOOD}), ("a (12, 5)",), ("b (12",)),
    "bool.safetensors": refuse(lambda: safetensors.numpy.save({"x": GOOD > 0}), ("BOOL",)),
    "cut_short.safetensors": refuse(lambda: safetensors.numpy.save({"x": GOOD})[:-9], ("cut short",)),
    "cut_in_header.safetensors": refuse(lambda: safetensors.numpy.save({"x": GOOD})[:30], ("cut short",)),
    "longer.safetensors": refuse(lambda: safetensors.numpy.save({"x": GOOD}) + b"123", ("3 bytes more",)),
    "hole.safetensors": refuse(lambda: raw_safetensors(_ENTRY.replace("[0,240]", "[8,248]"), bytes(248)), ("header",)),
    "overlap.safetensors": refuse(lambda: raw_safetensors(_ENTRY[:-1] + "," + _OTHER[1:], bytes(240)), ("header",)),
    "lying_shape.safetensors": refuse(lambda: raw_safetensors(_ENTRY.replace("12", "99"), bytes(240)), ("header",)),
    "negative.safetensors": refuse(lambda: raw_safetensors(_ENTRY.replace("12", "-1"), bytes(240)), ("header",)),
    "twice.safetensors": refuse(lambda: raw_safetensors(_ENTRY[:-1] + "," + _ENTRY[1:], bytes(240)), ("header",)),
    "deep.safetensors": refuse(lambda: raw_safetensors('{"x":' * 5000, bytes(240)), ("header",)),
    "not_one.safetensors": refuse(lambda: bytes(100), ("not a safetensors",)),
}
