"""What the Conditions page holds: files with a name and a seed, settings, a job, a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from app.jobs import Job
from core import ChoiceNeeded, Inspection, ReadChoices
from core.comparison import Comparison, ComparisonSettings, Run, layer_runs
from core.conditions import run_name

__all__ = ["ComparedResult", "ConditionsInputs", "Given", "PendingComparison", "Place", "Way"]

#: Boxes of the page: one A and several B, an A for every B, or two stacks.
Place = Literal["a", "every_a", "several", "stack_a", "stack_b"]

#: Ways of comparing.
Way = Literal["one_a", "pairs", "layers"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """One file given to the page.

    Attributes
    ----------
    number
        Of this page, never used twice.
    name, data
        As it was given: its name, and its bytes, in memory or mapped.
    local
        Its name in the data folder; empty where it was dropped.
    choices
        How it is read.
    found
        What it holds: one array, or one for each layer of a stack; empty while `asked` waits.
    asked
        What its owner must say first, or `None`.
    label, seed
        Condition and seed; seed may be empty.
    """

    number: int
    name: str
    data: memoryview
    local: str = ""
    choices: ReadChoices = field(default_factory=ReadChoices)
    found: tuple[Inspection, ...] = ()
    asked: ChoiceNeeded | None = None
    label: str = ""
    seed: str = ""

    @property
    def changed(self) -> bool:
        """True if rows are read from a file that was written to since it was opened."""
        return any(one.loaded.file is not None and one.loaded.file.changed for one in self.found)

    @property
    def of(self) -> str:
        """Condition and seed, as a name."""
        return run_name(self.label, self.seed or None)

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """What a result depends on."""
        return (
            *(one.loaded.sha256 for one in self.found[:1]),
            self.changed,
            self.name,
            self.choices,
            self.label,
            self.seed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingComparison:
    """A comparison that waits or runs, and what it was started for."""

    job: Job[Comparison]
    key: tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedResult:
    """A finished comparison and what it was computed from."""

    comparison: Comparison
    key: tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConditionsInputs:
    """Everything the page holds.

    Attributes
    ----------
    way
        One A and several B, an A and a B for each condition and seed, or two stacks layer by layer.
    a, stack_a, stack_b
        Files, or `None`.
    every_a, several
        The A, and the B, of each condition.
    settings
        As set; its baseline may name a condition that is no more, see `effective`.
    may_leave_out
        Fingerprints of the files whose bad rows their owner said to leave out.
    problems
        Why files of the newest drop on a box were refused: the box, and a sentence.
    numbered
        Counter of files.
    pending, result, failure
        The running job, the newest finished one, and why the newest run gave no result.
    """

    way: Way = "one_a"
    a: Given | None = None
    every_a: tuple[Given, ...] = ()
    several: tuple[Given, ...] = ()
    stack_a: Given | None = None
    stack_b: Given | None = None
    settings: ComparisonSettings = field(default_factory=ComparisonSettings)
    may_leave_out: frozenset[tuple[str, ReadChoices]] = frozenset()
    problems: tuple[tuple[Place, str], ...] = ()
    numbered: int = 0
    pending: PendingComparison | None = None
    result: ComparedResult | None = None
    failure: str = ""

    @property
    def files(self) -> tuple[Given, ...]:
        """The files of the present way of comparing, A first."""
        firsts = self.every_a if self.way == "pairs" else (self.a,)
        given = (self.stack_a, self.stack_b) if self.layers else (*firsts, *self.several)
        return tuple(one for one in given if one is not None)

    @property
    def layers(self) -> bool:
        """True where two stacks are compared layer by layer."""
        return self.way == "layers"

    @property
    def sides_b(self) -> tuple[Inspection, ...]:
        """The B of every run."""
        given = (self.stack_b,) if self.layers else self.several
        return tuple(found for one in given if one is not None for found in one.found)

    @property
    def missing(self) -> str:
        """What still has to be given before a run, as a sentence; empty if nothing."""
        if any(one.asked for one in self.files):
            return "Say how to read the file in question first."
        if any(one.changed for one in self.files):
            return "A file was changed: open it again first."
        if self.layers:
            return "" if self.stack_a and self.stack_b else "Drop a stack on A and one on B first."
        if self.way == "pairs":
            return self._missing_pairs()
        if self.a is None:
            return "Drop a file on A first."
        return "" if len(self.several) > 1 else "Drop at least two B, one for each condition."

    def _missing_pairs(self) -> str:
        """What keeps every B from an A of its own."""
        if not self.every_a or len(self.several) < 2:
            return "Drop the A and the B of at least two conditions or seeds."
        names_a, names_b = ([one.of for one in side] for side in (self.every_a, self.several))
        for side, names in (("A", names_a), ("B", names_b)):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                return f"Two {side} are called {twice}: give each a condition and seed of its own."
        for side, names, others in (("B", names_a, names_b), ("A", names_b, names_a)):
            alone = next((name for name in names if name not in others), None)
            if alone is not None:
                return f"{alone} has no {side}: give its A and its B the same condition and seed."
        return ""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the conditions, in order."""
        if self.layers:
            count = len(self.stack_a.found) if self.stack_a else 0
            return tuple(f"layer {layer}" for layer in range(count))
        return tuple(dict.fromkeys(one.label for one in self.several))

    @property
    def bad_files(self) -> frozenset[tuple[str, ReadChoices]]:
        """Fingerprints of the files in use that hold NaN, infinite or zero rows."""
        found = [one.loaded for held in self.files for one in held.found if len(one.unusable)]
        return frozenset((one.sha256, one.choices) for one in found)

    @property
    def leaves_out(self) -> bool:
        """True if there are bad rows and their owner said, of these very files, to leave them out."""
        return bool(self.bad_files) and self.bad_files <= self.may_leave_out

    @property
    def effective(self) -> ComparisonSettings:
        """The settings of a run: the first condition where the chosen one is no more, bad rows as agreed."""
        baseline = self.settings.baseline if self.settings.baseline in self.labels else None
        audit = replace(self.settings.audit, drop_bad_rows=self.leaves_out)
        return replace(self.settings, baseline=baseline, audit=audit)

    @property
    def key(self) -> tuple[object, ...]:
        """What a result of the present page would depend on."""
        return (self.way, self.effective, *(one.fingerprint for one in self.files))

    def runs(self) -> Sequence[Run]:
        """The runs of the files in use."""
        if self.layers:
            if self.stack_a is None or self.stack_b is None:
                return ()
            return layer_runs(self.stack_a.found, self.stack_b.found)
        if self.way == "pairs":
            firsts = {one.of: one for one in self.every_a}
        else:
            firsts = {} if self.a is None else dict.fromkeys((one.of for one in self.several), self.a)
        return tuple(
            Run(label=one.label, seed=one.seed or None, a=firsts[one.of].found[0], b=one.found[0])
            for one in self.several
            if one.of in firsts
        )
