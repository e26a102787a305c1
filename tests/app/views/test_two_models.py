import json
from threading import Event

import numpy as np
import pytest

from app import run
from core.report import RENDERERS, two_models_document
from core.report.two_models_document import NOT_EVIDENCE
from tests.arrays import npy_bytes


def two_encoders(n=60, dim_a=6, dim_b=9, seed=5):
    """The same n things seen by two encoders."""
    rng = np.random.default_rng(seed)
    things = rng.standard_normal((n, 5))
    return [things @ rng.standard_normal((5, d)) + 0.2 * rng.standard_normal((n, d)) for d in (dim_a, dim_b)]


def spec(page, key):
    chart = next(chart for chart in page.app.get("plotly_chart") if chart.proto.id.endswith(f"-{key}"))
    return json.loads(chart.proto.spec)


def result_of(page):
    return page.app.session_state["cosine_floor_two_models_result"].audit


@pytest.fixture
def two(page):
    return page.open("two_models.py")


def test_the_first_screen_says_what_is_and_what_is_no_evidence(two):
    assert two.app.title[0].value == "Two models"
    assert "a cosine between them means nothing" in two.text
    assert "What is no evidence" in two.text
    assert "Without train rows" in two.text
    assert two.app.button(key="run_two_models").disabled
    assert not two.app.get("plotly_chart")


def test_widths_may_differ_and_half_of_the_pairs_train_the_map_without_train_rows(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    found = result_of(two).found
    assert (found.n_compared, found.n_train, found.split) == (30, 30, True)
    words = two_models_document(result_of(two))
    for sentence in (words.reading, *words.note, *words.notices):
        assert sentence in two.text
    assert "half of the pairs (30), drawn with the seed, train the map" in two.text
    assert "A has 6 columns and B 9: without a map there is no cosine between them at all" in two.text


def test_train_rows_train_the_map_and_all_pairs_are_compared(two):
    a, b = two_encoders()
    two.drop("a", a[:20]).drop("b", b[:20]).drop("train_a", a[20:]).drop("train_b", b[20:]).press("run_two_models")
    found = result_of(two).found
    assert (found.n_compared, found.n_train, found.split) == (20, 40, False)
    assert result_of(two).train_a.name == "train_a.npy"


def test_figures_show_the_result_and_have_words_for_screen_readers(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    found = result_of(two).found
    bars, marks = spec(two, "agreement")["data"]
    expected = [found.mapped.a_to_b.expected, found.mapped.b_to_a.expected, found.neighbours.overlap, found.cka]
    assert bars["x"] == pytest.approx(expected)
    assert marks["x"] == pytest.approx([1 / 30, 1 / 30, 10 / 59, 0])
    charts = two.app.get("plotly_chart")
    assert len(charts) == 2
    assert all("chance" in chart.proto.alt or "unrelated" in chart.proto.alt for chart in charts)


def test_a_row_wise_cosine_is_shown_only_as_no_evidence(two):
    a, b = two_encoders(dim_a=9)
    two.drop("a", a).drop("b", b).press("run_two_models")
    plain = f"{result_of(two).found.unmapped.plain:.4f}".replace("-", "−")
    assert f"As they are, without the map: gap {plain}, {NOT_EVIDENCE}." in two.text


def test_every_format_is_there_to_copy(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    words = two_models_document(result_of(two))
    shown = {code.value.strip() for code in two.app.code}
    assert shown >= {RENDERERS[name](words).strip() for name in ("json", "markdown", "latex", "csv")}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a, b: {"b": b[:-1]}, ["A (a.npy) has 60 rows and B (b.npy) has 59", "same list of items"]),
        (lambda a, b: {"train_a": a[:9]}, ["train rows for A (train_a.npy) but none for B", "Give both sides"]),
        (lambda a, b: {"train_a": a, "train_b": b}, ["60 of 60 compared pairs also stand among the train pairs"]),
        (lambda a, b: {"train_a": b, "train_b": b}, ["train rows of A (train_a.npy) have 9 columns", "model of A"]),
        (lambda a, b: {"a": np.where(a == a[3, 0], np.nan, a)}, ["a.npy (side A): 1 of 60 rows holds NaN: row 3"]),
    ],
    ids=["counts", "half a train pair", "train on compared", "train width", "nan"],
)
def test_input_that_cannot_be_compared_is_refused_beside_the_button(two, change, words):
    a, b = two_encoders()
    for side, rows in {"a": a, "b": b, **change(a, b)}.items():
        two.drop(side, rows)
    two.press("run_two_models")
    assert len(two.errors) == 1
    for word in words:
        assert word in two.errors[0]
    assert not two.app.get("plotly_chart")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a, b: {"b": b[:-1]}, "A (a.npy) has 60 rows and B (b.npy) has 59"),
        (lambda a, b: {"train_a": a[:9]}, "There are train rows for A (train_a.npy) but none for B"),
        (lambda a, b: {"train_a": a[:9, :3], "train_b": b[:9]}, "The train rows of A (train_a.npy) have 3 columns"),
    ],
)
def test_files_that_do_not_pair_are_named_before_the_click(two, change, words):
    a, b = two_encoders()
    for side, rows in {"a": a, "b": b, **change(a, b)}.items():
        two.drop(side, rows)
    (warning,) = [str(one.value).replace("\\", "").replace("`", "").replace("\u2060", "") for one in two.app.warning]
    assert words in warning
    two.press("run_two_models")
    assert not two.app.warning
    assert words in two.errors[0]


