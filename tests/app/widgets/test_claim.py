"""The card that reviews a claim, as a person uses it. Counts against the whole score matrix."""

import threading

import numpy as np
import pytest

from app import run
from core.report.numbers import percent
from tests.app.conftest import npy_bytes

REVIEW = "Review comment, ready to paste"


def scores(pair):
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in pair)
    whole = a @ b.T
    return np.diag(whole), whole[~np.eye(len(whole), dtype=bool)]


def audited(page, pair):
    page.drop("a", pair[0]).drop("b", pair[1]).press("run")
    return page


def typed(page, field, value):
    page.app.text_input(key=f"claim_{field}").set_value(str(value)).run()
    return page


def comment(page):
    return next((str(code.value) for code in page.app.code if str(code.value).startswith("**A ")), "")


def reaching(pair, threshold):
    matched, others = scores(pair)
    return int(np.sum(matched >= threshold)), int(np.sum(others >= threshold))


def test_nothing_is_counted_before_a_number_is_typed(page, pair):
    audited(page, pair)
    assert "Type a number somebody gave" in page.text
    assert not page.app.session_state["cosine_floor_claim"].counts
    assert comment(page) == ""


def test_a_typed_number_is_placed_at_once(page, pair):
    typed(audited(page, pair), "claimed", 0.5)
    matched, others = reaching(pair, 0.5)
    assert f"({others:,} of 1,560)" in page.text
    assert f"({matched} of 40)" in page.text
    assert percent(others / 1560) in page.text
    assert comment(page).startswith("**A cosine of 0.5, said to show that it is high**")
    assert f"({others:,} of 1,560)" in comment(page)


def test_a_cut_off_alone_is_read_for_these_files_only(page, pair):
    typed(audited(page, pair), "cutoff", 0.4)
    matched, others = reaching(pair, 0.4)
    assert "for these files only" in page.text
    assert f"({matched} of 40)" in page.text
    assert f"({others:,} of 1,560)" in page.text
    assert "No cut-off separates these" in page.text
    assert comment(page) == ""


def test_an_emptied_box_clears_what_was_typed_in_it(page, pair):
    typed(audited(page, pair), "claimed", "0.5")
    typed(page, "cutoff", "0.4")
    typed(page, "claimed", "")
    assert comment(page) == ""
    assert "At or above 0.4, for these files only" in page.text
    typed(page, "cutoff", " ")
    assert "for these files only" not in page.text
    assert "Type a number somebody gave" in page.text


def test_a_zero_in_any_spelling_is_answered(page, pair):
    typed(audited(page, pair), "claimed", "0e400")
    assert not page.app.exception
    assert comment(page).startswith("**A cosine of 0e400, said")


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("claimed", "1.2", "Claimed cosine: 1.2 is not a cosine; one lies between -1 and 1. Type a number like 0.91."),
        ("claimed", "91%", "Claimed cosine: 91% is not a cosine; one is a number between -1 and 1."),
    ],
)
def test_what_is_no_cosine_is_said_to_be_none_and_no_earlier_answer_stays(page, pair, field, text, words):
    typed(audited(page, pair), "claimed", "0.5")
    assert comment(page)
    typed(page, field, text)
    assert any(words in error for error in page.errors)
    assert comment(page) == ""
    assert "of 1,560)" not in page.text


@pytest.mark.parametrize(("bad", "good"), [("claimed", "cutoff"), ("cutoff", "claimed")])
def test_of_two_numbers_the_one_that_is_a_cosine_is_answered(page, pair, bad, good):
    typed(audited(page, pair), good, "0.5")
    typed(page, bad, "high")
    assert any("high is not a cosine" in error for error in page.errors)
    assert f"{percent(reaching(pair, 0.5)[1] / 1560)} of the unrelated" in page.text
    assert bool(comment(page)) == (good == "claimed")


def test_a_comma_is_read_and_the_digits_stay_as_typed(page, pair):
    typed(audited(page, pair), "claimed", "0,50")
    assert comment(page).startswith("**A cosine of 0.50, said")
    assert f"({reaching(pair, 0.5)[1]:,} of 1,560)" in comment(page)


def test_what_it_is_said_to_show_and_the_reading_change_the_answer(page, pair):
    typed(audited(page, pair), "claimed", 0.5)
    raw = comment(page)
    page.app.selectbox(key="claim_says").set_value("nothing").run()
    assert "the difference is nothing" in comment(page)
    page.app.button_group(key="claim_reading").set_value("centred").run()
    assert "A centred cosine" in comment(page)
    assert comment(page) != raw
    audit = page.app.session_state["cosine_floor_result"].audit
    assert f"{audit.centred.exact.floor_mean:.4f}" in comment(page)


def test_a_click_elsewhere_counts_nothing_again(page, pair, monkeypatch):
    typed(audited(page, pair), "claimed", 0.5)
    monkeypatch.setattr(run, "count_claim", lambda *_, **__: pytest.fail("counted again"))
    page.app.selectbox(key="rows_order").set_value("rank").run()
    page.open("method.py").open("audit.py")
    assert page.app.text_input(key="claim_claimed").value == "0.5"
    assert comment(page)


def test_an_answer_of_earlier_files_or_settings_is_put_away_until_it_is_run_again(page, pair):
    typed(audited(page, pair), "claimed", 0.5)
    page.app.number_input(key="seed").set_value(3).run()
    assert comment(page) == ""
    assert "of 1,560)" not in page.text
    assert "the answer is put away" in page.text
    page.app.number_input(key="seed").set_value(0).run()
    assert comment(page), "the result shown is the present one again"
    page.app.number_input(key="seed").set_value(3).run()
    typed(page, "claimed", 0.6)
    assert comment(page) == ""
    assert "Run again, and the number is counted" in page.text
    page.press("run")
    assert comment(page).startswith("**A cosine of 0.6")


