"""The Conditions page as a person uses it: files with names and seeds in, signed differences out."""

import json
import time

import numpy as np
import pytest

from core.comparison import Run, compare
from core.report import RENDERERS, conditions_document
from tests.arrays import inspected, npy_bytes


@pytest.fixture
def conditions(page):
    """The page, opened."""
    return page.open("conditions.py")


def put(page, place, *files):
    """Drop (name, array or bytes) files on a box; the page does not run yet."""
    given = [(name, data if isinstance(data, bytes) else npy_bytes(data)) for name, data in files]
    box = next(box for box in page.app.file_uploader if box.key.startswith(f"drop_conditions_{place}_"))
    content = [(name, data, "application/octet-stream") for name, data in given]
    box.set_value(content if place in ("every_a", "several") else content[0])


def drop(page, place, *files):
    """Drop files on a box of the page."""
    put(page, place, *files)
    page.app.run()
    return page


def finish(page):
    """Wait for the running comparison to end."""
    held = page.app.session_state["cosine_floor_conditions"]
    while held.pending is not None and held.pending.job.live:
        time.sleep(0.05)
    page.app.run()
    return page


def noisy(b, noise, seed):
    return b + noise * np.random.default_rng(seed).standard_normal(b.shape)


def three(page, pair):
    a, b = pair
    drop(page, "a", ("A.npy", a))
    return drop(page, "several", ("fp32.npy", b), ("bf16.npy", noisy(b, 0.01, 1)), ("int8.npy", noisy(b, 0.9, 2)))


def expected(pair):
    a, b = pair
    side_a = inspected(a, "A.npy")
    sides = (("fp32", b), ("bf16", noisy(b, 0.01, 1)), ("int8", noisy(b, 0.9, 2)))
    return compare([Run(label=name, a=side_a, b=inspected(x, f"{name}.npy")) for name, x in sides])


def alt_of(page, start):
    (alt,) = [chart.proto.alt for chart in page.app.get("plotly_chart") if chart.proto.alt.startswith(start)]
    return alt


def spec_of(page, start):
    (spec,) = [chart.proto.spec for chart in page.app.get("plotly_chart") if chart.proto.alt.startswith(start)]
    return json.loads(spec)


def test_the_empty_page_says_what_is_missing_and_what_there_will_be(conditions):
    assert "Drop a file on A first." in conditions.text
    assert "What you get" in conditions.text
    assert conditions.app.button(key="compare").disabled


def test_one_a_and_one_b_are_not_enough(conditions, pair):
    drop(drop(conditions, "a", ("A.npy", pair[0])), "several", ("x.npy", pair[1]))
    assert "Drop at least two B" in conditions.text
    assert conditions.app.button(key="compare").disabled


def test_the_page_says_what_the_command_line_says(conditions, pair):
    finish(three(conditions, pair).press("compare"))
    words = conditions_document(expected(pair))
    assert words.reading in conditions.text
    shown = [str(code.value).strip() for code in conditions.app.code]
    for name in ("markdown", "latex", "csv", "json"):
        assert RENDERERS[name](words).strip() in shown
    assert words.methods in conditions.text


def test_the_differences_are_drawn_and_told(conditions, pair):
    finish(three(conditions, pair).press("compare"))
    found = expected(pair)
    raw, centred = spec_of(conditions, "Points with 95% intervals")["data"]
    assert [raw["name"], centred["name"]] == ["raw", "centred"]
    assert raw["x"] == pytest.approx([one.mean for one in found.raw])
    assert centred["error_x"]["array"] == pytest.approx([one.interval[1] - one.mean for one in found.centred])
    assert "int8 − fp32: −" in alt_of(conditions, "Points with 95% intervals")


def test_names_and_seeds_can_be_typed(conditions, pair):
    a, b = pair
    drop(conditions, "a", ("A.npy", a))
    files = ((f"{x}@{s}.npy", noisy(b, 0.5, 10 * s + k)) for s in (1, 2, 3) for k, x in enumerate("xy"))
    drop(conditions, "several", *files)
    assert [box.value for box in conditions.app.text_input if "seed" in box.key] == ["1", "1", "2", "2", "3", "3"]
    names = [box for box in conditions.app.text_input if "label" in box.key and box.value == "x"]
    for key in [box.key for box in names]:
        conditions.app.text_input(key=key).set_value("int4").run()
    finish(conditions.press("compare"))
    result = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    assert result.seeds == ("1", "2", "3")
    assert {run.label for run in result.runs} == {"int4", "y"}
    assert result.raw[0].design == "crossed"
    assert "The mean of their absolute values" in conditions.text


