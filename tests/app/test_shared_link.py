"""A link to a result, made on one page and opened on another."""

import hashlib
import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from core import AuditSettings


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def link_on(page):
    """The parameters of the link that a page with a result gives."""
    link = next(code.value for code in page.app.code if "share=1" in code.value)
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}


def asked(page):
    """The lines of the card that says what the link asks for."""
    return [line for line in page.text.splitlines() if line.startswith(":") and "SHA-256" in line]


@pytest.fixture
def files(pair, npy):
    """A and B as the bytes of files."""
    return {side: npy(rows) for side, rows in zip("ab", pair, strict=True)}


@pytest.fixture
def asking(files):
    """The parameters of a link to an audit of these files with two settings changed."""
    digests = {side: sha256(data) for side, data in files.items()}
    return {"share": "1", **digests, "set.seed": "7", "set.margin": "0.25"}


def test_a_result_gives_a_link_with_settings_and_fingerprints_and_no_name(page, files):
    page.drop("a", files["a"], "secret client.npy").drop("b", files["b"])
    page.app.number_input(key="seed").set_value(7).run()
    page.press("run")
    assert link_on(page) == {
        "share": "1",
        "a": sha256(files["a"]),
        "b": sha256(files["b"]),
        "set.seed": "7",
    }


def test_a_margin_declared_after_a_first_look_stays_so_in_whoever_opens_the_link(page, page_at, files):
    page.drop("a", files["a"]).drop("b", files["b"]).press("run")
    page.app.number_input(key="margin").set_value(0.1).run()
    page.press("run")
    link = link_on(page)
    assert link["late"] == "margin"
    other = page_at(link).drop("a", files["a"]).drop("b", files["b"])
    assert other.app.session_state["cosine_floor_result"].audit.margin_declared == "declared after a first look"


def test_the_link_is_of_the_result_not_of_the_settings_changed_since(page):
    page.drop_pair().press("run")
    page.app.number_input(key="seed").set_value(9).run()
    assert "set.seed" not in link_on(page)


def test_a_link_puts_its_settings_in_place_and_waits_for_its_files(page_at, asking):
    page = page_at(asking)
    assert page.app.number_input(key="seed").value == 7
    assert page.app.number_input(key="margin").value == 0.25
    assert page.app.number_input(key="n_derangements").value == AuditSettings().n_derangements
    assert len(asked(page)) == 2
    assert all("waiting for the file" in line for line in asked(page))
    assert asking["a"][:8] in asked(page)[0]


def test_every_setting_of_a_link_reaches_its_input(page_at, asking):
    page = page_at(asking | {"set.shared_mean": "1", "set.n_derangements": "3", "set.candidates": "30"})
    assert page.app.checkbox(key="shared_mean").value is True
    assert page.app.number_input(key="n_derangements").value == 3
    assert page.app.number_input(key="candidates").value == 30


def test_the_right_files_are_confirmed_under_any_name_and_the_audit_starts_by_itself(page_at, asking, files):
    page = page_at(asking).drop("a", files["a"], "other name.npy")
    assert "confirmed" in asked(page)[0]
    assert "waiting" in asked(page)[1]
    assert "The verdict" not in page.text
    page.drop("b", files["b"])
    assert all("confirmed" in line for line in asked(page))
    result = page.app.session_state["cosine_floor_result"]
    assert result.key[1] == AuditSettings(seed=7, margin=0.25)
    assert "the result below reproduces" in page.text
    assert link_on(page) == asking


def test_swapped_files_are_said_to_be_swapped(page_at, asking, files):
    page = page_at(asking)
    page.drop("a", files["b"], "one.npy").drop("b", files["a"], "two.npy")
    assert "one.npy is the file asked for as **B**" in asked(page)[0]
    assert "two.npy is the file asked for as **A**" in asked(page)[1]
    assert "A and B are swapped" in page.text
    page.press("replace_a").drop("a", files["a"])
    assert "A and B are swapped" not in page.text
    assert "is the file asked for as **A**" in asked(page)[1]


def test_a_file_that_differs_is_named_and_nothing_starts(page_at, asking, files, npy, pair):
    wrong = npy(pair[1] + 1e-9)
    page = page_at(asking).drop("a", files["a"]).drop("b", wrong, "![x](http:evil).npy")
    assert "confirmed" in asked(page)[0]
    assert "differs" in asked(page)[1]
    assert "![x](http:evil).npy" in asked(page)[1].replace("\u2060", "")
    assert sha256(wrong)[:8] in asked(page)[1]
    assert "The verdict" not in page.text
    assert "Not confirmed yet: B." in page.text
    page.press("replace_b").drop("b", files["b"])
    assert "the result below reproduces" in page.text


def test_a_change_by_the_user_stands_and_is_said_to_be_another_audit(page_at, asking, files):
    page = page_at(asking)
    page.app.number_input(key="seed").set_value(8).run()
    page.app.run()
    page.open("method.py").open("audit.py")
    assert page.app.number_input(key="seed").value == 8
    page.drop("a", files["a"]).drop("b", files["b"])
    assert "settings are no longer the link's" in page.text
    assert "The verdict" not in page.text
    page.press("run")
    assert "settings are no longer the link's" in page.text
    page.app.number_input(key="seed").set_value(7).run()
    assert "the audit reproduces" in page.text


