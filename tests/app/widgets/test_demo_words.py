import pytest

from app.state import Demo
from app.widgets.demo_words import STEPS, figure, found, happened, labels
from core.demo import compare


@pytest.fixture
def sentence_for(pair):
    scored = compare(*pair)

    def worded(demo):
        now = scored.standing(shuffle=demo.shuffle, size=demo.size)
        return happened(demo, now, scored.standing(size=demo.size), scored.standing(shuffle=demo.shuffle))

    return worded


@pytest.mark.parametrize("last", [None, "shuffle", "put_back", "choose", "slide"])
@pytest.mark.parametrize("shuffle", [0, 3])
@pytest.mark.parametrize("size", [0.0, 1.2])
def test_whatever_was_pressed_last_one_sentence_says_what_it_did(sentence_for, last, shuffle, size):
    said = sentence_for(Demo(shuffle=shuffle, size=size, last=last))
    assert said.endswith(".")
    assert last is None or said.count(". ") == 0


def test_pairs_are_called_matched_only_while_they_are(sentence_for):
    assert labels(Demo()) == ("matched", "all others")
    assert labels(Demo(shuffle=1)) == ("shuffled", "all others")
    assert "matched" not in sentence_for(Demo(shuffle=1, size=1.0, last="slide"))


def test_found_partners_are_counted_in_rows_and_a_stranger_is_no_partner(sentence_for):
    said = sentence_for(Demo(shuffle=3, last="shuffle"))
    assert "the stranger ranks first for" in said
    assert "of 40 rows, where the partner did for" in said
    assert "%" not in said
    assert (found(Demo()), found(Demo(shuffle=1))) == ("partner", "stranger")


@pytest.mark.parametrize(("value", "text"), [(3.4e-5, "0.0000"), (-3.4e-5, "0.0000"), (-0.01, "−0.0100")])
def test_a_room_compares_digits_in_one_place(value, text):
    assert figure(value) == text


def test_each_step_says_what_to_do_first():
    assert [step[:4] for step in STEPS.values()] == ["**1 ", "**2 ", "**3 "]
