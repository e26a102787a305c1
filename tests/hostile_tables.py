"""Tables and tensors people have and such that mean harm: text, JSON, Parquet, Arrow, safetensors.

See `tests.hostile` for what a case is.
"""

from __future__ import annotations

import json
import struct

import numpy as np
import pyarrow as pa
import safetensors.numpy

from tests.hostile import BF16, CODES, DIMS, GOOD, ROW, ROWS, ask, bfloat16_bits, csv_text, refuse, take, vectors_json
from tests.hostile_arrow import STORED, arrow_file, lists, parquet, table_bytes
from tests.hostile_json import JSON as JSON
from tests.hostile_layout import LAYOUT

VECTORS = vectors_json(GOOD)
NAMES = [f"emb_{k}" for k in range(DIMS)]


def with_index(table: pa.Table, names: list[str]) -> bytes:
    """As pandas writes a frame with an index of its own."""
    return table_bytes(table.replace_schema_metadata({"pandas": json.dumps({"index_columns": names, "columns": []})}))


def raw_safetensors(text: str, data: bytes = b"") -> bytes:
    return struct.pack("<Q", len(text)) + text.encode() + data


NAN = float("nan")


def with_cell(cell: str, row: int, names: list[str] | None = None) -> bytes:
    """The good rows as a table, one cell in column 2 overwritten."""
    lines = csv_text(GOOD).decode().splitlines()
    cells = lines[row].split(",")
    lines[row] = ",".join([*cells[:2], cell, *cells[3:]])
    return ("\n".join([",".join(names), *lines] if names else lines) + "\n").encode()


def with_nan(row: int) -> np.ndarray:
    changed = ROW.copy()
    changed[row, 2] = NAN
    return changed


