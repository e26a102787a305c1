"""No report lets a file name act on the text around it; the JSON alone holds it raw."""

from __future__ import annotations

import pytest

from core.report import RENDERERS, document
from tests.core.report.hostile_names import HOSTILE_NAMES, under_the_name

#: What would move, hide or break the text: direction marks, zero widths, line breaks, a lone surrogate.
ACTING = set("\u202e\u2066\u200b\ufeff\u2028\r\t\udce9")


def test_the_names_try_every_one_of_them():
    assert set("".join(HOSTILE_NAMES.values())) >= ACTING


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "html"])
@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_no_character_acts_instead_of_being_seen(ordinary, form, name):
    text = RENDERERS[form](document(under_the_name(ordinary, name)))
    assert not ACTING & set(text)


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "html"])
def test_a_name_adds_no_line(ordinary, form):
    plain = RENDERERS[form](document(under_the_name(ordinary, "a.npy"))).count("\n")
    for name in HOSTILE_NAMES.values():
        assert RENDERERS[form](document(under_the_name(ordinary, name))).count("\n") == plain
