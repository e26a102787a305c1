import gzip

import pytest

from core.errors import FormatError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import ARCHIVE, GOOD, csv_text, npy


@pytest.mark.parametrize("name", [name for name in ARCHIVE if ".gz" in name or "gzip" in name])
def test_each_gzipped_file_of_the_corpus_gets_its_decision(name):
    check(name, ARCHIVE[name])


@pytest.mark.parametrize(
    ("inner", "name", "said"),
    [
        (b"PAR1" + bytes(60), "a.parquet.gz", "holds a Parquet table"),
        (b"ARROW1\x00\x00" + bytes(60), "a.arrow.gz", "holds an Arrow table"),
        (gzip.compress(npy(GOOD)), "a.npy.gz.gz", "holds a gzip file"),
        (b"PK\x03\x04" + bytes(60), "a.npz.gz", "holds a zip archive (.npz)"),
        (GOOD.tobytes(), "a.f32.gz", "raw numbers without a header"),
        (b"X\n\x00\x00\x00\x03" + bytes(60), "a.gz", "R data file"),
        (b"\x00\x01" * 99, "a.gz", "in no format that is read"),
    ],
)
def test_what_is_inside_and_not_read_is_named_with_what_helps(inner, name, said):
    with pytest.raises(FormatError) as caught:
        read_array(gzip.compress(inner), name)
    assert said in caught.value.sentence
    assert caught.value.sentence.startswith(name)
    assert caught.value.remedy


def test_columns_inside_can_be_chosen():
    data = gzip.compress(csv_text(GOOD, ["a", "b", "c", "d", "e"]))
    assert read_array(data, "a.csv.gz", ReadChoices(columns="c,d")).shape == (len(GOOD), 2)


def test_a_choice_of_columns_in_an_array_is_refused():
    with pytest.raises(FormatError, match="no columns to choose"):
        read_array(gzip.compress(npy(GOOD)), "a.npy.gz", ReadChoices(columns="x"))


def test_a_size_made_up_by_appended_bytes_is_not_believed():
    data = gzip.compress(npy(GOOD)) + (2**24).to_bytes(4, "little")
    with pytest.raises(FormatError, match="4 trailing bytes after the end of its gzip stream"):
        read_array(data, "a.npy.gz")
