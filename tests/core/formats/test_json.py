import gzip
import json
import tracemalloc

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


@pytest.mark.parametrize("end", [".json", ".json.gz"])
@pytest.mark.parametrize(
    ("document", "options"),
    [
        ({"a": [[1, 2]] * 3, "b": [[3, 4]] * 3}, ("a", "b")),
        ({"a": [[1, 2]] * 3, "b.c": [[3, 4]] * 3}, ("a", "b.c")),
        ({"emb": {"float": [[1, 2]] * 3, "int8": [[3, 4]] * 3}, "texts": ["x"] * 3}, ("emb.float", "emb.int8")),
        ({"x": {"emb": [[1, 2]] * 3}, "y": {"emb": [[3, 4]] * 3}}, ("x.emb", "y.emb")),
        ({"a": [{"v": [1, 2]}] * 3, "b": [{"v": [3, 4]}] * 3}, ("a", "b")),
    ],
)
def test_one_of_several_lists_of_vectors_is_offered_and_chosen(document, options, end):
    data = json.dumps(document).encode()
    data = gzip.compress(data) if end.endswith(".gz") else data
    with pytest.raises(ChoiceNeeded, match="several names") as question:
        read_array(data, f"a{end}")
    assert question.value.choice == "key"
    assert question.value.options == options
    for key, row in zip(options, ([1, 2], [3, 4]), strict=True):
        assert read_array(data, f"a{end}", ReadChoices(key=key)).array.tolist() == [row] * 3
    with pytest.raises(ChoiceNeeded, match="no list of vectors called z") as question:
        read_array(data, f"a{end}", ReadChoices(key="z"))
    assert question.value.options == options


def test_a_key_chooses_beside_the_usual_names():
    data = json.dumps({"embeddings": [[1, 2]] * 3, "other": [[3, 4]] * 3}).encode()
    assert read_array(data, "a.json", ReadChoices(key="other")).array.tolist() == [[3, 4]] * 3


@pytest.mark.parametrize("text", ["[[1, 2], [3, 4]]", '{"v": [1]}\n{"v": [2]}', '{"v": [1, 2]}'])
def test_a_key_where_there_is_none_to_choose_is_refused(text):
    with pytest.raises(FormatError, match="there is no key to choose"):
        read_array(text.encode(), "a.json", ReadChoices(key="v"))


@pytest.mark.parametrize("before", ["", "[[1, 2], ", "[" + "[1, 2, 3], " * 60])
def test_a_list_longer_than_any_vector_is_refused_before_it_is_decoded(monkeypatch, before):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 100)
    monkeypatch.setattr("core.formats.json.JsonText", None)
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


@pytest.mark.parametrize("text", ["[[], [1.5, 2], [3, 4.5]]", '[{"v": []}, {"v": [1.5, 2]}, {"v": [3, 4.5]}]'])
def test_an_empty_first_vector_is_the_odd_one(text):
    with pytest.raises(FormatError, match=r"row 0 .* has no numbers, where row 1 has 2"):
        read_array(text.encode(), "a.json")


_LONG = [[k / 4, -k] for k in range(40)]


