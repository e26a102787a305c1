"""The command line run in this process."""

from __future__ import annotations

import pytest

from core import command


@pytest.fixture
def run(capsys):
    """Run the command line in this process: exit code, stdout, stderr."""

    def ran(*arguments):
        code = command.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ran
