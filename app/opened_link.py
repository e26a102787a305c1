"""What a page remembers of the link it was opened with."""

from __future__ import annotations

from dataclasses import dataclass

from core.share import Shared

__all__ = ["OpenedLink"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedLink:
    """A link, once it has been looked at; the default is no link.

    Attributes
    ----------
    address
        Its parameters as they came, so that the same link is not applied again.
    asks
        What it asks for; `None` where it was refused or put away.
    problem
        Why it was refused, as a sentence; empty if it was not.
    started
        True once its audit has been started by itself.
    """

    address: str = ""
    asks: Shared | None = None
    problem: str = ""
    started: bool = False
