"""What is copied is plain ASCII but for names and labels, which stay letter by letter."""

from __future__ import annotations

import pytest

from core.claims import worst_pairs
from core.report import RENDERERS, claim_document, document, review_comment
from core.report.rows_document import WorstRows, rows_document
from tests.arrays import audited
from tests.core.report.hostile_names import under_the_name
from tests.core.report.test_claim_document import reviewed

COPIED = ("markdown", "csv", "latex")


@pytest.mark.parametrize("form", COPIED)
def test_our_own_words_are_ascii(ordinary, pair, form):
    assert RENDERERS[form](document(ordinary)).isascii()
    assert RENDERERS[form](claim_document(reviewed(pair, "-0.20", "nothing", cutoffs=("0.5",)))).isascii()


def test_a_review_comment_is_ascii_but_for_the_names(pair):
    assert review_comment(reviewed(pair, "-0.20")).isascii()


@pytest.mark.parametrize("form", ["markdown", "csv"])
@pytest.mark.parametrize("name", ["caf\u00e9 \u2013 \u201ca\u201d \u2212\u00d7.npy", "\u2026\u2019" * 60 + ".npy"])
def test_a_name_stays_as_it_is(ordinary, form, name):
    text = RENDERERS[form](document(under_the_name(ordinary, name))).replace('""', '"')
    assert (name if len(name) <= 80 else name[:79] + "\u2026") in text, "in the table of inputs"
    assert f"{name}: 2 of 60 rows" in text, "in a sentence"


@pytest.mark.parametrize("form", ["markdown", "csv"])
def test_a_label_stays_as_it_is(pair, form):
    found = audited(*pair, keep_rows=True)
    label = "\u201cq\u201d \u2212 caf\u00e9\u2026"
    listed = worst_pairs(found.rows.raw, count=2)
    rows = WorstRows(
        audit=found, reading="raw", order="margin", pairs=listed, texts_a=(label,) * 40, texts_b=(label,) * 40
    )
    assert RENDERERS[form](rows_document(rows)).count(label) == 6
