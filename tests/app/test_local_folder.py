"""Files of a local folder, opened in place: off by default, and nothing outside it."""

import hashlib
import mmap
import os
from contextlib import contextmanager

import numpy as np
import pytest

from app import cache, local_folder
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
    monkeypatch.setattr("app.run.QUICK_SECONDS", 60.0)
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


def forbidden(*_):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("script", ["audit.py", "two_models.py", "conditions.py"])
@pytest.mark.parametrize("why", ["missing", "forbidden", "not_to_be_entered"])
def test_a_folder_that_cannot_be_read_is_one_sentence_without_its_path(tmp_path, monkeypatch, script, why):
    monkeypatch.setenv(local_folder.VARIABLE, "/no/such/place" if why == "missing" else str(tmp_path))
    if why == "forbidden":
        monkeypatch.setattr("core.data_folder.os.scandir", forbidden)
    if why == "not_to_be_entered":
        monkeypatch.setattr("core.data_folder.os.access", lambda path, mode: mode == os.R_OK)
    page = Page().open(script)
    assert not page.app.exception
    assert page.errors == [
        "The data folder named by COSINE_FLOOR_DATA_DIR cannot be read. "
        "Start again with the path of a folder that the dashboard may read."
    ]
    assert not [one for one in page.app.selectbox if one.key.startswith("local_")]
    assert "/no/such/place" not in page.text
    assert str(tmp_path) not in page.text


def test_a_folder_without_files_to_read_says_so_once(tmp_path, monkeypatch):
    (tmp_path / "notes.md").write_text("not offered")
    monkeypatch.setenv(local_folder.VARIABLE, str(tmp_path))
    page = Page()
    assert [str(one.value) for one in page.app.info] == ["The data folder holds no file of a kind that is read."]
    assert not [one for one in page.app.selectbox if one.key.startswith("local_")]
    assert not page.errors


def write_over(path, rows):
    """New numbers in the same file, of the same size."""
    with path.open("r+b") as file:
        file.write(npy_bytes(rows))
    os.utime(path, ns=(1, 1))  # a coarse clock of the file system must not hide the change


def shorten(path, rows):
    os.truncate(path, 200)


@pytest.fixture
def chosen(folder):
    """Both sides opened in place."""
    page = Page()
    choose(page, "a", "a.npy")
    choose(page, "b", "deep/b.npy")
    yield page
    assert not page.app.exception


SENTENCE = "a.npy was changed after it was opened. Open it again once no program writes to it."


@pytest.mark.parametrize("change", [write_over, shorten])
def test_a_file_changed_before_the_run_is_one_sentence_and_opened_again_with_one_click(chosen, folder, pair, change):
    before = held(chosen, "a").sha256
    change(folder / "a.npy", -pair[0])
    chosen.press("run")
    assert chosen.errors == [SENTENCE]
    assert "cosine_floor_result" not in chosen.app.session_state or not chosen.app.session_state["cosine_floor_result"]
    assert chosen.app.button(key="run").disabled
    assert "A was changed: open it again first." in chosen.text
    (folder / "a.npy").write_bytes(npy_bytes(-pair[0]))
    chosen.press("open_again_a")
    assert not chosen.errors
    assert "open_again_a" not in [button.key for button in chosen.app.button]
    assert held(chosen, "a").sha256 == hashlib.sha256(npy_bytes(-pair[0])).hexdigest() != before
    chosen.press("run")
    assert not chosen.errors
    result = chosen.app.session_state["cosine_floor_result"].audit
    assert result.a.sha256 == held(chosen, "a").sha256
    assert result.raw.matched_mean < 0


@pytest.mark.parametrize("change", [write_over, shorten])
def test_a_result_of_a_file_changed_since_is_not_shown_as_current(chosen, folder, pair, change):
    chosen.press("run")
    assert "The result below is for these files and settings." in chosen.text
    change(folder / "a.npy", -pair[0])
    chosen.app.number_input(key="seed").set_value(0).run()
    assert chosen.errors == [SENTENCE]
    assert "From earlier inputs" in chosen.text
    assert "The result below is for these files and settings." not in chosen.text
    (folder / "a.npy").write_bytes(npy_bytes(pair[0] * 3))
    chosen.press("open_again_a")
    assert not chosen.errors
    assert "From earlier inputs" in chosen.text
    assert chosen.app.button(key="run").label == "Run again"
    chosen.press("run")
    assert "From earlier inputs" not in chosen.text


def test_a_file_still_too_short_is_refused_and_the_page_goes_on(chosen, folder, pair):
    shorten(folder / "a.npy", pair[0])
    chosen.press("run").press("open_again_a")
    assert SENTENCE in chosen.errors
    assert len(chosen.errors) == 2
    assert chosen.errors[1].startswith("a.npy")
    chosen.press("replace_a")
    choose(chosen, "a", "deep/b.npy")
    assert not chosen.errors


def test_a_changed_file_gone_from_the_folder_is_a_sentence(chosen, folder, pair):
    write_over(folder / "a.npy", -pair[0])
    chosen.press("run")
    (folder / "a.npy").unlink()
    chosen.press("open_again_a")
    assert "not in the data folder" in chosen.errors[1]


