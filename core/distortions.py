"""What a mean cosine does not show: looked for in every audit, and said, found or not.

A reader of a report must be able to tell "looked for and clean" from "not looked for". So
each thing has a line with its number and the bound from which it is worth a word. The
bounds are conventions that only decide when to speak.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.result import Audit

__all__ = ["Distortion", "distortions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distortion:
    """One thing that was looked for.

    Attributes
    ----------
    code
        Stable, for scripts: ``"both_ways"``.
    name
        What it is called.
    fired
        True if found, False if clean, `None` if it could not be looked for.
    text
        With the numbers, and the bound where there is one.
    """

    code: str
    name: str
    fired: bool | None
    text: str


def distortions(result: Audit) -> tuple[Distortion, ...]:
    """Everything that was looked for, in the order a reader needs it."""
    return ()
