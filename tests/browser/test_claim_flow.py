"""Reviewing a claim and finding its rows, in a real browser."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = [str(ROOT / "sample_data" / "e5_small" / f"{side}.npy") for side in "ab"]


def command_line(*arguments):
    """What `python -m core` prints, in a process of its own."""
    command = [sys.executable, "-m", "core", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True, timeout=60)
    return done.stdout


def example(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    board.press("example")
    board.drawn()
    return board


def table_rows(board):
    """The table of pairs as shown: a list of cells for each line."""
    lines = board.tab.locator(".st-key-rows_card").get_by_test_id("stTable").locator("tbody tr")
    lines.first.wait_for()
    return [line.locator("th, td").all_inner_texts() for line in lines.all()]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_a_claim_is_typed_placed_copied(open_dashboard, scheme, width):
    board = example(open_dashboard, scheme, width)
    board.picture("1-no-claim")
    board.enter("claim_claimed", 0.9)
    card = board.tab.locator(".st-key-claim_card")
    card.get_by_text("unrelated pairs score on average (raw)").first.wait_for()
    board.enter("claim_cutoff", 0.85)
    card.get_by_text("No cut-off separates these").first.wait_for()
    card.get_by_role("button", name="Copy comment").click()
    card.get_by_text("Copied", exact=True).wait_for()
    copied = board.tab.evaluate("navigator.clipboard.readText()")
    expected = command_line("claim", *EXAMPLE, "--claim", "0.9", "--says", "high", "--cutoff", "0.85")
    assert copied == expected
    board.still()
    board.picture("2-claim")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_a_bar_is_clicked_and_its_pairs_are_listed_with_their_texts(open_dashboard, scheme, width):
    board = example(open_dashboard, scheme, width)
    worst = [row[0] for row in table_rows(board)]
    printed = command_line("rows", *EXAMPLE, "--count", "400", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(printed)))
    assert worst == [line["row"] for line in lines[:10]]

    texts = "\n".join(f"=text {row} ![x](http://evil.example)" for row in range(400)).encode()
    fold = board.tab.locator(".st-key-rows_labels")
    fold.locator("summary").click()
    box = board.tab.locator("[class*='st-key-drop_labels_a']").get_by_test_id("stFileUploaderDropzoneInput")
    box.set_input_files([{"name": "texts.txt", "mimeType": "text/plain", "buffer": texts}])
    board.tab.locator(".st-key-labels_card_a").wait_for()
    board.settle()
    shown = table_rows(board)
    assert [row[1].replace("\u2060", "") for row in shown] == [
        f"=text {row} ![x](http://evil.example)" for row in worst
    ]
    assert board.tab.locator(".st-key-rows_card").get_by_role("link").count() == 0
    board.still()
    board.picture("3-texts")

    matched = board.tab.locator(".st-key-histograms .barlayer .trace").nth(1).locator(".point path")
    tallest = max(matched.all(), key=lambda bar: (bar.bounding_box() or {"height": 0})["height"])
    tallest.scroll_into_view_if_needed()
    at = tallest.bounding_box()
    board.tab.mouse.click(at["x"] + at["width"] / 2, at["y"] + 3)
    said = board.tab.locator(".st-key-rows_card").get_by_text("with a raw cosine from")
    said.wait_for()
    board.settle()
    words = said.inner_text().split()
    low, high = float(words[words.index("from") + 1]), float(words[-1].rstrip("."))
    inside = [line["row"] for line in lines if low <= float(line["own_cosine"]) < high]
    assert words[0] == str(len(inside))
    assert [row[0] for row in table_rows(board)] == inside[:10]
    with board.tab.expect_download() as download:
        board.press("download_rows")
    saved = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    assert [line["row"] for line in saved] == inside
    assert saved[0]["text_of_A"].startswith("'=text")
    board.still()
    board.picture("4-bar")
    board.press("rows_all")
    board.tab.locator(".st-key-rows_card").get_by_text("All pairs. Click a bar").wait_for()
    assert [row[0] for row in table_rows(board)] == worst
