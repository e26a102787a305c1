"""The table of pairs on the page, against the whole score matrix."""

import base64
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from app import conditions
from app.pair_listing import Bar, Listing
from app.widgets import claim, pair_list
from tests.app.conftest import npy_bytes

SAMPLE_DATA = Path(__file__).parents[3] / "sample_data"

HOSTILE = "![x](http://evil.example) :red[r] $x$ <b>=1+1</b> \u202e"


def raw_scores(pair):
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in pair)
    return a @ b.T


def audited(page, pair):
    page.drop("a", pair[0]).drop("b", pair[1]).press("run")
    return page


def shown(page):
    """The table of pairs as data: its columns by heading."""
    tables = [table.value for table in page.app.table]
    return next(table for table in tables if any("best other row" in str(column) for column in table.columns))


def rows(page):
    table = shown(page)
    return [int(label) for label in table["row"]]


def test_the_worst_pairs_come_first_and_a_page_holds_no_more_than_it_says(page, pair):
    audited(page, pair)
    scores = raw_scores(pair)
    others = np.where(np.eye(40, dtype=bool), -2, scores).max(axis=1)
    margins = np.diag(scores) - others
    assert rows(page) == np.argsort(margins, kind="stable")[:10].tolist()
    assert shown(page)["margin"].tolist() == pytest.approx(np.sort(margins)[:10], abs=1e-4)
    page.app.selectbox(key="rows_order").set_value("own_cosine").run()
    assert rows(page) == np.argsort(np.diag(scores), kind="stable")[:10].tolist()


def test_pages_turn_and_end(page, pair):
    audited(page, pair)
    page.app.selectbox(key="rows_order").set_value("row").run()
    assert page.app.button(key="rows_previous").disabled
    for first in (10, 20, 30):
        page.press("rows_next")
        assert rows(page) == list(range(first, first + 10))
    assert page.app.button(key="rows_next").disabled
    assert "31 to 40 of 40" in page.text
    page.app.selectbox(key="rows_size").set_value(50).run()
    assert rows(page) == list(range(40))


def test_the_centred_pairs_are_another_list(page, pair):
    audited(page, pair)
    raw = shown(page)
    page.app.button_group(key="rows_reading").set_value("centred").run()
    assert not shown(page).equals(raw)


def click(page, curve, bar):
    """What Streamlit tells the page when a bar is clicked, and taken back for `None`."""
    points = [] if bar is None else [{"curve_number": curve, "point_index": bar}]
    return {"selection": {"points": points, "point_indices": [], "box": [], "lasso": []}}


@pytest.mark.parametrize(("curve", "reading"), [(1, "raw"), (3, "centred")])
def test_a_clicked_bar_lists_exactly_the_pairs_it_counts(page, pair, monkeypatch, curve, reading):
    audited(page, pair)
    audit = page.app.session_state["cosine_floor_result"].audit
    chart = next(chart for chart in page.app.get("plotly_chart") if chart.proto.id.endswith("-histograms"))
    bars = shares(json.loads(chart.proto.spec)["data"][curve]["y"])
    listed = []
    for bar in range(len(bars)):
        state = _Remembered(audit)
        monkeypatch.setattr(pair_list, "state", state)
        state.clicked = click(page, curve, bar)
        pair_list.choose_bar()
        chosen = state.changes["bar"]
        assert chosen.reading == reading
        own = getattr(audit.rows, reading).own
        found = pair_list.pairs_between(own, chosen.low, chosen.high)
        assert len(found) == pytest.approx(40 * bars[bar])
        listed += found.tolist()
    assert sorted(listed) == list(range(40))


@pytest.mark.parametrize("curve", [0, 2])
def test_a_bar_of_unrelated_pairs_lists_nothing_and_the_page_says_so(page, pair, monkeypatch, curve):
    audited(page, pair)
    assert "Click a blue bar for its matched pairs." in page.text
    state = _Remembered(page.app.session_state["cosine_floor_result"].audit)
    with monkeypatch.context() as patch:
        patch.setattr(pair_list, "state", state)
        state.clicked = click(page, curve, 10)
        pair_list.choose_bar()
    assert state.changes == {"bar": None, "unrelated": True, "page": 0}
    page.app.session_state["cosine_floor_listing"] = Listing(**state.changes)
    page.app.run()
    assert "That bar holds unrelated pairs, which are not listed." in page.text


