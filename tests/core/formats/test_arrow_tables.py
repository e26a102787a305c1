"""Everything but the process: the same files, read in this one."""

import numpy as np
import pytest

from core import limits
from core.errors import FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import GOOD
from tests.hostile_arrow import arrow
from tests.hostile_tables import ARROW, NAMES, lists, parquet

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.mark.parametrize("name", ARROW)
def test_each_table_of_the_corpus_gets_its_decision(name):
    check(name, ARROW[name])


def test_rows_keep_their_order_across_batches(monkeypatch):
    monkeypatch.setattr(limits, "TABLE_BATCH_ROWS", 5)
    np.testing.assert_array_equal(read_array(parquet(e=lists(GOOD)), "a.parquet").array, GOOD)
    wide = parquet(**{name: GOOD[:, place] for place, name in enumerate(NAMES)})
    np.testing.assert_array_equal(read_array(wide, "a.parquet").array, GOOD)


def test_columns_can_be_chosen():
    data = parquet(a=lists(GOOD), b=lists(GOOD + 1))
    np.testing.assert_array_equal(read_array(data, "a.parquet", ReadChoices(columns="b")).array, GOOD + 1)


def test_integers_are_read_as_they_are_stored():
    data = parquet(e=lists((GOOD * 30).astype("i1")))
    loaded = read_array(data, "a.parquet")
    assert loaded.dtype == "int8"
    assert [word.code for word in loaded.words] == ["integer_codes"]


def test_what_the_file_declares_is_held_against_the_limit(monkeypatch):
    data = parquet(e=lists(GOOD))
    monkeypatch.setattr(limits, "MAX_UNPACKED_BYTES", 8 * GOOD.size - 1)
    with pytest.raises(LimitError, match="unpacks to 480"):
        read_array(data, "a.parquet")


def test_a_row_of_run_length_coding_is_counted_by_its_values(monkeypatch):
    """A column of one repeated number is tiny in the file and large in memory."""
    data = parquet(x0=np.zeros(300_000), x1=np.zeros(300_000))
    assert len(data) < 20_000
    monkeypatch.setattr(limits, "MAX_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(LimitError):
        read_array(data, "a.parquet")


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_a_table_of_more_columns_than_are_read_is_refused(monkeypatch, suffix):
    monkeypatch.setattr(limits, "MAX_TABLE_COLUMNS", 4)
    write = {"parquet": parquet, "arrow": arrow}[suffix]
    columns = {name: GOOD[:, place] for place, name in enumerate(NAMES)}
    with pytest.raises(LimitError, match=rf"has {len(NAMES)} columns; 4 are read at most"):
        read_array(write(**columns), f"a.{suffix}")


def test_a_footer_that_takes_longer_to_read_than_the_numbers_is_refused(monkeypatch):
    data = parquet(e=lists(GOOD))
    monkeypatch.setattr(limits, "MAX_PARQUET_FOOTER_BYTES", 100)
    with pytest.raises(LimitError, match=r"a Parquet footer of [\d,]+ bytes; 100 are read at most"):
        read_array(data, "a.parquet")


@pytest.mark.parametrize("beside", [{}, {"id": list(range(len(GOOD)))}])
@pytest.mark.parametrize("write", [parquet, arrow])
def test_vectors_written_as_text_are_refused_with_a_line_that_reads_them(write, beside):
    table = {**beside, "emb": [str(row) for row in GOOD.tolist()]}
    with pytest.raises(FormatError, match="written as text in the column emb") as caught:
        read_array(write(**table), "a.parquet")
    line = "np.array(x.strip('[]() ').replace(',', ' ').split(), 'float32') for x in table['emb']"
    assert line in caught.value.remedy
    stacked = [np.array(x.strip("[]() ").replace(",", " ").split(), "float32") for x in table["emb"]]
    np.testing.assert_array_equal(stacked, GOOD.astype("f4"))


def test_a_remark_in_brackets_beside_the_numbers_is_left_out():
    table = {"note": ["[CLS] one"] * len(GOOD), **{name: GOOD[:, at] for at, name in enumerate(NAMES)}}
    np.testing.assert_array_equal(read_array(parquet(**table), "a.parquet").array, GOOD)


def test_an_empty_first_vector_is_the_odd_one():
    with pytest.raises(FormatError, match=r"the first vector has no numbers, where row 1 "):
        read_array(parquet(e=[[], [1.5, 2.0], [2.5, 3.0]]), "a.parquet")
