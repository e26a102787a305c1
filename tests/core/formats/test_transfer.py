"""Binary files that a transfer took for text are refused as that; sound ones with the same bytes are read."""

import gzip
import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save

from core.errors import FormatError
from core.formats import declared_shape, read_array
from core.formats.transfer import line_feeds_doubled
from tests.hostile import npy, zipped

ROWS = np.random.default_rng(5).standard_normal((300, 16)).astype("float32")


def parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def arrow(table):
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


LISTS = pa.table({"emb": pa.FixedSizeListArray.from_arrays(pa.array(ROWS.ravel()), 16)})
PLAIN = {"compression": "none", "use_dictionary": False}
BINARY = {
    "x.npy": npy(ROWS),
    "two.npy": npy(ROWS, version=(2, 0)),
    "columns.npy": npy(np.asfortranarray(ROWS)),
    "stored.npz": zipped(zipfile.ZIP_STORED, x=npy(ROWS)),
    "deflated.npz": zipped(x=npy(ROWS)),
    "x.npy.gz": gzip.compress(npy(ROWS), mtime=0),
    "x.safetensors": save({"x": ROWS}),
    "x.parquet": parquet(LISTS),
    "plain.parquet": parquet(LISTS, **PLAIN),
    "x.arrow": arrow(LISTS),
}
#: What text writers make of a byte that is no character of theirs.
ENCODINGS = {
    "latin": lambda data: data.decode("latin-1").encode(),
    "replaced": lambda data: data.decode("utf-8", "replace").encode(),
    "marked": lambda data: data.decode("latin-1").encode("utf-8-sig"),
}


@pytest.mark.parametrize("name", BINARY)
def test_line_feeds_made_two_bytes_are_named(name):
    with pytest.raises(FormatError, match="text-mode transfer") as caught:
        read_array(BINARY[name].replace(b"\n", b"\r\n"), name)
    assert "as binary" in caught.value.remedy


@pytest.mark.parametrize("name", BINARY)
def test_the_same_file_unchanged_is_read(name):
    np.testing.assert_array_equal(read_array(BINARY[name], name).array, ROWS)


def test_line_feeds_made_carriage_returns_are_named():
    with pytest.raises(FormatError, match="text-mode transfer"):
        read_array(npy(ROWS).replace(b"\n", b"\r"), "x.npy")


def test_a_header_alone_tells_before_the_numbers_are_read():
    with pytest.raises(FormatError, match="text-mode transfer"):
        declared_shape(npy(ROWS).replace(b"\n", b"\r\n"), "x.npy")


def test_a_header_that_ends_without_a_line_feed_does_not_hide_it():
    data = npy(ROWS)
    offset = data.index(b"\n") + 1
    other_writer = data[: offset - 1] + b" " + data[offset:]
    assert read_array(other_writer, "x.npy").shape == ROWS.shape
    with pytest.raises(FormatError, match="text-mode transfer"):
        read_array(other_writer.replace(b"\n", b"\r\n"), "x.npy")


@pytest.mark.parametrize(
    ("name", "encoding"), [*((name, one) for name in BINARY for one in ("latin", "replaced")), ("x.npy", "marked")]
)
def test_bytes_written_in_another_encoding_are_named(name, encoding):
    with pytest.raises(FormatError, match="another encoding") as caught:
        read_array(ENCODINGS[encoding](BINARY[name]), name)
    assert "as binary" in caught.value.remedy


@pytest.mark.parametrize("first", [b"\xe2\x80\x9c", b"?", b"\x13", b"", b"\xef\xbb\xbf\x93"])
def test_other_first_bytes_of_a_mistaken_npy_are_named(first):
    with pytest.raises(FormatError, match="another encoding"):
        read_array(first + npy(ROWS)[1:], "x.npy")


def test_a_sound_table_whose_only_line_feeds_are_texts_is_read():
    """Windows texts beside numbers without the byte 10: nothing has been moved."""
    numbers = np.eye(6, dtype="float32")
    data = parquet(pa.table({"text": ["one\r\ntwo"] * 6, "emb": list(numbers)}), **PLAIN)
    assert line_feeds_doubled(memoryview(data))
    np.testing.assert_array_equal(read_array(data, "x.parquet").array, numbers)


def test_an_array_whose_numbers_hold_the_two_bytes_is_read():
    """Every value is 0x0a0d: a sound file in which carriage returns stand before line feeds."""
    codes = np.full((300, 16), 0x0A0D, dtype="<u4")
    np.testing.assert_array_equal(read_array(npy(codes) + b"more", "x.npy").array, codes)


def test_a_cut_file_is_still_called_cut():
    with pytest.raises(FormatError, match="cut short"):
        read_array(npy(ROWS)[:-100], "x.npy")
