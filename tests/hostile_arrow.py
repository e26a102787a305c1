"""Numbers as Parquet and Arrow can store them beside plain lists; see `tests.hostile` for what a case is."""

from __future__ import annotations

import io
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile import GOOD, ROWS, refuse, take

NAN = float("nan")


def table_bytes(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def parquet(**columns: object) -> bytes:
    return table_bytes(pa.table(columns))


def arrow_file(table: pa.Table, *, stream: bool = False, chunk: int | None = None) -> bytes:
    out = io.BytesIO()
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=chunk)
    return out.getvalue()


def lists(array: np.ndarray) -> pa.Array:
    return pa.array(array.tolist(), pa.list_(pa.from_numpy_dtype(array.dtype)))


def arrow(chunk: int | None = None, **columns: object) -> bytes:
    return arrow_file(pa.table(columns), chunk=chunk)


def decimals(numbers: np.ndarray) -> list[Decimal]:
    return [Decimal(str(round(4 * float(number)) / 4)) for number in numbers]


def with_null(row: int) -> tuple[list[list[float] | None], np.ndarray]:
    array = GOOD.copy()
    array[row] = NAN
    return [None if k == row else values for k, values in enumerate(GOOD.tolist())], array


SINGLE = [[row] for row in GOOD.tolist()]
DOUBLE = pa.list_(pa.list_(pa.float32()))

ROUNDED = np.array([[float(number) for number in decimals(row)] for row in GOOD])

STORED = {
    "dictionary.arrow": take(
        lambda: arrow(**{f"e{k}": pa.array(column).dictionary_encode() for k, column in enumerate(GOOD.T)}), array=GOOD
    ),
    "lists_of_dictionary.arrow": take(
        lambda: arrow(e=pa.ListArray.from_arrays(lists(GOOD).offsets, lists(GOOD).values.dictionary_encode())),
        array=GOOD,
    ),
    **{
        f"list_view_{place}.arrow": take(
            lambda make=make: arrow(5, e=pa.array(with_null(3)[0], make(pa.float32()))),
            ("row 3",),
            array=with_null(3)[1],
        )
        for place, make in enumerate((pa.list_view, pa.large_list_view))
    },
    "list_view_out_of_order.arrow": take(
        lambda: arrow(
            e=pa.ListViewArray.from_arrays(
                pa.array([5 * k for k in range(ROWS)][::-1], pa.int32()),
                pa.array([5] * ROWS, pa.int32()),
                pa.array(GOOD.ravel()),
            )
        ),
        array=GOOD[::-1],
    ),
    "no_list_view.arrow": refuse(lambda: arrow(e=pa.array([], pa.list_view(pa.float32()))), ("no rows",)),
    "tensor.arrow": take(lambda: arrow(7, e=pa.FixedShapeTensorArray.from_numpy_ndarray(GOOD)), array=GOOD),
    "tensors_of_two_axes.arrow": refuse(
        lambda: arrow(e=pa.FixedShapeTensorArray.from_numpy_ndarray(np.ones((3, 2, 4)))), ("several axes",), ("ravel",)
    ),
    "decimals.parquet": take(
        lambda: parquet(**{f"e{k}": decimals(column) for k, column in enumerate(GOOD.T)}), array=ROUNDED
    ),
    "lists_of_decimals.parquet": take(lambda: parquet(e=[decimals(row) for row in GOOD]), array=ROUNDED),
    "bytes.parquet": refuse(
        lambda: parquet(id=["a"] * ROWS, embedding=[row.tobytes() for row in GOOD]), ("bytes",), ("frombuffer",)
    ),
    "structures.parquet": refuse(
        lambda: parquet(embedding=[{"values": row, "m": 1} for row in GOOD.tolist()]), ("structure",), ("x['values']",)
    ),
    **{
        f"structures_{place}.parquet": refuse(
            lambda cell=cell: parquet(table=[cell] * 3), ("structure",), (line,), ("of the fields",)
        )
        for place, (cell, line) in enumerate(
            [
                ({"score": 0.5, "dense": [0.5, 1.5]}, "x['dense']"),
                ({"tokens": [1, 2], "embedding": [0.5, 1.5]}, "x['embedding']"),
                ({"meta": {"model": "a", "vec": [0.5, 1.5]}}, "x['meta']['vec']"),
                ({"x": 0.5, "y": 1.5}, "list(x.values())"),
            ]
        )
    },
    **{
        f"one_list_in_each_{place}{end}": take(lambda make=make, save=save: save(e=make()), ("axis",), array=GOOD)
        for end, save in ((".parquet", parquet), (".arrow", lambda **columns: arrow(5, **columns)))
        for place, make in enumerate(
            [
                lambda: pa.array(SINGLE, DOUBLE),
                lambda: pa.array(SINGLE, pa.large_list(pa.large_list(pa.float32()))),
                lambda: pa.array(SINGLE, pa.list_(pa.list_(pa.float32(), 5), 1)),
                lambda: pa.array(SINGLE, pa.list_view(pa.list_view(pa.float32()))),
                lambda: pa.FixedShapeTensorArray.from_numpy_ndarray(GOOD.reshape(ROWS, 1, 5)),
                lambda: pa.FixedShapeTensorArray.from_numpy_ndarray(GOOD.reshape(ROWS, 5, 1)),
            ]
        )
        if (end, place) != (".parquet", 3)
    },
    **{
        f"one_list_in_each_but_one_{place}.arrow": take(
            lambda kind=kind: arrow(5, e=pa.array([None if k == 3 else row for k, row in enumerate(SINGLE)], kind)),
            ("row 3",),
            array=with_null(3)[1],
        )
        for place, kind in enumerate([DOUBLE, pa.list_(pa.list_(pa.float32(), 5), 1)])
    },
    "two_lists_far_down.parquet": refuse(
        lambda: parquet(e=[[[0.5, 1.5]]] * 200 + [[[0.5, 1.5]] * 2]), ("row 200",), ("2 lists",), ("np.mean",)
    ),
    "no_list_in_one.parquet": refuse(lambda: parquet(e=[[[0.5, 1.5]], [], [[0.5, 1.5]]]), ("lists of lists",)),
    "lists_of_flags.parquet": refuse(lambda: parquet(e=[[True, False]] * 3), ("true and false",), ("np.where(x",)),
    "lists_of_text.parquet": refuse(lambda: parquet(e=[["0.5", "1.5"]] * 3), ("lists of text",), ("np.array(x",)),
    "lists_of_lists.parquet": refuse(lambda: parquet(e=[[[0.5, 1.5]] * 2] * 3), ("lists of lists",), ("np.mean",)),
    "one_name_twice.parquet": refuse(
        lambda: table_bytes(pa.Table.from_arrays([lists(GOOD), lists(GOOD)], names=["e", "e"])),
        ("2 columns called e",),
        ("rename",),
    ),
}