def own_pairs(pair):
    """Two conditions under three seeds, an A and a B of each."""
    names = [f"{x}@{s}.npy" for s in (1, 2, 3) for x in "xy"]
    sides = ((noisy(side, 0.5, k + start) for k in range(6)) for start, side in zip((10, 20), pair, strict=True))
    return tuple(list(zip(names, side, strict=True)) for side in sides)


def test_every_condition_and_seed_may_have_an_a_of_its_own(conditions, pair):
    given_a, given_b = own_pairs(pair)
    conditions.app.radio(key="conditions_way").set_value("pairs").run()
    drop(conditions, "every_a", *given_a[::-1])
    drop(conditions, "several", *given_b)
    finish(conditions.press("compare"))
    found = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    runs = [
        Run(label=name[0], seed=name[2], a=inspected(a, name), b=inspected(b, name))
        for (name, a), (_, b) in zip(given_a, given_b, strict=True)
    ]
    wanted = compare(runs)
    assert found.raw[0].by_seed == wanted.raw[0].by_seed
    assert [run.audit.a.sha256 for run in found.runs] == [run.audit.a.sha256 for run in wanted.runs]
    assert found.raw[0].design == "crossed"


def test_an_a_without_its_b_is_named_and_mended_by_typing(conditions, pair):
    given_a, given_b = own_pairs(pair)
    conditions.app.radio(key="conditions_way").set_value("pairs").run()
    assert "Drop the A and the B of at least two conditions or seeds." in conditions.text
    drop(conditions, "every_a", *given_a[:3], ("z@2.npy", given_a[3][1]))
    drop(conditions, "several", *given_b[:4])
    assert "z (seed 2) has no B: give its A and its B the same condition and seed." in conditions.text
    assert conditions.app.button(key="compare").disabled
    (typed,) = [box for box in conditions.app.text_input if box.value == "z"]
    typed.set_value("x").run()
    assert "Two A are called x (seed 2): give each a condition and seed of its own." in conditions.text
    conditions.app.text_input(key=typed.key).set_value("y").run()
    assert not conditions.app.button(key="compare").disabled


def test_unequal_seeds_are_one_sentence(conditions, pair):
    a, b = pair
    drop(conditions, "a", ("A.npy", a))
    drop(conditions, "several", ("x@1.npy", b), ("x@2.npy", noisy(b, 0.1, 1)), ("y@1.npy", noisy(b, 0.1, 2)))
    finish(conditions.press("compare"))
    (error,) = conditions.errors
    assert error == (
        "Condition y lacks seed 2, unlike x; seeds are compared one by one. Give every condition the same seeds."
    )


def test_other_items_in_one_condition_are_one_sentence_that_names_it(conditions, pair):
    three(conditions, pair)
    drop(conditions, "several", ("short.npy", pair[1][:-2]))
    finish(conditions.press("compare"))
    (error,) = conditions.errors
    assert error.startswith("Condition short: short.npy has 38 rows and A.npy has 40")


def warnings(page):
    return [str(one.value).replace("\\", "").replace("`", "").replace("\u2060", "") for one in page.app.warning]


def test_files_that_cannot_be_compared_are_named_before_the_click(conditions, pair):
    a, b = pair
    drop(conditions, "a", ("A.npy", a))
    drop(conditions, "several", ("fp32.npy", b), ("int8.npy", b[:-2]))
    (said,) = warnings(conditions)
    assert said.startswith("Condition int8: int8.npy has 38 rows and A.npy has 40")
    conditions.press("compare")
    assert conditions.errors == [said]
    assert not warnings(conditions)


def test_stacks_of_unequal_depth_are_named_before_the_click(conditions, pair):
    conditions.app.radio(key="conditions_way").set_value("layers").run()
    drop(conditions, "stack_a", ("A.npy", np.stack([pair[0]] * 3)))
    drop(conditions, "stack_b", ("B.npy", np.stack([pair[1]] * 2)))
    assert warnings(conditions)[0].startswith("A.npy has 3 layers and B.npy has 2 layers")


