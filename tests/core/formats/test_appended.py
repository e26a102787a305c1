"""Files cut at a place where they still look whole, and files put one after the other, as `cat` does."""

import io

import numpy as np
import pyarrow as pa
import pytest

from core.errors import FormatError
from core.formats import read_array
from tests.hostile import GOOD
from tests.hostile_arrow import arrow_file, lists, parquet

TABLE = pa.table({"e": lists(GOOD)})
HALVES = [pa.table({"e": lists(GOOD[:6])}), pa.table({"e": lists(GOOD[6:])})]


def stream(table, chunk=4):
    return arrow_file(table, stream=True, chunk=chunk)


def ends_of_batches(data):
    """Where the schema and each batch end, by the library's own reader of messages."""
    reader, ends = pa.ipc.MessageReader.open_stream(data), [0]
    while True:
        try:
            ends.append(ends[-1] + reader.read_next_message().serialize().size)
        except StopIteration:
            return ends[1:]


def saved(array):
    out = io.BytesIO()
    np.savez(out, x=array)
    return out.getvalue()


def test_a_stream_cut_after_a_batch_is_refused_with_the_rows_it_has():
    data = stream(TABLE)
    cut = data[: ends_of_batches(data)[2]]
    with pytest.raises(FormatError, match=r"^a\.arrow ends after 8 rows without the mark that ends") as refusal:
        read_array(cut, "a.arrow")
    assert "open_stream" in refusal.value.remedy


def test_the_advice_for_a_stream_that_was_never_closed_gives_a_file_that_is_read(tmp_path, monkeypatch):
    data = stream(TABLE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.arrow").write_bytes(data[: ends_of_batches(data)[-1]])
    with pytest.raises(FormatError) as refusal:
        read_array((tmp_path / "old.arrow").read_bytes(), "old.arrow")
    line = refusal.value.remedy.partition("write it again: ")[2].removesuffix(".")
    exec(f"import pyarrow as pa\nfrom pyarrow import feather\n{line}", {})  # noqa: S102 - the advice of a refusal
    np.testing.assert_array_equal(read_array((tmp_path / "new.arrow").read_bytes(), "new.arrow").array, GOOD)


def test_two_streams_in_one_file_are_refused_with_the_bytes_that_follow():
    first, second = map(stream, HALVES)
    with pytest.raises(FormatError, match=rf"6 rows, and {len(second):,} bytes follow its end: the rows of another"):
        read_array(first + second, "a.arrow")


@pytest.mark.parametrize("more", [b"\n", b"garbage" * 9, arrow_file(TABLE)], ids=["newline", "garbage", "file"])
def test_what_follows_a_stream_is_refused(more):
    with pytest.raises(FormatError, match="its end: rows or something else"):
        read_array(stream(TABLE) + more, "a.arrow")


def test_zeros_that_pad_a_stream_are_no_rows():
    np.testing.assert_array_equal(read_array(stream(TABLE) + bytes(56), "a.arrow").array, GOOD)


@pytest.mark.parametrize("halves", [HALVES, [TABLE, TABLE], [TABLE, HALVES[0]]], ids=["halves", "twice", "uneven"])
@pytest.mark.parametrize("kind", ["Arrow", "Parquet"])
def test_two_files_one_after_the_other_are_refused_whichever_the_last_footer_points_at(kind, halves):
    made = [arrow_file(half) if kind == "Arrow" else parquet(e=half["e"]) for half in halves]
    with pytest.raises(FormatError, match=f"several {kind} files .* {len(made[1]):,} bytes follow the first"):
        read_array(b"".join(made), f"a.{kind.lower()}")


def test_a_text_that_names_the_magic_twice_is_no_second_file():
    data = parquet(e=lists(GOOD), text=["a file begins with PAR1PAR1, ends so"] * len(GOOD))
    np.testing.assert_array_equal(read_array(data, "a.parquet").array, GOOD)


@pytest.mark.parametrize("cut", [0, 22], ids=["two archives", "the first without its end"])
def test_an_archive_behind_another_is_refused(cut):
    first = saved(GOOD[:6])
    with pytest.raises(FormatError, match=f"{len(first) - cut:,} bytes before the archive"):
        read_array(first[: len(first) - cut] + saved(GOOD[6:]), "a.npz")


def test_what_follows_an_archive_is_counted():
    second = saved(GOOD[6:])[:-30]
    loaded = read_array(saved(GOOD[:6]) + second, "a.npz")
    said = next(word.text for word in loaded.words if word.code == "trailing_bytes")
    assert said.startswith(f"{len(second):,} bytes follow")
    assert not [word for word in read_array(saved(GOOD), "a.npz").words if word.code == "trailing_bytes"]
