"""A sample of every kind of the corpus on the page: what a person sees, and what stays as it was.

One file is dropped where a good pair, a setting and a result are already; whatever becomes
of it, the rest must not change, and a good file dropped next must work.
"""

import os

import numpy as np
import pytest

from app.widgets.plain import escaped
from core.report.names import shown_name
from tests import hostile, hostile_tables
from tests.app.conftest import Page, matched_rows, npy_bytes
from tests.hostile_pairs import PAIRS

REFUSED = {
    name: table[name]
    for table, names in (
        (hostile.NPY, ["empty.npy", "cut_in_data.npy", "huge_shape.npy", "header_is_code.npy", "raw_floats.npy"]),
        (hostile.DTYPE, ["complex.npy", "text.npy", "objects.npy", "dict.npy"]),
        (hostile.SHAPE, ["scalar.npy", "one_vector.npy", "no_rows.npy"]),
        (hostile.ARCHIVE, ["bomb.npz", "bomb.npy.gz", "sparse.npz", "cut_short.npz"]),
        (hostile.PICKLES, ["protocol_4.npy", "marker.pkl", "tensor.pt"]),
        (hostile.OTHERS, ["page.npy", "pointer.npy", "data.h5", "raw.bin"]),
        (hostile_tables.TEXT, ["ragged.csv", "ellipsis.csv", "odd_cell_1.csv", "odd_column.csv"]),
        (hostile_tables.TEXT, ["commas_of_both_kinds.csv"]),
        (hostile_tables.ARROW, ["cut_short.parquet"]),
        (hostile_tables.SAFETENSORS, ["overlap.safetensors"]),
    )
    for name in names
}

TAKEN = {
    name: table[name]
    for table, names in (
        (hostile.NPY, ["trailing.npy", "no_extension", "big_endian.npy"]),
        (hostile.DTYPE, ["int8.npy", "packed.npy"]),
        (hostile.SHAPE, ["n_1_d.npy"]),
        (hostile.ARCHIVE, ["renamed.npy", "beside_objects.npz", "gzipped.npy.gz"]),
        (hostile_tables.TEXT, ["index.csv", "script.csv", "utf16.csv", "numbers_0.csv"]),
        (hostile_tables.TEXT, ["codes.csv", "words_beside.csv"]),
        (hostile_tables.JSON, ["names.json", "index_4.json"]),
        (hostile_tables.ARROW, ["lists.arrow"]),
        (hostile_tables.SAFETENSORS, ["bf16.safetensors"]),
    )
    for name in names
}

ASKED = {
    "void_2.npy": (hostile.DTYPE, "bfloat16", hostile.BF16),
    "uint16.npy": (hostile.DTYPE, "numbers", hostile.bfloat16_bits(hostile.GOOD)),
    "layers.npy": (hostile.SHAPE, "1", hostile.GOOD),
    "two.npz": (hostile.ARCHIVE, "text", hostile.GOOD),
    "two.parquet": (hostile_tables.ARROW, "b", hostile.GOOD),
}


@pytest.fixture
def ready(page, tmp_path, monkeypatch):
    """A page with a pair, a setting and a result, in a folder where a payload would show."""
    monkeypatch.chdir(tmp_path)
    page.drop_pair()
    page.app.number_input(key="seed").set_value(7).run()
    page.press("run")
    yield page
    assert not os.path.exists(hostile.MARKER)


def memory_of(page):
    """Everything the page holds but the place of A."""
    kept = page.app.session_state
    files = {side: slot for side, slot in kept["cosine_floor_files"].items() if side != "a"}
    return files, kept["cosine_floor_settings"], kept["cosine_floor_result"]


def held(page, side="a"):
    return page.app.session_state["cosine_floor_files"][side].found


def says(text, groups, name):
    text = text.replace(shown_name(name), "").lower()
    return all(any(word.lower() in text for word in group) for group in groups)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_file_is_one_sentence_and_leaves_everything_as_it_was(ready, name):
    case, before, first = REFUSED[name], memory_of(ready), held(ready)
    ready.press("replace_a").drop("a", case.build(), name)
    assert len(ready.errors) == 1
    assert ready.errors[0].startswith(name)
    assert says(ready.errors[0], case.say, name), ready.errors
    assert "Error" not in ready.errors[0]
    assert memory_of(ready) == before
    assert held(ready) is first
    assert "From earlier inputs" not in ready.text
    ready.drop("a", matched_rows(seed=8)[0], "next.npy")
    assert not ready.errors
    assert held(ready).loaded.name == "next.npy"
    assert not ready.app.button(key="run").disabled


@pytest.mark.parametrize("name", TAKEN)
def test_a_file_that_is_read_says_how_on_its_card_and_beside_the_result(page, name):
    case = TAKEN[name]
    partner = np.random.default_rng(1).standard_normal(case.array.shape)
    page.drop("a", case.build(), name).drop("b", partner)
    assert not page.errors
    np.testing.assert_array_equal(held(page).loaded.array, case.array)
    assert says(page.text, case.say, name)
    page.press("run")
    assert page.app.session_state["cosine_floor_result"].audit.a.name == name
    words = " ".join(notice.text for notice in page.app.session_state["cosine_floor_result"].audit.notices)
    assert says(words, case.say, name)
    assert "None" not in page.text
    assert "nan" not in page.text.replace("NaN", "").lower().split()


