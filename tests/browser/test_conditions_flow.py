"""Conditions in a real browser, wide and light, narrow and dark: files, names, a comparison, layers."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRECISIONS = ROOT / "sample_data" / "minilm_precision"
NAMES = ("bf16.npy", "int8_per_channel.npy", "int8_per_tensor.npy")


def payload(path):
    return {"name": path.name, "mimeType": "application/octet-stream", "buffer": path.read_bytes()}


def drop(board, place, *paths):
    box = board.tab.locator(f"[class*='st-key-drop_conditions_{place}_']")
    box.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([payload(path) for path in paths])


def compared(board, *figures):
    board.tab.locator(".st-key-reading").wait_for()
    for figure in figures:
        board.tab.locator(f".st-key-{figure} .main-svg").first.wait_for()
    board.settle()


def field(board, kind, place):
    return board.tab.locator(f"[class*='st-key-condition_{kind}_'] input").nth(place)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_files_names_a_mistake_a_comparison_and_layers(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    board.open("Conditions")
    board.picture("conditions-1-empty")

    drop(board, "a", PRECISIONS / "fp32.npy")
    board.tab.locator(".st-key-card_conditions_a").filter(has_text="fp32.npy").wait_for()
    drop(board, "several", *(PRECISIONS / name for name in NAMES))
    for name in NAMES:
        board.tab.locator("[class*='st-key-card_condition_']").filter(has_text=name).wait_for()
    board.settle()

    field(board, "seed", 0).fill("1")
    field(board, "seed", 0).press("Enter")
    board.settle()
    board.press("compare")
    mistake = board.tab.locator(".st-key-conditions_progress").get_by_role("alert")
    mistake.filter(has_text="has a run without a seed").wait_for()
    board.picture("conditions-2-mistake")

    field(board, "seed", 0).fill("")
    field(board, "seed", 0).press("Enter")
    field(board, "label", 2).fill("int8, one scale")
    field(board, "label", 2).press("Enter")
    board.settle()
    board.press("compare")
    compared(board, "differences")
    reading = board.tab.locator(".st-key-reading").inner_text()
    assert "int8, one scale minus bf16: the raw gap differs by −0.04665" in reading
    assert "both separate" in reading
    row = board.table("Difference of the centred gap")["int8_per_channel − bf16"]
    assert row[0] == "−0.02163"
    board.picture("conditions-3-compared")

    board.tab.get_by_role("tab", name="JSON").click()
    board.tab.get_by_role("button", name="Copy JSON").click()
    board.tab.get_by_text("Copied").wait_for()
    copied = json.loads(board.tab.evaluate("navigator.clipboard.readText()"))
    assert copied["schema"] == "cosine-floor-conditions/1"
    assert copied["differences"]["centred"][0]["mean"] == pytest.approx(-0.02163, abs=1e-5)

    board.press("example_layers")
    compared(board, "differences", "layers")
    assert "Of 6 comparisons with layer 0" in board.tab.locator(".st-key-reading").inner_text()
    board.picture("conditions-4-layers")
