"""Two people at one server, each with an audit of 10,000 x 768, and ten audits in a row.

    python benchmarks/two_browsers.py --rows 10000 --dims 768

Starts the real server and two browsers. Both start an audit; the second must show its place
in the queue, both must end with the numbers of the command line, and the server must answer
its health address throughout (its slowest answer is printed). Then one audit is cancelled and
started again, and ten audits run in a row: the server's anonymous memory after each is
printed, and must end within 10 % of where the first of them left it. Needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from upload_memory import MB, ROOT, anonymous_bytes, described_machine, server, write_pair

RUNS, GROWTH = 10, 1.10


class Person:
    """One browser with both files dropped."""

    def __init__(self, browser: Any, address: str, paths: list[Path]) -> None:
        self.page = browser.new_context(viewport={"width": 1366, "height": 900}).new_page()
        self.page.set_default_timeout(180_000)
        self.page.goto(address)
        self.page.get_by_text("What you get").wait_for()
        for side, path in zip("ab", paths, strict=True):
            self.page.locator(f".st-key-slot_{side} input[type=file]").set_input_files(path)
            self.page.locator(f".st-key-card_{side}").wait_for()

    def run(self) -> None:
        self.page.locator(".st-key-run button:enabled").click()

    def reading(self) -> str:
        """The sentence of the result, once the page says that it is for these settings."""
        self.page.get_by_text("The result below is for these files and settings.").wait_for()
        return str(self.page.locator(".st-key-reading").inner_text()).replace("−", "-")

    def reseed(self, seed: int) -> None:
        """Change a setting, so that there is something to run again."""
        box = self.page.locator(".st-key-seed input")
        if not box.is_visible():
            self.page.locator(".st-key-options summary").click()
        box.fill(str(seed))
        box.press("Enter")


@contextmanager
def watched_health(address: str) -> Iterator[list[float]]:
    """Seconds of each answer of the health address, asked for all the time."""
    seconds: list[float] = []
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            began = time.perf_counter()
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=30).close()  # noqa: S310 - our own
            seconds.append(time.perf_counter() - began)
            time.sleep(0.05)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield seconds
    finally:
        stop.set()
        asking.join()


def expected_reading(paths: list[Path]) -> str:
    command = [sys.executable, "-m", "core", *map(str, paths)]
    said = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    return str(said["reading"])


def both_at_once(people: list[Person], expected: str) -> tuple[bool, bool]:
    """Whether the second saw its place, and whether both results are right."""
    people[0].run()
    people[1].run()  # at once: an audit of 10,000 rows is over before a person has looked
    people[1].page.get_by_text("Waiting for 1 audit").wait_for()
    return True, all(expected in person.reading() for person in people)


def cancel_and_again(person: Person) -> float:
    """Seconds from the click on cancel until the server is free for the next audit."""
    person.reseed(99)
    person.run()
    person.page.locator(".st-key-cancel button").click()
    began = time.perf_counter()
    person.page.locator(".st-key-cancel").wait_for(state="detached")
    spent = time.perf_counter() - began
    person.run()
    person.reading()
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--dims", type=int, default=768)
    options = parser.parse_args()
    print(described_machine())
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        paths = write_pair(folder, options.rows, options.dims)
        expected = expected_reading(paths)
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
        with server(folder / "log") as (address, pid), watched_health(address) as health:
            people = [Person(browser, address, paths) for _ in range(2)]
            saw_place, right = both_at_once(people, expected)
            cancelled = cancel_and_again(people[0])
            memory = []
            for run in range(RUNS):
                people[0].reseed(run + 100)
                people[0].run()
                people[0].reading()
                memory.append(anonymous_bytes(pid))
            browser.close()
    print(f"two audits of {options.rows:,} x {options.dims}: place in the queue seen {saw_place}, both right {right}")
    print(f"health: {len(health)} answers, slowest {1e3 * max(health):.0f} ms, median {1e3 * np.median(health):.0f} ms")
    print(f"cancelled after {cancelled:.2f} s, and run again")
    print(f"anonymous MB after each of {RUNS} runs: {', '.join(f'{size / MB:.0f}' for size in memory)}")
    return int(not right or memory[-1] > GROWTH * memory[0])


if __name__ == "__main__":
    sys.exit(main())
