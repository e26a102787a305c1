import json

import numpy as np
import pytest

from core import limits
from core.report import document
from core.report.numbers import fixed


def spec(page, key):
    """The figure with this key, as plotly gets it."""
    chart = next(chart for chart in page.app.get("plotly_chart") if chart.proto.id.endswith(f"-{key}"))
    return json.loads(chart.proto.spec)


def test_the_first_screen_explains_itself_and_draws_no_result(page):
    assert page.app.title[0].value == "Cosine Floor"
    assert "What you get" in page.text
    assert page.text.count("row i of A belongs with row i of B") >= 1
    assert not page.app.get("plotly_chart")
    assert page.app.button(key="run").disabled


def test_the_limit_and_the_loss_on_reload_stand_beside_the_boxes(page):
    assert f"{limits.MAX_UPLOAD_MB:,} MB" in page.text
    assert "Reloading the page forgets everything" in page.text


def test_the_box_allows_what_the_server_allows(page):
    """A larger box would end in a bare 413 of the server."""
    boxes = list(page.app.file_uploader)
    assert len(boxes) == 5
    assert {box.proto.max_upload_size_mb for box in boxes} == {limits.MAX_UPLOAD_MB}


def test_one_file_alone_cannot_be_run(page, pair):
    page.drop("a", pair[0])
    assert page.app.button(key="run").disabled
    page.drop("b", pair[1])
    assert not page.app.button(key="run").disabled


def test_the_reading_comes_first_and_word_for_word(page, audit_result):
    page.drop_pair().press("run")
    words = document(audit_result)
    assert words.reading in page.text
    for notice in (*words.note, *words.notices):
        assert notice in page.text


def test_the_gauges_show_the_anisotropy_of_each_side(page, audit_result):
    page.drop_pair().press("run")
    assert spec(page, "gauge_a")["data"][0]["value"] == pytest.approx(audit_result.anisotropy_a)
    assert spec(page, "gauge_b")["data"][0]["value"] == pytest.approx(audit_result.anisotropy_b)


def test_every_figure_has_words_for_screen_readers(page):
    page.drop_pair().press("run")
    charts = page.app.get("plotly_chart")
    assert len(charts) == 4
    assert all(len(chart.proto.alt) > 20 for chart in charts)


def test_different_row_counts_are_refused_beside_the_button(page, pair):
    page.drop("a", pair[0]).drop("b", pair[1][:-1]).press("run")
    assert "39 rows" in page.errors[0]
    assert "40" in page.errors[0]


def test_files_that_do_not_pair_are_named_before_the_click(page, pair):
    page.drop("a", pair[0]).drop("b", pair[1][:-1])
    (warning,) = [str(one.value) for one in page.app.warning]
    assert "39 rows" in warning
    assert "40" in warning
    page.press("run")
    assert not page.app.warning


@pytest.mark.parametrize("change", ["file", "setting", "fit"])
def test_a_result_from_other_inputs_is_marked_as_such(page, pair, change):
    page.drop_pair().press("run")
    assert "From earlier inputs" not in page.text
    assert page.app.button(key="run").disabled
    if change == "file":
        page.press("replace_b").drop("b", pair[1] * 2)
    elif change == "fit":
        page.drop("fit_a", pair[0])
    else:
        page.app.number_input(key="seed").set_value(7).run()
    assert "From earlier inputs" in page.text
    assert page.app.button(key="run").label == "Run again"
    page.press("run")
    assert "From earlier inputs" not in page.text


def test_a_setting_put_back_makes_the_result_current_again(page):
    page.drop_pair().press("run")
    page.app.number_input(key="seed").set_value(7).run()
    page.app.number_input(key="seed").set_value(0).run()
    assert "From earlier inputs" not in page.text


def test_files_and_result_survive_a_change_of_page(page):
    page.drop_pair().press("run")
    before = page.text
    page.open("method.py").open("audit.py")
    assert page.text == before


def test_an_undefined_centred_reading_leaves_the_raw_one_standing(page):
    """A row equal to the fitted mean has no direction left after centring."""
    rng = np.random.default_rng(2)
    a, b = np.eye(4)[[0, 1, 2, 3]], rng.standard_normal((4, 4))
    page.drop("a", a).drop("b", b).drop("fit_a", np.eye(4)[[0, 0]]).press("run")
    result = page.app.session_state["cosine_floor_result"].audit
    assert result.centred is None
    assert result.centred_undefined in page.text
    assert "undefined" in page.text
    assert f"After centring: **{fixed(None)}**" in "\n".join(str(m.value) for m in page.app.markdown)
    assert len(page.app.get("plotly_chart")) == 4


def test_identical_files_are_audited_and_said_to_be_identical(page, pair):
    page.drop("a", pair[0]).drop("b", pair[0]).press("run")
    assert "same file, byte for byte" in page.text


def test_the_example_opens_with_one_click(page):
    page.press("example")
    assert "0.8176" in page.text
    assert "0.8989" in page.text

def test_a_margin_changed_after_a_result_is_declared_after_a_look(page):
    page.drop_pair().press("run")
    declared = page.app.session_state["cosine_floor_result"].audit
    assert not declared.margin_after_look
    page.app.number_input(key="margin").set_value(0.05).run()
    page.press("run")
    assert page.app.session_state["cosine_floor_result"].audit.margin_after_look
    assert "declared after a first look" in page.text


def test_a_margin_declared_before_the_first_run_stays_so(page):
    page.drop_pair()
    page.app.number_input(key="margin").set_value(0.05).run()
    page.press("run")
    assert not page.app.session_state["cosine_floor_result"].audit.margin_after_look
    page.app.number_input(key="seed").set_value(7).run()
    page.press("run")
    assert not page.app.session_state["cosine_floor_result"].audit.margin_after_look
    assert "declared with the run" in page.text