TEXT = {
    **LAYOUT,
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
    "empty_cell.csv": take(
        lambda: csv_text(ROW) * 2 + b"1,2,,4,5\n",
        ("row 24",),
        ("nothing",),
        array=np.vstack([ROW, ROW, [1, 2, NAN, 4, 5]]),
    ),
    "empty_row.csv": take(
        lambda: csv_text(ROW) + b",,,,\n", ("row 12",), ("nothing",), array=np.vstack([ROW, [NAN] * 5])
    ),
    "underscore.csv": refuse(lambda: csv_text(GOOD) * 2 + b"1_0,2,3,4,5\n", ("row 24",), ("1_0",)),
    "open_quote.csv": refuse(lambda: csv_text(GOOD) + b'1,"2,3\n' + b"x" * 500_000, ("quote",)),
    "one_line.csv": refuse(lambda: b"1," * 2_000_000, ("line",)),
    "prose.txt": refuse(lambda: b"Lorem ipsum\ndolor sit\n", ("no column",)),
    "prose.npy": refuse(lambda: b"Not found", ("not a .npy",), ("text",)),
    "blank.csv": refuse(lambda: b"\n\n\n", ("without a row",)),
    "names_alone.csv": refuse(lambda: b"a,b\n", ("no column",)),
    "one_name_twice.csv": refuse(
        lambda: b"e,e\n" + b'"[1.5, 2]","[2.5, 1]"\n' * 3, ("2 columns called e",), ("rename",)
    ),
    "ids.csv": ask(lambda: csv_text(GOOD, ["id", "x", "y", "z", "u", "v"], [7] * ROWS), ("x,y,z,u,v",)),
    "two_runs.csv": ask(lambda: csv_text(GOOD[:, :4], ["a_0", "a_1", "b_0", "b_1"]), ("a_*",), ("b_*",)),
    **{
        f"{word.replace('/', '-')}_at_{row}.csv": take(
            lambda word=word, row=row: with_cell(word, row, NAMES),
            ("missing value",),
            (f"row {row} ",),
            ("'emb_2'",),
            array=with_nan(row),
        )
        for word in ("NA", "", "null", "None", "#N/A", "n/a")
        for row in (0, 2, 11)
    },
    "nan.csv": take(lambda: with_cell("nan", 2, NAMES), array=with_nan(2)),
    "NA_in_a_bare_first_row.csv": take(lambda: with_cell("NA", 0), ("row 0 ",), ("'2'",), array=with_nan(0)),
    **{
        f"odd_cell_{place}.csv": refuse(
            lambda cell=cell, row=row: with_cell(cell, row, NAMES), (f"row {row} ",), ("emb_2",), (cell,)
        )
        for place, (cell, row) in enumerate([("1_0", 0), ("1 000.5", 2), ("x", 11), ("0.5%", 1)])
    },
    "odd_column.csv": refuse(
        lambda: "\n".join([",".join(NAMES), *(f"{v[0]},{v[1]},{v[2]}%,{v[3]},{v[4]}" for v in VECTORS)]).encode(),
        ("column emb_2",),
        ("row 0 ",),
        ("%",),
    ),
    **{
        f"numbers_{place}.csv": take(lambda names=names: csv_text(ROW, names), ("column names",), array=ROW)
        for place, names in enumerate(
            [
                ["1", "2", "3", "4", "5"],
                ["5", "6", "7", "8", "9"],
                ["0", "2", "4", "6", "8"],
                ["0", "1", "10", "11", "2"],
                ["0.0", "1.0", "2.0", "3.0", "4.0"],
                ["0", "0.1", "0.2", "0.3", "0.4"],
            ]
        )
    },
    "numbers_backwards.csv": take(
        lambda: csv_text(ROW, ["4", "3", "2", "1", "0"]), ("order of the numbers",), array=ROW[:, ::-1]
    ),
    "numbers_in_text_order.csv": take(
        lambda: csv_text(np.hstack([ROW, ROW, ROW[:, :2]]), sorted(map(str, range(12)))),
        ("order of the numbers",),
        array=np.hstack([ROW, ROW, ROW[:, :2]])[:, np.argsort(np.array(sorted(map(str, range(12))), int))],
    ),
    "unnamed_before_numbers.csv": take(
        lambda: csv_text(ROW, ["", "7", "8", "9", "10"]), ("without a name was left out",), array=ROW[:, 1:]
    ),
    **{
        f"{other or 'unnamed'}_{place}_beside_{names[0]}.csv": take(
            lambda other=other, names=names, place=place: csv_text(
                np.insert(ROW, place, 1000.5 + np.arange(ROWS) / 8, axis=1), [*names[:place], other, *names[place:]]
            ),
            (f"column {other or 'without a name'} was left out",),
            array=ROW,
        )
        for other, place in [("score", 5), ("similarity", 0), ("timestamp", 2), ("norm", 5), ("", 0)]
        for names in ([f"dim_{k}" for k in range(DIMS)], list("01234"), list("12345"), [f"e[{k}]" for k in range(DIMS)])
    },
    "more_others_than_a_run.csv": ask(lambda: csv_text(GOOD, ["lat", "lon", "height", "v1", "v2"]), ("v*",)),
    "two_runs_one_of_them_bare.csv": ask(lambda: csv_text(GOOD[:, :4], ["0", "1", "b_0", "b_1"]), ("0,1 |",), ("b_*",)),
    "label_under_a_bare_number.csv": ask(
        lambda: csv_text(GOOD, ["0", "1", "2", "3", "4", "5"], [7] * ROWS), ("1,2,3,4,5 |",)
    ),
    "numbers_over_codes.csv": take(
        lambda: csv_text(CODES.astype("i8"), ["1", "2", "3", "4", "5"]), ("column names",), ("codes",), array=CODES
    ),
    "whole_first_row.csv": take(
        lambda: b"3,1\n0.5,0.25\n0.5,0.75\n",
        ("may be column names",),
        array=np.array([[3, 1], [0.5, 0.25], [0.5, 0.75]]),
    ),
    "whole_numbers_first.csv": take(
        lambda: csv_text(np.vstack([[1.0, 1, 2, 0, 0], ROW])), array=np.vstack([[1.0, 1, 2, 0, 0], ROW])
    ),
    "codes.csv": take(lambda: csv_text(CODES.astype("i8")), ("whole (integers)",), array=CODES),
    "words_beside.csv": take(
        lambda: csv_text(GOOD, ["text", *NAMES], ["a"] * ROWS), ("column text was left out",), array=ROW
    ),
    "glove_says_so.txt": take(
        lambda: csv_text(GOOD, None, ["w"] * ROWS).replace(b",", b" "), ("column 0 was left out",), array=ROW
    ),
    "libsvm.txt": refuse(lambda: b"1 1:0.5 2:0.25\n0 1:0.5 3:1\n", ("LIBSVM",), ("load_svmlight_file",)),
    "commas_of_both_kinds.csv": refuse(
        lambda: csv_text(GOOD).replace(b".", b","), ("decimal commas",), ("semicolons",)
    ),
    "quoted_decimal_commas.csv": take(
        lambda: ("\n".join(",".join(f'"{v!r}"'.replace(".", ",") for v in row) for row in ROW.tolist())).encode(),
        ("decimal commas",),
        array=ROW,
    ),
    "excel_sep.csv": take(lambda: b"sep=;\n" + csv_text(GOOD).replace(b",", b";"), ("skipped",), array=ROW),
    "pipes.csv": take(lambda: csv_text(GOOD).replace(b",", b"|"), array=ROW),
    "typeset_minus.csv": take(lambda: csv_text(GOOD).replace(b"-", "\N{MINUS SIGN}".encode()), ("U+2212",), array=ROW),
    "not_found.csv": refuse(lambda: b"404: Not Found", ("404: Not Found",), ("error message",), ("Download",)),
    "names_without_rows.csv": refuse(lambda: b"a,b,c\n", ("one line of column names",)),
    "none_inside.csv": take(
        lambda: b'e\n"[1.5, 2]"\n"[None, 2]"\n', ("empty place",), array=np.array([[1.5, 2], [NAN, 2]])
    ),
    "no_vector.csv": take(
        lambda: b'e,t\n,a\n"[1.5, 2]",b\n', ("row 0 ",), ("vector is missing",), array=np.array([[NAN, NAN], [1.5, 2]])
    ),
    "quoted_newline.csv": take(lambda: b'"a\nb",c\n' + b"1.5,2.5\n" * 3, array=np.array([[1.5, 2.5]] * 3)),
    "carriage_returns.csv": take(lambda: csv_text(GOOD).replace(b"\n", b"\r"), array=ROW),
    "many_blank_lines.csv": refuse(lambda: b"1,2\n" + b"\n" * 1_100_000 + b"3,4\n", ("blank lines",)),
    "blank_lines_after.csv": take(lambda: csv_text(GOOD) + b"\n" * 2_000_000, array=ROW),
    "70000_columns.csv": refuse(lambda: b"1.5," * 70_000 + b"1\n" + b"2.5," * 70_000 + b"1", ("70,001 columns",)),
}