def test_files_that_can_be_compared_are_not_warned_of(conditions, pair):
    assert not warnings(three(conditions, pair))


def test_two_files_of_one_name_are_told_apart_by_typing(conditions, pair):
    a, b = pair
    drop(drop(conditions, "a", ("A.npy", a)), "several", ("x.npy", b), ("x.npy", noisy(b, 0.5, 1)))
    finish(conditions.press("compare"))
    assert conditions.errors[0].startswith("Condition x is given twice")
    key = [box.key for box in conditions.app.text_input if "label" in box.key][1]
    conditions.app.text_input(key=key).set_value("y").run()
    finish(conditions.press("compare"))
    assert not conditions.errors
    assert "y minus x" in conditions.text


def test_a_refused_file_leaves_the_others_and_says_which(conditions, pair):
    a, b = pair
    drop(drop(conditions, "a", ("A.npy", a)), "several", ("good.npy", b), ("bad.npy", b"\x93NUMPY"), ("fine.npy", b))
    (error,) = conditions.errors
    assert error.startswith("bad.npy")
    assert [box.value for box in conditions.app.text_input if "label" in box.key] == ["good", "fine"]
    drop(conditions, "several", ("more.npy", b))
    assert not conditions.errors


def test_a_file_that_needs_a_choice_asks_and_then_counts(conditions, pair, npy):
    a, b = pair
    drop(drop(conditions, "a", ("A.npy", a)), "several", ("x.npy", b), ("stack.npy", np.stack([b, noisy(b, 0.4, 1)])))
    assert "Say how to read the file in question first." in conditions.text
    (choice,) = [box for box in conditions.app.selectbox if box.key.startswith("choice_conditions")]
    choice.set_value("1").run()
    finish(conditions.press("compare"))
    result = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    assert result.runs[1].audit.b.choices == {"layer": 1}


def test_layers_are_compared_and_drawn(conditions, pair):
    a, b = pair
    conditions.app.radio(key="conditions_way").set_value("layers").run()
    assert "Drop a stack on A and one on B first." in conditions.text
    drop(conditions, "stack_a", ("SA.npy", np.stack([a, a + 1, a - 1])))
    drop(conditions, "stack_b", ("SB.npy", np.stack([b, b + 1, b - 1])))
    finish(conditions.press("compare"))
    result = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    lines = spec_of(conditions, "Lines over 3 layers")["data"]
    drawn = {(line["name"], line.get("yaxis")): line["y"] for line in lines}
    assert drawn["floor", "y"] == pytest.approx([run.audit.raw.exact.floor_mean for run in result.runs])
    assert drawn["gap", "y2"] == pytest.approx([run.gaps.centred.gap for run in result.runs])
    assert "anisotropy of B" in alt_of(conditions, "Lines over 3 layers")
    assert "layer 1 minus layer 0" in conditions.text


def test_what_is_no_stack_is_one_sentence(conditions, pair):
    conditions.app.radio(key="conditions_way").set_value("layers").run()
    drop(conditions, "stack_a", ("flat.npy", pair[0]))
    (error,) = conditions.errors
    assert "a stack of layers has three axes" in error


def test_a_result_of_earlier_inputs_says_so(conditions, pair):
    finish(three(conditions, pair).press("compare"))
    assert "From earlier inputs" not in conditions.text
    conditions.app.number_input(key="conditions_margin").set_value(0.5).run()
    assert "From earlier inputs" in conditions.text
    assert "Compare again" in conditions.labels()
    finish(conditions.press("compare"))
    assert "From earlier inputs" not in conditions.text
    assert "smaller than 0.5" in conditions.text
    conditions.press(next(b.key for b in conditions.app.button if b.key.startswith("remove_conditions_2")))
    assert "From earlier inputs" in conditions.text


