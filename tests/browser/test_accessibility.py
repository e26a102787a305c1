"""No serious or critical finding of axe-core on any page, in either theme.

axe-core is Deque's checker; `axe-playwright-python` carries a copy of it, so that nothing is
fetched. It cannot see everything, keyboard order for instance: `test_demo.py` has that.
"""

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install -r requirements-dev.txt")

GRAVE = {"serious", "critical"}

#: Findings in Streamlit's own elements that no setting of ours reaches: {rule: part of the element's HTML}.
STREAMLITS_OWN: dict[str, str] = {}


def findings(board):
    """Serious and critical findings as (rule, element, why), without Streamlit's own."""
    response = axe.Axe().run(board.tab).response
    assert len(response["passes"]) > 10, "axe looked at nothing"
    return [
        (rule["id"], node["html"][:200], node["failureSummary"])
        for rule in response["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
        if STREAMLITS_OWN.get(rule["id"], "\0") not in node["html"]
    ]


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
    audit_result(board)
    board.enter("claim_claimed", 0.9)
    board.tab.get_by_role("button", name="Copy comment").wait_for()
    board.tab.locator(".st-key-rows_labels summary").click()


def audit_texts(board):
    audit_result(board)
    board.tab.get_by_role("tab", name="Markdown").click()
    board.settle()


def demo(board):
    board.open("Why 0.9 means little")
    board.tab.locator(".st-key-demo_found_figure .main-svg").first.wait_for()


def demo_shuffled(board):
    demo(board)
    board.press("demo_shuffle")
    board.tab.get_by_role("button", name="Shuffle again").wait_for()


def method(board):
    board.open("Method")


SCREENS = [audit_empty, audit_options, audit_refused, audit_result, audit_claim, audit_texts, demo, demo_shuffled, method]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_axe_finds_nothing_serious(open_dashboard, screen, width, scheme):
    board = open_dashboard(scheme, width)
    screen(board)
    board.settle()
    board.still()
    found = findings(board)
    assert not found, "\n".join(f"{rule}: {html}\n  {why}" for rule, html, why in found)


def test_axe_would_find_a_picture_without_words(open_dashboard):
    """The check can fail: a finding is planted."""
    board = open_dashboard()
    board.tab.evaluate("document.body.append(document.createElement('img'))")
    assert "image-alt" in {rule for rule, _, _ in findings(board)}
