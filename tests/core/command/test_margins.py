"""A margin on the command line: its range, and when it was declared."""

from __future__ import annotations

import pytest

from core.command import main

COMMANDS = {
    "audit": ["a.npy", "b.npy"],
    "claim": ["claim", "--claim", "0.5", "a.npy", "b.npy"],
    "conditions": ["conditions", "a.npy", "x=b.npy", "y=c.npy"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_late_declaration_without_a_margin_is_refused_in_one_line(command, capsys):
    assert main([*COMMANDS[command], "--margin-after-look"]) == 2
    said = capsys.readouterr().err
    assert "--margin-after-look says when a margin was declared, and there is no --margin. Give --margin" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("typed", ["1e-400", "0", "-0.10", "4.50", "nan", "1e400"])
def test_a_margin_out_of_range_is_shown_as_typed(command, typed, capsys):
    assert main([*COMMANDS[command], f"--margin={typed}"]) == 2
    assert f"the margin (--margin) is {typed}; it must be " in capsys.readouterr().err