def test_the_pairs_of_a_bar_are_said_below_the_chart_and_its_mark_goes_with_the_list(page, pair):
    audited(page, pair)
    key = page.app.session_state["cosine_floor_result"].key
    page.app.session_state["cosine_floor_listing"] = Listing(bar=Bar(result=key, reading="raw", low=-1, high=1.01))
    page.app.run()
    assert page.text.count("40 matched pairs with a raw cosine from") == 2, "below the chart, and above the list"
    page.press("rows_all")
    assert "matched pairs with a raw cosine from" not in page.text
    charts = [chart.proto.id for chart in page.app.get("plotly_chart") if "-histograms" in chart.proto.id]
    assert [one.rsplit("-", 1)[1] for one in charts] == ["histograms_1"], "a new chart, with no bar marked"


def shares(values):
    """Shares of a trace, which plotly may send as base64."""
    if isinstance(values, dict):
        values = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return list(values)


class _Remembered:
    """In place of the page's state: what was clicked, and what changed."""

    def __init__(self, audit):
        self.audit, self.key, self.changes, self.clicked = audit, "key", {}, None

    def result(self):
        return self

    def answer(self, key):
        return self.clicked

    def set_answer(self, key, value):
        pass

    def set_listing(self, **changes):
        self.changes = changes


def test_a_bar_of_another_result_lists_nothing(page, pair):
    audited(page, pair)
    key = page.app.session_state["cosine_floor_result"].key
    own = np.diag(raw_scores(pair))
    low = float(np.floor(own.max() * 10) / 10)
    page.app.session_state["cosine_floor_listing"] = Listing(
        bar=Bar(result=key, reading="raw", low=low, high=1.0), order="row"
    )
    page.app.run()
    assert rows(page) == np.flatnonzero(own >= low)[:10].tolist()
    assert "matched pair" in page.text
    page.app.session_state["cosine_floor_listing"] = Listing(
        bar=Bar(result="another", reading="raw", low=low, high=1.0), order="row"
    )
    page.app.run()
    assert rows(page) == list(range(10))
    page.app.session_state["cosine_floor_listing"] = Listing(bar=Bar(result=key, reading="raw", low=low, high=1.0))
    page.app.run()
    page.press("rows_all")
    assert "1 to 10 of 40" in page.text


def labelled(page, side, texts, ending="txt"):
    data = ("\n".join(texts) if ending != "json" else json.dumps(texts)).encode()
    box = next(box for box in page.app.file_uploader if box.key.startswith(f"drop_labels_{side}_"))
    box.upload(f"texts.{ending}", data).run()
    return page


@pytest.mark.parametrize("ending", ["txt", "csv", "json"])
def test_texts_stand_beside_their_rows(page, pair, ending):
    audited(page, pair)
    labelled(page, "a", [f"question {row}" for row in range(40)], ending)
    labelled(page, "b", [f"answer {row}" for row in range(40)], ending)
    table = shown(page)
    winner = next(column for column in table.columns if str(column).endswith("row of B"))
    for _, line in table.iterrows():
        assert line["text of A"] == f"question {int(line['row'])}"
        assert line["text of its partner"] == f"answer {int(line['row'])}"
        assert line["text of the best other row"] == f"answer {int(line[winner])}"
    page.press("remove_labels_b")
    assert "text of its partner" not in shown(page).columns


def test_a_hostile_text_is_shown_letter_by_letter(page, pair):
    labelled(audited(page, pair), "a", [HOSTILE] * 40)
    styled = next(table for table in page.app.table if "text of A" in table.value.columns)
    frame = pd.DataFrame(styled.value)
    assert set(frame["text of A"]) == {HOSTILE.replace("\u202e", r"\u202e")}
    display = bytes(styled.proto.arrow_data.styler.display_values)
    assert rb"\!\[x\]" in display
    assert b"![x](" not in display


def test_too_few_texts_are_refused_with_both_counts(page, pair):
    labelled(audited(page, pair), "a", ["only one"])
    assert any("1 text for 40 rows" in error for error in page.errors)
    assert len(rows(page)) == 10