@pytest.mark.parametrize(
    "document",
    [
        {"texts": ["x"] * 40, "embeddings": _LONG},
        {"meta": {"model": "m"}, "out": {"emb": _LONG}},
        {"data": [{"embedding": row, "index": k} for k, row in reversed(list(enumerate(_LONG)))]},
        {"columns": ["dim_0", "dim_1"], "index": list(range(40)), "data": _LONG},
        {"embeddings": [_LONG]},
        {str(k): {"embedding": row} for k, row in enumerate(_LONG)},
        {"a": {"b": {"c": _LONG}}},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_long_list_in_an_object_is_read_as_a_short_one_is(monkeypatch, document, indent):
    data = json.dumps(document, indent=indent).encode()
    whole = read_array(data, "a.json")
    monkeypatch.setattr(limits, "JSON_LIST_HELD", 3)
    pieces = read_array(data, "a.json")
    assert pieces.array.tolist() == whole.array.tolist() == _LONG
    assert pieces.words == whole.words


@pytest.mark.parametrize(
    "text", ['{"e":[[1,2],[3,4]', '{"e":[[1,2],[3,4', '{"e":[[1,2],[3,4]]', '{"e":[[1,2],', '{"e"']
)
def test_an_object_that_ends_in_its_long_list_was_cut_short(monkeypatch, text):
    monkeypatch.setattr(limits, "JSON_LIST_HELD", 1)
    with pytest.raises(FormatError, match="cut short"):
        read_array(text.encode(), "a.json")


@pytest.mark.parametrize(
    "text", ['{"e":[[1,2] [3,4]]}', '{"e":[[1,2],[3,4]] 5}', '{"e":[[1,2],,[3,4]]}', "{5:[[1,2],[3,4]]}"]
)
def test_what_is_not_json_in_an_object_is_told_by_its_place(monkeypatch, text):
    monkeypatch.setattr(limits, "JSON_LIST_HELD", 1)
    with pytest.raises(FormatError, match=r"not valid JSON: it stops making sense at line 1, column \d"):
        read_array(text.encode(), "a.json")


def test_an_object_of_lists_takes_at_most_twelve_times_its_text():
    data = f'{{"e": [{",".join(["[0.1]"] * 100_000)}], "text": "\N{GRINNING FACE}"}}'.encode()
    tracemalloc.start()
    try:
        assert read_array(data, "a.json").shape == (100_000, 1)
        assert tracemalloc.get_traced_memory()[1] < 12 * len(data)
    finally:
        tracemalloc.stop()


def test_short_vectors_under_names_take_at_most_twelve_times_their_text_and_what_is_free(monkeypatch):
    monkeypatch.setattr(limits, "FREE_JSON_BYTES", 5_000_000)
    data = ("{" + ",".join(f'"{k}":[0.1,0.2]' for k in range(20_000)) + "}").encode()
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="times its size to be read as JSON"):
            read_array(data, "a.json")
        assert tracemalloc.get_traced_memory()[1] < 12 * len(data) + 5_000_000
    finally:
        tracemalloc.stop()


def test_a_long_object_among_several_is_taken_apart_like_one_alone(monkeypatch):
    monkeypatch.setattr(limits, "JSON_LONG_VALUE", 10)
    monkeypatch.setattr(limits, "FREE_JSON_BYTES", 1_000)
    record = json.dumps({"embedding": [0.25] * 100})
    assert read_array(f"{record}\n{record}".encode(), "a.jsonl").shape == (2, 100)
    many = json.dumps({f"doc_{k}": [1] for k in range(1_000)})
    with pytest.raises(LimitError, match="times its size to be read as JSON"):
        read_array(f"{many} {record}".encode(), "a.jsonl")


def test_an_object_whose_parts_would_take_too_much_memory_is_refused(monkeypatch):
    data = json.dumps({f"doc_{k}": [1] for k in range(1_000)}).encode()
    assert read_array(data, "a.json").shape == (1_000, 1)
    monkeypatch.setattr(limits, "FREE_JSON_BYTES", 1_000)
    with pytest.raises(LimitError, match="times its size to be read as JSON"):
        read_array(data, "a.json")


def test_more_names_than_a_table_has_columns_are_rows(monkeypatch):
    monkeypatch.setattr(limits, "MAX_TABLE_COLUMNS", 5)
    rows = {f"e_{k}": [k, 0.5] for k in range(6)}
    assert read_array(json.dumps(rows).encode(), "a.json").shape == (6, 2)
    with pytest.raises(LimitError, match="6 columns; 5 are read at most"):
        read_array(json.dumps({f"dim_{k}": [k, 0.5] for k in range(6)}).encode(), "a.json")


def blank_words(lines, end="\n"):
    return [word.text for word in read_array(end.join(lines).encode(), "x.jsonl").words if word.code == "blank_lines"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank", ["", "   "])
@pytest.mark.parametrize("row", ['{"embedding": [0.5, 1.5]}', "[0.5, 1.5]"])
def test_blank_lines_between_json_lines_are_said_with_the_first(row, blank, end):
    (one,) = blank_words([row, row, blank, row, ""], end)
    assert one == "1 blank line between rows was skipped (line 3 of the file); no row was made of it."
    (three,) = blank_words([row, blank, row, blank, blank, row], end)
    assert three.startswith("3 blank lines between rows were skipped (the first is line 2 of the file)")


@pytest.mark.parametrize(
    "lines",
    [["[1.5, 2]", "[2.5, 3]", "", ""], ["", "[1.5, 2]", "[2.5, 3]"], ["[1.5,", "", "2] [2, 3]"]],
)
def test_blank_lines_elsewhere_are_no_lost_rows(lines):
    assert blank_words(lines) == []