@pytest.mark.parametrize("name", ASKED)
def test_a_question_becomes_a_select_and_the_answer_leads_to_the_audit(page, name):
    table, answer, expected = ASKED[name]
    partner = np.random.default_rng(1).standard_normal(expected.shape)
    page.drop("b", partner).drop("a", table[name].build(), name)
    assert not page.errors
    assert page.app.button(key="run").disabled
    select = next(box for box in page.app.selectbox if box.key.startswith("choice_a_"))
    assert select.value is None
    assert says(page.text, table[name].say, name)
    select.set_value(answer).run()
    np.testing.assert_array_equal(held(page).loaded.array, expected)
    page.press("run")
    assert page.app.session_state["cosine_floor_result"].audit.n == len(expected)


@pytest.mark.parametrize("name", ["one_nan", "nan_row_of_b", "zero_rows", "infinite"])
def test_bad_rows_are_refused_until_the_box_is_ticked(page, name):
    case = PAIRS[name]
    given = case.build()
    page.drop("a", given["a"]).drop("b", given["b"]).press("run")
    assert len(page.errors) == 1
    assert says(page.errors[0], case.say, "")
    bad = sum(~np.isfinite(rows).all(axis=1) | (rows == 0).all(axis=1) for rows in given.values())
    box = page.app.checkbox(key="drop_bad_rows")
    assert f"{int(bad.sum())} pair" in box.label
    box.check().run()
    page.press("run")
    assert not page.errors
    result = page.app.session_state["cosine_floor_result"].audit
    assert (result.n, result.dropped_rows) == (64 - bad.sum(), bad.sum())


@pytest.mark.parametrize("name", ["identical_rows", "b_is_a", "b_is_minus_a", "shuffled", "three_rows", "one_column"])
def test_an_odd_pair_is_audited_and_said_to_be_odd(page, name):
    given = PAIRS[name].build()
    page.drop("a", given["a"]).drop("b", given["b"]).press("run")
    assert not page.errors
    assert says(page.text, PAIRS[name].say, "")
    assert "None" not in page.text


@pytest.mark.parametrize("name", ["transposed", "five_for_each", "other_model", "two_rows"])
def test_a_pair_that_cannot_be_compared_is_refused_with_the_likely_reason(page, name):
    given = PAIRS[name].build()
    page.drop("a", given["a"]).drop("b", given["b"]).press("run")
    assert len(page.errors) == 1
    assert says(page.errors[0], PAIRS[name].say, "")


@pytest.mark.parametrize(
    "name",
    [
        "**bold** [link](javascript:alert(1)).npy",
        "![](http:..example.org.x.png).npy",
        "<img src=x onerror=alert(1)>.npy",
        ":warning: :red[x] $x$ a--b.npy",
        "evil\u202eypn.exe.npy",
        "line\nbreak.npy",
        "é" * 300 + ".npy",
    ],
    ids=range(7),
)
def test_a_name_is_shown_letter_by_letter(page, name):
    """On the card it is plain text; in a refusal it is escaped."""
    page.drop("a", npy_bytes(matched_rows()[0]), name)
    assert shown_name(name) in [str(text.value) for text in page.app.text]
    page.drop("b", b"", name)
    assert str(page.app.error[0].value).startswith(escaped(name))
    assert not any(name in str(markdown.value) for markdown in page.app.markdown if name.startswith(("*", "!", "<")))


def test_a_missing_value_is_said_on_the_card_and_its_pair_left_out_on_request(page):
    name, case = "NA_at_2.csv", hostile_tables.TEXT["NA_at_2.csv"]
    page.drop("a", case.build(), name).drop("b", np.random.default_rng(1).standard_normal(case.array.shape))
    assert "1 of 12 rows holds NaN: row 2 (counting from 0)." in page.text
    assert says(page.text, case.say, name)
    page.press("run")
    assert len(page.errors) == 1
    assert says(page.errors[0], case.say, name)
    page.app.checkbox(key="drop_bad_rows").check().run()
    page.press("run")
    assert not page.errors
    assert page.app.session_state["cosine_floor_result"].audit.n == 11


@pytest.mark.parametrize("name", ["bomb.npz", "cut_short.npz"])
def test_a_file_refused_in_one_session_never_shows_in_another(name):
    first, other = Page(), Page()
    other.drop_pair().press("run")
    before = memory_of(other)
    first.drop("a", hostile.ARCHIVE[name].build(), name)
    assert len(first.errors) == 1
    other.app.run()
    assert not other.errors
    assert name not in other.text
    assert memory_of(other) == before
    assert held(first) is None
    first.drop_pair().press("run")
    assert first.app.session_state["cosine_floor_result"].audit.n == 40