def test_files_that_pair_are_not_warned_of(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b)
    assert not two.app.warning
    assert "on this machine" not in two.text


def test_a_file_that_is_no_array_is_refused_on_its_place(two):
    two.drop("train_b", b"these are no numbers", "notes.npy")
    assert "notes.npy" in two.errors[0]


def test_bad_rows_can_be_left_out(two):
    a, b = two_encoders()
    a[3] = np.nan
    two.drop("a", a).drop("b", b)
    two.app.checkbox(key="two_models_drop_bad_rows").check().run()
    two.press("run_two_models")
    assert result_of(two).dropped_rows == 1


@pytest.mark.parametrize("change", ["file", "seed", "train"])
def test_a_result_from_other_inputs_is_marked_as_such(two, change):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    assert "From earlier inputs" not in two.text
    assert two.app.button(key="run_two_models").disabled
    if change == "file":
        two.press("replace_b").drop("b", b * 2)
    elif change == "train":
        two.drop("train_a", two_encoders(seed=6)[0])
    else:
        two.app.number_input(key="two_models_seed").set_value(7).run()
    assert "From earlier inputs" in two.text
    assert two.app.button(key="run_two_models").label == "Run again"


def test_the_audit_and_the_two_models_share_a_and_b_but_nothing_else(two):
    a, b = two_encoders(dim_a=9)
    two.drop("a", a).drop("b", b).press("run_two_models")
    before = two.text
    two.open("audit.py")
    assert "What you get" in two.text
    two.press("run")
    assert "The verdict" in two.text
    two.app.number_input(key="seed").set_value(7).run()
    two.open("two_models.py")
    assert two.text == before


def test_a_failure_here_is_no_failure_of_the_audit(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b[:-1]).press("run_two_models")
    assert two.errors
    two.open("audit.py")
    assert not two.errors


def test_a_bug_of_ours_shows_as_one(two, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("planted bug")

    monkeypatch.setattr(run, "audit_two_models", fail)
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    assert "planted bug" in two.app.exception[0].value
    two.app.run()


def test_cancel_ends_the_comparison(two, monkeypatch):
    go_on = Event()

    def slow(*_, progress, **__):
        for done in range(2_000):
            progress(done, 2_000, "Finding neighbours")
            if go_on.wait(0.01):
                break

    monkeypatch.setattr(run, "audit_two_models", slow)
    monkeypatch.setattr(run, "QUICK_SECONDS", 0.05)
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    job = two.app.session_state["cosine_floor_job_two_models"].job
    assert two.app.button(key="run_two_models").disabled
    two.press("cancel")
    assert job.wait(1.0)
    go_on.set()
    assert two.app.session_state["cosine_floor_job_two_models"] is None
    assert not two.app.button(key="run_two_models").disabled


def test_the_example_opens_with_one_click(two):
    two.press("two_models_example")
    assert "0.5464" in two.text
    assert "99.8% of 400 rows" in two.text
    assert "all-MiniLM-L6-v2" in two.text
    two.open("audit.py")
    assert "The example:" not in two.text


def test_four_files_dropped_at_once_all_arrive(two, npy):
    rng = np.random.default_rng(0)
    places = ("a", "b", "train_a", "train_b")
    for place in places:
        box = next(box for box in two.app.file_uploader if box.key.startswith(f"drop_{place}_"))
        box.upload(f"{place}.npy", npy(rng.standard_normal((30, 6))))
    two.app.run()
    assert not two.app.exception
    held = two.app.session_state["cosine_floor_files"]
    assert [held[place].found.loaded.name for place in places] == [f"{place}.npy" for place in places]


def test_ids_of_groups_keep_items_in_one_half(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).press("run_two_models")
    assert result_of(two).groups is None
    two.drop("groups", npy_bytes(np.arange(60) // 2), "ids.npy")
    assert "From earlier inputs" in two.text
    two.press("run_two_models")
    assert (result_of(two).groups.count, result_of(two).found.neighbours.n_rows) == (30, 30)
    assert "60 pairs share an id, or a row of A or of B, with another pair and stand in the same half" in two.text


def test_the_example_takes_ids_out(two):
    a, b = two_encoders()
    two.drop("a", a).drop("b", b).drop("groups", npy_bytes(np.arange(60) // 2), "ids.npy")
    two.press("two_models_example")
    assert result_of(two).groups is None
