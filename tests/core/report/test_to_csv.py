"""CSV: one figure a line, numbers that are numbers, and no cell a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest

from core.report.audit_document import document
from core.report.names import shown_name, visible
from core.report.to_csv import to_csv
from tests.arrays import audited
from tests.core.report.copied import as_copied
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

#: First characters that start a formula in one spreadsheet or another.
RUNS = set("=+-@\t\r\n＝＋－＠")


def lines_of(audit):
    return list(csv.reader(io.StringIO(to_csv(document(audit))), strict=True))


def test_every_figure_of_the_document_has_a_line(ordinary):
    expected = [
        [as_copied(table.title), row.label, as_copied(column), as_copied(cell)]
        for table in document(ordinary).tables
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    ]
    lines = lines_of(ordinary)
    assert lines[0] == ["table", "row", "column", "value"]
    assert lines[1] == ["Headline", "", "", as_copied(document(ordinary).headline)]
    assert lines[2] == ["Verdict", "", "", as_copied(document(ordinary).verdict)]
    assert lines[3] == ["Reading", "", "", as_copied(document(ordinary).reading)]
    assert lines[4 : 4 + len(expected)] == expected


def test_figures_are_numbers(ordinary):
    """A minus sign in front of a figure is no formula and gets no apostrophe."""
    numeric = {as_copied(table.title) for table in document(ordinary).tables if table.numeric}
    figures = [value for title, _, column, value in lines_of(ordinary) if title in numeric and "tied" not in column]
    assert len(figures) > 20
    assert any(float(value) < 0 for value in figures if value != "undefined")


def test_undefined_figures_are_a_word(pair):
    lines = lines_of(audited(*pair, pair[0][:1]))
    assert {value for _, row, _, value in lines if row == "centred cosine"} == {"undefined"}


def test_what_is_worth_a_word_comes_last(pair):
    pair[0][:, 0] += 20
    result = audited(*pair, shared_mean=True)
    worded = document(result)
    said = [value for title, _, _, value in lines_of(result) if title == "Worth a word"]
    assert said == [as_copied(text) for text in (worded.warning, *worded.note, *worded.notices)]


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_one_cell_that_runs_nothing(ordinary, name):
    lines = lines_of(under_the_name(ordinary, name))
    assert {len(line) for line in lines} == {4}
    numeric = {as_copied(table.title) for table in document(ordinary).tables if table.numeric}
    for title, *_, value in lines:
        assert value[:1] not in RUNS or (title in numeric and float(value) < 0)
    shown = [value for title, row, column, value in lines if (title, row, column) == ("Inputs", "A", "file")]
    guarded = "'" if shown_name(name)[0] in RUNS else ""
    assert shown == [guarded + shown_name(name)]
    (notice,) = [value for title, _, _, value in lines if title == "Worth a word" and "exact duplicates" in value]
    assert notice == f"{guarded}{visible(name)}: 2 of 60 rows are exact duplicates."
