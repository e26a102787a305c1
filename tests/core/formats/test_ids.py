"""Ids of groups: one a row, from each kind of file; everything else is one clear refusal."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

from core import limits
from core.errors import FormatError, LimitError, PairingError
from core.formats.ids import GroupIds, read_ids
from core.group_ids import declared_groups
from core.groups import groups_from_ids

NONE = np.empty(0, dtype=np.intp)


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        npy(np.array([7, 7, 2, 2, 9, 9])),
        npy(np.array([[7], [7], [2], [2], [9], [9]], dtype="u1")),
        npy(np.array([7.0, 7, 2, 2, 9, 9])),
        npy(np.array(["dog", "dog", "a cat", "a cat", "é", "é"])),
        npy(np.array([b"dog", b"dog", b"cat", b"cat", b"x", b"x"])),
        b"7\n7\n2\n2\n9\n9\n",
        b"\xef\xbb\xbf7\r\n7\r\n2\r\n2\r\n9\r\n9",
        b"image\n7\n7\n2\n2\n9\n9\n\n",
        b'"a, b"\n"a, b"\nc\nc\nd\nd\n',
    ],
)
def test_equal_ids_are_one_group(data):
    groups = declared_groups(read_ids(data, "ids"), 6, NONE)
    assert groups.labels.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"1,2\n3,4\n", "2 columns in line 1"),
        (b"1\n\n2\n", "no id in line 2"),
        (b"\x00\x01\x02", "neither a .npy file nor text"),
        (b'"' + b"x" * 200_000 + b'"\n', "too long"),
        (npy(np.array([1.5, 2, 3])), "no kind of id"),
        (npy(np.array([np.nan, 2, 3])), "no kind of id"),
        (npy(np.ones((3, 2), dtype=int)), "3 × 2"),
        (npy(np.array(3)), "single value"),
        (npy(np.array([1j, 2, 3])), "complex"),
        (npy(np.array(["ab", "cd"]))[:-3], "cut short"),
        (npy(np.array([{}, {}], dtype=object), allow_pickle=True), "pickle"),
    ],
)
def test_what_is_no_list_of_ids_is_refused_by_name(data, word):
    with pytest.raises(FormatError, match=r"x\.ids") as caught:
        read_ids(data, "x.ids")
    assert word in str(caught.value)
    assert caught.value.remedy


def test_a_file_has_its_fingerprint_and_a_program_none():
    assert len(read_ids(b"1\n2\n3\n", "x").sha256) == 64
    assert GroupIds.of([1, 2, 3]).sha256 == ""


def test_only_a_text_file_may_start_with_a_heading():
    given = GroupIds.of(["id", "a", "b", "c"])
    assert given.values.tolist() == ["id", "a", "b", "c"]
    assert groups_from_ids(given.values, 4).count == 4
    with pytest.raises(ValueError, match="4 ids and the files have 3 rows"):
        declared_groups(given, 3, NONE)


@pytest.mark.parametrize(
    ("data", "labels"),
    [
        (b"01\n1\n1.0\n2\n1\n", [0, 1, 2, 3, 1]),
        (npy(np.array(["01", "1", "1.0", "2", "1"])), [0, 1, 2, 3, 1]),
        (npy(np.array([0, 1, 1, 2, 1])), [0, 1, 1, 2, 1]),
        (npy(np.array([-0.0, 1.0, 1, 2, 1], dtype="f4")), [0, 1, 1, 2, 1]),
        (npy(np.array([2**64 - 1, 2**64 - 2, 2**64 - 2, 2, 2**64 - 2], dtype="u8")), [0, 1, 1, 2, 1]),
    ],
    ids=["text file", "text array", "whole numbers", "floats", "large"],
)
def test_text_is_compared_as_text_and_numbers_as_numbers(data, labels):
    assert declared_groups(read_ids(data, "ids"), 5, NONE).labels.tolist() == labels


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_floats_too_large_to_tell_whole_numbers_apart_are_refused(kind):
    """2^24 + 1 saved as float32 is 2^24: two ids would be one group without a word."""
    whole = 2 ** (np.finfo(kind).nmant + 1)
    with pytest.raises(FormatError, match="may have become one") as caught:
        read_ids(npy(np.array([whole, whole + 1, 1, 2]).astype(kind)), "ids")
    assert "np.int64" in caught.value.remedy
    assert len(read_ids(npy(np.array([whole - 1, 1, 2], dtype=kind)), "ids").values) == 3


def test_one_long_id_among_many_short_ones_does_not_multiply_the_memory(monkeypatch):
    monkeypatch.setattr(limits, "FREE_ID_BYTES", 10_000)
    lines = ["x"] * 500
    assert len(read_ids("\n".join(lines).encode(), "ids.txt").values) == 500
    lines[7] = "y" * 900
    with pytest.raises(LimitError, match=r"ids\.txt has 500 ids, and one of 900 characters in line 8"):
        read_ids("\n".join(lines).encode(), "ids.txt")


@pytest.mark.parametrize("heading", ["id", "IDs", "group", "Groups", "item", "group_id", "Item ID"])
def test_a_first_line_that_reads_like_a_heading_is_one_whatever_the_count(heading):
    ids = read_ids(f"{heading}\n7\n7\n2\n2\n9\n".encode(), "ids.txt")
    assert ids.heading == heading
    with pytest.raises(PairingError, match=re.escape(f"holds 5 ids below its heading {heading!r} and the files")):
        declared_groups(ids, 6, NONE)
    assert declared_groups(ids, 5, NONE).labels.tolist() == [0, 0, 1, 1, 2]


def test_a_word_that_stands_again_below_is_an_id():
    ids = read_ids(b"group\nitem\ngroup\nother\n", "ids.txt")
    assert ids.heading == ""
    assert declared_groups(ids, 4, NONE).labels.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    "data",
    [b"cat\ncat  \ndog\ndog \nx \nx\n", npy(np.array(["cat", "cat  ", "dog", " dog", "x", "x "]))],
    ids=["txt", "npy"],
)
def test_blanks_at_the_ends_of_ids_are_taken_off_and_counted(data):
    ids = read_ids(data, "ids")
    assert declared_groups(ids, 6, NONE).labels.tolist() == [0, 0, 1, 1, 2, 2]
    assert ids.trimmed == 3
    assert GroupIds.of(["a ", "a", "b"]).trimmed == 1
    assert GroupIds.of([1, 2, 3]).trimmed == 0


@pytest.mark.parametrize("first", ["0", "7", "a"])
def test_one_id_too_many_is_no_heading_where_it_is_a_number_or_comes_again(first):
    ids = read_ids("\n".join([first, *"abc" * 4]).encode(), "ids.txt")
    with pytest.raises(PairingError, match="holds 13 ids and the files have 12 rows"):
        declared_groups(ids, 12, np.empty(0, np.intp))
    heading = read_ids("\n".join(["picture", *"abc" * 4]).encode(), "ids.txt")
    assert declared_groups(heading, 12, np.empty(0, np.intp)).count == 3
