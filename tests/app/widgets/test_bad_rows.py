"""Leaving out bad rows: offered with its count, and agreed to for the very files on the page."""

import numpy as np
import pytest


def spoilt(rows, *bad):
    """A copy with NaN in some rows."""
    rows = rows.copy()
    rows[list(bad)] = np.nan
    return rows


def box(page):
    return page.app.checkbox(key="drop_bad_rows")


def settings_of_the_run(page):
    return page.app.session_state["cosine_floor_result"].audit.settings


@pytest.fixture
def ticked(page, pair):
    """B holds two bad rows, and the box is ticked for it."""
    page.drop("a", pair[0]).drop("b", spoilt(pair[1], 3, 7), "bad.npy")
    box(page).check().run()
    assert box(page).value is True
    return page


def test_another_bad_file_has_to_be_agreed_to_anew(ticked, pair):
    ticked.press("replace_b").drop("b", pair[1], "good.npy")
    assert not [one for one in ticked.app.checkbox if one.key == "drop_bad_rows"]
    ticked.press("replace_b").drop("b", spoilt(pair[1], *range(30)), "other.npy")
    assert box(ticked).value is False
    ticked.press("run")
    assert "other.npy" in ticked.errors[0]


def test_a_bad_file_in_place_of_another_is_not_left_out_without_a_word(ticked, pair):
    ticked.press("replace_b").drop("b", spoilt(pair[1], 4), "bad.npy")
    assert box(ticked).value is False
    box(ticked).check().run()
    ticked.press("run")
    assert ticked.app.session_state["cosine_floor_result"].audit.dropped_rows == 1


def test_a_second_bad_file_beside_the_first_has_to_be_agreed_to(ticked, pair):
    ticked.press("replace_a").drop("a", spoilt(pair[0], 9))
    assert box(ticked).value is False
    assert "3 pairs" in box(ticked).label


def test_the_same_file_read_in_another_way_has_to_be_agreed_to(page, pair):
    stack = np.stack([spoilt(pair[1], 2), spoilt(pair[1], 5, 6)])
    page.drop("a", pair[0]).drop("b", stack, "layers.npy")

    def layer(number):
        next(one for one in page.app.selectbox if one.key.startswith("choice_b_layer")).set_value(number).run()

    layer("0")
    box(page).check().run()
    layer("1")
    assert box(page).value is False
    layer("0")
    assert box(page).value is True


def test_the_very_file_agreed_to_may_come_back(ticked, pair):
    ticked.press("replace_b").drop("b", pair[1], "good.npy")
    ticked.press("replace_b").drop("b", spoilt(pair[1], 3, 7), "bad.npy").press("run")
    assert box(ticked).value is True
    assert settings_of_the_run(ticked).drop_bad_rows is True


def test_taking_the_tick_away_takes_it_from_every_file(ticked, pair):
    box(ticked).uncheck().run()
    ticked.press("replace_b").drop("b", spoilt(pair[1], 4))
    box(ticked).check().run()
    ticked.press("replace_b").drop("b", spoilt(pair[1], 3, 7), "bad.npy")
    assert box(ticked).value is False


def test_the_tick_survives_a_change_of_page(ticked):
    ticked.open("method.py").open("audit.py")
    assert box(ticked).value is True


def test_a_link_agrees_for_its_own_files_only(ticked, page_at, pair, npy):
    from tests.app.test_shared_link import link_on

    parameters = link_on(ticked.press("run"))
    assert parameters["set.drop_bad_rows"] == "1"
    other = page_at(parameters).drop("a", pair[0]).drop("b", spoilt(pair[1], 4), "other.npy")
    assert box(other).value is False
    other.press("replace_b").drop("b", spoilt(pair[1], 3, 7), "bad.npy")
    assert box(other).value is True
    assert other.app.session_state["cosine_floor_result"].audit.n == 38


@pytest.mark.parametrize(
    ("bad", "label"),
    [
        ({"b": (3,)}, "Leave out the 1 pair with NaN, infinite or zero rows, on both sides"),
        ({"fit_a": (1, 2)}, "Leave out the 2 fit rows of A with NaN, infinity or only zeros"),
        ({"fit_b": (0,)}, "Leave out the 1 fit row of B with NaN, infinity or only zeros"),
        (
            {"fit_a": (0,), "fit_b": (1, 2)},
            "Leave out the 1 fit row of A and 2 fit rows of B with NaN, infinity or only zeros",
        ),
        (
            {"a": (1,), "b": (1, 2), "fit_a": (0, 1, 2)},
            "Leave out the 2 pairs with NaN, infinite or zero rows, on both sides, and such fit rows: 3 of A",
        ),
    ],
)
def test_the_box_says_which_rows_and_how_many(page, pair, bad, label):
    given = {"a": pair[0], "b": pair[1], "fit_a": pair[0] * 2, "fit_b": pair[1] * 2}
    for side, rows in given.items():
        page.drop(side, spoilt(rows, *bad.get(side, ())))
    assert box(page).label == label
    box(page).check().run()
    page.press("run")
    assert not page.errors


def test_on_two_models_too_another_bad_file_has_to_be_agreed_to(page, pair):
    page.open("two_models.py").drop("a", pair[0]).drop("b", spoilt(pair[1], 3))
    page.drop("train_a", spoilt(pair[0] + 1, 1)).drop("train_b", pair[1] + 1)

    def other_box():
        return page.app.checkbox(key="two_models_drop_bad_rows")

    label = "Leave out the 1 pair and 1 train pair with NaN, infinite or zero rows, on both sides"
    assert other_box().label == label
    other_box().check().run()
    page.open("audit.py")
    assert box(page).value is False
    page.open("two_models.py")
    assert other_box().value is True
    page.press("replace_b").drop("b", spoilt(pair[1], 8))
    assert other_box().value is False
