"""Benchmarks that take parts of the audit out go with it when it changes."""

import numpy as np

from benchmarks.inference import loaded, nothing_taken
from core import audit


def test_an_audit_without_its_measures_runs_and_gives_the_same_floor(rng):
    a, b = rng.standard_normal((2, 60, 8))
    files = loaded(a, "a.npy"), loaded(b, "b.npy")
    with nothing_taken():
        bare = audit(*files)
    whole = audit(*files)
    assert bare.raw.exact.floor_mean == whole.raw.exact.floor_mean
    assert np.isfinite(whole.anisotropy_a)
    assert whole.raw.evidence is not None
