import gzip

import pytest

from core.errors import FormatError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import ARCHIVE, GOOD, csv_text, npy


@pytest.mark.parametrize("name", [name for name in ARCHIVE if ".gz" in name or "gzip" in name])
def test_each_gzipped_file_of_the_corpus_gets_its_decision(name):
    check(name, ARCHIVE[name])


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
