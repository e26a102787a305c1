"""A local data folder lists what is in it and opens nothing else."""

import os

import pytest

from core.data_folder import DataFolder
from core.errors import AuditError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "outside.npy").write_bytes(b"secret")
    root = tmp_path / "data"
    (root / "deep" / "er").mkdir(parents=True)
    for name in ("a.npy", "B.NPY", "notes.md", ".hidden.npy", "deep/er/c.npz"):
        (root / name).write_bytes(b"x")
    (root / "link.npy").symlink_to(tmp_path / "outside.npy")
    (root / "linked").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.npy")
    return DataFolder.at(str(root), (".npy", ".npz"))


def test_only_plain_readable_files_of_known_kinds_are_listed(folder):
    assert folder.names() == ("B.NPY", "a.npy", "deep/er/c.npz")


def test_a_listed_file_is_opened_in_place(folder):
    assert bytes(folder.opened("deep/er/c.npz")) == b"x"


@pytest.mark.parametrize(
    "name",
    [
        "../outside.npy",
        "/etc/passwd",
        "link.npy",
        "linked/outside.npy",
        "pipe.npy",
        "deep",
        ".hidden.npy",
        "a.npy\0",
        "x" * 5_000,
        "./a.npy",
        "",
    ],
)
def test_nothing_outside_the_listing_is_reached(folder, name):
    with pytest.raises(AuditError, match="not in the data folder") as caught:
        folder.opened(name)
    assert str(folder.root) not in caught.value.sentence


def test_the_list_ends(folder, monkeypatch):
    monkeypatch.setattr("core.data_folder.DATA_FOLDER_FILES", 2)
    assert len(folder.names()) == 2


@pytest.mark.parametrize("path", ["/no/such/folder", "/etc/passwd", "a\0b", "x" * 5_000])
def test_a_folder_that_cannot_be_read_is_one_sentence(path):
    with pytest.raises(AuditError, match="data folder") as caught:
        DataFolder.at(path, (".npy",))
    assert path not in caught.value.sentence


def test_a_file_exchanged_for_a_link_after_it_was_listed_is_not_followed(folder, monkeypatch):
    listed = folder.names()
    monkeypatch.setattr(DataFolder, "names", lambda self: listed)
    (folder.root / "a.npy").unlink()
    (folder.root / "a.npy").symlink_to(folder.root.parent / "outside.npy")
    with pytest.raises(AuditError, match="not in the data folder"):
        folder.opened("a.npy")


def test_a_subfolder_exchanged_for_a_link_is_not_followed(folder, monkeypatch):
    listed = folder.names()
    monkeypatch.setattr(DataFolder, "names", lambda self: listed)
    (folder.root / "deep" / "er").rename(folder.root.parent / "er")
    (folder.root / "deep" / "er").symlink_to(folder.root.parent / "er")
    with pytest.raises(AuditError, match="not in the data folder"):
        folder.opened("deep/er/c.npz")


def test_a_file_exchanged_for_a_pipe_is_refused_without_waiting(folder, monkeypatch):
    listed = folder.names()
    monkeypatch.setattr(DataFolder, "names", lambda self: listed)
    (folder.root / "a.npy").unlink()
    os.mkfifo(folder.root / "a.npy")
    with pytest.raises(AuditError, match="not an ordinary file"):
        folder.opened("a.npy")


def test_a_file_that_vanishes_during_the_walk_is_left_out(folder, monkeypatch):
    def gone(self, entry):
        if entry.name == "a.npy":
            raise FileNotFoundError(2, "gone")
        return True

    monkeypatch.setattr(DataFolder, "_listed", gone)
    assert "a.npy" not in folder.names()
    assert "B.NPY" in folder.names()
