"""Two files that call their columns differently are never compared column by column in silence.

Names are written into files of every kind that has them; the order is the test's own.
"""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import core
from core.errors import PairingError
from core.pairs import pair_up
from core.two_models import refuse_unlike

N = 40
NAMES = ["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta"]
SWAPPED = ["alpha", "eta", "gamma", "delta", "eps", "zeta", "beta", "theta"]
KINDS = ("csv", "tsv", "parquet", "arrow", "split")


def load(content, name):
    return core.load(content if isinstance(content, bytes) else content.encode(), name)


def rows_of(names, seed=0):
    return np.random.default_rng(seed).normal(size=(N, len(names))).round(6)


def written(how, names, rows=None):
    """Rows under these names of columns, as one kind of file."""
    rows = rows_of(names) if rows is None else rows
    if how in ("csv", "tsv"):
        mark = {"csv": ",", "tsv": "\t"}[how]
        lines = [mark.join(names), *(mark.join(map(repr, row)) for row in rows.tolist())]
        return load("\n".join(lines), f"x.{how}")
    if how == "split":
        return load(json.dumps({"columns": names, "data": rows.tolist()}), "x.json")
    if how == "lines":
        return load("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows.tolist()), "x.jsonl")
    if how == "lists":
        return load(json.dumps(dict(zip(names, rows.T.tolist(), strict=True))), "x.json")
    stream = io.BytesIO()
    table = pa.table(dict(zip(names, rows.T, strict=True)))
    if how == "parquet":
        pq.write_table(table, stream)
    else:
        feather.write_feather(table, stream)
    return load(stream.getvalue(), f"x.{how}")


@pytest.mark.parametrize("how", KINDS)
def test_two_columns_that_changed_places_are_refused_with_the_first_of_them(how):
    with pytest.raises(PairingError, match=r"another order: coordinate 1 .* column beta in .* and eta in") as caught:
        pair_up(written(how, NAMES), written(how, SWAPPED))
    assert "--columns-b" in caught.value.remedy


@pytest.mark.parametrize("how", KINDS)
@pytest.mark.parametrize(("missing_a", "missing_b"), [(3, 7), (2, 3), (0, 5)])
def test_another_column_missing_on_each_side_is_refused(how, missing_a, missing_b):
    a, b = ([f"d{at}" for at in range(12) if at != gone] for gone in (missing_a, missing_b))
    with pytest.raises(PairingError, match=rf"lacks 1 column of 11 .* coordinate {missing_a} "):
        pair_up(written(how, a), written(how, b))


@pytest.mark.parametrize("how", ["lines", "lists"])
def test_fields_and_lists_under_numbered_names_are_compared_too(how):
    a, b = ([f"d{at}" for at in range(start, start + 12)] for start in (2, 5))
    assert written(how, a).loaded.columns == tuple(a)
    with pytest.raises(PairingError, match=r"lacks 3 columns of 12 .* coordinate 0 .* column d2 "):
        pair_up(written(how, a), written(how, b))


@pytest.mark.parametrize("how", KINDS)
def test_columns_in_one_order_are_compared(how):
    assert len(pair_up(written(how, NAMES), written("csv", NAMES)).a) == N


def test_all_columns_in_another_order_are_refused():
    with pytest.raises(PairingError, match="another order: coordinate 0"):
        pair_up(written("csv", NAMES), written("parquet", NAMES[::-1]))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (NAMES, [f"pc{at}" for at in range(8)]),  # another model's names
        (NAMES, ["alpha", "x", "y", "z", "eta", "u", "v", "w"]),  # fewer than half are shared
        ([f"d{at}" for at in range(8)], [f"d{at}" for at in range(1, 9)]),  # counted from 0 and from 1
        ([str(at) for at in range(8)], [str(at) for at in range(1, 9)]),
        ([f"d{at}" for at in range(8)], [f"D_{at}" for at in range(8)]),
        ([f"d{at:03}" for at in range(8)], [f"D{at}" for at in range(8)]),  # d007 is d7
        ([f"d{at}" for at in (0, 3, 1, 2)], [f"d{at}" for at in range(4)]),  # read in the order of the numbers
    ],
)
def test_names_that_say_nothing_of_each_other_or_the_same_are_compared(a, b):
    assert len(pair_up(written("csv", a), written("csv", b)).a) == N


def test_runs_of_which_neither_begins_where_the_other_would_are_refused():
    a, b = ([f"d{at}" for at in range(start, start + 16)] for start in (0, 4))
    with pytest.raises(PairingError, match="lacks 4 columns of 16"):
        pair_up(written("csv", a), written("csv", b))


def test_a_file_without_names_is_compared_with_any():
    stream = io.BytesIO()
    np.save(stream, rows_of(NAMES))
    array = load(stream.getvalue(), "x.npy")
    assert len(pair_up(array, written("csv", SWAPPED)).a) == N
    assert array.loaded.columns == ()


def test_choosing_the_columns_in_one_order_is_the_way_out():
    rows = rows_of(NAMES)
    lines = [",".join(SWAPPED), *(",".join(map(repr, row)) for row in rows[:, [0, 6, 2, 3, 4, 5, 1, 7]].tolist())]
    mended = core.load("\n".join(lines).encode(), "b.csv", choices=core.ReadChoices(columns=",".join(NAMES)))
    pairs = pair_up(written("csv", NAMES, rows), mended)
    np.testing.assert_array_equal(pairs.a, pairs.b)


@pytest.mark.parametrize("side", ["fit_a", "fit_b"])
def test_a_fit_file_with_columns_in_another_order_is_refused(side):
    fit = written("csv", SWAPPED, rows_of(NAMES, seed=1))
    with pytest.raises(PairingError, match="another order"):
        pair_up(written("csv", NAMES), written("csv", NAMES), **{side: fit})


def test_train_rows_of_a_model_must_have_its_columns_and_another_model_its_own():
    a, b = written("csv", NAMES), written("csv", SWAPPED)
    refuse_unlike(a, b, written("csv", NAMES), written("csv", SWAPPED))
    with pytest.raises(PairingError, match="another order"):
        refuse_unlike(a, b, written("csv", SWAPPED), written("csv", SWAPPED))
