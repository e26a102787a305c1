"""One text a row, from three kinds of file, hostile ones among them."""

import json

import pytest

from core import limits
from core.errors import AuditError, FormatError, LimitError
from core.formats.labels import read_labels


@pytest.mark.parametrize(
    ("name", "data", "texts"),
    [
        ("a.txt", b"one\ntwo\n", ("one", "two")),
        ("a.txt", b"one\r\n\r\nthree, with a comma", ("one", "", "three, with a comma")),
        ("a.txt", "\ufeffé\n\u202eb".encode(), ("é", "\u202eb")),
        ("noending", b'"quoted"\n', ('"quoted"',)),
        ("a.csv", b'one\n"two, and ""more"""\n', ("one", 'two, and "more"')),
        ("a.CSV", b'"over\ntwo lines"\nb\n', ("over\ntwo lines", "b")),
        ("a.json", b' ["=1+1", "<b>", ""] ', ("=1+1", "<b>", "")),
        ("a.txt", "ü\n".encode("utf-16"), ("ü",)),
        ("a.txt", b"one\n\n", ("one", "")),
        ("a.txt", b"\n" * 600, ("",) * 600),
        ("a.txt", b"one\r\n\r\n", ("one", "")),
        ("a.csv", b'one\n""\n', ("one", "")),
    ],
)
def test_texts_are_kept_as_given(name, data, texts):
    assert read_labels(data, name).texts == texts


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"one\ntwo,three\n", "2 columns in row 2"),
        ("a.json", b'{"a": 1}', "not a list"),
        ("a.json", b'["a", 1]', r"entry 1 \(counting from 0\)"),
        ("a.json", b'["a"', "not valid JSON"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b"[" + b"9" * 5_000 + b"]", "not valid JSON"),
        ("a.txt", b"\x93NUMPY\x01\x00", "is not text"),
        ("a.csv", b"x" * 200_000, "too long"),
        ("a.txt", "one\ncafé\n".encode("latin-1"), "not valid UTF-8 text: line 2"),
        ("a.csv", "café\n".encode("cp1252"), "not valid UTF-8 text: line 1"),
        ("a.json", '["café"]'.encode("latin-1"), "not valid UTF-8 text"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(name, data, words):
    with pytest.raises(FormatError, match=words) as refused:
        read_labels(data, name)
    assert refused.value.remedy


def test_an_empty_file_is_refused():
    with pytest.raises(AuditError, match="empty"):
        read_labels(b"", "a.txt")


def test_a_large_file_is_refused_by_both_sizes(monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABEL_BYTES", 10)
    with pytest.raises(LimitError, match=r"11 bytes.*10 are read"):
        read_labels(b"x" * 11, "a.txt")


def test_a_heading_is_known_by_the_count_and_only_in_a_table():
    assert read_labels(b"text\na\nb\n", "a.csv").for_rows(2) == ("a", "b")
    assert read_labels(b"a\nb\n", "a.csv").for_rows(2) == ("a", "b")
    for name, data in (("a.txt", b"text\na\nb\n"), ("a.json", json.dumps(["text", "a", "b"]).encode())):
        with pytest.raises(FormatError, match="3 texts for 2 rows"):
            read_labels(data, name).for_rows(2)


def test_a_heading_in_place_of_a_missing_text_is_noticed():
    """599 texts under a heading are not 600 texts, each a row too late."""
    for heading in (b"text", b"Title", b'"Sentence"'):
        labels = read_labels(heading + b"\na\nb\n", "a.csv")
        with pytest.raises(FormatError, match="a heading, which leaves 2 texts for 3 rows") as refused:
            labels.for_rows(3)
        assert ".txt" in refused.value.remedy
        assert labels.for_rows(2) == ("a", "b")
    assert read_labels(b"text\na\n", "a.txt").for_rows(2) == ("text", "a")


def test_a_long_text_in_a_column_is_read_whole():
    """Only what is shown is cut."""
    text = "word " * 1_000
    assert read_labels(f"text\n{text}\nshort\n".encode(), "texts.csv").texts[1:] == (text, "short")
