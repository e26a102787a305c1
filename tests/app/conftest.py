"""Everything a test of the app needs: small files, and a page without a browser."""

import io
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parents[2] / "app" / "main.py"


def npy_bytes(array):
    """The array as the content of a .npy file."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def matched_rows(n=40, dim=6, seed=3):
    """Two (n, dim) sides whose rows belong together, leaning one way."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, dim)) + 1.0
    return a, a + 0.4 * rng.standard_normal((n, dim))


def read(markdown):
    """The words without Markdown escapes, the marks of code and word joiners."""
    return str(markdown).replace("\\", "").replace("`", "").replace("\u2060", "")


class Page:
    """The page as a person uses it: files dropped on sides, buttons pressed by key."""

    def __init__(self, parameters=None):
        self.app = AppTest.from_file(str(MAIN), default_timeout=90)
        for name, value in (parameters or {}).items():
            self.app.query_params[name] = value
        self.app.run()

    def drop(self, side, array, name=None):
        """Drop a file on a side; `array` may be bytes."""
        data = array if isinstance(array, bytes) else npy_bytes(array)
        box = next(box for box in self.app.file_uploader if box.key.startswith(f"drop_{side}_"))
        box.upload(name or f"{side}.npy", data).run()
        return self

    def press(self, key):
        self.app.button(key=key).click().run()
        return self

    def drop_pair(self, **options):
        a, b = matched_rows(**options)
        return self.drop("a", a).drop("b", b)

    def open(self, script):
        self.app.switch_page(f"views/{script}").run()
        return self

    @property
    def text(self):
        """Everything written on the page, as a person reads it."""
        kinds = ("title", "header", "subheader", "markdown", "text", "error", "warning", "info", "code")
        written = [str(element.value) for kind in kinds for element in getattr(self.app, kind)]
        return read("\n".join(written))

    @property
    def errors(self):
        return [read(error.value) for error in self.app.error]

    def labels(self):
        return [button.label for button in self.app.button]


@pytest.fixture
def page(monkeypatch):
    """The Audit page with nothing loaded; a test ends without an exception on the page.

    A click waits for its result, however busy the machine is; tests of waiting say otherwise.
    """
    monkeypatch.setattr("app.run.QUICK_SECONDS", 60.0)
    page = Page()
    yield page
    assert not page.app.exception


@pytest.fixture
def page_at(monkeypatch):
    """`page_at(parameters)`: the Audit page opened at an address with these parameters; else as `page`."""
    monkeypatch.setattr("app.run.QUICK_SECONDS", 60.0)
    opened = []

    def opener(parameters):
        opened.append(Page(parameters))
        return opened[-1]

    yield opener
    for page in opened:
        assert not page.app.exception


@pytest.fixture
def pair():
    """Two sides of 40 matched rows."""
    return matched_rows()


@pytest.fixture
def npy():
    """`npy(array)`: the array as the content of a .npy file."""
    return npy_bytes


@pytest.fixture
def audit_result(pair):
    """The audit of `pair`."""
    from core import AuditSettings, audit, load

    a, b = (load(npy_bytes(side), f"{name}.npy") for side, name in zip(pair, "ab", strict=True))
    return audit(a, b, settings=AuditSettings())
