"""The table of pairs: numbers of the files, texts beside their rows, hostile ones kept at bay."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from core.claims import worst_pairs
from core.limits import MAX_SHOWN_LABEL_CHARS
from core.report import RENDERERS
from core.report.rows_document import WorstRows, rows_csv, rows_document, rows_legend, rows_table
from tests import oracle
from tests.arrays import audited

HOSTILE = ["=1+1", "-2", "@x", "<script>", "a|b", "\u202e", "x" * 500, "![x](http://y)"]


def worst(a, b, *, count=5, order="margin", texts=((), ()), **settings):
    audit = audited(a, b, keep_rows=True, **settings)
    pairs = worst_pairs(audit.rows.raw, count=count, order=order)
    return WorstRows(audit=audit, reading="raw", order=order, pairs=pairs, texts_a=texts[0], texts_b=texts[1])


def lines_of(rows):
    return list(csv.DictReader(io.StringIO(rows_csv(rows))))


def test_the_csv_holds_the_figures_of_the_whole_matrix_unrounded(pair):
    scores = oracle.unit(pair[0]) @ oracle.unit(pair[1]).T
    lines = lines_of(worst(*pair, count=40, order="row"))
    assert [int(line["row"]) for line in lines] == list(range(40))
    for row, line in enumerate(lines):
        others = np.delete(scores[row], row)
        assert float(line["own_cosine"]) == pytest.approx(scores[row, row], abs=1e-13)
        assert float(line["best_other_cosine"]) == pytest.approx(others.max(), abs=1e-13)
        assert float(line["margin"]) == pytest.approx(scores[row, row] - others.max(), abs=1e-13)
        assert int(line["rank"]) == 1 + np.sum(others > scores[row, row])


def test_rows_are_numbered_as_in_the_files_and_texts_stay_with_them(pair):
    a, b = (side.copy() for side in pair)
    a[[0, 4]] = 0
    texts = tuple(f"a{row}" for row in range(40)), tuple(f"b{row}" for row in range(40))
    for line in lines_of(worst(a, b, count=38, texts=texts, drop_bad_rows=True)):
        assert line["row"] not in {"0", "4"}
        assert line["text_of_A"] == f"a{line['row']}"
        assert line["text_of_its_partner"] == f"b{line['row']}"
        assert line["text_of_the_best_other_row"] == f"b{line['best_other_row']}"


def test_hostile_texts_start_no_formula_and_no_markup(pair):
    texts = tuple((HOSTILE * 5)[:40])
    rows = worst(*pair, count=40, order="row", texts=(texts, ()))
    for line, text in zip(lines_of(rows), texts, strict=True):
        assert line["text_of_A"] == (f"'{text}" if text[0] in "=-@" else text)
    markdown = RENDERERS["markdown"](rows_document(rows))
    assert "<script>" not in markdown
    assert "[x](" not in markdown
    assert "\u202e" not in markdown
    assert len(max(rows_table(rows).rows[6].cells, key=len)) == MAX_SHOWN_LABEL_CHARS
    for renderer in RENDERERS.values():
        assert renderer(rows_document(rows))


def test_numbers_alone_make_a_table_of_numbers(pair):
    assert rows_table(worst(*pair)).numeric
    assert not rows_table(worst(*pair, texts=((), tuple("b" * 40)))).numeric


def test_the_json_names_what_the_csv_names(pair):
    rows = worst(*pair)
    data = json.loads(RENDERERS["json"](rows_document(rows)))
    assert list(data["rows"][0]) == list(lines_of(rows)[0])


def test_a_pool_and_groups_are_said_beside_the_ranks(pair):
    assert "among 9 of 40 rows" in rows_legend(audited(*pair, keep_rows=True, candidates=9))
    assert "own group" in rows_legend(audited(*pair, keep_rows=True, groups=np.arange(40) // 2))
    assert "among" not in rows_legend(audited(*pair))
    assert "group" not in rows_legend(audited(*pair))
