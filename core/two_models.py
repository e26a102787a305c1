"""Two models' files compared: what is checked, in which order, and the one result it leaves.

The arrays-in, figures-out part is `core.spaces`; here are the files: rows without a cosine,
names in refusals, fingerprints, and room in memory before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.errors import LimitError, Notice, SettingsError, Side
from core.formats.loaded import RealArray
from core.group_ids import GroupIds, IdsRecord, declared_groups
from core.groups import Groups
from core.inspection import Inspection
from core.kept_rows import kept_rows
from core.limits import GRAM_ROWS, MAX_TRAIN_PAIRS, MAX_TWO_MODEL_PAIRS, SCORE_BLOCK_ELEMENTS
from core.memory import available_bytes, memory_words
from core.paired_columns import refuse_other_columns
from core.paired_ids import refuse_other_rows
from core.pairs import refuse_unusable, words_about
from core.prose import agreed, capital, counted
from core.provenance import InputRecord, record, versions
from core.spaces import N_DERANGEMENTS, N_PERMUTATIONS, TwoModels, compare_models
from core.sweep import Progress
from core.sweep.workers import steady, usable_cores
from core.train_split import refuse_mismatch
from core.unchanged import refuse_changed, watched

__all__ = ["PairGroups", "TwoModelsAudit", "TwoModelsSettings", "audit_two_models", "refuse_unlike"]

FLOAT64_BYTES = 8

#: Float64 copies of a side that exist at once: made unit length, mapped, centred for CKA,
#: made ready for the sweep.
COPIES_OF_A_SIDE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModelsSettings:
    """What the user may choose.

    Attributes
    ----------
    seed
        Of ``numpy.random.default_rng``, for the halves, the derangements and the shuffles.
    drop_bad_rows
        Leave out pairs in which either row is NaN, infinite or zero; train pairs as well.
    """

    seed: int = 0
    drop_bad_rows: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise SettingsError(f"seed is {self.seed!r}; it must be a whole number", remedy="Give an int.")
        if self.seed < 0:
            raise SettingsError(f"the seed (--seed) is {self.seed}; it must be 0 or more", remedy="The default is 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairGroups(IdsRecord):
    """Ids that were given: which compared pairs belong together.

    Attributes
    ----------
    largest
        Most pairs with one id.
    """

    largest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModelsAudit:
    """The result for two models' files; complete on its own, holds no input array.

    Attributes
    ----------
    settings
        As chosen.
    n_derangements, n_permutations
        Drawn for the reference format's floor, and for each permutation null.
    a, b, train_a, train_b
        Fingerprints of the inputs; train rows may be `None`.
    groups
        Ids of the pairs; `None` without.
    dropped_rows, dropped_train_rows
        Pairs and train pairs left out on request.
    found
        Every figure.
    notices
        What is worth a word about the files and the comparison.
    versions
        Of what computed the numbers.
    """

    settings: TwoModelsSettings
    n_derangements: int
    n_permutations: int
    a: InputRecord
    b: InputRecord
    train_a: InputRecord | None
    train_b: InputRecord | None
    groups: PairGroups | None
    dropped_rows: int
    dropped_train_rows: int
    found: TwoModels
    notices: tuple[Notice, ...]
    versions: dict[str, str]


def audit_two_models(
    a: Inspection,
    b: Inspection,
    train_a: Inspection | None = None,
    train_b: Inspection | None = None,
    *,
    settings: TwoModelsSettings | None = None,
    groups: GroupIds | None = None,
    n_workers: int | None = None,
    progress: Progress | None = None,
) -> TwoModelsAudit:
    """Compare the files of two models, row by row.

    Parameters
    ----------
    a, b : Inspection
        (n, d_a) and (n, d_b); row i of one belongs with row i of the other.
    train_a, train_b : Inspection, optional
        (m, d_a) and (m, d_b) paired rows of other items, to fit the map on.
    settings : TwoModelsSettings, optional
        Seed 0 by default.
    groups : GroupIds, optional
        One id for each row of the compared files: pairs of one id stand in one half and are left out of the interval
        together, and one of them is taken within the models. Train rows have none.
    n_workers : int, optional
        Threads; by default one on each core this process may use. No figure depends on it.
    progress : callable, optional
        Called with (done, total, message) between blocks; raise `Cancelled` to stop.

    Raises
    ------
    PairingError
        The files cannot be compared, or the train rows cannot train a map.
    AuditError
        A mapped file was changed meanwhile.
    LimitError
        There is not enough free memory for it.

    Notes
    -----
    Time and memory as for `core.spaces.compare_models`.
    """
    settings = settings or TwoModelsSettings()
    given: tuple[tuple[Side, Inspection | None], ...] = (
        ("a", a),
        ("b", b),
        ("train_a", train_a),
        ("train_b", train_b),
    )
    present = [(side, found) for side, found in given if found is not None]
    progress = watched((a, b, train_a, train_b), progress)
    _refuse(present, (a, b), (train_a, train_b), settings)
    bad = _bad_pairs(a, b, settings)
    told = None if groups is None else declared_groups(groups, a.loaded.shape[0], bad)
    bad_train = _bad_pairs(train_a, train_b, settings)
    with steady(n_workers):
        threads = usable_cores()
        found = compare_models(
            _without(a, bad),
            _without(b, bad),
            None if train_a is None else _without(train_a, bad_train),
            None if train_b is None else _without(train_b, bad_train),
            rng=np.random.default_rng(settings.seed),
            names={side: one.loaded.name for side, one in present},
            numbers=kept_rows(a.loaded.shape[0] - len(bad), bad),
            labels=None if told is None else told.labels,
            progress=progress,
        )
    refuse_changed((a, b, train_a, train_b))
    return TwoModelsAudit(
        settings=settings,
        n_derangements=N_DERANGEMENTS,
        n_permutations=N_PERMUTATIONS,
        a=record(a),
        b=record(b),
        train_a=None if train_a is None else record(train_a),
        train_b=None if train_b is None else record(train_b),
        groups=_group_record(groups, told),
        dropped_rows=len(bad),
        dropped_train_rows=len(bad_train),
        found=found,
        notices=(
            *(notice for side, one in present for notice in words_about(side, one)),
            *_same_files(present),
            *_dropped(len(bad), len(bad_train)),
            *found.notices,
        ),
        versions=versions() | {"threads": str(threads)},
    )


def _refuse(
    present: list[tuple[Side, Inspection]],
    compared: tuple[Inspection, Inspection],
    train: tuple[Inspection | None, Inspection | None],
    settings: TwoModelsSettings,
) -> None:
    """Refuse files that cannot be compared, or not in this memory."""
    if not settings.drop_bad_rows:
        for side, one in present:
            refuse_unusable(side, one)
    _refuse_other_names(compared, train)
    _refuse_what_will_not_fit([one for _, one in present])


def _group_record(groups: GroupIds | None, told: Groups | None) -> PairGroups | None:
    """What is recorded of the groups."""
    if groups is None or told is None:
        return None
    return PairGroups(
        name=groups.file_name, sha256=groups.sha256, count=told.count, largest=int(told.sizes.max())
    )


#: How a sentence calls the inputs, and what it means that two of them are one file.
_CALLED = {"a": "A", "b": "B", "train_a": "the train rows of A", "train_b": "the train rows of B"}
_SAME = {
    ("a", "b"): "this compares a model with itself",
    ("a", "train_a"): "train rows must be other items than the compared ones",
    ("b", "train_b"): "train rows must be other items than the compared ones",
    ("train_a", "train_b"): "a map fitted on them knows one model only",
    ("a", "train_b"): "the train rows of B must come from the model of B",
    ("b", "train_a"): "the train rows of A must come from the model of A",
}


def _same_files(present: Sequence[tuple[Side, Inspection]]) -> Iterator[Notice]:
    """A word where one file is given in two places and read the same way in both."""
    for (first, one), (second, other) in combinations(present, 2):
        if (one.loaded.sha256, one.loaded.choices) == (other.loaded.sha256, other.loaded.choices):
            both = capital(f"{_CALLED[first]} and {_CALLED[second]}")
            text = f"{both} are the same file, byte for byte: {_SAME[first, second]}."
            yield Notice(code="same_file", side="pair", text=text)


def refuse_unlike(
    a: Inspection, b: Inspection, train_a: Inspection | None = None, train_b: Inspection | None = None
) -> None:
    """Refuse files whose shapes, or names of rows or columns, say that they cannot be compared; no row is read.

    Raises
    ------
    PairingError
        As `audit_two_models` does.
    """
    given: dict[Side, Inspection | None] = {"a": a, "b": b, "train_a": train_a, "train_b": train_b}
    names = {side: one.loaded.name for side, one in given.items() if one is not None}
    rows_a, rows_b = (None if one is None else one.loaded.array for one in (train_a, train_b))
    refuse_mismatch(a.loaded.array, b.loaded.array, rows_a, rows_b, names)
    _refuse_other_names((a, b), (train_a, train_b))


def _refuse_other_names(
    compared: tuple[Inspection, Inspection], train: tuple[Inspection | None, Inspection | None]
) -> None:
    """Refuse sides whose files call their rows differently, and train rows whose columns are called differently."""
    for one, other in (compared, train):
        if one is not None and other is not None:
            refuse_other_rows(one.loaded, other.loaded, texts=True)
    for side, trained in zip(compared, train, strict=True):
        if trained is not None:
            refuse_other_columns(side.loaded, trained.loaded)


def _bad_pairs(a: Inspection | None, b: Inspection | None, settings: TwoModelsSettings) -> NDArray[np.intp]:
    """Pairs to leave out; none where the counts differ, which is refused soon."""
    if a is None or b is None or not settings.drop_bad_rows or a.loaded.shape[0] != b.loaded.shape[0]:
        return np.empty(0, dtype=np.intp)
    return np.union1d(a.unusable, b.unusable)


def _without(found: Inspection, bad: NDArray[np.intp]) -> RealArray:
    return np.delete(found.loaded.array, bad, axis=0) if len(bad) else found.loaded.array


def _dropped(pairs: int, train_pairs: int) -> list[Notice]:
    parts = [counted(count, what) for count, what in ((pairs, "pair"), (train_pairs, "train pair")) if count]
    if not parts:
        return []
    verb = agreed(pairs + train_pairs, "is", "are")
    text = f"{' and '.join(parts)} with a NaN, infinite or zero row {verb} left out."
    return [Notice(code="dropped_rows", side="pair", text=text)]


def _refuse_what_will_not_fit(present: list[Inspection]) -> None:
    """Check, before anything is allocated, that the comparison has room."""
    needed, available = _needed_bytes([one.loaded.shape for one in present]), available_bytes()
    if available is not None and needed > available:
        raise LimitError(
            f"comparing {present[0].loaded.name} and {present[1].loaded.name} needs about {memory_words(needed)} of "
            f"memory, and {memory_words(available)} are free",
            remedy="Close other programs, use a machine with more memory, or compare fewer rows.",
        )


def _needed_bytes(shapes: list[tuple[int, int]]) -> int:
    """From above: float64 copies of the rows in use, the map's square, and n-by-n blocks."""
    bounds = (MAX_TWO_MODEL_PAIRS, MAX_TWO_MODEL_PAIRS, MAX_TRAIN_PAIRS, MAX_TRAIN_PAIRS)
    rows = sum(min(n, bound) * dim for (n, dim), bound in zip(shapes, bounds, strict=False))
    widest = max(dim for _, dim in shapes)
    square = 3 * min(widest, max(n for n, _ in shapes)) ** 2
    blocks = 4 * GRAM_ROWS**2 + 3 * SCORE_BLOCK_ELEMENTS
    return FLOAT64_BYTES * (COPIES_OF_A_SIDE * rows + square + blocks)
