"""With a pool of candidates every text that gives a rank says among whom."""

import numpy as np
import pytest

from core.report import RENDERERS
from core.report.audit_document import document as audit_document
from tests.arrays import audited, related_pair

SCOPE = "ranked among 30 of 200 rows, chance 1/30"


@pytest.fixture(scope="module")
def document():
    pair = related_pair(np.random.default_rng(4), 200, 8)
    return audit_document(audited(*pair, candidates=30))


def test_the_methods_the_results_and_the_figure_name_the_pool(document):
    assert SCOPE in document.methods
    (figure,) = (one for one in document.figures if one.name == "partner_ranked_first")
    assert SCOPE in figure.title
    assert SCOPE in figure.description
    (results,) = (table for table in document.tables if table.title.startswith("Results with 95% intervals"))
    assert SCOPE in results.title


@pytest.mark.parametrize("name", ["markdown", "latex", "csv", "html"])
def test_each_format_says_it_beside_the_interval(document, name):
    assert RENDERERS[name](document).count("30 of 200 rows") >= 2


def test_without_a_pool_nobody_is_named():
    pair = related_pair(np.random.default_rng(4), 200, 8)
    document = audit_document(audited(*pair))
    assert "ranked among" not in document.methods
    assert all("ranked among" not in table.title for table in document.tables)
