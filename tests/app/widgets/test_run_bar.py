"""What stands beside the run button: how long it will take, and what to do about it."""

import json

import numpy as np
import pytest

from app.widgets import run_bar
from tests.app.conftest import npy_bytes


@pytest.fixture
def expecting(monkeypatch):
    """`expecting(all_rows, pool)`: seconds the audit is said to take."""

    def expect(all_rows, pool=1.0):
        monkeypatch.setattr(
            run_bar,
            "expected_audit_seconds",
            lambda a, b, settings, **_: all_rows if settings.candidates is None else pool,
        )
        monkeypatch.setattr(run_bar, "OFFERED_CANDIDATES", 20)

    return expect


def radios(page):
    return [radio.key for radio in page.app.radio]


def test_the_expected_time_stands_beside_the_button(page, expecting):
    expecting(25)
    page.drop_pair()
    assert "About 25 s on this machine." in page.text
    assert radios(page) == []


def test_a_short_time_is_not_worth_a_word(page, expecting):
    expecting(0.5)
    assert "on this machine." not in page.drop_pair().text


def test_a_long_wait_can_be_traded_for_a_pool_of_candidates(page, expecting):
    expecting(300, 12)
    page.drop_pair()
    assert "About 5 min on this machine." in page.text
    (choice,) = page.app.radio
    assert choice.options == [
        "Rank among all 40 rows: about 5 min",
        "Rank among 20 candidates, one seeded pool: about 12 s",
    ]
    choice.set_value(20).run()
    assert page.app.session_state["cosine_floor_settings"].candidates == 20
    assert page.app.number_input(key="candidates").value == 20
    assert "About 12 s on this machine." in page.text
    page.press("run")
    assert page.app.session_state["cosine_floor_result"].audit.has_pool


def test_the_choice_can_be_taken_back(page, expecting):
    expecting(300, 12)
    page.drop_pair()
    page.app.radio[0].set_value(20).run()
    page.app.radio[0].set_value(None).run()
    assert page.app.session_state["cosine_floor_settings"].candidates is None
    assert page.app.number_input(key="candidates").value is None


def test_few_rows_have_no_pool_to_choose(page, expecting, monkeypatch):
    expecting(300)
    monkeypatch.setattr(run_bar, "OFFERED_CANDIDATES", 40)
    assert radios(page.drop_pair()) == []


@pytest.mark.parametrize(("pool", "offered"), [(150, True), (151, False), (500, False)])
def test_a_pool_is_offered_only_where_it_takes_at_most_half_as_long(page, expecting, pool, offered):
    expecting(300, pool)
    assert bool(radios(page.drop_pair())) is offered


@pytest.mark.parametrize("candidates", [40, 30_000])
def test_a_pool_of_all_rows_or_more_is_no_pool_and_is_not_offered(page, expecting, candidates):
    expecting(300, 12)
    page.drop_pair()
    page.app.number_input(key="candidates").set_value(candidates).run()
    (choice,) = page.app.radio
    assert choice.options[1].startswith("Rank among 20 candidates")
    assert choice.value is None


def test_with_groups_no_pool_is_offered(page, expecting):
    expecting(300, 12)
    page.drop_pair().drop("groups", npy_bytes(np.arange(40) // 2), "ids.npy")
    assert radios(page) == []


def test_groups_with_a_pool_are_refused_in_the_words_of_the_page(page):
    page.drop_pair().drop("groups", npy_bytes(np.arange(40) // 2), "ids.npy")
    page.app.number_input(key="candidates").set_value(10).run()
    (before,) = [str(one.value) for one in page.app.warning]
    page.press("run")
    (after,) = page.errors
    for words in (before, after):
        assert "cannot be combined" in words
        assert "Candidates" in words
        assert "--" not in words
    page.app.number_input(key="candidates").set_value(40).run()
    page.press("run")
    assert not page.errors


@pytest.mark.parametrize(
    ("side", "change", "words"),
    [
        ("b", lambda rows: rows[:-1], ("39 rows", "40")),
        ("b", lambda rows: rows[:, :5], ("5 columns", "6")),
        ("b", lambda rows: rows.T, ("transposed",)),
        ("b", lambda rows: np.repeat(rows, 5, axis=0), ("exactly 5 rows for each row",)),
        ("fit_a", lambda rows: rows[:, :5], ("5 columns", "6")),
        ("fit_b", lambda rows: rows[:, :5], ("5 columns", "6")),
    ],
)
def test_a_file_that_does_not_go_with_the_others_is_named_before_the_click(page, pair, side, change, words):
    given = {"a": pair[0], "b": pair[1]}
    for place, rows in {**given, side: change(given[side[-1]])}.items():
        page.drop(place, rows)
    (warning,) = [str(one.value) for one in page.app.warning]
    assert all(word in warning for word in words)
    assert not page.app.button(key="run").disabled


def test_while_a_file_waits_for_a_word_of_its_owner_the_hint_says_so(page, pair):
    page.drop("a", pair[0])
    assert "Drop a file on A and one on B first." in page.text
    page.drop("b", np.stack([pair[1], pair[1]]))
    assert "Say how to read the file in question first." in page.text
    assert "Drop a file on A" not in [str(one.value) for one in page.app.markdown]
    assert page.app.button(key="run").disabled


def test_files_that_number_their_rows_differently_are_named_before_the_click(page, pair):
    for side, rows, missing in zip("ab", pair, (10, 30), strict=True):
        numbers = np.delete(np.arange(41), missing)
        records = [{"index": int(at), "embedding": row.tolist()} for at, row in zip(numbers, rows, strict=True)]
        page.drop(side, "\n".join(map(json.dumps, records)).encode(), f"{side}.jsonl")
    (warning,) = [str(one.value) for one in page.app.warning]
    assert "number 30 is only in" in warning
    assert "number 10 only in" in warning


@pytest.mark.parametrize("side", ["b", "fit_a"])
def test_files_whose_columns_stand_in_another_order_are_named_before_the_click(page, pair, side):
    names = [f"name {letter}" for letter in "uvwxyz"]
    given = {"a": (pair[0], names), "b": (pair[1], names), side: (pair[1], [*names[:2], *names[:1:-1]])}
    for place, (rows, header) in given.items():
        lines = [",".join(header), *(",".join(map(repr, row)) for row in rows.tolist())]
        page.drop(place, "\n".join(lines).encode(), f"{place}.csv")
    (warning,) = [str(one.value) for one in page.app.warning]
    assert "is column name w in" in warning