def test_a_replaced_file_puts_the_answer_away_and_the_next_run_answers_anew(page, pair):
    typed(audited(page, pair), "claimed", 0.5)
    before = comment(page)
    page.press("replace_b").drop("b", pair[1][::-1].copy())
    assert comment(page) == ""
    page.press("run")
    assert comment(page)
    assert comment(page) != before
    assert f"({reaching((pair[0], pair[1][::-1]), 0.5)[1]:,} of 1,560)" in comment(page)


def test_the_example_starts_without_the_claim_about_other_files(page, pair):
    typed(audited(page, pair), "claimed", 0.5)
    typed(page, "cutoff", 0.4)
    page.press("example")
    assert comment(page) == ""
    assert [page.app.text_input(key=f"claim_{field}").value for field in ("claimed", "cutoff")] == ["", ""]
    assert "Type a number somebody gave" in page.text


@pytest.fixture
def large(monkeypatch):
    """Every file is one that is counted only on request."""
    monkeypatch.setattr("app.widgets.claim.COUNT_AT_ONCE_ROWS", 10)


def test_many_pairs_are_counted_on_a_button(page, pair, large):
    typed(audited(page, pair), "claimed", 0.5)
    assert comment(page) == ""
    assert "1,560 unrelated pairs" in page.text
    assert "one by one: about 1 s on this machine." in page.text
    page.press("count_claim")
    assert f"({reaching(pair, 0.5)[1]:,} of 1,560)" in comment(page)
    assert "count_claim" not in [button.key for button in page.app.button]
    typed(page, "claimed", 0.6)
    assert comment(page) == ""
    typed(page, "claimed", 0.5)
    assert comment(page), "counts that were made are kept"
    typed(page, "cutoff", 0.4)
    assert comment(page), "what was counted stays beside the offer to count with the cut-off"
    assert "At or above 0.4" not in page.text
    page.press("count_claim")
    assert "At or above 0.4, for these files only" in page.text


def test_the_count_of_all_pairs_has_its_own_time_and_with_a_pool_says_what_it_counts(page, pair, large, monkeypatch):
    monkeypatch.setattr("app.widgets.claim.expected_count_seconds", lambda n, dim: 600.0 if (n, dim) == (40, 6) else 0)
    page.drop("a", pair[0]).drop("b", pair[1])
    page.app.number_input(key="candidates").set_value(10).run()
    typed(page.press("run"), "claimed", 0.5)
    assert "one by one: about 10 min on this machine. They are those of all rows" in page.text


@pytest.fixture
def waiting(page, pair, large):
    """A page with a result, before a count on request."""
    return audited(page, pair)


@pytest.fixture
def slow_count(waiting, monkeypatch):
    """Replaces the count by one that reports progress until it is let go."""
    go_on = threading.Event()

    def slow(*_, progress, **__):
        for done in range(2_000):
            progress(done, 2_000, "Counting pairs")
            if go_on.wait(0.01):
                break

    monkeypatch.setattr(run, "count_claim", slow)
    monkeypatch.setattr(run, "QUICK_SECONDS", 0.05)
    yield go_on
    go_on.set()


def test_a_running_count_shows_how_far_it_is_and_can_be_stopped(waiting, slow_count):
    page = waiting
    typed(page, "claimed", 0.5).press("count_claim")
    job = page.app.session_state["cosine_floor_job_claim"].job
    assert any("Counting pairs" in str(bar.proto.text) for bar in page.app.get("progress"))
    page.press("cancel_claim")
    assert job.wait(2.0)
    page.app.run()
    assert "count_claim" in [button.key for button in page.app.button]
    assert any("was cancelled" in error for error in page.errors)


def test_another_number_stops_the_running_count(waiting, slow_count):
    page = waiting
    typed(page, "claimed", 0.5).press("count_claim")
    job = page.app.session_state["cosine_floor_job_claim"].job
    typed(page, "claimed", 0.6)
    assert job.wait(2.0)
    assert page.app.session_state["cosine_floor_job_claim"] is None
    assert any("was stopped: count again" in error for error in page.errors)
    assert "count_claim" in [button.key for button in page.app.button]


def test_what_the_number_is_said_to_show_leaves_the_running_count_alone(waiting, slow_count):
    page = waiting
    typed(page, "claimed", 0.5).press("count_claim")
    page.app.selectbox(key="claim_says").set_value("nothing").run()
    assert page.app.session_state["cosine_floor_job_claim"] is not None
    assert not page.errors


def test_memory_that_runs_out_is_a_sentence_on_the_card_and_is_not_tried_for_ever(page, pair, monkeypatch):
    tried = []

    def fail(*_, **__):
        tried.append(1)
        raise MemoryError

    monkeypatch.setattr(run, "count_claim", fail)
    typed(audited(page, pair), "claimed", 0.5)
    assert any("not enough free memory" in error for error in page.errors)
    page.app.run()
    assert len(tried) == 1


def test_rows_of_one_group_are_not_among_the_unrelated(page, pair):
    ids = np.arange(40) % 10
    page.drop("groups", npy_bytes(ids), "ids.npy")
    typed(audited(page, pair), "claimed", 0.5)
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in pair)
    apart = ids[:, None] != ids
    assert f"({np.sum((a @ b.T)[apart] >= 0.5):,} of {apart.sum():,})" in page.text
    assert "own group count here too" in page.text
