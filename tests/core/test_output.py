"""A report on disk is whole or absent, and an earlier one stays until the new one is whole."""

from __future__ import annotations

import os
import stat

import pytest

import core.output
from core.errors import AuditError
from core.output import write_whole


def test_the_text_is_written_as_utf8_without_translation(tmp_path):
    path = tmp_path / "report.md"
    write_whole(path, "größer − \n x")
    assert path.read_bytes() == "größer − \n x".encode()


def test_an_earlier_report_is_replaced(tmp_path):
    path = tmp_path / "report.md"
    path.write_text("a much longer text than the new one")
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.md"]


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
def test_a_failure_before_the_end_leaves_the_earlier_report_and_nothing_else(tmp_path, monkeypatch, failure):
    path = tmp_path / "report.md"
    path.write_text("earlier")

    def fail(*_):
        raise failure

    monkeypatch.setattr(core.output.os, "replace", fail)
    with pytest.raises(AuditError if isinstance(failure, OSError) else type(failure)):
        write_whole(path, "new")

    assert path.read_text() == "earlier"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.md"]


def test_a_failure_while_writing_leaves_nothing(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "report.md", "a lone surrogate \udcff cannot be written")
    assert list(tmp_path.iterdir()) == []


def test_a_new_report_has_the_usual_permissions(tmp_path):
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "report.md", "text")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "report.md").stat().st_mode) == 0o640


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(AuditError, match=r"^r\.md could not be written: No such file or directory$") as caught:
        write_whole(tmp_path / "nowhere" / "r.md", "text")
    assert "folder you can write to" in caught.value.remedy


def test_a_folder_in_place_of_the_file(tmp_path):
    (tmp_path / "r.md").mkdir()
    with pytest.raises(AuditError, match=r"^r\.md could not be written: Is a directory$"):
        write_whole(tmp_path / "r.md", "text")
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.md"]


def test_a_very_long_name_is_no_problem_until_the_system_says_so(tmp_path):
    write_whole(tmp_path / ("x" * 250), "text")
    assert (tmp_path / ("x" * 250)).read_text() == "text"


def test_a_link_is_followed_not_replaced(tmp_path):
    (tmp_path / "real.md").write_text("earlier")
    (tmp_path / "link.md").symlink_to(tmp_path / "real.md")
    write_whole(tmp_path / "link.md", "new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_a_pipe_or_device_is_written_to_not_replaced(tmp_path):
    """Replacing /dev/null by a file would break the machine of whoever is root."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_name_longer_than_the_file_system_takes_is_refused_in_words(tmp_path):
    with pytest.raises(AuditError, match="could not be written: file name too long"):
        core.output.check_writable(tmp_path / ("x" * 300), [tmp_path / ("y" * 300)])
