"""A server, a real Chromium, and a page that fails its test on any error or request outside.

Set SCREENSHOTS to a folder to keep a picture of each step.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

import pytest

ROOT = Path(__file__).parents[2]
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


def chromium_program(playwright):
    """CHROMIUM if set, else the system's, else the one playwright installed, else None."""
    named = os.environ.get("CHROMIUM")
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    own = playwright.chromium.executable_path
    return named or next(filter(None, found), None) or (own if Path(own).exists() else None)


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install -r requirements-dev.txt")
    with sync_playwright() as playwright:
        program = chromium_program(playwright)
        if program is None:
            missing(
                "no Chromium found: apt-get install chromium, or playwright install chromium, "
                "or set CHROMIUM to the program"
            )
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def base_url(chromium, tmp_path_factory):
    """Address of a dashboard started for these tests; its log must stay free of tracebacks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "server.log"
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", f"--server.port={port}"]
    command += ["--server.headless=true", "--server.fileWatcherType=none"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    url = f"http://localhost:{port}"
    try:
        if not answers(f"{url}/_stcore/health", server):
            pytest.fail(f"the dashboard did not start:\n{log.read_text()}")
        yield url
    finally:
        server.terminate()
        server.wait(10)
    assert "Traceback" not in log.read_text(), log.read_text()


def answers(url, server, seconds=60):
    """True once the server answers, False if it ends or stays silent."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        try:
            direct.open(url, timeout=2).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return True
    return False


class Dashboard:
    """One open dashboard, driven the way a person does."""

    def __init__(self, tab, name):
        self.tab = tab
        self.name = name
        self.complaints = []

    def listen(self, base_url):
        """Note every error of the page, and every address outside this machine."""
        ours = (base_url, base_url.replace("http", "ws", 1), "data:", "blob:")

        def leaving(made):
            if not made.url.startswith(ours):
                self.complaints.append(f"left the machine: {made.url}")

        def spoken(line):
            if line.type == "error":
                self.complaints.append(f"console: {line.text}")

        self.tab.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.tab.on("console", spoken)
        self.tab.on("request", leaving)
        self.tab.on("websocket", leaving)

    def settle(self):
        self.tab.locator(SETTLED).wait_for(timeout=30_000)

    def drop(self, side, name, content):
        box = self.tab.locator(f"[class*='st-key-drop_{side}_']")
        box.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            [{"name": name, "mimeType": "application/octet-stream", "buffer": content}]
        )

    def unfold(self):
        """Open the fold with fit arrays and settings, and wait until it has stopped moving."""
        fold = self.tab.locator(".st-key-options")
        fold.locator("summary").click()
        moving = "fold => fold.getAnimations({subtree: true}).length > 0"
        while fold.evaluate(moving):
            time.sleep(0.05)
        self.settle()

    def still(self):
        """Wait until nothing on the page fades or moves any more."""
        moving = "document.getAnimations().some(one => one.playState === 'running')"
        for _ in range(100):
            if not self.tab.evaluate(moving):
                return
            time.sleep(0.05)

    def enter(self, key, value):
        """Type a number into a settings box."""
        box = self.tab.locator(f".st-key-{key} input")
        box.fill(str(value))
        box.press("Enter")
        self.settle()

    def value(self, key):
        """What a settings box holds."""
        return self.tab.locator(f".st-key-{key} input").input_value()

    def loaded(self, side, name):
        self.tab.locator(f".st-key-card_{side}").filter(has_text=name).wait_for(timeout=20_000)
        self.settle()

    def drawn(self):
        """Wait until the result stands on the page, with its four figures."""
        self.tab.locator(".st-key-reading").wait_for()
        for figure in ("gauge_a", "gauge_b", "ranks", "histograms"):
            self.tab.locator(f".st-key-{figure} .main-svg").first.wait_for()
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
        """The cells of a results table by row label, as shown."""
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
    """`open_dashboard(scheme, width, height, address)`: a fresh dashboard; closed and judged at the end."""
    opened = []

    def opener(scheme="light", width=1366, height=900, address=""):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            accept_downloads=True,
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(20_000)
        board = Dashboard(context.new_page(), f"{scheme}-{width}")
        board.listen(base_url)
        board.tab.goto(urljoin(base_url, address))
        board.settle()
        opened.append((context, board))
        return board

    yield opener
    for context, _ in opened:
        context.close()
    assert not [complaint for _, board in opened for complaint in board.complaints]
