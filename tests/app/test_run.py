import threading
import time

import pytest

from app import cache, run
from core.errors import PairingError


@pytest.fixture
def slow_audit(monkeypatch):
    """Replaces the audit by one that reports progress until it is let go."""
    go_on = threading.Event()

    def slow(*_, progress, **__):
        for done in range(2_000):
            progress(done, 2_000, "Ranking partners, raw")
            if go_on.wait(0.01):
                break

    monkeypatch.setattr("app.run.audit", slow)
    monkeypatch.setattr(run, "QUICK_SECONDS", 0.05)
    yield go_on
    go_on.set()


def fail_with(error, monkeypatch):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("app.run.audit", fail)


def test_a_small_audit_is_there_after_one_click(page):
    page.drop_pair().press("run")
    assert page.app.session_state["cosine_floor_result"].audit.n == 40
    assert "The verdict" in page.text


def test_an_audit_error_is_a_sentence_beside_the_button(page, monkeypatch):
    fail_with(PairingError("b.npy has 3 rows", remedy="Export again"), monkeypatch)
    page.drop_pair().press("run")
    assert page.errors == ["b.npy has 3 rows. Export again."]


def test_the_sentence_goes_with_the_next_run(page, monkeypatch):
    with monkeypatch.context() as patched:
        fail_with(PairingError("planted"), patched)
        page.drop_pair().press("run")
        assert page.errors
    page.press("run")
    assert not page.errors
    assert "The verdict" in page.text


def test_memory_that_runs_out_has_its_own_sentence(page, monkeypatch):
    fail_with(MemoryError(), monkeypatch)
    page.drop_pair().press("run")
    assert "not enough free memory" in page.errors[0]


def test_a_bug_of_ours_shows_as_one(page, monkeypatch):
    fail_with(ZeroDivisionError("planted bug"), monkeypatch)
    page.drop_pair().press("run")
    assert "planted bug" in page.app.exception[0].value
    page.app.run()  # and the page works again afterwards
    assert not page.app.exception


def test_the_page_answers_while_an_audit_runs(page, slow_audit):
    page.drop_pair().press("run")
    assert "cancel" in [button.key for button in page.app.button]
    page.app.number_input(key="seed").set_value(7).run()
    page.open("method.py")
    assert page.app.title[0].value == "Method"
    page.open("audit.py")
    assert "cancel" in [button.key for button in page.app.button]
    assert page.app.number_input(key="seed").value == 7
    page.press("cancel")


def test_cancel_ends_the_audit_within_a_second_and_leaves_no_result(page, slow_audit):
    page.drop_pair().press("run")
    job = page.app.session_state["cosine_floor_job"].job
    page.press("cancel")
    assert job.wait(1.0)
    assert "cancel" not in [button.key for button in page.app.button]
    assert page.app.session_state["cosine_floor_job"] is None
    assert not page.app.button(key="run").disabled


def test_an_audit_that_ended_on_another_page_is_taken_in_on_return(page, monkeypatch):
    monkeypatch.setattr(run, "QUICK_SECONDS", 0.0)
    page.drop_pair().press("run").open("method.py")
    pending = page.app.session_state["cosine_floor_job"]
    if pending is not None:
        assert pending.job.wait(10)
    page.open("audit.py")
    assert "The verdict" in page.text


def test_a_second_page_waits_and_says_for_how_many(page, slow_audit):
    from app.jobs import Tab

    other = cache.runner().submit(lambda progress: slow_audit.wait(10), Tab())
    page.drop_pair().press("run")
    waiting = [str(bar.proto.text) for bar in page.app.get("progress")]
    assert waiting == ["Waiting for 1 audit of this machine to end"]
    slow_audit.set()
    assert other.wait(5)
    deadline = time.monotonic() + 5
    while page.app.session_state["cosine_floor_job"] is not None and time.monotonic() < deadline:
        page.app.run()
    assert page.app.session_state["cosine_floor_job"] is None


def test_a_failure_goes_with_the_file_that_caused_it(page, pair):
    a, b = pair
    page.drop("a", a[:-1]).drop("b", b).press("run")
    assert page.errors
    page.press("replace_a").drop("a", a)
    assert not page.errors


def test_the_same_rows_under_another_name_are_another_result(page, pair):
    """The report carries the name, so the table on the page would show the old one."""
    page.drop("a", pair[0]).drop("b", pair[1]).press("run")
    page.press("replace_a").drop("a", pair[0], "renamed.npy")
    assert "From earlier inputs" in page.text
