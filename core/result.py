"""The one result of an audit. Every number of it is computed once; the page and the reports only show it."""

from __future__ import annotations

from dataclasses import dataclass

from core.alarm import CoordinateAlarm
from core.centring_check import shared_mean_floor
from core.checks import Check
from core.closeness import Closeness, SameRows
from core.distortions import Distortion
from core.errors import Notice
from core.group_ids import GroupRecord, ProposedGroups
from core.isotropy import squared_offset
from core.mean_shares import Kin, MeanShares
from core.pairing import Pairing
from core.provenance import InputRecord
from core.reading import Reading
from core.row_scores import PairRows
from core.settings import AuditSettings
from core.side_facts import SideFacts

__all__ = ["Audit", "MeanSource"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSource:
    """Where one side's mean comes from: how many rows, and whether of a fit file.

    Attributes
    ----------
    n_rows, from_fit_file
        Of the rows this side contributes.
    shares
        Of the mean that is subtracted, the share that compared rows of A, and of B, make up.
    """

    n_rows: int
    from_fit_file: bool
    shares: tuple[float, float]


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
    length_product
        Mean product of the lengths of two partners' unit rows less their means.
    centred_rounding
        About how far the float64 rounding of the unit rows moves a centred cosine: that of a row over its median
        distance from the mean, on the side where it is more.
    side_a, side_b
        How the rows of each side are spread, and how well its mean fits.
    raw
        Always there.
    centred
        `None` where centring leaves a row without direction.
    centred_undefined
        Why `centred` is `None`; empty otherwise.
    closeness
        How near partners are where raw matched is above .999; else `None`.
    same_rows
        Whether every row of B is its row of A (`core.closeness.SameRows`); empty where it is not.
    evidence_missing
        Why no reading has intervals, test and verdict; empty otherwise.
    at_ceiling
        Both readings leave no room to show a difference.
    groups
        Declared groups; `None` where every pair counts as independent.
    proposed_groups
        What duplicate rows would group; `None` without duplicates, or with declared groups.
    alarm
        Whether the two sides look like different coordinate systems.
    pairing
        Which way the rows are not paired; `None` where partners rank first more often than
        by chance, and with a pool of candidates. Its order counts the rows of the files.
    dropped_rows
        Pairs left out on request.
    dropped_fit_rows
        Rows of the fit files of A and of B left out on request.
    notices
        What is worth a word.
    distortions
        What was looked for that a mean cosine does not show, found or not.
    checks
        What the audit verified about its own figures.
    versions
        Of what computed the numbers.
    rows
        What the pass found for each pair; `None` unless it was to be kept.
    margin_after_look
        The margin was declared when an audit of these files had been seen already. Only who runs
        several audits knows it (`dataclasses.replace`); one run alone cannot.
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
    length_product: float
    centred_rounding: float
    side_a: SideFacts
    side_b: SideFacts
    raw: Reading
    centred: Reading | None
    centred_undefined: str
    closeness: Closeness | None
    same_rows: SameRows
    evidence_missing: str
    at_ceiling: bool
    groups: GroupRecord | None
    proposed_groups: ProposedGroups | None
    alarm: CoordinateAlarm
    pairing: Pairing | None
    dropped_rows: int
    dropped_fit_rows: tuple[int, int]
    notices: tuple[Notice, ...]
    distortions: tuple[Distortion, ...]
    checks: tuple[Check, ...]
    versions: dict[str, str]
    rows: PairRows | None = None
    margin_after_look: bool = False

    @property
    def has_pool(self) -> bool:
        """True if rows were ranked against a pool of candidates instead of all rows."""
        wanted = self.settings.candidates
        return wanted is not None and wanted < self.n

    @property
    def margin_declared(self) -> str:
        """When the margin was declared, as a sentence says it; empty without one."""
        if self.settings.margin is None:
            return ""
        return "declared after a first look" if self.margin_after_look else "declared with the run"

    @property
    def squared_offset(self) -> float:
        """Unbiased squared distance between the two sides' mean unit rows, in [0, 4].

        A_a + A_b - 2 f: the mean cosine within each side against that between them, over all
        different rows, groups or not.
        """
        floor = self.groups.plain_raw_floor if self.groups else self.raw.exact.floor_mean
        return max(squared_offset(self.anisotropy_a, self.anisotropy_b, floor), 0.0)

    @property
    def forced_centred_floor(self) -> float:
        """The part of the centred floor that centring on compared rows forces.

        With m the centred matched mean: -m / (n - 1) once either side is centred on its own
        compared rows (its centred rows then sum to zero), -(1 + m) / (2 (n - 1)) with one
        mean shared by both compared sides, less where compared rows are only a share of a
        mean, 0 where they are none (`core.mean_shares`). With groups, sums over groups stand
        in for single rows: see `GroupRecord.centred_kin`.
        """
        if self.centred is None or not self.mean_shares.any:
            return 0.0
        kin, others = self._centred_kin(self.centred)
        return -self.mean_shares.forced(kin) / others

    @property
    def unknown_forced_floor(self) -> str:
        """Why `forced_centred_floor` is only what is known of that part; empty where it is all.

        A part of the compared rows among the fit rows moves the floor by what those rows have
        in common with the others, which their number alone does not give.
        """
        among = (("A", self.side_a.fit_among), ("B", self.side_b.fit_among))
        some = " and ".join(name for name, found in among if found is not None and any(found.others))
        facts = (("A", self.side_a), ("B", self.side_b))
        coarser = " and ".join(name for name, side in facts if side.fit_rows_look_compared)
        if self.centred is None or not (some or coarser):
            return ""
        if not some:
            look = f"the fit rows of {coarser} look like the compared rows in coarser numbers"
            return f"{look}, and what they force is not known"
        return f"some compared rows stand among the fit rows of {some}, and what they force is not known"

    @property
    def mean_shares(self) -> MeanShares:
        """How much of each subtracted mean is made of compared rows."""
        return MeanShares(a=self.mean_a.shares, b=self.mean_b.shares)

    def _centred_kin(self, centred: Reading) -> tuple[Kin, float]:
        """P_A, P_B and Q of `core.mean_shares`, and how many unrelated rows each row has on average."""
        if self.groups is None:
            return Kin(a=1.0, b=1.0, ab=centred.matched_mean), float(self.n - 1)
        a, b, ab = self.groups.centred_kin
        return Kin(a=a, b=b, ab=ab), self.groups.n_unrelated / self.n

    @property
    def centred_floor_residual(self) -> float | None:
        """What is left of the centred floor beyond its forced part."""
        if self.centred is None:
            return None
        return self.centred.exact.floor_mean - self.forced_centred_floor

    @property
    def shared_offset_floor(self) -> float | None:
        """About how much of that the offset between the sides is, with one mean of both compared sides; else `None`."""
        halves = (0.5, 0.5)
        if self.centred is None or (self.mean_a.shares, self.mean_b.shares) != (halves, halves):
            return None
        return shared_mean_floor(self.squared_offset, self.length_product, self.n)

    @property
    def anisotropy_left_a(self) -> float | None:
        """Anisotropy of A after centring beyond what sampling its mean leaves."""
        return self._anisotropy_left(self.centred_anisotropy_a, 0)

    @property
    def anisotropy_left_b(self) -> float | None:
        """Anisotropy of B after centring beyond what sampling its mean leaves."""
        return self._anisotropy_left(self.centred_anisotropy_b, 1)

    def sampled_part(self, side: int) -> float:
        """1/m for a side's mean of m other rows, less where some of them are compared ones.

        The squared distance that sampling alone puts between that mean and the one it stands
        for, in those of a row: about (1 - A)/m beside 1 - A.
        """
        rows = [self.mean_a.n_rows, self.mean_b.n_rows]
        of_mean = (self.mean_shares.a, self.mean_shares.b)[side]
        return (1 - sum(of_mean)) / (sum(rows) if self.settings.shared_mean else rows[side])

    def _anisotropy_left(self, after: float | None, side: int) -> float | None:
        """Minus the expected value: 1/m for m fit rows, -1/(n-1) for own compared rows (`core.mean_shares`)."""
        if after is None or self.centred is None:
            return None
        followed = self.mean_shares.anisotropy(Kin(a=1.0, b=1.0, ab=self.centred.matched_mean))[side]
        return after - self.sampled_part(side) + followed / (self.n - 1)
