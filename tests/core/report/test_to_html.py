"""The HTML report: one file that stands by itself, in which nothing runs and no name acts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from core.report.audit_document import document
from core.report.document import Document
from core.report.names import shown_name
from core.report.to_html import to_html
from tests.arrays import audited
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name


def page(words):
    """The page, read by a parser that takes no nonsense: what is written is also XML."""
    return ET.fromstring(to_html(words))  # noqa: S314 - our own output


def text_of(element):
    return " ".join("".join(element.itertext()).split())


@pytest.fixture(scope="module")
def worded(ordinary):
    return document(ordinary)


@pytest.fixture(scope="module")
def read(worded):
    return page(worded)


def test_everything_the_document_says_stands_on_the_page(worded, read):
    body = text_of(read.find("body"))
    for text in (worded.title, worded.subject, worded.reading, worded.warning, *worded.note, *worded.notices):
        assert " ".join(text.split()) in body
    assert worded.command in text_of(read.find(".//pre"))
    assert [text_of(part) for part in read.iter("dd")] == [digest for _, digest in worded.fingerprints]
    assert len(worded.fingerprints[0][1]) == 64


def test_every_table_is_there_cell_by_cell(worded, read):
    tables = list(read.iter("table"))
    assert len(tables) == len(worded.tables)
    titles = {heading.get("id"): text_of(heading) for heading in read.iter("h3")}
    for shown, table in zip(tables, worded.tables, strict=True):
        assert titles[shown.get("aria-labelledby")] == table.title
        assert [text_of(cell) for cell in shown.findall("thead/tr/th")] == list(table.columns)
        rows = [(text_of(row.find("th")), tuple(map(text_of, row.findall("td")))) for row in shown.findall("tbody/tr")]
        assert rows == [(row.label, tuple(cell or "—" for cell in row.cells)) for row in table.rows]


def test_headings_of_rows_and_columns_say_what_they_head(read):
    assert {cell.get("scope") for cell in read.findall(".//thead/tr/th")} == {"col"}
    assert {cell.get("scope") for cell in read.findall(".//tbody/tr/th")} == {"row"}


def test_the_page_has_a_language_a_title_and_headings_in_order(worded, read):
    assert read.get("lang") == "en"
    assert read.find("head/title").text == worded.title
    levels = [int(element.tag[1]) for element in read.iter() if re.fullmatch(r"h\d", str(element.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_no_two_elements_share_an_id_and_every_reference_leads_somewhere(read):
    ids = Counter(element.get("id") for element in read.iter() if element.get("id"))
    assert set(ids.values()) == {1}
    named = {name for element in read.iter() for name in (element.get("aria-labelledby") or "").split()}
    assert named <= set(ids)


def test_the_figures_are_drawn_inside_the_page(worded, read):
    assert [text_of(caption) for caption in read.iter("figcaption")] == [figure.title for figure in worded.figures]
    assert len(list(read.iter("svg"))) == len(worded.figures) == 3


def test_nothing_runs_and_nothing_is_fetched(worded):
    text = to_html(worded)
    assert not re.search(r"http(?!-equiv)|<script|javascript|href|src=|url\(|@import|\son\w+=|<iframe|<object", text)


def test_the_page_forbids_it_as_well(read):
    (policy,) = [meta.get("content") for meta in read.iter("meta") if meta.get("http-equiv")]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == "'unsafe-inline'"
    assert rules["img-src"] == "data:"
    assert "script-src" not in rules


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_text_and_changes_no_element(ordinary, name):
    plain, hostile = (page(document(under_the_name(ordinary, given))) for given in ("a.npy", name))
    assert [(e.tag, sorted(e.keys())) for e in hostile.iter()] == [(e.tag, sorted(e.keys())) for e in plain.iter()]
    inputs = list(hostile.iter("table"))[-1]
    assert inputs.find("tbody/tr/td").text == shown_name(name)


def test_what_is_missing_leaves_no_empty_part(pair):
    bare = Document(title="T", reading="R", warning="", note=(), tables=(), notices=(), data={})
    found = page(bare)
    assert [text_of(heading) for heading in found.iter("h2")] == ["The reading"]
    assert not list(found.iter("figure"))
    assert not list(found.iter("pre"))


def test_a_centred_reading_that_is_undefined_is_drawn_without_it(pair):
    words = document(audited(*pair, pair[0][:1]))
    assert text_of(page(words)).count("undefined") > 10


def test_verdict_limits_and_methods_have_their_places(worded):
    said = {"headline": "Found.", "verdict": "It holds.", "methods": "By counting."}
    found = page(replace(worded, **said, limits=("Not why.", "Not for others.")))
    assert text_of(found.find(".//section[@class='finding']")) == f"The verdict Found. {worded.reading} It holds."
    parts = {text_of(part.find("h2")): part for part in found.iter("section")}
    assert [text_of(item) for item in parts["What this cannot say"].iter("li")] == ["Not why.", "Not for others."]
    assert text_of(parts["Methods"].find("p")) == "By counting."


def test_any_text_of_a_document_is_escaped(worded):
    sign = "<b>&amp; \"x\" 'y'"
    one = dict.fromkeys(("title", "subject", "reading", "warning", "command", "methods"), sign)
    one |= {"headline": f"1 {sign}", "verdict": f"2 {sign}"}  # what is said twice is shown once
    several = dict.fromkeys(("note", "limits", "notices"), (sign,))
    hostile = replace(worded, **one, **several, fingerprints=((sign, sign),))
    assert text_of(page(hostile).find("body")).count(sign) == 13
