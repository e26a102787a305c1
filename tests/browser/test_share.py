"""A link goes from one person to another, with a right and a wrong file, and the numbers are the same."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from core.share import is_link

SAMPLE = Path(__file__).parents[2] / "sample_data" / "glove_50d"


def dropped(board, side, file, name):
    board.drop(side, name, (SAMPLE / file).read_bytes())
    board.loaded(side, name)


def line(board, title):
    """What the card of the link says about one place."""
    return board.tab.locator(".st-key-link_files p").filter(has_text=title).first


def copied_link(board):
    board.tab.locator(".st-key-copy_link").get_by_role("button", name="Copy the link").click()
    board.tab.locator(".st-key-copy_link").get_by_text("Copied", exact=True).wait_for()
    return board.tab.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_a_link_asks_for_the_files_names_the_wrong_one_and_gives_the_same_numbers(open_dashboard, scheme, width):
    first = open_dashboard(scheme, width)
    for side in ("a", "b"):
        dropped(first, side, f"{side}.npy", f"{side}.npy")
    first.unfold()
    first.enter("seed", 7)
    first.press("run")
    first.drawn()
    shown = {title: first.table(title) for title in ("Anisotropy", "Reference format", "Exact floor")}
    first.tab.locator(".st-key-share_card").scroll_into_view_if_needed()
    first.picture("share-1-card")
    link = copied_link(first)
    assert is_link(parse_qs(urlsplit(link).query))
    assert first.tab.locator(".st-key-share_card code").inner_text() == link

    second = open_dashboard(scheme, width, address=link)
    second.tab.locator(".st-key-link_card").wait_for()
    second.picture("share-2-asked")
    dropped(second, "a", "a.npy", "renamed.npy")
    dropped(second, "b", "fit_b.npy", "b.npy")
    line(second, "differs").filter(has_text="b.npy").wait_for()
    assert "confirmed" in line(second, "renamed.npy").inner_text()
    second.picture("share-3-differs")
    assert second.tab.locator(".st-key-reading").count() == 0
    second.press("replace_b")
    dropped(second, "b", "b.npy", "b.npy")
    second.drawn()
    second.tab.locator(".st-key-link_card").get_by_text("the result below reproduces").wait_for()
    assert {title: second.table(title) for title in shown} == shown
    second.picture("share-4-reproduced")
    assert copied_link(second) == link

    second.tab.reload()
    line(second, "waiting").wait_for()
    second.settle()
    second.press("put_link_away")
    second.tab.locator(".st-key-link_card").wait_for(state="detached")
    assert not urlsplit(second.tab.url).query
    second.unfold()
    assert second.value("seed") == "7"


def test_a_hostile_link_is_one_sentence(open_dashboard):
    board = open_dashboard(address="/?share=1&a=%3Cscript%3E&set.seed=![x](http://evil.example/x.png)")
    board.tab.get_by_text("The link was not used:").wait_for()
    board.picture("share-5-refused")
