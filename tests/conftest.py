"""Fixtures that many tests share."""

from __future__ import annotations

import numpy as np
import pytest

from tests.arrays import audited, related_pair


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
