"""Two models in a real browser: upload, run, read, copy, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.browser.test_audit_flow import command_line, four_decimals, npy_bytes

ROOT = Path(__file__).parents[2]
MINILM, E5 = (ROOT / "sample_data" / name for name in ("minilm", "e5_small"))
FILES = {
    "a": MINILM / "a.npy",
    "b": E5 / "a.npy",
    "train_a": MINILM / "fit_a.npy",
    "train_b": E5 / "fit_a.npy",
}


def drawn(board):
    board.tab.locator(".st-key-reading").wait_for(timeout=90_000)  # a busy machine takes its time
    for figure in ("mapped", "agreement"):
        board.tab.locator(f".st-key-{figure} .main-svg").first.wait_for()
    board.settle()


def card_of(board, key):
    return board.tab.locator(f".st-key-{key}").inner_text()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_upload_run_read_copy_and_be_refused(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    board.open("Two models")
    board.picture("two-1-empty")
    for side, path in FILES.items():
        board.drop(side, path.name, path.read_bytes())
        board.loaded(side, path.name)
    board.enter("two_models_seed", 3)
    board.picture("two-2-loaded")
    board.press("run_two_models")
    drawn(board)
    board.picture("two-3-result")

    a, b, train_a, train_b = FILES.values()
    arguments = ("two-models", a, b, "--train-a", train_a, "--train-b", train_b, "--seed", 3)
    said = json.loads(command_line(*arguments))
    assert said["reading"].replace("-0.", "−0.") in card_of(board, "reading")
    assert "two coordinate systems" in card_of(board, "mapped_card")
    (mapped,) = board.table("Partner ranked first after the map").values()
    ranks = said["mapped"]["ranks"]
    assert mapped[:2] == [four_decimals(ranks[way]["expected"]) for way in ("a_to_b", "b_to_a")]
    within = board.table("Within each model, no map")
    assert within["debiased CKA"][0] == four_decimals(said["cka"]["debiased"])
    assert [row[0] for label, row in within.items() if "nearest" in label] == [
        four_decimals(said["neighbours"]["overlap"])
    ]
    for figure in ("mapped", "agreement"):
        assert board.tab.locator(f".st-key-{figure}").get_by_role("figure").count() >= 1

    board.tab.get_by_role("tab", name="Markdown").click()
    board.tab.get_by_role("button", name="Copy Markdown").click()
    board.tab.get_by_text("Copied", exact=True).wait_for()
    assert board.tab.evaluate("navigator.clipboard.readText()") == command_line(*arguments, "--format", "markdown")
    board.tab.get_by_role("tab", name="JSON").click()
    with board.tab.expect_download() as download:
        board.press("download_json")
    assert json.loads(Path(download.value.path()).read_bytes()) == said
    assert download.value.suggested_filename == "two_models.json"

    board.press("remove_train_b")
    board.tab.get_by_text("From earlier inputs.").wait_for()
    board.press("run_two_models")
    refusal = board.tab.locator(".st-key-two_models_progress").get_by_test_id("stAlert")
    refusal.filter(has_text="train rows for A (fit_a.npy) but none for B").wait_for()
    board.picture("two-4-refused")
    board.press("remove_train_a")
    board.settle()
    board.press("run_two_models")
    board.tab.get_by_text("half of the pairs (200)").first.wait_for(timeout=90_000)
    drawn(board)
    board.picture("two-5-halves")


def test_the_example_is_one_click_and_widths_may_differ(open_dashboard):
    board = open_dashboard()
    board.open("Two models")
    board.press("two_models_example")
    drawn(board)
    assert "99.8% of 400 rows" in card_of(board, "reading")

    rng = np.random.default_rng(0)
    board.press("replace_b")
    board.drop("b", "narrow.npy", npy_bytes(rng.standard_normal((400, 20))))
    board.loaded("b", "narrow.npy")
    for side in ("train_a", "train_b"):
        board.press(f"remove_{side}")
        board.settle()
    board.press("run_two_models")
    board.tab.get_by_text("without a map there is no cosine between them at all").first.wait_for(timeout=90_000)
    board.tab.get_by_text("the mapped rows do not show that A and B belong together").first.wait_for()
    drawn(board)
    board.picture("two-6-unrelated")
