import json

import pytest

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats import ReadChoices, read_array
from tests.core.formats.verdicts import check
from tests.hostile import GOOD, vectors_json
from tests.hostile_tables import JSON


@pytest.mark.parametrize("name", JSON)
def test_each_json_of_the_corpus_gets_its_decision(name):
    check(name, JSON[name])


def test_the_chosen_field_is_read():
    data = json.dumps([{"x": [1, 2], "y": [3, 4]}] * 3).encode()
    assert read_array(data, "a.json", ReadChoices(columns="y")).array.tolist() == [[3, 4]] * 3
    with pytest.raises(ChoiceNeeded, match="no field z") as question:
        read_array(data, "a.json", ReadChoices(columns="z"))
    assert question.value.options == ("x", "y")


def test_a_field_of_a_plain_list_is_refused_and_not_ignored():
    with pytest.raises(FormatError, match="no field x"):
        read_array(json.dumps(vectors_json(GOOD)).encode(), "a.json", ReadChoices(columns="x"))


@pytest.mark.parametrize("before", ["", "[[1, 2], ", "[" + "[1, 2, 3], " * 60])
def test_a_list_longer_than_any_vector_is_refused_before_it_is_decoded(monkeypatch, before):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 100)
    monkeypatch.setattr("core.formats.json._decode", None)
    data = f"{before or '['}[{', '.join(['0.5'] * 101)}]]".encode()
    with pytest.raises(LimitError, match=r"a\.json has a list of more than 100 values; at most 100 columns are read"):
        read_array(data, "a.json")


def test_lists_of_as_many_numbers_as_are_allowed_are_read(monkeypatch):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 100)
    assert read_array(json.dumps([[0.5] * 100] * 7).encode(), "a.json").shape == (7, 100)
    columns = {f"dim_{k}": [0.5 + k] * 300 for k in range(3)}
    assert read_array(json.dumps(columns).encode(), "a.json").shape == (300, 3)


def test_the_field_of_two_values_is_found_among_a_million_in_one_look():
    fields = ", ".join(f'"a_rather_long_name_{k}": 1' for k in range(200_000))
    with pytest.raises(FormatError, match="two fields called twice"):
        read_array(f'{{{fields}, "twice": 1, "twice": 2}}'.encode(), "a.json")