def test_the_audit_starts_by_itself_once_only(page_at, asking, files):
    page = page_at(asking).drop("a", files["a"]).drop("b", files["b"])
    first = page.app.session_state["cosine_floor_result"]
    page.press("replace_b").drop("b", files["b"], "again.npy")
    assert page.app.session_state["cosine_floor_result"] is first


def test_a_file_the_link_does_not_know_stands_in_the_way(page_at, asking, files, pair):
    page = page_at(asking).drop("fit_a", pair[0]).drop("a", files["a"]).drop("b", files["b"])
    assert "does not ask" in asked(page)[-1]
    assert "The verdict" not in page.text


def test_fit_arrays_and_groups_are_asked_for_too(page, page_at, files, npy, pair):
    ids = "\n".join(str(i // 2) for i in range(40)).encode()
    fit = npy(pair[0][::-1] + 0.5)
    page.drop("a", files["a"]).drop("b", files["b"]).drop("fit_a", fit).drop("groups", ids, "ids.txt").press("run")
    parameters = link_on(page)
    assert parameters["fit_a"] == sha256(fit)
    assert parameters["groups"] == sha256(ids)
    other = page_at(parameters)
    assert len(asked(other)) == 4
    other.drop("a", files["a"]).drop("b", files["b"]).drop("fit_a", fit)
    assert "The verdict" not in other.text
    other.drop("groups", ids, "ids.txt")
    assert "the result below reproduces" in other.text


def test_the_right_file_is_read_as_the_link_says_and_may_be_read_otherwise(page, page_at, npy, pair):
    stack = npy(np.stack([pair[1], pair[1][::-1]]))
    a = npy(pair[0])
    page.drop("a", a).drop("b", stack)
    page.app.selectbox[0].select("1").run()
    page.press("run")
    parameters = link_on(page)
    assert parameters["b.layer"] == "1"
    other = page_at(parameters).drop("a", a).drop("b", stack)
    assert "the result below reproduces" in other.text
    before, after = (one.app.session_state["cosine_floor_result"].audit.raw for one in (page, other))
    assert after.matched_mean == before.matched_mean
    other.app.selectbox[0].select("0").run()
    assert "read in another way" in asked(other)[1]


def test_each_of_several_choices_of_a_link_stays_open_to_change(page, page_at, npy, pair):
    file = io.BytesIO()
    np.savez(file, one=np.stack([pair[1][::-1], pair[1]]), two=pair[1])
    a, b = npy(pair[0]), file.getvalue()
    page.drop("a", a).drop("b", b)
    page.app.selectbox[0].select("one").run()
    page.app.selectbox[1].select("1").run()
    page.press("run")
    other = page_at(link_on(page)).drop("a", a).drop("b", b)
    assert "the result below reproduces" in other.text
    assert [box.value for box in other.app.selectbox[:2]] == ["one", "1"]
    other.app.selectbox[0].select("two").run()
    assert "read in another way" in asked(other)[1]


def test_leaving_bad_rows_out_travels_though_its_box_is_drawn_only_beside_such_rows(page, page_at, npy, pair):
    rows = pair[0].copy()
    rows[3] = np.nan
    a, b = npy(rows), npy(pair[1])
    page.drop("a", a).drop("b", b)
    page.app.checkbox(key="drop_bad_rows").check().run()
    page.press("run")
    parameters = link_on(page)
    assert parameters["set.drop_bad_rows"] == "1"
    other = page_at(parameters).drop("a", a).drop("b", b)
    assert other.app.checkbox(key="drop_bad_rows").value is True
    assert other.app.session_state["cosine_floor_result"].audit.n == 39
    assert "the result below reproduces" in other.text


@pytest.mark.parametrize(
    "hostile",
    [
        {"set.seed": "<script>alert(1)</script>"},
        {"set.n_derangements": "10" * 300},
        {"set.unheard_of": "![x](http://evil)"},
        {"a": "../../etc/passwd"},
        {"share": "99"},
        {"b.columns": "x" * 9_000},
    ],
)
def test_a_hostile_link_is_one_sentence_and_changes_nothing(page_at, asking, hostile):
    page = page_at(asking | hostile)
    assert len(page.errors) == 1
    assert page.errors[0].startswith("**The link was not used:**")
    assert len(page.errors[0]) < 300
    assert not asked(page)
    assert page.app.number_input(key="seed").value == 0


def test_a_link_put_away_leaves_settings_and_address_of_others(page_at, asking):
    page = page_at(asking | {"utm_source": "chat"}).press("put_link_away")
    assert not asked(page)
    assert page.app.number_input(key="seed").value == 7
    assert set(page.app.query_params) == {"utm_source"}


def test_an_address_with_other_parameters_is_no_link(page_at):
    page = page_at({"utm_source": "chat", "set.seed": "7"})
    assert not page.errors
    assert page.app.number_input(key="seed").value == 0


def test_choices_no_address_can_hold_are_a_sentence_in_place_of_the_link(page, monkeypatch):
    monkeypatch.setattr("core.share.MAX_LINK_CHARS", 100)
    page.drop_pair().press("run")
    assert "No link.** The link would have" in page.text
    assert not [code for code in page.app.code if "share=1" in code.value]
