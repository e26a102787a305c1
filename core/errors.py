"""What the core tells a person about their input: refusals and notices.

`AuditError` and its children are everything a user can cause. Any other exception
that leaves the core is a bug of ours and must show as one.

A `Notice` is worth a word beside a result but does not stop it. It is raised where
the thing is noticed and carried along with the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["a", "b", "fit_a", "fit_b", "train_a", "train_b", "pair"]

#: What a person calls each side.
SIDE_WORDS: dict[Side, str] = {
    "a": "side A",
    "b": "side B",
    "fit_a": "fit array of A",
    "fit_b": "fit array of B",
    "train_a": "train rows of A",
    "train_b": "train rows of B",
    "pair": "the pair",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing worth a word beside a result.

    Attributes
    ----------
    code
        Stable name in snake_case, for scripts: ``"integer_codes"``.
    side
        The input it speaks of, or ``"pair"`` for the comparison as a whole.
    text
        One or two plain sentences, fit to show.
    """

    code: str
    side: Side
    text: str


class AuditError(ValueError):
    """Input the audit cannot use.

    ``str(error)`` says which file and what is wrong, without a full stop; `remedy` says
    what to do, as a sentence of its own.
    Both are fit to show to a person: no path, no class name, no traceback.
    """

    def __init__(self, problem: str, *, remedy: str = "") -> None:
        super().__init__(problem)
        self.remedy = remedy

    @property
    def sentence(self) -> str:
        """Problem and remedy as one line, for a terminal."""
        return f"{self}. {self.remedy}" if self.remedy else str(self)


class FormatError(AuditError):
    """The bytes are not a well-formed array of a kind the audit reads."""


class ChoiceNeeded(AuditError):  # noqa: N818 - a question, not a fault
    """The file can be read in more than one way, and only its owner knows which.

    Attributes
    ----------
    choice
        Field of `core.formats.ReadChoices` that decides: ``"key"``, ``"columns"``,
        ``"layer"`` or ``"read_as"``.
    options
        The values that field may take, in the order to offer them.
    """

    def __init__(self, problem: str, *, choice: str, options: tuple[str, ...], remedy: str = "") -> None:
        super().__init__(problem, remedy=remedy)
        self.choice = choice
        self.options = options


class PairingError(AuditError):
    """Readable arrays that cannot be compared row by row."""


class SettingsError(AuditError):
    """A setting outside its range."""


class LimitError(AuditError):
    """More than the bounds of `core.limits` allow."""


class Cancelled(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised by a progress callback to stop a running audit."""
