"""LaTeX to paste: no package, and no name that does anything but stand there."""

from __future__ import annotations

import re

import pytest

from core.report.audit_document import document
from core.report.names import shown_name, visible
from core.report.to_latex import to_latex
from tests.arrays import audited
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

#: What each command that may stand for a character prints.
PRINTED = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\texttt{\char34}": '"',
    r"\ldots{}": "…",
    r"\textendash{}": "–",
    r"\textemdash{}": "—",
    r"\textquotedblleft{}": "“",
    r"\textquotedblright{}": "”",
    r"\textquoteleft{}": "‘",
    r"\textquoteright{}": "’",
    r"$-$": "−",
    r"$\times$": "×",
    r"$\pm$": "±",
    r"\{": "{",
    r"\}": "}",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\_": "_",
    r"\%": "%",
}
TOKEN = re.compile("|".join(re.escape(command) for command in sorted(PRINTED, key=len, reverse=True)))
BARE = set("\\{}$&#^_~%")


def literal(source):
    """What TeX prints for the text, provided that every special character was given by a command."""
    rest = TOKEN.sub("", source)
    assert not BARE & set(rest), f"bare {BARE & set(rest)} in {source!r}"
    return TOKEN.sub(lambda match: PRINTED[match[0]], source)


def lines_of(text):
    return [line.removesuffix(r" \\").split(" & ") for line in text.split("\n") if line.endswith(r" \\")]


def test_every_cell_of_the_document_is_there(ordinary):
    printed = [[literal(cell) for cell in line] for line in lines_of(to_latex(document(ordinary)))]
    expected = []
    for table in document(ordinary).tables:
        expected.append(["", *table.columns])
        expected.extend([row.label, *row.cells] for row in table.rows)
    assert printed == expected


def test_reading_warning_and_notices_are_in_it(pair):
    pair[0][:, 0] += 20
    result = audited(*pair, shared_mean=True)
    worded = document(result)
    blocks = to_latex(document(result)).split("\n\n")
    opening = [worded.headline, worded.reading, worded.verdict]
    assert [literal(block) for block in blocks[1:6]] == [*opening, worded.warning, *worded.note]
    items = re.findall(r"\\item(.*)", to_latex(document(result)))
    assert [literal(item.removeprefix("{} ")) for item in items] == [*worded.limits, *worded.notices]
    assert literal(blocks[-2]) == worded.methods


def test_environments_are_balanced(ordinary):
    text = to_latex(document(under_the_name(ordinary, "x.npy")))
    for name in ("tabular", "itemize"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") > 0


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_printed_as_typed(ordinary, name):
    text = to_latex(document(under_the_name(ordinary, name)))
    rows = [line for line in lines_of(text) if line[0] in {"A", "fit A"} and len(line) == 5]
    assert [literal(row[1]) for row in rows] == [shown_name(name)] * 2


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_printed_as_typed_in_a_notice(ordinary, name):
    item = re.findall(r"\\item(.*)", to_latex(document(under_the_name(ordinary, name))))[-1]
    assert not item.lstrip().startswith("["), "a bracket right after the command would be its label"
    assert literal(item.removeprefix("{} ")) == f"{visible(name)}: 2 of 60 rows are exact duplicates."


def test_a_line_break_in_a_table_is_not_followed_by_a_length(ordinary):
    r"""``\\`` takes ``[2cm]`` or ``*`` on the next line for its own argument."""
    assert not re.search(r"\\\\\s*[\[*]", to_latex(document(ordinary)))


def test_every_command_works_without_a_package(ordinary):
    r"""``\textquotedbl`` and its kin exist in the T1 encoding only and stop a plain document."""
    for name in HOSTILE_NAMES.values():
        assert r"\textquotedbl" not in to_latex(document(under_the_name(ordinary, name)))
