"""No serious or critical finding of axe-core on any page, in either theme.

axe-core is Deque's checker; `axe-playwright-python` carries a copy of it, so that nothing is
fetched. It cannot see everything, keyboard order for instance: `test_demo.py` has that.
"""

from pathlib import Path

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install -r requirements-dev.txt")

GRAVE = {"serious", "critical"}

#: Findings in Streamlit's own elements that no parameter of ours reaches, as {rule: where}.
#: `st.table` scrolls sideways on a phone in a box of its own that has no `tabindex`. Chromium and
#: Firefox let the keyboard into any box that scrolls; Safari does not, and axe asks for all of them.
STREAMLITS_OWN = {"scrollable-region-focusable": "[data-testid=stTable]"}


def findings(board):
    """Serious and critical findings as sentences, without Streamlit's own."""
    response = axe.Axe().run(board.tab).response
    assert len(response["passes"]) > 10, "axe looked at nothing"
    return [
        f"{rule['id']}: {node['html'][:200]}\n  {node['failureSummary']}"
        for rule in response["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
        if not streamlits_own(board, rule["id"], node["target"][0])
    ]


def streamlits_own(board, rule, selector):
    where = STREAMLITS_OWN.get(rule)
    return where is not None and board.tab.locator(selector).evaluate("(e, where) => e.closest(where) !== null", where)


def audit_empty(board):
    board.tab.get_by_text("What you get").wait_for()


def audit_options(board):
    board.unfold()


def audit_refused(board):
    board.drop("a", "labels.npy", b"these are no numbers")
    board.tab.locator(".st-key-slot_a").get_by_test_id("stAlert").wait_for()


def audit_result(board):
    board.press("example")
    board.drawn()


def audit_claim(board):
    board.enter("claim_claimed", 0.9)
    board.tab.get_by_role("button", name="Copy comment").wait_for()
    board.tab.locator(".st-key-rows_labels summary").click()


def audit_texts(board):
    board.tab.get_by_role("tab", name="Markdown").click()
    board.settle()


def demo(board):
    board.open("Why 0.9 means little")
    board.tab.locator(".st-key-demo_found_figure [role=img]").first.wait_for()


def demo_shuffled(board):
    board.press("demo_shuffle")
    board.tab.get_by_role("button", name="Shuffle again").wait_for()


def method(board):
    board.open("Method")


def two_models_empty(board):
    board.open("Two models")


def conditions_empty(board):
    board.open("Conditions")


def audit_by_link(board):
    address = board.tab.evaluate("location.origin")
    board.tab.goto(f"{address}/?share=1&a={'a' * 64}&b={'b' * 64}&set.seed=7")
    board.tab.locator(".st-key-link_card").wait_for()
    board.drop("a", "a.npy", (Path(__file__).parents[2] / "sample_data" / "glove_50d" / "a.npy").read_bytes())
    board.loaded("a", "a.npy")


def audit_link_refused(board):
    board.tab.goto(board.tab.url.replace("share=1", "share=2"))
    board.tab.get_by_text("The link was not used:").wait_for()


#: In the order in which one visitor comes by.
SCREENS = [
    audit_empty,
    audit_options,
    audit_refused,
    audit_result,
    audit_claim,
    audit_texts,
    two_models_empty,
    conditions_empty,
    demo,
    demo_shuffled,
    method,
    audit_by_link,
    audit_link_refused,
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1366, 390])
def test_axe_finds_nothing_serious_on_any_screen(open_dashboard, width, scheme):
    board = open_dashboard(scheme, width)
    found = {}
    for screen in SCREENS:
        screen(board)
        board.settle()
        board.still()
        found[screen.__name__] = findings(board)
    assert not any(found.values()), "\n".join(f"{name}: {one}" for name, all_ in found.items() for one in all_)


def test_axe_would_find_a_picture_without_words(open_dashboard):
    """The check can fail: a finding is planted."""
    board = open_dashboard()
    board.tab.evaluate("document.body.append(document.createElement('img'))")
    assert any(one.startswith("image-alt") for one in findings(board))
