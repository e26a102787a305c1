"""The whole way of a user, in a real browser, wide and light, narrow and dark."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_data" / "glove_50d"
EXAMPLE = ROOT / "sample_data" / "e5_small"
FILES = {"a": "a.npy", "b": "b.npy", "fit_a": "fit_a.npy", "fit_b": "fit_b.npy"}


def npy_bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def command_line(*arguments):
    """What `python -m core` prints, in a process of its own."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True, timeout=60)
    return done.stdout


def four_decimals(value):
    return f"{value:.4f}".replace("-", "−")


def two_decimals(value):
    return f"{value:.2f}".replace("-", "−")


def assert_says(board, said):
    """Every number on the page is the one in the command line's JSON."""
    assert said["reading"].replace("-0.", "−0.") in board.tab.locator(".st-key-reading").inner_text()
    for side in ("a", "b"):
        gauge = board.tab.locator(f".st-key-gauge_{side}").inner_text()
        assert four_decimals(said["anisotropy"][side]) in gauge
        both = said["exact"]["anisotropy"][side]
        assert board.table("Anisotropy")[side.upper()] == [four_decimals(both[key]) for key in ("before", "after")]
    reference, exact, ranks = (
        board.table(title) for title in ("Reference format", "Exact floor", "Partner ranked first")
    )
    for name in ("raw", "centred"):
        row = f"{name} cosine"
        assert reference[row] == figures(said[name], "matched", "floor")
        (of_exact,) = (label for label in exact if label.startswith(row))  # the centred one says "not corrected"
        assert exact[of_exact] == figures(said["exact"][name], "matched_mean", "floor_mean")
        shares = [said["ranks"][name][way] for way in ("a_to_b", "b_to_a")]
        assert ranks[row] == [
            *(four_decimals(share["expected"]) for share in shares),
            " / ".join(str(share["tied"]) for share in shares),
            str(said["hubs"][name]["most"]),
            four_decimals(said["hubs"][name]["never"]),
            four_decimals(said["partner_first_by_chance"]),
        ]


