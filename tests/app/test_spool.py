import os
import tempfile

import numpy as np
import pytest

from app import spool
from core.errors import LimitError


def test_a_small_file_shares_the_memory_of_the_upload():
    data = b"\x93NUMPY small"
    assert spool.hold(data).obj is data


def test_a_large_file_leaves_memory_and_reads_the_same():
    data = os.urandom(10_000)
    held = spool.hold(data, spool_bytes=5_000)
    assert held.obj is not data
    assert held.readonly
    assert bytes(held) == data


def test_a_large_file_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held = spool.hold(b"x" * 10_000, spool_bytes=5_000)
    assert list(tmp_path.iterdir()) == []
    assert len(held) == 10_000


def test_a_full_disk_is_a_sentence_and_not_a_crash(monkeypatch):
    def no_room(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", no_room)
    with pytest.raises(LimitError, match="no room for a temporary file of 2 MB"):
        spool.hold(b"x" * 2_000_000, spool_bytes=1)


def test_streamlit_forgets_the_uploaded_bytes(page, pair, npy, monkeypatch):
    """The manager that holds uploads is empty again after the page has taken a file in."""
    held = []
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    real_remove = MemoryUploadedFileManager.remove_file
    monkeypatch.setattr(
        MemoryUploadedFileManager,
        "remove_file",
        lambda self, session_id, file_id: (real_remove(self, session_id, file_id), held.append(self)),
    )
    page.drop("a", pair[0])
    assert held
    assert all(not files for files in held[0].file_storage.values())


def test_outside_a_page_there_is_nothing_to_drop():
    assert spool.drop_upload("no such file") is None


def test_a_spooled_upload_gives_the_same_card(page, pair, monkeypatch):
    monkeypatch.setattr(spool, "SPOOL_BYTES", 1)
    monkeypatch.setitem(spool.hold.__kwdefaults__, "spool_bytes", 1)
    page.drop("a", pair[0])
    assert f"{len(pair[0])} × {pair[0].shape[1]} float64" in page.text
    assert np.asarray(page.app.session_state["cosine_floor_files"]["a"].found.loaded.array).shape == pair[0].shape
