"""What an audit cannot say: said first where it undoes the rest."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.report.audit_document import document
from core.report.limit_words import limit_sentences
from core.report.to_json import to_json
from tests.arrays import audited, related_pair


@pytest.mark.parametrize("order", [np.roll(np.arange(120), 1), np.random.default_rng(3).permutation(120)])
def test_rows_out_of_order_are_the_first_limit(rng, order):
    a, b = related_pair(rng, n=120, dim=32, noise=0.3)
    assert "rows look" in limit_sentences(audited(a, b[order], margin=0.5))[0]
    assert "rows look" not in " ".join(limit_sentences(audited(a, b, margin=0.5)))


def test_an_unknown_forced_part_of_the_centred_floor_is_null_and_said(rng):
    a, b = related_pair(rng, n=60, dim=24)
    other = rng.standard_normal((30, 24))
    found = audited(a, b, np.vstack([a[:30], other]), np.vstack([b, other]))
    data = json.loads(to_json(document(found)))["centred_floor"]
    assert data["forced"] is data["residual"] is None
    assert "fit rows of A" in data["reason"]
    assert "How much of the centred floor centring forces" in " ".join(limit_sentences(found))
    whole = audited(a, b, a, b)
    assert not whole.unknown_forced_floor
    assert whole.forced_centred_floor < 0


def test_groups_that_weigh_as_few_are_said(rng):
    a, b = related_pair(rng, n=210, dim=8)
    labels = np.repeat(np.arange(33), [60] * 3 + [1] * 30)
    assert any("count as 4.1 equal ones" in each for each in limit_sentences(audited(a, b, groups=labels)))
    alike = limit_sentences(audited(a, b, groups=np.repeat(np.arange(70), 3)))
    assert not any("equal ones" in each for each in alike)