def figures(block, matched, floor):
    """One row of a floor table from the JSON, whose two floors name their means differently."""
    four = [four_decimals(block[key]) for key in (matched, floor, "gap", "floor_sd")]
    return four + [two_decimals(block[key]) for key in ("gap_over_floor_sd", "cohens_d")]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_upload_run_copy_download_and_come_back(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    board.picture("1-empty")
    for side in ("a", "b"):
        board.drop(side, FILES[side], (SAMPLE / FILES[side]).read_bytes())
        board.loaded(side, FILES[side])
    board.unfold()
    for side in ("fit_a", "fit_b"):
        board.drop(side, FILES[side], (SAMPLE / FILES[side]).read_bytes())
        board.loaded(side, FILES[side])
    board.enter("seed", 7)
    board.enter("n_derangements", 5)
    board.picture("2-loaded")
    board.press("run")
    board.drawn()
    board.picture("3-result")

    a, b, fit_a, fit_b = (SAMPLE / name for name in FILES.values())
    arguments = (a, b, "--fit-a", fit_a, "--fit-b", fit_b, "--seed", 7, "--perms", 5)
    printed = command_line(*arguments)
    assert_says(board, json.loads(printed))
    shown = board.table("Reference format")

    board.tab.get_by_role("tab", name="Markdown").click()
    board.tab.get_by_role("button", name="Copy Markdown").click()
    board.tab.get_by_text("Copied", exact=True).wait_for()
    assert board.tab.evaluate("navigator.clipboard.readText()") == command_line(*arguments, "--format", "markdown")
    board.picture("4-markdown")
    board.tab.get_by_role("tab", name="JSON").click()
    with board.tab.expect_download() as download:
        board.press("download_json")
    assert Path(download.value.path()).read_bytes().decode() == printed
    assert download.value.suggested_filename == "cosine_floor.json"

    board.open("Method")
    board.picture("5-method")
    board.open("Audit")
    assert board.table("Reference format") == shown
    board.unfold()
    assert (board.value("seed"), board.value("n_derangements")) == ("7", "5")
    for side, name in FILES.items():
        board.loaded(side, name)

    board.press("replace_a")
    board.drop("a", "labels.npy", b"these are no numbers")
    board.tab.locator(".st-key-slot_a").get_by_test_id("stAlert").filter(has_text="labels.npy").wait_for()
    board.settle()
    board.picture("6-refused")
    assert board.table("Reference format") == shown
    assert board.tab.get_by_text("From earlier inputs").count() == 0
    assert board.tab.locator(".st-key-card_a").filter(has_text="a.npy").count() == 1
    assert board.tab.locator(".st-key-card_fit_b").filter(has_text="fit_b.npy").count() == 1


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_the_example_is_one_click_also_after_a_reload(open_dashboard, scheme, width):
    board = open_dashboard(scheme, width)
    for _ in range(2):
        board.tab.reload()
        board.tab.get_by_text("What you get").wait_for()  # a reload forgets everything, as the page says
        board.settle()
        board.press("example")
        board.tab.locator(".st-key-reading").wait_for()
        board.drawn()
    assert_says(board, json.loads(command_line(*(EXAMPLE / f"{side}.npy" for side in ("a", "b")))))
    board.picture("0-example")


def test_the_page_answers_while_a_long_audit_runs_and_cancel_ends_it(open_dashboard):
    rows = np.random.default_rng(0).standard_normal((100_000, 16)).astype(np.float32)
    board = open_dashboard()
    board.drop("a", "a.npy", npy_bytes(rows))
    board.loaded("a", "a.npy")
    board.drop("b", "b.npy", npy_bytes(rows + 1))
    board.loaded("b", "b.npy")
    board.press("run")
    board.tab.get_by_text("Ranking partners").first.wait_for()
    board.picture("7-running")
    board.unfold()
    board.tab.get_by_text("One mean for both sides").click()
    board.tab.get_by_text("Options: one mean").wait_for()
    assert board.tab.get_by_text("Ranking partners").count() == 1, "the change must not disturb the audit"
    board.press("cancel")
    board.tab.locator(".st-key-cancel").wait_for(state="detached")
    assert board.tab.locator(".st-key-reading").count() == 0


def test_bad_rows_a_hostile_name_and_a_stale_result_are_shown_for_what_they_are(open_dashboard):
    """The name would load a picture from outside if it were read as Markdown anywhere."""
    name = "![x](http:\u202eevil.example) :red[r] $x$ a--b :smile: <b>.npy"
    shown = name.replace("\u202e", r"\u202e")
    rows = np.random.default_rng(1).standard_normal((60, 8))
    bad = rows.copy()
    bad[[3, 9]] = np.nan
    board = open_dashboard()
    board.drop("a", name, npy_bytes(bad))
    board.loaded("a", shown)
    board.drop("b", "b.npy", npy_bytes(rows))
    board.loaded("b", "b.npy")
    board.press("run")
    refusal = board.tab.locator(".st-key-run_progress").get_by_test_id("stAlert")
    refusal.wait_for()
    assert shown in refusal.inner_text().replace("\u2060", "")
    assert "(--drop-bad-rows, or the box on the page)" in refusal.inner_text()
    board.tab.get_by_text("Leave out the 2 pairs").click()
    board.settle()
    board.press("run")
    board.tab.locator(".st-key-reading").wait_for()
    board.settle()
    board.picture("8-bad-rows")
    cells = [cell for row in board.table("Inputs").values() for cell in row]
    assert shown in [cell.replace("\u2060", "") for cell in cells]
    board.unfold()
    board.tab.get_by_text("One mean for both sides").click()
    board.tab.get_by_text("From earlier inputs.").wait_for()
    board.tab.get_by_role("button", name="Run again").wait_for()
    board.picture("9-stale")


def test_columns_of_a_table_are_asked_for_and_may_be_typed(open_dashboard):
    table = pa.table({"size": [17, 12, 31], "x": [0.1, 0.2, 0.3], "y": [0.4, 0.5, 0.7], "z": [9.0, 8.0, 7.0]})
    file = io.BytesIO()
    pq.write_table(table, file)
    board = open_dashboard()
    board.drop("a", "table.parquet", file.getvalue())
    select = board.tab.locator(".st-key-slot_a").get_by_role("combobox")
    select.fill("z,x")
    select.press("Enter")
    board.loaded("a", "3 × 2 float64")
    board.picture("10-columns")
