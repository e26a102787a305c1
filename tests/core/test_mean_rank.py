"""AMRI, against score matrices and known vectors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.groups import groups_from_ids
from core.mean_rank import mean_rank_index
from tests.arrays import related_pair
from tests.oracle import unit
from tests.readings import vector


def counts(a, b, labels=None):
    """Better and tied candidates, and rows each candidate beats, from the score matrix."""
    scores = unit(a) @ unit(b).T
    own = np.diag(scores)
    labels = np.arange(len(a)) if labels is None else labels
    other = labels[:, None] != labels[None, :]
    above = (scores > own[:, None] + 1e-12) & other
    near = (np.abs(scores - own[:, None]) <= 1e-12) & other
    return above.sum(axis=1), near.sum(axis=1), (above + near / 2).sum(axis=0)


@pytest.mark.parametrize(("name", "index"), [("v7", 0.933333), ("v8", 0.998392)])
def test_index_of_the_vectors(name, index):
    assert_allclose(mean_rank_index(*counts(*vector(name))).estimate, index, atol=5e-7)


def test_index_of_v3_and_of_antipodal_duplicates():
    cone = np.column_stack([np.full(5, 0.8), 0.6 * np.eye(5)])
    assert mean_rank_index(*counts(cone, cone * [1, -1, -1, -1, -1, -1])).estimate == -1
    rows = np.array([[1.0, 0], [1, 0], [-1, 0], [-1, 0]])
    assert_allclose(mean_rank_index(*counts(rows, rows)).estimate, 2 / 3)


def test_a_constant_scorer_is_at_chance():
    """All tied: half of the candidates count as better, and the index is exactly 0."""
    n = 60
    found = mean_rank_index(np.zeros(n, int), np.full(n, n - 1), np.full(n, (n - 1) / 2))
    assert_allclose(found.estimate, 0, atol=1e-15)


@pytest.mark.parametrize("labels", [None, np.repeat(np.arange(60), [1, 2] * 30)], ids=["pairs", "groups"])
def test_error_against_leaving_out_rows_and_candidates(rng, labels):
    a, b = related_pair(rng, n=90, dim=6, noise=1.5)
    names = np.arange(90) if labels is None else labels
    without = []
    for name in np.unique(names):
        kept = names != name
        better, tied, _ = counts(a[kept], b[kept], names[kept])
        pairs = kept.sum() ** 2 - (np.bincount(names[kept]) ** 2).sum()
        without.append(1 - 2 * (better + tied / 2).sum() / pairs)
    count = len(without)
    expected = np.sqrt((count - 1) / count * ((without - np.mean(without)) ** 2).sum())
    groups = None if labels is None else groups_from_ids(labels, 90)

    found = mean_rank_index(*counts(a, b, names), groups)

    assert_allclose(found.error, expected, rtol=1e-10)
    assert found.low < found.estimate < found.high


def test_no_interval_near_perfect_or_with_few_pairs(rng):
    near_perfect = mean_rank_index(*counts(*related_pair(rng, n=80, dim=16, noise=0.1)))
    assert near_perfect.low is None
    assert "0.95" in near_perfect.reason
    few = mean_rank_index(*counts(*related_pair(rng, n=49, dim=4, noise=2.0)))
    assert "fewer than 50" in few.reason


def test_no_interval_where_candidates_were_not_counted(rng):
    better, tied, _ = counts(*related_pair(rng, n=60, dim=4, noise=2.0))
    assert "for each candidate the rows whose partner it beats" in mean_rank_index(better, tied).reason
    pool = mean_rank_index(better, tied, n_unrelated=60 * 30)
    assert "pool of candidates" in pool.reason
