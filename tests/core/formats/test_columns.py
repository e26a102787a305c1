import pytest

from core.errors import ChoiceNeeded, FormatError
from core.formats.column_kinds import Column
from core.formats.columns import select


def table(*names, kinds=None, whole=()):
    return [Column(name=name, kind=(kinds or {}).get(name, "number"), whole=name in whole) for name in names]


def test_one_column_of_vectors_wins_over_numbers():
    chosen = select(table("id", "emb", "score", kinds={"emb": "vector"}), "a", None)
    assert chosen.positions == (1,)
    assert chosen.is_vector


def test_a_numbered_run_is_put_in_the_order_of_its_numbers():
    chosen = select(table("e_0", "e_1", "e_10", *(f"e_{k}" for k in range(2, 10))), "a", None)
    assert chosen.positions == (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 2)
    assert [word.code for word in chosen.words] == ["columns_reordered"]


def test_a_run_with_a_hole_is_no_run():
    assert select(table("e_0", "e_1", "e_3", "x"), "a", None).positions == (0, 1, 2, 3)


def test_whole_numbers_beside_fractions_are_asked_about():
    with pytest.raises(ChoiceNeeded) as question:
        select(table("label", "x", "y", whole=("label",)), "a", None)
    assert question.value.choice == "columns"
    assert question.value.options == ("x,y", "label,x,y")


@pytest.mark.parametrize("wanted", ["x,nope", "nope*", "text", "", "x,emb"])
def test_a_choice_that_does_not_fit_asks_again(wanted):
    columns = table("x", "y", "emb", "text", kinds={"emb": "vector", "text": "other"})
    with pytest.raises(ChoiceNeeded):
        select(columns, "a", wanted)


def test_chosen_columns_keep_the_order_they_were_chosen_in():
    assert select(table("x", "y", "z"), "a", "z, x").positions == (2, 0)
    assert select(table("a_0", "a_1", "b_0", "b_1"), "a", "b_*").positions == (2, 3)


def test_a_table_of_texts_is_refused_with_its_columns():
    with pytest.raises(FormatError, match="name \\(other\\)"):
        select(table("name", kinds={"name": "other"}), "a", None)


def test_a_column_named_twice_is_refused():
    with pytest.raises(FormatError, match="x is chosen twice"):
        select(table("x", "y"), "a", "x,y,x")


def test_every_column_left_out_is_named():
    chosen = select(table("id", "e_0", "e_1", "t", kinds={"t": "other"}, whole=("id",)), "a", None)
    assert chosen.positions == (1, 2)
    assert [word.code for word in chosen.words] == ["columns_left_out"]
    assert "the columns id, t were left out" in chosen.words[0].text


def test_a_coordinate_without_numbers_breaks_its_run():
    with pytest.raises(FormatError, match="column e_1 is one of the coordinates e_0 to e_2"):
        select(table("e_0", "e_1", "e_2", kinds={"e_1": "other"}), "a", None)


def test_numbers_beside_a_family_are_left_out_and_named():
    for names in (["e_0", "e_1", "e_2", "score"], ["score", "0", "1", "2"], ["e[5]", "price", "e[6]", "e[7]"]):
        chosen = select(table(*names), "a", None)
        assert sorted(names[position] for position in chosen.positions) == sorted(set(names) - {"score", "price"})
        assert "was left out" in chosen.words[-1].text


def test_numbers_beside_as_many_others_are_asked_about():
    with pytest.raises(ChoiceNeeded) as question:
        select(table("lat", "lon", "v1", "v2"), "a", None)
    assert question.value.options == ("v*", "lat,lon,v1,v2")
    assert select(table("lat", "lon", "v1", "v2"), "a", "v*").positions == (2, 3)


def test_the_positions_of_a_table_without_names_are_no_family():
    columns = [Column(name=str(place), kind="number", whole=place == 0, named=False) for place in range(4)]
    with pytest.raises(ChoiceNeeded) as question:
        select(columns, "a", None)
    assert question.value.options == ("1,2,3", "0,1,2,3")


def test_decimal_numbers_as_names_are_values_and_no_counts():
    assert select(table("0", "0.1", "0.2", "0.3"), "a", None).positions == (0, 1, 2, 3)


def test_two_columns_of_one_number_are_no_family():
    assert select(table("e1", "e01", "e2", "x"), "a", None).positions == (0, 1, 2, 3)


def test_texts_before_a_bare_count_are_no_lost_coordinates():
    assert select(table("0", "1", "2", kinds={"0": "other"}), "a", None).positions == (1, 2)
    with pytest.raises(FormatError, match="column 1 is one of the coordinates 0 to 2"):
        select(table("0", "1", "2", kinds={"1": "other"}), "a", None)


@pytest.mark.parametrize(
    ("names", "positions"),
    [
        (["x", "x.1", "x.2", "x.3"], (0, 1, 2, 3)),  # pandas, of one name four times
        (["v", "v2", "v3"], (0, 1, 2)),
        (["emb", "emb_1", "emb_2"], (0, 1, 2)),
        (["x.1", "x.2", "x.3", "x"], (3, 0, 1, 2)),
        (["score", "x", "x.1", "x.2", "x.3"], (1, 2, 3, 4)),
        (["x", "x0", "x1", "x2"], (1, 2, 3)),  # nothing is missing before number 0
        (["score", "v1", "v2", "v3"], (1, 2, 3)),
    ],
)
def test_a_first_coordinate_named_as_the_others_without_a_number_is_one_of_them(names, positions):
    assert select(table(*names), "a", None).positions == positions


def test_a_column_of_fractions_before_a_run_that_begins_at_2_is_asked_about():
    with pytest.raises(ChoiceNeeded) as question:
        select(table("first", "v2", "v3", "v4"), "a", None)
    assert question.value.options == ("first,v2,v3,v4", "v*")
    assert select(table("first", "v2", "v3", "v4"), "a", "first,v2,v3,v4").positions == (0, 1, 2, 3)


def test_whole_numbers_named_as_the_coordinates_beside_them_are_asked_about():
    columns = [Column(name=name, kind="number", whole=name == "x") for name in ("x", "x.1", "x.2", "x.3")]
    with pytest.raises(ChoiceNeeded) as question:
        select(columns, "a", None)
    assert question.value.options == ("x,x.1,x.2,x.3", "x.*")
