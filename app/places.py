"""The places of a page for files, and what one of them holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from core import ChoiceNeeded, Inspection, ReadChoices
from core.formats.mapped import FileMap
from core.group_ids import GroupIds

__all__ = [
    "SIDES",
    "TWO_MODELS_SIDES",
    "BadFiles",
    "BoxName",
    "GroupsPlace",
    "HeldFile",
    "Question",
    "SideName",
    "Slot",
]

SideName = Literal["a", "b", "fit_a", "fit_b", "train_a", "train_b"]

#: The places of the audit, and those of two models, which share A and B with it.
SIDES: tuple[SideName, ...] = ("a", "b", "fit_a", "fit_b")
TWO_MODELS_SIDES: tuple[SideName, ...] = ("a", "b", "train_a", "train_b")

#: Every box a file can be dropped in.
BoxName = (
    SideName
    | Literal["groups", "labels_a", "labels_b"]
    | Literal["conditions_a", "conditions_every_a", "conditions_several", "conditions_stack_a", "conditions_stack_b"]
)

#: Files with rows that have no cosine: place, fingerprint, and how each is read.
BadFiles = frozenset[tuple[SideName, str, ReadChoices]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFile:
    """A file as it was given.

    Attributes
    ----------
    name, data
        Its name, and its bytes, in memory or mapped.
    local
        Its name in the data folder; empty where it was dropped.
    """

    name: str
    data: memoryview
    local: str = ""

    @property
    def changed(self) -> bool:
        """True if it is mapped and was written to since."""
        return isinstance(self.data.obj, FileMap) and self.data.obj.changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing that a file's owner must say before it can be read.

    Attributes
    ----------
    file
        The file.
    choices
        What had been said when it was asked.
    asked
        The question and its options.
    answer
        What was said; `None` while it waits.
    """

    file: HeldFile
    choices: ReadChoices
    asked: ChoiceNeeded
    answer: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One of the places for a file.

    Attributes
    ----------
    found, choices
        The file in use and how it was read, or `None`.
    local
        Its name in the data folder; empty where it was dropped.
    questions
        What had to be asked about the newest file, in the order asked; the last one may wait for its answer.
    problem
        Why the newest file was refused, as a sentence; empty if it was not.
    replacing
        True while the box is open although a file is in use.
    """

    found: Inspection | None = None
    choices: ReadChoices = field(default_factory=ReadChoices)
    local: str = ""
    questions: tuple[Question, ...] = ()
    problem: str = ""
    replacing: bool = False

    @property
    def changed(self) -> bool:
        """True if rows are read from a file that was written to since it was opened."""
        file = self.found.loaded.file if self.found is not None else None
        return file is not None and file.changed


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsPlace:
    """The ids in use, or `None`, and why the newest file of ids was refused; empty if it was not."""

    found: GroupIds | None = None
    problem: str = ""

    @property
    def fingerprint(self) -> tuple[str, str] | None:
        """Name and SHA-256 of the ids in use."""
        return None if self.found is None else (self.found.name, self.found.sha256)