def test_the_baseline_can_be_chosen(conditions, pair):
    three(conditions, pair)
    (box,) = [box for box in conditions.app.selectbox if box.label == "Compare with"]
    assert box.options == ["fp32", "bf16", "int8", "every two conditions"]
    box.set_value("int8").run()
    finish(conditions.press("compare"))
    assert "fp32 minus int8" in conditions.text
    (box,) = [box for box in conditions.app.selectbox if box.label == "Compare with"]
    box.set_value("every two conditions").run()
    finish(conditions.press("compare"))
    assert len(conditions.app.session_state["cosine_floor_conditions"].result.comparison.raw) == 3


def test_the_first_condition_is_kept_as_the_baseline_where_it_is_chosen(conditions, pair):
    """By default the baseline is the first that has a centred reading; a choice says more."""
    three(conditions, pair)
    for name in ("int8", "fp32"):
        (box,) = [box for box in conditions.app.selectbox if box.label == "Compare with"]
        box.set_value(name).run()
    assert conditions.app.session_state["cosine_floor_conditions"].settings.baseline == "fp32"


def test_what_the_page_holds_outlives_a_visit_elsewhere(conditions, pair):
    finish(three(conditions, pair).press("compare"))
    conditions.open("method.py").open("conditions.py")
    assert "bf16 minus fp32" in conditions.text
    assert [box.value for box in conditions.app.text_input if "label" in box.key] == ["fp32", "bf16", "int8"]


@pytest.mark.parametrize(
    ("example", "says"), [("example_precisions", "int8_per_tensor minus bf16"), ("example_layers", "with layer 0")]
)
def test_the_examples_load_and_compare(conditions, example, says):
    finish(conditions.press(example))
    assert says in conditions.text
    assert conditions.app.radio(key="conditions_way").value == ("layers" if example == "example_layers" else "one_a")


def test_a_hostile_name_stays_text(conditions, pair):
    a, b = pair
    drop(drop(conditions, "a", ("A.npy", a)), "several", ("![x](y).npy", b), ("<b>.npy", noisy(b, 0.5, 1)))
    finish(conditions.press("compare"))
    assert not any("![x](y)" in str(element.value) for element in conditions.app.markdown)
    labels = spec_of(conditions, "Points with 95% intervals")["layout"]["yaxis"]["ticktext"]
    assert "<b>" not in labels[0]


def test_files_dropped_on_two_boxes_at_once_all_arrive(conditions, pair):
    a, b = pair
    put(conditions, "a", ("A.npy", a))
    put(conditions, "several", ("x.npy", b), ("y.npy", noisy(b, 0.5, 1)))
    conditions.app.run()
    held = conditions.app.session_state["cosine_floor_conditions"]
    assert not conditions.app.exception
    assert [one.name for one in held.files] == ["A.npy", "x.npy", "y.npy"]


def test_stacks_dropped_on_two_boxes_at_once_both_arrive(conditions, pair):
    conditions.app.radio(key="conditions_way").set_value("layers").run()
    for place, side in (("stack_a", pair[0]), ("stack_b", pair[1])):
        put(conditions, place, (f"{place}.npy", np.stack([side, 2 * side])))
    conditions.app.run()
    held = conditions.app.session_state["cosine_floor_conditions"]
    assert not conditions.app.exception
    assert [one.name for one in held.files] == ["stack_a.npy", "stack_b.npy"]


def test_a_file_leaves_the_boxes_of_other_places_as_they_are(conditions, pair):
    """A second file may be on its way to one of them."""
    before = {box.key for box in conditions.app.file_uploader if "several" in box.key}
    drop(conditions, "a", ("A.npy", pair[0]))
    assert before == {box.key for box in conditions.app.file_uploader if "several" in box.key}


def test_of_two_files_dropped_at_once_a_refused_one_is_still_said(conditions, pair):
    put(conditions, "a", ("A.npy", b"no array"))
    put(conditions, "several", ("x.npy", pair[1]), ("y.npy", noisy(pair[1], 0.5, 1)))
    conditions.app.run()
    assert any("A.npy" in error for error in conditions.errors)
    drop(conditions, "a", ("A.npy", pair[0]))
    assert not conditions.errors