ARROW = {
    **STORED,
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
    "score.parquet": take(
        lambda: parquet(**{n: ROW[:, k] for k, n in enumerate(NAMES)}, score=[99.5] * ROWS),
        ("column score was left out",),
        array=ROW,
    ),
    "text_order.parquet": take(
        lambda: parquet(**{str(k): ROW[:, k] for k in [2, 0, 1, 4, 3]}), ("order of the numbers",), array=ROW
    ),
    "float_index.parquet": take(
        lambda: with_index(pa.table({"x": ROW[:, 0], "y": ROW[:, 1], "t": [1000.5] * ROWS}), ["t"]),
        ("index column (t)",),
        array=ROW[:, :2],
    ),
    **{
        f"odd_pandas_{place}.parquet": take(
            lambda text=text: table_bytes(pa.table({"x": ROW[:, 0]}).replace_schema_metadata({"pandas": text})),
            array=ROW[:, :1],
        )
        for place, text in enumerate(["{", "[]", '{"index_columns": 7}', '{"index_columns": [{"kind": "range"}, []]}'])
    },
    "lists.arrow": take(lambda: arrow_file(pa.table({"e": lists(GOOD)}))),
    "stream.arrow": take(lambda: arrow_file(pa.table({"e": lists(GOOD)}), stream=True)),
    "two.parquet": ask(lambda: parquet(a=lists(GOOD), b=lists(GOOD)), ("a",), ("b",)),
    "texts.parquet": refuse(lambda: parquet(a=["x"] * 3), ("no column",)),
    "null.parquet": take(
        lambda: parquet(e=[None, [1.0, 2.0]]), ("row 0",), ("null",), array=np.array([[NAN, NAN], [1.0, 2.0]])
    ),
    "null_inside.parquet": take(
        lambda: parquet(e=[[1.0, 2.0], [1.0, None]]), ("row 1",), ("null",), array=np.array([[1.0, 2.0], [1.0, NAN]])
    ),
    "null_fixed.arrow": take(
        lambda: arrow_file(pa.table({"e": pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float64(), 2))})),
        ("row 1",),
        array=np.array([[1.0, 2.0], [NAN, NAN], [3.0, 4.0]]),
    ),
    "null_cell.parquet": take(
        lambda: parquet(x0=[1.0, None], x1=[1.0, 2.0]), ("row 1",), ("x0",), array=np.array([[1.0, 1.0], [NAN, 2.0]])
    ),
    "null_integer.parquet": refuse(lambda: parquet(e=[[1, 2], None]), ("row 1",), ("NaN",)),
    "texts_beside.parquet": take(
        lambda: parquet(text=["a"] * ROWS, embedding=lists(GOOD)), ("column text was left out",)
    ),
    "ragged.parquet": refuse(lambda: parquet(e=[[1.0, 2.0], [1.0]]), ("row 1",), ("1 number",)),
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
    "endless_axis.safetensors": refuse(
        lambda: raw_safetensors('{"x":{"dtype":"F32","shape":[9223372036854775807,0],"data_offsets":[0,0]}}'),
        ("no columns",),
        ("9223372036854775807",),
    ),
    "endless_axes.safetensors": refuse(
        lambda: raw_safetensors('{"x":{"dtype":"F32","shape":[4294967296,0,4294967296],"data_offsets":[0,0]}}'),
        ("no numbers",),
    ),
    "int16.safetensors": ask(lambda: safetensors.numpy.save({"x": bfloat16_bits(GOOD).view("i2")}), ("bfloat16",)),
    "float8.safetensors": refuse(
        lambda: raw_safetensors('{"x":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]}}', bytes(4)), ("float8",)
    ),
    "complex.safetensors": refuse(
        lambda: raw_safetensors('{"x":{"dtype":"C64","shape":[2,2],"data_offsets":[0,32]}}', bytes(32)), ("complex",)
    ),
    "long_header.safetensors": refuse(
        lambda: raw_safetensors('{"a":[' + "{}," * 4_000_000 + "1]}"), ("header of 12,000,009 bytes",)
    ),
    "many_tensors.safetensors": ask(
        lambda: safetensors.numpy.save({f"t{k}": GOOD[:1] for k in range(3_000)}), ("and 2,989 more",)
    ),
    "not_one.safetensors": refuse(lambda: bytes(100), ("not a safetensors",)),
}
