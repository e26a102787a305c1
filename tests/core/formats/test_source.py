import hashlib
import os
from pathlib import Path

import pytest

from core.errors import AuditError
from core.formats import read_array
from tests.hostile import GOOD, npy


def refusal(path):
    with pytest.raises(AuditError) as caught:
        read_array(path, path.name)
    assert str(path.parent) not in caught.value.sentence, "no path of the server in a sentence"
    assert path.name.replace("\0", "") in str(caught.value).replace("\0", "")
    return str(caught.value)


def test_size_and_digest_are_those_of_the_file(tmp_path):
    path = tmp_path / "a.npy"
    path.write_bytes(npy(GOOD))
    for source in (path, path.read_bytes(), memoryview(path.read_bytes())):
        loaded = read_array(source, path.name)
        assert loaded.file_bytes == path.stat().st_size
        assert loaded.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert "does not exist" in refusal(tmp_path / "gone.npy")
    assert "does not exist" in refusal(tmp_path / "gone" / "a.npy")
    assert "too long" in refusal(tmp_path / ("x" * 300))
    assert "NUL" in refusal(tmp_path / "a\0b.npy")


def test_a_file_in_the_place_of_a_folder_is_no_folder(tmp_path):
    (tmp_path / "a.npy").write_bytes(npy(GOOD))
    assert "does not exist" in refusal(tmp_path / "a.npy" / "b.npy")


def test_a_folder_is_said_to_be_a_folder(tmp_path):
    folder = tmp_path / "folder.npy"
    folder.mkdir()
    assert "is a folder" in refusal(folder)


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    (tmp_path / "a.npy").touch()
    assert "is empty (0 bytes)" in refusal(tmp_path / "a.npy")


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    assert "not an ordinary file" in refusal(tmp_path / "a.npy")


def test_a_link_to_itself_is_refused(tmp_path):
    (tmp_path / "a.npy").symlink_to(tmp_path / "a.npy")
    assert "link" in refusal(tmp_path / "a.npy")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_said_to_be_so(tmp_path):
    (tmp_path / "a.npy").write_bytes(npy(GOOD))
    (tmp_path / "a.npy").chmod(0)
    assert "permission" in refusal(tmp_path / "a.npy")


def test_permission_is_named_whoever_runs_this(tmp_path, monkeypatch):
    (tmp_path / "a.npy").write_bytes(npy(GOOD))

    def denied(*args):
        raise PermissionError(13, "Permission denied", str(tmp_path / "a.npy"))

    monkeypatch.setattr("core.formats.source.os.open", denied)
    assert "permission denied" in refusal(tmp_path / "a.npy")


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_is_said_to_be_one(path):
    with pytest.raises(AuditError, match="the name of the file is empty"):
        read_array(Path(path), Path(path).name)
