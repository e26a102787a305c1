"""Partner ranked first, and what ties do to it: against enumeration of all tie-breaks."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.ranks import TIE, hubs, partner_ranks
from tests.arrays import audited, random_rotation, related_pair
from tests.oracle import first_shares, unit


def shares(better, tied, n_candidates=9):
    return partner_ranks(np.array(better, dtype=np.int64), np.array(tied, dtype=np.int64), n_candidates=n_candidates)


@pytest.mark.parametrize(("better", "tied"), list(product(range(3), range(4))))
def test_one_row_against_every_way_of_breaking_its_ties(better, tied):
    """Among `better` candidates above and `tied` beside it, how often does the partner come first?"""
    line_ups = [("above",) * better + order for order in permutations(["partner", *range(tied)])]
    wins = [line_up[0] == "partner" for line_up in line_ups]

    found = shares([better], [tied])

    assert_allclose(found.expected, np.mean(wins))
    assert found.optimistic == max(wins)
    assert found.pessimistic == min(wins)


def test_only_ties_for_the_first_place_are_counted_as_tied():
    found = shares(better=[0, 0, 1, 2], tied=[0, 2, 3, 0])
    assert found.tied == 1
    assert_allclose([found.optimistic, found.expected, found.pessimistic], [2 / 4, (1 + 1 / 3) / 4, 1 / 4])


def test_chance_is_one_in_the_number_of_candidates():
    assert shares([0], [0], n_candidates=250).chance == 1 / 250


def as_figures(ranks):
    return [ranks.optimistic, ranks.expected, ranks.pessimistic, ranks.tied]


def assert_ranks_of(result, scores):
    assert_allclose(as_figures(result.a_to_b), list(first_shares(scores).values()), rtol=1e-14)
    assert_allclose(as_figures(result.b_to_a), list(first_shares(scores.T).values()), rtol=1e-14)


def test_both_directions_against_a_full_matrix(rng):
    a, b = related_pair(rng, n=60, noise=1.5)
    raw = audited(a, b).raw
    assert_ranks_of(raw, unit(a) @ unit(b).T)
    assert raw.a_to_b.expected != raw.b_to_a.expected, "the pair must tell the directions apart"


def test_duplicate_candidates_share_the_credit(rng):
    """Rows 0 to 2 of B are one row; whichever of them stands first in the file must not matter."""
    a, b = related_pair(rng, n=30, noise=0.1)
    b[1] = b[2] = b[0]
    a[1] = a[2] = a[0]
    result = audited(a, b).raw
    assert result.a_to_b.tied == 3
    assert_allclose(result.a_to_b.optimistic - result.a_to_b.expected, 3 * (1 - 1 / 3) / 30)
    assert_ranks_of(result, unit(a) @ unit(b).T)


def test_the_order_of_the_file_does_not_decide_ties(rng):
    a, b = related_pair(rng, n=30, noise=0.1)
    b[5:15] = b[5]
    for order in (np.arange(30), np.arange(30)[::-1], rng.permutation(30)):
        assert_allclose(as_figures(audited(a[order], b[order]).raw.a_to_b), as_figures(audited(a, b).raw.a_to_b))


def test_rows_of_equal_direction_tie_whatever_their_length(rng):
    """Their cosines differ by rounding, up to 3e-16, and must still be a tie."""
    a = rng.standard_normal((40, 50))
    b = a * rng.uniform(0.1, 10, (40, 1))
    twice_a = np.vstack([a, a])
    twice_b = np.vstack([b, b * rng.uniform(0.1, 10, (40, 1))]) @ np.eye(50)
    ranks = audited(twice_a, twice_b).raw.a_to_b
    assert (ranks.optimistic, ranks.expected, ranks.pessimistic, ranks.tied) == (1, 0.5, 0, 80)


@pytest.mark.parametrize(("angle", "tied"), [(2e-5, 0), (4e-7, 1)], ids=["2e-10 apart: decided", "8e-14 apart: a tie"])
def test_a_difference_beyond_rounding_decides(rng, angle, tied):
    """Row 0 of A has its partner at cosine 1 and a rival at cosine 1 - angle² / 2."""
    a = np.eye(4)
    b = np.eye(4)
    b[1] = a[0] + angle * a[1]
    turn = random_rotation(rng, 4)
    assert 8e-14 < TIE < 2e-10
    ranks = audited(a @ turn, b @ turn).raw.a_to_b
    assert as_figures(ranks) == [1, 1 - tied / 8, 1 - tied / 4, tied]


def test_in_one_dimension_everything_ties():
    signs = np.array([1.0, 1.0, 1.0, -1.0, -1.0])[:, None]
    ranks = audited(3 * signs, signs).raw.a_to_b
    assert_allclose(as_figures(ranks), [1, (3 / 3 + 2 / 2) / 5, 0, 5])


def test_unrelated_rows_are_at_chance(rng):
    """400 rows: 1/400 expected; 8 hits or more would be one in 30,000."""
    ranks = audited(rng.standard_normal((400, 20)), rng.standard_normal((400, 20))).raw.a_to_b
    assert ranks.expected < 8 / 400
    assert ranks.chance == 1 / 400


def test_more_rows_than_one_block_of_scores_against_a_full_matrix(rng):
    """2,300 rows do not fit one block of scores; ties sit on both sides of every likely cut."""
    n = 2_300
    a = rng.standard_normal((n, 3))
    b = a + 0.1 * rng.standard_normal((n, 3))
    repeated = np.r_[0, 1_000:1_060, 1_999:2_003, n - 1]
    a[repeated], b[repeated] = a[7], b[7]

    raw = audited(a, b).raw

    scores = unit(a) @ unit(b).T
    own = np.diag(scores).copy()
    for ranks, own_first in ((raw.a_to_b, scores - own[:, None]), (raw.b_to_a, scores.T - own[:, None])):
        better = (own_first > 1e-12).sum(axis=1)
        equal = (np.abs(own_first) <= 1e-12).sum(axis=1) - 1
        assert_allclose(ranks.optimistic, np.mean(better == 0), rtol=1e-14)
        assert_allclose(ranks.expected, np.mean((better == 0) / (1 + equal)), rtol=1e-14)
        assert ranks.tied == np.sum((better == 0) & (equal > 0))


def test_null_spread_of_the_hits_against_all_pairings(rng):
    first = np.array([0, 0, 0, 2, 5, 5])  # the candidate each of six rows finds first
    hits = [np.sum(first == np.array(order)) for order in permutations(range(6))]
    found = hubs(np.bincount(first, minlength=6))
    assert_allclose(np.mean(hits), 1)
    assert_allclose(found.null_sd, np.std(hits), rtol=1e-12)
    assert found.most == 3
    assert found.never == 0.5


def test_one_hub_that_every_row_finds_leaves_nothing_to_chance():
    assert hubs(np.array([4, 0, 0, 0])).null_sd == 0
