"""Conditions in a real browser, wide and narrow, light and dark: files, names, a comparison, seeds, layers."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PRECISIONS = ROOT / "sample_data" / "minilm_precision"
NAMES = ("bf16.npy", "int8_per_channel.npy", "int8_per_tensor.npy")


def payload(name, data):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def saved(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def drop(board, place, *paths):
    hand_over(board, place, [payload(path.name, path.read_bytes()) for path in paths])


def hand_over(board, place, payloads):
    box = board.tab.locator(f"[class*='st-key-drop_conditions_{place}_']")
    box.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(payloads)


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


def noisy_runs(seed=0, n=60, dim=24):
    """An A and a B for two conditions and three seeds, by name; B of ``rough`` is the noisier one."""
    rng = np.random.default_rng(seed)
    items = rng.normal(size=(n, dim)) + 1
    given = {}
    for noise, condition in ((0.3, "fine"), (0.9, "rough")):
        for repeat in (1, 2, 3):
            a = items + 0.1 * rng.normal(size=(n, dim))
            given[f"{condition}@{repeat}.npy"] = a, a + noise * rng.normal(size=(n, dim))
    return given


def gap(a, b):
    """Mean cosine of matched pairs minus that of all others, from the whole matrix."""
    scores = (a / np.linalg.norm(a, axis=1)[:, None]) @ (b / np.linalg.norm(b, axis=1)[:, None]).T
    matched = np.trace(scores)
    return matched / len(a) - (scores.sum() - matched) / (len(a) * (len(a) - 1))


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1366), ("light", 390)])
def test_an_a_and_a_b_for_each_condition_and_seed(open_dashboard, scheme, width):
    given = noisy_runs()
    board = open_dashboard(scheme, width)
    board.open("Conditions")
    board.tab.get_by_text("An A and a B for each condition and seed").click()
    board.settle()

    firsts = [payload(name, saved(a)) for name, (a, _) in given.items()]
    cards = board.tab.locator("[class*='st-key-card_condition_']")
    hand_over(board, "every_a", firsts[:-1])
    cards.nth(len(given) - 2).wait_for()
    board.settle()
    hand_over(board, "several", [payload(name, saved(b)) for name, (_, b) in given.items()])
    cards.nth(2 * len(given) - 2).wait_for()
    board.settle()
    lacking = board.tab.get_by_text("has no A: give its A and its B the same condition and seed.")
    lacking.wait_for()
    assert "rough" in lacking.inner_text()
    board.picture("conditions-5-a-missing")

    hand_over(board, "every_a", firsts[-1:])
    cards.nth(2 * len(given) - 1).wait_for()
    board.settle()
    board.press("compare")
    compared(board, "differences")
    gaps = {name: gap(a, b) for name, (a, b) in given.items()}
    expected = np.mean([gaps[f"rough@{repeat}.npy"] - gaps[f"fine@{repeat}.npy"] for repeat in (1, 2, 3)])
    row = board.table("Difference of the raw gap")["rough − fine"]
    assert float(row[0].replace("−", "-")) == pytest.approx(expected, abs=6e-6)
    board.picture("conditions-6-seeds")
