import numpy as np


def settings_of(page):
    return page.app.session_state["cosine_floor_settings"]


def test_what_is_set_survives_a_change_of_page(page):
    page.app.number_input(key="seed").set_value(7).run()
    page.app.number_input(key="n_derangements").set_value(5).run()
    page.app.checkbox(key="shared_mean").check().run()
    page.open("method.py").open("audit.py")
    assert page.app.number_input(key="seed").value == 7
    assert page.app.number_input(key="n_derangements").value == 5
    assert page.app.checkbox(key="shared_mean").value is True
    kept = settings_of(page)
    assert (kept.seed, kept.n_derangements, kept.shared_mean) == (7, 5, True)


def test_the_folded_panel_says_what_differs_from_the_defaults(page):
    page.app.number_input(key="seed").set_value(7).run()
    page.app.checkbox(key="shared_mean").check().run()
    assert page.app.expander[0].label == "Options: one mean, seed 7"


def test_the_settings_are_those_of_the_result(page):
    page.drop_pair()
    page.app.number_input(key="n_derangements").set_value(3).run()
    page.app.checkbox(key="shared_mean").check().run()
    page.press("run")
    audit = page.app.session_state["cosine_floor_result"].audit
    assert audit.settings.n_derangements == 3
    assert audit.settings.shared_mean is True


def test_leaving_rows_out_is_offered_only_where_rows_are_bad(page, pair):
    keys = [box.key for box in page.drop_pair().app.checkbox]
    assert "drop_bad_rows" not in keys
    a, b = pair[0].copy(), pair[1].copy()
    a[3] = np.nan
    b[[3, 8]] = 0
    page.press("replace_a").drop("a", a).press("replace_b").drop("b", b)
    box = page.app.checkbox(key="drop_bad_rows")
    assert box.label == "Leave out the 2 pairs with NaN, infinite or zero rows, on both sides"


def test_bad_rows_are_refused_until_they_are_left_out(page, pair):
    a = pair[0].copy()
    a[3] = np.nan
    page.drop("a", a).drop("b", pair[1]).press("run")
    assert "holds NaN" in page.errors[0]
    page.app.checkbox(key="drop_bad_rows").check().run()
    page.press("run")
    assert not page.errors
    audit = page.app.session_state["cosine_floor_result"].audit
    assert (audit.n, audit.dropped_rows) == (39, 1)


def test_an_unused_wish_to_leave_rows_out_does_not_age_a_result(page, pair):
    a = pair[0].copy()
    a[3] = np.nan
    page.drop("a", a).drop("b", pair[1])
    page.app.checkbox(key="drop_bad_rows").check().run()
    page.press("replace_a").drop("a", pair[0]).press("run")
    assert page.app.session_state["cosine_floor_result"].audit.settings.drop_bad_rows is False
    assert "From earlier inputs" not in page.text


def test_candidates_reach_the_audit_and_the_page_says_among_how_many(page):
    page.app.number_input(key="candidates").set_value(10).run()
    assert page.app.expander[0].label == "Options: 10 candidates"
    page.drop_pair().press("run")
    assert page.app.session_state["cosine_floor_result"].audit.raw.a_to_b.n_candidates == 10
    assert "Ranked among 10 of 40 rows, chance 1/10." in page.text.replace("\\", "")


def test_an_emptied_box_of_candidates_means_all_rows(page):
    page.app.number_input(key="candidates").set_value(10).run()
    page.app.number_input(key="candidates").set_value(None).run()
    assert settings_of(page).candidates is None
    page.open("method.py").open("audit.py")
    assert page.app.number_input(key="candidates").value is None
