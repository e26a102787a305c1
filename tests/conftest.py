"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.arrays import audited, related_pair

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(tryfirst=True)  # the workers read the groups in the same step
def pytest_collection_modifyitems(items):
    """Where workers share the tests: those of a file stay together, and those that need the browser.

    The browser's come first; they take longest.
    """
    items.sort(key=lambda item: BROWSER not in item.path.parents)
    for item in items:
        name = "browser" if BROWSER in item.path.parents else str(item.path)
        item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture
def rng():
    return np.random.default_rng(20_260)


@pytest.fixture
def pair(rng):
    """A small anisotropic pair, (40, 8) each."""
    return related_pair(rng)


@pytest.fixture(scope="session")
def ordinary():
    """The audit of an ordinary pair: nothing about it is worth a word but its size."""
    return audited(*related_pair(np.random.default_rng(5), n=60, dim=16, drift=2.0))
