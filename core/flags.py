"""How the command line calls what it is given, for its parser and for reports that quote it."""

from __future__ import annotations

from core.errors import Side

__all__ = ["choice_flag", "side_flag"]


def choice_flag(choice: str, side: Side) -> str:
    """The flag that makes one of the `core.formats.ReadChoices` for one side."""
    return f"--read-{_hyphened(side)}-as" if choice == "read_as" else f"--{choice}-{_hyphened(side)}"


def side_flag(side: Side) -> str:
    """The flag that gives a file; A and B have none and stand by their place."""
    return f"--{_hyphened(side)}"


def _hyphened(side: Side) -> str:
    """A side as flags write it."""
    return side.replace("_", "-")