def test_a_running_comparison_can_be_cancelled(conditions, pair, monkeypatch):
    def endless(*_, progress, **__):
        while True:
            progress(1, 2, "bf16 (2 of 3): Scoring")
            time.sleep(0.01)

    monkeypatch.setattr("app.conditions.compare", endless)
    three(conditions, pair).press("compare")
    job = conditions.app.session_state["cosine_floor_conditions"].pending.job
    assert conditions.app.button(key="compare").disabled
    conditions.press("cancel")
    assert job.wait(5)
    assert job.phase.value == "cancelled"
    assert not conditions.app.button(key="compare").disabled


def test_files_of_the_data_folder_are_opened_in_place(page, pair, npy, tmp_path, monkeypatch):
    for name, array in (("A", pair[0]), ("x", pair[1]), ("y", noisy(pair[1], 0.5, 1))):
        (tmp_path / f"{name}.npy").write_bytes(npy(array))
    monkeypatch.setenv("COSINE_FLOOR_DATA_DIR", str(tmp_path))
    page.open("conditions.py")
    for place, name in (("a", "A.npy"), ("several", "x.npy"), ("several", "y.npy")):
        (box,) = [box for box in page.app.selectbox if box.key.startswith(f"local_drop_conditions_{place}_")]
        box.set_value(name).run()
    finish(page.press("compare"))
    assert "y minus x" in page.text


def test_a_long_comparison_says_how_long_before_it_starts(conditions, pair, monkeypatch):
    monkeypatch.setattr("app.widgets.conditions_settings.expected_seconds", lambda *_, **__: 20.0)
    three(conditions, pair)
    assert "About 60 s for 3 audits on this machine." in conditions.text


def test_settings_reach_every_run_and_stand_in_the_title_of_the_fold(conditions, pair):
    three(conditions, pair)
    conditions.app.number_input(key="conditions_seed").set_value(5).run()
    conditions.app.number_input(key="conditions_n_derangements").set_value(3).run()
    conditions.app.number_input(key="conditions_candidates").set_value(9).run()
    conditions.app.checkbox(key="conditions_shared_mean").check().run()
    assert conditions.app.expander[0].label == "Settings: one mean, 3 derangements, seed 5, 9 candidates"
    finish(conditions.press("compare"))
    result = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    for run in result.runs:
        said = run.audit.settings
        assert (said.seed, said.n_derangements, said.candidates, said.shared_mean) == (5, 3, 9, True)


def test_bad_rows_can_be_left_out_of_every_condition(conditions, pair):
    a, b = pair
    bad, worse = b.copy(), noisy(b, 0.5, 1)
    bad[3], worse[[3, 8]] = np.nan, 0
    drop(conditions, "a", ("A.npy", a))
    drop(conditions, "several", ("fp32.npy", bad), ("int8.npy", worse))
    (said,) = warnings(conditions)
    assert "1 of 40 rows of fp32.npy" in said
    box = conditions.app.checkbox(key="conditions_drop_bad_rows")
    assert box.label == "Leave out the 2 pairs with NaN, infinite or zero rows, on both sides"
    assert not box.value
    box.check().run()
    assert not warnings(conditions)
    finish(conditions.press("compare"))
    found = conditions.app.session_state["cosine_floor_conditions"].result.comparison
    assert (found.n, found.runs[0].audit.dropped_rows) == (38, 2)
    assert "2 pairs with NaN, infinite or zero rows in any condition were left out" in conditions.text


def test_the_box_for_bad_rows_speaks_of_the_files_in_use(conditions, pair):
    a, b = pair
    bad = b.copy()
    bad[3] = np.nan
    drop(conditions, "a", ("A.npy", a))
    assert not [box for box in conditions.app.checkbox if box.key == "conditions_drop_bad_rows"]
    drop(conditions, "several", ("fp32.npy", b), ("int8.npy", bad))
    conditions.app.checkbox(key="conditions_drop_bad_rows").check().run()
    drop(conditions, "several", ("int4.npy", -bad))
    assert not conditions.app.checkbox(key="conditions_drop_bad_rows").value


def test_a_margin_changed_after_a_result_is_declared_after_a_look():
    from app import state

    kept = state.declared_after_look
    files = ("conditions", frozenset({"planted sha"}))
    assert [kept(files, margin) for margin in (None, 0.1, None, 0.2)] == [False, True, False, True]
    other = ("conditions", frozenset({"other planted sha"}))
    assert [kept(other, margin) for margin in (0.1, 0.1, 0.2)] == [False, False, True]
