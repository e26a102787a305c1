import json

import pytest

from core.errors import ChoiceNeeded, FormatError
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
