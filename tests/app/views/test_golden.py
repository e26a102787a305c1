"""The page shows the reference's figures to the printed digit, for every golden case.

The inputs, the arguments and the expected figures are those of ``tests/golden``; nothing
here is computed by the project but what stands on the page.
"""

import json
from pathlib import Path

import pyarrow as pa
import pytest

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = sorted(folder.parent for folder in GOLDEN.glob("*/case.json"))
SIDES = ("a", "b", "fit_a", "fit_b")
FOUR = ("matched", "floor", "gap", "floor_sd")
TWO = ("gap_over_floor_sd", "cohens_d")


def set_up(page, folder, arguments):
    """Bring the files and settings of a case onto the page."""
    for side in SIDES:
        if f"{side}.npy" in arguments:
            page.drop(side, (folder / f"{side}.npy").read_bytes())
    for option, key in (("--perms", "n_derangements"), ("--seed", "seed")):
        if option in arguments:
            page.app.number_input(key=key).set_value(int(arguments[arguments.index(option) + 1])).run()
    if "--shared" in arguments:
        page.app.checkbox(key="shared_mean").check().run()


def shown(page, title):
    """The cells of the table with this title, as the browser gets them, minus signs ASCII."""
    table = next(table for table in page.app.table if table.proto.alt.startswith(title))
    display = pa.ipc.open_stream(table.proto.arrow_data.styler.display_values).read_all().to_pandas()
    return [[str(cell).replace("−", "-").replace("\\", "") for cell in row] for row in display.to_numpy()]


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_figure_on_the_page_equals_the_reference_to_the_printed_digit(page, folder):
    case = json.loads((folder / "case.json").read_text())
    expected = case["expected"]
    set_up(page, folder, case["arguments"])
    page.press("run")

    text = next(json.loads(code.value) for code in page.app.code if code.value.startswith("{"))
    assert {key: text[key] for key in expected} == expected

    for line, name in enumerate(("raw", "centred")):
        block = expected[name]
        figures = [f"{block[key]:.4f}" for key in FOUR] + [f"{block[key]:.2f}" for key in TWO]
        assert shown(page, "Reference format")[line][-6:] == figures
        ranks = shown(page, "Partner ranked first")[line][-6:]
        assert (ranks[0], ranks[-1]) == (
            f"{block['partner_ranked_first']:.4f}",
            f"{expected['partner_first_by_chance']:.4f}",
        )
    for line, side in enumerate(("a", "b")):
        assert shown(page, "Anisotropy")[line][-2] == f"{expected['anisotropy'][side]:.4f}"
    measured = shown(page, "How it was measured")
    assert [row[-1] for row in measured[:2]] == [f"{expected['n']:,}", f"{expected['dim']:,}"]


def test_the_golden_cases_are_there():
    """An empty folder would make the test above pass by testing nothing."""
    assert len(CASES) == 11
