"""Rows that are named carry the numbers they have in the files, whatever was left out."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.errors import PairingError
from core.kept_rows import kept_rows
from core.report import document, to_json
from core.spaces import compare_models
from core.two_models import TwoModelsSettings, audit_two_models
from tests.arrays import audited, inspected, related_pair

LEFT_OUT = [0, 3, 30]


def test_kept_rows_are_those_not_left_out():
    assert kept_rows(4, np.array([0, 2, 5])).tolist() == [1, 3, 4, 6]
    assert kept_rows(3, np.array([], dtype=np.intp)).tolist() == [0, 1, 2]


def test_the_worst_pair_is_named_as_in_the_files(rng):
    a = related_pair(rng, n=40, dim=16)[0]
    b = a + 1e-6 * rng.standard_normal(a.shape)
    b[21] += 1e-2 * rng.standard_normal(16)
    a[LEFT_OUT] = np.nan
    found = audited(a, b, drop_bad_rows=True)
    assert found.closeness.worst_pair == 21
    line = next(one for one in found.distortions if one.code == "nearly_identical")
    assert "row 21, from 0" in line.text
    assert '"worst_pair": 21' in to_json(document(found))


@pytest.mark.parametrize("candidates", [None, 30])
def test_a_hub_is_named_as_in_the_files(rng, candidates):
    a = np.abs(rng.standard_normal((40, 6)))
    b = rng.standard_normal((40, 6))
    hubs = [row for row in range(1, 40) if row not in LEFT_OUT]
    for row in hubs[::2]:  # whatever pool is drawn, one of them is in it
        b[row] = 1.0
    b[25] = 1.0
    a[LEFT_OUT] = np.inf
    found = audited(a, b, drop_bad_rows=True, candidates=candidates).raw.hubs
    assert found.most > 20
    assert np.array_equal(b[found.row], np.ones(6))
    if candidates is None:
        assert found.row == 1  # the first of equals


def test_a_hub_of_two_models_is_named_as_in_the_files(rng):
    """In halves only some rows are compared, and its number counted those."""
    a = rng.standard_normal((120, 8))
    b = a @ rng.standard_normal((8, 8)) + 0.3 * rng.standard_normal((120, 8))
    a[LEFT_OUT] = np.nan
    settings = TwoModelsSettings(drop_bad_rows=True)
    found = audit_two_models(inspected(a), inspected(b), settings=settings).found
    compared = _compared_half(a, b)
    assert found.n_compared == len(compared)
    assert found.mapped.hubs.row in compared
    _, top = np.unique(_best(a, b, compared), return_counts=True)
    assert found.mapped.hubs.most == top.max()
    best = compared[_best(a, b, compared)]
    assert np.count_nonzero(best == found.mapped.hubs.row) == top.max()


def _compared_half(a, b):
    kept = np.delete(np.arange(len(a)), LEFT_OUT)
    drawn = np.random.default_rng(0).permutation(len(kept))
    return np.sort(kept[drawn[len(kept) // 2 :]])


def _best(a, b, compared):
    """Best row of B of each compared row of A after the orthogonal map of the other half."""
    kept = np.delete(np.arange(len(a)), LEFT_OUT)
    train = np.setdiff1d(kept, compared)
    units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (a, b)]
    means = [side[train].mean(axis=0) for side in units]
    left, right = (side - mean for side, mean in zip(units, means, strict=True))
    u, _, vt = np.linalg.svd(left[train].T @ right[train])
    mapped = left[compared] @ (u @ vt)
    other = right[compared] / np.linalg.norm(right[compared], axis=1, keepdims=True)
    return (mapped @ other.T).argmax(axis=1)


def test_a_pair_that_trains_and_is_compared_is_named_as_in_the_files(rng):
    a, b = related_pair(rng, n=60, dim=6)
    train_a, train_b = related_pair(rng, n=60, dim=6)
    train_a[7], train_b[7] = a[21], b[21]
    a[LEFT_OUT] = 0
    files = [inspected(rows) for rows in (a, b, train_a, train_b)]
    with pytest.raises(PairingError, match=re.escape("row 21 (counting from 0)")):
        audit_two_models(*files, settings=TwoModelsSettings(drop_bad_rows=True))


def test_a_pair_of_a_drawn_subset_is_named_as_in_the_files(rng):
    a, b = related_pair(rng, n=60, dim=6)
    train_a, train_b = a[50:], b[50:]
    with pytest.raises(PairingError) as refused:
        compare_models(a, b, train_a, train_b, rng=np.random.default_rng(1), max_pairs=40)
    named = [int(row) for row in re.search(r"row ([\d, ]+)", str(refused.value))[1].strip(", ").split(", ")]
    assert named
    assert min(named) >= 50


def test_the_row_that_centring_leaves_nothing_of_is_named_as_in_the_files(rng):
    rows = rng.standard_normal((20, 3))
    fit = np.tile(rows[9], (5, 1))
    rows[LEFT_OUT[:2]] = np.nan
    found = audited(rows, rows, fit, drop_bad_rows=True)
    assert "first at row 9, counting from 0" in found.centred_undefined


def test_a_shift_says_that_it_counts_the_rows_left(rng):
    a, b = related_pair(rng, n=100, dim=24, noise=0.2)
    b = np.roll(b, 4, axis=0)
    whole = audited(a, b)
    a[50], b[54] = 0, 0
    words = [" ".join(notice.text for notice in found.notices) for found in (whole, audited(a, b, drop_bad_rows=True))]
    assert "of 100 rows, where luck" in words[0]
    assert "of 98 rows of those left, where luck" in words[1]
