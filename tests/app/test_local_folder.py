"""Files of a local folder, opened in place: off by default, and nothing outside it."""

import mmap

import numpy as np
import pytest

from app import local_folder
from tests.app.conftest import Page, npy_bytes


@pytest.fixture
def folder(tmp_path, monkeypatch, pair):
    root = tmp_path / "data"
    (root / "deep").mkdir(parents=True)
    (root / "a.npy").write_bytes(npy_bytes(pair[0]))
    (root / "deep" / "b.npy").write_bytes(npy_bytes(pair[1]))
    (root / "broken.npy").write_bytes(b"this is no array")
    (root / "notes.md").write_text("not offered")
    (tmp_path / "outside.npy").write_bytes(npy_bytes(pair[0]))
    (root / "link.npy").symlink_to(tmp_path / "outside.npy")
    monkeypatch.setenv(local_folder.VARIABLE, str(root))
    return root


def choose(page, side, name):
    next(one for one in page.app.selectbox if one.key.startswith(f"local_drop_{side}_")).set_value(name).run()


def held(page, side):
    return page.app.session_state["cosine_floor_files"][side].found.loaded


def test_without_the_variable_no_file_of_the_machine_is_offered(page):
    assert not page.app.selectbox


def test_each_place_offers_the_files_of_the_folder_and_nothing_else(folder):
    page = Page()
    boxes = [one for one in page.app.selectbox if one.key.startswith("local_drop_")]
    assert len(boxes) == 4
    for box in boxes:
        assert box.options == ["a.npy", "broken.npy", "deep/b.npy"]
        assert box.value is None


def test_a_chosen_file_is_mapped_and_audited(folder, pair):
    page = Page()
    choose(page, "a", "a.npy")
    choose(page, "b", "deep/b.npy")
    for side, expected in zip("ab", pair, strict=True):
        base = held(page, side).array
        np.testing.assert_array_equal(base, expected)
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base.obj, mmap.mmap)
    assert held(page, "b").name == "b.npy"
    page.press("run")
    assert page.app.session_state["cosine_floor_result"].audit.n == 40
    assert not page.app.exception


def test_a_refused_file_says_so_in_its_own_place_and_a_good_one_follows(folder):
    page = Page()
    choose(page, "a", "a.npy")
    choose(page, "b", "broken.npy")
    assert len(page.errors) == 1
    assert page.errors[0].startswith("broken.npy")
    assert str(folder) not in page.text
    assert held(page, "a").name == "a.npy"
    choose(page, "b", "deep/b.npy")
    assert not page.errors


def test_a_file_gone_since_it_was_listed_is_a_sentence(folder):
    page = Page()
    (folder / "a.npy").unlink()
    choose(page, "a", "a.npy")
    assert "not in the data folder" in page.errors[0]
    assert not page.app.exception


def test_a_stack_of_the_folder_asks_for_its_layer(folder):
    stack = np.random.default_rng(5).standard_normal((3, 20, 4))
    (folder / "layers.npy").write_bytes(npy_bytes(stack))
    page = Page()
    choose(page, "a", "layers.npy")
    next(one for one in page.app.selectbox if one.key.startswith("choice_a_")).set_value("1").run()
    np.testing.assert_array_equal(held(page, "a").array, stack[1])


def test_a_folder_that_is_not_there_is_a_sentence_without_its_path(monkeypatch):
    monkeypatch.setenv(local_folder.VARIABLE, "/no/such/place")
    page = Page()
    assert not page.app.exception
    assert all("data folder" in error for error in page.errors)
    assert len(page.errors) == 4
    assert "/no/such/place" not in page.text
