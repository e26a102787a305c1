"""What is set for the dashboard: defaults, what is taken, and what is refused in one sentence."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import cache, environment
from app.environment import DATA_DIR, JOBS, OFFER, WORKERS
from core.errors import SettingsError
from core.limits import OFFER_SECONDS
from core.sweep.workers import usable_cores


@pytest.fixture(autouse=True)
def unset(monkeypatch):
    for name in (DATA_DIR, JOBS, OFFER, WORKERS):
        monkeypatch.delenv(name, raising=False)


def test_unset_means_every_core_one_job_and_the_bound_of_the_core():
    assert environment.workers() == usable_cores()
    assert environment.jobs_at_once() == 1
    assert environment.offer_seconds() == OFFER_SECONDS
    assert environment.data_folder() == ""


def test_what_is_set_is_taken(monkeypatch):
    monkeypatch.setenv(WORKERS, " 3 ")
    monkeypatch.setenv(JOBS, "2")
    monkeypatch.setenv(OFFER, "0.5")
    assert (environment.workers(), environment.jobs_at_once(), environment.offer_seconds()) == (3, 2, 0.5)


def test_jobs_side_by_side_share_the_cores(monkeypatch):
    monkeypatch.setattr(environment, "usable_cores", lambda: 8)
    monkeypatch.setenv(JOBS, "3")
    assert environment.workers() == 2
    monkeypatch.setenv(JOBS, "16")
    assert environment.workers() == 1


@pytest.mark.parametrize("name", [WORKERS, JOBS])
@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "9999", "1" * 5_000, "²"])
def test_what_is_no_number_of_them_is_refused(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(SettingsError, match=rf"^{name} is '.*'; it must be a whole number from 1 to \d+$"):
        environment.refuse_unusable()


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_what_is_no_number_of_seconds_is_refused(monkeypatch, text):
    monkeypatch.setenv(OFFER, text)
    with pytest.raises(SettingsError, match=rf"^{OFFER} is '{text}'; it must be a number of seconds, 0 or more$"):
        environment.refuse_unusable()


def test_the_page_says_so_and_shows_nothing_else(monkeypatch):
    monkeypatch.setenv(JOBS, "many")
    page = AppTest.from_file(str(Path(environment.__file__).with_name("main.py")), default_timeout=30).run()
    assert not page.exception
    assert [error.value for error in page.error] == [
        f"{JOBS} is 'many'; it must be a whole number from 1 to 16. Leave it unset for the default."
    ]
    assert not page.button


def test_the_runner_of_the_process_is_made_as_set(monkeypatch):
    monkeypatch.setenv(JOBS, "2")
    monkeypatch.setattr(cache, "Runner", lambda **options: options)
    made = cache.runner.__wrapped__()
    assert (made["at_once"], made["workers"]) == (2, max(1, usable_cores() // 2))
