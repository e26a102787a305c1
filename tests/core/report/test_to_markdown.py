"""Markdown to paste: complete on its own, and every name shown as typed wherever it lands."""

from __future__ import annotations

import html
import re

import pytest

from core.report.audit_document import document
from core.report.names import shown_name, visible
from core.report.to_markdown import to_markdown
from tests.arrays import audited
from tests.core.report.copied import as_copied
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

#: Anything here would be markup if it stood bare: CommonMark, GitHub's extensions
#: (tables, strikethrough, mentions, references, maths), and HTML.
ACTIVE = set("\\`*_[]<>&|~$@#!")
PUNCTUATION = set(r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~""")


def literal(inline):
    """What a CommonMark reader shows for inline text, provided that nothing in it acts."""
    shown, place = [], 0
    while place < len(inline):
        entity = re.match(r"&(#\d{1,7}|[a-z]+);", inline[place:])
        if inline[place] == "\\" and inline[place + 1 : place + 2] in PUNCTUATION:
            shown.append(inline[place + 1])
            place += 2
        elif entity:
            shown.append(html.unescape(entity[0]))
            place += len(entity[0])
        else:
            assert inline[place] not in ACTIVE, f"bare {inline[place]!r} in {inline!r}"
            shown.append(inline[place])
            place += 1
    assert not re.search(r"https?://|www\.|:[\w+-]+:", inline), f"a link or an emoji by itself in {inline!r}"
    return "".join(shown)


def cells_of(line):
    """Cells of a table line as GitHub cuts it: at every pipe without a backslash before it."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]


def tables_of(text):
    found, current = [], []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            current.append(line)
        elif current:
            found.append(current)
            current = []
    return found


def test_every_table_of_the_document_is_there_cell_by_cell(ordinary):
    worded = document(ordinary)
    tables = tables_of(to_markdown(document(ordinary)))
    assert len(tables) == len(worded.tables)
    for lines, table in zip(tables, worded.tables, strict=True):
        assert [literal(cell) for cell in cells_of(lines[0])[1:]] == [as_copied(c) for c in table.columns]
        assert set(cells_of(lines[1])[1:]) == {"---:" if table.numeric else "---"}
        for line, row in zip(lines[2:], table.rows, strict=True):
            assert [literal(cell) for cell in cells_of(line)] == [as_copied(c) for c in (row.label, *row.cells)]


def test_it_is_complete_on_its_own(pair):
    result = audited(*pair)
    worded = document(result)
    shown = [literal(block) for block in to_markdown(document(result)).split("\n\n")[1:4]]
    assert shown == [as_copied(text) for text in (worded.headline, worded.reading, worded.verdict)]
    text = to_markdown(document(result))
    for part in (result.a.sha256[:12], result.b.sha256[:12], "b.npy", "20 seeded derangements (seed 0", "chance, 1/40"):
        assert part in text
    assert worded.title in text


def test_warning_and_note_and_notices_are_in_it(rng, pair):
    pair[0][:, 0] += 20
    result = audited(*pair, shared_mean=True)
    worded = document(result)
    assert worded.warning
    assert worded.note
    assert worded.notices
    blocks = to_markdown(document(result)).split("\n\n")
    shown = [literal(block) for block in blocks[1:6]]
    opening = (worded.headline, worded.reading, worded.verdict)
    assert shown == [as_copied(text) for text in (*opening, worded.warning, *worded.note)]
    limits = [literal(line.removeprefix("- ")) for line in blocks[7].split("\n")]
    assert limits == [as_copied(text) for text in worded.limits]
    assert as_copied(worded.methods) in [literal(block) for block in blocks if block.startswith("Cosines of")]
    listed = [literal(line.removeprefix("- ")) for line in blocks[-1].strip().split("\n")]
    assert listed == [as_copied(text) for text in worded.notices]


def test_figures_carry_the_minus_sign_of_the_keyboard(ordinary):
    assert "−" not in to_markdown(document(ordinary))


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_shown_as_typed_in_the_table_of_inputs(ordinary, name):
    text = to_markdown(document(under_the_name(ordinary, name)))
    inputs = tables_of(text)[-1]
    assert len(inputs) == 2 + 3, "one line for each input, whatever its name"
    for line in (inputs[2], inputs[4]):
        row = cells_of(line)
        assert len(row) == 5
        assert literal(row[1]) == shown_name(name).strip()


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_shown_as_typed_as_the_source_of_a_mean(ordinary, name):
    lines = to_markdown(document(under_the_name(ordinary, name))).split("\n")
    (line,) = [line for line in lines if "| mean of A |" in line]
    assert literal(cells_of(line)[1]) == f"60 rows of {shown_name(name)}".strip()


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_a_hostile_name_is_shown_as_typed_in_a_notice(ordinary, name):
    """There it stands first in a list item, where lists, headings and rules begin."""
    *_, last = to_markdown(document(under_the_name(ordinary, name))).rstrip("\n").split("\n\n")
    assert last.count("\n") == 0
    item = last.removeprefix("- ")
    assert not re.match(r"\s*([-+](\s|$)|[>#]|\d+[.)](\s|$)|[-=]+\s*$)", item), "would begin a block of its own"
    assert literal(item) == f"{visible(name)}: 2 of 60 rows are exact duplicates."
