import io

import numpy as np
import pytest

BAD = b"this is no array"


def test_a_dropped_file_turns_into_a_card(page, pair):
    page.drop("a", pair[0], "queries.npy")
    assert "queries.npy" in page.text
    assert "40 × 6 float64" in page.text
    assert not any(box.key.startswith("drop_a_") for box in page.app.file_uploader)


def test_a_refused_file_says_so_in_its_own_place_and_changes_nothing_else(page):
    page.drop_pair().press("run")
    before = page.app.session_state["cosine_floor_result"]
    page.press("replace_a").drop("a", BAD, "labels.npy")
    assert len(page.errors) == 1
    assert "labels.npy" in page.errors[0]
    assert page.app.session_state["cosine_floor_result"] is before
    assert page.app.session_state["cosine_floor_files"]["a"].found.loaded.name == "a.npy"
    assert "From earlier inputs" not in page.text


def test_the_sentence_goes_when_a_good_file_follows(page, pair):
    page.drop("a", BAD)
    assert page.errors
    page.drop("a", pair[0])
    assert not page.errors


def test_keeping_the_present_file_closes_the_box_and_forgets_the_refusal(page, pair):
    page.drop("a", pair[0]).press("replace_a").drop("a", BAD).press("keep_a")
    assert not page.errors
    assert not any(box.key.startswith("drop_a_") for box in page.app.file_uploader)


def test_a_stack_of_layers_asks_which_one_and_reads_the_same_bytes_again(page):
    stack = np.random.default_rng(5).standard_normal((3, 20, 4))
    page.drop("a", stack, "layers.npy")
    select = page.app.selectbox[0]
    assert select.options == ["0", "1", "2"]
    assert select.value is None
    select.set_value("2").run()
    found = page.app.session_state["cosine_floor_files"]["a"]
    np.testing.assert_array_equal(found.found.loaded.array, stack[2])
    page.app.selectbox[0].set_value("1").run()
    found = page.app.session_state["cosine_floor_files"]["a"]
    np.testing.assert_array_equal(found.found.loaded.array, stack[1])


def test_another_choice_makes_the_result_an_earlier_one(page):
    stack = np.random.default_rng(5).standard_normal((3, 20, 4))
    page.drop("a", stack).drop("b", stack[0])
    page.app.selectbox[0].set_value("1").run()
    page.press("run")
    assert "From earlier inputs" not in page.text
    page.app.selectbox[0].set_value("2").run()
    assert "From earlier inputs" in page.text


def test_a_name_inside_a_file_is_offered_and_taken_as_it_is(page, pair):
    file = io.BytesIO()
    np.savez(file, **{"![x](y)": pair[0], "b": pair[1]})
    page.drop("a", file.getvalue(), "two.npz")
    assert "Array to read" in [select.label for select in page.app.selectbox]
    page.app.selectbox[0].set_value("![x](y)").run()
    found = page.app.session_state["cosine_floor_files"]["a"].found
    np.testing.assert_array_equal(found.loaded.array, pair[0])


@pytest.mark.parametrize("side", ["fit_a", "fit_b"])
def test_a_fit_array_can_be_taken_out_again(page, pair, side):
    page.drop(side, pair[0])
    assert f"fit array of {side[-1].upper()}" in page.app.expander[0].label
    page.press(f"remove_{side}")
    assert page.app.expander[0].label == "Options"


def test_the_example_replaces_every_file_and_runs(page, pair):
    page.drop("fit_a", pair[0]).drop("a", pair[0]).press("example")
    assert set(page.app.session_state["cosine_floor_files"]) == {"a", "b"}
    assert page.app.session_state["cosine_floor_result"].audit.n == 400
    assert "The example" in page.text


def test_memory_that_runs_out_is_a_sentence(page, pair, monkeypatch):
    def no_memory(loaded):
        raise MemoryError

    monkeypatch.setattr("app.ingest.inspect", no_memory)
    page.drop("a", pair[0])
    assert "not enough free memory" in page.errors[0]


def choices_of(page, side):
    """The selects about one side's file, by what they ask."""
    return {one.label: one for one in page.app.selectbox if one.key.startswith(f"choice_{side}_")}


@pytest.fixture
def stacks(page):
    """An archive of two stacks and a matrix on A."""
    rng = np.random.default_rng(5)
    arrays = {"first": rng.standard_normal((3, 20, 4)), "second": rng.standard_normal((2, 20, 4))}
    arrays["flat"] = rng.standard_normal((20, 4))
    file = io.BytesIO()
    np.savez(file, **arrays)
    page.drop("a", file.getvalue(), "stacks.npz")
    return arrays


def held(page):
    return page.app.session_state["cosine_floor_files"]["a"].found.loaded


def test_every_choice_made_so_far_can_be_changed_and_is_named_on_the_card(page, stacks):
    choices_of(page, "a")["Array to read"].set_value("first").run()
    choices_of(page, "a")["Layer, counting from 0"].set_value("2").run()
    np.testing.assert_array_equal(held(page).array, stacks["first"][2])
    assert {label: box.value for label, box in choices_of(page, "a").items()} == {
        "Array to read": "first",
        "Layer, counting from 0": "2",
    }
    assert "In use: array first, layer 2 (counting from 0)" in page.text
    choices_of(page, "a")["Layer, counting from 0"].set_value("0").run()
    np.testing.assert_array_equal(held(page).array, stacks["first"][0])
    choices_of(page, "a")["Array to read"].set_value("second").run()
    layer = choices_of(page, "a")["Layer, counting from 0"]
    assert (layer.options, layer.value) == (["0", "1"], None)
    np.testing.assert_array_equal(held(page).array, stacks["first"][0])  # until the layer is said
    layer.set_value("1").run()
    np.testing.assert_array_equal(held(page).array, stacks["second"][1])
    choices_of(page, "a")["Array to read"].set_value("flat").run()
    np.testing.assert_array_equal(held(page).array, stacks["flat"])
    assert list(choices_of(page, "a")) == ["Array to read"]
    assert "layer" not in page.text.partition("In use:")[2].partition("Row norms")[0]


def test_a_new_stack_in_place_of_another_asks_instead_of_showing_the_layer_of_the_other(page):
    rng = np.random.default_rng(5)
    page.drop("a", rng.standard_normal((3, 20, 4)), "old.npy")
    choices_of(page, "a")["Layer, counting from 0"].set_value("1").run()
    page.press("replace_a").drop("a", rng.standard_normal((3, 20, 4)), "new.npy")
    assert choices_of(page, "a")["Layer, counting from 0"].value is None
    assert "new.npy" in page.text
