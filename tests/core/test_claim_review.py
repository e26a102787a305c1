"""A claim beside its evidence: rows of either reading, counts with ties, refusals.

Oracle: the whole score matrix of `tests.oracle`, counted entry by entry.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.audit import audit
from core.claim_review import Claim, compared_rows, count_claim, review
from core.claims import count_reach
from core.errors import SettingsError
from core.rows import UnitRows
from core.settings import AuditSettings
from tests import oracle
from tests.arrays import audited, inspected
from tests.oracle import off_diagonal

SETTINGS = AuditSettings()


def counted(a, b, claim, settings=SETTINGS, fits=(None, None)):
    return count_claim(
        (inspected(a), inspected(b), *fits), claim.thresholds, settings=settings, reading=claim.reading
    )


def reviewed(a, b, claim, **settings):
    settings = AuditSettings(**settings)
    return review(claim, audit(inspected(a), inspected(b), settings=settings), counted(a, b, claim, settings))


@pytest.mark.parametrize("reading", ["raw", "centred"])
@pytest.mark.parametrize("shared", [False, True])
def test_both_readings_are_counted_over_the_rows_the_audit_compares(pair, reading, shared):
    a, b = pair
    if reading == "raw":
        sides = oracle.unit(a), oracle.unit(b)
    elif shared:
        mean = np.vstack([oracle.unit(a), oracle.unit(b)]).mean(axis=0)
        sides = oracle.unit(oracle.unit(a) - mean), oracle.unit(oracle.unit(b) - mean)
    else:
        sides = oracle.centred_sides(a, b)
    scores = sides[0] @ sides[1].T
    claim = Claim(claimed=0.3, reading=reading, cutoffs=(-0.1, 0.62))
    found = reviewed(a, b, claim, shared_mean=shared)
    for reach, threshold in zip(found.counted.reached, (0.3, -0.1, 0.62), strict=True):
        assert reach.matched == sum(score >= threshold for score in np.diag(scores))
        assert reach.unrelated == sum(score >= threshold for score in scores[off_diagonal(40)])
    assert_allclose(found.place.off_matched, 0.3 - np.diag(scores).mean(), rtol=1e-9)
    assert_allclose(found.place.above_floor, 0.3 - scores[off_diagonal(40)].mean(), rtol=1e-9)
    assert found.cutoffs == found.counted.reached[1:]


def test_fit_rows_give_the_mean(pair, rng):
    a, b = pair
    fits = rng.standard_normal((90, a.shape[1])) + 0.3, rng.standard_normal((70, a.shape[1]))
    rows = compared_rows(
        inspected(a), inspected(b), inspected(fits[0]), inspected(fits[1]), settings=SETTINGS, reading="centred"
    )
    for found, expected in zip(rows, oracle.centred_sides(a, b, *fits), strict=True):
        assert_allclose(found[:], expected, atol=1e-12)


def test_pairs_that_score_the_threshold_exactly_are_counted(rng):
    """Whole-number rows: many cosines tie at 0, 1/2 and 1 up to their last bits."""
    a = rng.integers(-1, 2, (70, 4)).astype(float)
    a[np.abs(a).sum(axis=1) == 0, 0] = 1
    b = a[rng.permutation(70)]
    exact = [[_squared_cosine(row, other) for other in b.astype(int)] for row in a.astype(int)]
    for threshold, numerator, denominator in ((0.0, 0, 1), (0.5, 1, 4), (1.0, 1, 1)):
        found = count_reach(UnitRows(a), UnitRows(b), [threshold]).reached[0]
        reaching = np.array([[sign >= 0 and n * denominator >= numerator * d for sign, n, d in row] for row in exact])
        if threshold == 0:
            reaching = np.array([[sign >= 0 for sign, _, _ in row] for row in exact])
        assert found.matched == np.diag(reaching).sum()
        assert found.unrelated == reaching[off_diagonal(70)].sum()
        assert found.unrelated > 0


def _squared_cosine(row, other):
    """Sign and square of a cosine as a fraction of whole numbers."""
    dot = int(row @ other)
    return dot, dot * dot, int(row @ row) * int(other @ other)


def test_left_out_rows_are_not_counted(pair):
    a, b = (side.copy() for side in pair)
    a[3] = np.nan
    b[7] = 0
    claim = Claim(claimed=-1.0)
    found = reviewed(a, b, claim, drop_bad_rows=True)
    assert (found.place.reached.matched, found.place.reached.unrelated) == (38, 38 * 37)


@pytest.mark.parametrize("bad", [{"claimed": 1.2}, {"claimed": 0.5, "cutoffs": (float("nan"),)}])
def test_what_is_no_cosine_is_refused(bad):
    with pytest.raises(SettingsError, match="is not a cosine"):
        Claim(**bad)


def test_a_reading_that_is_undefined_cannot_be_claimed(pair):
    a, b = pair
    found = replace(audited(a, b), centred=None)
    claim = Claim(claimed=0.5, reading="centred")
    with pytest.raises(SettingsError, match="undefined"):
        review(claim, found, counted(a, b, claim))


def test_groups_are_refused_since_their_floor_is_over_other_pairs(pair):
    a, b = pair
    claim = Claim(claimed=0.5)
    with pytest.raises(SettingsError, match="groups"):
        review(claim, audited(a, b, groups=np.repeat(np.arange(20), 2)), counted(a, b, claim))


def test_one_side_is_no_comparison(pair):
    with pytest.raises(SettingsError, match="both sides"):
        count_claim((inspected(pair[0]), None, None, None), (0.5,), settings=SETTINGS, reading="raw")
