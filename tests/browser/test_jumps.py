"""The links at the top of a result: each leads to its part, by keyboard, on a laptop and on a phone."""

import pytest

#: What the part is drawn under, and words that stand in it.
PARTS = {
    "Verdict": ("reading", "The verdict"),
    "Gauges": ("gauge_card_a", "Anisotropy of A"),
    "Histograms": ("histograms_card", "Matched pairs over their floor"),
    "Review a claim": ("claim_card", "Review a claim"),
    "Which rows": ("rows_card", "Which rows"),
    "Report (HTML)": ("table_card", "Download .html"),
    "Results table": ("table_card", "Results with 95%"),
    "Share": ("share_card", "Share and reopen"),
}

HELD = "part => document.querySelector(`.st-key-${part}`).contains(document.activeElement)"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_each_link_brings_its_part_into_view_and_the_focus_with_it(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    board.press("example")
    board.drawn()
    row = board.tab.get_by_role("navigation", name="Parts of this result")
    assert row.get_by_role("link").count() == len(PARTS)
    for name, (part, words) in PARTS.items():
        row.get_by_role("link", name=name).focus()
        board.tab.keyboard.press("Enter")
        board.tab.wait_for_function(HELD, arg=part)
        shown = board.tab.locator(f".st-key-{part}").get_by_text(words).first
        shown.wait_for()
        board.tab.wait_for_timeout(200)
        top, height = shown.bounding_box()["y"], board.tab.viewport_size["height"]
        assert 50 < top < height, f"{name}: at {top}, under the menu or out of view"
    assert board.tab.url.endswith("/"), "the address may hold a shared link and stays as it is"


def test_a_link_of_the_menu_shows_the_focus(open_dashboard):
    board = open_dashboard()
    board.settle()
    board.tab.keyboard.press("Tab")
    link = board.tab.locator("a:focus")
    for _ in range(3):
        if link.count():
            break
        board.tab.keyboard.press("Tab")
    board.tab.wait_for_function("() => getComputedStyle(document.activeElement).outlineStyle === 'solid'")
