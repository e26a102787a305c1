import io
import zipfile

import numpy as np
import pytest

from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import ARCHIVE, GOOD, PICKLES, bomb, lying_directory, npy, zipped


@pytest.mark.parametrize("name", [name for name in ARCHIVE if ".gz" not in name and "gzip" not in name])
def test_each_archive_of_the_corpus_gets_its_decision(name):
    check(name, ARCHIVE[name])


@pytest.mark.parametrize("name", PICKLES)
def test_no_pickle_of_the_corpus_is_loaded(name):
    check(name, PICKLES[name])


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_saves_is_read_as_numpy_reads_it(save):
    out = io.BytesIO()
    save(out, left=GOOD, right=GOOD * 2)
    for key in ("left", "right"):
        expected = np.load(io.BytesIO(out.getvalue()))[key]
        np.testing.assert_array_equal(read_array(out.getvalue(), "a.npz", ReadChoices(key=key)).array, expected)


def test_a_stored_member_is_a_view_of_the_archive():
    data = zipped(zipfile.ZIP_STORED, x=npy(GOOD))
    assert np.shares_memory(read_array(data, "a.npz").array, np.frombuffer(data, np.uint8))


def test_members_are_offered_by_their_keys():
    with pytest.raises(ChoiceNeeded) as question:
        read_array(zipped(image=npy(GOOD), text=npy(GOOD), ids=npy(GOOD[0])), "a.npz")
    assert question.value.choice == "key"
    assert question.value.options == ("image", "text")


def test_a_key_that_is_not_there_asks_again():
    with pytest.raises(ChoiceNeeded, match="no member vectors"):
        read_array(zipped(image=npy(GOOD)), "a.npz", ReadChoices(key="vectors"))


def test_a_key_may_be_given_with_its_ending():
    assert read_array(zipped(x=npy(GOOD), y=npy(GOOD)), "a.npz", ReadChoices(key="x.npy")).shape == GOOD.shape


def test_a_bomb_is_refused_before_anything_is_unpacked(monkeypatch):
    monkeypatch.setattr("core.formats.npz.inflated", lambda *a, **k: pytest.fail("unpacked"))
    with pytest.raises(LimitError, match="expands"):
        read_array(bomb(zipfile.ZIP_DEFLATED), "a.npz")


@pytest.mark.parametrize("size", [130, 500, 5_000])
def test_a_directory_that_understates_stops_the_reading_at_its_word(size):
    """One million zeros behind a smaller number: at most that number is ever held."""
    small = npy(GOOD)
    archive = zipped(x=small + bytes(1_000_000))
    start = archive.rindex(b"PK\x01\x02")
    lie = archive[: start + 24] + size.to_bytes(4, "little") + archive[start + 28 :]
    with pytest.raises(FormatError, match="more than the"):
        read_array(lie, "a.npz")
    with pytest.raises(FormatError):
        read_array(lying_directory(size), "a.npz")


@pytest.mark.parametrize("time", [(12, 0, 0), (23, 38, 40)], ids=["noon", "a time that is UTF-8"])
def test_a_directory_of_thirty_thousand_members_is_refused_unread(time):
    """From 16:06 on some times of day are a character of two bytes, which makes UTF-8 of the whole archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for k in range(30_000):
            archive.writestr(zipfile.ZipInfo(f"{k}.npy", (2026, 11, 30, *time)), b"")
    with pytest.raises(LimitError, match="directory"):
        read_array(out.getvalue(), "a.npz")


def test_choices_a_format_cannot_honour_are_refused():
    for choices in (ReadChoices(key="x"), ReadChoices(columns="x")):
        with pytest.raises(FormatError, match="to choose in it"):
            read_array(npy(GOOD), "a.npy", choices)


def saved(**members):
    out = io.BytesIO()
    np.savez(out, **members)
    return out.getvalue()


def left_out(data):
    return [word.text for word in read_array(data, "a.npz").words if word.code == "ids_left_out"]


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (np.array([f"d{k}" for k in range(len(GOOD))], dtype=object), "Python objects"),
        (np.arange(len(GOOD)).astype("M8[s]"), "dates and times"),
        (np.arange(len(GOOD) + 1), f"has {len(GOOD) + 1} entries"),
        (np.array(["a", "b"]), "has 2 entries"),
    ],
)
def test_ids_that_cannot_be_compared_are_left_out_with_a_word(ids, said):
    words = left_out(saved(x=GOOD, doc_ids=ids))
    assert len(words) == 1
    assert said in words[0]
    assert "member doc_ids" in words[0]
    assert "not compared" in words[0]


def test_ids_that_are_compared_need_no_word():
    assert left_out(saved(x=GOOD, ids=np.array([f"d{k}" for k in range(len(GOOD))]))) == []


def test_ids_whose_bytes_are_no_characters_are_left_out_with_a_word():
    sound = npy(np.array(["ab"] * len(GOOD)))
    broken = sound[:-4] + b"\xff\xff\xff\x7f"
    assert "no text" in left_out(zipped(x=npy(GOOD), ids=broken))[0]


def test_ids_that_would_need_more_memory_than_ids_do_are_left_out_unread(monkeypatch):
    monkeypatch.setattr("core.limits.FREE_ID_BYTES", 1_000)
    monkeypatch.setattr("core.limits.ID_MEMORY_PER_BYTE", 0)
    words = left_out(saved(x=GOOD, ids=np.array(["d" * 40 + str(k) for k in range(len(GOOD))])))
    assert "more than ids do" in words[0]


def test_text_ids_are_read_block_by_block_as_they_stand(monkeypatch):
    ids = [f"é{k:04d}" for k in range(len(GOOD))]
    whole = read_array(saved(x=GOOD, ids=np.array(ids)), "a.npz").row_ids[0].values
    monkeypatch.setattr("core.formats.member_ids._BLOCK_CHARS", 50)
    utf8 = np.array([name.encode() for name in ids])
    np.testing.assert_array_equal(read_array(saved(x=GOOD, ids=utf8), "a.npz").row_ids[0].values, whole)
    assert len(set(whole.tolist())) == len(ids)
