import io
import zipfile

import numpy as np
import pytest

from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import ARCHIVE, GOOD, PICKLES, bomb, lying_directory, named_members, npy, zipped


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


def test_a_directory_of_thirty_thousand_members_is_refused_unread():
    many = named_members(*((f"{k}.npy", b"") for k in range(30_000)))
    with pytest.raises(LimitError, match="directory"):
        read_array(many, "a.npz")


def test_choices_a_format_cannot_honour_are_refused():
    for choices in (ReadChoices(key="x"), ReadChoices(columns="x")):
        with pytest.raises(FormatError, match="to choose in it"):
            read_array(npy(GOOD), "a.npy", choices)
