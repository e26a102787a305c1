"""The command line reproduces the reference format to the printed digit.

Each folder of ``tests/golden`` holds inputs, the arguments, and what the public
reference script printed for them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(folder.parent for folder in GOLDEN.glob("*/case.json"))


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_field_equals_the_reference_to_the_printed_digit(folder, capsys):
    case = json.loads((folder / "case.json").read_text())
    arguments = [str(folder / word) if word.endswith(".npy") else word for word in case["arguments"]]

    assert main(arguments) == 0

    printed = json.loads(capsys.readouterr().out)
    expected = case["expected"]
    assert {key: printed[key] for key in expected} == expected
    assert list(printed)[: len(expected)] == list(expected), "the reference's keys come first, in its order"
    for block in ("anisotropy", "raw", "centred"):
        assert list(printed[block]) == list(expected[block])


def test_there_are_golden_cases():
    """An empty folder would make the test above pass by testing nothing."""
    assert len(CASES) == 11
