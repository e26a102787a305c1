"""Best rivals, against the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.rivals import best_rivals
from core.rows import UnitRows
from tests.oracle import unit


@pytest.mark.parametrize("block_elements", [4_000_000, 49, 1])
def test_rivals_against_the_whole_matrix(pair, block_elements):
    a, b = pair
    scores = unit(a) @ unit(b).T
    apart = scores.copy()
    np.fill_diagonal(apart, -9)
    found = best_rivals(UnitRows(a), UnitRows(b), block_elements=block_elements)

    assert_allclose(found.own, np.diag(scores), rtol=1e-14)
    assert found.a_to_b.row.tolist() == apart.argmax(axis=1).tolist()
    assert found.b_to_a.row.tolist() == apart.argmax(axis=0).tolist()
    assert_allclose(found.a_to_b.cosine, apart.max(axis=1), rtol=1e-13)
    assert_allclose(found.b_to_a.cosine, apart.max(axis=0), rtol=1e-13)
    assert found.best_b.tolist() == scores.argmax(axis=1).tolist()
    assert found.best_a.tolist() == scores.argmax(axis=0).tolist()


def test_mutual_rows_name_each_other(pair):
    a, b = pair
    scores = unit(a) @ unit(b).T
    expected = [scores[:, scores[i].argmax()].argmax() == i for i in range(len(a))]
    assert best_rivals(UnitRows(a), UnitRows(b)).mutual.tolist() == expected


def test_swapping_the_sides_swaps_the_directions(pair):
    a, b = map(UnitRows, pair)
    there, back = best_rivals(a, b), best_rivals(b, a)
    assert there.a_to_b.row.tolist() == back.b_to_a.row.tolist()


def test_a_partner_that_ties_is_not_beaten():
    same = UnitRows(np.ones((4, 2)))
    found = best_rivals(same, same)
    assert found.best_b.tolist() == [0, 1, 2, 3]
    assert found.mutual.all()


def test_progress_is_told_and_can_stop(pair):
    told = []
    best_rivals(*map(UnitRows, pair), progress=lambda *step: told.append(step), block_elements=400)
    assert told[-1] == (2, 2, "Looking for the best rivals")
