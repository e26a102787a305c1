"""A row of column means under a table is no vector: words among numbers that count the rows are refused."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import FormatError
from core.formats import read_array

DESCRIBED = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def as_file(how, called, vectors):
    """A table of these vectors whose rows are called so, and the file's name."""
    rows = vectors.tolist()
    if how in ("id", "", "sample"):
        lines = [",".join(map(str, [one, *row])) for one, row in zip(called, rows, strict=True)]
        return "\n".join([f"{how},e0,e1,e2,e3", *lines]).encode(), "x.csv"
    if how == "parquet":
        return parquet(__index_level_0__=[str(one) for one in called], embedding=rows), "x.parquet"
    if how == "parquet of samples":
        return parquet(sample=[str(one) for one in called], embedding=rows), "x.parquet"
    if how == "columns and data":
        data = [list(pair) for pair in zip(called, rows, strict=True)]
        return json.dumps({"columns": ["sample", "embedding"], "data": data}).encode(), "x.json"
    if how == "under names":
        return json.dumps({str(one): row for one, row in zip(called, rows, strict=True)}).encode(), "x.json"
    if how == "split":
        table = {"columns": ["e0", "e1", "e2", "e3"], "index": called, "data": rows}
        return json.dumps(table).encode(), "x.json"
    records = [{"id": one, "embedding": row} for one, row in zip(called, rows, strict=True)]
    return json.dumps(records).encode(), "x.json"


HOWS = ["id", "", "sample", "parquet", "parquet of samples", "under names", "split", "columns and data", "records"]


@pytest.mark.parametrize("n", [12, 1_500])
@pytest.mark.parametrize("last", [["mean"], ["Total"], ["whatever"], DESCRIBED], ids=lambda words: words[0])
@pytest.mark.parametrize("how", HOWS)
def test_words_under_numbers_that_count_the_rows_are_refused_with_row_and_word(how, last, n, rng):
    if how == "under names" and last == ["whatever"]:
        pytest.skip("beside bare numbers a word may be the name of a column as well")
    vectors = rng.normal(size=(n + len(last), 4)).round(5)
    with pytest.raises(FormatError, match=rf"row {n:,} \(counting from 0\) has '{last[0]}'"):
        read_array(*as_file(how, [*range(n), *last], vectors))


@pytest.mark.parametrize("how", HOWS)
def test_ids_that_are_numbers_and_words_mixed_are_read(how, rng):
    called = [17, 4, 911, "a7", 23, 5, "b", 8]
    vectors = rng.normal(size=(len(called), 4)).round(5)
    np.testing.assert_array_equal(read_array(*as_file(how, called, vectors)).array, vectors)


@pytest.mark.parametrize("how", HOWS)
def test_rows_called_by_words_alone_are_read(how, rng):
    vectors = rng.normal(size=(8, 4)).round(5)
    np.testing.assert_array_equal(read_array(*as_file(how, DESCRIBED, vectors)).array, vectors)
