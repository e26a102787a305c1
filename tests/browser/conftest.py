"""A server, a real Chromium, and a page that fails its test on any error or request outside.

Set SCREENSHOTS to a folder to keep a picture of each step.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def missing(what):
    """In CI a browser that is not there is a failure; elsewhere a skip that says what to do."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def base_url(tmp_path_factory):
    """Address of a dashboard started for these tests."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app/main.py", f"--server.port={port}",
             "--server.headless=true", "--server.fileWatcherType=none"],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail(f"the dashboard did not start:\n{log.read_text()}")
        yield url
    finally:
        server.terminate()
        server.wait(10)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install -r requirements-dev.txt")
    if not CHROMIUM:
        missing("no Chromium found: apt-get install chromium, or set CHROMIUM to the program")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Dashboard:
    """One open dashboard, driven the way a person does."""

    def __init__(self, tab, name):
        self.tab = tab
        self.name = name
        self.complaints = []

    def settle(self):
        self.tab.locator(SETTLED).wait_for(timeout=30_000)

    def drop(self, side, name, content):
        box = self.tab.locator(f"[class*='st-key-drop_{side}_']")
        box.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            [{"name": name, "mimeType": "application/octet-stream", "buffer": content}]
        )

    def loaded(self, side, name):
        self.tab.locator(f".st-key-card_{side}").filter(has_text=name).wait_for(timeout=20_000)
        self.settle()

    def press(self, key):
        self.tab.locator(f".st-key-{key} button").click()

    def open(self, title):
        """Go to another page of the menu, which hides in a drawer on narrow screens."""
        link = self.tab.get_by_role("link", name=title, exact=True)
        narrow = self.tab.viewport_size["width"] < 640
        if narrow:
            self.tab.get_by_test_id("stExpandSidebarButton").click()
        link.first.click()
        self.tab.get_by_role("heading", level=1).filter(has_text={"Audit": "Cosine Floor"}.get(title, title)).wait_for()
        if narrow:
            self.tab.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
            self.tab.get_by_test_id("stExpandSidebarButton").wait_for()
        self.settle()

    def table(self, title):
        """The cells of a results table by row label."""
        table = self.tab.get_by_label(title, exact=False).locator("tbody tr")
        table.first.wait_for()
        rows = [row.locator("th, td").all_inner_texts() for row in table.all()]
        return {row[0]: row[1:] for row in rows}

    def picture(self, step):
        """Check that nothing sticks out to the right; keep a picture if asked to."""
        sticks_out = self.tab.evaluate(
            "(m => m.scrollWidth - m.clientWidth)(document.querySelector('[data-testid=stMain]'))"
        )
        assert sticks_out <= 0, f"{step}: {sticks_out} px stick out"
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            size = self.tab.viewport_size
            height = self.tab.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
            self.tab.set_viewport_size({"width": size["width"], "height": int(height) + 60})
            time.sleep(1)
            self.tab.screenshot(path=f"{folder}/{self.name}-{step}.png")
            self.tab.set_viewport_size(size)


@pytest.fixture
def open_dashboard(chromium, base_url):
    """`open_dashboard(scheme, width)`: a fresh dashboard; closed and judged at the end."""
    opened = []

    def opener(scheme="light", width=1366):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            accept_downloads=True,
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(20_000)
        board = Dashboard(context.new_page(), f"{scheme}-{width}")
        heard = board.complaints
        board.tab.on("pageerror", lambda error: heard.append(f"error: {error}"))
        board.tab.on("console", lambda line: heard.append(line.text) if line.type == "error" else None)
        board.tab.on(
            "request",
            lambda request: None
            if request.url.startswith((base_url, "data:", "blob:"))
            else heard.append(f"left the machine: {request.url}"),
        )
        board.tab.goto(base_url)
        board.settle()
        opened.append((context, board))
        return board

    yield opener
    for context, board in opened:
        context.close()
        assert not board.complaints
