"""Where few scores make the permutation statistic, the normal tail of z gives way to a count."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.coinciding import FEW_MEETINGS, counted_if_few, meetings
from core.groups import Groups, groups_from_ids
from core.permutation import group_normal_test, normal_test
from core.report import document, to_markdown
from tests.arrays import audited
from tests.oracle import unit
from tests.readings import Reading


def outliers(rng, first, n=2_001, dim=4):
    """Rows around one axis, `first` of them negated on each side: they meet where they coincide."""
    a, b = (1 + 0.001 * rng.standard_normal((n, dim)) for _ in "ab")
    a[first[0]] *= -1
    b[first[1]] *= -1
    return a, b


def asked(a, b, groups=None):
    reading = Reading(a, b)
    groups = groups or Groups.alone(len(a))
    return meetings(reading.a, reading.b, reading.mean_a, reading.mean_b, groups)


def plain(a, b):
    """The participation of the scores about row and column means, from the whole matrix."""
    left, right = (rows - rows.mean(axis=0) for rows in (unit(a), unit(b)))
    squares = (left @ right.T) ** 2
    return squares.sum() ** 2 / (squares**2).sum() / len(a)


def share_as_far(a, b, draws=5_000):
    """Share of random pairings as far from their mean as the true one, from the whole matrix."""
    left, right = (rows - rows.mean(axis=0) for rows in (unit(a), unit(b)))
    scores, n, rng = left @ right.T, len(a), np.random.default_rng(99)
    drawn = np.array([scores[np.arange(n), rng.permutation(n)].sum() for _ in range(draws)])
    return np.mean(np.abs(drawn) >= abs(np.trace(scores)))


def test_meetings_against_the_whole_matrix(rng):
    for a, b in (
        outliers(rng, (slice(14), slice(14)), n=400),
        outliers(rng, (slice(3), slice(40)), n=400),
        (rng.standard_normal((400, 12)), rng.standard_normal((400, 12))),
        (np.eye(400), np.eye(400)),
    ):
        assert_allclose(asked(a, b), plain(a, b), rtol=0.4)


def test_meetings_of_groups_are_those_of_their_summed_scores(rng):
    a, b = (1 + 0.001 * rng.standard_normal((120, 4)) for _ in "ab")
    a[:6] *= -1
    b[:9] *= -1
    groups = groups_from_ids(np.repeat(np.arange(40), 3), 120)
    left, right = (unit(rows).reshape(40, -1) for rows in (a, b))
    squares = ((left - left.mean(axis=0)) @ (right - right.mean(axis=0)).T) ** 2
    assert_allclose(asked(a, b, groups), squares.sum() ** 2 / (squares**2).sum() / 40, rtol=0.1)


@pytest.mark.parametrize("population", ["gaussian", "heavy_tailed", "clustered", "uneven"])
@pytest.mark.parametrize("centred", [False, True])
def test_ordinary_populations_keep_the_normal_tail(rng, population, centred):
    def rows():
        n, dim = 2_001, 16
        if population == "gaussian":
            return rng.standard_normal((n, dim)) + 0.5
        if population == "heavy_tailed":
            return rng.standard_t(3, (n, dim)) + 0.5
        weights = np.full(10, 0.1) if population == "clustered" else np.array([0.7, 0.2, 0.06, 0.04])
        centres = 3 * rng.standard_normal((len(weights), dim))
        return centres[rng.choice(len(weights), n, p=weights)] + 0.5 * rng.standard_normal((n, dim))

    a, b = rows(), rows()
    if centred:
        a, b = unit(a) - unit(a).mean(axis=0), unit(b) - unit(b).mean(axis=0)
    assert asked(a, b) > 5 * FEW_MEETINGS


def test_one_shared_outlier_of_fourteen_no_longer_separates(rng):
    """1 of 14 meets, which 9 % of random pairings have; the normal tail says .004."""
    a, b = outliers(rng, (slice(14), slice(13, 27)))
    found = audited(a, b, n_derangements=1)
    for reading in (found.raw, found.centred):
        test = reading.evidence.test
        assert test.method == "gathered"
        assert test.n_permutations == 999
        assert test.z > 2.5
        expected = share_as_far(a, b) if reading is found.raw else None
        assert 0.03 < test.pvalue < 0.13
        if expected is not None:
            assert abs(test.pvalue - expected) < 5 * (expected / 1000) ** 0.5
            assert (reading.evidence.verdict.outcome == "underpowered") == (test.pvalue > 0.05)
    words = to_markdown(document(found))
    assert "999 permutations, for few scores decide" in words
    assert "normal tail of z, not a count" not in words


def test_one_outlier_that_meets_is_as_rare_as_one_in_the_draws_can_say(rng):
    a, b = outliers(rng, ([5], [5]))
    test = audited(a, b, n_derangements=1).raw.evidence.test
    assert test.z > 30
    assert 1 / 1000 <= test.pvalue <= 4 / 1000


def test_a_count_holds_its_level_where_the_normal_tail_does_not(monkeypatch):
    hits = {"normal": 0, "gathered": 0}
    monkeypatch.setattr("core.coinciding._MOST", 199)
    rng = np.random.default_rng(5)
    a, b = outliers(rng, (slice(5), slice(5)), n=260, dim=2)
    for draw in range(200):
        reading = Reading(a, b[rng.permutation(260)])
        left, right = (rows - rows.mean(axis=0) for rows in (unit(a), reading.b[:]))
        linked, squares = float(np.sum(left * right)), float(((left @ right.T) ** 2).sum())
        test = normal_test(linked, squares, 260)
        hits["normal"] += test.pvalue <= 0.05
        sides = (reading.a, reading.b, reading.mean_a, reading.mean_b, Groups.alone(260))
        counted = counted_if_few(test, *sides, np.random.default_rng(draw))
        assert counted.method == "gathered"
        hits["gathered"] += counted.pvalue <= 0.05
    assert hits["gathered"] <= 200 * 0.05 + 3.3 * (200 * 0.05 * 0.95) ** 0.5
    assert hits["normal"] > hits["gathered"]


def test_groups_are_counted_whole(rng):
    a, b = (np.ones((150, 4)) for _ in "ab")  # without noise all pairings in which they meet tie
    a[:3] *= -1
    b[:3] *= -1
    groups = groups_from_ids(np.repeat(np.arange(50), 3), 150)
    reading = Reading(a, b)
    sides = (reading.a, reading.b, reading.mean_a, reading.mean_b, groups)
    test = group_normal_test(*sides, gap_pairs=147.0)
    assert test.pvalue < 1e-9
    counted = counted_if_few(test, *sides, np.random.default_rng(0))
    assert counted.n_permutations == 999
    assert 0.008 < counted.pvalue < 0.04  # one group in fifty
    assert counted.z == test.z


def test_the_same_seed_counts_the_same(rng):
    a, b = outliers(rng, (slice(14), slice(13, 27)))
    one, again, other = (audited(a, b, n_derangements=1, seed=seed).raw.evidence.test for seed in (3, 3, 4))
    assert one == again
    assert one.pvalue != other.pvalue
