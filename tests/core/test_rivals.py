"""Best rivals, against the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.evidence import prepared_rows
from core.rivals import best_in_b, best_rivals, candidates_below, named_back
from core.rows import UnitRows
from core.sweep import CENTRED, make_ready, sweep
from tests.arrays import related_pair
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


@pytest.mark.parametrize("block_elements", [4_000_000, 200, 1])
def test_a_sample_is_named_back_as_in_the_whole_pass(pair, block_elements):
    a, b = map(UnitRows, pair)
    whole = best_rivals(a, b)
    asked = np.array([0, 3, 4, 17, 39])
    named = named_back(a, b, whole.best_b, asked, block_elements=block_elements)
    assert named.tolist() == whole.mutual[asked].tolist()
    assert 0 < whole.mutual.sum() < 40


def test_the_rows_of_the_sweep_name_back_the_same(rng):
    """Its float32 rows, in place of those of the file in float64."""
    a, b = related_pair(rng, n=300, dim=16, noise=1.0)
    sides = make_ready(a, b, unit(a).mean(axis=0), unit(b).mean(axis=0), in_float32=True)
    ready = [prepared_rows(side, CENTRED) for side in (sides.a, sides.b)]
    assert ready[0][:1].dtype == np.float32
    exact = [UnitRows(side.stored, side.mean) for side in (sides.a, sides.b)]
    best, asked = best_rivals(*exact).best_b, np.arange(300)
    named = named_back(*ready, best, asked)
    assert named.tolist() == named_back(*exact, best, asked).tolist()
    assert 0 < named.sum() < 300


def test_the_audits_pass_knows_the_best_row(pair):
    a, b = pair
    sides = make_ready(a, b, unit(a).mean(axis=0), unit(b).mean(axis=0))
    swept = sweep(sides)
    assert best_in_b(swept.raw).tolist() == (unit(a) @ unit(b).T).argmax(axis=1).tolist()
    centred = [UnitRows(x, unit(x).mean(axis=0)) for x in pair]
    assert best_in_b(swept.centred).tolist() == best_rivals(*centred).best_b.tolist()


def test_equal_rows_name_the_partner_back():
    same = UnitRows(np.ones((5, 2)))
    assert named_back(same, same, np.arange(5), np.arange(5)).all()


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


def test_candidates_below_are_counted_as_in_the_whole_matrix(rng):
    a, b = rng.standard_normal((40, 5)), rng.standard_normal((40, 5))
    rows, partners = np.array([3, 9, 39]), np.array([0, 9, 12])
    scores = (a / np.linalg.norm(a, axis=1)[:, None]) @ (b / np.linalg.norm(b, axis=1)[:, None]).T
    wanted = [np.sum(scores[i] < scores[i, j]) / 39 for i, j in zip(rows, partners, strict=True)]
    for elements in (20, 10**6):
        found = candidates_below(UnitRows(a), UnitRows(b), rows, partners, block_elements=elements)
        np.testing.assert_allclose(found, wanted)
