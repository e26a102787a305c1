"""The audit's checks of itself: silent on sound figures of any kind, loud on a planted fault."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.checks import checks
from core.rows import UnitRows
from core.sweep import make_ready, sweep
from tests.arrays import cone, related_pair


def swept(a, b, *, pool=None, fast=True):
    sides = make_ready(a, b, UnitRows(a).mean_row().mean, UnitRows(b).mean_row().mean, in_float32=fast)
    return sides, sweep(sides, candidates=pool)


def kinds(rng):
    yield related_pair(rng, n=700, dim=5)
    yield related_pair(rng, n=150, dim=900, drift=3)
    yield tuple(side.astype(np.float16) for side in related_pair(rng, n=300, dim=40, drift=20))
    yield cone(rng, 200, 30, 1e-3), cone(rng, 200, 30, 1e-3)
    yield np.eye(60), np.eye(60)
    yield np.sign(related_pair(rng, n=400, dim=2)[0]), related_pair(rng, n=400, dim=2)[1]
    yield tuple(side * 10.0 ** rng.uniform(-30, 30, (250, 1)) for side in related_pair(rng, n=250, dim=16))


@pytest.mark.parametrize("fast", [False, True], ids=["float64", "float32"])
@pytest.mark.parametrize("closed", [False, True], ids=["rows scored again", "closed form"])
@pytest.mark.parametrize("case", range(7))
def test_sound_figures_pass(rng, monkeypatch, case, closed, fast):
    monkeypatch.setattr("core.checks.CLOSED_FORM_AT_ONCE", 10**12 if closed else 0)
    monkeypatch.setattr("core.checks.CLOSED_FORM_SHARE", 10**6)
    a, b = list(kinds(rng))[case]
    found = checks(*swept(a, b, fast=fast), None)
    assert len(found) in (3, 6)
    assert [check.text for check in found if not check.passed] == []


@pytest.mark.parametrize("fast", [False, True], ids=["float64", "float32"])
def test_a_pool_is_checked_against_the_sums_of_its_own_rows(rng, fast):
    a, b = related_pair(rng, n=300, dim=12)
    pool = np.sort(rng.choice(300, 50, replace=False))
    found = checks(*swept(a, b, pool=pool, fast=fast), pool)
    assert [check.name for check in found] == ["raw mean", "raw histogram", "centred mean", "centred histogram"]
    assert all(check.passed for check in found)
    # The pool is no sample of all rows: against another pool's sums its mean must not pass.
    other = checks(*swept(a, b, pool=pool, fast=fast), np.arange(50))
    assert not other[0].passed


@pytest.mark.parametrize("closed", [False, True], ids=["rows scored again", "closed form"])
def test_a_planted_fault_is_found(rng, monkeypatch, closed):
    monkeypatch.setattr("core.checks.CLOSED_FORM_AT_ONCE", 10**12 if closed else 0)
    monkeypatch.setattr("core.checks.CLOSED_FORM_SHARE", 10**6)
    sides, result = swept(*related_pair(rng, n=400, dim=24))
    bins = result.raw.unrelated_counts.copy()
    bins[200] += 1
    squares = 1.001 * result.raw.row_squares
    faulty = replace(
        result.raw,
        sum_about=result.raw.sum_about + 1e-4 * result.raw.n_unrelated,
        squares_about=float(squares.sum()),
        row_squares=squares,
        unrelated_counts=bins,
    )
    found = checks(sides, replace(result, raw=faulty), None)
    assert [check.name for check in found if not check.passed] == ["raw mean", "raw spread", "raw histogram"]
    assert "159,601 of 159,600" in found[2].text
