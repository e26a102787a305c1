"""The audit: what is measured, in which order, and the one result it leaves.

`audit` is the only function that knows the order of things. Every number of the result
is computed once, here or in the measure it calls; the page and the reports only show it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.anisotropy import anisotropy
from core.checks import Check, checks, closed_floor_of
from core.errors import Notice, SettingsError
from core.floor import ExactFloor, derangements, exact_floor, permuted_floor
from core.inspection import Inspection
from core.limits import MAX_DERANGEMENTS, MIN_CANDIDATES
from core.means import FittedMean, fit_means
from core.memory import refuse_what_will_not_fit
from core.notices import result_notices
from core.pairs import pair_up
from core.provenance import InputRecord, record, versions
from core.ranks import seeded_pool
from core.reading import Reading, clipped, take_reading
from core.rows import UnitRows
from core.sweep import CENTRED, RAW, Progress, ReadingSweep, ReadySides, make_ready, pairing_sums, sweep

__all__ = ["Audit", "AuditSettings", "MeanSource", "audit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """What the user may choose; the only place that holds an integer seed.

    Attributes
    ----------
    shared_mean
        One mean for both sides instead of one each.
    n_derangements
        Pairings drawn for the permuted floor of the reference format.
    seed
        Of ``numpy.random.default_rng``, for those derangements.
    drop_bad_rows
        Leave out pairs in which either row is NaN, infinite or zero.
    candidates
        Rank each row among so many candidates, its partner included, from one seeded pool;
        `None`, or as many as there are rows, for all. Floors and anisotropy are exact anyway.
    """

    shared_mean: bool = False
    n_derangements: int = 20
    seed: int = 0
    drop_bad_rows: bool = False
    candidates: int | None = None

    def __post_init__(self) -> None:
        for name in ("n_derangements", "seed", "candidates"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | None):
                raise SettingsError(f"{name} is {value!r}; it must be a whole number", remedy="Give an int.")
        if not 1 <= self.n_derangements <= MAX_DERANGEMENTS:
            raise SettingsError(
                f"the number of derangements (--perms) is {self.n_derangements:,}; "
                f"it must be between 1 and {MAX_DERANGEMENTS:,}",
                remedy="The reference uses 20.",
            )
        if self.seed < 0:
            raise SettingsError(f"the seed (--seed) is {self.seed}; it must be 0 or more", remedy="The default is 0.")
        if self.candidates is not None and self.candidates < MIN_CANDIDATES:
            raise SettingsError(
                f"the number of candidates (--candidates) is {self.candidates:,}; it must be {MIN_CANDIDATES} or more",
                remedy="Leave it out to rank against all rows.",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSource:
    """Where one side's mean comes from: how many rows, and whether of a fit file."""

    n_rows: int
    from_fit_file: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The result of an audit; complete on its own, holds no input array.

    Attributes
    ----------
    n, dim
        Compared pairs and columns.
    a, b, fit_a, fit_b
        Fingerprints of the inputs; fit arrays may be `None`.
    mean_a, mean_b
        Where the means come from; `settings.shared_mean` says whether they are one.
    anisotropy_a, anisotropy_b
        Of the unit rows.
    centred_anisotropy_a, centred_anisotropy_b
        After centring; `None` where centring is undefined.
    raw
        Always there.
    centred
        `None` where centring leaves a row without direction.
    centred_undefined
        Why `centred` is `None`; empty otherwise.
    dropped_rows
        Pairs left out on request.
    notices
        What is worth a word.
    checks
        What the audit verified about its own figures.
    versions
        Of what computed the numbers.
    """

    settings: AuditSettings
    n: int
    dim: int
    a: InputRecord
    b: InputRecord
    fit_a: InputRecord | None
    fit_b: InputRecord | None
    mean_a: MeanSource
    mean_b: MeanSource
    anisotropy_a: float
    anisotropy_b: float
    centred_anisotropy_a: float | None
    centred_anisotropy_b: float | None
    raw: Reading
    centred: Reading | None
    centred_undefined: str
    dropped_rows: int
    notices: tuple[Notice, ...]
    checks: tuple[Check, ...]
    versions: dict[str, str]

    @property
    def has_pool(self) -> bool:
        """True if rows were ranked against a pool of candidates instead of all rows."""
        return self.raw.a_to_b.n_candidates < self.n

    @property
    def squared_offset(self) -> float:
        """Unbiased squared distance between the two sides' mean unit rows, in [0, 4].

        A_a + A_b - 2 f: the mean cosine within each side against that between them.
        """
        return max(self.anisotropy_a + self.anisotropy_b - 2 * self.raw.exact.floor_mean, 0.0)

    @property
    def forced_centred_floor(self) -> float:
        """The part of the centred floor that centring on the compared rows forces.

        With m the centred matched mean: -m / (n - 1) once either side is centred on its own
        compared rows (its centred rows then sum to zero), -(1 + m) / (2 (n - 1)) with one
        mean shared by both compared sides, else 0.
        """
        if self.centred is None:
            return 0.0
        from_fit = (self.mean_a.from_fit_file, self.mean_b.from_fit_file)
        matched = self.centred.matched_mean
        if self.settings.shared_mean:
            return 0.0 if any(from_fit) else -(1 + matched) / (2 * (self.n - 1))
        return 0.0 if all(from_fit) else -matched / (self.n - 1)

    @property
    def centred_floor_residual(self) -> float | None:
        """What is left of the centred floor beyond its forced part."""
        if self.centred is None:
            return None
        return self.centred.exact.floor_mean - self.forced_centred_floor

    @property
    def anisotropy_left_a(self) -> float | None:
        """Anisotropy of A after centring beyond what sampling its mean leaves."""
        return self._anisotropy_left(self.centred_anisotropy_a, self.mean_a)

    @property
    def anisotropy_left_b(self) -> float | None:
        """Anisotropy of B after centring beyond what sampling its mean leaves."""
        return self._anisotropy_left(self.centred_anisotropy_b, self.mean_b)

    def _anisotropy_left(self, after: float | None, source: MeanSource) -> float | None:
        """Minus the expected value: 1/m for m fit rows, -1/(n-1) for the compared rows."""
        if after is None:
            return None
        expected = 1 / source.n_rows if source.from_fit_file else -1 / (self.n - 1)
        return after - expected


def audit(
    a: Inspection,
    b: Inspection,
    fit_a: Inspection | None = None,
    fit_b: Inspection | None = None,
    *,
    settings: AuditSettings | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Audit a cosine comparison of A and B, row by row.

    Parameters
    ----------
    a, b : Inspection
        The two sides, (n, d) each; row i of one belongs with row i of the other.
    fit_a, fit_b : Inspection, optional
        Rows to fit the means on, of the same width; any number of rows.
    settings : AuditSettings, optional
        The defaults are the reference's.
    progress : callable, optional
        Called with (done, total, message) between blocks; raise `Cancelled` to stop.

    Raises
    ------
    PairingError
        The files cannot be compared row by row.
    LimitError
        There is not enough free memory for it.

    Notes
    -----
    Time O(n^2 d) for the ranks, or O(n M d + n d^2) with a pool of M candidates; everything
    else O(n d) or O(n_derangements n d).
    Memory: one float32 copy of the two sides, and a few blocks (`core.limits`).
    """
    settings = settings or AuditSettings()
    refuse_what_will_not_fit(
        a, b, fit_a, fit_b, n_derangements=settings.n_derangements, drop_bad_rows=settings.drop_bad_rows
    )
    pairs = pair_up(a, b, fit_a, fit_b, drop_bad_rows=settings.drop_bad_rows)
    compared_a, compared_b = UnitRows(pairs.a).mean_row(), UnitRows(pairs.b).mean_row()
    means = fit_means(compared_a, compared_b, pairs.fit_a, pairs.fit_b, shared=settings.shared_mean)
    sides = make_ready(pairs.a, pairs.b, means.a, means.b, progress=progress)
    n, dim = sides.shape
    rng = np.random.default_rng(settings.seed)
    pairings = list(derangements(n, settings.n_derangements, rng))
    pool = seeded_pool(n, settings.candidates, rng)  # after the derangements, which stay the reference's
    sums, squares = pairing_sums(sides, pairings, progress=progress)
    swept = sweep(sides, candidates=pool, progress=progress)
    readings = [
        take_reading(
            counted,
            _exact_floor(sides, reading, counted, has_pool=pool is not None, progress=progress),
            permuted_floor(sides.floors[reading], sums[reading], squares[reading], n),
            n_candidates=n if pool is None else len(pool) + 1,
            chance=None if pool is None else float(np.mean(1.0 / (1.0 + swept.n_others))),
            pool=pool,
        )
        for reading, counted in ((RAW, swept.raw), (CENTRED, swept.centred))
        if counted is not None
    ]
    centred = readings[CENTRED] if swept.centred else None
    result = Audit(
        settings=settings,
        n=n,
        dim=dim,
        a=record(a),
        b=record(b),
        fit_a=record(fit_a) if fit_a else None,
        fit_b=record(fit_b) if fit_b else None,
        mean_a=_source(means.fitted_a),
        mean_b=_source(means.fitted_b),
        anisotropy_a=clipped(anisotropy(compared_a)),
        anisotropy_b=clipped(anisotropy(compared_b)),
        centred_anisotropy_a=clipped(anisotropy(sides.a.centred_mean)) if centred else None,
        centred_anisotropy_b=clipped(anisotropy(sides.b.centred_mean)) if centred else None,
        raw=readings[RAW],
        centred=centred,
        centred_undefined=_why_undefined(sides),
        dropped_rows=pairs.dropped.count,
        notices=(),
        checks=checks(sides, swept, pool, progress=progress),
        versions=versions(),
    )
    return replace(result, notices=pairs.notices + result_notices(result))


def _exact_floor(
    sides: ReadySides, reading: int, counted: ReadingSweep, *, has_pool: bool, progress: Progress | None
) -> ExactFloor:
    """From the pass over all scores, or in closed form where the pass met a pool only."""
    if has_pool:
        return closed_floor_of(sides, reading, progress=progress).floor
    return exact_floor(sides.floors[reading], counted.sum_about, counted.squares_about, counted.n_unrelated)


def _source(fitted: FittedMean) -> MeanSource:
    return MeanSource(n_rows=fitted.row.n_rows, from_fit_file=fitted.from_fit_file)


def _why_undefined(sides: ReadySides) -> str:
    """Why some row has no direction after centring, or an empty string."""
    for side, ready in (("A", sides.a), ("B", sides.b)):
        lost = ready.lost
        if len(lost):
            return (
                f"The centred reading is undefined: {len(lost):,} of {sides.shape[0]:,} rows of {side} equal the "
                f"fitted mean (first at row {lost[0]:,}, counting from 0), so nothing is left of them after "
                "centring. The raw figures stand. Fit the mean on more or other rows."
            )
    return ""