def test_a_wrong_number_of_texts_is_refused_at_its_box_and_those_in_use_stay(page, pair):
    audited(page, pair)
    labelled(page, "a", ["only one"])
    fold = next(fold for fold in page.app.expander if fold.label == "Texts beside the rows")
    assert any("1 text for 40 rows" in str(error.value) for error in fold.error)
    assert len(page.errors) == 1
    labelled(page, "a", [f"question {row}" for row in range(40)])
    assert page.errors == []
    assert "40 texts; row 0 is “question 0”." in page.text


def test_texts_of_a_replaced_file_are_put_away_and_the_page_says_so(page, pair):
    audited(page, pair)
    labelled(page, "a", [f"question {row}" for row in range(40)])
    labelled(page, "b", [f"answer {row}" for row in range(40)])
    page.press("replace_b").drop("b", pair[1][::-1].copy()).press("run")
    assert "text of A" in shown(page).columns
    assert "text of its partner" not in shown(page).columns
    assert "The texts given before were for another file on side B" in page.text


def test_the_example_offers_its_own_texts(page):
    page.press("example").press("example_texts")
    for heading, name in (("text of A", "texts_a.txt"), ("text of its partner", "texts_b.txt")):
        lines = (SAMPLE_DATA / name).read_text(encoding="utf-8").splitlines()
        for row, text in zip(rows(page), shown(page)[heading], strict=True):
            assert text[:40].replace("\u2060", "") == lines[row][:40]
    assert "example_texts" not in [button.key for button in page.app.button]


def test_other_files_are_not_offered_them(page, pair):
    audited(page, pair)
    assert "example_texts" not in [button.key for button in page.app.button]


def test_what_is_no_text_is_refused_and_the_texts_in_use_stay(page, pair):
    audited(page, pair)
    labelled(page, "a", [f"question {row}" for row in range(40)])
    box = next(box for box in page.app.file_uploader if box.key.startswith("drop_labels_b_"))
    box.upload("texts.txt", npy_bytes(np.ones(3))).run()
    assert any("is not text" in error for error in page.errors)
    assert "text of A" in shown(page).columns


def test_left_out_rows_keep_the_numbers_of_the_files(page, pair):
    a, b = (side.copy() for side in pair)
    a[:2] = np.nan
    page.drop("a", a).drop("b", b)
    page.app.checkbox(key="drop_bad_rows").check().run()
    page.press("run")
    page.app.selectbox(key="rows_order").set_value("row").run()
    assert rows(page) == list(range(2, 12))


def test_texts_dropped_on_both_boxes_at_once_both_arrive(page, pair):
    audited(page, pair)
    for side in "ab":
        box = next(box for box in page.app.file_uploader if box.key.startswith(f"drop_labels_{side}_"))
        box.upload(f"{side}.txt", "\n".join(f"{side}{row}" for row in range(40)).encode())
    page.app.run()
    assert not page.app.exception
    held = page.app.session_state["cosine_floor_listing"]
    assert [held.labels_a.name, held.labels_b.name] == ["a.txt", "b.txt"]


def test_a_box_that_a_failed_run_had_not_drawn_changes_nothing(page, pair, monkeypatch):
    """Streamlit calls the box changed then, and its value `None`: centred cosines stood there under no name."""
    audited(page, pair)
    asked = []
    for module in (pair_list, claim, conditions):
        monkeypatch.setattr(module.state, "answer", lambda key: asked.append(key))
        monkeypatch.setattr(module.state, "set_listing", None)
        monkeypatch.setattr(module.state, "set_claim", None)
        monkeypatch.setattr(module.state, "set_conditions", None)
    pair_list._keep("reading")
    claim._keep("reading")
    conditions.set_way("conditions_way")
    assert asked == ["rows_reading", "claim_reading", "conditions_way"]


@pytest.mark.parametrize("reading", ["raw", "centred"])
def test_a_bar_can_be_chosen_by_its_cosines_as_by_a_click(page, pair, reading):
    audited(page, pair)
    page.app.segmented_control(key="rows_reading").set_value(reading).run()
    box = page.app.selectbox(key="rows_bar")
    low, high = (float(part.replace("−", "-")) for part in box.options[0].split(" to below "))
    if reading == "raw":
        own = np.diag(raw_scores(pair))
    else:
        units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in pair]
        a, b = (side - side.mean(axis=0) for side in units)
        own = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    box.select_index(0).run()
    assert sorted(rows(page)) == np.flatnonzero((own >= low) & (own < high)).tolist()
    page.press("rows_all")
    assert len(rows(page)) == 10
