import gzip

import pytest

from core.formats.refused import REFUSALS
from tests.core.formats.verdicts import check, outcome
from tests.hostile import GOOD, OTHERS, npy


@pytest.mark.parametrize("name", OTHERS)
def test_each_other_file_of_the_corpus_is_refused_by_name(name):
    check(name, OTHERS[name])


@pytest.mark.parametrize("suffix", [suffix for row in REFUSALS for suffix in row.suffixes])
def test_content_that_is_an_array_beats_a_name_that_promises_a_refusal(suffix):
    decision, _, array = outcome(npy(GOOD), f"a{suffix}")
    assert decision == "take"
    assert array.shape == GOOD.shape


@pytest.mark.parametrize("row", [row for row in REFUSALS if row.starts], ids=lambda row: row.what[:30])
def test_every_first_bytes_of_the_table_are_recognised(row):
    for start in row.starts:
        assert outcome(start + bytes(40), "a.npy")[1].startswith(f"a.npy {row.what}")


@pytest.mark.parametrize("name", ["a.npy", "a.csv", "a.json"])
def test_what_a_server_answers_is_never_a_table(name):
    answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nNot Found"
    decision, said, _ = outcome(answer, name)
    assert (decision, "web server" in said) == ("refuse", True)
    page = b"\xef\xbb\xbf<!-- saved -->\n<html><body>1 2 3</body></html>"
    decision, said, _ = outcome(page, name)
    assert (decision, "web page" in said) == ("refuse", True)


@pytest.mark.parametrize("packed", [b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\x00"])
def test_what_r_compressed_is_named_as_r_data(packed):
    x = b"X\n\x00\x00\x00\x03" + bytes(60)
    data = gzip.compress(x) if packed.startswith(b"\x1f") else packed + x
    assert "R data file" in outcome(data, "a.rds")[1]


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b'# xet version 0\nfilesize = 1\nhash="a"\n', "a.npy", "Xet pointer"),
        (b"outs:\n- md5: abc\n  size: 12\n  path: a.npy\n", "a.npy", "dvc pull"),
        (b"%%MatrixMarket matrix array real general\n12 8\n0.5\n", "a.mtx", "scipy.io.mmread('old.mtx')"),
        (b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 0.5\n", "a.csv", "scipy.io.mmread('old.mtx')"),
        (b"@relation x\n@attribute a numeric\n@data\n0.5,0.25\n", "a.csv", "ARFF"),
        (b"12 8\nw0 " + GOOD.tobytes(), "a.bin", "word2vec's binary format"),
    ],
)
def test_pointers_and_other_formats_are_named_with_what_helps(data, name, said):
    decision, message, _ = outcome(data, name)
    assert (decision, said in message) == ("refuse", True)


def test_raw_floats_are_never_called_a_pickle():
    assert "pickle" not in outcome(b"\x80\x04" + GOOD.tobytes(), "a.npy")[1]
