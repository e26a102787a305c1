"""What stands beside the run button: how long it will take, and what to do about it."""

import pytest

from app.widgets import run_bar


@pytest.fixture
def expecting(monkeypatch):
    """`expecting(all_rows, pool)`: seconds the audit is said to take."""

    def expect(all_rows, pool=1.0):
        monkeypatch.setattr(
            run_bar, "expected_seconds", lambda *_, n_candidates, **__: all_rows if n_candidates is None else pool
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