def test_a_layer_chosen_after_the_file_was_shortened_is_read_from_the_file_as_it_is(folder):
    stack = np.random.default_rng(5).standard_normal((3, 400, 40))
    path = folder / "layers.npy"
    path.write_bytes(npy_bytes(stack))
    page = Page()
    choose(page, "a", "layers.npy")

    def layer(number):
        next(one for one in page.app.selectbox if one.key.startswith("choice_a_")).set_value(number).run()

    layer("2")
    shorten(path, None)
    layer("1")
    assert any(error.startswith("layers.npy") for error in page.errors)
    path.write_bytes(npy_bytes(-stack))
    page.press("open_again_a")
    assert not page.errors
    np.testing.assert_array_equal(held(page, "a").array, -stack[2])
    layer("1")
    np.testing.assert_array_equal(held(page, "a").array, -stack[1])
    assert not page.app.exception


def test_two_models_are_not_compared_from_a_changed_file(chosen, folder, pair):
    chosen.open("two_models.py").press("run_two_models")
    write_over(folder / "a.npy", -pair[0])
    chosen.app.number_input(key="two_models_seed").set_value(0).run()
    assert chosen.errors == [SENTENCE]
    assert "From earlier inputs" in chosen.text
    assert chosen.app.button(key="run_two_models").disabled
    chosen.press("open_again_a")
    assert not chosen.app.button(key="run_two_models").disabled


def test_a_changed_fit_file_is_named_beside_the_button_though_its_place_is_folded(chosen, folder, pair):
    (folder / "fit.npy").write_bytes(npy_bytes(pair[0] * 2))
    cache.listed_files.clear()
    chosen.app.run()
    choose(chosen, "fit_a", "fit.npy")
    write_over(folder / "fit.npy", -pair[0])
    chosen.press("run")
    assert "Fit A was changed: open it again first." in chosen.text
    chosen.press("open_again_fit_a").press("run")
    assert not chosen.errors


def test_a_link_does_not_confirm_a_changed_file(folder, pair, page_at):
    digests = {side: hashlib.sha256(npy_bytes(rows)).hexdigest() for side, rows in zip("ab", pair, strict=True)}
    page = page_at({"share": "1", **digests})
    choose(page, "a", "a.npy")
    write_over(folder / "a.npy", -pair[0])
    choose(page, "b", "deep/b.npy")
    assert "was changed after it was opened; open it again" in page.text.replace("**", "")
    assert "cosine_floor_result" not in page.app.session_state or not page.app.session_state["cosine_floor_result"]


def choose_condition(page, place, name):
    boxes = (one for one in page.app.selectbox if one.key.startswith(f"local_drop_conditions_{place}_"))
    next(boxes).set_value(name).run()


@pytest.mark.parametrize("change", [write_over, shorten])
def test_conditions_are_not_compared_from_a_changed_file(folder, pair, change):
    (folder / "other.npy").write_bytes(npy_bytes(pair[1] * 2))
    cache.listed_files.clear()
    page = Page().open("conditions.py")
    choose_condition(page, "a", "a.npy")
    choose_condition(page, "several", "deep/b.npy")
    choose_condition(page, "several", "other.npy")
    page.press("compare")
    assert page.app.button(key="compare").disabled
    assert "From earlier inputs" not in page.text
    change(folder / "other.npy", -pair[1])
    page.app.number_input(key="conditions_seed").set_value(0).run()
    assert page.errors == [SENTENCE.replace("a.npy", "other.npy")]
    assert "A file was changed: open it again first." in page.text
    assert "From earlier inputs" in page.text
    assert page.app.button(key="compare").disabled
    (folder / "other.npy").write_bytes(npy_bytes(-pair[1]))
    page.press(next(one.key for one in page.app.button if str(one.key).startswith("open_again_")))
    assert not page.errors
    page.press("compare")
    assert not page.errors
    assert "From earlier inputs" not in page.text
    runs = page.app.session_state["cosine_floor_conditions"].result.comparison.runs
    assert runs[1].audit.b.sha256 == hashlib.sha256(npy_bytes(-pair[1])).hexdigest()
    assert not page.app.exception


def test_a_large_file_with_other_rows_than_its_partner_is_refused_unread(folder, pair, monkeypatch):
    (folder / "long.npy").write_bytes(npy_bytes(np.vstack([pair[1], pair[1]])))
    page = Page()
    choose(page, "a", "a.npy")
    monkeypatch.setattr("app.ingest.READ_BYTES_PER_SECOND", 1)

    def never(*_arguments):
        raise AssertionError("the file was read")

    monkeypatch.setattr("app.ingest.read_array", never)
    choose(page, "b", "long.npy")
    assert "long.npy has 80 rows and a.npy has 40" in page.errors[0]
    assert page.app.session_state["cosine_floor_files"]["b"].found is None


def test_while_a_large_file_is_read_the_page_says_so(folder, monkeypatch):
    said = []

    @contextmanager
    def spinner(text):
        said.append(text)
        yield

    monkeypatch.setattr("streamlit.spinner", spinner)
    page = Page()
    choose(page, "a", "a.npy")
    assert not said
    monkeypatch.setattr("core.report.waiting.SAY_READING_BYTES", 1)
    choose(page, "b", "deep/b.npy")
    assert len(said) == 1
    assert said[0].startswith("Reading b")
    assert held(page, "b").name == "b.npy"
