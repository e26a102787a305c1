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
from core.group_ids import GroupIds
from core.groups import groups_from_ids
from core.rows import UnitRows
from core.settings import AuditSettings
from tests import oracle
from tests.arrays import audited, inspected
from tests.oracle import off_diagonal

SETTINGS = AuditSettings()


def counted(a, b, claim, settings=SETTINGS, groups=None):
    files = inspected(a), inspected(b), None, None
    return count_claim(files, claim.thresholds, settings=settings, reading=claim.reading, groups=groups)


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
    files = map(inspected, (a, b, *fits))
    *rows, groups = compared_rows(*files, settings=SETTINGS, reading="centred")
    assert groups is None
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


@pytest.mark.parametrize("block_elements", [4_000_000, 60, 1])
def test_rows_of_one_group_are_not_unrelated(pair, rng, block_elements):
    a, b = pair
    ids = rng.integers(0, 9, 40)
    scores = oracle.unit(a) @ oracle.unit(b).T
    apart = ids[:, None] != ids
    found = count_reach(
        UnitRows(a), UnitRows(b), [0.3], groups=groups_from_ids(ids, 40), block_elements=block_elements
    )
    assert found.reached[0].unrelated == np.sum(scores[apart] >= 0.3)
    assert found.n_unrelated == found.reached[0].n_unrelated == apart.sum()
    assert_allclose(found.highest_unrelated, scores[apart].max(), rtol=1e-12)
    assert found.unrelated_reaching_lowest_matched == np.sum(scores[apart] >= np.diag(scores).min())


def test_groups_of_a_claim_are_those_of_the_audit_without_the_rows_left_out(pair):
    a, b = (side.copy() for side in pair)
    b[5] = 0
    ids = np.repeat(np.arange(20), 2)
    settings, claim = AuditSettings(drop_bad_rows=True), Claim(claimed=-1.0)
    found = counted(a, b, claim, settings, GroupIds.of(ids))
    audited_too = audit(inspected(a), inspected(b), settings=settings, groups=ids)
    assert found.reached[0].unrelated == found.n_unrelated == audited_too.groups.n_unrelated
    assert review(claim, audited_too, found).place.reached.unrelated_share == 1


def test_one_side_is_no_comparison(pair):
    with pytest.raises(SettingsError, match="both sides"):
        count_claim((inspected(pair[0]), None, None, None), (0.5,), settings=SETTINGS, reading="raw")
