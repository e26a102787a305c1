"""What an audit keeps of each pair."""

from __future__ import annotations

import numpy as np
import pytest

from core.claims import worst_pairs
from tests import oracle
from tests.arrays import audited


def test_nothing_is_kept_unasked(pair):
    assert audited(*pair).rows is None


@pytest.mark.parametrize("reading", ["raw", "centred"])
def test_kept_rows_make_the_table_of_the_whole_matrix(pair, reading):
    a, b = pair
    sides = (oracle.unit(a), oracle.unit(b)) if reading == "raw" else oracle.centred_sides(a, b)
    scores = sides[0] @ sides[1].T
    table = worst_pairs(getattr(audited(a, b, keep_rows=True).rows, reading), count=40, order="row")
    assert [line.row for line in table] == list(range(40))
    for line in table:
        others = np.delete(scores[line.row], line.row)
        assert line.own_cosine == pytest.approx(scores[line.row, line.row], abs=1e-12)
        assert line.rank == 1 + np.sum(others > line.own_cosine + 1e-12)
        assert line.margin == pytest.approx(line.own_cosine - others.max(), abs=1e-12)
        assert scores[line.row, line.winner] == pytest.approx(others.max(), abs=1e-12)


def test_rows_keep_the_numbers_they_have_in_the_files(pair):
    a, b = (side.copy() for side in pair)
    a[[0, 9]] = np.nan
    b[20] = 0
    kept = audited(a, b, keep_rows=True, drop_bad_rows=True).rows
    assert kept.numbers.tolist() == [row for row in range(40) if row not in {0, 9, 20}]
    assert kept.raw.own[0] == pytest.approx(oracle.unit(a[1:2])[0] @ oracle.unit(b[1:2])[0])


def test_an_undefined_reading_has_no_rows():
    same = np.ones((5, 3))
    assert audited(same, np.eye(5, 3) + 1, keep_rows=True).rows.centred is None
