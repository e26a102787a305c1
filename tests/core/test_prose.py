"""Numbers and verbs inside sentences, and how sentences begin."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from core.prose import agreed, capital, counted, signed, told

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")])


@pytest.mark.parametrize(("count", "words"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (2000, "2,000 rows")])
def test_one_thing_is_no_several(count, words):
    assert counted(count, "row") == words


@pytest.mark.parametrize(("count", "verb"), [(0, "are"), (1, "is"), (2, "are")])
def test_the_verb_goes_with_the_number(count, verb):
    assert agreed(count, "is", "are") == verb


@pytest.mark.parametrize(("text", "begun"), [("", ""), ("x", "X"), ("aBC d", "ABC d"), ("Ä", "Ä"), ("3 d", "3 d")])
def test_only_the_first_letter_is_raised(text, begun):
    assert capital(text) == begun


@pytest.mark.parametrize(("value", "text"), [(-0.00001, "0.0000"), (-0.5, "−0.5000"), (0.25, "0.2500")])
def test_a_rounded_zero_has_no_sign(value, text):
    assert signed(value) == text


def _trees():
    for path in SOURCES:
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _text(node):
    """The text of a literal, the expressions of an f-string as {}."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_every_remedy_begins_as_a_sentence():
    """No function may raise a first letter later: a remedy may begin with a file name."""
    found = [
        (name, keyword.value.lineno, text)
        for name, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "remedy" and (text := _text(keyword.value))[:1].islower()
    ]
    assert found == []


def test_every_problem_that_begins_with_a_word_of_ours_is_known_to_the_page():
    from app.widgets.guard import OPENINGS

    errors = {"AuditError", "ChoiceNeeded", "FormatError", "LimitError", "PairingError", "SettingsError"}
    begun = {
        text.split()[0]
        for _, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors and node.args
        if (text := _text(node.args[0]))[:1].islower()
    }
    assert len(begun) > 5
    assert begun <= OPENINGS


#: Things that there may be one of, wherever a count of them is put into a sentence.
MAY_BE_ONE = re.compile(
    r"(?<!of )(?<!of the )(?<!all )\{\} "
    r"(seeded derangements|derangements|dimensions|fit rows|train pairs that|layers, and)"
)

#: Never one: derangements that nobody chooses.
NEVER_ONE = {"{} seeded derangements (seed {})"}


def test_no_sentence_counts_several_where_there_may_be_one():
    found = [
        (name, node.lineno, text)
        for name, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and MAY_BE_ONE.search(text := _text(node)) and text not in NEVER_ONE
    ]
    assert found == []


def test_the_first_few_are_told_and_the_others_counted():
    assert told(["a", "b", "c"]) == "a; b; c"
    assert told(list("abcde")) == "a; b; c; and 2 more"
    assert told(list("abcde"), ", ") == "a, b, c and 2 more"
    assert told([], ", ") == ""
